"""How much of an operator: once, at a rate, or by severity. One policy for all operators.

Sites are taken in the order of their draw. An amount is two numbers: all sites whose draw is
below ``threshold`` are taken, and further ones in order until ``share`` of the words, and at least
one, are changed. So what a lower amount changes, a higher one changes in the same way, and more.
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


def least(share: float, words: int) -> int:
    """Return how many edits are made at least: a share of the words, to the nearest, and one.

    >>> least(0.5, 9), least(0.01, 9), least(0.0, 9)
    (5, 1, 1)
    """
    return max(1, int(share * words + 0.5))


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
    *, once: bool = False, rate: float | None = None, severity: float | None = None
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
    if severity is not None:
        named.append(Severity(severity))
    if len(named) > 1:
        raise OperatorError(
            f"once, rate and severity exclude each other; got {' and '.join(map(str, named))}"
        )
    return named[0] if named else None
