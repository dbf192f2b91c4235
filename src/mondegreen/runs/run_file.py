"""The file of a run: what it says about itself, its sets and its scores."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import msgspec

from mondegreen.errors import DataError, MondegreenError, PluginError, unknown
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Metric
from mondegreen.metrics.slices.of_scores import recipe_of
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.notebook import ShownInNotebooks
from mondegreen.runs.schema import counts_of

_META = frozenset(("suite", "suite_sha", "model", "model_spec", "version", "state"))
_DAMAGED = (
    sqlite3.Error, msgspec.MsgspecError, MondegreenError, ValueError, TypeError, LookupError,
    OverflowError, RecursionError,
)  # fmt: skip
"""What reading a damaged run may raise."""
_NUMBERS = 8  # of a rate; runs of earlier versions do not say whether its sample is too small


class RunSet(NamedTuple):
    """One set of a run; its items are numbered from ``first``, and ``done`` of them are stored."""

    number: int
    name: str
    kind: str
    operator: str
    amount: str
    draw: int
    n: int
    changed: int
    first: int
    done: int


class _Head(NamedTuple):
    """The metadata, sets and scores of a run, read together."""

    meta: dict[str, str]
    sets: list[RunSet]
    scores: dict[str, dict[str, Estimate]]


class RunFile(ShownInNotebooks):
    """A run without its items, finished or not. A finished run and its file never change.

    Args:
        path: the file as the user names it.
        connection: its database.
        database: where the database is, if rows were read into one.
        folder: where that is; it is removed on close.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        database: Path | None = None,
        folder: TemporaryDirectory[str] | None = None,
    ) -> None:
        self.path = path
        self.connection = connection
        self.database = database or path
        self._folder = folder
        connection.row_factory = sqlite3.Row
        self._cached: _Head | None = None

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _head(self) -> _Head:
        """Metadata, sets and scores; read once if the run is finished, each time otherwise."""
        if self._cached is not None:
            return self._cached
        head = self._read_head()
        if head.meta.get("state") == "done":
            self._cached = head
        return head

    def _read_head(self) -> _Head:
        with self._reading():
            return self._parsed_head()

    def _parsed_head(self) -> _Head:
        meta = {row["key"]: row["value"] for row in self._rows("SELECT key, value FROM meta")}
        done = self._rows("SELECT COALESCE(MAX(number) + 1, 0) AS done FROM items")[0]["done"]
        sets = [
            RunSet(**dict(row), done=max(0, min(row["n"], done - row["first"])))
            for row in self._rows("SELECT * FROM sets ORDER BY number")
        ]
        scores: dict[str, dict[str, Estimate]] = {}
        for set_name, *values in self._rows("SELECT * FROM scores"):
            estimate = Estimate(*values[:_NUMBERS], *map(bool, values[_NUMBERS:]))
            scores.setdefault(set_name, {})[estimate.name] = estimate
        missing = _META - {key for key, value in meta.items() if isinstance(value, str)}
        if missing or not all(isinstance(one.name, str) for one in sets):
            raise ValueError(f"{min(missing, default='the name of a set')} is missing")
        return _Head(meta, sets, scores)

    @property
    def meta(self) -> dict[str, str]:
        """The metadata of the run: suite, model, state, version and so on."""
        return self._head.meta

    @cached_property
    def metric(self) -> Metric:
        """The metric of the run; one that is named by its place is not imported."""
        try:
            return METRICS.named(self.meta.get("metric", "slu"))
        except PluginError as error:
            raise DataError(f"{self.path}: {error}") from None

    @property
    def finished(self) -> bool:
        """Whether every item is stored and scored."""
        return self.meta.get("state") == "done"

    @property
    def is_score(self) -> bool:
        """Whether this is the score of a file (``score … --items``): it has one set."""
        return "signature" in self.meta

    @property
    def recipe(self) -> dict[str, str]:
        """The parts of the signature by their names, by which texts can be aligned again."""
        return recipe_of(self.signature)

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """The counts that are stored per item."""
        if self.is_score:
            return msgspec.json.decode(self.meta["counts"], type=tuple[str, ...])
        return tuple(name for name in counts_of(self.metric) if name in self.item_columns)

    @property
    def further(self) -> tuple[str, ...]:
        """The names of the further columns of the data."""
        return msgspec.json.decode(self.meta.get("columns", "[]"), type=tuple[str, ...])

    @property
    def signature(self) -> str:
        """The recipe of the run's numbers, in one line."""
        meta = self.meta
        if self.is_score:
            return meta["signature"]
        return (
            f"mondegreen|{self.metric.name}|suite:{meta['suite_sha'][:16]}"
            f"|model:{meta['model'].replace('|', ',')}|v:{meta['version']}"
        )

    @property
    def sets(self) -> list[RunSet]:
        """The sets in their order."""
        return self._head.sets

    def set(self, name: str) -> RunSet:
        """Return a set by its name.

        Raises:
            DataError: if there is no such set.
        """
        found = {one.name: one for one in self.sets}
        if name not in found:
            raise DataError(f"{self.path}: {unknown('set', name, found)}")
        return found[name]

    def scores(self) -> dict[str, dict[str, Estimate]]:
        """Return the stored rates by set and name; empty if the run is not finished."""
        return self._head.scores

    @cached_property
    def item_columns(self) -> frozenset[str]:
        """The columns of the items; runs of earlier versions have fewer."""
        rows = self._rows("SELECT name FROM pragma_table_xinfo('items')")
        return frozenset(row["name"] for row in rows)

    @property
    def repeat(self) -> int:
        """How often each text was asked."""
        return int(self.meta.get("repeat", "1"))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Translate whatever a damaged run makes of reading it.

        Raises:
            DataError: if the run is damaged.
        """
        try:
            yield
        except DataError:
            raise
        except _DAMAGED as error:
            raise DataError(
                f"{self.path}: the run is damaged ({error}); make it again: mondegreen evaluate"
            ) from None

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[sqlite3.Row]:
        """Yield the rows that a query finds.

        Raises:
            DataError: if the run is damaged.
        """
        with self._reading():
            # a generator that ends early closes a cursor, which fails if the run is closed by then
            yield from chain(self.connection.execute(query, values))

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return list(self.rows(query, values))
