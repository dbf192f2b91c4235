"""A correction: words said right, words said wrong, and where the phrase of a word begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.draw import Draw
from mondegreen.language.disfluency.corrections import words_in
from mondegreen.language.disfluency.value_shapes import OtherValue
from mondegreen.language.english import english_words
from mondegreen.language.vocabulary.substitutes import article_before
from mondegreen.types import Slot

_ARTICLES = frozenset(english_words("places", "articles"))
_PREPOSITIONS = words_in("prepositions")
_BEFORE_VALUES = _PREPOSITIONS | words_in("owners") | words_in("determiners")
_BEFORE_VALUES |= {word.capitalize() for word in _BEFORE_VALUES}
_BACK = 3  # words that are said again before a corrected value
VALUE, PHRASE, START, REPEAT = 1.0, 0.4, 0.03, 1e-7
"""The weights of what is corrected: values, nouns and verbs, beginnings of phrases; nothing."""

Wrong = Sequence[tuple[str, ...]] | OtherValue
"""What may be said by mistake: one of some phrases, or another value."""


class Correction(NamedTuple):
    """A correction at a site: words said right, wrong words to draw, the kind of its term."""

    copied: tuple[str, ...]
    wrong: Wrong
    term: str
    weight: float

    def words(self, draw: Draw) -> tuple[str, ...] | None:
        """Draw the words that are taken back; ``None`` if no other value is different enough."""
        other = self.wrong(draw) if callable(self.wrong) else draw.choice(self.wrong)
        if other is None:
            return None
        if self.copied[-1:] and self.copied[-1].lower() in _ARTICLES:
            return (*self.copied[:-1], article_before(self.copied[-1], other[0]), *other)
        return self.copied + other


def phrase_begin(tokens: Sequence[str], slots: Sequence[Slot], at: int) -> int:
    """Return where the phrase of a position begins.

    >>> phrase_begin("send it to the bank".split(), (), 4)
    2
    """
    begin = at
    while begin > 0 and at - begin < _BACK and tokens[begin - 1] in _BEFORE_VALUES:
        if begin in [slot.end for slot in slots]:
            break
        begin -= 1
        if tokens[begin].lower() in _PREPOSITIONS:
            break
    return begin


def has_article(tokens: Sequence[str], at: int) -> bool:
    """Return whether "a" or "an" is before a position, so that it must be said again."""
    return at > 0 and tokens[at - 1].lower() in _ARTICLES
