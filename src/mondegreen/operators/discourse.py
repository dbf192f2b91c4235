"""Discourse markers: "play some jazz" becomes "well play some jazz"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.profile import Places
from mondegreen.operators.disfluent import DisfluencyOperator, Grammar, Weighted, only_at, weighted
from mondegreen.types import Utterance


class _Phrases(DisfluencyOperator):
    """Puts in phrases of the profile: at the first word those that open a turn, else the others."""

    @property
    def phrases(self) -> Mapping[str, Places]:
        """The phrases, and how often they stand at each place."""
        raise NotImplementedError

    @cached_property
    def _by_place(self) -> tuple[Weighted, Weighted]:
        return (
            weighted({phrase: opening for phrase, (opening, _) in self.phrases.items()}),
            weighted({phrase: later for phrase, (_, later) in self.phrases.items()}),
        )

    def insertion(
        self,
        utterance: Utterance,  # noqa: ARG002 (the place alone counts)
        site: int,
        draw: Draw,
    ) -> tuple[str, tuple[str, ...]]:
        """Return a phrase that fits the place."""
        return self.kind, self._by_place[site > 0].draw(draw)


@dataclass(frozen=True)
class Discourse(_Phrases):
    """Put in what keeps a talk going: "play some jazz" becomes "well play some you know jazz".

    Those that open a turn are drawn for the first word, the others elsewhere, but not between two
    content words, which may be a name.

    Args:
        profile: a file of ``mondegreen fit disfluency``; empty for telephone conversations.
    """

    name: ClassVar[str] = "discourse"
    kind: ClassVar[str] = "discourse"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    @property
    def phrases(self) -> Mapping[str, Places]:
        """The profile's markers."""
        return self._profile.discourse

    def weights(self, grammar: Grammar) -> Sequence[int]:
        """Everywhere but between two content words."""
        return only_at([True, *(left or right for left, right in pairwise(grammar))])


@dataclass(frozen=True)
class Pauses(_Phrases):
    """Put in the filled pauses of a profile; a part of ``disfluencies``, not in the registry.

    The operator ``fillers`` has its words from a language instead.
    """

    name: ClassVar[str] = "pauses"
    kind: ClassVar[str] = "filler"
    example: ClassVar[str] = "play some jazz"

    @property
    def phrases(self) -> Mapping[str, Places]:
        """The profile's filled pauses."""
        return self._profile.fillers
