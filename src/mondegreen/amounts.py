"""How much of an operator: once, at a rate, or by severity. One policy for all operators.

Sites are taken in the order of their draw. An amount is two numbers: all sites whose draw is
below ``threshold`` are taken, and further ones in order until ``least`` edits are made. So what a
lower amount changes, a higher one changes in the same way, and more.
"""

from __future__ import annotations

import msgspec

from mondegreen.draw import UNIT
from mondegreen.errors import OperatorError


class Amount(msgspec.Struct, frozen=True):
    """How many of an operator's sites are taken."""

    def limits(self, words: int) -> tuple[int, int]:
        """Return threshold (out of :data:`~mondegreen.draw.UNIT`) and least number of edits."""
        raise NotImplementedError


class Once(Amount, frozen=True):
    """One edit an utterance, at the next site where the first has nothing to offer."""

    def limits(self, words: int) -> tuple[int, int]:  # noqa: ARG002 (the same for any length)
        """Take the first site."""
        return 0, 1

    def __str__(self) -> str:
        return "once"


class Rate(Amount, frozen=True):
    """Each site with the same chance, at least one."""

    p: float

    def __post_init__(self) -> None:
        _check("rate", self.p)

    def limits(self, words: int) -> tuple[int, int]:  # noqa: ARG002 (the same for any length)
        """Take the sites whose draw is below the rate."""
        return int(self.p * UNIT), 1

    def __str__(self) -> str:
        return f"rate:{self.p!r}"


class Severity(Amount, frozen=True):
    """A share of the words, at least one."""

    s: float

    def __post_init__(self) -> None:
        _check("severity", self.s)

    def limits(self, words: int) -> tuple[int, int]:
        """Take the share, to the nearest whole number.

        >>> Severity(0.5).limits(9), Severity(0.01).limits(9)
        ((0, 5), (0, 1))
        """
        return 0, max(1, int(self.s * words + 0.5))

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
