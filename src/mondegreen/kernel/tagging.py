"""Tags for words by a linear-chain conditional random field: the kernel's twin, readable.

A word is looked at as its form, bytes in lower case without punctuation. Features are short byte
strings, known by their CRC-32; a weight is a whole number, so that the kernel gets the same sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEFORE, AFTER = b"<", b">"
"""What stands in the place of words before the first and after the last one."""
REACH = 2
_PREFIXES, _SUFFIXES, _NEAR_SUFFIXES = (1, 2, 3, 4), (1, 2, 3, 4, 5), (2, 3)


class Seen(NamedTuple):
    """A form, the class of words that the lexicon puts it in, and how much it speaks for travel."""

    form: bytes
    kind: bytes
    leaning: int = 0


def shape(form: bytes) -> bytes:
    """Return what a form is made of: ``a`` letters, ``0`` digits, ``u`` other scripts, marks.

    >>> shape(b"5:30pm"), shape(b"don't")
    (b'0:0a', b"a'a")
    """
    return bytes(kind for kind, _ in groupby(map(_shape_of, form)))


def _shape_of(byte: int) -> int:
    if byte >= 0x80:  # noqa: PLR2004 (the end of ASCII)
        return ord("u")
    character = chr(byte)
    return ord("a" if character.isalpha() else "0" if character.isdigit() else character)


def features_from(word: Seen, offset: int) -> Iterator[bytes]:
    """Yield what a word says of the one that stands ``-offset`` words from it."""
    place = b"%d" % (offset + REACH)
    form = word.form
    yield place + b"w" + form
    if abs(offset) == REACH:
        return
    yield place + b"l" + word.kind
    for n in _NEAR_SUFFIXES if offset else _SUFFIXES:
        if len(form) >= n:
            yield place + b"s" + form[-n:]
    if offset:
        return
    for n in _PREFIXES:
        if len(form) >= n:
            yield place + b"p" + form[:n]
    yield place + b"h" + shape(form)


def features_between(left: Seen, word: Seen, right: Seen) -> tuple[bytes, ...]:
    """Return what a word and its neighbours say together."""
    return (
        b"a" + left.form + b" " + word.form,
        b"b" + word.form + b" " + right.form,
        b"c" + left.form + b" " + right.form,
        b"d" + left.kind + b" " + word.kind,
        b"e" + word.kind + b" " + right.kind,
        b"f" + left.form + b" " + word.kind,
        b"g" + word.kind + b" " + right.form,
    )


def features_of_genre(left: Seen, word: Seen, right: Seen) -> tuple[bytes, ...]:
    """Return what is so in questions about travel alone, whose treebank has its own habits."""
    return (
        b"h" + word.form + b" ",
        b"i" + left.form + b" " + word.form,
        b"j" + word.form + b" " + right.form,
        b"k" + left.form + b" " + right.form,
    )


def features(words: Sequence[Seen]) -> Iterator[list[bytes]]:
    """Yield the features of each word in its place."""
    travel = sum(word.leaning for word in words) > 0
    padded = [Seen(BEFORE, b"")] * REACH + list(words) + [Seen(AFTER, b"")] * REACH
    for i in range(REACH, REACH + len(words)):
        found = list(features_between(*padded[i - 1 : i + 2]))
        if travel:
            found += features_of_genre(*padded[i - 1 : i + 2])
        for offset in range(-REACH, REACH + 1):
            found += features_from(padded[i + offset], offset)
        yield found


class Tagger:
    """The twin of the kernel's tagger, from the arrays that ``scripts/train_tagger.py`` writes."""

    def __init__(self, model: Mapping[str, NDArray[Any]], form: Callable[[str], bytes]) -> None:
        self._tags: list[str] = str(model["tags"]).split()
        self._place = {key: i for i, key in enumerate(model["keys"].tolist())}
        self._ends: list[int] = model["ends"].tolist()
        self._targets: list[int] = model["targets"].tolist()
        self._weights: list[int] = model["weights"].tolist()
        self._transitions: list[list[int]] = model["transitions"].tolist()
        kinds = zip(model["lexicon"].tolist(), model["kinds"].tolist(), strict=True)
        self._lexicon: dict[int, int] = dict(kinds)
        cues = zip(model["cues"].tolist(), model["leanings"].tolist(), strict=True)
        self._leanings: dict[int, int] = dict(cues)
        self._form = form

    def tag(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Return one tag a token; a token without a form is punctuation."""
        forms = [self._form(token) for token in tokens]
        found = iter(self._best([self.look(form) for form in forms if form]))
        return tuple(self._tags[next(found)] if form else "PUNCT" for form in forms)

    def look(self, form: bytes) -> Seen:
        """Look a form up in the lexicon."""
        key = crc32(form)
        return Seen(form, b"%d" % self._lexicon.get(key, 0), self._leanings.get(key, 0))

    def _best(self, words: Sequence[Seen]) -> list[int]:
        """Return the sequence with the highest sum, the earlier tag where two are equal."""
        every = range(len(self._tags))
        row = [0] * len(every)
        back: list[list[int]] = []
        for i, found in enumerate(features(words)):
            if i:
                came = [self._came_from(row, tag) for tag in every]
                row = [row[came[tag]] + self._transitions[came[tag]][tag] for tag in every]
                back.append(came)
            for feature in found:
                self._add(feature, row)
        path = [max(every, key=row.__getitem__)] if words else []
        for came in reversed(back):
            path.append(came[path[-1]])
        return path[::-1]

    def _came_from(self, row: list[int], tag: int) -> int:
        return max(range(len(row)), key=lambda before: row[before] + self._transitions[before][tag])

    def _add(self, feature: bytes, row: list[int]) -> None:
        place = self._place.get(crc32(feature))
        if place is not None:
            for at in range(self._ends[place - 1] if place else 0, self._ends[place]):
                row[self._targets[at]] += self._weights[at]
