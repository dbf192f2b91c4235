"""Telling a file's format by its first lines."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from mondegreen.data.lines import open_source, read_lines
from mondegreen.data.records import ID_COLUMNS, TEXT_COLUMNS

_LINES = 20
_PSST = frozenset(("asr_transcript", "transcript", "prediction", "correctness"))
_COLUMNS = frozenset(("tokens", *TEXT_COLUMNS))
_TRN = re.compile(r".*\([^()\s]+\)\s*")
_TAG = re.compile(r"[BI]-\S+|O")


def look(path: Path) -> str:
    """Return the name of the format that the first lines of a file show; plain text if none.

    Raises:
        DataError: if the file cannot be read as text.
    """
    with open_source(path) as file:
        if file.read(4) == b"PAR1":
            return "parquet"
    lines = [line for _, line in islice(read_lines(path), _LINES)]
    said = [line for line in lines if line.strip()]
    if not said:
        return "txt"
    first = said[0]
    if first.lstrip().startswith("{"):
        return "jsonl"
    for separator, name in (("\t", "tsv"), (",", "csv")):
        header = set(first.split(separator))
        if "utterance_id" in header and header & _PSST and name == "tsv":
            return "psst"
        if header & _COLUMNS and (len(header) > 1 or header & set(ID_COLUMNS)):
            return name
    if all(_TRN.fullmatch(line) for line in said):
        return "trn"
    if all(_is_token_line(line) for line in said):
        return "conll"
    if all(line.count("\t") == 1 and line.split("\t")[0].strip() for line in said):
        return "kaldi"  # id, tab, words: Kaldi's text with a tab
    return "txt"


def _is_token_line(line: str) -> bool:
    if line.startswith("# ") and " = " in line:
        return True
    fields = line.split()
    return len(fields) > 1 and _TAG.fullmatch(fields[-1]) is not None
