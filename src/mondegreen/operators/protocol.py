"""What every operator is: a frozen value that answers two questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

from mondegreen.draw import Draw
from mondegreen.operators.amounts import Amount
from mondegreen.operators.options import Plan
from mondegreen.types import Edit, Utterance


class Operator:
    """An operator says *where* it could act and *what* it would do there, never how much.

    Subclasses are frozen dataclasses. Equal parameters make equal operators; tables that are
    worked out from them are kept beside the parameters and never pickled.
    """

    name: ClassVar[str]
    """The name in the registry; part of the key of every draw."""
    example: ClassVar[str]
    """An utterance that shows what the operator does."""
    version: ClassVar[int] = 1
    """Raised when a release changes the edits; a signature shows it from 2 on."""

    deterministic: ClassVar[bool] = False
    """Whether the edits do not depend on the seed: there is one site, and one edit for it."""

    @property
    def default(self) -> Amount:
        """How much of it where the user does not say; most operators have one for all."""
        raise NotImplementedError

    def sites(self, utterance: Utterance) -> range:
        """Return the places where the operator could act, as token positions."""
        raise NotImplementedError

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Return the edits that the operator would make at a site; none where it has no candidate.

        They are made together or not at all.
        """
        raise NotImplementedError

    @property
    def ahead(self) -> int:
        """How many utterances the operator likes to know of before it is asked about them."""
        return 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Work out, all together, what will be asked about utterances and their sites.

        Only the time changes: every answer is the same without.
        """

    def plan(self) -> Plan | None:
        """Return the operator as option trees, where it is nothing else; the same, faster."""
        return None

    def resources(self) -> Sequence[Path]:
        """Return the user's files that the edits depend on."""
        return ()

    def fresh(self) -> Operator:
        """Return an equal operator that has read none of its files yet."""
        kind, parameters = self.__reduce__()[1]
        return _rebuild(kind, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {f.name: getattr(self, f.name) for f in fields(self)})  # type: ignore[arg-type]  # subclasses are dataclasses


def _rebuild(kind: type[Operator], parameters: dict[str, Any]) -> Operator:
    return kind(**parameters)
