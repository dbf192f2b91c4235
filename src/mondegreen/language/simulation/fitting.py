"""Fitting a profile of a recogniser to pairs of reference and hypothesis."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from mondegreen.errors import DataError
from mondegreen.kernel import key
from mondegreen.language.pronunciations import prepare
from mondegreen.language.simulation.copula import dependence, kind_dependence
from mondegreen.language.simulation.outcomes import (
    JOINED,
    KINDS,
    LOST,
    Choices,
    Outcomes,
    Vocabulary,
    kind_of,
)
from mondegreen.language.simulation.profile import PLACES, VERSION, Profile, Rates
from mondegreen.language.simulation.regression import (
    fit_choices,
    fit_kinds,
    fit_odds,
    is_bad,
    sigmoid,
)
from mondegreen.language.simulation.simulator import Simulator, level_of
from mondegreen.language.simulation.units import Unit, Words, units, words_of

LEVELS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75)
_CALIBRATED = 1500  # pairs on which the error rates are matched
_ROUNDS = 4
_FEWEST = 100  # distinct references from which on some are held out
_HELD = 7
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
    some, others = _split(pairs)
    examples = [(pair.ref, pair.units) for pair in some]
    odds = fit_odds([pair.ref for pair in some], [pair.units for pair in some])
    common, neighbour = dependence([_at_rate(row, rates.wer) for row in odds.odds], odds.happened)
    on_progress("fitting", 2, 4)
    heard, joined, added = _outcomes(some)
    hyp_words = _most(Counter(word for pair in some for word in pair.hyp), _VOCABULARY)
    vocabulary = Vocabulary(hyp_words)
    kinds = fit_kinds(examples)
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
        runs=kind_dependence(_runs(some, Outcomes(kinds, heard, joined))),
        kinds=kinds,
        choices=fit_choices(examples, vocabulary),
        heard=heard,
        joined=joined,
        added=added,
        ref_words=Counter(word for pair in some for word in pair.ref),
        hyp_words=hyp_words,
        levels=((0.0, 0.0), (1.0, 1.0)),
    )
    on_progress("fitting", 3, 4)
    wanted = _shares(pairs)
    return _calibrated(profile, [pair.ref for pair in others], wanted, vocabulary)


def _split(pairs: Sequence[Pair]) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """Return pairs to fit and pairs with other references, on which the rates are matched."""
    distinct = sorted({pair.ref for pair in pairs})
    if len(distinct) < _FEWEST:
        return pairs, pairs
    held = set(distinct[::_HELD])
    return [p for p in pairs if p.ref not in held], [p for p in pairs if p.ref in held]


def _at_rate(odds: NDArray[np.float64], wer: float) -> NDArray[np.float64]:
    """Return the chances of sites in an utterance with this expected rate of errors."""
    level = level_of(odds.tolist(), [1.0] * len(odds), wer * (len(odds) // 2))
    return sigmoid(odds + level)


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
        bad = is_bad(pair.ref, pair.units)
        for i, unit in at.items():
            if i + 1 in at:
                found.append(
                    (
                        outcomes.kinds(pair.ref[i], i, len(pair.ref), bad=bad)[LOST],
                        outcomes.kinds(pair.ref[i + 1], i + 1, len(pair.ref), bad=bad)[LOST],
                        not unit.heard,
                        not at[i + 1].heard,
                    )
                )
    return found


def _calibrated(
    profile: Profile,
    held: Sequence[Words],
    wanted: NDArray[np.float64],
    vocabulary: Vocabulary,
) -> Profile:
    """Match the shares of the kinds of error, then the error rates asked for."""
    refs = list(held[:: max(1, len(held) // _CALIBRATED)])
    refs *= max(1, _CALIBRATED // len(refs))
    choices = Choices(profile.choices, profile.heard, profile.joined, vocabulary)
    for _ in range(_ROUNDS):
        made = _hypotheses(Simulator(profile, choices), refs, profile.rates.wer)
        shares = _shares([Pair(*pair, units(*pair)) for pair in zip(refs, made, strict=True)])
        excess = np.log(shares / wanted).tolist()
        kinds = (
            (row[0] - less, *row[1:]) for row, less in zip(profile.kinds, excess, strict=False)
        )
        profile = msgspec.structs.replace(
            profile,
            kinds=tuple(kinds),
            gaps=(profile.gaps[0] - excess[-1], *profile.gaps[1:]),
        )
    simulator = Simulator(profile, choices)
    levels = [(0.0, 0.0)]
    for level in LEVELS:
        hyps = _hypotheses(simulator, refs, level)
        made_rate = _rates(zip(refs, hyps, strict=True))["wer"]
        if made_rate > levels[-1][0]:
            levels.append((made_rate, level))
    return msgspec.structs.replace(profile, levels=tuple(levels))


def _shares(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Return how often each kind of error happens, and additions at the end, among all errors.

    Lost and added words are counted as the word error rate counts them.
    """
    counts = np.ones(len(KINDS) + 1)
    for start, end, heard in (unit for pair in pairs for unit in pair.units):
        if start < end:
            counts[JOINED if end - start > 1 else kind_of(" ".join(heard))] += 1
    rates = _rates((pair.ref, pair.hyp) for pair in pairs)
    total = sum(len(pair.ref) for pair in pairs)
    counts[LOST] = 1 + total * rates["deletions"]
    counts[-1] = 1 + total * rates["insertions"]
    shares: NDArray[np.float64] = counts / (total * rates["wer"] + 1)
    return shares


def _hypotheses(simulator: Simulator, refs: Sequence[Words], level: float) -> list[Words]:
    """Return what a simulator makes of references at a level."""
    return [
        simulator.hypothesis(ref, key(b"%d" % i, " ".join(ref)), level, aimed=True)
        for i, ref in enumerate(refs)
    ]
