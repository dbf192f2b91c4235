"""Evaluate a model on a suite: ask about each distinct text once, store each batch at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from mondegreen import __version__
from mondegreen.data.files.places import remove_stale_lock
from mondegreen.data.records import record_of
from mondegreen.data.states import states_of, worst_state
from mondegreen.engines import LOCAL, open_workers
from mondegreen.errors import DataError, ModelError, MondegreenError, ShiftedError
from mondegreen.kernel import cores
from mondegreen.metrics.calls.metric import CALLS
from mondegreen.models.batching import Answer, ask, losses, with_batch
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
from mondegreen.runs.judging import Judge, judge_of
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import compute_scores
from mondegreen.runs.schema import counts_of
from mondegreen.runs.store import Store, check_same
from mondegreen.runs.unknown_labels import unknown_labels
from mondegreen.runs.windows import Item, Window, key_of, said_key
from mondegreen.suites.reading import Suite, open_suite
from mondegreen.types import Prediction, Utterance

_WINDOW = 4096  # maximum number of items that are stored together
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Prediction)
_PARTS = [one for one in Prediction.__struct_fields__ if one not in ("id", "scores", "text")]
OnProgress = Callable[[int, int], object]
"""Called with the number of items done and the number of all items."""


def evaluate(
    suite: Suite | Path | str,
    model: Model | Path | str,
    run: Path | str,
    *,
    force: bool = False,
    on_progress: OnProgress | None = None,
    batch: int | None = None,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    concurrency: int = CONCURRENCY,
    repeat: int = 1,
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
        batch: utterances per batch; by default the model's preferred number.
        timeout: seconds that a batch may take, if the model is given by name.
        retries: how often a failed batch is sent again, if the model is an HTTP server.
        concurrency: how many batches are sent at the same time, if the model is an HTTP server.
        repeat: how often each text is asked; all answers are kept.
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
    judge = judge_of(cases)
    try:
        meta = _meta(cases, loaded, model) | {"metric": judge.metric.name, "repeat": str(repeat)}
        finished = None if force else finished_run(path, meta)
        if finished is not None:
            remove_stale_lock(path)
            return finished
        rows = _sets(cases, repeat)
        with Store.open(path, judge.metric, meta, rows, force=force) as store:
            _Evaluation(cases, loaded, judge, store, repeat, on_progress or _no_progress).run()
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


class _Evaluation:
    """The evaluation of one model on one suite, written to one store."""

    def __init__(
        self,
        suite: Suite,
        model: Model,
        judge: Judge,
        store: Store,
        repeat: int,
        on_progress: OnProgress,
    ) -> None:
        self.suite, self.model, self.judge, self.store = suite, model, judge, store
        self.repeat = repeat
        self.on_progress = on_progress
        self.done = store.done()
        self.total = repeat * sum(entry.n for entry in suite.manifest.sets)
        self.n = repeat * suite.manifest.sets[0].n
        self.original = store.wrong(0, min(self.done, self.n))
        self.shape = store.meta("answers")
        self.batches = int(store.meta("batches") or 0)
        self.tokens = msgspec.json.decode(store.meta("tokens") or "{}", type=dict[str, int])

    def run(self) -> None:
        """Answer and store every item that is not stored yet."""
        self.on_progress(self.done, self.total)
        try:
            for window in self._windows():
                self._answer(window)
                self._store(window)
                self.on_progress(self.done, self.total)
            self.model.finish()
        except ShiftedError:
            self.store.drop_tables()  # no answer can be trusted
            raise

    def _windows(self) -> Iterator[Window]:
        window = Window()
        for item in self._items():
            key = item.said_key, item.case.utterance.text
            window.items.append(item)
            if key not in window.new and key not in window.known:
                known = self.store.known(*key)
                if known is None:
                    window.new[key] = item
                else:
                    answer = Answer(_DECODER.decode(known.prediction), known.loss)
                    window.known[key] = answer, known.gold_key
            if len(window.new) == self.model.batch or len(window.items) == _WINDOW:
                yield window
                window = Window()
        if window.items:
            yield window

    def _items(self) -> Iterator[Item]:
        """Yield the items that are not stored yet."""
        first = 0
        for set_number, entry in enumerate(self.suite.manifest.sets):
            if first + entry.n * self.repeat > self.done:
                for place, case in enumerate(self.suite.cases(entry)):
                    one = case.utterance
                    gold_key = key_of(one.slots, one.label)
                    for attempt in range(self.repeat):
                        position = place * self.repeat + attempt
                        if first + position >= self.done:
                            yield Item(
                                first + position,
                                set_number,
                                entry.name,
                                position,
                                case,
                                said_key(one, attempt),
                                gold_key,
                            )
            first += entry.n * self.repeat

    def _answer(self, window: Window) -> None:
        """Ask the model about the new texts of a window."""
        if not window.new:
            return
        batch = [item.request() for item in window.new.values()]
        self.batches += 1
        try:
            answers = ask(self.model, batch)
            for utterance, answer in zip(batch, answers, strict=True):
                self._check_shape(utterance, answer.prediction)
        except ShiftedError:
            raise
        except ModelError as error:
            raise ModelError(
                f"{with_batch(error, self.batches, batch)}. Earlier batches are stored; run the "
                "same command again to continue"
            ) from None
        for (key, item), answer in zip(window.new.items(), answers, strict=True):
            window.known[key] = answer, item.gold_key

    def _check_shape(self, utterance: Utterance, prediction: Prediction) -> None:
        """Check that every answer has the same parts as the first one."""
        parts = {name: getattr(prediction, name) for name in _PARTS}
        shape = "+".join(name for name, value in parts.items() if value is not None)
        if self.shape is None:
            if self.judge.metric is CALLS and prediction.calls is None:
                raise ModelError(
                    f"utterance {utterance.id!r}: the suite expects tool calls, but the answer has "
                    "none; answer calls, or [] for none"
                )
            if utterance.label is None and prediction.slots is None and prediction.values is None:
                raise ModelError(
                    f"utterance {utterance.id!r}: the suite has only slots, but the model answers "
                    "only labels"
                )
            self.shape = shape
            self.store.note("answers", shape)
            self.store.note("unread", _ENCODER.encode(sorted(self.model.unread)).decode())
        if shape != self.shape:
            raise ModelError(
                f"utterance {utterance.id!r}: the answer has {shape or 'nothing'}, earlier answers "
                f"have {self.shape}; give the same parts in every answer"
            )

    def _store(self, window: Window) -> None:
        refs = [item.case.utterance for item in window.items]
        answers = [self._answer_to(item, window) for item in window.items]
        predictions = [answer.prediction for answer in answers]
        counts = self.judge.score(refs, predictions).counts
        wrong_column = self.judge.metric.columns.index("wrong")
        if len(self.original) < self.n:
            room = self.n - len(self.original)
            self.original += bytearray(counts[:room, wrong_column].astype("uint8").tobytes())
        columns = self.judge.metric.columns
        stored = counts[:, [columns.index(one) for one in counts_of(self.judge.metric)]].tolist()
        wrong = counts[:, wrong_column].tolist()
        rows = [
            self._row(item, answer, row, self.original[item.position] - is_wrong)
            for item, answer, row, is_wrong in zip(
                window.items, answers, stored, wrong, strict=True
            )
        ]
        self.store.note("batches", str(self.batches))
        self._note_tokens()
        self.store.add(rows, len(window.new))
        self.done += len(rows)

    def _note_tokens(self) -> None:
        """Add the tokens that the model has counted since the last window."""
        for name, n in self.model.take_tokens().items():
            self.tokens[name] = self.tokens.get(name, 0) + n
        if self.tokens:
            self.store.note("tokens", _ENCODER.encode(self.tokens).decode())

    def _answer_to(self, item: Item, window: Window) -> Answer:
        answer, gold_key = window.known[item.said_key, item.case.utterance.text]
        if gold_key != item.gold_key:  # the same text with another gold frame has another loss
            (loss,) = losses(self.model, [item.request()], [answer.prediction])
            answer = Answer(answer.prediction, loss)
        return answer.of(item.case.utterance.id)

    def _row(self, item: Item, answer: Answer, counts: list[int], flip: int) -> tuple[Any, ...]:
        utterance, parent, edits = item.case
        return (
            item.number,
            item.set_number,
            item.position,
            utterance.id,
            parent,
            edits[0]["operator"] if edits else "",
            worst_state(states_of(utterance)),
            next((str(value) for name, value in utterance.extra if name == "speaker"), None),
            utterance.text,
            utterance.label,
            answer.prediction.label,
            _ENCODER.encode(record_of(utterance)).decode(),
            _ENCODER.encode(edits).decode(),
            _ENCODER.encode(replace(answer.prediction, id=utterance.id)).decode(),
            *counts,
            answer.loss,
            flip,
            item.said_key,
            item.gold_key,
        )
