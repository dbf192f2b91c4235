"""The attention of a model in its worst utterances, stored in the run beside its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from mondegreen.data.records import utterance_of
from mondegreen.errors import DataError, ModelError
from mondegreen.models.loading import MODELS, load_model
from mondegreen.models.protocol import Model
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.store import connect, translate_errors

_TABLE = "CREATE TABLE IF NOT EXISTS attention (number INTEGER PRIMARY KEY, weights TEXT NOT NULL)"
_WORST = (
    "SELECT number, utterance FROM items WHERE wrong > 0 "
    "ORDER BY loss DESC, {totals} number LIMIT ?"
)


class Attention(NamedTuple):
    """The attention from each token to each token of one utterance; rows sum to 1."""

    number: int
    tokens: list[str]
    weights: list[list[float]]


def attend(path: Path, model: Model | str | None = None, *, n: int = 100) -> Iterator[Attention]:
    """Yield the attention of a run's model in the ``n`` worst utterances, and store it in the run.

    Args:
        path: a run.
        model: the model of the run, or its name; by default the folder that the run has stored. A
            function, a program or a server is not started because a run names it.
        n: maximum number of wrong utterances; those with the greatest loss come first.

    Raises:
        DataError: if the file is not a run, or if it is a run of another model.
        ModelError: if the model has no attention.
    """
    with open_run(path) as run:
        meta, metric = run.meta, run.metric
    loaded = model if isinstance(model, Model) else load_model(model or _stored(path, meta))
    try:
        if loaded.signature != meta["model"]:
            raise DataError(
                f"{path}: is a run of {meta['model']}, not of {loaded.signature}; give the model "
                "of the run"
            )
        with translate_errors(path):
            connection = connect(path, "rwc")
        try:
            with connection:
                connection.execute(_TABLE)
            worst = _WORST.format(totals="".join(f"{name} DESC, " for name in metric.totals))
            rows = iter(connection.execute(worst, [n]).fetchall())
            while chunk := list(islice(rows, loaded.batch)):
                found = list(_ask(loaded, chunk))
                with connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO attention VALUES (?, ?)",
                        ((one.number, msgspec.json.encode(one.weights).decode()) for one in found),
                    )
                yield from found
        finally:
            connection.close()
    finally:
        if loaded is not model:
            loaded.close()


def _stored(path: Path, meta: Mapping[str, str]) -> str:
    """Return the model that a run names, if it is a folder.

    Raises:
        DataError: if it is anything that would be imported, started or asked.
    """
    spec = meta["model_spec"]
    if not Path(spec).is_dir() or spec.partition(":")[0] in MODELS:
        raise DataError(
            f"{path}: is a run of {spec}, which is not a folder that is here; name the model of "
            "the run yourself: --model MODEL"
        )
    return spec


def attention_of(run: Run, number: int) -> list[list[float]] | None:
    """Return the stored attention of an item; ``None`` if it was not stored."""
    known = run.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'attention'")
    if known.fetchone() is None:
        return None
    query = "SELECT weights FROM attention WHERE number = ?"
    row = run.connection.execute(query, [number]).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=list[list[float]])


def _ask(model: Model, rows: list[tuple[int, str]]) -> Iterator[Attention]:
    batch = [utterance_of(msgspec.json.decode(text), str(number)) for number, text in rows]
    found = model.attention(batch)
    if found is None:
        raise ModelError(f"{model.signature} has no attention; use joint-bert or stack-prop")
    for (number, _), utterance, weights in zip(rows, batch, found, strict=True):
        rounded = [[round(weight, 4) for weight in row] for row in weights]
        yield Attention(number, list(utterance.tokens), rounded)
