"""The tables of a run (docs/design says what each column is for)."""

from __future__ import annotations

from mondegreen.metrics.slu import COLUMNS

APPLICATION = 0x4D6F6E64  # "Mond", in the header of the file
VERSION = 1
COUNTS = tuple(name for name in COLUMNS if name != "utterances")
"""The columns of counts that are kept for each item; the one left out is 1 everywhere."""

TABLES = f"""
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
  id TEXT NOT NULL, parent TEXT NOT NULL, operator TEXT NOT NULL,
  speaker TEXT, text TEXT NOT NULL, label TEXT, predicted TEXT,
  utterance TEXT NOT NULL, edits TEXT NOT NULL, prediction TEXT NOT NULL,
  {", ".join(f"{name} INTEGER NOT NULL" for name in COUNTS)},
  slot_errors INTEGER GENERATED ALWAYS AS
    (slots_said + slots_found - 2 * slots_right) VIRTUAL,
  loss REAL, flip INTEGER NOT NULL,
  said_key INTEGER NOT NULL, gold_key INTEGER NOT NULL
);
CREATE INDEX items_said ON items (said_key);
CREATE TABLE scores (
  set_name TEXT NOT NULL, name TEXT NOT NULL,
  value REAL, low REAL, high REAL, numerator REAL NOT NULL, denominator REAL NOT NULL,
  mean REAL, spread REAL,
  PRIMARY KEY (set_name, name)
) WITHOUT ROWID;
"""

_SORTED = (
    "wrong", "flip", "label, predicted", "predicted", "operator", "speaker", "slot_errors", "loss",
)  # fmt: skip
INDICES = "CREATE INDEX IF NOT EXISTS items_parent ON items (parent);" + "".join(
    f"CREATE INDEX IF NOT EXISTS items_{name.split(',')[0]}{suffix} ON items ({start}{name});"
    for name in _SORTED
    for suffix, start in (("", ""), ("_of_set", "set_number, "))
)
"""Made when the run is finished: filling them row by row would cost more. Each ends with the
item's number, as every index of SQLite does, so that pages come in order without a sort, over all
sets as within one."""

SEARCH = """
CREATE VIRTUAL TABLE IF NOT EXISTS search
  USING fts5 (text, content='items', content_rowid='number');
INSERT INTO search (search) VALUES ('rebuild');
"""
