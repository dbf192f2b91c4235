"""Units of error: which words of a reference became which words of a hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from mondegreen.language.sounds.pronunciations import pronounced
from mondegreen.text.patterns import lazy_pattern

_NOT_WORDS = lazy_pattern(r"[^\w']+|_")
_SPAN = 1000  # the cost of a word in error; nearness only decides between equally many errors
_ONE_SIDED = 190  # what a lost or added word costs beside an exchange of unlike words
_MOVES = ((1, 1), (1, 2), (1, 3), (2, 1), (1, 0), (0, 1), (1, 4), (1, 5))
_LARGEST = 400  # cells of a stretch that is aligned by sound
_FIRST_SYMBOL = 0x4E00  # phonemes as characters, so that fast string distances apply
_SYMBOLS: dict[str, str] = {}

Words = tuple[str, ...]
Unlike = Callable[[Words, Words], float]
"""How unlike words are, from 0 to 1."""


class Unit(NamedTuple):
    """The words ``start`` to ``end`` of a reference were heard as ``heard``.

    An added word has ``start == end``, a lost one an empty ``heard``.
    """

    start: int
    end: int
    heard: Words


class Pair(NamedTuple):
    """A reference and a hypothesis as words, with the errors between them."""

    ref: Words
    hyp: Words
    units: list[Unit]


def words_of(text: str) -> Words:
    """Return the words of a text in lower case, without punctuation; a hyphen divides words.

    >>> words_of("What's on, on the Twenty-First?")
    ("what's", 'on', 'on', 'the', 'twenty', 'first')
    """
    words = _NOT_WORDS.sub(" ", text.lower().replace("’", "'")).split()  # noqa: RUF001 (apostrophe)
    return tuple(words)


@lru_cache(maxsize=1 << 17)
def sound(words: str) -> str:
    """Return the phonemes of a word or of several, one character each; else the letters."""
    symbols = []
    for word in words.split():
        pronunciations = pronounced(word).pronunciations
        if not pronunciations:
            return words
        symbols += [
            _SYMBOLS.setdefault(phoneme, chr(_FIRST_SYMBOL + len(_SYMBOLS)))
            for phoneme in pronunciations[0]
        ]
    return "".join(symbols)


@lru_cache(maxsize=1 << 18)
def unlikeness(ref: Words, heard: Words) -> float:
    """Return how unlike words are in sound and spelling, from 0 to 1.

    >>> unlikeness(("ice", "cream"), ("i", "scream")) < unlikeness(("ice",), ("steam",))
    True
    """
    by_sound = Levenshtein.normalized_distance(sound(" ".join(ref)), sound(" ".join(heard)))
    return (by_sound + Levenshtein.normalized_distance("".join(ref), "".join(heard))) / 2


def units(ref: Words, hyp: Words, unlike: Unlike = unlikeness) -> list[Unit]:
    """Return the units of error of a pair, in order, with as few wrong words as possible.

    Where several alignments have equally few errors, the nearest by ``unlike`` is taken.

    >>> units(words_of("select any one"), words_of("select anyone"))
    [Unit(start=1, end=3, heard=('anyone',))]
    """
    found: list[Unit] = []
    for start, end, left, right in _stretches(ref, hyp):
        found += _divided(ref[start:end], hyp[left:right], start, unlike)
    return found


def _stretches(ref: Words, hyp: Words) -> Iterator[tuple[int, int, int, int]]:
    """Yield the spans that differ, joined where nothing is between them."""
    last: tuple[int, int, int, int] | None = None
    for step in Levenshtein.opcodes(ref, hyp):
        if step.tag == "equal":
            continue
        span = step.src_start, step.src_end, step.dest_start, step.dest_end
        if last is not None and (last[1], last[3]) == (span[0], span[2]):
            last = last[0], span[1], last[2], span[3]
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last


def _divided(ref: Words, heard: Words, at: int, unlike: Unlike) -> Iterator[Unit]:
    """Divide a stretch into units of at most two words of the reference."""
    if not ref:
        yield Unit(at, at, heard)
        return
    if len(ref) * len(heard) > _LARGEST:
        yield from (Unit(at + i, at + i + 1, heard[i : i + 1]) for i in range(len(ref)))
        if len(heard) > len(ref):
            yield Unit(at + len(ref), at + len(ref), heard[len(ref) :])
        return
    added: list[str] = []
    for i, j, words in _cheapest(ref, heard, unlike):
        if i == j:
            added += words
            continue
        if added:
            yield Unit(at + i, at + i, tuple(added))
            added = []
        if ref[i:j] != words:
            yield Unit(at + i, at + j, words)
    if added:
        yield Unit(at + len(ref), at + len(ref), tuple(added))


def _cheapest(ref: Words, heard: Words, unlike: Unlike) -> Sequence[tuple[int, int, Words]]:
    """Return the cheapest way to divide both sides into parts that correspond."""
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for i in range(len(ref) + 1):
        for k in range(len(heard) + 1):
            if (i, k) not in best:
                continue
            for n, m in _MOVES:
                if i + n > len(ref) or k + m > len(heard):
                    continue
                cost = best[i, k][0] + _cost(ref[i : i + n], heard[k : k + m], unlike)
                if (i + n, k + m) not in best or cost < best[i + n, k + m][0]:
                    best[i + n, k + m] = cost, (i, k)
    parts = []
    here = len(ref), len(heard)
    while here != (0, 0):
        before = best[here][1]
        parts.append((before[0], here[0], heard[before[1] : here[1]]))
        here = before
    return parts[::-1]


def _cost(ref: Words, heard: Words, unlike: Unlike) -> float:
    if ref == heard:
        return 0.0
    if not ref or not heard:
        return _SPAN + _ONE_SIDED
    size = max(len(ref), len(heard))
    return size * (_SPAN + 250 * unlike(ref, heard))
