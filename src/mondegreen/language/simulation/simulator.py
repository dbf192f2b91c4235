"""The simulator: draws the errors of a recogniser in an utterance, at a given error rate."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from statistics import NormalDist
from typing import NamedTuple

from mondegreen.data.files.by_content import by_content
from mondegreen.draw import Draw
from mondegreen.language.simulation.additions import Added, Additions
from mondegreen.language.simulation.choices import Choices, mistaken
from mondegreen.language.simulation.copula import CLOSE, Dependence, correlated, log_odds, shortness
from mondegreen.language.simulation.draft import NO_LIMITS, Draft, DraftLimits, Error
from mondegreen.language.simulation.drawn import Usage, uniform
from mondegreen.language.simulation.ears import ear_of
from mondegreen.language.simulation.kinds import (
    JOINED,
    LOST,
    ONE,
    Kinds,
    KnownWords,
    Seen,
)
from mondegreen.language.simulation.odds import Odds
from mondegreen.language.simulation.profile import RecogniserProfile, read_recogniser
from mondegreen.language.simulation.several import Proposals, Several
from mondegreen.language.simulation.units import Words
from mondegreen.language.simulation.vocabulary import Vocabulary
from mondegreen.language.vocabulary.ngram import END

_inverse = NormalDist().inv_cdf
_UTTERANCE = 1 << 40  # the site of a draw that concerns a whole utterance
_RUNS = _UTTERANCE + 1  # the site of the draw whether its errors come in long runs
_STEPS = 40
_HALVES = 1 << 52  # a half more is still an exact number
_NEAR_ENOUGH = 1e-3
_PLACE = attrgetter("start", "end")


class Replacements(NamedTuple):
    """What replaces words: one by one, or several. They remember the words they have met."""

    choices: Choices
    several: Several

    @classmethod
    def of(cls, profile: RecogniserProfile) -> Replacements:
        """Return the replacements of a profile."""
        heard, usage = profile.heard, Usage(profile.hyp_bigrams)
        vocabulary = Vocabulary(profile.hyp_words, mistaken(heard), profile.language)
        proposals = Proposals(heard, vocabulary, usage)
        return cls(
            Choices(profile.choices, profile.nearness, heard, vocabulary, usage),
            Several(profile.several, heard, profile.joined, profile.habits, proposals),
        )


class Simulator:
    """Draws errors by a profile. Draws depend on a key only, not on what was drawn before."""

    def __init__(
        self, profile: RecogniserProfile, replacements: Replacements | None = None
    ) -> None:
        self.profile, self.ear = profile, ear_of(profile.language)
        self.odds = odds_of(profile)
        seen = Seen.of(profile.kinds_before, profile.hyp_words, profile.hyp_bigrams)
        self.kinds = Kinds(profile.kinds, profile.shifts, KnownWords(seen))
        self._together = Dependence(**{name: getattr(profile, name) for name in Dependence._fields})
        self._near = {short: float(self._together.near(short)) for short in (-1, 0, 1)}
        added = Added(profile.added, profile.added_after)
        self.additions = Additions(added, profile.additions)
        self.replacements = replacements or Replacements.of(profile)

    def aim(self, wer: float) -> float:
        """Return the rate of errors to draw, so that the text has the error rate ``wer``."""
        levels = self.profile.levels
        at = min(max(1, bisect_right(levels, (wer, math.inf))), len(levels) - 1)
        (low, first), (high, second) = levels[at - 1 : at + 1]
        return max(0.0, first + (wer - low) / (high - low) * (second - first))

    def level(self, refs: Sequence[Words], wer: float) -> float:
        """Return what to add to all log odds, so that a text has the error rate ``wer``."""
        odds = [odd for ref in refs for odd in self.odds.of(ref)]
        costs = [cost for ref in refs for cost in self.costs(ref)]
        return level_of(odds, costs, self.aim(wer) * sum(map(len, refs)))

    def errors(
        self,
        words: Words,
        key: int,
        wer: float,
        limits: DraftLimits = NO_LIMITS,
        level: float | None = None,
    ) -> list[Error]:
        """Draw the errors in the words of an utterance.

        A higher rate draws every error of a lower one. Empty words are punctuation: no error
        concerns them.

        Args:
            words: the words in lower case; an empty one for a token without letters and digits.
            key: the key of all draws.
            wer: the expected error rate of the utterance.
            limits: what the errors must not do.
            level: what to add to all log odds, instead of what gives this utterance the rate.
        """
        at = [i for i, word in enumerate(words) if word]
        if not at:
            return []
        spoken = tuple(words[i] for i in at)
        odds = self.odds.of(spoken)
        if level is None:
            size = sum(len(word.split()) for word in spoken)
            level = level_of(odds, self.costs(spoken), self.aim(wer) * size)
        thresholds = self._thresholds(spoken, odds, key)
        places = [p for p, threshold in enumerate(thresholds) if threshold <= level]
        if not places:
            return []
        due = {i for i, threshold in enumerate(thresholds[1::2]) if threshold <= 0}
        places.sort(key=thresholds.__getitem__)
        draft = Draft(spoken, at, limits, due, empty=self.profile.rates.empty > 0)
        found = (self._error(draft, place, Draw(key, place)) for place in places)
        return [error for error in found if error is not None]

    def hypothesis(
        self,
        words: Words,
        key: int,
        wer: float,
        level: float | None = None,
        limits: DraftLimits = NO_LIMITS,
    ) -> Words:
        """Return what a recogniser makes of words; the arguments are those of :meth:`errors`."""
        heard: list[str] = []
        at = 0
        for error in sorted(self.errors(words, key, wer, limits, level), key=_PLACE):
            heard += words[at : error.start]
            heard += error.heard if error.kept is None else (words[error.kept],)
            at = error.end
        return (*heard, *words[at:])

    def costs(self, words: Words) -> list[float]:
        """Return how many errors one at each site is counted as, on average."""
        found = [self.additions.cost] * (2 * len(words) + 1)
        found[1::2] = map(self.kinds.cost, words, [*words[1:], END])
        return found

    def drawn(self, words: Words, key: int, level: float) -> float:
        """Return how many errors are drawn at a level, as :meth:`costs` counts them."""
        thresholds = self._thresholds(words, self.odds.of(words), key)
        costs = zip(thresholds, self.costs(words), strict=True)
        return sum(cost for threshold, cost in costs if threshold <= level)

    def _thresholds(self, words: Words, odds: Sequence[float], key: int) -> list[float]:
        """Return the level from which on each site is in error; those of an utterance agree."""
        together = self._together
        noise = [_normal(key, site) for site in range(len(odds))]
        if uniform(Draw(key, _RUNS)) < together.runs:
            near = [CLOSE] * (len(words) - 1)
        else:
            near = [self._near[short] for short in shortness(words)]
        noise = correlated(noise, near, together.beside)
        shared = math.sqrt(together.common) * _normal(key, _UTTERANCE)
        own = math.sqrt(1 - together.common)
        return [log_odds(shared + own * one) - odd for one, odd in zip(noise, odds, strict=True)]

    def _error(self, draft: Draft, place: int, draw: Draw) -> Error | None:
        """Draw the error at a site; ``None`` if the errors drawn before leave no room for it."""
        draw.below(2)  # the first draw decided whether there is an error
        words, i = draft.words, place // 2
        if place % 2 == 0:
            around = draft.around(place, place)
            added = self.additions.words(words, i, around, draw)
            return draft.added(i, added) if added else None
        if i in draft.taken:
            return None
        beside = draft.beside(i)
        elsewhere = draft.elsewhere(beside)
        kind = _kind(self.kinds.of(words, i, draft.bad, beside, elsewhere), uniform(draw))
        if kind == JOINED:
            joined = self._joined(draft, i, draw) if draft.joins(i) else None
            if joined is not None:
                return joined
            kind = ONE
        if kind == LOST:
            lost = draft.lost(i)
            if lost is not None:
                return lost
            kind = ONE
        around = draft.around(place, place + 1)
        if kind > ONE:
            split = self.replacements.several.split(words[i], kind - ONE + 1, around, draw)
            if split is not None:
                return draft.replaced(i, split)
        heard = self.replacements.choices.word(words[i], around, draw, beside.wrong)
        return draft.replaced(i, (heard,))

    def _joined(self, draft: Draft, i: int, draw: Draw) -> Error | None:
        """Draw what a word and the next one are heard as together."""
        around = draft.around(2 * i + 1, 2 * i + 4)
        first, second = draft.words[i : i + 2]
        heard = self.replacements.several.join(first, second, around, draw)
        return draft.joined(i, heard[0]) if heard is not None else None


def odds_of(profile: RecogniserProfile) -> Odds:
    """Return the log odds of errors by a profile."""
    return Odds(
        profile.words,
        profile.gaps,
        profile.offsets,
        profile.bigrams,
        profile.ref_words,
        profile.hyp_words,
    )


@by_content
def simulator_of(path: str) -> Simulator:
    """Return the simulator of a profile, which remembers the words it has seen; empty: our own."""
    return Simulator(read_recogniser(path))


def level_of(odds: Sequence[float], costs: Sequence[float], goal: float) -> float:
    """Return what to add to log odds so that the expected cost of the errors is ``goal``.

    By Newton's method, between bounds.
    """
    sites = list(zip(odds, costs, strict=True))
    low, high = -30.0, 30.0
    level = 0.0
    for _ in range(_STEPS):
        total = slope = 0.0
        for odd, cost in sites:
            p = 1 / (1 + math.exp(-odd - level))
            total += p * cost
            slope += p * (1 - p) * cost
        if abs(total - goal) < _NEAR_ENOUGH * goal:
            break
        low, high = (low, level) if total > goal else (level, high)
        # the logarithm of the total is nearly a line where chances are small
        step = level + math.log(goal / total) * total / slope if goal * slope > 0 else low
        level = step if low < step < high else (low + high) / 2
    return level


def _normal(key: int, site: int) -> float:
    """Return the normal variable of a site, from its first draw."""
    return _inverse((Draw(key, site).below(_HALVES) + 0.5) / _HALVES)


def _kind(shares: Sequence[float], drawn: float) -> int:
    for kind, share in enumerate(shares):
        drawn -= share
        if drawn < 0:
            return kind
    return ONE
