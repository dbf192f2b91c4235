"""Fitting a profile of a recogniser to pairs of reference and hypothesis."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from mondegreen.errors import DataError
from mondegreen.kernel import key
from mondegreen.language.pronunciations import prepare
from mondegreen.language.simulation.copula import dependence, kind_dependence
from mondegreen.language.simulation.odds import Odds
from mondegreen.language.simulation.outcomes import (
    JOINED,
    KINDS,
    LOST,
    Outcomes,
    kind_of,
    mistaken,
    reading,
    written_otherwise,
)
from mondegreen.language.simulation.profile import PLACES, VERSION, Habits, Profile, Rates
from mondegreen.language.simulation.regression import (
    FittedOdds,
    fit_additions,
    fit_choices,
    fit_kinds,
    fit_odds,
    grade_of,
)
from mondegreen.language.simulation.simulator import Simulator, level_of
from mondegreen.language.simulation.units import Unit, Words, units, words_of
from mondegreen.language.simulation.vocabulary import Vocabulary

LEVELS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75)
_CALIBRATED = 3000  # pairs on which the error rates are matched
_ROUNDS = 4
_FEWEST = 100  # distinct references from which on some are held out
_HELD = 7  # one reference in seven: the rates are matched on these
_NEW = 3  # one reference in three of the rest: the weights of words are fitted to these
_PHRASES = 3000  # added phrases to store per place
_OUTCOMES = 40_000  # outcomes of words to store, the most frequent ones
_VOCABULARY = 30_000


OnProgress = Callable[[str, int, int], None]


def _silent(description: str, done: int, total: int) -> None:
    """Show nothing."""


class Pair(NamedTuple):
    """A reference and a hypothesis as words, with the errors between them."""

    ref: Words
    hyp: Words
    units: list[Unit]


def fit_recogniser(
    refs: Sequence[str],
    hyps: Sequence[str],
    *,
    source: str = "",
    on_progress: OnProgress = _silent,
) -> Profile:
    """Fit a profile to what a recogniser made of references.

    Args:
        refs: what was said.
        hyps: what the recogniser wrote.
        source: the name of the pairs, which the profile stores.
        on_progress: called with a description, the stages done and all of them.

    Raises:
        DataError: if there are no pairs, or no errors in them.
    """
    pairs = _pairs(zip(refs, hyps, strict=True))
    rates = _rates_of(pairs)
    if not rates.wer:
        raise DataError(
            "the hypotheses have no errors, so there is nothing to learn; give pairs with errors"
        )
    on_progress("fitting", 1, 4)
    some, others = _split(pairs, _HELD)
    odds = fit_odds([pair.ref for pair in some], [pair.units for pair in some])
    common, neighbour = _dependence(odds, some, others)
    on_progress("fitting", 2, 4)
    heard, joined, added = _outcomes(some)
    hyp_words = _written(some)
    kinds, shifts = fit_kinds(some), (0.0,) * len(KINDS)
    choices, additions, habits = _weights(some)
    profile = Profile(
        version=VERSION,
        source=source,
        pairs=len(pairs),
        total=sum(len(pair.ref) for pair in pairs),
        rates=rates,
        words=odds.words,
        gaps=odds.gaps,
        offsets={word: round(offset, 3) for word, offset in odds.offsets.items() if offset},
        common=common,
        neighbour=neighbour,
        runs=kind_dependence(_runs(some, Outcomes(kinds, shifts, heard, joined))),
        kinds=kinds,
        shifts=shifts,
        choices=choices,
        heard=heard,
        joined=joined,
        added=added,
        additions=additions,
        habits=habits,
        ref_words=Counter(word for pair in some for word in pair.ref),
        hyp_words=hyp_words,
        levels=((0.0, 0.0), (1.0, 1.0)),
    )
    on_progress("fitting", 3, 4)
    wanted = _shares(pairs)
    return _calibrated(profile, [pair.ref for pair in others], wanted)


def _dependence(
    odds: FittedOdds, some: Sequence[Pair], others: Sequence[Pair]
) -> tuple[float, float]:
    """Return how errors go together in pairs to which the odds were not fitted."""
    seen = Counter(word for pair in some for word in pair.ref)
    of = Odds(odds.words, odds.gaps, odds.offsets, seen).of
    found = [np.array(of(pair.ref)) for pair in others]
    happened = [_happened(pair) for pair in others]
    level = level_of(
        np.concatenate(found).tolist(),
        [1.0] * sum(map(len, found)),
        float(sum(one.sum() for one in happened)),
    )
    return dependence([one + level for one in found], happened)


def _happened(pair: Pair) -> NDArray[np.float64]:
    """Return 1 for each site of an utterance in which an error begins."""
    found = np.zeros(2 * len(pair.ref) + 1)
    for start, end, _ in pair.units:
        found[2 * start + (start < end)] = 1.0
    return found


def _weights(
    pairs: Sequence[Pair],
) -> tuple[tuple[tuple[float, ...], ...], float, Habits]:
    """Fit the weights of replacements and additions to pairs by what is known of the others."""
    known, new = _split(pairs, _NEW)
    heard, _, added = _outcomes(known)
    vocabulary = Vocabulary(_written(known), mistaken(heard))
    habits = _habits(pairs, vocabulary)
    return fit_choices(new, heard, vocabulary), fit_additions(new, added), habits


def _habits(pairs: Sequence[Pair], vocabulary: Vocabulary) -> Habits:
    """Return how often words are written otherwise, where that is possible."""
    did, could = Counter[str](), Counter[str]()
    for ref, _, found in pairs:
        for start, end, heard in found:
            if end - start > 1:
                name, own = "together", "".join(ref[start:end])
                own = own if own in vocabulary.place else ""
            elif end > start and len(heard) > 1:
                name = "read" if reading(ref[start]) else "apart"
                own = written_otherwise(ref[start], min(len(heard), 3), vocabulary)
            else:
                continue
            could[name] += bool(own)
            did[name] += own == " ".join(heard)
    shares = {name: (did[name] + 0.1) / (could[name] + 1) for name in Habits.__struct_fields__}
    return Habits(**shares)


def _written(pairs: Sequence[Pair]) -> dict[str, int]:
    return _most(Counter(word for pair in pairs for word in pair.hyp), _VOCABULARY)


def _split(pairs: Sequence[Pair], parts: int) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """Return pairs, and a part of them with other references than the rest."""
    distinct = sorted({pair.ref for pair in pairs})
    if len(distinct) < _FEWEST:
        return pairs, pairs
    held = set(distinct[::parts])
    return [p for p in pairs if p.ref not in held], [p for p in pairs if p.ref in held]


def _pairs(texts: Iterable[tuple[str, str]]) -> list[Pair]:
    both = [(words_of(ref), words_of(hyp)) for ref, hyp in texts]
    kept = [(ref, hyp) for ref, hyp in both if ref]
    if not kept:
        raise DataError("no reference has a word; give pairs of reference and hypothesis")
    if len(kept) < len(both):
        warnings.warn(
            f"{len(both) - len(kept):,} of {len(both):,} pairs have an empty reference and are "
            "left out",
            stacklevel=3,
        )
    prepare({word for ref, hyp in kept for word in (*ref, *hyp)})
    return [Pair(ref, hyp, units(ref, hyp)) for ref, hyp in kept]


def _rates_of(pairs: Iterable[Pair]) -> Rates:
    return Rates(**_rates((pair.ref, pair.hyp) for pair in pairs))


def _rates(pairs: Iterable[tuple[Words, Words]]) -> dict[str, float]:
    steps: Counter[str] = Counter()
    total = 0
    for ref, hyp in pairs:
        steps.update(step.tag for step in Levenshtein.editops(ref, hyp))
        total += len(ref)
    return {
        "wer": sum(steps.values()) / total,
        "substitutions": steps["replace"] / total,
        "deletions": steps["delete"] / total,
        "insertions": steps["insert"] / total,
    }


def _outcomes(
    pairs: Sequence[Pair],
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    """Count what became of words, of two words together, and which words were added."""
    of_words: Counter[tuple[str, str]] = Counter()
    joined: dict[str, Counter[str]] = defaultdict(Counter)
    added: dict[str, Counter[str]] = {place: Counter() for place in PLACES}
    for pair in pairs:
        for start, end, words in pair.units:
            text = " ".join(words)
            if start == end:
                place = 0 if start == 0 else 2 if start == len(pair.ref) else 1
                added[PLACES[place]][text] += 1
            elif end - start == 1:
                of_words[pair.ref[start], text] += 1
            else:
                joined[" ".join(pair.ref[start:end])][text] += 1
    heard: dict[str, dict[str, int]] = {}
    for (word, text), count in of_words.most_common(_OUTCOMES):
        heard.setdefault(word, {})[text] = count
    return (
        heard,
        {words: dict(counts) for words, counts in joined.items()},
        {place: _most(counts, _PHRASES) for place, counts in added.items()},
    )


def _most(counts: Counter[str], n: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n])


def _runs(pairs: Sequence[Pair], outcomes: Outcomes) -> list[tuple[float, float, bool, bool]]:
    """Return neighbouring words in error: the probability that each is lost, and whether it is."""
    found = []
    for pair in pairs:
        at = {u.start: u for u in pair.units if u.end - u.start == 1}
        bad = grade_of(pair.units)
        for i, unit in at.items():
            if i + 1 in at:
                found.append(
                    (
                        outcomes.kinds(pair.ref, i, bad)[LOST],
                        outcomes.kinds(pair.ref, i + 1, bad)[LOST],
                        not unit.heard,
                        not at[i + 1].heard,
                    )
                )
    return found


def _calibrated(
    profile: Profile,
    held: Sequence[Words],
    wanted: NDArray[np.float64],
) -> Profile:
    """Match the shares of the kinds of error, then the error rates asked for."""
    refs = list(held[:: max(1, len(held) // _CALIBRATED)])
    refs *= max(1, _CALIBRATED // len(refs))
    choices = Simulator(profile).choices
    for _ in range(_ROUNDS):
        made = _hypotheses(Simulator(profile, choices), refs, 0.0)
        shares = _shares([Pair(*pair, units(*pair)) for pair in zip(refs, made, strict=True)])
        excess = np.log(shares / wanted).tolist()
        shifts = zip(profile.shifts, excess, strict=False)
        profile = msgspec.structs.replace(
            profile,
            shifts=tuple(old - less for old, less in shifts),
            gaps=(profile.gaps[0] - excess[-1], *profile.gaps[1:]),
        )
    return msgspec.structs.replace(profile, levels=_levels(Simulator(profile, choices), refs))


def _levels(simulator: Simulator, refs: Sequence[Words]) -> tuple[tuple[float, float], ...]:
    """Return error rates of a text, and the rate of errors to draw for each.

    Errors that meet each other are fewer than those drawn; how many fewer is simulated.
    """
    odds = [odd for ref in refs for odd in simulator.odds.of(ref)]
    costs = [cost for ref in refs for cost in simulator.costs(ref)]
    total = sum(map(len, refs))
    found = [(0.0, 0.0)]
    for goal in LEVELS:
        level = level_of(odds, costs, goal * total)
        drawn = sum(simulator.drawn(ref, one, level) for ref, one in _keyed(refs))
        made = zip(refs, _hypotheses(simulator, refs, level), strict=True)
        rate = goal * sum(Levenshtein.distance(*pair) for pair in made) / max(drawn, 1.0)
        if rate > found[-1][0]:
            found.append((rate, goal))
    return tuple(found)


def _shares(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Return how often each kind of error happens, and additions at the end, among all errors."""
    counts = np.ones(len(KINDS) + 1)
    for start, end, heard in (unit for pair in pairs for unit in pair.units):
        kind = kind_of(" ".join(heard)) if end - start == 1 else JOINED
        counts[kind if start < end else -1] += 1
    shares: NDArray[np.float64] = counts / counts.sum()
    return shares


def _hypotheses(simulator: Simulator, refs: Sequence[Words], level: float) -> list[Words]:
    """Return what a simulator makes of references at a level of log odds."""
    return [simulator.hypothesis(ref, one, 0.0, level) for ref, one in _keyed(refs)]


def _keyed(refs: Sequence[Words]) -> Iterator[tuple[Words, int]]:
    return ((ref, key(b"%d" % i, " ".join(ref))) for i, ref in enumerate(refs))
