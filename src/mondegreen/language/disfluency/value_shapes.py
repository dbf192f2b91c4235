"""Values of slots by their shape: a number is mistaken for a number, a name for a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from mondegreen.draw import Draw
from mondegreen.language.disfluency.values import Values
from mondegreen.language.vocabulary.word_classes import CONTENT, class_of, family
from mondegreen.text.patterns import lazy_pattern
from mondegreen.text.words import MARKS

_DIGITS = lazy_pattern(r"\d{1,2}(?!\d)")
_LONG_DIGITS = lazy_pattern(r"\d")
_QUANTITY = lazy_pattern(r"=|.*d(?!\w)|d")
_TITLE = 3  # words of a title, which may have function words
_ORDINAL = lazy_pattern(r"(?<=d)(st|nd|rd|th)\b")
_IN_NAMES = frozenset(("of", "the", "and", "&", "de", "la", "el", "von", "van", "le", "du"))
_SENTENCE = frozenset(",;!?")
_LONGEST = 5  # words of a value that is said by mistake
_TRIES = 8
_CACHED, _WORDS = 16_384, 131_072  # values and words that are remembered
_PLURAL, _SUPERLATIVE = "s", "est"

Shape = tuple[str, ...]
OtherValue = Callable[[Draw], tuple[str, ...] | None]
"""Draws another value; ``None`` if the drawn ones are too similar."""


def shape_of(words: Sequence[str]) -> Shape:
    """Return the shape of a value: digits, classes of numbers and of calendar words, other words.

    Values with a number or a calendar word keep their other words, so that only "8 people" is like
    "6 people". All names and titles have the same shape, but for plurals and superlatives.

    >>> shape_of(["7", "days", "ago"]), shape_of(["2018", "/", "05", "/", "03"])
    (('d', '=units', 'ago'), ('ddd', '/', 'd', '/', 'd'))
    >>> shape_of(["miles", "davis"]), shape_of(["queen"]), shape_of(["my", "wife"])
    (('s',), (), ('my', 'wife'))
    """
    found = tuple(map(_part, words))
    if any(found) and (found[0] or len(words) < _TITLE or any(map(_QUANTITY.match, found))):
        return tuple(part or word.lower() for part, word in zip(found, words, strict=True))
    last = words[-1][-1:]
    plural = (_PLURAL,) if last in "sS" and words[-1][-2:].lower() != "ss" else ()
    return plural + ((_SUPERLATIVE,) if words[0].endswith(_SUPERLATIVE) else ())


@lru_cache(maxsize=_WORDS)
def _part(token: str) -> str:
    """Return the class of a word in a shape; empty if it may be a part of a name."""
    word = token.lower()
    if any(map(str.isdigit, word)):
        return _ORDINAL.sub("", _LONG_DIGITS.sub("d", _DIGITS.sub("d", word)))
    kind = class_of(word)
    if kind:
        return f"={kind}"
    named = word in _IN_NAMES or (word[:1].isalpha() and family(word) == CONTENT)
    return "" if named else word


class ValueIndex:
    """The values of slots, by label and shape: another value is found at once, however many.

    Args:
        values: the values of each label.
    """

    def __init__(self, values: Values) -> None:
        self._buckets: dict[tuple[str, Shape], list[tuple[str, ...]]] = {}
        for label, texts in values.items():
            for words in map(_said, texts):
                if 0 < len(words) <= _LONGEST:
                    self._buckets.setdefault((label, shape_of(words)), []).append(words)
        labels = Counter(label for (label, _), bucket in self._buckets.items() for _ in bucket)
        self.labels = frozenset(label for label, count in labels.items() if count > 1)
        """The labels with more than one value."""
        self.others = lru_cache(maxsize=_CACHED)(self._others)

    def _others(self, label: str, words: tuple[str, ...]) -> OtherValue | None:
        """Return a function that draws another value of a label; ``None`` if there is none."""
        bucket = self._buckets.get((label, shape_of(words)), ())
        value = _lower(words)
        if not bucket or (len(bucket) == 1 and _lower(bucket[0]) == value):
            return None

        def draw_other(draw: Draw) -> tuple[str, ...] | None:
            start = draw.below(len(bucket))
            for step in range(min(_TRIES, len(bucket))):
                other = bucket[(start + step) % len(bucket)]
                if _is_another(value, _lower(other)):
                    return other
            return None

        return draw_other


def _said(text: str) -> tuple[str, ...]:
    """Return the words of a value without punctuation at its end; empty if it is a sentence."""
    words = text.split()
    while words and not words[-1].strip(MARKS):
        words.pop()
    if not words or any(_SENTENCE & set(word) for word in words):
        return ()
    return (*words[:-1], words[-1].rstrip(MARKS))


def _lower(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([word.lower() for word in words])


def _is_another(value: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether a value is another one, and not a longer or shorter form of the first."""
    if value == other or len(other) > len(value) + 1:
        return False
    if any(map(_part, other)):
        return True
    texts = " ".join(value), " ".join(other)
    return texts[0] not in texts[1] and texts[1] not in texts[0] and value[-1] != other[-1]
