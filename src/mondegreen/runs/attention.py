"""Where a model looked when it was wrong: attention, kept in a run beside its answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from mondegreen.data.records import utterance_of
from mondegreen.errors import DataError, ModelError
from mondegreen.models.loading import load_model
from mondegreen.models.protocol import Model
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.store import connect, translate_errors

_TABLE = "CREATE TABLE IF NOT EXISTS attention (number INTEGER PRIMARY KEY, weights TEXT NOT NULL)"
_WORST = (
    "SELECT number, utterance FROM items WHERE wrong > 0 "
    "ORDER BY loss DESC, {totals} number LIMIT ?"
)


class Look(NamedTuple):
    """One wrong utterance: how much each token looks at each, rows summing to 1."""

    number: int
    tokens: list[str]
    weights: list[list[float]]


def attend(path: Path, model: Model | str | None = None, *, n: int = 100) -> Iterator[Look]:
    """Ask a run's model where it looked in the ``n`` worst utterances, and keep that in the run.

    Args:
        path: a run.
        model: the model of the run, or how to reach it; where the run found it otherwise.
        n: how many of the wrong utterances, the worst first.

    Raises:
        DataError: if it is no run, or one of another model.
        ModelError: if the model has no attention.
    """
    with open_run(path) as run:
        meta, metric = run.meta, run.metric
    reached = model if isinstance(model, Model) else load_model(model or meta["model_spec"])
    try:
        if reached.signature != meta["model"]:
            raise DataError(
                f"{path}: a run of {meta['model']}, not of {reached.signature}; give its own model"
            )
        with translate_errors(path):
            connection = connect(path, "rwc")
        try:
            with connection:
                connection.execute(_TABLE)
            worst = _WORST.format(totals="".join(f"{name} DESC, " for name in metric.totals))
            rows = iter(connection.execute(worst, [n]).fetchall())
            while part := list(islice(rows, reached.batch)):
                looks = list(_looked(reached, part))
                with connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO attention VALUES (?, ?)",
                        ((one.number, msgspec.json.encode(one.weights).decode()) for one in looks),
                    )
                yield from looks
        finally:
            connection.close()
    finally:
        if reached is not model:
            reached.close()


def attention_of(run: Run, number: int) -> list[list[float]] | None:
    """Return where the model looked in an item, if the run was asked for it."""
    known = run.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'attention'")
    if known.fetchone() is None:
        return None
    find = "SELECT weights FROM attention WHERE number = ?"
    row = run.connection.execute(find, [number]).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=list[list[float]])


def _looked(model: Model, rows: list[tuple[int, str]]) -> Iterator[Look]:
    batch = [utterance_of(msgspec.json.decode(text), str(number)) for number, text in rows]
    found = model.attention(batch)
    if found is None:
        raise ModelError(f"{model.signature} gives no attention; joint-bert and stack-prop do")
    for (number, _), utterance, weights in zip(rows, batch, found, strict=True):
        rounded = [[round(weight, 4) for weight in row] for row in weights]
        yield Look(number, list(utterance.tokens), rounded)
