"""Reading pairs: what was said and what a recogniser made of it, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mondegreen.data.layout import ID_COLUMNS
from mondegreen.data.pairs.transcripts import (
    HYPOTHESIS,
    REFERENCE,
    named_records,
    paired,
    read_side,
)
from mondegreen.errors import DataError

_HYPOTHESIS = tuple(name for name in HYPOTHESIS if name not in REFERENCE)


@dataclass(frozen=True)
class Pairs:
    """References and hypotheses, with their ids."""

    path: Path
    ids: list[str]
    refs: list[str]
    hyps: list[str]


def read_pairs(
    path: Path,
    hyp: Path | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Pairs:
    """Read pairs from a table with the columns ref and hyp, or from two files.

    Args:
        path: the table, or the references.
        hyp: the hypotheses, in any format that holds transcripts; paired by id or by line.
        format: the format of both, where the names do not tell.
        columns: the columns of ``ref`` and ``hyp`` in a table that names them otherwise.

    Raises:
        DataError: if a column or a partner is missing, if an id occurs twice, or without pairs.
    """
    if hyp is not None:
        refs = read_side(path, REFERENCE, format)
        pairs = Pairs(
            path,
            list(refs.ids),
            list(refs.texts),
            paired(refs, read_side(hyp, HYPOTHESIS, format)),
        )
    else:
        pairs = _table(path, format, columns or {})
    if not pairs.ids:
        raise DataError(f"{path}: there are no pairs; give a table with the columns ref and hyp")
    return pairs


def _table(path: Path, format: str | None, columns: Mapping[str, str]) -> Pairs:
    pairs = Pairs(path, [], [], [])
    seen: set[str] = set()
    for number, record in named_records(path, format):
        texts = []
        for part, usual in (("ref", REFERENCE), ("hyp", _HYPOTHESIS)):
            names = (columns[part],) if part in columns else usual
            name = next((name for name in names if name in record), None)
            if name is None:
                there = ", ".join(map(str, record))
                raise DataError.at(
                    path, number, f"there is no column {' or '.join(names)} (the columns: {there})"
                )
            texts.append("" if record[name] is None else str(record[name]))
        key = next((key for key in ID_COLUMNS if key in record), None)
        id = str(number if key is None else record[key])
        if id in seen:
            raise DataError.at(
                path, number, f"the id {id!r} occurs twice; every pair needs its own"
            )
        seen.add(id)
        pairs.ids.append(id)
        pairs.refs.append(texts[0])
        pairs.hyps.append(texts[1])
    return pairs
