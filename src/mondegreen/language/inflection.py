"""English inflection: from a form to its lemma, and from a lemma to its forms."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from mondegreen.language.thesaurus import PARTS, is_lemma
from mondegreen.resources import read_resource

FORMS = {
    "VERB": ("base", "s", "past", "participle", "ing"),
    "NOUN": ("base", "plural"),
    "ADJ": ("base", "er", "est"),
    "ADV": ("base", "er", "est"),
}
"""The forms of a word by its part of speech; every other part has its base form alone."""

_LISTED = {"VERB": FORMS["VERB"][:4], "NOUN": FORMS["NOUN"], "ADJ": FORMS["ADJ"]}
_SUFFIX = {"s": "s", "plural": "s", "past": "ed", "participle": "ed"}
_VOWELS = "aeiou"
_VOWEL_GROUP = re.compile("[aeiouy]+")
_SHORT = re.compile("(?:^|[^aeiou]|qu)[aeiou][^aeiouwxy]$")
_HISSES = ("s", "x", "z", "ch", "sh")
_STRESSED = frozenset(  # words of several syllables whose last is short and stressed
    (
        *("admit", "begin", "commit", "compel", "control", "defer", "embed", "equip", "expel"),
        *("forbid", "forget", "format", "incur", "infer", "occur", "omit", "patrol", "permit"),
        *("prefer", "program", "rebel", "recur", "refer", "regret", "submit", "transfer"),
        *("transmit", "upset"),
    )
)
_COMPARED = ("y", "le", "ow")  # ends of adjectives of two syllables that still take -er


class Reading(NamedTuple):
    """A word as a form of a lemma."""

    lemma: str
    form: str


@cache
def _listed() -> tuple[tuple[str, str, str, str], ...]:
    """Part of speech, lemma, form and word, for what no rule makes; the usual one first."""
    parts = {short: part for part, short in PARTS.items()}
    rows = (line.split() for line in read_resource("irregular.en.txt").decode().splitlines())
    return tuple(
        (parts[short], forms[0], name, form)
        for short, *forms in rows
        for name, form in zip(_LISTED[parts[short]], forms, strict=True)
    )


@cache
def _irregular() -> dict[tuple[str, str, str], str]:
    return {(part, lemma, name): form for part, lemma, name, form in reversed(_listed())}


@cache
def _irregular_readings() -> dict[tuple[str, str], tuple[Reading, ...]]:
    found: defaultdict[tuple[str, str], list[Reading]] = defaultdict(list)
    for part, lemma, name, form in _listed():
        if name != "base":
            found[part, form].append(Reading(lemma, name))
    return {key: tuple(readings) for key, readings in found.items()}


@lru_cache(maxsize=65_536)
def readings(word: str, part: str) -> tuple[Reading, ...]:
    """Return what a lower-case word may be a form of; by itself where nothing is known of it.

    >>> readings("played", "VERB")
    (Reading(lemma='play', form='past'), Reading(lemma='play', form='participle'))
    >>> readings("gave", "VERB"), readings("bigger", "ADJ"), readings("sxsw", "NOUN")
    ((Reading(lemma='give', form='past'),), (Reading(lemma='big', form='er'),), \
(Reading(lemma='sxsw', form='base'),))
    """
    found = list(_irregular_readings().get((part, word), ()))
    if is_lemma(word, part):
        found.insert(0, Reading(word, "base"))
    for form in FORMS.get(part, ("base",))[1:]:
        found += [
            Reading(stem, form)
            for stem in _stems(word, form)
            if is_lemma(stem, part) and word in {inflect(stem, part, form), _british(stem, form)}
        ]
    return tuple(dict.fromkeys(found)) or (Reading(word, "base"),)


def lemma(word: str, part: str) -> str:
    """Return the lemma of a lower-case word, the likeliest where there are several.

    A word that is a form of another one is taken for that form.

    >>> [lemma(*pair) for pair in (("songs", "NOUN"), ("bought", "VERB"), ("better", "ADJ"))]
    ['song', 'buy', 'good']
    """
    found = readings(word, part)
    return next((reading for reading in found if reading.form != "base"), found[0]).lemma


def inflect(lemma: str, part: str, form: str) -> str | None:
    """Return a form of a lemma; ``None`` where English says it in two words ("more careful").

    >>> [inflect(*given) for given in (("buy", "VERB", "past"), ("stop", "VERB", "ing"))]
    ['bought', 'stopping']
    >>> inflect("city", "NOUN", "plural"), inflect("nice", "ADJ", "est")
    ('cities', 'nicest')
    >>> inflect("careful", "ADJ", "er") is None
    True
    """
    if form == "base":
        return lemma
    if irregular := _irregular().get((part, lemma, form)):
        return irregular
    if form in {"er", "est"}:
        if lemma.endswith("ly") if part == "ADV" else not _takes_er(lemma):
            return None
        return _suffixed(lemma, form)
    if form == "ing":
        if lemma.endswith("ie"):
            return lemma[:-2] + "ying"
        return lemma + "ing" if lemma.endswith(("ee", "oe", "ye")) else _suffixed(lemma, form)
    return _suffixed(lemma, _SUFFIX[form])


def _suffixed(stem: str, suffix: str) -> str:
    """Join a suffix as English spells it: cities, matches, stopped, nicer."""
    after_consonant = len(stem) > 1 and stem[-2] not in _VOWELS
    if stem.endswith("y") and after_consonant and suffix != "ing":
        return stem[:-1] + ("ies" if suffix == "s" else "i" + suffix)
    if suffix == "s":
        return stem + ("es" if stem.endswith(_HISSES) else "s")
    if stem.endswith("e"):
        return stem[:-1] + suffix
    return stem + (stem[-1] if _doubles(stem) else "") + suffix


def _british(stem: str, form: str) -> str | None:
    """The spelling with a doubled l: "cancelled"."""
    return stem + "l" + _SUFFIX.get(form, form) if stem.endswith("l") else None


def _takes_er(adjective: str) -> bool:
    return _syllables(adjective.removesuffix("e")) == 1 or adjective.endswith(_COMPARED)


def _syllables(word: str) -> int:
    return len(_VOWEL_GROUP.findall(word))


def _doubles(stem: str) -> bool:
    """Tell whether the last letter is doubled: after one short vowel, in a stressed syllable."""
    short = _SHORT.search(stem) is not None
    return stem in _STRESSED or (short and _syllables(stem) == 1)


def _stems(word: str, form: str) -> list[str]:
    """What a word may have been before its suffix, whether or not it is a word."""
    suffix = _SUFFIX.get(form, form)
    if not word.endswith(suffix):
        return []
    stem = word[: -len(suffix)]
    stems = [stem, stem + "e"]
    if stem.endswith("i"):
        stems.append(stem[:-1] + "y")
    if stem.endswith("ie") and suffix == "s":
        stems.append(stem[:-2] + "y")
    if stem.endswith("e") and suffix == "s":
        stems.append(stem[:-1])
    if stem.endswith("y") and suffix == "ing":
        stems.append(stem[:-1] + "ie")
    if stem[-1:] == stem[-2:-1] and suffix != "s":
        stems.append(stem[:-1])
    return stems
