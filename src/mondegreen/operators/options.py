"""What a word may become, as data: a tree of weighted choices for each type of word.

An operator on words grows one tree a word type; which branch is taken is decided by the draws at
the site. One reader of such trees serves all operators, here and in the kernel.
"""

from __future__ import annotations

from typing import NamedTuple

from mondegreen.draw import Draw


class Swap(NamedTuple):
    """What a token becomes, and by which phenomenon."""

    kind: str
    tokens: tuple[str, ...]


class Letters(NamedTuple):
    """One letter of a token becomes another: at one of the places, one of the letters there."""

    kind: str
    token: str
    places: tuple[tuple[int, str], ...]


class Choice(NamedTuple):
    """One of several options, each in proportion to its weight; without weights, all alike."""

    options: tuple[Option, ...]
    weights: tuple[int, ...] = ()


Option = Swap | Letters | Choice


def pick(option: Option, draw: Draw) -> Swap:
    """Take one branch after the other.

    >>> pick(Choice((Swap("filler", ("um",)), Swap("filler", ("uh",)))), Draw(7, 0))
    Swap(kind='filler', tokens=('uh',))
    """
    while isinstance(option, Choice):
        weights = option.weights
        at = draw.weighted(weights) if weights else draw.below(len(option.options))
        option = option.options[at]
    if isinstance(option, Swap):
        return option
    at, others = draw.choice(option.places)
    letter = draw.choice(others)
    return Swap(option.kind, (option.token[:at] + letter + option.token[at + 1 :],))
