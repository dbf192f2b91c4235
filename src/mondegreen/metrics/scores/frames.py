"""The rows of a score as a data frame: one per utterance, with texts, rates and counts."""

from __future__ import annotations

from typing import Any

from mondegreen.errors import MissingExtraError
from mondegreen.metrics.scores.rows import rows
from mondegreen.metrics.scores.score import Score


def to_pandas(score: Score) -> Any:
    """Return a pandas data frame."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError.of("frames", "Data frames of pandas") from None
    return pd.DataFrame(list(rows(score)))


def to_polars(score: Score) -> Any:
    """Return a polars data frame."""
    try:
        import polars as pl
    except ImportError:
        raise MissingExtraError.of("frames", "Data frames of polars") from None
    return pl.DataFrame(list(rows(score)), infer_schema_length=None)


def to_arrow(score: Score) -> Any:
    """Return an Arrow table."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError.of("datasets", "Arrow tables") from None
    return pa.Table.from_pylist(list(rows(score)))
