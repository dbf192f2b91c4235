"""A run (``evaluate … -o RUN``) as the source of pages, read from its database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mondegreen.data.conversations import expected_of, messages_of, text_of
from mondegreen.metrics.calls import shown_answer, shown_calls
from mondegreen.metrics.estimate import Estimate
from mondegreen.metrics.metric import Table
from mondegreen.metrics.score import Score
from mondegreen.perturbation.suite_recipe import ORIGINAL, RANDOM
from mondegreen.report.content import Line, Measured, Overview
from mondegreen.report.frames import colours_of, marks_of, parts_of
from mondegreen.report.source import OFFERED, Column, Page, Query, Source, span, until_done
from mondegreen.report.svg import Curve
from mondegreen.runs.attention import attention_of
from mondegreen.runs.items import RunItem
from mondegreen.runs.reading import Filter, Run, RunSet, open_run
from mondegreen.runs.results import Rates, curves, main_rate, table
from mondegreen.types import Slot

_SHOWN = 25  # worst and flipped utterances in a report
_CONFUSED = 20


class RunSource(Source):
    """The source of the pages of a run; it never writes to the run."""

    key = ("number",)
    flips = True
    facets: tuple[Column, ...] = (
        Column("set", "set", "name"),
        Column("operator", "operator", "name"),
        Column("speaker", "speaker", "name"),
        Column("label", "intent", "name"),
        Column("predicted", "predicted", "name"),
    )

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.name = path.stem
        self._run = open_run(path)
        self._sets = self._run.sets
        self.metric = self._run.metric
        if "state" in self._run.item_columns:
            self.facets = (*self.facets, Column("state", "state of slots", "name"))
        totals = (Column(name, name.replace("_", " ")) for name in self.metric.totals)
        self.columns = (
            Column("id", "utterance", "text"),
            Column("set", "set", "text"),
            Column("loss", "loss"),
            Column("wrong", "wrong frame"),
            *totals,
            Column("text", "text", "text"),
            Column("label", "intent", "name"),
            Column("predicted", "predicted", "name"),
        )

    def close(self) -> None:
        """Close the run."""
        self._run.close()

    def sets(self) -> Sequence[str]:
        """Return the names of the sets."""
        return [one.name for one in self._sets]

    def scores(self, set: str) -> Score:
        """Return the score of a set."""
        return self._run.score(set)

    def page(self, query: Query) -> Page:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column or a set is unknown.
        """
        size, offset = span(query)
        found = self._run.page(self._filter(query), **self._order(query), limit=size, offset=offset)
        return Page([self._row(item) for item in found.items], found.total)

    def rows(self, query: Query) -> Iterator[dict[str, Any]]:
        """Return all utterances that a query finds.

        Raises:
            DataError: if a column or a set is unknown.
        """
        run = open_run(self.path)
        try:
            items = run.items(self._filter(query), **self._order(query))
        except BaseException:
            run.close()
            raise
        return until_done(map(self._row, items), run.close)

    def _filter(self, query: Query) -> Filter:
        flip = -1 if query.flipped else None
        return Filter(**self.filters(query), wrong=query.wrong, flip=flip, search=query.text)

    def _order(self, query: Query) -> dict[str, Any]:
        return {"order": self.sorted_by(query), "descending": self.descends(query)}

    def _set(self, item: RunItem) -> str:
        return self._sets[item.set_number].name

    def _row(self, item: RunItem) -> dict[str, Any]:
        row: dict[str, Any] = {"number": item.number}
        for column in self.columns:
            if column.key == "set":
                row["set"] = self._set(item)
            else:
                value = item.counts.get(column.key)
                row[column.key] = getattr(item, column.key) if value is None else value
        return row

    def values(self, key: str) -> list[str]:
        """Return the values of a column."""
        return list(self.sets()) if key == "set" else self._run.values(key, OFFERED + 1)

    def default_sort(self) -> str:
        """Return the loss if the model has losses, else the first of the metric's totals."""
        worst = next(self._run.items(order="loss", descending=True, limit=1), None)
        return (
            "loss" if worst and worst.loss is not None else next(iter(self.metric.totals), "wrong")
        )

    def key_at(self, set: str, position: int) -> dict[str, str]:
        """Return the key of an utterance by its position in its set."""
        first = next(one.first for one in self._sets if one.name == set)
        return {"number": str(first + position)}

    def compute_overview(self) -> Overview:
        """Compute the content of the report; a finished run has most of it stored."""
        run = self._run
        meta, sets = run.meta, run.sets
        done, total = sum(one.done for one in sets), sum(one.n for one in sets)
        measured = list(_measured(run)) or [_unanswered(run)]
        main = main_rate(run)
        return Overview(
            title=self.name,
            signature=run.signature,
            n=done,
            sets=tuple(measured),
            higher_is_better=not self.metric.by_name[main].lower_is_better,
            main=main,
            unfinished="" if run.finished else f"{done:,} of {total:,} utterances are done",
            curves=curves_of(run, main),
            worst=tuple(self._lines(Filter(wrong=True), self.default_sort())),
            flipped=tuple(self._lines(Filter(flip=-1), "position")),
            tables=tuple(_tables(run, sets)),
            methods=(
                ("suite", meta["suite"]),
                ("model", meta["model"]),
                ("texts sent to the model", f"{int(meta.get('asked', 0)):,}, each {_times(run)}"),
                ("intervals", "95 %, bootstrap over utterances, 1,000 replicates"),
                ("started", meta["started"]),
                ("finished", meta.get("finished", "not yet")),
            ),
        )

    def _lines(self, which: Filter, order: str) -> Iterator[Line]:
        run = self._run
        items = run.items(which, order=order, descending=order != "position", limit=_SHOWN)
        for item in list(items):
            texts = [("text", item.text), ("gold", _gold(item)), ("predicted", _predicted(item))]
            if item.parent != item.id:
                (source,) = run.items(Filter(set=ORIGINAL, parent=item.parent), limit=1)
                texts.insert(0, ("source", source.text))
            yield Line(self._set(item), item.id, tuple(texts), key={"number": str(item.number)})

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return the text with its gold frame, and the predicted frame."""
        item = self._item(key)
        return f"{item.text} · {_gold(item)}", _predicted(item)

    def _item(self, key: Mapping[str, str]) -> RunItem:
        number = key.get("number", "")
        known = number.isascii() and number.isdecimal()
        return self._run.item(int(number[:18]) if known else -1)

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return an utterance with its source and all variants, with their frames and edits.

        Raises:
            DataError: if there is no such utterance.
        """
        item, run = self._item(key), self._run
        items = list(run.items(Filter(parent=item.parent)))
        totals = {name.replace("_", " "): item.counts[name] for name in self.metric.totals}
        columns = {
            "operator": item.operator,
            "speaker": item.speaker,
            "state of slots": item.state,
            "conversation": _conversation(item),
        }
        found = {
            "id": item.id,
            "parent": item.parent,
            "set": self._set(item),
            "text": item.text,
            "rates": {"loss": item.loss, **totals},
            "columns": {name: value for name, value in columns.items() if value},
            "variants": [
                _variant(one, self._set(one), current=one.number == item.number) for one in items
            ],
        }
        weights = attention_of(run, item.number)
        if weights is not None:
            found["attention"] = {"tokens": item.utterance.tokens, "weights": weights}
        return found


def _tables(run: Run, sets: Sequence[RunSet]) -> Iterator[Table]:
    confused = tuple(run.confused(_CONFUSED))
    yield Table("Intents most often confused", ("gold", "predicted", "times"), confused)
    changed = tuple((one.name, one.changed, one.n) for one in sets[1:])
    yield Table("Changed utterances per set", ("set", "changed", "utterances"), changed)


def _measured(run: Run) -> Iterator[Measured]:
    """Yield the rates of each set; those of severity sets are shown as curves instead."""
    sets = run.sets
    done = {one.name: one.done for one in sets}
    done[RANDOM] = sum(one.done for one in sets if one.kind == RANDOM)
    draws = sum(one.kind == RANDOM for one in sets)
    main = main_rate(run)
    for line in table(run):
        note = "" if done[line.name] == line.n else f"{done[line.name]:,} of {line.n:,} done"
        if line.kind == RANDOM:
            spread = line.rates[main].spread
            note = f"{draws} draws" + (
                "" if spread is None else f", standard deviation {100 * spread:.1f}"
            )
        yield Measured(line.name, done[line.name], _ordered(run, line.rates), note)


def _unanswered(run: Run) -> Measured:
    """Return the rates of a run without answers."""
    return Measured(ORIGINAL, 0, _ordered(run, {}))


def _ordered(run: Run, rates: Rates) -> tuple[Estimate, ...]:
    """Return the rates in the order of a report: the main ones first."""
    metric = run.metric
    names = dict.fromkeys((*metric.main, *(rate.name for rate in metric.rates)))
    return tuple(rates.get(name, Estimate(name, None)) for name in names)


def _times(run: Run) -> str:
    return "once" if run.repeat == 1 else f"{run.repeat} times"


def curves_of(run: Run, rate: str) -> tuple[Curve, ...]:
    """Return the curves of a run for drawing."""
    return tuple(
        Curve(operator, [(point.severity, point.estimate) for point in points])
        for operator, points in curves(run, rate).items()
    )


def _gold(item: RunItem) -> str:
    if item.prediction.calls is not None:
        return shown_calls(expected_of(item.utterance) or ())
    return _frame(item.utterance.tokens, item.utterance.slots, item.label)


def _predicted(item: RunItem) -> str:
    if item.prediction.calls is not None:
        return shown_answer(item.prediction)
    return _frame(item.utterance.tokens, item.prediction.slots or (), item.predicted)


def _frame(tokens: Sequence[str], slots: Sequence[Slot], label: str | None) -> str:
    """Return a frame in one line: the intent, and each slot as [words]:label."""
    parts = [label] if label else []
    parts += [f"[{' '.join(tokens[slot.start : slot.end])}]:{slot.label}" for slot in slots]
    return " · ".join(parts) or "no intent, no slots"


def _variant(item: RunItem, set: str, *, current: bool) -> dict[str, Any]:
    tokens, gold = item.utterance.tokens, item.utterance.slots
    found = item.prediction.slots or ()
    colours = colours_of({slot.label for slot in (*gold, *found)})
    marks = marks_of(item.edits)
    has_calls = item.prediction.calls is not None
    labels = (_gold(item), _predicted(item)) if has_calls else (item.label, item.predicted)
    return {
        "set": set,
        "number": str(item.number),
        "id": item.id,
        "current": current,
        "wrong": item.wrong,
        "verdict": _verdict(item),
        "gold": {"label": labels[0], "parts": parts_of(tokens, gold, colours, marks)},
        "predicted": {"label": labels[1], "parts": parts_of(tokens, found, colours, marks)},
    }


def _conversation(item: RunItem) -> str:
    """Return the messages of a conversation, each with its role; empty if there is none."""
    messages = messages_of(item.utterance) or ()
    return " · ".join(f"{one.get('role')}: {text_of(one) or ''}" for one in messages)


def _verdict(item: RunItem) -> str:
    verdict = "wrong" if item.wrong else "right"
    if item.flip:
        verdict += " (the source is right)" if item.flip < 0 else " (the source is wrong)"
    return verdict
