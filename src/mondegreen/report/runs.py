"""A run (``evaluate … -o RUN``) as the source of pages, read from its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, zip_longest
from typing import Any

from mondegreen.metrics.metric import Table
from mondegreen.metrics.slices.finding import FoundSlice
from mondegreen.metrics.statistics.comparison import Flip
from mondegreen.metrics.statistics.estimate import METHOD
from mondegreen.perturbation.suite_recipe import OPERATOR, ORIGINAL
from mondegreen.report.content import SLICES, Cause, Causes, ListLine, Overview, moved_table
from mondegreen.report.conversations import conversation_of
from mondegreen.report.dialogues import Dialogue, dialogue_of
from mondegreen.report.marked import MarkedLine
from mondegreen.report.run_items import marked_item, stacked, verdict
from mondegreen.report.run_overview import (
    curves_of,
    heat_map_of,
    measured_sets,
    tables_of,
    unanswered,
)
from mondegreen.report.source import OFFERED, Query, ShownColumn, ShownRun
from mondegreen.runs.attention import attention_of
from mondegreen.runs.items import RunItem
from mondegreen.runs.reading import Run
from mondegreen.runs.results import headline, main_rate, table
from mondegreen.runs.run_slices import run_slices
from mondegreen.runs.selection import Filter

_SHOWN = 25  # worst and flipped utterances in a report
_SEARCHED = 200  # items of each list that are looked at for as many different utterances


class RunSource(ShownRun):
    """The source of the pages of a run; it never writes to the run."""

    flips = True

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.facets = (
            ShownColumn("set", "set", "name"),
            ShownColumn("operator", "operator", "name"),
            ShownColumn("speaker", "speaker", "name"),
            ShownColumn("label", self.metric.label, "name"),
            ShownColumn("predicted", "predicted", "name"),
        )
        if "state" in self._run.item_columns:
            self.facets = (*self.facets, ShownColumn("state", self.metric.state, "name"))
        totals = (ShownColumn(name, name.replace("_", " ")) for name in self.metric.totals)
        self.columns = (
            ShownColumn("text", "utterance", "text"),
            ShownColumn("set", "set", "text"),
            ShownColumn("loss", "loss", shown=self._has_losses),
            ShownColumn("wrong", "wrong", shown=False),
            *totals,
            ShownColumn("label", self.metric.label, "name", shown=False),
            ShownColumn("predicted", "predicted", "name", shown=False),
            *([ShownColumn("answer", "answer", "text")] if self._run.repeat > 1 else []),
            ShownColumn("id", "id", "text"),
        )

    @property
    def what(self) -> str:
        """What this is, for a list of choices."""
        return f"Runs of one suite of {len(self._sets)} sets"

    @cached_property
    def _has_losses(self) -> bool:
        worst = next(self._run.items(order="loss", descending=True, limit=1), None)
        return worst is not None and worst.loss is not None

    def _set(self, item: RunItem) -> str:
        return self._sets[item.set_number].name

    def _answer(self, item: RunItem) -> str:
        """Return which answer of the model an item is, if it was asked several times."""
        times = self._run.repeat
        return f"answer {item.position % times + 1} of {times}" if times > 1 else ""

    def _row(self, item: RunItem) -> dict[str, Any]:
        row: dict[str, Any] = {"number": item.number}
        for column in self.columns:
            if column.key == "set":
                row["set"] = self._set(item)
            elif column.key == "answer":
                row["answer"] = self._answer(item).removeprefix("answer ")
            else:
                value = item.counts.get(column.key)
                row[column.key] = getattr(item, column.key, None) if value is None else value
        return row

    def tally(self, key: str, query: Query) -> list[tuple[str, int]]:
        """Return how many utterances have each value of a column."""
        if key == "set" and query == Query():
            return [(one.name, one.done) for one in self._run.sets]
        return super().tally(key, query)

    def default_sort(self) -> str:
        """Return the loss if the model has losses, else the first of the metric's totals."""
        return "loss" if self._has_losses else next(iter(self.metric.totals), "wrong")

    def compute_overview(self) -> Overview:
        """Compute the content of the report; a finished run has most of it stored."""
        run = self._run
        meta, sets = run.meta, run.sets
        done, total = sum(one.done for one in sets), sum(one.n for one in sets)
        main = main_rate(run)
        flipped = self._flipped()
        units = run.metric.units
        return Overview(
            title=self.name,
            sentence=headline(run),
            units=units,
            signature=run.signature,
            n=done,
            sets=tuple(measured_sets(run)) or (unanswered(run),),
            higher_is_better=not self.metric.by_name[main].lower_is_better,
            main=main,
            unfinished="" if run.finished else f"{done:,} of {total:,} {units} are done",
            repeat=run.repeat,
            curves=curves_of(run, main),
            heat=heat_map_of(run),
            worst=self._worst(as_written=bool(flipped)),
            flipped=flipped,
            tables=tuple(tables_of(run)),
            methods=(
                ("suite", meta["suite"]),
                ("model", meta["model"]),
                ("utterances", f"{done // run.repeat:,} in {len(sets)} sets"),
                (
                    "texts sent to the model",
                    f"{int(meta.get('asked', 0)) // run.repeat:,}, each {_times(run)}",
                ),
                ("intervals", METHOD),
                ("started", meta["started"]),
                ("finished", meta.get("finished", "not yet")),
                ("signature", run.signature),
            ),
        )

    def compute_causes(self) -> Causes:
        """Find the slices of lost variants, and of utterances that are wrong as written."""
        with self._run.reopened() as run:  # for another thread
            found = run_slices(run)
            self._members = [one.members.tolist() for one in found.found]
            causes = tuple(
                self._cause(run, one, str(number)) for number, one in enumerate(found.found)
            )
        part = "" if found.every == 1 else f" (one of every {found.every} utterances)"
        return Causes(
            causes,
            f"Slices of {found.of:,} variants whose source is right{part}, and of the utterances "
            f"as written, that fail more often than the others; {SLICES}",
        )

    def _cause(self, run: Run, found: FoundSlice, number: str) -> Cause:
        examples = tuple(map(self.line, map(run.item, found.slice.items)))
        return Cause(found.slice, examples, {"slice": number, "wrong": "1"})

    def _flipped(self) -> tuple[ListLine, ...]:
        """Return variants that are wrong though their source is right: of each operator in turn."""
        names = [line.name for line in reversed(table(self._run)) if line.kind == OPERATOR]
        filters = [Filter(set=name, flip=-1) for name in names] or [Filter(flip=-1)]
        turns = chain.from_iterable(zip_longest(*map(self._worst_items, filters)))
        return self._lines(item for item in turns if item is not None)

    def _worst(self, *, as_written: bool) -> tuple[ListLine, ...]:
        """Return the worst utterances; those that are wrong as written, or of all sets."""
        first = self._sets[0]
        only = first.name if as_written and first.kind == ORIGINAL else None
        return self._lines(self._worst_items(Filter(set=only, wrong=True)))

    def _worst_items(self, which: Filter) -> Iterator[RunItem]:
        return self._run.items(which, order=self.default_sort(), descending=True, limit=_SEARCHED)

    def _lines(self, items: Iterable[RunItem]) -> tuple[ListLine, ...]:
        """Return items as lines, one of each source."""
        found: dict[str, RunItem] = {}
        for item in items:
            if len(found) == _SHOWN:
                break
            found.setdefault(item.parent, item)
        return tuple(map(self.line, found.values()))

    def line(self, item: RunItem) -> ListLine:
        """Return an item as a line of a list."""
        return ListLine(
            self._set(item),
            item.id,
            marked_item(item),
            self._answer(item),
            key={"number": str(item.number)},
            conversation=conversation_of(item),
            dialogues=tuple(self._dialogues(item)),
        )

    def _dialogues(self, item: RunItem) -> Iterator[Dialogue]:
        """Yield the conversation of an item after that of the clean caller, if it has any."""
        clean = item.position if item.set_number else item.number
        for number in dict.fromkeys((clean, item.number)):
            one = item if number == item.number else self._run.item(number)
            found = dialogue_of(one, self._set(one))
            if found is None:
                return
            yield found

    def moved(self, other: ShownRun, flips: Sequence[Flip]) -> Table:  # noqa: ARG002 (both are of one suite)
        """Return which intents became right and wrong."""
        right, wrong = (
            dict(self._run.tally("label", Filter(numbers=numbers), OFFERED))
            for numbers in (
                [one.number for one in flips if one.better],
                [one.number for one in flips if not one.better],
            )
        )
        return moved_table(self.metric.label, right, wrong, ("became right", "became wrong"))

    def _marked(self, items: Sequence[RunItem]) -> list[MarkedLine]:
        return list(map(marked_item, items))

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
        losses = {} if item.loss is None else {"loss": item.loss}
        columns = {
            "operator": item.operator,
            "speaker": item.speaker,
            self.metric.state: item.state,
        }
        found: dict[str, Any] = {
            "id": item.id,
            "parent": item.parent,
            "set": self._set(item),
            "answer": self._answer(item),
            "text": item.text,
            "verdict": verdict(item),
            "wrong": item.wrong,
            "marked": marked_item(item),
            "stack": stacked(item),
            "rates": losses | totals,
            "columns": {name: value for name, value in columns.items() if value},
            "variants": [
                {
                    "set": self._set(one),
                    "answer": self._answer(one),
                    "number": str(one.number),
                    "current": one.number == item.number,
                    "marked": marked_item(one),
                    "verdict": verdict(one),
                }
                for one in items
            ],
        }
        conversation, dialogues = conversation_of(item), list(self._dialogues(item))
        if conversation is not None:
            found["conversation"] = conversation
        if dialogues:
            found |= {"dialogues": dialogues, "stack": None}
        weights = attention_of(run, item.number)
        if weights is not None:
            found["attention"] = {"tokens": item.utterance.tokens, "weights": weights}
        return found


def _times(run: Run) -> str:
    return "once" if run.repeat == 1 else f"{run.repeat} times"
