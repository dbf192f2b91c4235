"""Discourse markers: "play some jazz" becomes "well play some jazz"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.detection import ENGLISH
from mondegreen.language.disfluency.profile import CONVERSATION, Places
from mondegreen.operators.disfluent import (
    DisfluencyOperator,
    FunctionFlags,
    Insertion,
    Weighted,
    weighted,
    weights_at,
)
from mondegreen.types import Utterance


class _Phrases(DisfluencyOperator):
    """Inserts phrases of the profile: turn openers before the first word, others elsewhere."""

    @property
    def phrases(self) -> Mapping[str, Places]:
        """The phrases, each with its count at the start of a turn and its count elsewhere."""
        raise NotImplementedError

    @cached_property
    def _by_place(self) -> tuple[Weighted, Weighted]:
        return (
            weighted({phrase: opening for phrase, (opening, _) in self.phrases.items()}),
            weighted({phrase: later for phrase, (_, later) in self.phrases.items()}),
        )

    def insertion(
        self,
        utterance: Utterance,  # noqa: ARG002 (only the position matters)
        site: int,
        draw: Draw,
    ) -> Insertion:
        """Return a phrase that fits the position."""
        return Insertion(self.kind, self._by_place[site > 0].draw(draw))


@dataclass(frozen=True)
class Discourse(_Phrases):
    """Insert a discourse marker: "play some jazz" becomes "well play some you know jazz".

    Markers that open a turn are drawn before the first word, the others elsewhere, but never
    between two content words, which may be parts of a name.

    Args:
        profile: ``conversation`` (American telephone conversations, the default: requests to
            assistants have few markers), ``assistant``, or a file written by ``mondegreen fit
            disfluency``.
    """

    name: ClassVar[str] = "discourse"
    english: ClassVar[bool] = True
    kind: ClassVar[str] = "discourse"
    spoken_to: ClassVar[str] = CONVERSATION
    version: ClassVar[int] = 2
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    @property
    def phrases(self) -> Mapping[str, Places]:
        """The discourse markers of the profile."""
        return self._profile.discourse

    def weights(self, flags: FunctionFlags) -> Sequence[int]:
        """Return equal weights, except 0 between two content words."""
        return weights_at([True, *(left or right for left, right in pairwise(flags))])


@dataclass(frozen=True)
class Pauses(_Phrases):
    """Insert the filled pauses of a profile; used by ``disfluencies``, not in the registry.

    The operator ``fillers`` takes its words from a language instead.
    """

    name: ClassVar[str] = "pauses"
    kind: ClassVar[str] = "filler"
    example: ClassVar[str] = "play some jazz"

    language: str = ENGLISH

    @property
    def phrases(self) -> Mapping[str, Places]:
        """The filled pauses of the profile."""
        return self._profile.fillers
