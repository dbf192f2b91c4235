"""Reading references and hypotheses so that each finds its other: by id, or line by line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mondegreen.data import format_of
from mondegreen.data.lines import STANDARD_STREAM, read_lines
from mondegreen.errors import DataError
from mondegreen.metrics.score import numbers

_BY_PLACE = ("txt", "folder")


def has_ids(format: str) -> bool:
    """Tell whether a format's utterances are named, rather than found by their place."""
    return format not in _BY_PLACE


class Transcripts(NamedTuple):
    """The texts of a file, with their ids and other columns."""

    path: Path
    has_ids: bool
    ids: list[str]
    texts: list[str]
    extra: list[dict[str, object]]
    format: str = ""

    def column(self, name: str) -> list[str]:
        """Return another column of the file, for groups.

        Raises:
            DataError: if an utterance has none.
        """
        if not self.extra:
            raise DataError(f"{self.path}: a file of plain lines has no column {name!r}")
        for id, columns in zip(self.ids, self.extra, strict=True):
            if name not in columns:
                known = ", ".join(columns) or "none"
                raise DataError(
                    f"{self.path}: utterance {id!r} has no column {name!r} (there are: {known})"
                )
        return [str(columns[name]) for columns in self.extra]


def read_transcripts(path: Path, format: str | None = None) -> Transcripts:
    """Read all texts of a file, with its other columns.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    found = format_of(path, format)
    if found.name == "txt":
        texts = _plain_lines(path)
        return Transcripts(
            path, has_ids=False, ids=list(numbers(len(texts))), texts=texts, extra=[]
        )
    said = list(found.read(path, None))
    return Transcripts(
        path,
        has_ids(found.name),
        [one.id for one in said],
        [one.text for one in said],
        [dict(one.extra) | ({"label": one.label} if one.label else {}) for one in said],
        found.name,
    )


def _plain_lines(path: Path) -> list[str]:
    """The lines of a text file at once; with any doubt about them, one by one, to say where."""
    if path != STANDARD_STREAM and path.is_file():
        try:
            text = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            text = ""
        if text and "\0" not in text and "\r" not in text and text[0] != "\ufeff":
            return text.removesuffix("\n").split("\n")
    return [line for _, line in read_lines(path)]


def paired(refs: Transcripts, hyps: Transcripts, *, ignore_case: bool = False) -> list[str]:
    """Return the hypotheses' texts in the references' order; ids pair as words compare.

    Raises:
        DataError: if one has no other; it is named.
    """
    return [hyps.texts[place] for place in places(refs, hyps, ignore_case=ignore_case)]


def places(refs: Transcripts, hyps: Transcripts, *, ignore_case: bool = False) -> range | list[int]:
    """Return where the hypothesis of each reference stands.

    Raises:
        DataError: if one has no other; it is named.
    """
    if not refs.has_ids or not hyps.has_ids:
        if len(refs.ids) != len(hyps.ids):
            raise DataError(
                f"{refs.path} has {len(refs.ids):,} lines, {hyps.path} has {len(hyps.ids):,}; "
                "give an empty line for silence, leave none out"
            )
        return range(len(refs.ids))
    wanted, given = (
        [id.lower() for id in side.ids] if ignore_case else side.ids for side in (refs, hyps)
    )
    found = {id: place for place, id in enumerate(given)}
    missing = [id for id in wanted if id not in found]
    known = set(wanted)
    more = [id for id in given if id not in known]
    if missing or more:
        raise DataError(
            f"{refs.path} and {hyps.path} do not pair up: {_such(missing)} without hypothesis, "
            f"{_such(more)} without reference. Give an empty text for silence; leave none out."
        )
    return [found[id] for id in wanted]


def _such(ids: Sequence[str]) -> str:
    return f"{len(ids):,} (such as {ids[0]!r})" if ids else "0"
