"""How much of an operator: once, at a rate, by chance, or by severity. One policy for all.

Sites are taken in the order of their draw. An amount is three numbers: all sites whose draw is
below ``threshold`` are taken, and further ones in order until ``share`` of the words, and at least
``floor`` of them (one, but by chance none), are changed. So what a lower amount changes, a higher
one changes in the same way, and more.
"""

from __future__ import annotations

import msgspec

from mondegreen.draw import UNIT
from mondegreen.errors import OperatorError


class Amount(msgspec.Struct, frozen=True):
    """How many of an operator's sites are taken."""

    @property
    def threshold(self) -> int:
        """The draw below which every site is taken, out of :data:`~mondegreen.draw.UNIT`."""
        return 0

    @property
    def share(self) -> float:
        """The share of the words that is changed at least."""
        return 0.0

    @property
    def floor(self) -> int:
        """How many edits an utterance gets at least, where it can."""
        return 1


def least(share: float, words: int, floor: int = 1) -> int:
    """Return how many edits are made at least: a share of the words, to the nearest, and one.

    >>> least(0.5, 9), least(0.01, 9), least(0.0, 9), least(0.0, 9, floor=0)
    (5, 1, 1, 0)
    """
    return max(floor, int(share * words + 0.5))


class Once(Amount, frozen=True):
    """One edit an utterance, at the next site where the first has nothing to offer."""

    def __str__(self) -> str:
        return "once"


class Rate(Amount, frozen=True):
    """Each site with the same chance, at least one."""

    p: float

    def __post_init__(self) -> None:
        _check("rate", self.p)

    @property
    def threshold(self) -> int:
        """The rate."""
        return int(self.p * UNIT)

    def __str__(self) -> str:
        return f"rate:{self.p!r}"


class Chance(Rate, frozen=True):
    """Each site with the same chance, and none where no site is drawn: as speech is."""

    @property
    def floor(self) -> int:
        """None."""
        return 0

    def __str__(self) -> str:
        return f"chance:{self.p!r}"


class Severity(Amount, frozen=True):
    """A share of the words, at least one."""

    s: float

    def __post_init__(self) -> None:
        _check("severity", self.s)

    @property
    def share(self) -> float:
        """The severity."""
        return self.s

    def __str__(self) -> str:
        return f"severity:{self.s!r}"


def _check(name: str, value: float) -> None:
    if not 0 < value <= 1:
        raise OperatorError(f"{name} must be above 0 and at most 1, got {value}")


def amount_of(
    *,
    once: bool = False,
    rate: float | None = None,
    chance: float | None = None,
    severity: float | None = None,
) -> Amount | None:
    """Return the amount that the arguments name; ``None`` where they name none.

    >>> amount_of(rate=0.1)
    Rate(p=0.1)

    Raises:
        OperatorError: if more than one is named, or if a number is out of its range.
    """
    named: list[Amount] = []
    if once:
        named.append(Once())
    if rate is not None:
        named.append(Rate(rate))
    if chance is not None:
        named.append(Chance(chance))
    if severity is not None:
        named.append(Severity(severity))
    if len(named) > 1:
        given = " and ".join(map(str, named))
        raise OperatorError(f"once, rate, chance and severity exclude each other; got {given}")
    return named[0] if named else None
