"""All types of disfluency together, as frequent as in real speech."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.operators.amounts import Amount, Chance
from mondegreen.operators.discourse import Discourse, Pauses
from mondegreen.operators.disfluent import (
    DisfluencyOperator,
    FunctionFlags,
    Insertion,
    function_flags,
    rounded_rate,
)
from mondegreen.operators.partials import Partials
from mondegreen.operators.recent import recent
from mondegreen.operators.repairs import Repairs
from mondegreen.operators.repeats import Repeats
from mondegreen.operators.restarts import Restarts
from mondegreen.types import Utterance

_ROUNDS = 4  # enough to bring the shares within a few hundredths
_SCALE = 1 << 20


@dataclass(frozen=True)
class Disfluencies(DisfluencyOperator):
    """Insert all types of disfluency: fillers, repeats, partials, repairs, restarts and markers.

    All positions are equally likely. The type is drawn according to the shares in the profile. With
    the default amount many short utterances stay fluent, as in real speech.

    Args:
        profile: a profile written by ``mondegreen fit disfluency``; empty for the built-in one of
            American telephone conversations.
        terms: editing terms that may precede a repair, such as ["no wait"]; empty for the built-in
            English list.
        values: a file written by ``mondegreen fit values``, with the values of each slot label;
            repairs then say a wrong value of the slot first.
    """

    name: ClassVar[str] = "disfluencies"
    kind: ClassVar[str] = "disfluency"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    terms: tuple[str, ...] = ()
    values: str = ""

    def __post_init__(self) -> None:
        Repairs(self.profile, self.terms, self.values)  # validates all three parameters

    @property
    def default(self) -> Amount:
        """The rate of disfluencies in the profile; an utterance may stay unchanged."""
        return Chance(rounded_rate(self._profile.total / self._profile.words))

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

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Draw a type, with a preference for types that suit the position, then its words."""
        shares = self._shares(function_flags(utterance))[site]
        if not any(shares):
            return None
        return self._parts[draw.weighted(shares)].insertion(utterance, site, draw)

    @cached_property
    def _shares(self) -> Callable[[FunctionFlags], list[list[int]]]:
        """A function that returns the weight of each type at each position."""
        parts, counts = self._parts, self._counts

        @recent
        @lru_cache(maxsize=50_000)
        def shares(flags: FunctionFlags) -> list[list[int]]:
            return balanced([part.weights(flags) for part in parts], counts)

        return shares

    def resources(self) -> Sequence[Path]:
        """Return the files that the user gave."""
        return tuple(Path(path) for path in (self.profile, self.values) if path)


def balanced(weights: Sequence[Sequence[int]], counts: Sequence[int]) -> list[list[int]]:
    """Return the weight of each type at each position.

    A type prefers some positions to others. Still, every position must be equally likely, and over
    all positions each type must keep its share. Rows and columns are scaled in turn, by iterative
    proportional fitting, until both conditions hold.

    Args:
        weights: for each type, its preference for each position.
        counts: for each type, how frequent it is.

    >>> balanced([[2000, 0], [1000, 1000]], [1, 3])
    [[521032, 527544], [0, 1048576]]
    """
    positions = range(len(weights[0]))
    wanted = [count * len(positions) / max(1, sum(counts)) for count in counts]
    table = [[float(weight) for weight in row] for row in weights]
    for _ in range(_ROUNDS):
        for row, share in zip(table, wanted, strict=True):
            scale = share / (sum(row) or 1.0)
            row[:] = [cell * scale for cell in row]
        for position in positions:
            scale = 1 / (sum(row[position] for row in table) or 1.0)
            for row in table:
                row[position] *= scale
    return [[round(row[position] * _SCALE) for row in table] for position in positions]
