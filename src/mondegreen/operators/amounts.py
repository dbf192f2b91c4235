"""Amounts: how much an operator changes, once, at a rate, by chance, or by severity.

Each site of an utterance gets a random number, its draw, and sites are edited in the order of their
draws. An amount is three numbers. Every site whose draw is below ``threshold`` is edited; then
further sites, in order, until ``share`` of the words and at least ``floor`` words are changed. A
higher amount therefore makes every edit of a lower one.
"""

from __future__ import annotations

import msgspec

from mondegreen.draw import UNIT
from mondegreen.errors import OperatorError


class Amount(msgspec.Struct, frozen=True):
    """How many of an operator's sites are edited."""

    @property
    def threshold(self) -> int:
        """The draw below which every site is edited, out of :data:`~mondegreen.draw.UNIT`."""
        return 0

    @property
    def share(self) -> float:
        """The minimum share of the words to change."""
        return 0.0

    @property
    def floor(self) -> int:
        """The minimum number of edits per utterance, where the utterance can be changed."""
        return 1


def least(share: float, words: int, floor: int = 1) -> int:
    """Return the minimum number of edits: a share of the words, rounded, and at least ``floor``.

    >>> least(0.5, 9), least(0.01, 9), least(0.0, 9), least(0.0, 9, floor=0)
    (5, 1, 1, 0)
    """
    return max(floor, int(share * words + 0.5))


class Once(Amount, frozen=True):
    """One edit per utterance; if the first site has no candidate, the next one is tried."""

    def __str__(self) -> str:
        return "once"


class Rate(Amount, frozen=True):
    """Edit each site with the same probability, and make at least one edit per utterance."""

    p: float

    def __post_init__(self) -> None:
        _check("rate", self.p)

    @property
    def threshold(self) -> int:
        """The rate, out of :data:`~mondegreen.draw.UNIT`."""
        return int(self.p * UNIT)

    def __str__(self) -> str:
        return f"rate:{self.p!r}"


class Chance(Rate, frozen=True):
    """Edit each site with the same probability; an utterance may stay unchanged."""

    @property
    def floor(self) -> int:
        """Always 0: an utterance may stay unchanged."""
        return 0

    def __str__(self) -> str:
        return f"chance:{self.p!r}"


class Severity(Amount, frozen=True):
    """Edit a share of the words, and make at least one edit per utterance."""

    s: float

    def __post_init__(self) -> None:
        _check("severity", self.s)

    @property
    def share(self) -> float:
        """The severity."""
        return self.s

    def __str__(self) -> str:
        return f"severity:{self.s!r}"


_BY_NAME: dict[str, type[Rate | Severity]] = {"rate": Rate, "chance": Chance, "severity": Severity}


def _check(name: str, value: float) -> None:
    if not 0 < value <= 1:
        raise OperatorError(f"{name} must be above 0 and at most 1, got {value}")


def parse_amount(text: str) -> Amount | None:
    """Parse an amount from its printed form.

    The empty text gives ``None``, which means the default amount of each operator.

    >>> parse_amount("rate:0.1"), parse_amount("once"), parse_amount("")
    (Rate(p=0.1), Once(), None)

    Raises:
        OperatorError: if the text is not an amount.
    """
    name, _, value = text.partition(":")
    if not text:
        return None
    if text == "once":
        return Once()
    try:
        return _BY_NAME[name](float(value))
    except (KeyError, ValueError):
        raise OperatorError(
            f"{text!r} is not an amount; write once, rate:P, chance:P or severity:S, with a number "
            "above 0 and at most 1"
        ) from None


def amount_of(
    *,
    once: bool = False,
    rate: float | None = None,
    chance: float | None = None,
    severity: float | None = None,
) -> Amount | None:
    """Return the amount that the arguments specify; ``None`` if they are all left out.

    >>> amount_of(rate=0.1)
    Rate(p=0.1)

    Raises:
        OperatorError: if more than one amount is given, or if a number is out of range.
    """
    given: list[Amount] = []
    if once:
        given.append(Once())
    if rate is not None:
        given.append(Rate(rate))
    if chance is not None:
        given.append(Chance(chance))
    if severity is not None:
        given.append(Severity(severity))
    if len(given) > 1:
        listed = " and ".join(map(str, given))
        raise OperatorError(
            f"once, rate, chance and severity exclude each other; got {listed}; give one of them"
        )
    return given[0] if given else None
