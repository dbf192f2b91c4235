"""The regressions of a profile: where errors fall, of which kind they are, and what is chosen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.language.ngram import END, NAT, START, trigram
from mondegreen.language.simulation.odds import places, word_features
from mondegreen.language.simulation.outcomes import (
    BAD,
    FREQUENCY,
    HEARD,
    JOINED,
    KINDS,
    OF_KIND,
    Vocabulary,
    kind_features,
    kind_of,
    kind_place,
    memory,
)
from mondegreen.language.simulation.units import Unit, Words

_RIDGE = 1.0
_ROUNDS = 3
_SETTLED = 1e-5
_SCALES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01)  # of a step that overshoots
_SAMPLES = 1000  # exchanged words from which the weights of choices are learnt

Floats = NDArray[np.float64]
Example = tuple[Words, Sequence[Unit]]


class FittedOdds(NamedTuple):
    """The weights of the log odds, and per utterance the log odds and the errors of its sites."""

    words: tuple[float, ...]
    gaps: tuple[float, ...]
    offsets: dict[str, float]
    odds: list[Floats]
    happened: list[Floats]


def fit_odds(refs: Sequence[Words], errors: Sequence[Sequence[Unit]]) -> FittedOdds:
    """Fit where errors begin, with an offset for each word, and where words are added."""
    seen = Counter(word for ref in refs for word in ref)
    same = _by_reference(refs)
    rows: list[tuple[float, ...]] = []
    gaps: list[tuple[float, ...]] = []
    tokens: list[str] = []
    wrong, free, opened, bounds = [], [], [], [0]
    for ref, found in zip(refs, errors, strict=True):
        place = places(ref)
        own = same[ref]
        rows += [
            (*word_features(word, seen[word] - own[word]), *around)
            for word, around in zip(ref, place.words, strict=True)
        ]
        gaps += place.gaps
        tokens += ref
        begins, covered, adds = [0.0] * len(ref), [1.0] * len(ref), [0.0] * (len(ref) + 1)
        for start, end, _ in found:
            if start == end:
                adds[start] = 1.0
                continue
            begins[start] = 1.0
            for other in range(start + 1, end):
                covered[other] = 0.0  # the second word of two that were heard as one
        wrong += begins
        free += covered
        opened += adds
        bounds.append(len(rows))
    x, y, weight = np.array(rows), np.array(wrong), np.array(free)
    words = sorted(seen)
    index = {word: i for i, word in enumerate(words)}
    of = np.array([index[token] for token in tokens])
    beta, offsets = _mixed(x, y, weight, of, len(words))
    g, z = np.array(gaps), np.array(opened)
    gamma = logistic(g, z, np.zeros(len(z)), np.ones(len(z)))
    odds, of_gap = x @ beta + offsets[of], g @ gamma
    sites = list(pairwise(bounds))
    return FittedOdds(
        tuple(beta.tolist()),
        tuple(gamma.tolist()),
        dict(zip(words, offsets.tolist(), strict=True)),
        [_interleaved(odds, of_gap, i, a, b) for i, (a, b) in enumerate(sites)],
        [_interleaved(y, z, i, a, b) for i, (a, b) in enumerate(sites)],
    )


def _interleaved(words: Floats, gaps: Floats, i: int, start: int, end: int) -> Floats:
    found = np.empty(2 * (end - start) + 1)
    found[1::2] = words[start:end]
    found[::2] = gaps[start + i : end + i + 1]
    return found


def _by_reference(refs: Sequence[Words]) -> dict[Words, Counter[str]]:
    """Count the words of all pairs with the same reference, to leave them out together."""
    counts: dict[Words, Counter[str]] = defaultdict(Counter)
    for ref in refs:
        counts[ref].update(ref)
    return counts


def _mixed(
    x: Floats, y: Floats, weight: Floats, of: NDArray[np.int64], n: int
) -> tuple[Floats, Floats]:
    """Fit logistic weights and an offset per word, shrunk by how much offsets vary."""
    offsets: Floats = np.zeros(n)
    curvature: Floats = np.ones(n)
    beta: Floats = np.zeros(x.shape[1])
    variance = 1.0
    for _ in range(_ROUNDS):
        beta = logistic(x, y, offsets[of], weight)
        base = x @ beta
        for _ in range(4):
            p = sigmoid(base + offsets[of])
            gradient = np.bincount(of, weight * (y - p), n) - offsets / variance
            curvature = np.asarray(np.bincount(of, weight * p * (1 - p), n) + 1 / variance, float)
            offsets = offsets + np.clip(gradient / curvature, -1, 1)
        variance = float(np.clip((offsets**2 + 1 / curvature).mean(), 0.1, 4))
    return beta, offsets


def sigmoid(x: Floats) -> Floats:
    """Return the chances of log odds."""
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


def logistic(x: Floats, y: Floats, offset: Floats, weight: Floats) -> Floats:
    """Fit logistic regression by Newton's method, with a small ridge penalty."""
    beta = np.zeros(x.shape[1])
    for _ in range(12):
        p = sigmoid(x @ beta + offset)
        gradient = x.T @ (weight * (y - p)) - _RIDGE * beta
        curvature = (x * (weight * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ x
        step = np.linalg.solve(curvature + _RIDGE * np.eye(len(beta)), gradient)
        beta = beta + step
        if np.abs(step).max() < _SETTLED:
            break
    return beta


def fit_kinds(examples: Sequence[Example]) -> tuple[tuple[float, ...], ...]:
    """Fit the kind of each error: multinomial logistic regression by Newton's method."""
    rows, kinds = [], []
    for ref, found in examples:
        bad = is_bad(ref, found)
        for start, end, heard in found:
            if start == end:
                continue
            rows.append((*kind_features(ref[start]), *kind_place(start, len(ref), bad=bad)))
            kinds.append(JOINED if end - start > 1 else kind_of(" ".join(heard)))
    if not rows:
        return ((0.0,) * (OF_KIND + 4),) * len(KINDS)
    x = np.array(rows)
    y = np.eye(len(KINDS))[kinds]
    n, k = x.shape[1], len(KINDS)
    w = np.zeros((k, n))
    for _ in range(12):
        p = _softmax(x @ w.T)
        gradient = ((y - p).T @ x - _RIDGE * w).ravel()
        curvature = np.zeros((k * n, k * n))
        for a in range(k):
            for b in range(k):
                mass = p[:, a] * ((a == b) - p[:, b])
                curvature[a * n : a * n + n, b * n : b * n + n] = (x * mass[:, None]).T @ x
        step = np.linalg.solve(curvature + _RIDGE * np.eye(k * n), gradient)
        w = w + step.reshape(k, n)
        if np.abs(step).max() < _SETTLED:
            break
    return tuple(tuple(row) for row in w.tolist())


def _softmax(scores: Floats) -> Floats:
    e = np.exp(scores - scores.max(-1, keepdims=True))
    softmax: Floats = e / e.sum(-1, keepdims=True)
    return softmax


def is_bad(ref: Words, found: Sequence[Unit]) -> bool:
    """Return whether much of an utterance is in error."""
    return sum(unit.end - unit.start for unit in found) >= BAD * len(ref)


def fit_choices(
    examples: Sequence[Example], vocabulary: Vocabulary
) -> tuple[tuple[float, ...], ...]:
    """Fit which word replaces a word, in utterances with few errors and in misheard ones."""
    memories, own, samples = _exchanges(examples)
    few, many = ([(r, i, h) for r, i, h, bad in samples if bad is kind] for kind in (False, True))
    return tuple(
        _fit_choices(some or few or many, memories, own, vocabulary) for some in (few, many)
    )


def _fit_choices(
    samples: Sequence[tuple[Words, int, str]],
    memories: Mapping[str, Counter[str]],
    own: Mapping[Words, Counter[tuple[str, str]]],
    vocabulary: Vocabulary,
) -> tuple[float, ...]:
    """Fit a conditional logit over the candidates.

    What pairs with the same reference contributed to the memory is left out, so that the weights
    hold for references that were never seen.
    """
    step = max(1, len(samples) // _SAMPLES)
    problems = []
    for ref, i, heard in samples[::step]:
        word = ref[i]
        mine = own[ref]
        seen = {
            other: count - mine[word, other]
            for other, count in memories[word].items()
            if count > mine[word, other]
        }
        candidates = vocabulary.near(word, [*seen, heard])
        others = [vocabulary.words[place] for place in candidates]
        gold = others.index(heard)
        features = vocabulary.features(word, candidates)
        left = vocabulary.counts.get(heard, 0) - sum(
            count for (_, other), count in mine.items() if other == heard
        )
        features[gold, FREQUENCY] = vocabulary.log_frequency(np.array([max(0.0, left)]))[0]
        features[gold, HEARD] = float(left > 0)
        counts = np.array([seen.get(other, 0) for other in others], float)
        before = [START, *ref[:i]][-2:]
        after = list(ref[i + 1 : i + 2]) or [END]
        fit = -np.array(trigram().surprises(others, before, after)) * NAT
        problems.append(
            (np.column_stack([features, memory(counts, sum(seen.values())), fit]), gold)
        )
    return _conditional_logit(problems)


def _exchanges(
    examples: Sequence[Example],
) -> tuple[
    dict[str, Counter[str]],
    dict[Words, Counter[tuple[str, str]]],
    list[tuple[Words, int, str, bool]],
]:
    memories: dict[str, Counter[str]] = defaultdict(Counter)
    own: dict[Words, Counter[tuple[str, str]]] = defaultdict(Counter)
    samples = []
    for ref, found in examples:
        bad = is_bad(ref, found)
        for start, end, heard in found:
            if end - start == 1 and len(heard) == 1:
                memories[ref[start]][heard[0]] += 1
                own[ref][ref[start], heard[0]] += 1
                samples.append((ref, start, heard[0], bad))
    return memories, own, samples


def _conditional_logit(problems: Sequence[tuple[Floats, int]]) -> tuple[float, ...]:
    if not problems:
        return (0.0,) * 22
    n = problems[0][0].shape[1]
    w = np.zeros(n)
    best = _log_likelihood(problems, w)
    for _ in range(15):
        gradient, curvature = -_RIDGE * w, _RIDGE * np.eye(n)
        for features, gold in problems:
            p = _softmax(features @ w)
            mean = p @ features
            gradient = gradient + features[gold] - mean
            curvature += (features * p[:, None]).T @ features - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        tried = (w + scale * step for scale in _SCALES)
        better = ((_log_likelihood(problems, one), one) for one in tried)
        value, found = next((item for item in better if item[0] > best), (best, w))
        if value <= best + _SETTLED * len(problems):
            break
        w, best = found, value
    return tuple(w.tolist())


def _log_likelihood(problems: Sequence[tuple[Floats, int]], w: Floats) -> float:
    total = -_RIDGE / 2 * float(w @ w)
    for features, gold in problems:
        scores = features @ w
        top = scores.max()
        total += float(scores[gold] - top - np.log(np.exp(scores - top).sum()))
    return total
