"""What steps cost, as whole numbers: ten million to the unit."""

from __future__ import annotations

from dataclasses import dataclass

ONE = 10_000_000
"""A bias of 1e-7 is exactly 1."""


@dataclass(frozen=True)
class Set:
    """The costs of the four steps."""

    copy: int
    substitution: int
    deletion: int
    insertion: int


@dataclass(frozen=True)
class Costs:
    """Two sets: for the words of the reference without a mark, and for those with one."""

    name: str
    plain: Set
    marked: Set

    def flat(self) -> list[int]:
        """Return the eight numbers, for the kernel."""
        return [
            cost
            for part in (self.plain, self.marked)
            for cost in (part.copy, part.substitution, part.deletion, part.insertion)
        ]


def _alike(name: str, costs: Set) -> Costs:
    return Costs(name, costs, costs)


UNIT = _alike("unit", Set(0, ONE, ONE, ONE))
SCLITE = _alike("sclite", Set(0, 4 * ONE, 3 * ONE, 3 * ONE))
FLUENCY = Costs(
    "fluency",
    Set(0, 4 * ONE, 3 * ONE, 3 * ONE),
    Set(1, 4 * ONE + 1, 3 * ONE - 1, 3 * ONE + 1),
)
NAMED = {costs.name: costs for costs in (UNIT, SCLITE)}
