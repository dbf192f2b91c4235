"""Options: what a token may become, as a tree of weighted choices.

An operator on words builds one tree per distinct token; the draws at a site decide which branch is
taken. :func:`pick` walks these trees for all operators, and the kernel does the same in C++.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mondegreen.draw import Draw
from mondegreen.text.words import TokenParts


class Swap(NamedTuple):
    """The tokens that replace a token, and the kind of the edit."""

    kind: str
    tokens: tuple[str, ...]


class Others(NamedTuple):
    """Replace a word with one of several words; its case and punctuation are kept."""

    kind: str
    word: TokenParts
    words: tuple[str, ...]
    weights: tuple[int, ...] = ()


class Letters(NamedTuple):
    """Replace one letter of a token: each place is an index and the letters that may go there."""

    kind: str
    token: str
    places: tuple[tuple[int, str], ...]


class Choice(NamedTuple):
    """Take one of several options, in proportion to the weights; all are equal without weights."""

    options: tuple[Option, ...]
    weights: tuple[int, ...] = ()


class LaterOptions(NamedTuple):
    """The options of another operator for a token, computed when the branch is first taken."""

    options: Callable[[str], Option | None]
    token: str


Option = Swap | Others | Letters | Choice | LaterOptions


class Plan(NamedTuple):
    """An operator that consists of option trees only, so that the kernel can run it.

    It replaces each token with what ``options`` returns for it. With ``inserts``, it inserts
    between two words what ``options`` returns for the empty token.
    """

    inserts: bool
    options: Callable[[str], Option | None]


def pick(option: Option | None, draw: Draw) -> Swap | None:
    """Draw a branch at each choice and return the leaf; ``None`` if that branch has no options.

    >>> pick(Choice((Swap("filler", ("um",)), Swap("filler", ("uh",)))), Draw(7, 0))
    Swap(kind='filler', tokens=('um',))
    """
    while isinstance(option, Choice | LaterOptions):
        if isinstance(option, LaterOptions):
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
