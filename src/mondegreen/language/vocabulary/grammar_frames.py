"""Words that may replace others in frames that keep grammar and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from mondegreen.language.vocabulary.word_classes import is_calendar_word
from mondegreen.resources import read_resource
from mondegreen.text.words import core_of

START, END = "<s>", "</s>"
_NUMBERS = frozenset(("SINGULAR", "PLURAL"))
_MODIFIERS = frozenset(("ADJ", "NOUN"))
_CACHED = 65_536
GRAMMAR_LIST = "grammar.en.txt"
QUALITIES = "qualities.en.txt"
"""The lists of frames: function words, and adjectives and adverbs."""


class Frame(NamedTuple):
    """Words that may replace a word, and what must, or must not, be before and after it."""

    left: tuple[frozenset[str], ...]
    right: tuple[frozenset[str], ...]
    not_left: frozenset[str]
    not_right: frozenset[str]
    words: tuple[str, ...]

    def fits(self, left: frozenset[str], right: frozenset[str]) -> bool:
        """Return whether the frame allows these neighbours, each given by all of its names."""
        return (
            all(left & names for names in self.left)
            and all(right & names for names in self.right)
            and self.not_left.isdisjoint(left)
            and self.not_right.isdisjoint(right)
        )


@cache
def _frames(name: str = GRAMMAR_LIST) -> dict[str, tuple[Frame, ...]]:
    found: dict[str, tuple[Frame, ...]] = {}
    for line in read_resource(name).decode().splitlines():
        if not line.startswith("#"):
            head, _, words = line.partition(":")
            word, *conditions = head.split()
            found[word] = (*found.get(word, ()), _frame(conditions, tuple(words.split())))
    return found


def _frame(conditions: Sequence[str], words: tuple[str, ...]) -> Frame:
    sides: dict[str, list[frozenset[str]]] = {"left": [], "right": [], "!left": [], "!right": []}
    for condition in conditions:
        side, _, names = condition.partition("=")
        excluded = names.startswith("!")
        key = f"!{side}" if excluded else side
        sides[key].append(frozenset(names.removeprefix("!").split(",")))
    return Frame(
        tuple(sides["left"]),
        tuple(sides["right"]),
        frozenset().union(*sides["!left"]),
        frozenset().union(*sides["!right"]),
        words,
    )


def has_frames(word: str, name: str = GRAMMAR_LIST) -> bool:
    """Return whether a lower-case word may be replaced in some frame of a list."""
    return word in _frames(name)


def framed_words(
    tokens: Sequence[str], tags: Sequence[str], at: int, name: str = GRAMMAR_LIST
) -> tuple[str, ...]:
    """Return the words of a list that may replace the token at a position; the best first.

    >>> framed_words(("what", "flights"), ("DET", "NOUN"), 0)
    ('which',)
    >>> framed_words(("what", "is", "this"), ("PRON", "AUX", "PRON"), 0)
    ()
    """
    word = core_of(tokens[at])
    if not has_frames(word, name):
        return ()
    left = _names(core_of(tokens[at - 1]), tags[at - 1]) if at else frozenset((START,))
    right = frozenset((END,))
    if at + 1 < len(tokens):
        head = _head(tags, at + 1)
        right = _phrase_names(
            core_of(tokens[at + 1]), tags[at + 1], core_of(tokens[head]), tags[head]
        )
    return _in_frames(word, left, right, name)


@lru_cache(maxsize=_CACHED)
def _in_frames(
    word: str, left: frozenset[str], right: frozenset[str], name: str
) -> tuple[str, ...]:
    fitting = (frame for frame in _frames(name)[word] if frame.fits(left, right))
    return tuple(dict.fromkeys(other for frame in fitting for other in frame.words))


def _head(tags: Sequence[str], at: int) -> int:
    """Return the position of the last noun or adjective of a phrase that begins at a position."""
    while at + 1 < len(tags) and tags[at] in _MODIFIERS and tags[at + 1] in _MODIFIERS:
        at += 1
    return at


@lru_cache(maxsize=_CACHED)
def _phrase_names(word: str, tag: str, head: str, head_tag: str) -> frozenset[str]:
    """Return the names of a word; a noun or adjective has the number of its head."""
    return (_names(word, tag) - _NUMBERS) | (_names(head, head_tag) & _NUMBERS)


@lru_cache(maxsize=_CACHED)
def _names(word: str, tag: str) -> frozenset[str]:
    names = {word, tag}
    if tag == "NOUN":
        plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and word != "news"
        names.add("PLURAL" if plural else "SINGULAR")
    if is_calendar_word(word):
        names.add("TIME")
    return frozenset(names)


@cache
def _fixed() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the fixed phrases by their first two words."""
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for line in read_resource("frames.en.txt").decode().splitlines():
        if line and not line.startswith("#"):
            phrase = tuple(line.split())
            found[phrase[:2]] = (*found.get(phrase[:2], ()), phrase)
    return found


def fixed_positions(words: Sequence[str]) -> set[int]:
    """Return the positions of the words of fixed phrases, such as "first class".

    >>> fixed_positions(("a", "first", "class", "ticket"))
    {1, 2}
    """
    found: set[int] = set()
    fixed = _fixed()
    if fixed.keys().isdisjoint(pairwise(words)):  # one call for most utterances
        return found
    for at, pair in enumerate(pairwise(words)):
        for phrase in fixed.get(pair, ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                found.update(range(at, at + len(phrase)))
    return found
