"""Small classes of words that speakers confuse, such as days, cities and genres."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from mondegreen.language.thesaurus import neighbours
from mondegreen.resources import read_resource

_NEAREST = 4
CONTENT = "content"
_VERBS = "verbs"
_NAMES = "firstnames"


@cache
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = read_resource("kin.en.txt").decode().splitlines()
    rows = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return tuple((name, tuple(words.split())) for name, _, words in rows)


@cache
def _members(*, verbs: bool) -> dict[str, tuple[str, ...]]:
    """Return, per word, the other words of its first class, of verbs or of other words."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in _classes():
        if name.startswith(_VERBS) == verbs:
            for word in words:
                found.setdefault(word, _same_family(word, words))
    return found


def _same_family(word: str, others: Iterable[str]) -> tuple[str, ...]:
    return tuple(other for other in others if other != word and family(other) == family(word))


@cache
def _families() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, words in _classes():
        if name.startswith("+"):
            for word in words:
                found.setdefault(word, name[1:].partition(".")[0])
    return found


@lru_cache(maxsize=100_000)
def classmates(word: str, part: str) -> tuple[str, ...]:
    """Return the other words of a lower-case word's class; for a number, nearby numbers.

    ``part`` is the part of speech: for a verb, a class of verbs is preferred.

    >>> classmates("book", "VERB")[:3], classmates("book", "NOUN")[:3]
    (('play', 'find', 'show'), ('novel', 'textbook', 'essay'))
    >>> classmates("27", "NUM"), classmates("botna", "PROPN")
    (('26', '28', '37'), ())
    """
    is_verb = part == "VERB"
    found = _members(verbs=is_verb).get(word) or _members(verbs=not is_verb).get(word, ())
    if not found and word.isdecimal():
        number = int(word)
        return str(max(0, number - 1)), str(number + 1), str(number + 10)
    return found


def needs_part(word: str) -> bool:
    """Return whether the part of speech matters.

    It does if a word is in a class of verbs and in another class, or in no class.

    >>> needs_part("book"), needs_part("tuesday"), needs_part("botna")
    (True, False, True)
    """
    return (word in _members(verbs=True)) == (word in _members(verbs=False))


@lru_cache(maxsize=100_000)
def near_words(word: str, part: str) -> tuple[str, ...]:
    """Return the words nearest in meaning; for a name (``PROPN``), other names.

    >>> near_words("world", "NOUN")[:2], near_words("hermeto", "PROPN")[:2]
    (('universe', 'cosmos'), ('john', 'mary'))
    """
    if part == "PROPN":
        return dict(_classes())[_NAMES] if word.isalpha() and word[0].isascii() else ()
    return _same_family(word, (near.word for near in neighbours(word, part)[:_NEAREST]))


@lru_cache(maxsize=100_000)
def family(word: str) -> str:
    """Return the class of function words of a word; ``content`` for all other words.

    >>> family("the"), family("i'm"), family("jazz")
    ('determiners', 'pronouns', 'content')
    """
    return _families().get(head(word), CONTENT)


def head(word: str) -> str:
    """Return a word in lower case, without a contracted ending.

    >>> head("I'm"), head("isn't")
    ('i', 'is')
    """
    stem = word.lower().replace("n't", "").partition("'")[0]
    return stem or word.lower()
