"""Networks of words: a text that allows several readings, such as ``a { b / c d / @ } (uh)``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.text.items import Item, words_of
from mondegreen.text.patterns import lazy_pattern

NOTHING = "@"
OPTIONAL = lazy_pattern(r"\(([^()]+)\)")
_PIECE = lazy_pattern(r"[{}/]|(?:\\[{}/]|[^\s{}/])+")
_ESCAPED = lazy_pattern(r"\\([{}/])")
_TAG = lazy_pattern(r"(?<!\\);")


class Arc(NamedTuple):
    """A word, or none, between two nodes; ``token`` is the place of the token it belongs to."""

    start: int
    end: int
    word: str | None
    optional: bool = False
    token: int = -1


@dataclass
class WordNetwork:
    """The readings of a text: arcs with words between nodes."""

    arcs: list[Arc] = field(default_factory=list)
    nodes: int = 1

    @classmethod
    def of_words(cls, words: Sequence[str]) -> WordNetwork:
        """Return the network with one reading."""
        return cls([Arc(i, i + 1, word, token=i) for i, word in enumerate(words)], len(words) + 1)

    def in_characters(self) -> WordNetwork:
        """Return the network with one arc per character."""
        split = WordNetwork(nodes=self.nodes)
        for start, end, word, optional, token in self.arcs:
            here = start
            for at, char in enumerate(word or ""):
                split.nodes += at + 1 < len(word or "")
                following = end if at + 1 == len(word or "") else split.nodes - 1
                split.arcs.append(Arc(here, following, char, optional, token))
                here = following
            if not word:
                split.arcs.append(Arc(start, end, None, token=token))
        return split.ordered()

    def ordered(self) -> WordNetwork:
        """Return the same network with nodes in order, and arcs in the order of their ends."""
        followers: list[list[int]] = [[] for _ in range(self.nodes)]
        missing = [0] * self.nodes
        for start, end, *_ in self.arcs:
            followers[start].append(end)
            missing[end] += 1
        ready = [node for node in range(self.nodes) if not missing[node]]
        order: dict[int, int] = {}
        while ready:
            node = heappop(ready)
            order[node] = len(order)
            for following in followers[node]:
                missing[following] -= 1
                if not missing[following]:
                    heappush(ready, following)
        arcs = [arc._replace(start=order[arc.start], end=order[arc.end]) for arc in self.arcs]
        return WordNetwork(sorted(arcs, key=lambda arc: (arc.end, arc.start)), self.nodes)


def parse_network(tokens: Sequence[str], *, optional: bool = True) -> WordNetwork:
    """Read ``{ a / b c / @ }``, ``@`` and ``(uh)`` off tokens; alternatives may be nested.

    >>> [(arc.word, arc.optional) for arc in parse_network(["play", "(uh)"]).arcs]
    [('play', False), ('uh', True)]

    Raises:
        DataError: if braces do not match.
    """
    text = " ".join(tokens)
    parser = _Parser(list(pieces(text)), text, optional=optional)
    parser.sequence(0, None)
    return parser.network.ordered()


def pieces(text: str) -> Iterable[str]:
    """Split a text at white space and braces, and at slashes within braces."""
    depth = 0
    for token in text.split():
        if not depth and "{" not in token:
            yield token
            continue
        for piece in _PIECE.findall(token):
            depth += (piece == "{") - (piece == "}")
            yield piece


def top_tokens(words: Sequence[str]) -> list[str]:
    """Return the tokens of a text: its words, and its alternations as one token each."""
    found: list[str] = []
    depth = 0
    for piece in pieces(" ".join(words)):
        if depth:
            found[-1] += f" {piece}"
        else:
            found.append(piece)
        depth += (piece == "{") - (piece == "}")
    return found


class _Parser:
    """Builds a network from pieces of text."""

    def __init__(self, pieces: list[str], text: str, *, optional: bool) -> None:
        self.pieces = pieces
        self.text = text
        self.optional = optional
        self.network = WordNetwork()
        self.at = 0
        self.token = -1

    def _wrong(self) -> DataError:
        return DataError(f"the braces of an alternation do not match in: {self.text:.60}")

    def _arc(self, start: int, end: int, word: str | None, *, optional: bool = False) -> None:
        self.network.arcs.append(Arc(start, end, word, optional, self.token))

    def _node(self) -> int:
        self.network.nodes += 1
        return self.network.nodes - 1

    def sequence(self, start: int, end: int | None) -> int:
        """Read words until a slash, a closing brace or the end; return the last node.

        ``end`` is the node where the sequence must end, inside braces.
        """
        here = start
        while self.at < len(self.pieces):
            piece = self.pieces[self.at]
            if end is not None and piece in "/}":
                break
            if piece == "}":
                raise self._wrong()
            self.at += 1
            self.token += end is None
            following = self._node()
            if piece == "{":
                self._alternatives(here, following)
            else:
                self._word(here, following, piece)
            here = following
        if end is not None:
            self._arc(here, end, None)
        return here

    def _word(self, start: int, end: int, piece: str) -> None:
        optional = OPTIONAL.fullmatch(piece) if self.optional else None
        word = None if piece == NOTHING else bare_word(optional[1] if optional else piece)
        self._arc(start, end, word, optional=optional is not None)

    def _alternatives(self, start: int, end: int) -> None:
        while True:
            first = self._node()
            self._arc(start, first, None)
            self.sequence(first, end)
            if self.at == len(self.pieces):
                raise self._wrong()
            self.at += 1
            if self.pieces[self.at - 1] == "}":
                return


def with_marks(pieces: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a text, and whether each is a mark instead of a word.

    >>> [piece for piece, mark in with_marks("a { b / @ } / c".split()) if mark]
    ['{', '/', '@', '}']
    """
    depth = 0
    for piece in pieces:
        yield piece, piece in ("{", "}", NOTHING) or (depth > 0 and piece == "/")
        depth += (piece == "{") - (piece == "}")


def unbracketed(items: Iterable[Item]) -> list[str]:
    """Return readings as texts, with optional words as plain words.

    >>> unbracketed([["so", "(uh)", "f(x)"]])
    ['so uh f(x)']
    """
    return [" ".join(map(_unbracketed, words_of(item))) for item in items]


def _unbracketed(word: str) -> str:
    optional = OPTIONAL.fullmatch(word)
    return optional[1] if optional else word


def bare_word(piece: str) -> str:
    """Return a word without its tags, and with its braces and slashes unescaped."""
    return untagged(_ESCAPED.sub(r"\1", piece))


def untagged(word: str) -> str:
    r"""Return a word without the tags that follow it after semicolons.

    >>> untagged("play;verb"), untagged(r"a\;b;tag")
    ('play', 'a;b')
    """
    if ";" not in word:
        return word
    return _TAG.split(word)[0].replace("\\;", ";") or word
