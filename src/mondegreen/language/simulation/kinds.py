"""Of which kind errors are: a word is lost, joined with the next, or replaced by others."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import add, sub
from typing import NamedTuple

from mondegreen.language.reading import spoken
from mondegreen.language.simulation.drawn import usualness
from mondegreen.language.simulation.odds import dot, rarity
from mondegreen.language.simulation.profile import Counts
from mondegreen.language.simulation.units import Unit, Words, sound
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.language.vocabulary.ngram import END, NAT, START, trigram

KINDS = ("lost", "joined", "one", "two", "three")
LOST, JOINED, ONE, TWO, THREE = range(5)
WORDS_WRONG = (1.0, 2.0, 1.0, 2.0, 3.0)
"""How many errors an error of each kind is counted as."""
OF_WORDS, OF_PLACE = 27, 25
"""How many features of kinds depend on the word and the next one, and on its place."""

_OF_WORD = 5.0  # how many errors of a word the usual kinds are worth
_OF_PAIR = 3.0  # how many errors of a word before another the kinds of the word are worth
_MOST = 20.0  # nats
_LONGEST = 12
_GRADES = (2, 3, 5)
_USUAL_PLACE = (0.15, 0.15, 2.0, 0.8, 0.25, 0.25, 0.25, 0.4, 0.2, 0.2, 0.3)
_USUAL_BESIDE = (0.2, 0.05, 0.1, 0.2, 0.05, 0.1)

KindCounts = Sequence[int]
_NONE: KindCounts = (0,) * len(KINDS)


def kind_of(heard: str) -> int:
    """Return the kind of error by which one word was heard as other words."""
    return (LOST, ONE, TWO, THREE)[min(len(heard.split()), 3)]


def kind_of_unit(unit: Unit) -> int:
    """Return the kind of an error of one or two words."""
    return JOINED if unit.end - unit.start > 1 else kind_of(" ".join(unit.heard))


@lru_cache(maxsize=1 << 16)
def reading(word: str) -> Words:
    """Return how a word with digits is read aloud; empty for other words.

    >>> reading("25"), reading("jazz")
    (('twenty', 'five'), ())
    """
    return tuple(spoken(word)) if any(map(str.isdigit, word)) else ()


@lru_cache(maxsize=1 << 16)
def rare_and_long(word: str) -> tuple[float, float]:
    """Return how rare and how long a word is; an end of an utterance is neither."""
    if word == END:
        return 0.0, 0.0
    return rarity(word), min(len(sound(word)), _LONGEST) / 5


def kinds_before(examples: Iterable[tuple[Words, Words, Sequence[Unit]]]) -> dict[str, list[int]]:
    """Count the kinds of error of each word before another one."""
    found: dict[str, list[int]] = {}
    for ref, _, units in examples:
        for unit in units:
            if unit.start < unit.end:
                pair = f"{ref[unit.start]} {next_word(ref, unit.start)}"
                found.setdefault(pair, [0] * len(KINDS))[kind_of_unit(unit)] += 1
    return found


def next_word(words: Words, i: int) -> str:
    """Return the word after one, or the end of the utterance."""
    return words[i + 1] if i + 1 < len(words) else END


class Seen(NamedTuple):
    """Counts of pairs: the kinds of error of words, and of words before others; what is written.

    ``usual`` are the shares of the kinds; ``written`` and ``bigrams`` count the words of the
    hypotheses and each two in a row.
    """

    usual: Sequence[float]
    words: Mapping[str, KindCounts]
    before: Mapping[str, KindCounts]
    written: Counts
    bigrams: Counts

    @classmethod
    def of(cls, before: Mapping[str, KindCounts], written: Counts, bigrams: Counts) -> Seen:
        """Sum up the kinds of error of words before others."""
        words: dict[str, KindCounts] = {}
        for pair, counts in before.items():
            word = pair.partition(" ")[0]
            words[word] = tuple(map(add, words.get(word, _NONE), counts))
        total = [sum(column) + 1 for column in zip(_NONE, *words.values(), strict=True)]
        return cls([count / sum(total) for count in total], words, before, written, bigrams)


class KnownWords:
    """What is known of words, but for a part of what was seen."""

    def __init__(self, seen: Seen, own: Seen | None = None) -> None:
        self._seen, self._own = seen, own or Seen.of({}, {}, {})

    def past(self, word: str, after: str) -> list[float]:
        """Return by how much kinds of error are more likely for a word, and before another one."""
        seen, own, pair = self._seen, self._own, f"{word} {after}"
        of_word = map(sub, seen.words.get(word, _NONE), own.words.get(word, _NONE))
        of_pair = map(sub, seen.before.get(pair, _NONE), own.before.get(pair, _NONE))
        shares = _shares(list(of_word), _OF_WORD, seen.usual)
        before = _shares(list(of_pair), _OF_PAIR, shares)
        return [*_log_ratios(shares, seen.usual), *_log_ratios(before, shares)]

    def writes(self, word: str) -> bool:
        """Return whether the recogniser writes a word."""
        return self._seen.written.get(word, 0) > self._own.written.get(word, 0)

    def usual(self, first: str, second: str) -> float:
        """Return how usual two words in a row are."""
        pair = f"{first} {second}"
        return usualness(self._seen.bigrams.get(pair, 0) - self._own.bigrams.get(pair, 0)) / 5


def _shares(counts: KindCounts, worth: float, usual: Sequence[float]) -> list[float]:
    """Return shares by counts, which begin at usual shares that are worth some counts."""
    total = sum(counts) + worth
    return [(count + worth * share) / total for count, share in zip(counts, usual, strict=True)]


def _log_ratios(shares: Sequence[float], usual: Sequence[float]) -> list[float]:
    return [math.log(one / other) for one, other in zip(shares, usual, strict=True)]


def kind_features(word: str, after: str, known: KnownWords) -> list[float]:
    """Return the features of a word and of the next one that decide the kind of its error."""
    rare, long = rare_and_long(word)
    next_rare, next_long = rare_and_long(after)
    memory = known.past(word, after)
    return [
        1.0,
        rare,
        long,
        rare * rare,
        long * long,
        rare * long,
        float(len(word) == 1),
        float("'" in word),
        float(len(reading(word)) == 1),
        float(len(reading(word)) == 2),  # noqa: PLR2004 (two words)
        float(len(reading(word)) > 2),  # noqa: PLR2004
        float(word not in dictionary()),
        *memory[: len(KINDS)],
        next_long,
        next_rare,
        long * next_long,
        float(known.writes(word + after)),
        known.usual(word, after),
        *memory[len(KINDS) :],
    ]


def grade(wrong: int) -> int:
    """Return the grade of an utterance, by how many of its words are in error."""
    return bisect_right(_GRADES, wrong)


class Beside(NamedTuple):
    """The errors of the words before and after a word.

    Whether there will be one, of a kind that is not drawn yet; whether the word is lost; whether
    there is another error.
    """

    due_before: bool
    lost_before: bool
    wrong_before: bool
    due_after: bool
    lost_after: bool
    wrong_after: bool

    @property
    def wrong(self) -> int:
        """How many of both words are in error."""
        return sum(self)


class Elsewhere(NamedTuple):
    """How many other words of the utterance are lost, and how many are wrong otherwise."""

    lost: int
    wrong: int


def kind_place(
    words: Words, i: int, bad: int, beside: Beside, elsewhere: Elsewhere, known: KnownWords
) -> tuple[float, ...]:
    """Return the features of the place that decide the kind of error.

    Among them is how well the words before and after the one at this place suit each other
    without it.

    Args:
        words: the words of the utterance.
        i: the place of the word in error.
        bad: the grade of the utterance.
        beside: the errors of its neighbours.
        elsewhere: the errors of the other words.
        known: what is known of words.
    """
    before = [START, *words[max(0, i - 2) : i]][-2:]
    after = next_word(words, i)
    without = min(_MOST, -trigram().score(after, before) * NAT) / 10
    at = (
        float(i == 0),
        float(after is END),
        math.log(len(words)),
        without,
        *_IS_GRADE[bad],
        known.usual(before[-1], words[i]),
        known.usual(before[-1], after),
        math.log1p(elsewhere.lost),
        math.log1p(elsewhere.wrong),
    )
    return _with_beside(words[i], at, tuple(map(float, beside)))


def _with_beside(word: str, at: tuple[float, ...], beside: Sequence[float]) -> tuple[float, ...]:
    """Return features of a place, with the errors beside it by themselves and by the word."""
    rare, long = rare_and_long(word)
    due, lost, wrong = (beside[i] + beside[i + 3] for i in range(3))
    by_word = long * lost, long * wrong, long * due, rare * lost, rare * wrong, rare * due
    ends = at[0] * sum(beside[3:]), at[1] * sum(beside[:3])
    return *at, *beside, *by_word, *ends


_IS_GRADE = tuple(
    tuple(float(grade == bad) for grade in range(1, len(_GRADES) + 1))
    for bad in range(len(_GRADES) + 1)
)


class Kinds:
    """How likely each kind of error is, by a profile.

    Args:
        kinds: the weights of each kind.
        shifts: what to add for each kind.
        known: what is known of words.
    """

    def __init__(
        self, kinds: Sequence[Sequence[float]], shifts: Sequence[float], known: KnownWords
    ) -> None:
        self._shifts, self._known = shifts, known
        self._of_words = [tuple(row[:OF_WORDS]) for row in kinds]
        self._of_places = [tuple(row[OF_WORDS:]) for row in kinds]
        self._pairs: dict[str, list[float]] = {}
        self._costs: dict[str, float] = {}

    def cost(self, word: str, after: str) -> float:
        """Return how many errors an error of a word before another is counted as, on average."""
        pair = f"{word} {after}"
        found = self._costs.get(pair)
        if found is None:
            place = _with_beside(word, _USUAL_PLACE, _USUAL_BESIDE)
            shares = self._at(self._of_pair(word, after), place)
            most = float(max(WORDS_WRONG[THREE], len(reading(word))))
            found = self._costs[pair] = dot(shares, (*WORDS_WRONG[:THREE], most))
        return found

    def of(
        self, words: Words, i: int, bad: int, beside: Beside, elsewhere: Elsewhere
    ) -> list[float]:
        """Return the probability of each kind of error of word ``i``."""
        scores = self._of_pair(words[i], next_word(words, i))
        return self._at(scores, kind_place(words, i, bad, beside, elsewhere, self._known))

    def _of_pair(self, word: str, after: str) -> list[float]:
        """Return the scores of the kinds of a word before another one, without its place."""
        pair = f"{word} {after}"
        scores = self._pairs.get(pair)
        if scores is None:
            features = kind_features(word, after, self._known)
            rows = zip(self._of_words, self._shifts, strict=True)
            scores = self._pairs[pair] = [dot(row, features) + shift for row, shift in rows]
        return scores

    def _at(self, known: Sequence[float], place: Sequence[float]) -> list[float]:
        """Return the probability of each kind at a place."""
        rows = zip(known, self._of_places, strict=True)
        weights = [math.exp(score + dot(row, place)) for score, row in rows]
        total = sum(weights)
        return [weight / total for weight in weights]
