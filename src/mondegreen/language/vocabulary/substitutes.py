"""Substitutes for a word in context: where candidates come from, and which of them fit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple, Protocol

from mondegreen.language.vocabulary.grammar_frames import QUALITIES, framed_words, has_frames
from mondegreen.language.vocabulary.inflection import inflect, lemma, readings
from mondegreen.language.vocabulary.ngram import END, NAT, START, known, trigram
from mondegreen.language.vocabulary.tagger import GRAMMAR, tag
from mondegreen.language.vocabulary.thesaurus import PARTS, Neighbour, neighbours
from mondegreen.resources import read_resource
from mondegreen.text.words import core_of

MOST = 10  # candidates per word that are ranked in context
CANDIDATES = 40  # words per position to get from a masked language model
_STEP = 1.0  # bits of distance from one everyday word to the next in its list
_WEIGHT = 0.9  # nats of surprisal that equal one bit of distance in meaning
_FARTHEST = 1.0  # bits; WordNet's words beyond it are mostly of another sense
_ABSURD = 5.0  # nats that a candidate may be more surprising than the word itself
_LOOSE = 3.0  # nats that a word costs which is near in WordNet only
_AVOIDED = 6.0  # nats more, if it is not in the list of an everyday word
_STRAY = frozenset(("PROPN", "INTJ", "NUM"))
_VOWEL_LETTERS = ("a", "e", "i", "o", "u", "hour", "honest", "heir")
_CONSONANT_SOUNDS = ("one", "once", "uni", "use", "usa", "usu", "eu", "ubi")


class Place(NamedTuple):
    """The position of a word in an utterance, and its part of speech there."""

    tokens: tuple[str, ...]
    at: int
    part: str


class Source(Protocol):
    """A source of candidates."""

    def ranked(self, place: Place) -> Sequence[str]:
        """Return lower-case words for a position, the most probable first."""

    def prepare(self, places: Sequence[Place]) -> None:
        """Compute the candidates of many positions at once, if that is faster."""


class Thesaurus:
    """Candidates from WordNet and lists of everyday and function words, in the word's form.

    They are ranked by their distance in meaning, and by their surprisal with the two words after.
    """

    def ranked(self, place: Place) -> Sequence[str]:
        """Return the candidates for a position, the best first.

        Candidates that the language model finds absurd there are left out.
        """
        tokens, at, part = place
        core = core_of(tokens[at])
        if is_grammatical(core, part):
            return framed_words(tokens, tag(tokens), at) if has_frames(core) else ()
        if not candidates(core, part):
            return ()
        return _weighed(core, part, *_around(place))

    def prepare(self, places: Sequence[Place]) -> None:
        """Do nothing: one position at a time is as fast."""


_THESAURUS = Thesaurus()


def could_replace(word: str, part: str) -> bool:
    """Return whether a lower-case word of a part of speech has candidates in some context.

    >>> could_replace("book", "VERB"), could_replace("sxsw", "PROPN")
    (True, False)
    """
    return has_frames(word) if is_grammatical(word, part) else bool(candidates(word, part))


def listed_words(place: Place) -> tuple[str, ...]:
    """Return the words of our lists that mean the same at a position, however rare they are there.

    >>> listed_words(Place(("show", "the", "nearest", "atm"), 2, "ADJ"))
    ('closest',)
    """
    core = core_of(place.tokens[place.at])
    if place.part not in PARTS:
        return ()
    everyday = tuple(_near(core, place.part)) if _is_listed(core, place.part) else ()
    framed = framed_words(place.tokens, tag(place.tokens), place.at, QUALITIES)
    words = dict.fromkeys((*framed, *everyday))
    return tuple(other for other in words if not related(core, other, place.part))


def is_listed(word: str, part: str) -> bool:
    """Return whether our lists have a word that means the same in some context.

    >>> is_listed("nearest", "ADJ"), is_listed("animated", "ADJ")
    (True, False)
    """
    return has_frames(word, QUALITIES) or (_is_listed(word, part) and bool(_near(word, part)))


def source_of(name: str, model: str = "") -> Source:
    """Return a source by its name: ``thesaurus``, or ``mlm``, which loads the model."""
    if name == "thesaurus":
        return _THESAURUS
    from mondegreen.language.vocabulary.masked import masked_words

    return masked_words(model)


@lru_cache(maxsize=65_536)
def _weighed(
    word: str, part: str, before: tuple[str, ...], after: tuple[str, ...]
) -> tuple[str, ...]:
    words, costs = _costs(word, part)
    own, *ticks = trigram().surprises(words, before, after)
    most = own * NAT + _ABSURD
    found = [
        (cost + n * NAT, other)
        for other, cost, n in zip(words[1:], costs, ticks, strict=True)
        if n * NAT <= most
    ]
    return tuple([other for _, other in sorted(found)])


@lru_cache(maxsize=65_536)
def _costs(word: str, part: str) -> tuple[list[str], list[float]]:
    """Return a word and its candidates, and what the distance of each candidate costs."""
    found = candidates(word, part)
    return [word, *(near.word for near in found)], [_WEIGHT * near.distance for near in found]


@lru_cache(maxsize=65_536)
def candidates(word: str, part: str) -> tuple[Neighbour, ...]:
    """Return other words for a lower-case word of a part of speech, in the same form.

    >>> [other.word for other in candidates("bought", "VERB")][:2]
    ['purchased', 'ordered']
    """
    found = _near(word, part) if part in PARTS else {}
    if not found and part in _STRAY:  # try the other parts of speech
        found = next(filter(None, (_near(word, other) for other in PARTS)), {})
    found = {other: d for other, d in found.items() if not related(word, other, part)}
    ranked = sorted(found, key=lambda other: (found[other], other))
    return tuple(Neighbour(other, found[other]) for other in ranked[:MOST])


def _near(word: str, part: str) -> dict[str, float]:
    """Return everyday words, else WordNet's, in the form of the word, with their distances."""
    found: dict[str, float] = {}
    if (part, word) in _everyday() and not _everyday()[part, word]:
        return found  # also for a form that has no other word, such as "playing"
    for stem, form in readings(word, part):
        everyday = _everyday().get((part, stem))
        others = tuple(near for near in neighbours(stem, part) if near.distance <= _FARTHEST)
        if everyday is not None:
            others = tuple(Neighbour(other, _STEP * rank) for rank, other in enumerate(everyday))
        for other, distance in others:
            fitting = inflect(other, part, form)
            if fitting is not None and known(fitting):
                found[fitting] = min(distance, found.get(fitting, distance))
    return found


@lru_cache(maxsize=65_536)
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


def unjudged(place: Place) -> tuple[tuple[float, str], ...]:
    """Return what other words for a word cost in nats, whatever is around it, the cheapest first.

    Those for a function word still come from its frames.

    >>> unjudged(Place(("nearest", "atm"), 0, "ADJ"))[0][1]
    'closest'
    """
    core = core_of(place.tokens[place.at])
    framed = tuple(_THESAURUS.ranked(place)) if is_grammatical(core, place.part) else None
    return _unjudged(core, place.part, framed, *_around(place))


@lru_cache(maxsize=4096)
def _unjudged(
    word: str,
    part: str,
    framed: tuple[str, ...] | None,
    before: tuple[str, ...],
    after: tuple[str, ...],
) -> tuple[tuple[float, str], ...]:
    words, costs = _loose_costs(word, part, framed)
    own, *ticks = trigram().surprises(words, before, after)
    found = [
        (cost + (n - own) * NAT, other)
        for other, cost, n in zip(words[1:], costs, ticks, strict=True)
    ]
    return tuple(sorted(found))


@lru_cache(maxsize=65_536)
def _loose_costs(
    word: str, part: str, framed: tuple[str, ...] | None
) -> tuple[list[str], list[float]]:
    """Return a word and others for it, and what each of them costs, whatever is around it."""
    if framed is None:
        words, costs = _costs(word, part)
    else:
        words, costs = [word, *framed], [_WEIGHT] * len(framed)
    loose = {
        other: _LOOSE + at + more
        for at, (other, more) in enumerate(loose_candidates(word, part).items())
        if other not in words[1:]
    }
    return [*words, *loose], [*costs, *loose.values()]


def _around(place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the two words before a position and the two after it."""
    tokens, at, _ = place
    before, after = tokens[max(0, at - 2) : at], tokens[at + 1 : at + 3]
    if len(before) < 2:  # noqa: PLR2004 (two words are looked at)
        before = (START, START, *before)[-2:]
    if len(after) < 2:  # noqa: PLR2004
        after = (*after, END, END)[:2]
    return tuple(map(core_of, before)), tuple(map(core_of, after))


@lru_cache(maxsize=65_536)
def loose_candidates(word: str, part: str) -> dict[str, float]:
    """Return words for a word that may be of another sense, and what each costs beyond its rank.

    Those in the lists of an everyday word come first, whatever its part of speech; WordNet's are
    avoided for it. A function word has none.

    >>> loose_candidates("slick", "ADJ")
    {'pat': 0.0, 'sleek': 0.0, 'bright': 0.0}
    >>> list(loose_candidates("weather", "VERB").items())[:2]
    [('forecast', 0.0), ('brave', 6.0)]
    """
    if part in GRAMMAR:
        return {}
    parts = [one for one in dict.fromkeys((part, *PARTS)) if one in PARTS]
    lists = [_near(word, one) for one in parts if _is_listed(word, one)]
    found = dict.fromkeys((other for near in lists for other in near), 0.0)
    others = next(filter(None, (_in_wordnet(word, one) for one in parts)), {})
    for other in sorted(others, key=lambda other: (others[other], other)):
        found.setdefault(other, _AVOIDED * bool(lists))
    return dict(islice(found.items(), MOST))


def _in_wordnet(word: str, part: str) -> dict[str, float]:
    """Return all words near a word in WordNet, in its form, with their distances."""
    found: dict[str, float] = {}
    for stem, form in readings(word, part):
        for other, distance in neighbours(stem, part):
            fitting = inflect(other, part, form)
            if fitting is not None and known(fitting) and not related(word, fitting, part):
                found.setdefault(fitting, distance)
    return found


def _is_listed(word: str, part: str) -> bool:
    everyday = _everyday()
    return (part, word) in everyday or any(
        (part, stem) in everyday for stem, _ in readings(word, part)
    )


def is_grammatical(word: str, part: str) -> bool:
    """Return whether a word is replaced in frames only: a function word or a greeting.

    >>> is_grammatical("to", "ADP"), is_grammatical("please", "INTJ"), is_grammatical("to", "NOUN")
    (True, True, False)
    """
    return part in GRAMMAR or (part not in PARTS and has_frames(word))


def agrees(tokens: Sequence[str], at: int, other: str) -> bool:
    """Return whether "a" and "an" are still right if the word at a position is replaced.

    >>> agrees(("a", "song"), 1, "anthem"), agrees(("the", "old", "song"), 0, "a")
    (False, False)
    """
    if other in {"a", "an"}:
        return at + 1 < len(tokens) and _has_vowel_sound(core_of(tokens[at + 1])) == (other == "an")
    article = core_of(tokens[at - 1]) if at else ""
    return article not in {"a", "an"} or _has_vowel_sound(other) == (article == "an")


def _has_vowel_sound(word: str) -> bool:
    return word.startswith(_VOWEL_LETTERS) and not word.startswith(_CONSONANT_SOUNDS)


@cache
def _everyday() -> dict[tuple[str, str], tuple[str, ...]]:
    return {
        (part, head): words
        for key, words in _lists("everyday.en.txt").items()
        for part, head in [key.split()]
    }


def _lists(name: str) -> dict[str, tuple[str, ...]]:
    lines = read_resource(name).decode().splitlines()
    rows = (line.partition(":") for line in lines if not line.startswith("#"))
    return {head: tuple(words.split()) for head, _, words in rows}
