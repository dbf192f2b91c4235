"""Our own list of other words that mean the same, and the frames in which they do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from mondegreen.language.vocabulary.grammar_frames import (
    Around,
    Frame,
    around,
    frame,
    in_frames,
)
from mondegreen.language.vocabulary.inflection import FORMS, Analysis, inflect, lemma, readings
from mondegreen.language.vocabulary.ngram import known
from mondegreen.resources import read_resource

_Side = tuple[tuple[int, frozenset[str]], ...]
_CACHED = 65_536
_HAVE_OR_BE = (
    "AUX have has had having i've we've you've they've haven't hasn't hadn't get got gets been"
    " be is are was were being isn't aren't wasn't weren't it's that's i'm"
)
_AFTER_HAVE = ((-1, frozenset(("have", "has", "had", "been", "i've", "we've", "haven't"))),)
_FORMS_OF_PAST: dict[str, tuple[_Side, _Side]] = {
    "past": (((-1, frozenset(("PRON", "NOUN", "PROPN", "who", "that", "which"))),), ()),
    "participle": (((-1, frozenset(_HAVE_OR_BE.split())),), ()),
}
"""What must, and must not, be before these forms, which often look alike."""


@cache
def _lists() -> dict[tuple[str, str], tuple[Frame, ...]]:
    """Return the frames of each word of a part of speech; without words if it has no other."""
    found: dict[tuple[str, str], tuple[Frame, ...]] = {}
    for line in read_resource("languages/en/substitutes.txt").decode().splitlines():
        if not line.startswith("#"):
            head, _, words = line.partition(":")
            part, word, *conditions = head.split()
            frames = found.get((part, word), ())
            found[part, word] = (*frames, frame(conditions, words.split()))
    return found


@lru_cache(maxsize=_CACHED)
def listed(word: str, part: str) -> tuple[Frame, ...] | None:
    """Return the frames of a lower-case word, with words in its form; ``None`` if not listed.

    >>> [frame.words for frame in listed("purchased", "VERB")]
    [('bought', 'got'), ('bought', 'gotten')]
    >>> listed("sxsw", "NOUN") is None
    True
    """
    lists = _lists()
    own = lists.get((part, word))  # also of a form, such as "playing" or "nearest"
    if own is not None and (part, word) != (part, lemma(word, part)):
        return tuple(frame for frame in own if frame.words)
    found: dict[Frame, None] = {}
    is_listed = False
    is_base = Analysis(word, "base") in readings(word, part)
    for stem, form in readings(word, part):
        if (part, stem) not in lists:
            continue
        is_listed = True
        if is_base and form in _FORMS_OF_PAST:
            continue  # "set an alarm" is said more often than "i set it yesterday"
        needs, bars = _FORMS_OF_PAST.get(form, ((), _AFTER_HAVE if part == "VERB" else ()))
        for one in lists[part, stem]:
            words = _in_form(one.words, part, form, word)
            if words:
                frame = Frame((*one.needs, *needs), (*one.bars, *bars), words)
                found[frame] = None
    return tuple(found) if is_listed else None


def _in_form(words: Sequence[str], part: str, form: str, word: str) -> tuple[str, ...]:
    inflected = (inflect(other, part, form) for other in words)
    return tuple(
        other
        for other in inflected
        if other is not None and (known(other) or "-" in other) and not related(word, other, part)
    )


def listed_words(
    tokens: Sequence[str], tags: Sequence[str], at: int, word: str, part: str
) -> tuple[str, ...]:
    """Return the words of the list that fit the frames around a position; the best first."""
    frames = listed(word, part)
    if not frames:
        return ()
    if len(frames) == 1 and not frames[0].needs and not frames[0].bars:
        return frames[0].words
    return _fitting(word, part, around(tokens, tags, at))


def named_neighbours() -> set[tuple[str, str]]:
    """Return the pairs of words that a frame of the list names, such as "search for"."""
    return {
        (other, stem) if side < 0 else (stem, other)
        for (part, word), frames in _lists().items()
        for frame in frames
        for side, names in frame.needs
        if side in (-1, 1)
        for other in names
        for stem in {inflect(word, part, form) or word for form in FORMS[part]}
    }


@lru_cache(maxsize=_CACHED)
def _fitting(word: str, part: str, near: Around) -> tuple[str, ...]:
    return in_frames(listed(word, part) or (), near)


@lru_cache(maxsize=_CACHED)
def related(word: str, other: str, part: str) -> bool:
    """Return whether two lower-case words are the same word, or forms of one word.

    >>> related("plays", "playing", "VERB"), related("play", "perform", "VERB")
    (True, False)
    """
    part = "VERB" if part == "AUX" else part
    if word == other or lemma(word, part) == lemma(other, part):
        return True
    lemmas = {reading.lemma for reading in readings(word, part)}
    return any(reading.lemma in lemmas for reading in readings(other, part))
