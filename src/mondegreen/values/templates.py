"""Templates: how the parts of a written value are said, such as ``{h} o clock``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.tables import Labels, literal_labels

Ways = Sequence[Labels]
_PIECE = lazy_pattern(r"\{[^}]+\}|\([^)]+\)|\[[^\]]+\]|[^\s{}()\[\]]+")


class Template(NamedTuple):
    """A template: the case that it is for, whether it is only heard, and its pieces."""

    case: str
    heard: bool
    pieces: tuple[str, ...]


@cache
def template(source: str) -> Template:
    """Return the template that a text describes: ``case: pieces``; ``~`` marks what is only heard.

    >>> template("30: ~half past {h}")
    Template(case='30', heard=True, pieces=('half', 'past', '{h}'))
    """
    case, colon, said = source.partition(": ")
    if not colon:
        case, said = "", source
    heard = said.startswith("~")
    return Template(case, heard, tuple(_PIECE.findall(said.removeprefix("~"))))


def expanded(pieces: Sequence[str], parts: Mapping[str, Ways]) -> Iterator[Labels]:
    """Yield the labels of a template, one sequence for each way to say it.

    >>> list(expanded(template("{d} (of) {M}[ {y}]").pieces, {"d": [("#4",)], "M": [("M5",)]}))
    [('#4', 'of', 'M5'), ('#4', 'M5')]
    """
    ways = [_ways(piece, parts) for piece in pieces]
    if all(ways):
        for way in product(*ways):
            yield tuple(label for labels in way for label in labels)


def _ways(piece: str, parts: Mapping[str, Ways]) -> Ways:
    if piece[0] == "{":
        return parts.get(piece[1:-1], ())
    if piece[0] == "(":
        return [literal_labels(piece[1:-1]), ()]
    if piece[0] == "[":
        inner = list(expanded(template(piece[1:-1].strip()).pieces, parts))
        return inner or [()]
    return [literal_labels(piece)]
