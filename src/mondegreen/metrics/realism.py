"""Realism: can a classifier tell simulated recogniser errors from real ones?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from mondegreen.errors import DataError
from mondegreen.language.simulation.marks import UNHEARD, unmarked
from mondegreen.language.simulation.units import Words, words_of
from mondegreen.text.segment import split

FOLDS = 5
FEWEST = 20
"""The fewest utterances with errors on both sides that can be judged."""
_BINS = 6
_REAL, _MADE = "real", "made"
_RARE = 2  # a word feature must occur this often
_PENALTY = 5.0
_SHOWN = 12
_MEASURES = (
    "substitutions per word", "deletions per word", "insertions per word", "substitutions",
    "deletions", "insertions", "errors side by side", "words of the hypothesis", "alike in letters",
    "misheard parts alike", "letters per lost word", "letters per new word", "place of first error",
    "place of last error", "errors per word",
)  # fmt: skip


class Tell(NamedTuple):
    """Something that gives simulated errors away.

    ``real`` and ``made`` are how many of 100 utterances have it; ``weight`` is positive where it
    is typical of real errors.
    """

    feature: str
    weight: float
    real: float
    made: float


@dataclass(frozen=True)
class Realism:
    """How well a classifier separates real from simulated errors.

    ``auc`` is the chance that it ranks a real hypothesis above a simulated one: 0.5 if it cannot
    tell them apart, 1 if it always can. ``n`` is the number of utterances with errors on both
    sides; ``tells`` are the features that separate best.
    """

    auc: float
    n: int
    tells: tuple[Tell, ...]
    real: Mapping[str, float]
    made: Mapping[str, float]

    def record(self) -> dict[str, object]:
        """Return the result as plain values."""
        tells = [tell._asdict() for tell in self.tells]
        sides = {"real": dict(self.real), "made": dict(self.made)}
        return {"auc": self.auc, "n": self.n, "tells": tells, **sides}


def realism(refs: Sequence[str], real: Sequence[str], made: Sequence[str]) -> Realism:
    """Judge simulated hypotheses by how well a classifier separates them from real ones.

    Utterances without errors on one side are left out, and those in which the recogniser wrote a
    mark such as ``<unk>`` instead of a word. In scripts without spaces, each character is a word.
    The classifier is a logistic regression on words and on counts of errors, tested on references
    that it was not trained on.

    Args:
        refs: what was said.
        real: what a recogniser made of it.
        made: what was simulated.

    Raises:
        DataError: if too few utterances have errors on both sides.
    """
    rows = _rows(refs, real, made)
    n = len(rows) // 2
    if n < FEWEST:
        raise DataError(
            f"{n} utterances have errors in the real and in the simulated hypotheses; at least "
            f"{FEWEST} are needed to judge"
        )
    measures = np.array([row.measures for row in rows])
    features = _features(rows, measures)
    fold = np.array([_fold(row.ref) for row in rows])
    truth = np.array([row.real for row in rows])
    scores = np.zeros(len(rows))
    for test in sorted(set(fold.tolist())):
        there, elsewhere = np.flatnonzero(fold == test), np.flatnonzero(fold != test)
        if len(elsewhere):
            scores[there] = _Classifier(features, truth, elsewhere).scores(features, there)
    sides = [dict(zip(_MEASURES, measures[truth == side].mean(0).round(4).tolist(), strict=True))
             for side in (True, False)]  # fmt: skip
    return Realism(_auc(scores, truth), n, _tells(features, truth), *sides)


class _RealismRow(NamedTuple):
    ref: Words
    real: bool
    words: tuple[str, ...]
    measures: tuple[float, ...]


def _rows(refs: Sequence[str], real: Sequence[str], made: Sequence[str]) -> list[_RealismRow]:
    rows = []
    said_by, real, _ = unmarked(refs, real)
    for ref, first, second in zip(said_by, real, unmarked(refs, made).hyps, strict=True):
        said, *heard = (words_of(" ".join(split(text))) for text in (ref, first, second))
        if said and all(hyp != said and UNHEARD not in hyp for hyp in heard):
            rows += [_described(said, hyp, real=i == 0) for i, hyp in enumerate(heard)]
    return rows


def _described(ref: Words, hyp: Words, *, real: bool) -> _RealismRow:
    found = Levenshtein.editops(ref, hyp)
    steps = [(step.tag, step.src_pos, step.dest_pos) for step in found]
    counts = Counter(tag for tag, _, _ in steps)
    lost = [ref[i] for tag, i, _ in steps if tag != "insert"]
    came = [hyp[j] for tag, _, j in steps if tag != "delete"]
    size = len(ref)
    kinds = [counts[tag] for tag in ("replace", "delete", "insert")]
    beside = sum(a[1] + 1 == b[1] for a, b in zip(steps, steps[1:], strict=False))  # noqa: RUF007
    measures = (
        *(count / size for count in kinds),
        *kinds,
        beside,
        len(hyp),
        Levenshtein.normalized_similarity(" ".join(ref), " ".join(hyp)),
        Levenshtein.normalized_similarity("".join(lost), "".join(came)),
        _mean_length(lost),
        _mean_length(came),
        steps[0][1] / size,
        steps[-1][1] / size,
        len(steps) / size,
    )
    words = (
        *(f"lost {word!r}" for word in lost),
        *(f"new {word!r}" for word in came),
        *(f"{a!r} heard as {b!r}" for a, b in zip(lost, came, strict=False)),
        *(f"wrote {' '.join(pair)!r}" for pair in zip(("<s>", *hyp), (*hyp, "</s>"), strict=True)),
    )
    return _RealismRow(ref, real, words, tuple(map(float, measures)))


def _mean_length(words: Sequence[str]) -> float:
    return sum(map(len, words)) / len(words) if words else 0.0


def _features(rows: Sequence[_RealismRow], measures: NDArray[np.float64]) -> list[list[str]]:
    """Return the features of each row: its words, and in which part of its range a measure is."""
    often = Counter(word for row in rows for word in set(row.words))
    cuts = np.quantile(measures, np.linspace(0, 1, _BINS + 1)[1:-1], axis=0)
    found = []
    for row, values in zip(rows, measures, strict=True):
        words = [word for word in set(row.words) if often[word] >= _RARE]
        parts = (np.searchsorted(np.unique(cuts[:, i]), v, "right") for i, v in enumerate(values))
        found.append(
            sorted(words) + [f"{_MEASURES[i]}: {part + 1}" for i, part in enumerate(parts)]
        )
    return found


def _fold(ref: Words) -> int:
    return blake2b(" ".join(ref).encode(), digest_size=2).digest()[0] % FOLDS


class _Classifier:
    """Logistic regression: a CRF on sequences of one."""

    def __init__(
        self, features: Sequence[list[str]], truth: NDArray[np.bool_], rows: NDArray[np.int64]
    ) -> None:
        import pycrfsuite

        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c1": 0.0, "c2": _PENALTY, "max_iterations": 100})
        for row in rows:
            trainer.append([features[row]], [_REAL if truth[row] else _MADE])
        self._tagger = pycrfsuite.Tagger()
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            trainer.train(str(path))
            self._model = path.read_bytes()  # kept, for the tagger does not copy it
        self._tagger.open_inmemory(self._model)

    def scores(self, features: Sequence[list[str]], rows: NDArray[np.int64]) -> list[float]:
        """Return the probability that each row is real."""
        found = []
        for row in rows:
            self._tagger.set([features[row]])
            found.append(self._tagger.marginal(_REAL, 0))
        return found

    def weights(self) -> dict[str, float]:
        """Return how typical of real errors each feature is."""
        weights: Counter[str] = Counter()
        for (feature, label), weight in self._tagger.info().state_features.items():
            weights[feature] += weight if label == _REAL else -weight
        return dict(weights)


def _auc(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """Return the chance that a real row ranks above a simulated one; ties count half."""
    values, places = np.unique(scores, return_inverse=True)
    counts = np.bincount(places, minlength=len(values))
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    real, made = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - real * (real + 1) / 2) / (real * made))


def _tells(features: Sequence[list[str]], truth: NDArray[np.bool_]) -> tuple[Tell, ...]:
    """Return the features with the largest weight times difference in frequency."""
    weights = _Classifier(features, truth, np.arange(len(truth))).weights()
    shares = [
        Counter(
            name for row, real in zip(features, truth, strict=True) if real == side for name in row
        )
        for side in (True, False)
    ]
    scale = 100 / float(truth.sum())
    found = [
        Tell(name, round(weight, 3), *(round(share[name] * scale, 2) for share in shares))
        for name, weight in weights.items()
    ]
    found = [tell for tell in found if tell.weight * (tell.real - tell.made) > 0]
    found.sort(key=lambda tell: (-abs(tell.weight * (tell.real - tell.made)), tell.feature))
    return tuple(found[:_SHOWN])
