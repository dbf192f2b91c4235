"""Reading pairs: what was said and what a recogniser made of it, in one table or in two files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mondegreen.data.formats.detection import mapped_format
from mondegreen.data.pairs.columns import HYPOTHESES, REFERENCES
from mondegreen.data.pairs.joining import joined
from mondegreen.data.pairs.texts import Side, text_parts
from mondegreen.errors import DataError

_HEARD = replace(HYPOTHESES, otherwise=HYPOTHESES.otherwise[:1], needed=True)


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
    columns: str | Mapping[str, str] = "",
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
    format = mapped_format(format, columns)
    said = replace(REFERENCES, needed=hyp is None)
    heard = _HEARD if hyp is None else HYPOTHESES
    pairs = Pairs(path, [], [], [])
    refs, hyps = Side(path, format), Side(hyp or path, format)
    for ref, side in joined(text_parts(refs, said), [text_parts(hyps, heard)]):
        pairs.ids.extend(ref.ids)
        pairs.refs.extend(ref.texts)
        pairs.hyps.extend(side.texts)
    if not pairs.ids:
        raise DataError(f"{path}: there are no pairs; give a table with the columns ref and hyp")
    return pairs
