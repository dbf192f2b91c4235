"""Log scores to experiment trackers: MLflow and Weights & Biases."""

from __future__ import annotations

from typing import Any

from mondegreen.errors import MissingExtraError
from mondegreen.metrics.scores.score import Score


def figures(score: Score, prefix: str = "") -> dict[str, float]:
    """Return the rates of a score with their intervals, as flat numbers.

    >>> from mondegreen.score import words
    >>> sorted(figures(words(["play jazz"], ["play jaws"]), "test/"))[:3]
    ['test/cer', 'test/cer_high', 'test/cer_low']
    """
    found: dict[str, float] = {}
    for rate in score.estimates():
        values = {"": rate.value, "_low": rate.low, "_high": rate.high}
        found |= {
            f"{prefix}{rate.name}{suffix}": value
            for suffix, value in values.items()
            if value is not None
        }
    return found


def log_to_mlflow(score: Score, *, prefix: str = "", step: int | None = None) -> None:
    """Log rates, intervals and the signature to the active MLflow run.

    Raises:
        MissingExtraError: if MLflow is not installed.
    """
    try:
        import mlflow
    except ImportError:
        raise MissingExtraError.of("mlflow", "Logging to MLflow") from None
    mlflow.log_metrics(figures(score, prefix), step=step)
    mlflow.set_tag(f"{prefix}signature", score.signature)


def log_to_wandb(
    score: Score, *, prefix: str = "", step: int | None = None, run: Any = None
) -> None:
    """Log rates, intervals and the signature to Weights & Biases: to the active run, or a new one.

    Raises:
        MissingExtraError: if wandb is not installed.
    """
    try:
        import wandb
    except ImportError:
        raise MissingExtraError.of("wandb", "Logging to Weights & Biases") from None
    if run is None and wandb.run is None:
        wandb.init()
    target = wandb if run is None else run
    target.log(figures(score, prefix), step=step)
    config = wandb.config if run is None else run.config
    config.update({f"{prefix}signature": score.signature}, allow_val_change=True)
