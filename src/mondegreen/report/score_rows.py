"""Read the rows of a score (``score … --items FILE``), one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.errors import DataError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Metric


def metric_of(path: Path, row: Mapping[str, Any]) -> Metric:
    """Return the metric of a file, by its first row."""
    parts = str(row.get("signature", "")).split("|")
    name = str(row.get("metric", "")) or (parts[1] if len(parts) > 1 else "")
    if not name:
        raise DataError(
            f"{path}: the first row does not name its metric; write the file again with: "
            f"score … --items {path}"
        )
    try:
        return METRICS.named(name)
    except PluginError as error:
        raise DataError(f"{path}: {error}") from None


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file.

    Raises:
        DataError: if the file cannot be read, or if a line is not a row.
    """
    decoder = msgspec.json.Decoder(dict[str, Any])
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    row = decoder.decode(line)
                except msgspec.MsgspecError as error:
                    raise DataError(
                        f"{path}, line {number}: not a row of a score: {error}"
                    ) from None
                if "id" not in row:
                    raise DataError(
                        f"{path}, line {number}: there is no id; write rows with: score … --items"
                    )
                yield row
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
