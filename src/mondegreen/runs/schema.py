"""The tables of a run; docs/design/0012-runs.md describes their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mondegreen.metrics.metric import Metric
from mondegreen.runs.queries import quoted

ENDINGS = (".run", ".sqlite", ".db")
"""The endings of files that are written and read as runs, whatever they hold."""
APPLICATION = 0x4D6F6E64  # "Mond", in the header of the file
VERSION = 3
COLUMN = "column "
"""How the names of further columns of the data begin, such as ``column accent``."""


def counts_of(metric: Metric) -> tuple[str, ...]:
    """Return the counts that are stored per item: all but ``utterances``, which is always 1."""
    return tuple(name for name in metric.columns if name != "utterances")


def tables(metric: Metric, counts: Sequence[str], columns: Sequence[str] = ()) -> str:
    """Return the statements that create the tables of a run.

    Args:
        metric: the metric.
        counts: the counts that are stored per item.
        columns: further columns of the data.
    """
    further = [
        *(f"{quoted(name)} INTEGER NOT NULL" for name in counts),
        *(
            f"{quoted(name)} INTEGER GENERATED ALWAYS AS ({_weighted(weights)}) VIRTUAL"
            for name, weights in metric.totals.items()
            if weights.keys() <= {*counts}
        ),
        *(f"{quoted(COLUMN + name)} TEXT" for name in columns),
    ]
    return f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sets (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
  operator TEXT NOT NULL, amount TEXT NOT NULL, draw INTEGER NOT NULL,
  n INTEGER NOT NULL, changed INTEGER NOT NULL, first INTEGER NOT NULL
);
CREATE TABLE items (
  number INTEGER PRIMARY KEY,
  set_number INTEGER NOT NULL REFERENCES sets (number),
  position INTEGER NOT NULL,
  id TEXT NOT NULL, parent TEXT NOT NULL DEFAULT '', operator TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT '',
  speaker TEXT, text TEXT NOT NULL, label TEXT, predicted TEXT,
  utterance TEXT NOT NULL DEFAULT '', edits TEXT NOT NULL DEFAULT '[]',
  prediction TEXT NOT NULL DEFAULT '', hyp TEXT, alignment TEXT,
  {", ".join(further)},
  loss REAL, flip INTEGER NOT NULL DEFAULT 0,
  said_key INTEGER NOT NULL DEFAULT 0, gold_key INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE scores (
  set_name TEXT NOT NULL, name TEXT NOT NULL,
  value REAL, low REAL, high REAL, numerator REAL NOT NULL, denominator REAL NOT NULL,
  mean REAL, spread REAL, few INTEGER NOT NULL,
  PRIMARY KEY (set_name, name)
) WITHOUT ROWID;
"""


def _weighted(weights: Mapping[str, int]) -> str:
    return " + ".join(f"{weight} * {name}" for name, weight in weights.items())


def indices(metric: Metric) -> str:
    """Return the statements that create the indices of a run.

    They are created when the run is finished, which is faster than filling them row by row. Every
    index of SQLite ends with the row id, here the item's number, so pages need no extra sort, over
    all sets or within one set.
    """
    columns = (
        "wrong", "flip", "label, predicted", "predicted", "operator", "state", "speaker",
        *metric.totals, "loss",
    )  # fmt: skip
    return "CREATE INDEX IF NOT EXISTS items_parent ON items (parent);" + "".join(
        f"CREATE INDEX IF NOT EXISTS items_{name.split(',')[0]}{suffix} ON items ({start}{name});"
        for name in columns
        for suffix, start in (("", ""), ("_of_set", "set_number, "))
    )


SEARCH = """
CREATE VIRTUAL TABLE IF NOT EXISTS search
  USING fts5 (text, content='items', content_rowid='number');
INSERT INTO search (search) VALUES ('rebuild');
"""
