"""English inflection: from a form to its lemma, and from a lemma to its forms."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from mondegreen.language.vocabulary.thesaurus import PARTS, is_lemma
from mondegreen.resources import read_resource
from mondegreen.text.patterns import lazy_pattern

FORMS = {
    "VERB": ("base", "s", "past", "participle", "ing"),
    "NOUN": ("base", "plural"),
    "ADJ": ("base", "er", "est"),
    "ADV": ("base", "er", "est"),
}
"""The forms of a word by its part of speech; other parts of speech have only a base form."""

_LISTED = {"VERB": FORMS["VERB"][:4], "NOUN": FORMS["NOUN"], "ADJ": FORMS["ADJ"]}
_SUFFIX = {"s": "s", "plural": "s", "past": "ed", "participle": "ed"}
_VOWELS = "aeiou"
_VOWEL_GROUP = lazy_pattern("[aeiouy]+")
_SHORT = lazy_pattern("(?:^|[^aeiou]|qu)[aeiou][^aeiouwxy]$")
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_STRESSED = frozenset(  # longer words whose last syllable is short and stressed
    (
        *("admit", "begin", "commit", "compel", "control", "defer", "embed", "equip", "expel"),
        *("forbid", "forget", "format", "incur", "infer", "occur", "omit", "patrol", "permit"),
        *("prefer", "program", "rebel", "recur", "refer", "regret", "submit", "transfer"),
        *("transmit", "upset"),
    )
)
_COMPARED = ("y", "le", "ow")  # endings of two-syllable adjectives that take -er


class Analysis(NamedTuple):
    """One analysis of a word: its lemma and its form."""

    lemma: str
    form: str


@cache
def _listed() -> tuple[tuple[str, str, str, str], ...]:
    """Return part of speech, lemma, form and word of the irregular forms, the usual ones first."""
    parts = {short: part for part, short in PARTS.items()}
    rows = (
        line.split() for line in read_resource("languages/en/irregular.txt").decode().splitlines()
    )
    return tuple(
        (parts[short], forms[0], name, form)
        for short, *forms in rows
        for name, form in zip(_LISTED[parts[short]], forms, strict=True)
    )


@cache
def _irregular() -> dict[tuple[str, str, str], str]:
    return {(part, lemma, name): form for part, lemma, name, form in reversed(_listed())}


@cache
def _irregular_readings() -> dict[tuple[str, str], tuple[Analysis, ...]]:
    found: defaultdict[tuple[str, str], list[Analysis]] = defaultdict(list)
    for part, lemma, name, form in _listed():
        if name != "base":
            found[part, form].append(Analysis(lemma, name))
    return {key: tuple(readings) for key, readings in found.items()}


@lru_cache(maxsize=65_536)
def readings(word: str, part: str) -> tuple[Analysis, ...]:
    """Return the analyses of a lower-case word; an unknown word is its own lemma.

    >>> readings("played", "VERB")
    (Analysis(lemma='play', form='past'), Analysis(lemma='play', form='participle'))
    >>> readings("gave", "VERB"), readings("bigger", "ADJ"), readings("sxsw", "NOUN")
    ((Analysis(lemma='give', form='past'),), (Analysis(lemma='big', form='er'),), \
(Analysis(lemma='sxsw', form='base'),))
    """
    found = list(_irregular_readings().get((part, word), ()))
    if is_lemma(word, part):
        found.insert(0, Analysis(word, "base"))
    for form in FORMS.get(part, ("base",))[1:]:
        found += [
            Analysis(stem, form)
            for stem in _stems(word, form)
            if is_lemma(stem, part) and word in {inflect(stem, part, form), _british(stem, form)}
        ]
    return tuple(dict.fromkeys(found)) or (Analysis(word, "base"),)


@lru_cache(maxsize=65_536)
def lemma(word: str, part: str) -> str:
    """Return the likeliest lemma of a lower-case word.

    An inflected form is preferred to a base form.

    >>> [lemma(*pair) for pair in (("songs", "NOUN"), ("bought", "VERB"), ("better", "ADJ"))]
    ['song', 'buy', 'good']
    """
    found = readings(word, part)
    return next((reading for reading in found if reading.form != "base"), found[0]).lemma


def inflect(lemma: str, part: str, form: str) -> str | None:
    """Return a form of a lemma; ``None`` if English needs two words for it ("more careful").

    >>> [inflect(*case) for case in (("buy", "VERB", "past"), ("stop", "VERB", "ing"))]
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
    """Return a stem with a suffix in English spelling: cities, matches, stopped, nicer."""
    after_consonant = len(stem) > 1 and stem[-2] not in _VOWELS
    if stem.endswith("y") and after_consonant and suffix != "ing":
        return stem[:-1] + ("ies" if suffix == "s" else "i" + suffix)
    if suffix == "s":
        return stem + ("es" if stem.endswith(_SIBILANTS) else "s")
    if stem.endswith("e"):
        return stem[:-1] + suffix
    return stem + (stem[-1] if _doubles(stem) else "") + suffix


def _british(stem: str, form: str) -> str | None:
    """Return the spelling with a doubled l ("cancelled"); ``None`` for a stem without l."""
    return stem + "l" + _SUFFIX.get(form, form) if stem.endswith("l") else None


def _takes_er(adjective: str) -> bool:
    return _syllables(adjective.removesuffix("e")) == 1 or adjective.endswith(_COMPARED)


def _syllables(word: str) -> int:
    return len(_VOWEL_GROUP.findall(word))


def _doubles(stem: str) -> bool:
    """Return whether the last letter is doubled: after a short vowel, in a stressed syllable."""
    short = _SHORT.search(stem) is not None
    return stem in _STRESSED or (short and _syllables(stem) == 1)


def _stems(word: str, form: str) -> list[str]:
    """Return possible stems of a word with a suffix, whether or not they are words."""
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
