"""What a word may become, as data: a tree of weighted choices for each type of word.

An operator on words grows one tree a word type; which branch is taken is decided by the draws at
the site. One reader of such trees serves all operators, here and in the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mondegreen.draw import Draw
from mondegreen.text.words import Word


class Swap(NamedTuple):
    """What a token becomes, and by which phenomenon."""

    kind: str
    tokens: tuple[str, ...]


class Others(NamedTuple):
    """A word becomes one of other words, in its case and between its punctuation."""

    kind: str
    word: Word
    words: tuple[str, ...]
    weights: tuple[int, ...] = ()


class Letters(NamedTuple):
    """One letter of a token becomes another: at one of the places, one of the letters there."""

    kind: str
    token: str
    places: tuple[tuple[int, str], ...]


class Choice(NamedTuple):
    """One of several options, each in proportion to its weight; without weights, all alike."""

    options: tuple[Option, ...]
    weights: tuple[int, ...] = ()


class Later(NamedTuple):
    """What another operator makes of a token, asked when the branch is first taken."""

    options: Callable[[str], Option | None]
    token: str


Option = Swap | Others | Letters | Choice | Later


class Plan(NamedTuple):
    """An operator that is nothing but option trees, so that the kernel can run it by itself.

    It replaces each token by what ``options`` gives for it, or (``inserts``) puts between any two
    words what ``options`` gives for none.
    """

    inserts: bool
    options: Callable[[str], Option | None]


def pick(option: Option | None, draw: Draw) -> Swap | None:
    """Take one branch after the other; ``None`` where the last has nothing to offer.

    >>> pick(Choice((Swap("filler", ("um",)), Swap("filler", ("uh",)))), Draw(7, 0))
    Swap(kind='filler', tokens=('um',))
    """
    while isinstance(option, Choice | Later):
        if isinstance(option, Later):
            option = option.options(option.token)
        else:
            option = option.options[_drawn(draw, len(option.options), option.weights)]
    if option is None or isinstance(option, Swap):
        return option
    if isinstance(option, Others):
        other = option.words[_drawn(draw, len(option.words), option.weights)]
        return Swap(option.kind, option.word.dressed(tuple(other.split())))
    at, others = draw.choice(option.places)
    letter = draw.choice(others)
    return Swap(option.kind, (option.token[:at] + letter + option.token[at + 1 :],))


def _drawn(draw: Draw, n: int, weights: tuple[int, ...]) -> int:
    return draw.weighted(weights) if weights else draw.below(n)
