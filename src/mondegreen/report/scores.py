"""The rows of a score (``score … --items FILE``) as the source of pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from mondegreen.errors import DataError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Table
from mondegreen.metrics.score import Score
from mondegreen.report.content import Line, Measured, Overview
from mondegreen.report.source import OFFERED, Column, Page, Query, Rows, Source, span
from mondegreen.runs.queries import Where, count, quoted, select

_SIDES = ("ref", "hyp", "written_ref", "written_hyp")
_PLAIN = ("id", *_SIDES, "signature", "columns")
_SEARCHED = ("id", "ref", "hyp")
_CHUNK = 10_000
_WORST = 25
_MOST = 1 << 40  # of a count
_SAMPLE = 20_000  # utterances with errors for the tables of confusions


class ScoreSource(Source):
    """Reads a file of rows into a temporary database, which is removed on close."""

    def __init__(self, path: Path, on_progress: Callable[[int], object] | None = None) -> None:
        super().__init__()
        self.path = path
        self.name = path.stem
        rows = _read(path)
        first = next(rows, None)
        if first is None:
            raise DataError(
                f"{path}: contains no utterances; write it with: score … --items {path}"
            )
        self.signature = str(first.get("signature", ""))
        name = self.signature.split("|")[1] if self.signature.count("|") else ""
        if name not in METRICS:
            raise DataError(
                f"{path}: the first row does not name its metric; write the file again with: "
                f"score … --items {path}"
            )
        self.metric = METRICS[name]
        self.rates = {name: r for name, r in self.metric.by_name.items() if name in first}
        self.counts = tuple(k for k in first if k not in _PLAIN and k not in self.rates)
        columns = first.get("columns", {})
        self.extra = tuple(columns) if isinstance(columns, dict) else ()
        measures = tuple(Column(name, name) for name in self.rates)
        texts = (Column("ref", "reference", "text"), Column("hyp", "hypothesis", "text"))
        self.columns = (Column("id", "utterance", "name"), *measures, *texts)
        self.facets = tuple(Column(f"column {name}", name, "name") for name in self.extra)
        self._folder = TemporaryDirectory(prefix="mondegreen-")
        self._database = Path(self._folder.name) / "items.sqlite"
        try:
            self._fill(chain((first,), rows), on_progress or (lambda _: None))
        except BaseException:
            self._folder.cleanup()
            raise
        self._connection = self._open()

    def _fill(self, rows: Iterator[dict[str, Any]], on_progress: Callable[[int], object]) -> None:
        columns = [
            'position INTEGER PRIMARY KEY, "id" TEXT',
            *(f"{quoted(name)} TEXT" for name in _SIDES),
            *(f"{quoted(name)} REAL" for name in self.rates),
            *(f"{quoted(name)} INTEGER" for name in self.counts),
            *(f"{quoted(column.key)} TEXT" for column in self.facets),
        ]
        names = (*_SIDES, *self.rates, *self.counts)
        rows = map(self._checked, rows)
        with sqlite3.connect(self._database) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"CREATE TABLE items ({', '.join(columns)})")
            placeholders = ", ".join("?" * (2 + len(names) + len(self.extra)))
            statement = f"INSERT INTO items VALUES ({placeholders})"
            while part := list(islice(rows, _CHUNK)):
                connection.executemany(
                    statement,
                    (
                        (None, row["id"], *(row.get(name) for name in names), *self._extra(row))
                        for row in part
                    ),
                )
                on_progress(len(part))
            for column in ("id", *self.rates, *(column.key for column in self.facets)):
                name = quoted(column)
                connection.execute(f"CREATE INDEX {quoted('by ' + column)} ON items ({name})")
        connection.close()

    def _checked(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row whose parts are what they should be."""
        texts = all(isinstance(row.get(name), str | None) for name in _SIDES)
        rates = (row.get(name) for name in self.rates)
        counts = (row.get(name) for name in self.counts)
        if not (
            texts
            and isinstance(row["id"], str)
            and all(rate is None or isinstance(rate, int | float) for rate in rates)
            and all(isinstance(n, int) and 0 <= n <= _MOST for n in counts)
            and isinstance(row.get("columns", {}), dict)
        ):
            raise DataError(
                f"{self.path}: utterance {row['id']!r:.60} is not a row of this score; write the "
                f"file again with: score … --items {self.path}"
            )
        return row

    def _extra(self, row: dict[str, Any]) -> Iterator[str | None]:
        columns = row.get("columns", {})
        for name in self.extra:
            yield str(columns[name]) if name in columns else None

    def _open(self) -> sqlite3.Connection:
        """Open a read-only connection; threads may use it in turn."""
        return sqlite3.connect(f"file:{self._database}?mode=ro", uri=True, check_same_thread=False)

    def page(self, query: Query) -> Page:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column is unknown.
        """
        total = self._connection.execute(*count(self._where(query))).fetchone()[0]
        return Page(list(self._select(self._connection, query, *span(query))), total)

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
        return where.also("wrong > 0") if query.wrong else where

    def values(self, key: str) -> list[str]:
        """Return the values of a column, in order."""
        name = quoted(key)
        rows = self._connection.execute(
            f"SELECT DISTINCT {name} FROM items WHERE {name} IS NOT NULL ORDER BY 1 LIMIT ?",
            [OFFERED + 1],
        )
        return [str(row[0]) for row in rows]

    def close(self) -> None:
        """Close and remove the database."""
        self._connection.close()
        self._folder.cleanup()

    def default_sort(self) -> str:
        """Return the metric's main rate."""
        return self._score.main

    def descends(self, query: Query) -> bool:
        """Return whether a query sorts in descending order; a rate has its worst end first."""
        if query.descending is not None:
            return query.descending
        rate = self.rates.get(self.sorted_by(query))
        return rate is None or rate.lower_is_better

    @cached_property
    def _score(self) -> Score:
        counts = ", ".join(map(quoted, self.counts))
        cursor = self._connection.execute(f"SELECT id, {counts} FROM items ORDER BY position")
        ids: list[str] = []
        parts = []
        while rows := cursor.fetchmany(_CHUNK):
            ids += [row[0] for row in rows]
            parts.append(np.array([row[1:] for row in rows], np.int64))
        table = np.concatenate(parts)
        return Score(
            self.metric,
            self.signature,
            table,
            tuple(ids),
            columns=self.counts,
            rates=self.rates,
        )

    def scores(self, set: str) -> Score:  # noqa: ARG002 (a score has one set)
        """Return the score, computed from its rows."""
        return self._score

    def compute_overview(self) -> Overview:
        """Compute the content of the report."""
        score = self._score
        return Overview(
            title=self.name,
            signature=self.signature,
            n=len(score),
            sets=(
                Measured("all utterances", len(score), tuple(score.estimates())),
                *self._groups(),
            ),
            higher_is_better=not self.metric.by_name[score.main].lower_is_better,
            main=score.main,
            worst=tuple(self._worst()),
            tables=tuple(self._tables()),
            methods=(
                ("rows", str(self.path)),
                ("metric", self.metric.name),
                ("intervals", "95 %, bootstrap over utterances, 1,000 replicates"),
            ),
        )

    def _groups(self) -> Iterator[Measured]:
        for column in self.choices():
            rows = self._connection.execute(
                f"SELECT {quoted(column.key)} FROM items ORDER BY position"
            )
            names = [str(row[0]) for row in rows]
            for value, part in self._score.by(names).items():
                yield Measured(f"{column.label} {value}", len(part), tuple(part.estimates()))

    def _worst(self) -> Iterator[Line]:
        sort = quoted(self.default_sort())
        order = "DESC" if self.descends(Query()) else "ASC"
        rows = self._connection.execute(
            f"SELECT id, ref, hyp, {sort} FROM items WHERE wrong > 0 "
            f"ORDER BY {sort} {order}, position LIMIT {_WORST}"
        )
        for id, ref, hyp, value in rows:
            note = "" if value is None else f"{self.default_sort()} {value:.2f}"
            texts = (("reference", ref or ""), ("hypothesis", hyp or ""))
            yield Line("", id, texts, note, {"id": id})

    def _tables(self) -> Iterable[Table]:
        rows = self._connection.execute(
            f"SELECT ref, hyp FROM items WHERE wrong > 0 ORDER BY position LIMIT {_SAMPLE}"
        ).fetchall()  # fmt: skip
        score = self._rescore([row[0] for row in rows], [row[1] for row in rows])
        return self.metric.tables(score) if score is not None else ()

    def _rescore(self, refs: Sequence[str], hyps: Sequence[str]) -> Score | None:
        """Score pairs again by the settings in the signature; ``None`` if impossible."""
        recipe = dict(part.partition(":")[::2] for part in self.signature.split("|"))
        rescore = self.metric.rescore
        return rescore(refs, hyps, recipe) if rescore is not None and refs else None

    def key_at(self, set: str, position: int) -> dict[str, str]:  # noqa: ARG002 (a score has one set)
        """Return the key of an utterance by its position."""
        return {"id": self._score.ids[position]}

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return the reference and the hypothesis."""
        found = self._connection.execute("SELECT ref, hyp FROM items WHERE id = ?", [key["id"]])
        ref, hyp = found.fetchone()
        return ref or "", hyp or ""

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
        found |= {"ref": ref, "hyp": hyp}
        sides = (("reference", "written_ref"), ("hypothesis", "written_hyp"))
        found["written"] = {name: values[key] for name, key in sides if values[key] is not None}
        score = self._rescore([ref], [hyp])
        return found | self.metric.blocks(score) if score is not None else found


def _read(path: Path) -> Iterator[dict[str, Any]]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    row = decoder.decode(line)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    raise DataError(
                        f"{path}, line {number}: not a row of a score: {error}"
                    ) from None
                if "id" not in row:
                    raise DataError(
                        f"{path}, line {number}: there is no id; write rows with: score … --items"
                    )
                yield row
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
