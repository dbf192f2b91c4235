"""Words that may replace others in frames that keep grammar and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from mondegreen.language.vocabulary.word_classes import is_calendar_word
from mondegreen.resources import read_resource
from mondegreen.text.words import core_of

START, END = frozenset(("<s>",)), frozenset(("</s>",))
_NUMBERS = frozenset(("SINGULAR", "PLURAL"))
_MODIFIERS = frozenset(("ADJ", "NOUN"))
_CACHED = 65_536
_SIDES = {"left2": -2, "left": -1, "right": 1, "right2": 2, "first": 3}

_ONE = frozenset(("i", "me", "my", "mine", "myself", "i'm", "i'd", "i've", "i'll", "im"))
_MANY = frozenset(("we", "us", "our", "ours", "ourselves", "we're", "we'd", "we've", "we'll"))
_SPEAKERS = (_ONE | _MANY) - {"im"}

Around = tuple[frozenset[str], ...]
"""The names of the words one and two places before and after a word, and of the first word."""


class Frame(NamedTuple):
    """Words that may replace a word, and what must, or must not, be around it."""

    needs: tuple[tuple[int, frozenset[str]], ...]
    bars: tuple[tuple[int, frozenset[str]], ...]
    words: tuple[str, ...]

    def fits(self, around: Around) -> bool:
        """Return whether the frame allows these neighbours, each given by all of its names."""
        return all(around[side] & names for side, names in self.needs) and all(
            around[side].isdisjoint(names) for side, names in self.bars
        )


def frame(conditions: Sequence[str], words: Sequence[str]) -> Frame:
    """Return a frame from conditions as they are written in the lists, such as ``left=me,us``."""
    needs: list[tuple[int, frozenset[str]]] = []
    bars: list[tuple[int, frozenset[str]]] = []
    for condition in conditions:
        side, _, names = condition.partition("=")
        kept = bars if names.startswith("!") else needs
        kept.append((_SIDES[side], frozenset(names.removeprefix("!").split(","))))
    return Frame(tuple(needs), tuple(bars), tuple(words))


@cache
def _frames() -> dict[str, tuple[Frame, ...]]:
    found: dict[str, tuple[Frame, ...]] = {}
    for line in read_resource("languages/en/grammar.txt").decode().splitlines():
        if not line.startswith("#"):
            head, _, words = line.partition(":")
            word, *conditions = head.split()
            found[word] = (*found.get(word, ()), frame(conditions, words.split()))
    return found


def has_frames(word: str) -> bool:
    """Return whether a lower-case function word may be replaced in some frame."""
    return word in _frames()


def framed_words(tokens: Sequence[str], tags: Sequence[str], at: int) -> tuple[str, ...]:
    """Return the words that may replace the function word at a position; the best first.

    >>> framed_words(("what", "flights"), ("DET", "NOUN"), 0)
    ('which',)
    >>> framed_words(("what", "is", "this"), ("PRON", "AUX", "PRON"), 0)
    ()
    """
    word = core_of(tokens[at])
    if not has_frames(word) or (word in _SPEAKERS and _mixes(word, tokens, at)):
        return ()
    return _framed(word, around(tokens, tags, at))


def _mixes(word: str, tokens: Sequence[str], at: int) -> bool:
    """Return whether other words for the speaker would disagree: "we lost my card, help me"."""
    own = _ONE if word in _ONE else _MANY
    others = (core_of(token) for token in (*tokens[:at], *tokens[at + 1 :]))
    return not own.isdisjoint(others)


@lru_cache(maxsize=_CACHED)
def _framed(word: str, around: Around) -> tuple[str, ...]:
    return in_frames(_frames()[word], around)


def in_frames(frames: Sequence[Frame], around: Around) -> tuple[str, ...]:
    """Return the words of the frames that fit, in their order."""
    fitting = (frame for frame in frames if frame.fits(around))
    return tuple(dict.fromkeys(word for frame in fitting for word in frame.words))


def around(tokens: Sequence[str], tags: Sequence[str], at: int) -> Around:
    """Return the names of the words around a position, by their distance from it.

    A distance is an index: the order is 0 (empty), 1, 2, the first word of all, -2, -1.
    """
    n = len(tokens)
    one = two = END
    if at + 1 < n:
        head = _head(tags, at + 1)
        one = _phrase_names(
            core_of(tokens[at + 1]), tags[at + 1], core_of(tokens[head]), tags[head]
        )
        if at + 2 < n:
            two = _names(core_of(tokens[at + 2]), tags[at + 2])
    left = _names(core_of(tokens[at - 1]), tags[at - 1]) if at else START
    further = _names(core_of(tokens[at - 2]), tags[at - 2]) if at > 1 else START
    return frozenset(), one, two, _names(core_of(tokens[0]), tags[0]), further, left


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
    names = ("languages/en/frames.txt", "languages/en/phrases.txt.gz")
    lines = b"".join(map(read_resource, names)).decode()
    for line in lines.splitlines():
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
