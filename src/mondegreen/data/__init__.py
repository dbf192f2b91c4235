"""Reading and writing utterances: one file a format, chosen by name or by looking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from mondegreen.data.arrow import DATASET, PARQUET, from_dataset, to_dataset
from mondegreen.data.columns import CSV, PSST, TSV
from mondegreen.data.conll import CONLL
from mondegreen.data.folder import FOLDER, TAGS, WORDS
from mondegreen.data.formats import Format, Item, Sink, Target
from mondegreen.data.jsonl import JSONL
from mondegreen.data.lines import STANDARD_STREAM, Meter
from mondegreen.data.looking import look
from mondegreen.data.plain import KALDI, TRN, TXT
from mondegreen.errors import DataError, OutputError, unknown
from mondegreen.types import Utterance

__all__ = [
    "FORMATS",
    "Format",
    "Item",
    "Sink",
    "format_of",
    "from_dataset",
    "open_sink",
    "read",
    "target_format",
    "to_dataset",
    "write",
]

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (TXT, JSONL, CSV, TSV, PARQUET, FOLDER, CONLL, KALDI, TRN, PSST, DATASET)
}
_BY_SUFFIX = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}


def read(
    path: Path | str, format: str | None = None, *, meter: Meter | None = None
) -> Iterator[Utterance]:
    """Yield the utterances of a file or folder, one after the other.

    The format is told by the name or, failing that, by a look at the first lines. ``-`` is
    standard input.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    path = Path(path)
    return format_of(path, format).read(path, meter)


def write(
    items: Iterable[Item], path: Path | str, format: str | None = None, *, force: bool = False
) -> None:
    """Write utterances or variants, whole or not at all.

    Raises:
        OutputError: if the target exists and is not to be replaced, or cannot be written.
    """
    with open_sink(Path(path), format, force=force) as sink:
        for item in items:
            sink(item)


def open_sink(
    path: Path, format: str | None = None, *, force: bool = False, newline: str = "\n"
) -> AbstractContextManager[Sink]:
    """Open a target to write one item after the other; it appears when the block ends well."""
    return target_format(path, format).open(Target(path, force, newline))


def format_of(path: Path, format: str | None = None) -> Format:
    """Tell the format of a source: as named, by the file's name, or by its first lines.

    Raises:
        DataError: if the format has no such name, or if there is no such file.
    """
    if format is not None:
        return _named(format)
    if path.suffix == ".tsv" and path.is_file():
        return FORMATS[look(path)]
    if path.suffix in _BY_SUFFIX:
        return _BY_SUFFIX[path.suffix]
    if path == STANDARD_STREAM:
        return TXT
    if path.name == "text" and path.is_file():
        return KALDI
    if path.is_dir():
        return _folder_format(path)
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder")
    return FORMATS[look(path)]


def _folder_format(path: Path) -> Format:
    if (path / WORDS).exists() or (path / TAGS).exists():
        return FOLDER
    if (path / "state.json").exists() or (path / "dataset_dict.json").exists():
        return DATASET
    parts = sorted(part.name for part in path.iterdir() if (part / WORDS).exists())
    hint = f"; name one of its parts: {', '.join(parts)}" if parts else ""
    raise DataError(
        f"{path}: a folder, but neither of {WORDS}, {TAGS}, label nor a saved dataset{hint}"
    )


def target_format(
    path: Path, format: str | None = None, *, otherwise: Format | None = None
) -> Format:
    """Tell the format of a target: as named, by its ending, or ``otherwise`` where it has none.

    Raises:
        OutputError: if the ending is not known.
    """
    if format is not None:
        return _named(format)
    if path.suffix in _BY_SUFFIX:
        return _BY_SUFFIX[path.suffix]
    if path == STANDARD_STREAM or not path.suffix:
        return otherwise or (TXT if path == STANDARD_STREAM else FOLDER)
    raise OutputError(
        f"{path}: no format is known by the ending {path.suffix}; name the format, or take one of "
        f"{', '.join(sorted(_BY_SUFFIX))}"
    )


def _named(name: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise DataError(unknown("format", name, FORMATS)) from None
