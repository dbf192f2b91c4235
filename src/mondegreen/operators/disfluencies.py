"""All disfluencies together, as often and of the types that people make them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.operators.amounts import Amount, Chance
from mondegreen.operators.discourse import Discourse, Pauses
from mondegreen.operators.disfluent import DisfluencyOperator, Grammar, grammar_of, tidy
from mondegreen.operators.partials import Partials
from mondegreen.operators.repairs import Repairs
from mondegreen.operators.repeats import Repeats
from mondegreen.operators.restarts import Restarts
from mondegreen.types import Utterance

_ROUNDS = 4  # after which the shares are within a few hundredths
_WHOLE = 1 << 20


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
        return Chance(tidy(self._profile.total / self._profile.words))

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
        """Draw a type, the more often one for which the place is likely; then what it puts in."""
        shares = self._shares(grammar_of(utterance))[site]
        if not any(shares):
            return None
        return self._parts[draw.weighted(shares)].insertion(utterance, site, draw)

    @cached_property
    def _shares(self) -> Callable[[Grammar], list[list[int]]]:
        parts, counts = self._parts, self._counts

        @lru_cache(maxsize=50_000)
        def shares(grammar: Grammar) -> list[list[int]]:
            return balanced([part.weights(grammar) for part in parts], counts)

        return shares

    def resources(self) -> Sequence[Path]:
        """Return the user's files."""
        return tuple(Path(path) for path in (self.profile, self.values) if path)


def balanced(weights: Sequence[Sequence[int]], counts: Sequence[int]) -> list[list[int]]:
    """Return for each place the weight of each type.

    Types like some places better than others, yet every place is as likely as any, and over all
    places each type has its share: rows and columns are scaled in turn until both hold.

    >>> balanced([[2000, 0], [1000, 1000]], [1, 3])
    [[521032, 527544], [0, 1048576]]
    """
    places = range(len(weights[0]))
    wanted = [count * len(places) / max(1, sum(counts)) for count in counts]
    table = [[float(weight) for weight in row] for row in weights]
    for _ in range(_ROUNDS):
        for row, share in zip(table, wanted, strict=True):
            scale = share / (sum(row) or 1.0)
            row[:] = [cell * scale for cell in row]
        for place in places:
            scale = 1 / (sum(row[place] for row in table) or 1.0)
            for row in table:
                row[place] *= scale
    return [[round(row[place] * _WHOLE) for row in table] for place in places]
