"""Tokens of several characters that are heard one by one: the pieces of an utterance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from mondegreen.language.simulation.draft import DraftLimits, Error
from mondegreen.text.segment import split
from mondegreen.text.words import word_of
from mondegreen.types import Edit, Slot

Tokens = tuple[str, ...]


class Pieces(NamedTuple):
    """The tokens of an utterance by their written characters.

    ``starts`` has the first piece of each token, and the number of all pieces.
    """

    pieces: Tokens
    starts: Sequence[int]

    @classmethod
    def of(cls, tokens: Tokens) -> Pieces:
        """Divide tokens.

        >>> Pieces.of(("今天", "会", "吗"))
        Pieces(pieces=('今', '天', '会', '吗'), starts=(0, 2, 3, 4))
        """
        divided = [split(token) for token in tokens]
        starts = accumulate(map(len, divided), initial=0)
        return cls(tuple(piece for some in divided for piece in some), tuple(starts))

    def limits(self, slots: Sequence[Slot]) -> DraftLimits:
        """Return what errors must not do: cross or lose the edges of slots and of long tokens."""
        starts = self.starts
        long = [(start, end) for start, end in pairwise(starts) if end - start > 1]
        return DraftLimits((*long, *((starts[slot.start], starts[slot.end]) for slot in slots)))

    def edits(self, errors: Sequence[Error], name: str) -> Iterator[Edit]:
        """Yield the edits of tokens that make errors of pieces, those of one token together."""
        owners = [token for token, size in enumerate(self._sizes()) for _ in range(size)]
        heard: list[Tokens] = [(piece,) for piece in self.pieces]
        spans: dict[int, tuple[int, str]] = {}  # by first token: the end, and the kind
        for error in sorted(errors, key=lambda one: one.start < one.end, reverse=True):
            start, end, words, kind, kept = error
            if start == end:
                if start in self.starts:
                    token = self.starts.index(start)
                    yield Edit(token, token, words, name, kind)
                    continue
                heard[start] = (*words, *heard[start])
                end += 1
            else:
                stays = heard[kept] if kept is not None else _dressed(self.pieces, error)
                heard[start:end] = [()] * (end - start)
                heard[start if kept is None else kept] = stays
            first, last = owners[start], owners[end - 1]
            spans[first] = max(spans.get(first, (0, "")), (last + 1, kind))
        for first, end, kind in _merged(spans):
            tokens = (token for at in range(first, end) for token in self._token(at, heard))
            yield Edit(first, end, tuple(tokens), name, kind)

    def _sizes(self) -> list[int]:
        return [end - start for start, end in pairwise(self.starts)]

    def _token(self, at: int, heard: Sequence[Tokens]) -> Tokens:
        """Return what becomes of a token: one of several characters stays one."""
        start, end = self.starts[at : at + 2]
        found = tuple(word for words in heard[start:end] for word in words)
        return ("".join(found),) if end - start > 1 and found else found


def _dressed(pieces: Tokens, error: Error) -> Tokens:
    """Return heard words with the punctuation of the pieces that they replace."""
    word = word_of(pieces[error.start], 0)
    return word.dressed(error.heard) if word is not None and error.heard else error.heard


def _merged(spans: dict[int, tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield first token, end and kind of spans in order; those that overlap are one."""
    now: tuple[int, int, str] | None = None
    for first in sorted(spans):
        end, kind = spans[first]
        if now is not None and first < now[1]:
            now = now[0], max(now[1], end), now[2]
            continue
        if now is not None:
            yield now
        now = first, end, kind
    if now is not None:
        yield now
