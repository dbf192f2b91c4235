"""Evaluate a model on a suite: ask about each distinct text once, store each batch at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from mondegreen import __version__
from mondegreen.data.files.places import remove_stale_lock
from mondegreen.engines import LOCAL, open_workers
from mondegreen.errors import DataError, ModelError, MondegreenError
from mondegreen.kernel import cores
from mondegreen.metrics import METRICS
from mondegreen.models.batching import STOP, Asking
from mondegreen.models.loading import (
    CONCURRENCY,
    RETRIES,
    TIMEOUT,
    TOOL_CHOICE,
    Reach,
    load_model,
)
from mondegreen.models.pooled import PooledModel
from mondegreen.models.protocol import Model
from mondegreen.models.wire import without_password
from mondegreen.runs.answering import Evaluation, OnProgress
from mondegreen.runs.judging import judge_of
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import compute_scores
from mondegreen.runs.store import Store, check_same
from mondegreen.runs.unknown_labels import unknown_labels
from mondegreen.suites.reading import Suite, open_suite

_ENCODER = msgspec.json.Encoder()


def evaluate(
    suite: Suite | Path | str,
    model: Model | Path | str,
    run: Path | str,
    *,
    force: bool = False,
    on_progress: OnProgress | None = None,
    on_finished: Callable[[Run], object] | None = None,
    batch: int | None = None,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    on_error: str = STOP,
    concurrency: int = CONCURRENCY,
    repeat: int = 1,
    metric: str = "",
    temperature: float | None = None,
    tool_choice: str = TOOL_CHOICE,
    max_tokens: int | None = None,
    engine: str = LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> Run:
    """Evaluate a model on every utterance of a suite, and store its answers and scores in a run.

    An interrupted run continues where it stopped; a finished run is opened without calling the
    model. Each distinct text is sent to the model once over all sets, or ``repeat`` times. A suite
    of cases of tool calls is scored by ``score calls``, any other by ``score slu``.

    Args:
        suite: a suite, or its folder.
        model: a model, or its name (see :func:`mondegreen.load_model`).
        run: the file of the run.
        force: start over, even if the run exists.
        on_progress: called with the number of items done and of all items.
        on_finished: called with a run that is finished already, so that the model is not asked.
        batch: utterances per batch; by default the model's preferred number.
        timeout: seconds that a batch may take, if the model is given by name.
        retries: how often a failed batch is sent again, if the model is an HTTP server.
        on_error: what to do about a text without an answer: ``stop``, so that the same call goes on
            later; ``retry``, as often as ``retries`` says, then stop; or ``skip``: ask again, and
            count a text that still has no answer as wrong.
        concurrency: how many batches are sent at the same time, if the model is an HTTP server.
        repeat: how often each text is asked; all answers are kept.
        metric: the metric that scores the answers, also of a plugin; by default calls for cases of
            tool calls, slu for all else.
        temperature: the temperature of an ``openai:`` model; by default the server's.
        tool_choice: the field of requests to an ``openai:`` model: ``auto``, ``required``, or
            ``named`` for the first tool.
        max_tokens: the longest answer of an ``openai:`` model; by default the server's limit.
        engine: where the model runs, if it is given by name: ``local``, ``processes`` or ``ray``.
        workers: how many processes or Ray workers; by default, as many as there are cores.
        address: the address of a Ray cluster.

    Raises:
        DataError: if the suite has changed since it was made, or if the file is a run of another
            suite or model.
        ModelError: naming the batch in which the model failed; finished batches are stored.
    """
    path = Path(run)
    cases = suite if isinstance(suite, Suite) else open_suite(suite)
    cases.check()
    reach = Reach(batch, timeout, retries, concurrency, temperature, tool_choice, max_tokens)
    loaded = _loaded(model, reach, engine, workers, address)
    if repeat < 1:
        raise DataError(f"repeat must be 1 or more, got {repeat}")
    judge = judge_of(cases, metric)
    asking = Asking(loaded, on_error, retries)
    try:
        scored = {"metric": METRICS.name_of(judge.metric), "repeat": str(repeat)}
        meta = _meta(cases, loaded, model) | scored
        finished = None if force else finished_run(path, meta)
        if finished is not None:
            remove_stale_lock(path)
            if on_finished is not None:
                on_finished(finished)
            return finished
        rows = _sets(cases, repeat)
        with Store.open(path, judge.metric, meta, rows, force=force) as store:
            Evaluation(cases, asking, judge, store, repeat, on_progress or _no_progress).run()
            store.finish(*scores_and_notes(path))
    finally:
        if loaded is not model:
            loaded.close()
    return open_run(path)


def _loaded(
    model: Model | Path | str,
    reach: Reach,
    engine: str,
    workers: int | None,
    address: str | None,
) -> Model:
    if isinstance(model, Model):
        if engine != LOCAL:
            raise ModelError("give the model by its name, so that every worker can load it")
        return model
    if engine == LOCAL:
        return load_model(model, **reach._asdict())
    return PooledModel(model, reach, open_workers(engine, workers, address), workers or cores())


def _no_progress(done: int, total: int) -> None:
    """Report no progress."""


def finished_run(path: Path, meta: dict[str, str]) -> Run | None:
    """Return a finished run of the same suite and model, opened read-only; else ``None``."""
    if not path.is_file() or path.stat().st_size == 0:
        return None
    try:
        run = open_run(path)
    except MondegreenError:
        return None  # opening the store raises the error
    try:
        if run.finished:
            check_same(path, run.meta, meta)
            return run
    except BaseException:
        run.close()
        raise
    run.close()
    return None


def scores_and_notes(path: Path) -> tuple[list[Sequence[Any]], dict[str, str]]:
    """Return the scores of a complete run, and the notes to store with them."""
    with open_run(path) as run:
        notes = {
            "finished": _now(),
            "strangers": _ENCODER.encode(unknown_labels(run)).decode(),
        }
        rows: list[Sequence[Any]] = [
            (set_name, *msgspec.structs.astuple(rate))
            for set_name, rates in compute_scores(run).items()
            for rate in rates.values()
        ]
        return rows, notes


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _meta(suite: Suite, model: Model, spec: Model | Path | str) -> dict[str, str]:
    return {
        "suite": suite.manifest.signature,
        "suite_folder": os.fspath(suite.folder.absolute()),
        "suite_sha": suite.manifest.sha,
        "source": suite.manifest.source.path,
        "hard_model": suite.manifest.hard,
        "model": model.signature,
        "model_spec": model.signature if isinstance(spec, Model) else without_password(str(spec)),
        "version": __version__,
        "started": _now(),
        "state": "running",
    }


def _sets(suite: Suite, repeat: int) -> list[tuple[Any, ...]]:
    rows, first = [], 0
    for number, entry in enumerate(suite.manifest.sets):
        rows.append(
            (
                number,
                entry.name,
                entry.kind,
                entry.operator,
                entry.amount,
                entry.draw,
                entry.n * repeat,
                entry.changed * repeat,
                first,
            )
        )
        first += entry.n * repeat
    return rows
