"""All disfluencies together, as often and of the types that people make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.amounts import Amount, Chance
from mondegreen.draw import Draw
from mondegreen.operators.discourse import Discourse, Pauses
from mondegreen.operators.disfluent import DisfluencyOperator
from mondegreen.operators.partials import Partials
from mondegreen.operators.repairs import Repairs
from mondegreen.operators.repeats import Repeats
from mondegreen.operators.restarts import Restarts
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Disfluencies(DisfluencyOperator):
    """Talk as people do: fillers, repeats, partial words, repairs, restarts and markers.

    Each place is as likely; what is said there is drawn in the shares of the profile. Many short
    utterances stay fluent, as they do in speech, unless another amount is asked for.

    Args:
        profile: a file of ``mondegreen fit disfluency``; empty for telephone conversations.
        terms: what may be said before a repair, such as ["no wait"]; empty for the English list.
        values: a file of ``mondegreen fit values``: what slots of each label may hold.
    """

    name: ClassVar[str] = "disfluencies"
    kind: ClassVar[str] = "disfluency"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    terms: tuple[str, ...] = ()
    values: str = ""

    def __post_init__(self) -> None:
        Repairs(self.profile, self.terms, self.values)  # checks all that is given

    @property
    def default(self) -> Amount:
        """The rate of the profile, without the rule of at least one."""
        return Chance(min(1.0, self._profile.total / self._profile.words))

    @cached_property
    def _parts(self) -> tuple[DisfluencyOperator, ...]:
        return (
            Repeats(self.profile, self.terms),
            Partials(self.profile, self.terms),
            Repairs(self.profile, self.terms, self.values),
            Restarts(self.profile, self.terms),
            Discourse(self.profile),
            Pauses(self.profile),
        )

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self._profile.count(part.kind) for part in self._parts)

    def insertion(
        self, utterance: Utterance, site: int, draw: Draw
    ) -> tuple[str, tuple[str, ...]] | None:
        """Draw a type, then what it puts in.

        A type that fits only some of the places is drawn there the more often.
        """
        words = len(utterance.tokens)
        weights = [
            count * words * 1000 // part.places(utterance) if part.fits(utterance, site) else 0
            for part, count in zip(self._parts, self._counts, strict=True)
        ]
        return self._parts[draw.weighted(weights)].insertion(utterance, site, draw)

    def resources(self) -> Sequence[Path]:
        """Return the user's files."""
        return tuple(Path(path) for path in (self.profile, self.values) if path)
