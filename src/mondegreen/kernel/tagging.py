"""The part-of-speech tagger, a linear-chain conditional random field, in plain Python.

The tagger reads the form of a token: bytes in lower case, without punctuation. Features are short
byte strings, identified by their CRC-32. Weights are integers, so that the compiled kernel gets
the same sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from numpy.typing import NDArray

BEFORE, AFTER = b"<", b">"
"""The forms that pad a sentence on both sides."""
REACH = 2
"""How many words on either side the features of a word depend on."""
_PREFIXES, _SUFFIXES, _NEAR_SUFFIXES = (1, 2, 3, 4), (1, 2, 3, 4, 5), (2, 3)


class LexiconWord(NamedTuple):
    """A form, its class in the lexicon, and how strongly it suggests a question about travel."""

    form: bytes
    word_class: bytes
    travel: int = 0


def shape(form: bytes) -> bytes:
    """Return the shape of a form: ``a`` for letters, ``0`` digits, ``u`` other scripts, and marks.

    >>> shape(b"5:30pm"), shape(b"don't")
    (b'0:0a', b"a'a")
    """
    return bytes(byte for byte, _ in groupby(map(_shape_of, form)))


def _shape_of(byte: int) -> int:
    if byte >= 0x80:  # noqa: PLR2004 (the end of ASCII)
        return ord("u")
    character = chr(byte)
    return ord("a" if character.isalpha() else "0" if character.isdigit() else character)


def features_from(word: LexiconWord, offset: int) -> Iterator[bytes]:
    """Yield the features that a word adds to the word ``-offset`` positions from it."""
    place = b"%d" % (offset + REACH)
    form = word.form
    yield place + b"w" + form
    if abs(offset) == REACH:
        return
    yield place + b"l" + word.word_class
    for n in _NEAR_SUFFIXES if offset else _SUFFIXES:
        if len(form) >= n:
            yield place + b"s" + form[-n:]
    if offset:
        return
    for n in _PREFIXES:
        if len(form) >= n:
            yield place + b"p" + form[:n]
    yield place + b"h" + shape(form)


def features_between(left: LexiconWord, word: LexiconWord, right: LexiconWord) -> tuple[bytes, ...]:
    """Return the features of a word together with its neighbours."""
    return (
        b"a" + left.form + b" " + word.form,
        b"b" + word.form + b" " + right.form,
        b"c" + left.form + b" " + right.form,
        b"d" + left.word_class + b" " + word.word_class,
        b"e" + word.word_class + b" " + right.word_class,
        b"f" + left.form + b" " + word.word_class,
        b"g" + word.word_class + b" " + right.form,
    )


def features_of_genre(
    left: LexiconWord, word: LexiconWord, right: LexiconWord
) -> tuple[bytes, ...]:
    """Return the features for questions about travel, whose treebank is annotated differently."""
    return (
        b"h" + word.form + b" ",
        b"i" + left.form + b" " + word.form,
        b"j" + word.form + b" " + right.form,
        b"k" + left.form + b" " + right.form,
    )


def features(words: Sequence[LexiconWord]) -> Iterator[list[bytes]]:
    """Yield the features of each word of a sentence."""
    travel = sum(word.travel for word in words) > 0
    padded = [LexiconWord(BEFORE, b"")] * REACH + list(words) + [LexiconWord(AFTER, b"")] * REACH
    for i in range(REACH, REACH + len(words)):
        found = list(features_between(*padded[i - 1 : i + 2]))
        if travel:
            found += features_of_genre(*padded[i - 1 : i + 2])
        for offset in range(-REACH, REACH + 1):
            found += features_from(padded[i + offset], offset)
        yield found


class Tagger:
    """Tags words with the model that ``scripts/train_tagger.py`` writes."""

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
        """Return one tag per token; a token without a form is punctuation."""
        forms = [self._form(token) for token in tokens]
        found = iter(self._best([self.look_up(form) for form in forms if form]))
        return tuple(self._tags[next(found)] if form else "PUNCT" for form in forms)

    def tag_in_place(self, tokens: tuple[str, ...], at: int, word: str) -> str:
        """Return the tag that a word has in place of the token at a position."""
        return self.tag((*tokens[:at], word, *tokens[at + 1 :]))[at]

    def look_up(self, form: bytes) -> LexiconWord:
        """Return a form with what the lexicon knows about it."""
        key = crc32(form)
        return LexiconWord(form, b"%d" % self._lexicon.get(key, 0), self._leanings.get(key, 0))

    def _best(self, words: Sequence[LexiconWord]) -> list[int]:
        """Return the tags with the highest sum; of equal sums, the earlier tag wins."""
        every = range(len(self._tags))
        row = [0] * len(every)
        back: list[list[int]] = []
        for i, found in enumerate(features(words)):
            if i:
                previous = [self._best_before(row, tag) for tag in every]
                row = [row[previous[tag]] + self._transitions[previous[tag]][tag] for tag in every]
                back.append(previous)
            for feature in found:
                self._add(feature, row)
        path = [max(every, key=row.__getitem__)] if words else []
        for previous in reversed(back):
            path.append(previous[path[-1]])
        return path[::-1]

    def _best_before(self, row: list[int], tag: int) -> int:
        return max(range(len(row)), key=lambda before: row[before] + self._transitions[before][tag])

    def _add(self, feature: bytes, row: list[int]) -> None:
        place = self._place.get(crc32(feature))
        if place is not None:
            for at in range(self._ends[place - 1] if place else 0, self._ends[place]):
                row[self._targets[at]] += self._weights[at]
