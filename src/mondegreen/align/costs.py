"""The costs of alignment steps, as integers: a cost of 1 is ten million."""

from __future__ import annotations

from dataclasses import dataclass

ONE = 10_000_000
"""The integer for a cost of 1, so that a bias of 1e-7 is exactly 1."""


@dataclass(frozen=True)
class Set:
    """The costs of the four steps."""

    copy: int
    substitution: int
    deletion: int
    insertion: int


@dataclass(frozen=True)
class Costs:
    """The costs for unmarked and for marked words of the reference."""

    name: str
    plain: Set
    marked: Set

    def flat(self) -> list[int]:
        """Return the eight costs as one list, as the kernel takes them."""
        return [
            cost
            for part in (self.plain, self.marked)
            for cost in (part.copy, part.substitution, part.deletion, part.insertion)
        ]


def _same_for_marked(name: str, costs: Set) -> Costs:
    return Costs(name, costs, costs)


UNIT = _same_for_marked("unit", Set(0, ONE, ONE, ONE))
SCLITE = _same_for_marked("sclite", Set(0, 4 * ONE, 3 * ONE, 3 * ONE))
FSTALIGN = _same_for_marked("fstalign", Set(0, 3 * ONE, 2 * ONE, 2 * ONE))
TIMES = _same_for_marked("times", Set(0, ONE // 1000, 0, 0))
"""Those of NIST's time-mediated alignment, beside the times of words in seconds."""
FLUENCY = Costs(
    "fluency",
    Set(0, 4 * ONE, 3 * ONE, 3 * ONE),
    Set(1, 4 * ONE + 1, 3 * ONE - 1, 3 * ONE + 1),
)
NAMED = {costs.name: costs for costs in (UNIT, SCLITE, FSTALIGN, TIMES)}
