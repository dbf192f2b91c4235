"""pssteval's two evaluations: of transcripts, and of predictions of correctness."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import click

from mondegreen.compat.pssteval.analysis import ErrorAnalysisDict, analysis_of
from mondegreen.data.pairs.columns import HYPOTHESES, REFERENCES
from mondegreen.data.pairs.texts import Side, read_texts
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError
from mondegreen.metrics.correctness import CORRECTNESS, correctness, truth
from mondegreen.metrics.phonemes import phonemes

logger = logging.getLogger("pssteval")


class AsrOutputRow(NamedTuple):
    """One transcript of a recogniser."""

    utterance_id: str
    asr_transcript: str


def load_asr_output(filename: Path | str) -> tuple[AsrOutputRow, ...]:
    """Read the columns ``utterance_id`` and ``asr_transcript``."""
    file = read_texts(Side(Path(filename)), HYPOTHESES)
    return tuple(map(AsrOutputRow, file.ids, file.texts))


def evaluate_asr(
    filename: Path | str,
    reference: Path | str,
    n_jobs: int | None = None,  # noqa: ARG001 (one process is faster)
    log_level: str = "INFO",
) -> ErrorAnalysisDict:
    """Return the analysis of transcripts, and log FER and PER.

    Args:
        filename: a table with the columns ``utterance_id`` and ``asr_transcript``.
        reference: a table with the columns ``utterance_id`` and ``transcript``; it may have more
            utterances.
        n_jobs: of no effect: a corpus takes less than a second.
        log_level: the level of the logger ``pssteval``.

    Raises:
        DataError: if an utterance has no reference, or a phoneme is unknown.
    """
    logger.setLevel(log_level)
    hyps = read_texts(Side(Path(filename)), HYPOTHESES)
    refs = read_texts(Side(Path(reference)), REFERENCES)
    score = phonemes(_found(refs, hyps), hyps.texts, ids=hyps.ids)
    analysis = analysis_of(score)
    logger.info(
        "ASR metrics for `%s`    FER: %s    PER: %s",
        Path(reference).name,
        _percent(analysis.fer),
        _percent(analysis.per),
    )
    return analysis


def _percent(rate: float | None) -> str:
    return "undefined" if rate is None else f"{100 * rate:.1f}%"


def _found(refs: Transcripts, hyps: Transcripts) -> list[str]:
    """Return the reference of each utterance; warn if some references are not used."""
    known = dict(zip(refs.ids, refs.texts, strict=True))
    unknown = [id for id in hyps.ids if id not in known]
    if unknown:
        raise DataError(
            f"{hyps.path}: {refs.path} has no utterance {unknown[0]!r}, and "
            f"{len(unknown) - 1:,} others are missing too"
        )
    if len(hyps.ids) < len(refs.ids):
        logger.warning(
            "%s has %d of the %d utterances of %s.",
            hyps.path,
            len(hyps.ids),
            len(refs.ids),
            refs.path,
        )
    return [known[id] for id in hyps.ids]


class ErrorSummary(NamedTuple):
    """Right and wrong predictions; it prints as pssteval's confusion matrix and metrics."""

    tp: int
    tn: int
    fp: int
    fn: int

    @classmethod
    def build(cls, y_true: Sequence[bool], y_pred: Sequence[bool]) -> Self:
        """Count the predictions.

        >>> ErrorSummary.build([True, True, False], [True, False, False])
        ErrorSummary(tp=1, tn=1, fp=0, fn=1)
        """
        sums = correctness(list(y_true), list(y_pred)).sums()
        names = ("true_positives", "true_negatives", "false_positives", "false_negatives")
        return cls(*(int(sums[name]) for name in names))

    def precision(self) -> float | None:
        """Return the share of the predictions True that are right."""
        return _ratio(self.tp, self.tp + self.fp)

    def recall(self) -> float | None:
        """Return the share of the true utterances that are predicted True."""
        return _ratio(self.tp, self.tp + self.fn)

    def f1(self) -> float | None:
        """Return the harmonic mean of precision and recall."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def specificity(self) -> float | None:
        """Return the share of the false utterances that are predicted False."""
        return _ratio(self.tn, self.tn + self.fp)

    def accuracy(self) -> float | None:
        """Return the share of the predictions that are right."""
        return _ratio(self.tp + self.tn, sum(self))

    def __str__(self) -> str:
        tp, tn, fp, fn = self
        rows = [
            "              True   False   Total",
            f"Pred True    {tp:>5} {fp:>7} {tp + fp:>7}",
            f"Pred False   {fn:>5} {tn:>7} {fn + tn:>7}",
            f"Totals       {tp + fn:>5} {fp + tn:>7} {sum(self):>7}",
            "",
            f"F1 score:    {_shown(self.f1())}",
            f"Precision:   {_shown(self.precision())}",
            f"Recall:      {_shown(self.recall())}",
            f"Accuracy:    {_shown(self.accuracy())}",
            "",
        ]
        return "\n".join(rows)


def _ratio(numerator: int, denominator: int) -> float | None:
    return numerator / denominator if denominator else None


def _shown(rate: float | None) -> str:
    return "undefined" if rate is None else f"{rate:.3f}"


def evaluate_correctness(
    filename: Path | str, reference: Path | str, log_level: str = "INFO"
) -> ErrorSummary:
    """Print the confusion matrix, F1, precision, recall and accuracy of predictions.

    Args:
        filename: a table with the columns ``utterance_id`` and ``prediction``.
        reference: a table with the columns ``utterance_id`` and ``correctness``.
        log_level: the level of the logger ``pssteval``.

    Raises:
        DataError: if an utterance has no reference, or a value is neither True nor False.
    """
    logger.setLevel(log_level)
    hyps = read_texts(Side(Path(filename)), CORRECTNESS.heard)
    refs = read_texts(Side(Path(reference)), CORRECTNESS.said)
    summary = ErrorSummary.build(
        [truth(text) for text in _found(refs, hyps)], [truth(text) for text in hyps.texts]
    )
    click.echo(summary)
    return summary
