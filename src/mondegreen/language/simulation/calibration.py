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
from mondegreen.language.simulation.outcomes import JOINED, KINDS, kind_of
from mondegreen.language.simulation.profile import Profile
from mondegreen.language.simulation.simulator import Simulator, level_of
from mondegreen.language.simulation.units import Pair, Unit, Words, units

LEVELS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75)
_TRIED = 3000  # pairs on which the error rates are matched
_ROUNDS = 4


class Part(NamedTuple):
    """The profile of a part of the pairs, and the other pairs, whose references are new to it."""

    profile: Profile
    new: Sequence[Pair]


def calibrated(whole: Profile, parts: Sequence[Part]) -> Profile:
    """Match the shares of the kinds of error, then the error rates asked for.

    Args:
        whole: the profile to calibrate.
        parts: profiles of parts of the pairs, on which the errors are matched.
    """
    total = sum(len(part.new) for part in parts)
    parts = [Part(profile, new[:: max(1, total // _TRIED)]) for profile, new in parts]
    wanted = _shares(unit for part in parts for pair in part.new for unit in pair.units)
    trials = [
        _Trial(Simulator(profile), [pair.ref for pair in new] * max(1, _TRIED // total))
        for profile, new in parts
    ]
    for _ in range(_ROUNDS):
        made = _shares(
            unit for trial in trials for pair in trial.made(0.0) for unit in units(*pair)
        )
        *shifts, more = np.log(wanted / made).tolist()
        whole = _shifted(whole, shifts, more)
        trials = [trial.shifted(shifts, more) for trial in trials]
    return replace(whole, levels=_levels(trials))


def _shifted(profile: Profile, shifts: Sequence[float], more: float) -> Profile:
    """Return a profile that has more or fewer errors of each kind, and more additions."""
    sums = tuple(old + new for old, new in zip(profile.shifts, shifts, strict=True))
    return replace(profile, shifts=sums, gaps=(profile.gaps[0] + more, *profile.gaps[1:]))


class _Trial(NamedTuple):
    """A simulator and references to try it on."""

    simulator: Simulator
    refs: Sequence[Words]

    def shifted(self, shifts: Sequence[float], more: float) -> _Trial:
        """Return the trial with another profile, which remembers the candidates of words."""
        profile = _shifted(self.simulator.profile, shifts, more)
        return _Trial(Simulator(profile, self.simulator.choices), self.refs)

    def keyed(self) -> Iterator[tuple[Words, int]]:
        """Yield the references and the keys of their draws."""
        return ((ref, key(b"%d" % i, " ".join(ref))) for i, ref in enumerate(self.refs))

    def made(self, level: float) -> Iterator[tuple[Words, Words]]:
        """Yield the references and what becomes of them at a level of log odds."""
        return ((ref, self.simulator.hypothesis(ref, one, 0.0, level)) for ref, one in self.keyed())

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
        wrong = sum(Levenshtein.distance(*pair) for trial in trials for pair in trial.made(level))
        rate = goal * wrong / max(drawn, 1.0)
        if rate > found[-1][0]:
            found.append((rate, goal))
    return tuple(found)


def _shares(found: Iterable[Unit]) -> NDArray[np.float64]:
    """Return how often each kind of error happens, and additions at the end, among all errors."""
    counts = np.ones(len(KINDS) + 1)
    for start, end, heard in found:
        kind = kind_of(" ".join(heard)) if end - start == 1 else JOINED
        counts[kind if start < end else -1] += 1
    shares: NDArray[np.float64] = counts / counts.sum()
    return shares
