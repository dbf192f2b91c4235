"""A run (``evaluate … -o RUN``) as a source of pages, straight from its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.metrics.score import Score
from mondegreen.report.content import Line, Measured, Overview, Rate, Table
from mondegreen.report.frames import colours_of, marks_of, parts_of
from mondegreen.report.source import OFFERED, Column, Page, Query, Source, span, until_done
from mondegreen.report.svg import Curve, Estimate
from mondegreen.runs.attention import attention_of
from mondegreen.runs.reading import Filter, Run, RunSet, ScoreRow, open_run
from mondegreen.runs.results import curves, table
from mondegreen.suites.manifest import ORIGINAL, RANDOM
from mondegreen.types import Edit, Prediction, Slot, slots_of_tags

_SHOWN = 25  # worst and flipped utterances of a report
_CONFUSED = 20
_RATES = ("e2e_accuracy", "intent_accuracy", "slot_f1", "slot_precision", "slot_recall")


class RunSource(Source):
    """Pages over a run's tables; nothing is ever written."""

    metric = "slu"
    key = ("number",)
    flips = True
    columns = (
        Column("id", "utterance", "text"),
        Column("set", "set", "text"),
        Column("loss", "loss"),
        Column("wrong", "wrong frame"),
        Column("slot_errors", "slot errors"),
        Column("text", "text", "text"),
        Column("label", "intent", "name"),
        Column("predicted", "predicted", "name"),
    )
    facets = (
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

    def close(self) -> None:
        """Let go of the run."""
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
        return {"order": self.sorted_by(query), "descending": query.descending}

    def _row(self, item: Mapping[str, Any]) -> dict[str, Any]:
        named = {**item, "set": self._sets[item["set_number"]].name}
        return {key: named[key] for key in ("number", *(column.key for column in self.columns))}

    def values(self, key: str) -> list[str]:
        """Return the values of a column."""
        return list(self.sets()) if key == "set" else self._run.values(key, OFFERED + 1)

    def default_sort(self) -> str:
        """Return the loss, where the model tells it."""
        worst = next(self._run.items(order="loss", descending=True, limit=1), None)
        return "loss" if worst and worst["loss"] is not None else "slot_errors"

    def key_at(self, set: str, place: int) -> dict[str, str]:
        """Return the key of an utterance by its place in its set."""
        first = next(one.first for one in self._sets if one.name == set)
        return {"number": str(first + place)}

    def look(self) -> Overview:
        """Work out what the report tells; most of it was, when the run was finished."""
        run = self._run
        meta, sets = run.meta, run.sets
        done, total = sum(one.done for one in sets), sum(one.n for one in sets)
        measured = list(_measured(run)) or [_nothing()]
        plain = measured[0].rate("slot_f1").value is None
        main = "intent_accuracy" if plain else "e2e_accuracy"
        return Overview(
            title=self.name,
            signature=run.signature,
            n=done,
            sets=tuple(measured),
            higher_is_better=True,
            main=main,
            unfinished="" if run.finished else f"{done:,} of {total:,} utterances are done",
            curves=curves_of(run, main),
            worst=tuple(self._lines(Filter(wrong=True), self.default_sort())),
            flipped=tuple(self._lines(Filter(flip=-1), "position")),
            tables=tuple(_tables(run, sets)),
            methods=(
                ("suite", meta["suite"]),
                ("model", meta["model"]),
                ("texts asked", f"{int(meta.get('asked', 0)):,}, each once"),
                ("intervals", "95 %, bootstrap over utterances, 1,000 replicates"),
                ("started", meta["started"]),
                ("finished", meta.get("finished", "not yet")),
            ),
        )

    def _lines(self, which: Filter, order: str) -> Iterator[Line]:
        run = self._run
        items = run.items(which, order=order, descending=order != "position", limit=_SHOWN)
        for item in list(items):
            texts = [("text", item["text"]), ("gold", _gold(item)), ("predicted", _predicted(item))]
            if item["parent"] != item["id"]:
                (source,) = run.items(Filter(set=ORIGINAL, parent=item["parent"]), limit=1)
                texts.insert(0, ("source", source["text"]))
            name = self._sets[item["set_number"]].name
            yield Line(name, item["id"], tuple(texts), key={"number": str(item["number"])})

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return the text with its gold frame, and the predicted one."""
        item = self._item(key)
        return f"{item['text']} · {_gold(item)}", _predicted(item)

    def _item(self, key: Mapping[str, str]) -> dict[str, Any]:
        number = key.get("number", "")
        known = number.isascii() and number.isdecimal()
        return self._run.item(int(number[:18]) if known else -1)

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return an utterance with its source and all variants of it, edits and frames marked.

        Raises:
            DataError: if there is no such utterance.
        """
        item, run = self._item(key), self._run
        family = [
            {**one, "set": self._sets[one["set_number"]].name}
            for one in run.items(Filter(parent=item["parent"]))
        ]
        found = {
            "id": item["id"],
            "parent": item["parent"],
            "set": self._sets[item["set_number"]].name,
            "text": item["text"],
            "rates": {"loss": item["loss"], "slot errors": item["slot_errors"]},
            "columns": {name: item[name] for name in ("operator", "speaker") if item[name]},
            "variants": [_variant(one, current=one["number"] == item["number"]) for one in family],
        }
        weights = attention_of(run, item["number"])
        if weights is not None:
            tokens = item["utterance"]["tokens"]
            found["attention"] = {"tokens": tokens, "weights": weights}
        return found


def _tables(run: Run, sets: Sequence[RunSet]) -> Iterator[Table]:
    confused = tuple(run.confused(_CONFUSED))
    yield Table("Intents most often confused", ("gold", "predicted", "times"), confused)
    changed = tuple((one.name, one.changed, one.n) for one in sets[1:])
    yield Table("What the operators changed", ("set", "changed", "utterances"), changed)


def _measured(run: Run) -> Iterator[Measured]:
    """The rates of every set but those of severities, which are curves; as far as they are done."""
    sets = run.sets
    done = {one.name: one.done for one in sets}
    done[RANDOM] = sum(one.done for one in sets if one.kind == RANDOM)
    draws = sum(one.kind == RANDOM for one in sets)
    for line in table(run):
        note = "" if done[line.name] == line.n else f"of {line.n:,}"
        if line.kind == RANDOM:
            spread = line.rates["e2e_accuracy"].spread
            note = f"{draws} draws" + ("" if spread is None else f", spread {100 * spread:.1f}")
        yield Measured(line.name, done[line.name], _rates(line.rates.values()), note)


def _nothing() -> Measured:
    """What there is of a run before its first answers."""
    return Measured(ORIGINAL, 0, tuple(Rate(name, None) for name in _RATES))


def _rates(rows: Iterable[ScoreRow]) -> tuple[Rate, ...]:
    return tuple(
        Rate(row.name, row.value, row.low, row.high, row.numerator, row.denominator)
        for row in sorted(rows, key=lambda row: _RATES.index(row.name))
    )


def curves_of(run: Run, rate: str) -> tuple[Curve, ...]:
    """Return the curves of a run, to be drawn."""
    return tuple(
        Curve(operator, [(point.severity, Estimate(*point[1:])) for point in points])
        for operator, points in curves(run, rate).items()
    )


def _gold(item: Mapping[str, Any]) -> str:
    return _told(item["utterance"]["tokens"], _slots(item), item["label"])


def _predicted(item: Mapping[str, Any]) -> str:
    return _told(item["utterance"]["tokens"], _answer(item).slots or (), item["predicted"])


def _slots(item: Mapping[str, Any]) -> tuple[Slot, ...]:
    return slots_of_tags(item["utterance"].get("tags", ()))


def _answer(item: Mapping[str, Any]) -> Prediction:
    return msgspec.convert(item["prediction"], Prediction)


def _told(tokens: Sequence[str], slots: Sequence[Slot], label: str | None) -> str:
    """A frame in a line: the intent, and each slot as [words]:label."""
    parts = [label] if label else []
    parts += [f"[{' '.join(tokens[slot.start : slot.end])}]:{slot.label}" for slot in slots]
    return " · ".join(parts) or "nothing"


def _variant(item: Mapping[str, Any], *, current: bool) -> dict[str, Any]:
    tokens, gold, found = item["utterance"]["tokens"], _slots(item), _answer(item)
    colours = colours_of({slot.label for slot in (*gold, *(found.slots or ()))})
    marks = marks_of(msgspec.convert(item["edits"], list[Edit]))
    return {
        "set": item["set"],
        "number": str(item["number"]),
        "id": item["id"],
        "current": current,
        "wrong": bool(item["wrong"]),
        "verdict": _verdict(item),
        "gold": {"label": item["label"], "parts": parts_of(tokens, gold, colours, marks)},
        "predicted": {
            "label": item["predicted"],
            "parts": parts_of(tokens, found.slots or (), colours, marks),
        },
    }


def _verdict(item: Mapping[str, Any]) -> str:
    said = "wrong" if item["wrong"] else "right"
    if item["flip"]:
        said += ", the source is right" if item["flip"] < 0 else ", the source is wrong"
    return said
