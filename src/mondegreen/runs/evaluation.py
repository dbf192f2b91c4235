"""Evaluating a model on a suite: every text asked once, every batch kept as soon as it is there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from mondegreen import __version__
from mondegreen.data.records import record_of
from mondegreen.errors import ModelError
from mondegreen.metrics.slu import COLUMNS, slu
from mondegreen.models.asking import Answer, ask, losses, named
from mondegreen.models.loading import load_model
from mondegreen.models.protocol import Model
from mondegreen.runs.reading import Run, ScoreRow, open_run
from mondegreen.runs.results import score_rows
from mondegreen.runs.schema import COUNTS
from mondegreen.runs.store import Store
from mondegreen.runs.strangers import strangers
from mondegreen.suites.reading import Case, Suite, open_suite
from mondegreen.types import Prediction, Utterance

_WINDOW = 4096  # items that are kept together at most, where few of them need asking
_KEPT = [COLUMNS.index(name) for name in COUNTS]
_WRONG = COLUMNS.index("wrong")
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Prediction)
Told = Callable[[int, int], object]
"""Called as the work goes on: how many items are done, of how many."""


def evaluate(
    suite: Suite | Path | str,
    model: Model | Path | str,
    run: Path | str,
    *,
    force: bool = False,
    told: Told | None = None,
    **reaching: Any,
) -> Run:
    """Ask a model for every utterance of a suite, and keep answers and scores in a run.

    A run that was interrupted goes on where it was; one that is done is opened, and the model is
    not asked. Each distinct text is asked once over all sets.

    Args:
        suite: a suite, or its folder.
        model: a model, or how to reach it (see :func:`mondegreen.load_model`).
        run: the file of the run.
        force: begin anew, whatever is there.
        told: called with the number of items done and of all.
        reaching: how to reach the model: ``batch``, ``timeout``, ``retries``, ``concurrency``.

    Raises:
        DataError: if the suite is not what it was, or if the run is one of something else.
        ModelError: naming the batch in which the model failed; what was done is kept.
    """
    path = Path(run)
    cases = suite if isinstance(suite, Suite) else open_suite(suite)
    cases.check()
    reached = model if isinstance(model, Model) else load_model(model, **reaching)
    try:
        with Store.open(path, _meta(cases, reached, model), _sets(cases), force=force) as store:
            if store.state != "done":
                _Evaluation(cases, reached, store, told or _quiet).run()
                store.finish(*_results(path))
    finally:
        if reached is not model:
            reached.close()
    return open_run(path)


def _quiet(done: int, total: int) -> None:
    """Tell nobody."""


def _results(path: Path) -> tuple[list[ScoreRow], dict[str, str]]:
    """The scores of a run that has all its items, and its last notes."""
    with open_run(path) as run:
        strange = _ENCODER.encode(strangers(run)).decode()
        return score_rows(run), {"finished": _now(), "strangers": strange}


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
        "model_spec": model.signature if isinstance(spec, Model) else str(spec),
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
    """A case on its way into the run."""

    number: int
    set_number: int
    set_name: str
    position: int
    case: Case
    said_key: int
    gold_key: int

    def asked(self) -> Utterance:
        """The utterance as the model knows it: its id is unlike any other of the suite."""
        said = self.case.said
        id = f"{self.set_name}/{said.id}"
        extra = (("set", self.set_name),)
        return Utterance(id, said.tokens, said.slots, said.label, said.raw, extra)


@dataclass
class _Window:
    """Items that are kept together, and those of them that the model must be asked for."""

    items: list[_Item] = field(default_factory=list)
    fresh: dict[tuple[int, str], _Item] = field(default_factory=dict)
    known: dict[tuple[int, str], tuple[Answer, int]] = field(default_factory=dict)


class _Evaluation:
    """One model on one suite, into one store."""

    def __init__(self, suite: Suite, model: Model, store: Store, told: Told) -> None:
        self.suite, self.model, self.store, self.told = suite, model, store, told
        self.done = store.done()
        self.total = sum(entry.n for entry in suite.manifest.sets)
        self.n = suite.manifest.sets[0].n
        self.original = store.wrong(0, min(self.done, self.n))
        self.shape = store.meta("answers")
        self.slots = _has_slots(suite)
        self.batches = int(store.meta("batches") or 0)

    def run(self) -> None:
        """Go on until every item has its answer."""
        self.told(self.done, self.total)
        for window in self._windows():
            self._answer(window)
            self._keep(window)
            self.told(self.done, self.total)

    def _windows(self) -> Iterator[_Window]:
        window = _Window()
        for item in self._items():
            key = item.said_key, item.case.said.text
            window.items.append(item)
            if key not in window.fresh and key not in window.known:
                known = self.store.known(*key)
                if known is None:
                    window.fresh[key] = item
                else:
                    answer = Answer(_DECODER.decode(known.prediction), known.loss)
                    window.known[key] = answer, known.gold_key
            if len(window.fresh) == self.model.batch or len(window.items) == _WINDOW:
                yield window
                window = _Window()
        if window.items:
            yield window

    def _items(self) -> Iterator[_Item]:
        """Yield the items that are not kept yet."""
        first = 0
        for set_number, entry in enumerate(self.suite.manifest.sets):
            if first + entry.n > self.done:
                for position, case in enumerate(self.suite.cases(entry)):
                    number = first + position
                    if number >= self.done:
                        said = case.said
                        keys = _key(said.tokens, said.raw), _key(said.slots, said.label)
                        yield _Item(number, set_number, entry.name, position, case, *keys)
            first += entry.n

    def _answer(self, window: _Window) -> None:
        """Ask for what is fresh."""
        if not window.fresh:
            return
        batch = [item.asked() for item in window.fresh.values()]
        self.batches += 1
        try:
            answers = ask(self.model, batch)
            for said, answer in zip(batch, answers, strict=True):
                self._check_shape(said, answer.prediction)
        except ModelError as error:
            raise ModelError(
                f"{named(error, self.batches, batch)}. What was done is kept: the same command "
                "goes on from there"
            ) from None
        for (key, item), answer in zip(window.fresh.items(), answers, strict=True):
            window.known[key] = answer, item.gold_key

    def _check_shape(self, said: Utterance, prediction: Prediction) -> None:
        """Every answer says as much as the first one."""
        parts = {"slots": prediction.slots, "label": prediction.label}
        shape = "+".join(name for name, value in parts.items() if value is not None)
        if self.shape is None:
            if said.label is None and prediction.slots is None:
                raise ModelError(
                    f"utterance {said.id!r}: the suite has slots and no labels, and the model "
                    "answers labels alone"
                )
            self.shape = shape
            self.store.note("answers", shape)
            self.store.note("unread", _ENCODER.encode(sorted(self.model.unread)).decode())
        if shape != self.shape:
            raise ModelError(
                f"utterance {said.id!r}: the answer has {shape or 'nothing'}, those before it have "
                f"{self.shape}; answer the same for all"
            )

    def _keep(self, window: _Window) -> None:
        refs = [item.case.said for item in window.items]
        answers = [self._answer_to(item, window) for item in window.items]
        predictions = [answer.prediction for answer in answers]
        counts = slu(refs, predictions, slots=self.slots).counts
        if len(self.original) < self.n:
            room = self.n - len(self.original)
            self.original += bytearray(counts[:room, _WRONG].astype("uint8").tobytes())
        kept = counts[:, _KEPT].tolist()
        wrong = counts[:, _WRONG].tolist()
        rows = [
            self._row(item, answer, row, self.original[item.position] - is_wrong)
            for item, answer, row, is_wrong in zip(window.items, answers, kept, wrong, strict=True)
        ]
        self.store.note("batches", str(self.batches))
        self.store.add(rows, len(window.fresh))
        self.done += len(rows)

    def _answer_to(self, item: _Item, window: _Window) -> Answer:
        answer, gold_key = window.known[item.said_key, item.case.said.text]
        if gold_key != item.gold_key:  # the same text with other labels: the loss is another one
            (loss,) = losses(self.model, [item.asked()], [answer.prediction])
            answer = Answer(answer.prediction, loss)
        return answer.of(item.case.said.id)

    def _row(self, item: _Item, answer: Answer, counts: list[int], flip: int) -> tuple[Any, ...]:
        said, parent, edits = item.case
        return (
            item.number,
            item.set_number,
            item.position,
            said.id,
            parent,
            edits[0]["operator"] if edits else "",
            next((str(value) for name, value in said.extra if name == "speaker"), None),
            said.text,
            said.label,
            answer.prediction.label,
            _ENCODER.encode(record_of(said)).decode(),
            _ENCODER.encode(edits).decode(),
            _ENCODER.encode(replace(answer.prediction, id=said.id)).decode(),
            *counts,
            answer.loss,
            flip,
            item.said_key,
            item.gold_key,
        )


def _has_slots(suite: Suite) -> bool:
    """Whether slots are judged, in all sets alike: the original one has some, or no labels."""
    original = (case.said for case in suite.cases(suite.manifest.sets[0]))
    return any(said.slots or said.label is None for said in original)


def _key(*parts: object) -> int:
    digest = hashlib.blake2b(_ENCODER.encode(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
