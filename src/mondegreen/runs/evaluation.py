"""Evaluate a model on a suite: ask about each distinct text once, store each batch at once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from mondegreen import __version__
from mondegreen.data.records import record_of
from mondegreen.engines import LOCAL, open_workers
from mondegreen.errors import ModelError, MondegreenError, ShiftedError
from mondegreen.kernel import cores
from mondegreen.metrics.slu import COLUMNS, SLU, slu
from mondegreen.models.batching import Answer, ask, losses, with_batch
from mondegreen.models.loading import CONCURRENCY, RETRIES, TIMEOUT, Reach, load_model
from mondegreen.models.pooled import PooledModel
from mondegreen.models.protocol import Model
from mondegreen.models.wire import without_password
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import compute_scores
from mondegreen.runs.schema import counts_of
from mondegreen.runs.store import Store, check_same
from mondegreen.runs.unknown_labels import unknown_labels
from mondegreen.suites.reading import Case, Suite, open_suite
from mondegreen.types import Prediction, Utterance

_WINDOW = 4096  # maximum number of items that are stored together
_STORED = [COLUMNS.index(name) for name in counts_of(SLU)]
_WRONG = COLUMNS.index("wrong")
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Prediction)
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
    engine: str = LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> Run:
    """Evaluate a model on every utterance of a suite, and store its answers and scores in a run.

    An interrupted run continues where it stopped; a finished run is opened without calling the
    model. Each distinct text is sent to the model once over all sets.

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
    reach = Reach(batch, timeout, retries, concurrency)
    loaded = _loaded(model, reach, engine, workers, address)
    try:
        meta = _meta(cases, loaded, model)
        finished = None if force else _finished(path, meta)
        if finished is not None:
            return finished
        with Store.open(path, SLU, meta, _sets(cases), force=force) as store:
            _Evaluation(cases, loaded, store, on_progress or _no_progress).run()
            store.finish(*_results(path))
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


def _finished(path: Path, meta: dict[str, str]) -> Run | None:
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


def _results(path: Path) -> tuple[list[Sequence[Any]], dict[str, str]]:
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


def _sets(suite: Suite) -> list[tuple[Any, ...]]:
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
                entry.n,
                entry.changed,
                first,
            )
        )
        first += entry.n
    return rows


class _Item(NamedTuple):
    """A case that is to be stored in the run."""

    number: int
    set_number: int
    set_name: str
    position: int
    case: Case
    said_key: int
    gold_key: int

    def request(self) -> Utterance:
        """Return the utterance for the model, with an id that is unique in the suite."""
        one = self.case.utterance
        id = f"{self.set_name}/{one.id}"
        extra = (("set", self.set_name),)
        return Utterance(id, one.tokens, one.slots, one.label, one.raw, extra)


@dataclass
class _Window:
    """Items that are stored together.

    ``new`` are the items to ask the model about; ``known`` has the answers to the texts, with the
    keys of their gold frames.
    """

    items: list[_Item] = field(default_factory=list)
    new: dict[tuple[int, str], _Item] = field(default_factory=dict)
    known: dict[tuple[int, str], tuple[Answer, int]] = field(default_factory=dict)


class _Evaluation:
    """The evaluation of one model on one suite, written to one store."""

    def __init__(self, suite: Suite, model: Model, store: Store, on_progress: OnProgress) -> None:
        self.suite, self.model, self.store = suite, model, store
        self.on_progress = on_progress
        self.done = store.done()
        self.total = sum(entry.n for entry in suite.manifest.sets)
        self.n = suite.manifest.sets[0].n
        self.original = store.wrong(0, min(self.done, self.n))
        self.shape = store.meta("answers")
        self.slots = _has_slots(suite)
        self.batches = int(store.meta("batches") or 0)

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

    def _windows(self) -> Iterator[_Window]:
        window = _Window()
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
                window = _Window()
        if window.items:
            yield window

    def _items(self) -> Iterator[_Item]:
        """Yield the items that are not stored yet."""
        first = 0
        for set_number, entry in enumerate(self.suite.manifest.sets):
            if first + entry.n > self.done:
                for position, case in enumerate(self.suite.cases(entry)):
                    number = first + position
                    if number >= self.done:
                        one = case.utterance
                        keys = _key(one.tokens, one.raw), _key(one.slots, one.label)
                        yield _Item(number, set_number, entry.name, position, case, *keys)
            first += entry.n

    def _answer(self, window: _Window) -> None:
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
        parts = {"slots": prediction.slots, "label": prediction.label}
        shape = "+".join(name for name, value in parts.items() if value is not None)
        if self.shape is None:
            if utterance.label is None and prediction.slots is None:
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

    def _store(self, window: _Window) -> None:
        refs = [item.case.utterance for item in window.items]
        answers = [self._answer_to(item, window) for item in window.items]
        predictions = [answer.prediction for answer in answers]
        counts = slu(refs, predictions, slots=self.slots).counts
        if len(self.original) < self.n:
            room = self.n - len(self.original)
            self.original += bytearray(counts[:room, _WRONG].astype("uint8").tobytes())
        stored = counts[:, _STORED].tolist()
        wrong = counts[:, _WRONG].tolist()
        rows = [
            self._row(item, answer, row, self.original[item.position] - is_wrong)
            for item, answer, row, is_wrong in zip(
                window.items, answers, stored, wrong, strict=True
            )
        ]
        self.store.note("batches", str(self.batches))
        self.store.add(rows, len(window.new))
        self.done += len(rows)

    def _answer_to(self, item: _Item, window: _Window) -> Answer:
        answer, gold_key = window.known[item.said_key, item.case.utterance.text]
        if gold_key != item.gold_key:  # the same text with another gold frame has another loss
            (loss,) = losses(self.model, [item.request()], [answer.prediction])
            answer = Answer(answer.prediction, loss)
        return answer.of(item.case.utterance.id)

    def _row(self, item: _Item, answer: Answer, counts: list[int], flip: int) -> tuple[Any, ...]:
        utterance, parent, edits = item.case
        return (
            item.number,
            item.set_number,
            item.position,
            utterance.id,
            parent,
            edits[0]["operator"] if edits else "",
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


def _has_slots(suite: Suite) -> bool:
    """Return whether slots are scored: the original set has slots, or has no labels."""
    original = (case.utterance for case in suite.cases(suite.manifest.sets[0]))
    return any(one.slots or one.label is None for one in original)


def _key(*parts: object) -> int:
    digest = hashlib.blake2b(_ENCODER.encode(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
