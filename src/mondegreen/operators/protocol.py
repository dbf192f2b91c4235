"""The base class of operators: which sites an utterance has, and what to do at a site."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

from mondegreen.draw import Draw
from mondegreen.language.detection import ENGLISH
from mondegreen.operators.amounts import Amount
from mondegreen.operators.options import Plan
from mondegreen.types import Edit, Utterance


class Operator:
    """An operator decides *where* it could act and *what* it would do there, but not how much.

    How much is decided by an :class:`~mondegreen.operators.amounts.Amount`. Subclasses are frozen
    dataclasses: operators with equal parameters are equal. Tables computed from the parameters are
    cached on the object and never pickled.
    """

    name: ClassVar[str]
    """The name in the registry, which is also part of the key of every draw."""
    example: ClassVar[str]
    """The utterance on which ``mondegreen operators`` shows what the operator does."""
    version: ClassVar[int] = 1
    """Incremented when a release changes the edits; signatures show it from version 2 on."""

    english: ClassVar[bool] = False
    """Whether the operator must know the language: English, unless a parameter says another."""
    keeps_slots: ClassVar[bool] = True
    """Whether the words of slots stay recognisable as values of their labels."""
    keeps_meaning: ClassVar[bool] = True
    """Whether an utterance still means the same, so that its label stays true."""

    kinds: ClassVar[frozenset[str]] = frozenset()
    """The kinds of edits that the name promises; edits of other kinds are fail-overs.

    Empty if all edits are what the name says.
    """
    keeps_values: ClassVar[bool] = False
    """Whether it only writes the same words in other letters, so that no code needs protection."""
    deterministic: ClassVar[bool] = False
    """Whether the edits are the same for every seed: there is one site, with one possible edit."""

    @property
    def languages(self) -> frozenset[str] | None:
        """The codes of the languages that the operator knows; ``None`` if it works in any."""
        spoken = str(getattr(self, "language", ENGLISH))
        return frozenset((spoken,)) if self.english else None

    @property
    def default(self) -> Amount:
        """The amount to use if the user gives no amount; a class attribute in most operators."""
        raise NotImplementedError

    def sites(self, utterance: Utterance) -> range:
        """Return the token positions where the operator could act."""
        raise NotImplementedError

    def site_weights(self, utterance: Utterance) -> Sequence[float] | None:  # noqa: ARG002
        """Return how likely each site is, 1 on average; ``None`` if all are equally likely."""
        return None

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Return the edits that the operator would make at a site; empty if there is no candidate.

        The edits of one site are applied together; if one of them is not allowed, none is applied.
        """
        raise NotImplementedError

    def failed_over(self, edit: Edit) -> bool:
        """Return whether an edit is of another kind than the name of the operator promises."""
        return bool(self.kinds) and edit.kind not in self.kinds

    @property
    def ahead(self) -> int:
        """How many utterances to pass to :meth:`prepare` at once; 1 if it does nothing."""
        return 1

    def prepare(self, asked: Sequence[tuple[Utterance, int]]) -> None:
        """Compute in one batch what :meth:`propose` will need for these utterances and sites.

        This only saves time: the edits are the same without it.
        """

    def plan(self) -> Plan | None:
        """Return the operator as option trees for the kernel; ``None`` if that is not possible.

        The kernel makes the same edits as :meth:`propose`, only faster.
        """
        return None

    @property
    def links(self) -> tuple[Operator, ...]:
        """The operators of a chain, in order; of any other operator, itself."""
        return (self,)

    learnt: ClassVar[str] = ""
    """The parameter that :meth:`learning_from` sets; empty if the operator learns nothing."""

    @property
    def can_learn(self) -> bool:
        """Whether there is something to learn that neither the user nor data has set yet."""
        default = type(self).__dataclass_fields__[self.learnt].default if self.learnt else None  # type: ignore[attr-defined]  # subclasses are dataclasses
        return bool(self.learnt) and getattr(self, self.learnt) == default

    def learning_from(self, data: Iterable[Utterance], seed: int) -> Operator:  # noqa: ARG002 (most learn nothing)
        """Return the operator with what it can learn from data.

        What is learnt becomes a parameter, so that the operator makes the same edits of a text,
        whatever is around it.
        """
        return self

    def keeping_codes(self) -> Operator:
        """Return the operator for texts whose numbers and codes are left unchanged.

        Only an operator that makes a given number of errors needs to know: it makes more elsewhere.
        """
        return self

    def resources(self) -> Sequence[Path]:
        """Return the user's files that the edits depend on."""
        return ()

    def fresh(self) -> Operator:
        """Return an equal operator that has not read its files yet."""
        cls, parameters = self.__reduce__()[1]
        return _rebuild(cls, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {f.name: getattr(self, f.name) for f in fields(self)})  # type: ignore[arg-type]  # subclasses are dataclasses


def fail_overs(operators: Sequence[Operator], edits: Sequence[Edit]) -> int:
    """Return how many edits are of another kind than the name of their operator promises."""
    return sum(
        operator.failed_over(edit)
        for operator in operators
        if operator.kinds
        for edit in edits
        if edit.operator == operator.name
    )


def _rebuild(cls: type[Operator], parameters: dict[str, Any]) -> Operator:
    return cls(**parameters)
