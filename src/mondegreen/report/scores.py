"""The rows of a score (``score … --items FILE``) as a source of pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np

from mondegreen.errors import DataError
from mondegreen.metrics import correctness, fluency, phonemes, slu, words
from mondegreen.metrics.score import Ratio, Score
from mondegreen.metrics.show import LETTERS, aligned, confusions
from mondegreen.report.content import Line, Measured, Overview, Table, rates_of
from mondegreen.report.source import OFFERED, Column, Page, Query, Source, span, until_done

_METRICS: dict[str, dict[str, Ratio]] = {
    "words": words.RATES,
    "fluency": fluency.RATES,
    "phonemes": phonemes.RATES,
    "correctness": correctness.RATES,
    "slu": slu.RATES,
}
_ERRORS = ("words", "fluency", "phonemes")
_PLAIN = ("id", "ref", "hyp", "signature", "columns")
_SEARCHED = ("id", "ref", "hyp")
_LITERAL = str.maketrans({"%": "!%", "_": "!_", "!": "!!"})
_CHUNK = 10_000
_WORST = 25
_CONFUSED = 20
_SAMPLE = 20_000  # utterances, the worst ones, that confusions are counted on


class ScoreSource(Source):
    """Reads a file of rows into a database of its own, which goes with it."""

    def __init__(self, path: Path, told: Callable[[int], object] | None = None) -> None:
        super().__init__()
        self.path = path
        self.name = path.stem
        rows = _read(path)
        first = next(rows, None)
        if first is None:
            raise DataError(f"{path}: holds no utterances; write it with: score … --items {path}")
        self.signature = str(first.get("signature", ""))
        self.metric = self.signature.split("|")[1] if self.signature.count("|") else ""
        if self.metric not in _METRICS:
            raise DataError(
                f"{path}: the first row does not say what it is a score of; write it anew with: "
                f"score … --items {path}"
            )
        self.rates = {name: r for name, r in _METRICS[self.metric].items() if name in first}
        self.counts = tuple(k for k in first if k not in _PLAIN and k not in self.rates)
        self.extra = tuple(first.get("columns", {}))
        measures = tuple(Column(name, name) for name in self.rates)
        sides = (Column("ref", "reference", "text"), Column("hyp", "hypothesis", "text"))
        self.columns = (Column("id", "utterance", "name"), *measures, *sides)
        self.facets = tuple(Column(f"column {name}", name, "name") for name in self.extra)
        self._folder = TemporaryDirectory(prefix="mondegreen-")
        self._place = Path(self._folder.name) / "items.sqlite"
        self._fill(chain((first,), rows), told or (lambda _: None))
        self._connection = self._open()

    def _fill(self, rows: Iterator[dict[str, Any]], told: Callable[[int], object]) -> None:
        typed = [
            'position INTEGER PRIMARY KEY, "id" TEXT, "ref" TEXT, "hyp" TEXT',
            *(f"{quoted(name)} REAL" for name in self.rates),
            *(f"{quoted(name)} INTEGER" for name in self.counts),
            *(f"{quoted(column.key)} TEXT" for column in self.facets),
        ]
        names = ("ref", "hyp", *self.rates, *self.counts)
        with sqlite3.connect(self._place) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"CREATE TABLE items ({', '.join(typed)})")
            holes = ", ".join("?" * (2 + len(names) + len(self.extra)))
            statement = f"INSERT INTO items VALUES ({holes})"
            while part := list(islice(rows, _CHUNK)):
                connection.executemany(
                    statement,
                    (
                        (None, row["id"], *(row.get(name) for name in names), *self._extra(row))
                        for row in part
                    ),
                )
                told(len(part))
            for column in ("id", *self.rates, *(column.key for column in self.facets)):
                name = quoted(column)
                connection.execute(f"CREATE INDEX {quoted('by ' + column)} ON items ({name})")
        connection.close()

    def _extra(self, row: dict[str, Any]) -> Iterator[str | None]:
        columns = row.get("columns", {})
        for name in self.extra:
            yield str(columns[name]) if name in columns else None

    def _open(self) -> sqlite3.Connection:
        """A connection that can only read; SQLite lets threads take turns by itself."""
        return sqlite3.connect(f"file:{self._place}?mode=ro", uri=True, check_same_thread=False)

    def page(self, query: Query) -> Page:
        """Return a page of the utterances that a query finds.

        Raises:
            DataError: if a column is unknown.
        """
        where, values = self._where(query)
        connection = self._connection
        total = connection.execute(f"SELECT COUNT(*) FROM items{where}", values).fetchone()[0]
        return Page(list(self._select(connection, query, *span(query))), total)

    def rows(self, query: Query) -> Iterator[dict[str, Any]]:
        """Return all utterances that a query finds.

        Raises:
            DataError: if a column is unknown.
        """
        connection = self._open()
        try:
            return until_done(self._select(connection, query, -1, 0), connection.close)
        except BaseException:
            connection.close()
            raise

    def _select(
        self, connection: sqlite3.Connection, query: Query, size: int, offset: int
    ) -> Iterator[dict[str, Any]]:
        where, values = self._where(query)
        names = [column.key for column in self.columns]
        down = "DESC" if query.descending else "ASC"
        cursor = connection.execute(
            f"SELECT {', '.join(map(quoted, names))} FROM items{where} "
            f"ORDER BY {quoted(self.sorted_by(query))} {down}, position {down} LIMIT ? OFFSET ?",
            [*values, size, offset],
        )
        return (dict(zip(names, row, strict=True)) for row in cursor)

    def _where(self, query: Query) -> tuple[str, list[Any]]:
        """The condition of a query; names are our own columns', values are bound."""
        filters = self.filters(query)
        terms = [f"{quoted(key)} = ?" for key in filters]
        values: list[Any] = [*filters.values()]
        if query.text:
            found = " OR ".join(f"{name} LIKE ? ESCAPE '!'" for name in _SEARCHED)
            terms.append(f"({found})")
            values += [f"%{query.text.translate(_LITERAL)}%"] * len(_SEARCHED)
        if query.wrong:
            terms.append("wrong > 0")
        return (f" WHERE {' AND '.join(terms)}" if terms else ""), values

    def values(self, key: str) -> list[str]:
        """Return the values of a column, in order."""
        name = quoted(key)
        rows = self._connection.execute(
            f"SELECT DISTINCT {name} FROM items WHERE {name} IS NOT NULL ORDER BY 1 LIMIT ?",
            [OFFERED + 1],
        )
        return [str(row[0]) for row in rows]

    def close(self) -> None:
        """Remove the database."""
        self._connection.close()
        self._folder.cleanup()

    def default_sort(self) -> str:
        """Return the rate that tells most: of features, where there are phonemes."""
        return "feature_error_rate" if self.metric == "phonemes" else next(iter(self.rates))

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
        return Score(self.metric, self.signature, self.counts, table, self.rates, tuple(ids))

    def scores(self, set: str) -> Score:  # noqa: ARG002 (a score has one set)
        """Return the score, built again from its rows."""
        return self._score

    def look(self) -> Overview:
        """Work out what the report tells."""
        score = self._score
        return Overview(
            title=self.name,
            signature=self.signature,
            n=len(score),
            sets=(Measured("all utterances", len(score), rates_of(score)), *self._groups()),
            higher_is_better=self.metric not in _ERRORS,
            main=self.default_sort(),
            worst=tuple(self._worst()),
            tables=tuple(self._confused()),
            methods=(
                ("rows", str(self.path)),
                ("metric", self.metric),
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
                yield Measured(f"{column.label} {value}", len(part), rates_of(part))

    def _worst(self) -> Iterator[Line]:
        sort = quoted(self.default_sort())
        rows = self._connection.execute(
            f"SELECT id, ref, hyp, {sort} FROM items WHERE wrong > 0 "
            f"ORDER BY {sort} DESC, position LIMIT {_WORST}"
        )
        for id, ref, hyp, value in rows:
            note = "" if value is None else f"{self.default_sort()} {value:.2f}"
            sides = (("reference", ref or ""), ("hypothesis", hyp or ""))
            yield Line("", id, sides, note, {"id": id})

    def _confused(self) -> Iterator[Table]:
        if self.metric not in _ERRORS:
            return
        rows = self._connection.execute(
            f"SELECT ref, hyp FROM items WHERE wrong > 0 ORDER BY position LIMIT {_SAMPLE}"
        ).fetchall()  # fmt: skip
        if not rows:
            return
        score = self._again([row[0] for row in rows], [row[1] for row in rows])
        if self.metric == "phonemes":
            worst = phonemes.confused(score).most_common(_CONFUSED)
            pairs = tuple((a, b, n) for (a, b), n in worst)
            yield Table("Phonemes most often confused", ("reference", "hypothesis", "times"), pairs)
            costly = phonemes.costly_features(score).most_common(_CONFUSED)
            yield Table("Features that cost most", ("feature", "cost"), tuple(costly))
            return
        for kind, counted in confusions(score).items():
            found = tuple((" → ".join(pair), n) for pair, n in counted.most_common(_CONFUSED))
            yield Table(f"Most frequent {kind}", ("words", "times"), found)

    def _again(self, refs: Sequence[str], hyps: Sequence[str]) -> Score:
        """Score some pairs once more, as the signature says."""
        recipe = dict(part.partition(":")[::2] for part in self.signature.split("|"))
        if self.metric == "phonemes":
            return phonemes.phonemes(refs, hyps, system=recipe["system"])
        if self.metric == "fluency":
            return fluency.fluency(refs, hyps, insertions=recipe["insertions"])
        return words.words(refs, hyps, costs=recipe["costs"])

    def key_at(self, set: str, place: int) -> dict[str, str]:  # noqa: ARG002 (a score has one set)
        """Return the id of an utterance by its place."""
        return {"id": self._score.ids[place]}

    def brief(self, key: Mapping[str, str]) -> tuple[str, str]:
        """Return both sides."""
        found = self._connection.execute("SELECT ref, hyp FROM items WHERE id = ?", [key["id"]])
        ref, hyp = found.fetchone()
        return ref or "", hyp or ""

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return both sides, aligned; phonemes with the trace of their features.

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
        if self.metric in _ERRORS:
            score = self._again([ref], [hyp])
            found["alignment"] = [self._cell(*step) for step in aligned(score, 0)]
            if self.metric == "phonemes":
                found["trace"] = next(phonemes.trace(score))["steps"]
        return found

    def _cell(self, step: int, ref: str | None, hyp: str | None) -> dict[str, Any]:
        disfluent = self.metric == "fluency" and ref is not None and ref.isupper()
        said = ref.lower() if disfluent and ref else ref
        return {"step": LETTERS[step], "ref": said, "hyp": hyp, "disfluent": disfluent}


def quoted(name: str) -> str:
    """Return a column as SQL names it."""
    return '"' + name.replace('"', '""') + '"'


def _read(path: Path) -> Iterator[dict[str, Any]]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    row = decoder.decode(line)
                except msgspec.MsgspecError as error:
                    raise DataError(
                        f"{path}, line {number}: is not a row of a score: {error}"
                    ) from None
                if "id" not in row:
                    raise DataError(f"{path}, line {number}: has no id; is it from score --items?")
                yield row
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from None
