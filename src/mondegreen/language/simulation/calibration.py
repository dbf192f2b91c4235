"""Calibration of a profile: as many errors of each kind, and in all, as were asked for.

Errors that are drawn beside each other may look like others, some find no room, and words may be
new. What that changes is learnt from references that are new to a profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from mondegreen.kernel import key
from mondegreen.language.simulation.choices import NEARNESS, STEPS, nearness_of, step_of
from mondegreen.language.simulation.ears import Ear, ear_of
from mondegreen.language.simulation.kinds import KINDS, ONE, kind_of_unit
from mondegreen.language.simulation.marks import UNHEARD
from mondegreen.language.simulation.profile import RecogniserProfile
from mondegreen.language.simulation.simulator import Replacements, Simulator, level_of
from mondegreen.language.simulation.units import Pair, Words, units

LEVELS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75)
_TRIED = 3000  # pairs on which the kinds of error are matched
_MOST_WORDS = 60_000  # of these pairs, if they are repeated because there are few
_EACH = 4  # of these pairs, each fourth for the error rates, which need fewer
_ROUNDS = 4
_PRIOR = 5.0  # errors that a profile is worth before any was counted

Floats = NDArray[np.float64]


class HeldOut(NamedTuple):
    """The profile of a part of the pairs, and the other pairs, whose references are new to it."""

    profile: RecogniserProfile
    new: Sequence[Pair]


def calibrated(whole: RecogniserProfile, parts: Sequence[HeldOut]) -> RecogniserProfile:
    """Match the kinds of error and how unlike exchanged words are, then the error rates.

    Args:
        whole: the profile to calibrate.
        parts: profiles of parts of the pairs, on which the errors are matched.
    """
    total = sum(len(part.new) for part in parts)
    parts = [HeldOut(profile, new[:: max(1, total // _TRIED)]) for profile, new in parts]
    ear = ear_of(whole.language)
    wanted = _Counts.of((pair for part in parts for pair in part.new), ear)
    words = sum(len(pair.ref) for part in parts for pair in part.new)
    repeats = max(1, min(_TRIED // total, _MOST_WORDS // words))
    trials = [
        _Trial(Simulator(profile), [pair.ref for pair in new] * repeats) for profile, new in parts
    ]
    for _ in range(_ROUNDS):
        made = _Counts.of((pair for trial in trials for pair in trial.made(0.0)), ear)
        change = made.change_to(wanted)
        whole = change.of(whole)
        trials = [trial.changed(change) for trial in trials]
    fewer = [_Trial(simulator, refs[::_EACH]) for simulator, refs in trials]
    return replace(whole, levels=_levels(fewer))


class _Change(NamedTuple):
    """What makes errors of each kind more or less likely, additions, and replacements by steps."""

    kinds: Floats
    added: float
    nearness: Floats

    def of(self, profile: RecogniserProfile) -> RecogniserProfile:
        """Return a profile that is changed."""
        return replace(
            profile,
            shifts=tuple((self.kinds + profile.shifts).tolist()),
            gaps=(profile.gaps[0] + self.added, *profile.gaps[1:]),
            nearness=tuple(map(tuple, (self.nearness + profile.nearness).tolist())),
        )


class _Counts(NamedTuple):
    """How many errors there are of each kind, additions at the end, and replacements by steps.

    The replacements are by rows of nearness: of short and long words, without and with wrong
    neighbours.
    """

    kinds: Floats
    steps: Floats

    @classmethod
    def of(cls, pairs: Iterable[Pair], ear: Ear) -> _Counts:
        """Count the errors of pairs."""
        kinds, steps = np.zeros(len(KINDS) + 1), np.zeros((NEARNESS, STEPS))
        for ref, _, found in pairs:
            wrong = {i for start, end, _ in found for i in range(start, end)}
            for unit in found:
                start, end, heard = unit
                kind = kind_of_unit(unit) if start < end else -1
                kinds[kind] += 1
                if kind == ONE and UNHEARD not in heard:
                    alone = wrong.isdisjoint((start - 1, start + 1))
                    row = nearness_of(ref[start], alone=alone)
                    steps[row, step_of(ear.unlikeness(ref[start:end], heard))] += 1
        return cls(kinds, steps)

    def change_to(self, wanted: _Counts) -> _Change:
        """Return what changes the shares of these counts to those of others."""
        *kinds, added = _log_ratio(wanted.kinds, self.kinds).tolist()
        return _Change(np.array(kinds), added, _log_ratio(wanted.steps, self.steps))


def _log_ratio(wanted: Floats, made: Floats) -> Floats:
    """Return the logarithm of the ratio of shares; few counts want little to be changed."""
    share = (made + 0.5) / (made + 0.5).sum(-1, keepdims=True)
    goal = (wanted + _PRIOR * share) / (wanted.sum(-1, keepdims=True) + _PRIOR)
    found: Floats = np.log(goal / share)
    return found


class _Trial(NamedTuple):
    """A simulator and references to try it on."""

    simulator: Simulator
    refs: Sequence[Words]

    def changed(self, change: _Change) -> _Trial:
        """Return the trial with another profile, which remembers the candidates of words."""
        profile = change.of(self.simulator.profile)
        choices, several = self.simulator.replacements
        nearer = Replacements(choices.with_nearness(profile.nearness), several)
        return _Trial(Simulator(profile, nearer), self.refs)

    def keyed(self) -> Iterator[tuple[Words, int]]:
        """Yield the references and the keys of their draws."""
        return ((ref, key(b"%d" % i, " ".join(ref))) for i, ref in enumerate(self.refs))

    def hypotheses(self, level: float) -> Iterator[tuple[Words, Words]]:
        """Yield the references and what becomes of them at a level of log odds."""
        return ((ref, self.simulator.hypothesis(ref, one, 0.0, level)) for ref, one in self.keyed())

    def made(self, level: float) -> Iterator[Pair]:
        """Yield the same with their errors."""
        unlike = self.simulator.ear.unlikeness
        return (Pair(ref, hyp, units(ref, hyp, unlike)) for ref, hyp in self.hypotheses(level))

    def drawn(self, level: float) -> float:
        """Return how many errors are drawn at a level."""
        return sum(self.simulator.drawn(ref, one, level) for ref, one in self.keyed())


def _levels(trials: Sequence[_Trial]) -> tuple[tuple[float, float], ...]:
    """Return error rates of a text, and the rate of errors to draw for each.

    Errors that meet each other are fewer than those drawn; how many fewer is simulated.
    """
    odds = [odd for simulator, refs in trials for ref in refs for odd in simulator.odds.of(ref)]
    costs = [cost for simulator, refs in trials for ref in refs for cost in simulator.costs(ref)]
    total = sum(len(ref) for trial in trials for ref in trial.refs)
    found = [(0.0, 0.0)]
    for goal in LEVELS:
        level = level_of(odds, costs, goal * total)
        drawn = sum(trial.drawn(level) for trial in trials)
        wrong = sum(
            Levenshtein.distance(*pair) for trial in trials for pair in trial.hypotheses(level)
        )
        rate = goal * wrong / max(drawn, 1.0)
        if rate > found[-1][0]:
            found.append((rate, goal))
    return tuple(found)
