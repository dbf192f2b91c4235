"""Read a suite: its sets in order, and each case with the id of its source utterance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.lines import read_lines
from mondegreen.data.formats.jsonl import json_record
from mondegreen.data.records import with_values
from mondegreen.errors import DataError, unknown
from mondegreen.provenance.suite_manifest import SetEntry, SuiteManifest, read_suite_manifest
from mondegreen.types import Utterance, slots_of_tags

_OWN = frozenset(("id", "text", "tokens", "tags", "values", "label", "parent", "edits"))


class _PlainLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line without further columns, as most are."""

    id: str
    text: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...] = ()
    label: str | None = None
    parent: str | None = None
    edits: list[dict[str, Any]] = []


_LINES = msgspec.json.Decoder(_PlainLine)


class Case(NamedTuple):
    """One line of a set; ``parent`` is the id of the source, ``edits`` are as in the file."""

    utterance: Utterance
    parent: str
    edits: list[dict[str, Any]]


@dataclass(frozen=True)
class Suite:
    """A suite: its folder and its manifest."""

    folder: Path
    manifest: SuiteManifest

    def __getitem__(self, name: str) -> SetEntry:
        for entry in self.manifest.sets:
            if entry.name == name:
                return entry
        raise DataError(unknown("set", name, [entry.name for entry in self.manifest.sets]))

    def path(self, entry: SetEntry) -> Path:
        """Return the path of a set."""
        return self.folder / entry.file.path

    def cases(self, entry: SetEntry, holding: str = "") -> Iterator[Case]:
        """Yield the cases of a set; line n of every set is made from the same source utterance.

        Args:
            entry: the set.
            holding: leave out the lines that do not hold this text.

        Raises:
            DataError: naming the line that is not a case.
        """
        path = self.path(entry)
        for number, line in read_lines(path):
            if holding not in line:
                continue
            try:
                yield _plain_case(_LINES.decode(line))
            except (msgspec.MsgspecError, DataError, RecursionError):
                yield _case(path, number, line)

    def check(self) -> None:
        """Check that no file of a set has changed.

        Raises:
            DataError: naming the first file that has changed.
        """
        for entry in self.manifest.sets:
            path = self.path(entry)
            found = hash_of(path)
            if found != entry.file.sha256:
                raise DataError(
                    f"{path}: has changed since the suite was made (its hash is {found[:12]}…, the "
                    f"manifest has {entry.file.sha256[:12]}…); make the suite again"
                )


def _plain_case(line: _PlainLine) -> Case:
    """Return the case of a line with nothing but these columns."""
    tokens, text, tags = line.tokens, line.text, line.tags
    raw = None if text == " ".join(tokens) else text
    slots = slots_of_tags(tags) if tags else ()
    utterance = Utterance(line.id, tokens, slots, line.label, raw)
    return Case(utterance, line.id if line.parent is None else line.parent, line.edits)


def _case(path: Path, number: int, line: str) -> Case:
    record = json_record(path, number, line)
    try:
        utterance = _utterance(record)
    except (DataError, KeyError, TypeError) as error:
        raise DataError.at(path, number, f"not a line of a suite: {error!r}") from None
    return Case(utterance, record.get("parent", utterance.id), record.get("edits", []))


def _utterance(record: dict[str, Any]) -> Utterance:
    """Return the utterance of a line that this package wrote, with all columns."""
    tokens, text = tuple(record["tokens"]), record["text"]
    utterance = Utterance(
        record["id"],
        tokens,
        slots_of_tags(record.get("tags", ())),
        record.get("label"),
        None if text == " ".join(tokens) else text,
        tuple((name, value) for name, value in record.items() if name not in _OWN),
    )
    values = record.get("values")
    return with_values(utterance, values) if values else utterance


def open_suite(folder: Path | str) -> Suite:
    """Open a suite; the files of its sets are opened when they are read.

    Raises:
        DataError: if the folder does not contain a suite, or one of a newer format.
    """
    place = Path(folder)
    return Suite(place, read_suite_manifest(place))
