"""The regressions of a profile: of which kind errors are, and which words are chosen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from mondegreen.language.simulation.choices import NEIGHBOURS, USUAL, WEIGHTS, candidates_of
from mondegreen.language.simulation.drawn import Around, Usage, surprisal
from mondegreen.language.simulation.kinds import (
    KINDS,
    OF_PLACE,
    OF_WORDS,
    Beside,
    Elsewhere,
    KnownWords,
    Seen,
    grade,
    kind_features,
    kind_of_unit,
    kind_place,
    kinds_before,
    next_word,
)
from mondegreen.language.simulation.marks import UNHEARD
from mondegreen.language.simulation.odds import bigrams
from mondegreen.language.simulation.units import Unit, Words
from mondegreen.language.simulation.vocabulary import Vocabulary
from mondegreen.language.vocabulary.ngram import END, NAT, START, trigram

_RIDGE = 1.0
_TRUST = 16.0  # the penalty of kinds that differ from those of another profile
_SETTLED = 1e-5
_HALVINGS = 8  # of a step that overshoots
_DAMPING = (0.0, 10.0, 100.0, 1e3, 1e4, 1e5)  # of a step that overshoots
SAMPLES = 1500
"""How many exchanged words the weights of choices are learnt from."""

_RIGHT, _DUE = (False, False, False), (True, False, False)
_LOST, _WRONG = (False, True, False), (False, False, True)

Floats = NDArray[np.float64]
Example = tuple[Words, Words, Sequence[Unit]]
Heard = Mapping[str, Mapping[str, int]]
Problem = tuple[Floats, int]  # the features of candidates, and which one was chosen


class KindProblems(NamedTuple):
    """The features of errors of words, and the kind of each."""

    features: Floats
    kinds: Sequence[int]

    def log_likelihood(self, weights: Sequence[Sequence[float]]) -> float:
        """Return the log likelihood of the kinds by some weights."""
        scores = self.features @ np.array(weights).T
        best = scores.max(-1)
        found = scores[np.arange(len(scores)), self.kinds] - best
        return float((found - np.log(np.exp(scores - best[:, None]).sum(-1))).sum())


def kind_problems(examples: Sequence[Example]) -> KindProblems:
    """Return what the kinds of error are learnt from.

    A simulator draws the errors of an utterance one after the other, and the kind of one depends
    on those beside it that were drawn before. Here, their order is random. What is known of
    words leaves out all pairs with the same reference.
    """
    rows, kinds = [], []
    rng = np.random.default_rng(0)
    same = defaultdict[Words, list[Example]](list)
    for example in examples:
        same[example[0]].append(example)
    seen = _seen(examples)
    known = {ref: KnownWords(seen, _seen(some)) for ref, some in same.items()}
    for ref, _, found in examples:
        bad = grade_of(found)
        state = {start: _DUE for start, end, _ in found if start < end}
        for at in rng.permutation(len(found)).tolist():
            start, end, heard = found[at]
            if start == end:
                continue
            beside = Beside(*state.get(start - 1, _RIGHT), *state.get(start + 1, _RIGHT))
            others = [one for i, one in state.items() if abs(i - start) > 1]
            elsewhere = Elsewhere(others.count(_LOST), others.count(_WRONG))
            of_word = kind_features(ref[start], next_word(ref, start), known[ref])
            of_place = kind_place(ref, start, bad, beside, elsewhere, known[ref])
            rows.append((*of_word, *of_place))
            kinds.append(kind_of_unit(found[at]))
            state |= dict.fromkeys(range(start, end), _WRONG if heard else _LOST)
    return KindProblems(np.array(rows).reshape(len(rows), OF_WORDS + OF_PLACE), kinds)


NO_KINDS = ((0.0,) * (OF_WORDS + OF_PLACE),) * len(KINDS)
"""Weights by which all kinds of error are alike."""


def fit_kinds(
    problems: KindProblems, usual: Sequence[Sequence[float]] = NO_KINDS
) -> tuple[tuple[float, ...], ...]:
    """Fit the kind of each error: multinomial logistic regression by Newton's method.

    Args:
        problems: the errors and their kinds.
        usual: the weights if there is nothing to learn from.
    """
    x, start = problems.features, np.array(usual)
    if not len(x):
        return tuple(tuple(row) for row in start.tolist())
    ridge = _RIDGE if usual is NO_KINDS else _TRUST
    y = np.eye(len(KINDS))[list(problems.kinds)]
    n, k = x.shape[1], len(KINDS)

    def gain(w: Floats) -> float:
        return problems.log_likelihood(w.tolist()) - ridge / 2 * float(((w - start) ** 2).sum())

    w, best = start, gain(start)
    for _ in range(12):
        p = _softmax(x @ w.T)
        gradient = ((y - p).T @ x - ridge * (w - start)).ravel()
        curvature = np.zeros((k * n, k * n))
        for a in range(k):
            for b in range(a, k):
                mass = p[:, a] * ((a == b) - p[:, b])
                block = (x * mass[:, None]).T @ x
                curvature[a * n : a * n + n, b * n : b * n + n] = block
                curvature[b * n : b * n + n, a * n : a * n + n] = block
        step = np.linalg.solve(curvature + ridge * np.eye(k * n), gradient).reshape(k, n)
        tried = (w + step / 2**i for i in range(_HALVINGS))
        better = ((gain(one), one) for one in tried)
        value, found = next((item for item in better if item[0] > best), (best, w))
        if np.abs(found - w).max() < _SETTLED:
            break
        w, best = found, value
    return tuple(tuple(row) for row in w.tolist())


def _seen(examples: Sequence[Example]) -> Seen:
    return Seen.of(
        kinds_before(examples),
        Counter(word for _, hyp, _ in examples for word in hyp),
        Counter(pair for _, hyp, _ in examples for pair in bigrams(hyp)),
    )


def _softmax(scores: Floats) -> Floats:
    e = np.exp(scores - scores.max(-1, keepdims=True))
    softmax: Floats = e / e.sum(-1, keepdims=True)
    return softmax


def grade_of(found: Iterable[Unit]) -> int:
    """Return the grade of an utterance by its errors; two words that become one are one."""
    return grade(sum(unit.end > unit.start for unit in found))


class HeardAs(NamedTuple):
    """A word that was heard as another one, between the words that were heard around it.

    ``wrong`` is how many of its neighbours in the reference were in error.
    """

    word: str
    heard: str
    around: Around
    wrong: int


class NewPairs(NamedTuple):
    """New pairs, and what is known of pairs with other references.

    Known are what words were heard as, what two words were heard as together, the words that the
    recogniser writes, and how usual two words in a row are.
    """

    new: Sequence[Example]
    heard: Heard
    joined: Heard
    vocabulary: Vocabulary
    usage: Usage

    def exchanges(self) -> list[HeardAs]:
        """Return the words of the new pairs that were heard as another one."""
        return [one for example in self.new for one in _exchanges(*example)]


class ChoiceProblems(NamedTuple):
    """Words that were never heard as another one before, and words that were."""

    new: Sequence[Problem]
    seen: Sequence[Problem]

    def log_likelihood(self, weights: Sequence[Sequence[float]]) -> float:
        """Return the log likelihood of what was heard by some weights."""
        rows = [np.array([*weights[i], *weights[i + 1]]) for i in (0, 2)]
        pairs = zip(self, rows, strict=True)
        return sum(log_likelihood(some, row, row) for some, row in pairs)


def choice_problems(parts: Sequence[NewPairs]) -> ChoiceProblems:
    """Return what is learnt of which word replaces a word.

    A recogniser also writes rare and made-up words that are no candidates. For such a word stands
    the one nearest in spelling among the candidates that were never heard by mistake.
    """
    exchanges = [(part, one) for part in parts for one in part.exchanges()]
    found: tuple[list[Problem], list[Problem]] = ([], [])
    for part, (word, drawn, around, wrong) in exchanges[:: max(1, len(exchanges) // SAMPLES)]:
        others, features, seen, _ = candidates_of(word, part.heard, part.vocabulary)
        rare = [other for other in others if other not in part.vocabulary.mistaken]
        gold = others.index(drawn if drawn in others else nearest(drawn, rare or others))
        context = part.usage.of(others, around), gains(others, around)
        features = np.column_stack([features, *context])
        features = np.column_stack([features, features * NEIGHBOURS[wrong]])
        found[seen].append((features, gold))
    return ChoiceProblems(*found)


def _usual_choices() -> tuple[tuple[float, ...], ...]:
    row = tuple(USUAL.get(i, 0.0) for i in range(WEIGHTS))
    return (row, (0.0,) * WEIGHTS) * 2


USUAL_CHOICES = _usual_choices()
"""The weights of choices if there is nothing to learn from."""


def fit_choices(
    problems: ChoiceProblems, usual: Sequence[Sequence[float]] = USUAL_CHOICES
) -> tuple[tuple[float, ...], ...]:
    """Fit which word replaces a word: weights, and how they change with wrong neighbours.

    Words that were never heard as another one have weights of their own.

    Args:
        problems: words that were heard as another one.
        usual: the weights if there is nothing to learn from.
    """
    starts = (np.array([*usual[i], *usual[i + 1]]) for i in (0, 2))
    found = [conditional_logit(some, start) for some, start in zip(problems, starts, strict=True)]
    return tuple(row for weights in found for row in (weights[:WEIGHTS], weights[WEIGHTS:]))


def nearest(word: str, others: Iterable[str]) -> str:
    """Return the nearest in spelling of some words."""
    return min(others, key=lambda other: Levenshtein.distance(other, word))


def gains(candidates: Sequence[str], around: Around) -> Floats:
    """Return how much less surprising each candidate is between its neighbours than alone."""
    nats = np.array(trigram().surprises(list(candidates), *around)) * NAT
    found: Floats = np.array([surprisal(one) for one in candidates]) - nats
    return found


def heard_around(hyp: Words, start: int, end: int) -> Around:
    """Return two words before a stretch and one after it, or the ends of the utterance."""
    return [START, *hyp[:start]][-2:], list(hyp[end : end + 1]) or [END]


def errors_around(examples: Iterable[Example]) -> Iterator[tuple[Words, Unit, Around]]:
    """Yield the reference of each error, the error, and the words that were heard around it.

    Errors whose words are unknown are left out.
    """
    for ref, hyp, found in examples:
        shift = 0
        for unit in found:
            start, end, heard = unit
            at = start + shift
            shift += len(heard) - (end - start)
            if UNHEARD not in heard:
                yield ref, unit, heard_around(hyp, at, at + len(heard))


def _exchanges(ref: Words, hyp: Words, found: Sequence[Unit]) -> Iterator[HeardAs]:
    errors = {i for unit in found for i in range(unit.start, unit.end)}
    for _, (start, end, heard), around in errors_around([(ref, hyp, found)]):
        if end - start == 1 and len(heard) == 1:
            wrong = (start - 1 in errors) + (start + 1 in errors)
            yield HeardAs(ref[start], heard[0], around, wrong)


def conditional_logit(problems: Sequence[Problem], usual: Floats) -> tuple[float, ...]:
    """Fit the weights of features by what was chosen: Newton's method, with a ridge penalty.

    Args:
        problems: the features of candidates, and which one was chosen.
        usual: the weights if there is nothing to learn from.
    """
    w, n = usual, len(usual)
    best = log_likelihood(problems, w, usual)
    for _ in range(30):
        gradient, curvature = _RIDGE * (usual - w), _RIDGE * np.eye(n)
        for features, gold in problems:
            p = _softmax(features @ w)
            mean = p @ features
            gradient = gradient + features[gold] - mean
            curvature += (features * p[:, None]).T @ features - np.outer(mean, mean)
        tried = (w + np.linalg.solve(curvature + damp * np.eye(n), gradient) for damp in _DAMPING)
        better = ((log_likelihood(problems, one, usual), one) for one in tried)
        value, found = next((item for item in better if item[0] > best), (best, w))
        if value <= best + _SETTLED * len(problems):
            break
        w, best = found, value
    return tuple(w.tolist())


def log_likelihood(problems: Sequence[Problem], w: Floats, usual: Floats) -> float:
    """Return the log likelihood of what was chosen, less a penalty for unusual weights."""
    total = -_RIDGE / 2 * float((w - usual) @ (w - usual))
    for features, gold in problems:
        scores = features @ w
        top = scores.max()
        total += float(scores[gold] - top - np.log(np.exp(scores - top).sum()))
    return total
