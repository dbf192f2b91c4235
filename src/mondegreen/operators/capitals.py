"""The capital at the beginning of a sentence, which moves to a word that is inserted before it."""

from __future__ import annotations

from collections.abc import Sequence

from mondegreen.language.english import english_words
from mondegreen.language.languages import ENGLISH, language
from mondegreen.language.vocabulary.common import common_words
from mondegreen.text.words import core_of, word_of
from mondegreen.types import Edit, Utterance

_FUNCTION_WORDS = 100  # the most common English words are nearly all function words


def with_capital(utterance: Utterance, edit: Edit, code: str = ENGLISH) -> Sequence[Edit]:
    """Return the edits that insert words before the first word of a sentence, with its capital.

    A word in a slot keeps its capital, and a text in capitals stays as it is.

    >>> said = Utterance.of("1", "Set an alarm")
    >>> [edit.tokens for edit in with_capital(said, Edit(0, 0, ("actually",), "x", "filler"))]
    [('Actually',), ('set',)]
    """
    tokens = utterance.tokens
    if not tokens or not tokens[0][0].isupper() or utterance.text.isupper():
        return (edit,)
    first = edit.tokens[0]
    loses = loses_capital(tokens[:2]) if code == ENGLISH else _loses_elsewhere(tokens[:2], code)
    again = tokens[0].lower() if loses else tokens[0]
    rest = (again if token == tokens[0] else token for token in edit.tokens[1:])
    opening = (first[0].upper() + first[1:], *rest)
    insertion = Edit(0, 0, opening, edit.operator, edit.kind, edit.taken_back)
    in_slot = bool(utterance.slots) and utterance.slots[0].start == 0
    if in_slot or not loses:
        return (insertion,)
    return insertion, Edit(0, 1, (tokens[0].lower(),), edit.operator, "case")


def _loses_elsewhere(words: tuple[str, ...], code: str) -> bool:
    """Return the same for another language: a word that is known, or that can be no name."""
    tongue = language(code)
    core = core_of(words[0])
    if core in tongue.function_words or core in tongue.verbs or core in tongue.question_words:
        return True
    plain = len(words) > 1 and words[1][0].islower()
    return tongue.capitals == "first" and plain


def loses_capital(words: tuple[str, ...]) -> bool:
    """Return whether the first word has its capital only because it starts the sentence.

    >>> loses_capital(("The", "Tower")), loses_capital(("Miles", "Davis"))
    (True, False)
    """
    word = word_of(words[0])
    core = "" if word is None else word.core.lower()
    if core.startswith(english_words("places", "keep_capital")):
        return False
    if len(words) > 1 and words[1][0].isupper():  # a name, unless it is a word such as "the"
        return core in common_words().words[:_FUNCTION_WORDS]
    return core in common_words()
