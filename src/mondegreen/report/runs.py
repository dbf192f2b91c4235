"""A run (``evaluate … -o RUN``) as a source of pages, straight from its database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from mondegreen.errors import DataError
from mondegreen.metrics.score import Score
from mondegreen.report.content import Line, Measured, Overview, Rate, Table, rates_of
from mondegreen.report.frames import colours_of, marks_of, parts_of
from mondegreen.report.source import Column, Query, Source, quoted
from mondegreen.report.svg import Curve, Estimate
from mondegreen.runs.reading import Run, RunSet, ScoreRow, open_run
from mondegreen.runs.store import connect
from mondegreen.suites.manifest import ORIGINAL, RANDOM, SEVERITY
from mondegreen.types import Edit, Prediction, slots_of_tags

Span = tuple[str, str]
"""A slot's label and its words."""
_SHOWN = 25  # worst and flipped utterances of a report
_CONFUSED = 20
_SEVERITY = f"{SEVERITY}-"
_RATES = ("e2e_accuracy", "intent_accuracy", "slot_f1", "slot_precision", "slot_recall")


class RunSource(Source):
    """Pages over a run's tables; nothing is ever written."""

    metric = "slu"
    key = ("number",)
    flipped = "flip"
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
        Column("label", "intent", "name"),
        Column("predicted", "predicted", "name"),
    )
    searched = ("text", "id")
    order = "number"
    expressions: ClassVar[Mapping[str, str]] = {
        "set": "(SELECT name FROM sets WHERE sets.number = items.set_number)"
    }

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem
        self._kept: Overview | None = None
        with open_run(path) as run:
            self._sets = run.sets

    def open(self) -> sqlite3.Connection:
        """Return a new connection."""
        return connect(self.path, "ro")

    def sets(self) -> Sequence[str]:
        """Return the names of the sets."""
        return [one.name for one in self._sets]

    def scores(self, set: str) -> Score:
        """Return the score of a set."""
        with open_run(self.path) as run:
            return run.score(set)

    def count(self, query: Query) -> int:
        """Return how many utterances a query finds; all of them are counted already."""
        if query == Query(sort=query.sort, descending=query.descending, page=query.page):
            with open_run(self.path) as run:
                return sum(one.done for one in run.sets)
        return super().count(query)

    def default_sort(self) -> str:
        """Return the loss, where the model tells it."""
        known = self.connect().execute("SELECT 1 FROM items WHERE loss IS NOT NULL LIMIT 1")
        return "loss" if known.fetchone() else "slot_errors"

    def filter_term(self, key: str) -> str:
        """Return the condition that a column has a value; sets by their number."""
        if key == "set":
            return "set_number = (SELECT number FROM sets WHERE name = ?)"
        return super().filter_term(key)

    def values(self, key: str) -> list[str]:
        """Return the values of a column."""
        return list(self.sets()) if key == "set" else super().values(key)

    def key_at(self, set: str, place: int) -> dict[str, str]:
        """Return the key of an utterance by its place in its set."""
        first = next(one.first for one in self._sets if one.name == set)
        return {"number": str(first + place)}

    def search_term(self, text: str) -> tuple[str, list[str]]:
        """Search by words where the run has an index of them: a million texts take a moment."""
        words = [quoted(word) for word in text.split()]
        has_index = self.connect().execute("SELECT 1 FROM sqlite_master WHERE name = 'search'")
        if not words or has_index.fetchone() is None:
            return super().search_term(text)
        found = "number IN (SELECT rowid FROM search WHERE search MATCH ?)"
        return found, [" ".join(words) + "*"]

    def overview(self) -> Overview:
        """Return what the report tells: worked out once, when the run is finished, or now."""
        if self._kept is not None:
            return self._kept
        with open_run(self.path) as run:
            found = self._overview(run)
            if run.finished:
                self._kept = found
        return found

    def _overview(self, run: Run) -> Overview:
        meta, sets = run.meta, run.sets
        done, total = sum(one.done for one in sets), sum(one.n for one in sets)
        measured = list(_measured(run, sets))
        plain = measured[0].rate("slot_f1").value is None
        main = "intent_accuracy" if plain else "e2e_accuracy"
        return Overview(
            title=self.name,
            signature=run.signature,
            n=done,
            sets=tuple(one for one in measured if not one.name.startswith(_SEVERITY)),
            higher_is_better=True,
            main=main,
            unfinished="" if run.finished else f"{done:,} of {total:,} utterances are done",
            curves=tuple(_curves(measured, main)),
            worst=tuple(self._lines(f"wrong > 0 ORDER BY {self.default_sort()} DESC")),
            flipped=tuple(self._lines("flip < 0 ORDER BY number")),
            tables=tuple(self._tables(sets)),
            methods=(
                ("suite", meta["suite"]),
                ("model", meta["model"]),
                ("texts asked", f"{int(meta.get('asked', 0)):,}, each once"),
                ("intervals", "95 %, bootstrap over utterances, 1,000 replicates"),
                ("started", meta["started"]),
                ("finished", meta.get("finished", "not yet")),
            ),
        )

    def _lines(self, condition: str) -> Iterator[Line]:
        rows = self.connect().execute(
            f"SELECT number, id, text, utterance, prediction, label, predicted, parent, "
            f"{self.expressions['set']} FROM items WHERE {condition} LIMIT {_SHOWN}"
        )
        for number, id, text, utterance, prediction, label, predicted, parent, name in rows:
            said, found = _frames(utterance, prediction)
            texts = [("text", text), ("gold", _told(said, label))]
            texts.append(("predicted", _told(found, predicted)))
            if parent != id:
                texts.insert(0, ("source", self._source_text(parent)))
            yield Line(name, id, tuple(texts), key={"number": str(number)})

    def _source_text(self, parent: str) -> str:
        row = self.connect().execute(
            "SELECT text FROM items WHERE parent = ? AND set_number = 0", [parent]
        ).fetchone()  # fmt: skip
        return str(row[0]) if row else ""

    def _tables(self, sets: Sequence[RunSet]) -> Iterator[Table]:
        rows = self.connect().execute(
            "SELECT label, predicted, COUNT(*) AS n FROM items WHERE label != predicted "
            "GROUP BY label, predicted "
            f"ORDER BY n DESC, 1, 2 LIMIT {_CONFUSED}"
        )
        yield Table("Intents most often confused", ("gold", "predicted", "times"), tuple(rows))
        changed = tuple((one.name, one.changed, one.n) for one in sets[1:])
        yield Table("What the operators changed", ("set", "changed", "utterances"), changed)

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return the text with its gold frame, and the predicted one."""
        item = self._item(key)
        said, found = _frames(item["utterance"], item["prediction"])
        return f"{item['text']} · {_told(said, item['label'])}", _told(found, item["predicted"])

    def _item(self, key: Mapping[str, str]) -> dict[str, Any]:
        number = key.get("number", "")
        cursor = self.connect().execute(
            f'SELECT *, {self.expressions["set"]} AS "set" FROM items WHERE number = ?',
            [int(number[:18]) if number.isascii() and number.isdecimal() else -1],
        )
        row = cursor.fetchone()
        if row is None:
            raise DataError(f"{self.path}: there is no utterance {number!r}")
        return dict(zip((part[0] for part in cursor.description), row, strict=True))

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return an utterance with its source and all variants of it, edits and frames marked.

        Raises:
            DataError: if there is no such utterance.
        """
        item = self._item(key)
        cursor = self.connect().execute(
            f'SELECT *, {self.expressions["set"]} AS "set" FROM items WHERE parent = ? '
            "ORDER BY number",
            [item["parent"]],
        )
        names = [part[0] for part in cursor.description]
        family = [dict(zip(names, row, strict=True)) for row in cursor]
        return {
            **self._attention(item),
            "id": item["id"],
            "parent": item["parent"],
            "set": item["set"],
            "text": item["text"],
            "rates": {"loss": item["loss"], "slot errors": item["slot_errors"]},
            "columns": {"operator": item["operator"]} if item["operator"] else {},
            "variants": [_variant(one, current=one["number"] == item["number"]) for one in family],
        }

    def _attention(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Where the model looked, if the run has been asked."""
        known = self.connect().execute("SELECT 1 FROM sqlite_master WHERE name = 'attention'")
        if known.fetchone() is None:
            return {}
        row = self.connect().execute(
            "SELECT weights FROM attention WHERE number = ?", [item["number"]]
        ).fetchone()  # fmt: skip
        if row is None:
            return {}
        tokens = msgspec.json.decode(item["utterance"])["tokens"]
        return {"attention": {"tokens": tokens, "weights": msgspec.json.decode(row[0])}}


def _measured(run: Run, sets: Sequence[RunSet]) -> Iterator[Measured]:
    """The rates of every set: kept in the run when it is done, worked out while it is not."""
    kept: dict[str, list[ScoreRow]] = {}
    for row in run.scores():
        kept.setdefault(row.set_name, []).append(row)
    if not kept:
        for one in sets:
            if one.done:
                yield Measured(one.name, one.done, rates_of(run.score(one.name)))
        return
    draws = [one for one in sets if one.kind == RANDOM]
    for one in sets:
        if one.kind != RANDOM:
            yield Measured(one.name, one.n, _rates(kept[one.name]))
    if draws:
        rows = kept[RANDOM]
        spread = next((row.spread for row in rows if row.name == "e2e_accuracy"), None)
        note = f"{len(draws)} draws" + ("" if spread is None else f", spread {100 * spread:.1f}")
        yield Measured(RANDOM, sum(one.n for one in draws), _rates(rows), note)


def _rates(rows: Sequence[ScoreRow]) -> tuple[Rate, ...]:
    return tuple(
        Rate(row.name, row.value, row.low, row.high, row.numerator, row.denominator)
        for row in sorted(rows, key=lambda row: _RATES.index(row.name))
    )


def _curves(measured: Sequence[Measured], main: str) -> Iterator[Curve]:
    """For each operator, how the main rate falls with severity; 0 is the original."""
    start = next(one for one in measured if one.name == ORIGINAL).rate(main).estimate
    points: dict[str, list[tuple[float, Estimate]]] = {}
    for one in measured:
        degree, _, operator = one.name.partition("/")
        if degree.startswith(_SEVERITY):
            at = float(degree.removeprefix(_SEVERITY))
            points.setdefault(operator, []).append((at, one.rate(main).estimate))
    for operator, found in points.items():
        yield Curve(operator, [(0.0, start), *sorted(found)])


def _frames(utterance: str, prediction: str) -> tuple[list[Span], list[Span] | None]:
    """The gold slots and the predicted ones, with their words."""
    said = msgspec.json.decode(utterance)
    found = msgspec.json.decode(prediction, type=Prediction)
    tokens = said["tokens"]
    gold = slots_of_tags(said.get("tags", ()))
    return (
        [(slot.label, " ".join(tokens[slot.start : slot.end])) for slot in gold],
        None
        if found.slots is None
        else [(slot.label, " ".join(tokens[slot.start : slot.end])) for slot in found.slots],
    )


def _told(slots: list[Span] | None, label: str | None) -> str:
    parts = [label] if label else []
    parts += [f"[{words}]:{name}" for name, words in slots or ()]
    return " · ".join(parts) or "nothing"


def _variant(item: Mapping[str, Any], *, current: bool) -> dict[str, Any]:
    said = msgspec.json.decode(item["utterance"])
    edits = msgspec.json.decode(item["edits"], type=list[Edit])
    found = msgspec.json.decode(item["prediction"], type=Prediction)
    tokens = said["tokens"]
    gold = slots_of_tags(said.get("tags", ()))
    names = {slot.label for slot in (*gold, *(found.slots or ()))}
    colours = colours_of(names)
    marks = marks_of(edits)
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
