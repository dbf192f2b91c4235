"""Function words that may replace others, in frames that keep grammar and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from mondegreen.language.word_classes import is_calendar_word
from mondegreen.resources import read_resource

START, END = "<s>", "</s>"
_NUMBERS = frozenset(("SINGULAR", "PLURAL"))
_MODIFIERS = frozenset(("ADJ", "NOUN"))


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
def _frames() -> dict[str, tuple[Frame, ...]]:
    found: dict[str, tuple[Frame, ...]] = {}
    for line in read_resource("grammar.en.txt").decode().splitlines():
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


def has_frames(word: str) -> bool:
    """Return whether a lower-case word may be replaced in some frame."""
    return word in _frames()


def framed_words(words: Sequence[str], tags: Sequence[str], at: int) -> tuple[str, ...]:
    """Return the function words that may replace the word at a position; the best first.

    >>> framed_words(("what", "flights"), ("DET", "NOUN"), 0)
    ('which',)
    >>> framed_words(("what", "is", "this"), ("PRON", "AUX", "PRON"), 0)
    ()
    """
    frames = _frames().get(words[at], ())
    if not frames:
        return ()
    left = _names(words, tags, at - 1) if at else frozenset((START,))
    right = _phrase_names(words, tags, at + 1) if at + 1 < len(words) else frozenset((END,))
    found = (word for frame in frames if frame.fits(left, right) for word in frame.words)
    return tuple(dict.fromkeys(found))


def _phrase_names(words: Sequence[str], tags: Sequence[str], at: int) -> frozenset[str]:
    """Return the names of a word; a noun or adjective has the number of the last noun after it."""
    head = at
    while head + 1 < len(words) and tags[head] in _MODIFIERS and tags[head + 1] in _MODIFIERS:
        head += 1
    number = _names(words, tags, head) & _NUMBERS
    return (_names(words, tags, at) - _NUMBERS) | number


def _names(words: Sequence[str], tags: Sequence[str], at: int) -> frozenset[str]:
    word, tag = words[at], tags[at]
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
