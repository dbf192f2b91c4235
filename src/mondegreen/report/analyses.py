"""Analysis files of pssteval (``*-analysis.json``) as the source of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from mondegreen.errors import DataError
from mondegreen.metrics.phonemes import phonemes
from mondegreen.metrics.scores.rows import rows
from mondegreen.report.scores import ScoreSource
from mondegreen.runs.reading import open_run

_START = 4096  # bytes in which the keys of an analysis are found


class _Step(msgspec.Struct):
    """A step from the expected to the actual phonemes."""

    expected: str | None = None
    actual: str | None = None


class _Errors(msgspec.Struct):
    """The comparison of one utterance."""

    steps: Sequence[_Step]


class _Item(msgspec.Struct):
    """One utterance; its comparison by features is made again."""

    phonemes: _Errors | None = None


class _Analysis(msgspec.Struct):
    """What pssteval wrote; the rates are computed again from the phonemes."""

    per: float | None
    fer: float | None
    items: Mapping[str, _Item]


def is_analysis(path: Path) -> bool:
    """Return whether a file looks like an analysis of pssteval."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(_START)
    return start.lstrip()[:1] == b"{" and all(
        key in start for key in (b'"per"', b'"fer"', b'"items"')
    )


def open_analysis(path: Path) -> ScoreSource:
    """Open an analysis of pssteval, scored again by its steps, which have all phonemes.

    Raises:
        DataError: if the file is not such an analysis.
    """
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Analysis)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not an analysis of pssteval: {error}") from None
    if not found.items:
        raise DataError(f"{path}: the analysis has no utterances")
    refs, hyps = (
        [_side(path, id, item, side) for id, item in found.items.items()]
        for side in ("expected", "actual")
    )
    score = phonemes(refs, hyps, ids=list(found.items))
    with TemporaryDirectory(prefix="mondegreen-") as folder:
        file = Path(folder) / "rows.jsonl"
        file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows(score)))
        source = ScoreSource(open_run(file))
    source.path, source.name = path, path.stem
    return source


def _side(path: Path, id: str, item: _Item, side: str) -> str:
    if item.phonemes is None:
        raise DataError(f"{path}: utterance {id!r} has no phonemes")
    return " ".join(filter(None, (getattr(step, side) for step in item.phonemes.steps)))
