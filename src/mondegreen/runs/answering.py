"""Answer the items of a suite window by window: ask about new texts, score, and store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from mondegreen.data.records import record_of
from mondegreen.data.states import states_of, worst_state
from mondegreen.errors import ModelError, ShiftedError
from mondegreen.models.batching import SKIP, Answer, Asking, losses, with_batch
from mondegreen.runs.judging import Judge
from mondegreen.runs.schema import counts_of
from mondegreen.runs.store import Store
from mondegreen.runs.unanswered import KEY as UNANSWERED
from mondegreen.runs.unanswered import added, no_answer
from mondegreen.runs.windows import Item, Window, key_of, said_key
from mondegreen.suites.reading import Suite
from mondegreen.types import Prediction, Utterance

_WINDOW = 4096  # maximum number of items that are stored together
_STORED_EVERY = 0.25  # seconds; batches that are answered sooner are stored together
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Prediction)
_PARTS = [one for one in Prediction.__struct_fields__ if one not in ("id", "scores", "text")]
OnProgress = Callable[[int, int], object]
"""Called with the number of items done and the number of all items."""


class Evaluation:
    """The evaluation of one model on one suite, written to one store."""

    def __init__(
        self,
        suite: Suite,
        asking: Asking,
        judge: Judge,
        store: Store,
        repeat: int,
        on_progress: OnProgress,
    ) -> None:
        self.suite, self.judge, self.store = suite, judge, store
        self.asking, self.model = asking, asking.model
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
                self._store(window)
                self.on_progress(self.done, self.total)
            self.model.finish()
        except ShiftedError:
            self.store.drop_tables()  # no answer can be trusted
            raise

    def _windows(self) -> Iterator[Window]:
        """Yield windows with all answers.

        A slow model fills one with each batch. The windows of a fast one grow, each at most twice
        as long as the last one, so that a kill loses little even if the model begins to hang.
        """
        window, stored, most = Window(), time.monotonic(), 1
        for item in self._items():
            self._add(item, window)
            if len(window.new) < self.model.batch and len(window.items) < _WINDOW:
                continue
            yield from self._answered(window)
            if time.monotonic() - stored >= _STORED_EVERY or len(window.items) >= most:
                yield window
                most = min(2 * len(window.items), _WINDOW)
                window, stored = Window(), time.monotonic()
        yield from self._answered(window)
        if window.items:
            yield window

    def _add(self, item: Item, window: Window) -> None:
        key = item.said_key, item.case.utterance.text
        window.items.append(item)
        if key not in window.new and key not in window.known:
            known = self.store.known(*key)
            if known is None:
                window.new[key] = item
            else:
                answer = Answer(_DECODER.decode(known.prediction), known.loss)
                window.known[key] = answer, known.gold_key

    def _answered(self, window: Window) -> Iterator[Window]:
        """Answer the new texts of a window; if that fails, first yield what is answered."""
        try:
            self._answer(window)
        except ShiftedError:
            raise
        except BaseException:
            del window.items[window.answered :]
            if window.items:
                yield window
            raise
        window.answered = len(window.items)

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
        answers = [self._shaped(*pair) for pair in zip(batch, self._asked(batch), strict=True)]
        for (key, item), answer in zip(window.new.items(), answers, strict=True):
            if isinstance(answer, Answer):
                window.known[key] = answer, item.gold_key
        errors = [one for one in answers if isinstance(one, ModelError)]
        if errors and (self.asking.on_error != SKIP or self.shape is None):
            self._keep(window)
            raise self._stopped(errors[0], batch)
        missing = [key for key in window.new if key not in window.known]
        window.asked += len(window.new)
        for key in missing:
            item = window.new[key]
            window.known[key] = no_answer(item.case.utterance.id, str(self.shape)), item.gold_key
        if missing:
            ids = [window.new[key].case.utterance.id for key in missing]
            self.store.note(UNANSWERED, added(self.store.meta(UNANSWERED), ids))
        window.new.clear()

    def _asked(self, batch: list[Utterance]) -> list[Answer | ModelError]:
        try:
            return self.asking.answers(batch)
        except ShiftedError:
            raise
        except ModelError as error:
            raise self._stopped(error, batch) from None

    def _stopped(self, error: ModelError, batch: list[Utterance]) -> ModelError:
        return ModelError(
            f"{with_batch(error, self.batches, batch)}. Earlier batches are stored; run the same "
            "command again to continue"
        )

    def _keep(self, window: Window) -> None:
        """Keep the answers of a window in which others are missing."""
        new = [(key, *window.known[key]) for key in window.new if key in window.known]
        self.store.keep(
            [
                (*key, _ENCODER.encode(answer.prediction).decode(), answer.loss, gold_key)
                for key, answer, gold_key in new
            ]
        )

    def _shaped(self, utterance: Utterance, answer: Answer | ModelError) -> Answer | ModelError:
        """Return the answer, or the error if it has other parts than earlier ones."""
        try:
            if isinstance(answer, Answer):
                self._check_shape(utterance, answer.prediction)
        except ModelError as error:
            return error
        return answer

    def _check_shape(self, utterance: Utterance, prediction: Prediction) -> None:
        """Check that every answer has the same parts as the first one."""
        shape = "+".join([name for name in _PARTS if getattr(prediction, name) is not None])
        if self.shape is None:
            if self.judge.metric.of_calls and prediction.calls is None:
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
        self.store.add(rows, window.asked)
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
            _speaker(utterance) if utterance.extra else None,
            utterance.text,
            utterance.label,
            answer.prediction.label,
            _ENCODER.encode(record_of(utterance)).decode(),
            _ENCODER.encode(edits).decode(),
            _ENCODER.encode(answer.prediction).decode(),
            *counts,
            answer.loss,
            flip,
            item.said_key,
            item.gold_key,
        )


def _speaker(utterance: Utterance) -> str | None:
    return next((str(value) for name, value in utterance.extra if name == "speaker"), None)
