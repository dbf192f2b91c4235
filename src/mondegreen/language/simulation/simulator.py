"""The simulator: draws the errors of a recogniser in an utterance, at a given error rate."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from statistics import NormalDist
from typing import NamedTuple

from mondegreen.data.by_content import by_content
from mondegreen.draw import Draw
from mondegreen.language.ngram import END, START
from mondegreen.language.simulation.odds import Odds
from mondegreen.language.simulation.outcomes import (
    BAD,
    JOINED,
    LOST,
    ONE,
    Choices,
    Drawn,
    Outcomes,
    Vocabulary,
    in_context,
    uniform,
)
from mondegreen.language.simulation.profile import PLACES, Profile, read_recogniser
from mondegreen.language.simulation.units import Words

_NORMAL = NormalDist()
_UTTERANCE = 1 << 40  # the site of the draws that concern a whole utterance
_ADDED_TRIED = 12
_ADDED_CONTEXT = 0.25
_STEPS = 30
_TINY = 1e-12
_PLACE = attrgetter("start", "end")


class Error(NamedTuple):
    """Words ``start`` to ``end`` are heard as ``heard``.

    ``kept`` is the position of a word that stays although it is between ``start`` and ``end``.
    """

    start: int
    end: int
    heard: Words
    kind: str
    kept: int | None = None


class Limits(NamedTuple):
    """What errors must not do: cross an edge of a span, or lose one of its edges."""

    spans: Sequence[tuple[int, int]] = ()

    def divides(self, position: int) -> bool:
        """Return whether a span begins or ends before a position."""
        return any(position in span for span in self.spans)

    def needed(self, i: int) -> tuple[int, int] | None:
        """Return the span that would lose its first or last word with word ``i``."""
        return next((span for span in self.spans if i in (span[0], span[1] - 1)), None)


NO_LIMITS = Limits()


class _Draft:
    """An utterance while its errors are drawn: which words and gaps are still free.

    Words are numbered without punctuation; ``at`` are their positions among all tokens.
    """

    def __init__(
        self, words: Words, at: Sequence[int], limits: Limits, kinds: Sequence[float], *, bad: bool
    ) -> None:
        self.words, self.at, self.limits, self.kinds, self.bad = words, at, limits, kinds, bad
        self.taken: set[int] = set()  # words
        self._closed: set[int] = set()  # gaps, by position, within or beside an error
        self._filled: set[int] = set()  # gaps with added words

    def added(self, i: int, heard: Words) -> Error | None:
        """Return the addition of words before word ``i``, unless it touches a lost word."""
        position = self.at[i] if i < len(self.at) else self.at[-1] + 1
        if position in self._closed:
            return None
        self._filled.add(position)
        return Error(position, position, heard, "added")

    def replaced(self, i: int, heard: Words) -> Error:
        """Return the replacement of a word by others."""
        self.taken.add(i)
        position = self.at[i]
        return Error(position, position + 1, heard, "exchanged" if len(heard) == 1 else "split")

    def joins(self, i: int) -> bool:
        """Return whether a word can be joined with the next one."""
        return self._both_free(i) and not self.limits.divides(self.at[i] + 1)

    def joined(self, i: int, heard: str) -> Error:
        """Return the replacement of a word and the next one by a single word."""
        position = self._close(i)
        return Error(position, position + 2, (heard,), "joined")

    def lost(self, i: int) -> Error | None:
        """Return the loss of a word; ``None`` if its span would be lost with it.

        The first or last word of a span is lost together with a neighbour in the span that stays,
        so that the span keeps its edges.
        """
        position = self.at[i]
        span = self.limits.needed(position)
        if span is None:
            if {position, position + 1} & self._filled:
                return None
            self.taken.add(i)
            self._closed |= {position, position + 1}
            return Error(position, position + 1, (), "lost")
        first = i if position == span[0] else i - 1
        if span[1] - span[0] == 1 or first < 0 or not self._both_free(first):
            return None
        first_position = self._close(first)
        kept = self.at[first + 1] if first == i else first_position
        return Error(first_position, first_position + 2, (), "lost", kept)

    def _both_free(self, i: int) -> bool:
        """Return whether a word and the next one are neighbours without an error."""
        if i + 1 >= len(self.at) or self.at[i + 1] != self.at[i] + 1:
            return False
        return not {i, i + 1} & self.taken and self.at[i + 1] not in self._filled

    def _close(self, i: int) -> int:
        self.taken |= {i, i + 1}
        self._closed.add(self.at[i + 1])
        return self.at[i]


class Simulator:
    """Draws errors by a profile. Draws depend on a key only, not on what was drawn before."""

    def __init__(self, profile: Profile, choices: Choices | None = None) -> None:
        self.profile = profile
        self.odds = Odds(profile.words, profile.gaps, profile.offsets, profile.ref_words)
        self.outcomes = Outcomes(profile.kinds, profile.heard, profile.joined)
        self.choices = choices or Choices(
            profile.choices, profile.heard, profile.joined, Vocabulary(profile.hyp_words)
        )

    @cached_property
    def _added(self) -> dict[str, Drawn]:
        return {
            place: Drawn.of(tuple(counts), tuple(map(float, counts.values())))
            for place, counts in self.profile.added.items()
            if counts
        }

    @cached_property
    def _added_cost(self) -> float:
        counts = [
            (len(words.split()), count)
            for place in self.profile.added.values()
            for words, count in place.items()
        ]
        return sum(n * count for n, count in counts) / max(1, sum(count for _, count in counts))

    def aim(self, wer: float) -> float:
        """Return the rate of errors to draw, so that the text has the error rate ``wer``."""
        levels = self.profile.levels
        at = min(max(1, bisect_right(levels, (wer, math.inf))), len(levels) - 1)
        (low, first), (high, second) = levels[at - 1 : at + 1]
        return max(0.0, first + (wer - low) / (high - low) * (second - first))

    def errors(
        self, words: Words, key: int, wer: float, limits: Limits = NO_LIMITS, *, aimed: bool = False
    ) -> list[Error]:
        """Draw the errors in the words of an utterance.

        A higher rate draws every error of a lower one. Empty words are punctuation: no error
        concerns them.

        Args:
            words: the words in lower case; an empty one for a token without letters and digits.
            key: the key of all draws.
            wer: the expected error rate of the words.
            limits: what the errors must not do.
            aimed: ``wer`` is what to draw, without :meth:`aim`.
        """
        at = [i for i, word in enumerate(words) if word]
        spoken = tuple(words[i] for i in at)
        size = sum(len(word.split()) for word in spoken)
        if not size:
            return []
        goal = (wer if aimed else self.aim(wer)) * size
        odds, costs = self._odds(spoken)
        thresholds = self._thresholds(odds, key)
        level = level_of(odds, costs, goal)
        places = [p for p in range(2 * len(at) + 1) if thresholds[p] <= level]
        if not places:
            return []
        usual = level_of(odds, costs, self.profile.rates.wer * size)
        bad = sum(one <= usual for one in thresholds[1::2]) >= BAD * len(at)
        places.sort(key=thresholds.__getitem__)
        draft = _Draft(spoken, at, limits, self._kind_draws(key, len(at)), bad=bad)
        found = (self._error(draft, place, Draw(key, place)) for place in places)
        return [error for error in found if error is not None]

    def hypothesis(self, words: Words, key: int, wer: float, *, aimed: bool = False) -> Words:
        """Return what a recogniser makes of words; the arguments are those of :meth:`errors`."""
        heard: list[str] = []
        at = 0
        for error in sorted(self.errors(words, key, wer, aimed=aimed), key=_PLACE):
            heard += words[at : error.start]
            heard += error.heard
            at = error.end
        return (*heard, *words[at:])

    def _odds(self, words: Words) -> tuple[list[float], list[float]]:
        """Return the log odds of each site, and how many errors one there is counted as."""
        odds = [0.0] * (2 * len(words) + 1)
        odds[1::2], odds[::2] = self.odds.of(words)
        costs = [self._added_cost] * len(odds)
        costs[1::2] = [self.outcomes.cost(word) for word in words]
        return odds, costs

    def _thresholds(self, odds: Sequence[float], key: int) -> list[float]:
        """Return the level from which on each site is in error."""
        draws = self._site_draws(key, len(odds))
        return [
            math.log(max(u, _TINY) / max(1 - u, _TINY)) - odd
            for u, odd in zip(draws, odds, strict=True)
        ]

    def _site_draws(self, key: int, n: int) -> list[float]:
        """Return a number from 0 to 1 per site; those of an utterance go together."""
        common, near = self.profile.common, self.profile.neighbour
        shared = math.sqrt(common) * _normal(Draw(key, _UTTERANCE))
        own, fresh = math.sqrt(1 - common), math.sqrt(1 - near * near)
        found = []
        state = 0.0
        for site in range(n):
            noise = _normal(Draw(key, site))
            state = near * state + fresh * noise if site else noise
            found.append(_share_below(shared + own * state))
        return found

    def _kind_draws(self, key: int, n: int) -> list[float]:
        """Return a number from 0 to 1 per word, from which the kind of its error follows."""
        near = self.profile.runs
        fresh = math.sqrt(1 - near * near)
        found = []
        state = 0.0
        for word in range(n):
            noise = _normal(Draw(key, _UTTERANCE + 1 + word))
            state = near * state + fresh * noise if word else noise
            found.append(_share_below(state))
        return found

    def _error(self, draft: _Draft, place: int, draw: Draw) -> Error | None:
        """Draw the error at a site; ``None`` if the errors drawn before leave no room for it."""
        draw.below(2)  # the first draw decided whether there is an error
        words, i = draft.words, place // 2
        if place % 2 == 0:
            return self._addition(draft, i, draw)
        if i in draft.taken:
            return None
        kind = _kind(self.outcomes.kinds(words[i], i, len(words), bad=draft.bad), draft.kinds[i])
        if kind == JOINED:
            heard = self.choices.join(words[i], words[i + 1], draw) if draft.joins(i) else None
            if heard is not None:
                return draft.joined(i, heard)
            kind = ONE
        if kind == LOST:
            lost = draft.lost(i)
            if lost is not None:
                return lost
            kind = ONE
        around = _around(words, i, i + 1)
        return draft.replaced(i, self.choices.words(words[i], kind, around, draw, bad=draft.bad))

    def _addition(self, draft: _Draft, i: int, draw: Draw) -> Error | None:
        words = draft.words
        where = PLACES[0 if i == 0 else 2 if i == len(words) else 1]
        drawn = self._added.get(where) or next(iter(self._added.values()), None)
        if drawn is None:
            return None
        tried = [drawn.draw(draw) for _ in range(_ADDED_TRIED)]
        heard = in_context(tried, _around(words, i, i), _ADDED_CONTEXT, uniform(draw))
        return draft.added(i, tuple(heard.split()))


@by_content
def simulator_of(path: str) -> Simulator:
    """Return the simulator of a profile, which remembers the words it has seen; empty: our own."""
    return Simulator(read_recogniser(path))


def level_of(odds: Sequence[float], costs: Sequence[float], goal: float) -> float:
    """Return what to add to log odds so that the expected cost of the errors is ``goal``."""
    low, high = -30.0, 30.0
    level = math.log(
        goal / sum(cost * math.exp(odd) for odd, cost in zip(odds, costs, strict=True))
    )
    level = min(max(level, low), high)  # exact where all chances are small
    for _ in range(_STEPS):
        total = slope = 0.0
        for odd, cost in zip(odds, costs, strict=True):
            p = 1 / (1 + math.exp(-odd - level))
            total += p * cost
            slope += p * (1 - p) * cost
        miss = total - goal
        if abs(miss) < 1e-3 * goal:
            break
        if miss > 0:
            high = level
        else:
            low = level
        step = level - miss / slope if slope > _TINY else low
        level = step if low < step < high else (low + high) / 2
    return level


def _normal(draw: Draw) -> float:
    return _NORMAL.inv_cdf(min(max(uniform(draw), _TINY), 1 - _TINY))


def _share_below(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _kind(shares: Sequence[float], drawn: float) -> int:
    for kind, share in enumerate(shares):
        drawn -= share
        if drawn < 0:
            return kind
    return ONE


def _around(words: Words, start: int, end: int) -> tuple[list[str], list[str]]:
    before = [START, *words[:start]][-2:] if start < 2 else list(words[start - 2 : start])  # noqa: PLR2004
    return before, list(words[end : end + 1]) or [END]
