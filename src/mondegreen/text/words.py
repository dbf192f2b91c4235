"""Splitting a token into a word and its punctuation, and copying the case of a word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern

_SIGNS = (  # marks that belong to the letter before them, which ``\\w`` leaves out
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a4d\u0b82-\u0bcd\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
_WORD = lazy_pattern(rf"([^\w{_SIGNS}]*)(\w(?:[\w{_SIGNS}'’-]*[\w{_SIGNS}])?)([^\w{_SIGNS}]*)")
MARKS = ".,!?;:…"
"""Punctuation marks that end a sentence or a part of it."""
ALL_MARKS = MARKS + "।॥。？！、，；：؟،؛"
"""The same marks in all scripts."""
LEAST_LETTERS = 2
_ACRONYM = 3  # letters


class TokenParts(NamedTuple):
    """The parts of a token: punctuation before the word, the word, punctuation after it."""

    before: str
    core: str
    after: str

    def dressed(self, tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Return other tokens with the word's case and punctuation.

        >>> word_of('"Jazz!').dressed(("smooth", "jaws"))
        ('"Smooth', 'jaws!')
        """
        cased = like(self.core, tokens)
        if not self.before and not self.after:
            return cased
        first = (self.before + cased[0], *cased[1:])
        return (*first[:-1], first[-1] + self.after)


@lru_cache(maxsize=65_536)
def is_mark(token: str) -> bool:
    """Return whether a token is a punctuation mark, before which nothing is said.

    >>> is_mark("."), is_mark("jazz."), is_mark("{")
    (True, False, False)
    """
    return bool(token) and not token.strip(MARKS)


@lru_cache(maxsize=65_536)
def is_any_mark(token: str) -> bool:
    """Return whether a token is a punctuation mark of any script, or several of them.

    >>> is_any_mark("？"), is_any_mark("।"), is_any_mark("吗？")
    (True, True, False)
    """
    return bool(token) and not token.strip(ALL_MARKS)


@lru_cache(maxsize=65_536)
def word_of(token: str, letters: int = LEAST_LETTERS) -> TokenParts | None:
    """Return the parts of a token; ``None`` if it is no word of ``letters`` letters or more.

    >>> word_of('"Jazz!'), word_of("a"), word_of("{"), word_of("mp3")
    (TokenParts(before='"', core='Jazz', after='!'), None, None, \
TokenParts(before='', core='mp3', after=''))
    """
    if token.isalpha():
        return TokenParts("", token, "") if len(token) >= letters else None
    match = _WORD.fullmatch(token)
    if match is None or sum(map(str.isalpha, match[2])) < letters:
        return None
    return TokenParts(match[1], match[2], match[3])


def like(pattern: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return tokens in the case of a word (jazz, JAZZ, Jazz); mixed case changes nothing.

    >>> like("JAZZ", ("jaws",)), like("Jazz", ("smooth", "jaws")), like("jazz", ("Jaws",))
    (('JAWS',), ('Smooth', 'jaws'), ('jaws',))
    """
    if pattern.islower():
        return tuple(map(str.lower, tokens))
    if pattern.isupper() and len(pattern) > 1:
        return tuple(map(str.upper, tokens))
    if pattern[0].isupper() and pattern[1:].islower():
        return (tokens[0][0].upper() + tokens[0][1:], *tokens[1:])
    return tokens


def is_acronym(tokens: Sequence[str], at: int) -> bool:
    """Return whether a short word is in capitals among words that are not: "TV", not "THE".

    >>> is_acronym("is my PIN right".split(), 2), is_acronym("IS MY PIN RIGHT".split(), 2)
    (True, False)
    """
    token = tokens[at]
    short = 1 < len(token.rstrip(ALL_MARKS)) <= _ACRONYM
    return short and token.isupper() and not " ".join(tokens).isupper()


@lru_cache(maxsize=65_536)
def core_of(token: str) -> str:
    """Return the word of a token in lower case, without punctuation around it.

    >>> core_of("Jazz!"), core_of("a"), core_of("?")
    ('jazz', 'a', '?')
    """
    word = word_of(token, 1)
    return token.lower() if word is None else word.core.lower()
