"""Frequent words: the words that an utterance can be misheard as."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.language.vocabulary.ngram import trigram
from mondegreen.text.patterns import lazy_pattern

_SHORT = """
a i am an as at be by do go he hi if in is it me my no of oh ok on or so to uh um up us we
"""
_SHORTEST = 2
_VOWELS = frozenset("aeiouy")
_CRUDE = lazy_pattern(
    "ass|asses|(ass|arse)holes?|bastards?|bitch(es|y)?|.*bullshit|cocks?|cunts?|cum|dicks?|.*fuck.*"
    "|fag(got)?s?|.*nigg(a|er)s?|piss(ed|ing)?|porno?|pussy|raped?|rapists?|.*shit(s|ty)?|sluts?"
    "|tits|whores?"
)  # people read test sets
_BRITISH = (
    (re.compile(r"is(e[sd]?|ing|ation|ations)$"), r"iz\1"),
    (re.compile(r"(?<=...)our(s|ed|ing|ite|ites|able|hood|hoods)?$"), r"or\1"),
    (re.compile(r"(?<=[bt])re(s|d)?$"), r"er\1"),
    (re.compile(r"(?<=...)ll(ed|er|ers|ing)$"), r"l\1"),
    (re.compile(r"(def|lic|off|pret)ence(s|less)?$"), r"\1ense\2"),
)
_MAYBE = lazy_pattern("is[eia]|our|[bt]re|ll[ei]|ence")  # a quick test that most words fail
_NEVER = 1_000_000  # the surprisal from which on a word is unknown to the model


@cache
def frequent_words(n: int) -> tuple[str, ...]:
    """Return the ``n`` most frequent words, the most frequent first.

    They are the words of the language model that the dictionary has pronunciations for, without
    abbreviations, single letters, crude words and British spellings of American words.

    >>> frequent_words(3)
    ('the', 'to', 'i')
    """
    model = trigram()
    scores = ((-model.score(word, []), word) for word in dictionary())
    ranked = sorted(item for item in scores if item[0] < _NEVER)
    return tuple(islice((word for _, word in ranked if _is_plain(word)), n))


def _is_plain(word: str) -> bool:
    if len(word) <= _SHORTEST:
        return word in _SHORT.split()
    if not word.replace("'", "").isalpha() or "'" in (word[0], word[-1]):
        return False
    return bool(_VOWELS & set(word)) and not _CRUDE.fullmatch(word) and american(word) == word


def american(word: str) -> str:
    """Return the American spelling of a British word; any other word unchanged.

    Both spellings must have a pronunciation in common.

    >>> american("colour"), american("recognised"), american("four")
    ('color', 'recognized', 'four')
    """
    if not _MAYBE.search(word):
        return word
    plain = word
    for british, spelling in _BRITISH:
        plain = british.sub(spelling, plain)
    known = dictionary()
    same = plain != word and set(known.get(word, ())) & set(known.get(plain, ()))
    return plain if same else word
