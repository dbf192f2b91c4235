"""The rows of a score (``score … --items FILE``) as the source of pages."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from mondegreen.data.pairs.transcripts import group_name
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Table
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.scores.tally import Gathering, Tally
from mondegreen.metrics.slices.of_scores import Scored, fates, recipe_of, score_slices
from mondegreen.metrics.statistics.estimate import METHOD, spaced
from mondegreen.metrics.words.rates import word_tables
from mondegreen.report.content import SLICES, Cause, Causes, Line, Measured, Overview
from mondegreen.report.marked import Marked, aligned_words
from mondegreen.report.naming import sentence_of
from mondegreen.report.score_database import Layout, quotient_of
from mondegreen.report.score_loading import fill_database
from mondegreen.report.score_rows import Keys, RowFile, metric_of
from mondegreen.report.source import OFFERED, Column, Page, Query, Rows, Source, span
from mondegreen.runs.queries import Where, count, quoted, select

_SIDES = ("ref", "hyp")
_WRITTEN = ("written_ref", "written_hyp")  # of rows that a normalisation changed; read when needed
_PLAIN = ("id", *_SIDES, *_WRITTEN, "signature", "metric", "columns")
_SEARCHED = ("id", "ref", "hyp")
_CHUNK = 10_000
_WORST = 25
_UNFIT = (sqlite3.Error, ValueError, TypeError, AttributeError, OverflowError, RecursionError)
_SAMPLE = 20_000  # utterances for tables of words and for slices
_GROUPS = 30  # maximum number of groups of a column in the overview
_LONG = 40  # letters: a column with longer values holds texts, not groups


class ScoreSource(Source):
    """Reads a file of rows into a temporary database, which is removed on close."""

    def __init__(self, path: Path, on_progress: Callable[[int], object] | None = None) -> None:
        super().__init__()
        self.path = path
        self.name = path.stem
        self._file = file = RowFile(path)
        first = file.first
        self.signature = str(first.get("signature", ""))
        self.metric = metric_of(path, first)
        self.rates = {name: r for name, r in self.metric.by_name.items() if name in first}
        self.counts = tuple(k for k in first if k not in _PLAIN and k not in self.rates)
        columns = first.get("columns", {})
        names = tuple(columns) if isinstance(columns, dict) else ()
        self.columns = (
            Column("ref", "reference and hypothesis", "text"),
            Column("hyp", "hypothesis", "text", shown=False),
            *(Column(n, n, "rate", shown=n in self.metric.main) for n in self.rates),
            Column("id", "id", "name"),
        )
        self.facets = tuple(Column(f"column {name}", name, "name") for name in names)
        self._folder = TemporaryDirectory(prefix="mondegreen-")
        self._database = Path(self._folder.name) / "items.sqlite"
        quotients = {name: quotient_of(rate, first) for name, rate in self.rates.items()}
        stored = tuple(name for name, formula in quotients.items() if not formula)
        computed = {name: formula for name, formula in quotients.items() if formula}
        extra = tuple((column.label, column.key) for column in self.facets)
        layout = Layout(Keys(_SIDES, stored, self.counts), extra)
        try:
            fill_database(self._database, file, layout, computed, on_progress or (lambda _: None))
        except BaseException as error:
            self._folder.cleanup()
            if isinstance(error, _UNFIT):
                raise self._unfit(str(error)) from None
            raise
        self._connection = self._open()

    def _unfit(self, problem: str) -> DataError:
        return DataError(
            f"{self.path}: not the rows of one score ({problem}); write the file again with: "
            f"score … --items {self.path}"
        )

    def _open(self) -> sqlite3.Connection:
        """Open a read-only connection; threads may use it in turn."""
        return sqlite3.connect(f"file:{self._database}?mode=ro", uri=True, check_same_thread=False)

    def page(self, query: Query) -> Page:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column is unknown.
        """
        total = self._connection.execute(*count(self._where(query))).fetchone()[0]
        rows = list(self._select(self._connection, query, *span(query)))
        return Page(rows, self._marked([(row["ref"], row["hyp"]) for row in rows]), total)

    def _marked(self, sides: Sequence[tuple[str | None, str | None]]) -> list[Marked]:
        """Return pairs of texts with errors marked; as two texts if they cannot be aligned."""
        refs, hyps = [ref or "" for ref, _ in sides], [hyp or "" for _, hyp in sides]
        score = self._rescore(refs, hyps) if all(ref is not None for ref, _ in sides) else None
        if score is not None:
            unwanted = self.metric.unwanted
            wrong = (score.counts[:, score.columns.index("wrong")] > 0).tolist()
            return [
                Marked(tuple(aligned_words(steps, unwanted)), wrong=is_wrong)
                for steps, is_wrong in zip(score.alignments, wrong, strict=True)
            ]
        return [
            Marked(texts=(("reference", ref), ("hypothesis", hyp)), wrong=ref != hyp)
            for ref, hyp in zip(refs, hyps, strict=True)
        ]

    def rows(self, query: Query) -> Rows:
        """Return all utterances that a query finds.

        Raises:
            DataError: if a column is unknown.
        """
        connection = self._open()
        try:
            return Rows(self._select(connection, query, -1, 0), connection.close)
        except BaseException:
            connection.close()
            raise

    def _select(
        self, connection: sqlite3.Connection, query: Query, size: int, offset: int
    ) -> Iterator[dict[str, Any]]:
        names = [column.key for column in self.columns]
        statement = select(
            ", ".join(map(quoted, names)),
            self._where(query),
            order=(self.sorted_by(query), "position"),
            descending=self.descends(query),
            limit=size,
            offset=offset,
        )
        cursor = connection.execute(*statement)
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def _where(self, query: Query) -> Where:
        where = Where()
        for key, value in self.filters(query).items():
            where = where.equals(key, value)
        if query.text:
            where = where.contains(_SEARCHED, query.text)
        if query.slice:
            where = where.among("position", self.members(query.slice))
        return where.also("wrong > 0") if query.wrong else where

    def tally(self, key: str, query: Query) -> list[tuple[str, int]]:
        """Return how many utterances have each value of a column."""
        name = quoted(key)
        where = self._where(query).also(f"{name} IS NOT NULL")
        rows = self._connection.execute(
            f"SELECT {name}, COUNT(*) AS n FROM items{where.clause} GROUP BY 1 "
            "ORDER BY n DESC, 1 LIMIT ?",
            (*where.values, OFFERED + 1),
        )
        return [(str(value), n) for value, n in rows]

    def close(self) -> None:
        """Close and remove the database."""
        self._connection.close()
        self._folder.cleanup()

    def default_sort(self) -> str:
        """Return the metric's main rate."""
        return self._main

    @cached_property
    def _main(self) -> str:
        sums = ", ".join(f"TOTAL({quoted(name)})" for name in self.counts)
        row = self._connection.execute(f"SELECT {sums} FROM items").fetchone()
        totals = dict(zip(self.counts, row, strict=True))
        return self.metric.main_of({name: r.ratio(totals)[1] for name, r in self.rates.items()})

    def sorted_by(self, query: Query) -> str:
        """Return the column that a query sorts by; ``loss`` is the main rate, worst first.

        Raises:
            DataError: if there is no such column.
        """
        if query.sort == "loss" and "loss" not in self.rates:
            return self.default_sort()
        return super().sorted_by(query)

    def descends(self, query: Query) -> bool:
        """Return whether a query sorts in descending order; a rate has its worst end first."""
        if query.descending is not None:
            return query.descending
        rate = self.rates.get(self.sorted_by(query))
        return rate is None or rate.lower_is_better

    @cached_property
    def _total(self) -> Score:
        """The score of all rows, without their ids."""
        return self._scores_by("NULL").popitem()[1]

    def _scores_by(self, column: str) -> dict[str | None, Score]:
        """Return the score of each value of a column; of many rows, the distinct ones are kept."""
        counts = ", ".join(map(quoted, self.counts))
        cursor = self._connection.execute(f"SELECT {column}, {counts} FROM items ORDER BY position")
        found: dict[str | None, Gathering] = {}
        while rows := cursor.fetchmany(_CHUNK):
            groups: dict[str | None, list[tuple[int, ...]]] = {}
            for value, *row in rows:
                groups.setdefault(value or None, []).append(tuple(row))
            for value, group in groups.items():
                part = Tally(np.array(group, np.int64))
                found.setdefault(value, Gathering()).add(part)
        return {value: self._score(one.total()) for value, one in found.items()}

    def _score(self, rows: Tally, ids: Sequence[str] = ()) -> Score:
        return Score(
            self.metric,
            self.signature,
            rows.rows,
            tuple(ids),
            columns=self.counts,
            rates=self.rates,
            times=rows.times,
        )

    def scores(self, set: str) -> Score:  # noqa: ARG002 (a score has one set)
        """Return the score with the counts of each row, for comparisons."""
        counts = ", ".join(map(quoted, self.counts))
        rows = self._connection.execute(f"SELECT {counts} FROM items ORDER BY position")
        table = np.fromiter((value for row in rows for value in row), np.int64)
        ids = self._connection.execute("SELECT id FROM items ORDER BY position")
        return self._score(Tally(table.reshape(-1, len(self.counts))), [id for (id,) in ids])

    def compute_overview(self) -> Overview:
        """Compute the content of the report."""
        score = self._total
        return Overview(
            title=self.name,
            sentence=sentence_of(score),
            signature=self.signature,
            n=len(score),
            sets=(
                Measured("all utterances", len(score), tuple(score.estimates()), group="All"),
                *self._groups(),
            ),
            higher_is_better=not self.metric.by_name[score.main].lower_is_better,
            main=score.main,
            worst=tuple(self._worst()),
            tables=tuple(self._tables()),
            methods=(
                ("rows", str(self.path)),
                ("metric", self.metric.name),
                ("intervals", METHOD),
                ("signature", self.signature),
            ),
        )

    def compute_causes(self) -> Causes:
        """Find the slices of words, or of utterances if texts cannot be aligned."""
        with closing(self._open()) as connection:  # of its own, for another thread
            found, units = score_slices(
                self.metric, recipe_of(self.signature), self._scored(connection)
            )
            self._members = [one.members.tolist() for one in found]
            causes = [
                Cause(one.slice, tuple(self._examples(connection, one.slice.items)),
                      {"slice": str(number), "wrong": "1"})
                for number, one in enumerate(found)
            ]  # fmt: skip
        unit = "utterances" if not self.metric.rescores else "words of the references"
        part = "" if len(self._total) <= _SAMPLE else f" (of the first {_SAMPLE:,} utterances)"
        return Causes(
            tuple(causes),
            f"Slices of {units:,} {unit}{part} that are wrong more often than the others; {SLICES}",
        )

    def _scored(self, connection: sqlite3.Connection) -> Iterator[Scored]:
        extra = "".join(f", {quoted(column.key)}" for column in self._grouping())
        names = [column.label for column in self._grouping()]
        rows = connection.execute(
            f"SELECT position, ref, hyp, wrong{extra} FROM items ORDER BY position LIMIT {_SAMPLE}"
        )
        for position, ref, hyp, wrong, *values in rows:
            columns = tuple((n, v) for n, v in zip(names, values, strict=True) if v is not None)
            yield Scored(position, ref or "", hyp or "", bool(wrong), columns)

    def _examples(self, connection: sqlite3.Connection, items: Sequence[int]) -> Iterator[Line]:
        for position in items:
            query = "SELECT id, ref, hyp FROM items WHERE position = ?"
            id, ref, hyp = connection.execute(query, [position]).fetchone()
            yield Line("", id, self._marked([(ref, hyp)])[0], key={"id": id})

    def _grouping(self) -> list[Column]:
        """Return the columns that divide the utterances into a few groups, such as speakers."""
        found = []
        for column in self.facets:
            values = [value for value, _ in self._all_values(column.key)]
            few = 1 < len(values) <= min(_GROUPS, len(self._total) // 2)
            if few and max(map(len, values)) <= _LONG:
                found.append(column)
        return found

    def _groups(self) -> Iterator[Measured]:
        for column in self._grouping():
            scores = self._scores_by(quoted(column.key))
            for value in sorted(scores, key=lambda one: (one is None, str(one))):
                part = scores[value]
                yield Measured(
                    group_name(value, column.label),
                    len(part),
                    tuple(part.estimates()),
                    group=f"By {column.label}",
                    filters={} if value is None else {column.key: value},
                )

    def _worst(self) -> Iterator[Line]:
        sort = quoted(self.default_sort())
        order = "DESC" if self.descends(Query()) else "ASC"
        rows = self._connection.execute(
            f"SELECT id, ref, hyp, {sort} FROM items WHERE wrong > 0 "
            f"ORDER BY {sort} {order}, position LIMIT {_WORST}"
        ).fetchall()
        marked = self._marked([(ref, hyp) for _, ref, hyp, _ in rows])
        for (id, _, _, value), one in zip(rows, marked, strict=True):
            note = "" if value is None else f"{spaced(self.default_sort())} {100 * value:.0f} %"
            yield Line("", id, one, note, {"id": id})

    def _tables(self) -> Iterator[Table]:
        rows = self._connection.execute(
            f"SELECT ref, hyp FROM items WHERE wrong > 0 ORDER BY position LIMIT {_SAMPLE}"
        ).fetchall()  # fmt: skip
        score = self._rescore([row[0] for row in rows], [row[1] for row in rows])
        if score is None:
            return
        yield from self.metric.tables(score)
        if not self.metric.phonemes:
            found = fates(self.metric, recipe_of(self.signature), self._scored(self._connection))
            yield from word_tables((word, bool(fate)) for _, words in found for word, fate in words)

    def _rescore(self, refs: Sequence[str], hyps: Sequence[str]) -> Score | None:
        """Score pairs again by the settings in the signature; ``None`` if impossible."""
        if not self.metric.rescores or not refs:
            return None
        return self.metric.rescore(refs, hyps, recipe_of(self.signature))

    def wrong_words(self) -> dict[str, int]:
        """Return how often each word of the references is wrong."""
        found: Counter[str] = Counter()
        if self.metric.rescores:
            scored = self._scored(self._connection)
            for _, words in fates(self.metric, recipe_of(self.signature), scored):
                found.update(word for word, fate in words if fate)
        return dict(found)

    def key_at(self, set: str, position: int) -> dict[str, str]:  # noqa: ARG002 (a score has one set)
        """Return the key of an utterance by its position."""
        query = "SELECT id FROM items WHERE position = ?"
        return {"id": self._connection.execute(query, [position + 1]).fetchone()[0]}

    def brief(self, key: Mapping[str, str]) -> Marked:
        """Return an utterance with its errors marked."""
        found = self._connection.execute("SELECT ref, hyp FROM items WHERE id = ?", [key["id"]])
        return self._marked([found.fetchone()])[0]

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return an utterance with its alignment; for phonemes, also the trace of features.

        Raises:
            DataError: if there is no such utterance.
        """
        cursor = self._connection.execute(
            "SELECT * FROM items WHERE id = ? LIMIT 1", [key.get("id", "")]
        )
        row = cursor.fetchone()
        if row is None:
            raise DataError(f"{self.path}: there is no utterance {key.get('id', '')!r}")
        values = dict(zip((part[0] for part in cursor.description), row, strict=True))
        found: dict[str, Any] = {
            "id": values["id"],
            "rates": {name: values[name] for name in self.rates},
            "counts": {name: values[name] for name in self.counts},
            "columns": {c.label: values[c.key] for c in self.facets if values[c.key] is not None},
        }
        ref, hyp = values["ref"], values["hyp"]
        if ref is None or hyp is None:
            return found
        found |= {"ref": ref, "hyp": hyp, "marked": self._marked([(ref, hyp)])[0]}
        row = self._file.at(values["position"])
        sides = zip(("reference", "hypothesis"), _WRITTEN, strict=True)
        found["written"] = {name: row[key] for name, key in sides if key in row}
        score = self._rescore([ref], [hyp])
        return found | self.metric.blocks(score) if score is not None else found
