"""Reading and writing utterances: one file per format, chosen by name or by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from mondegreen.data.arrow import DATASET, PARQUET, from_dataset, to_dataset
from mondegreen.data.conll import CONLL
from mondegreen.data.folder import FOLDER, TAGS, WORDS
from mondegreen.data.formats import Format, Item, Sink, Target
from mondegreen.data.jsonl import JSONL
from mondegreen.data.lines import STANDARD_STREAM, Meter
from mondegreen.data.plain import KALDI, TRN, TXT
from mondegreen.data.sniffing import is_parquet, sniff
from mondegreen.data.tables import CSV, PSST, TSV
from mondegreen.errors import DataError, OutputError, PluginError
from mondegreen.plugins import Registry
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

_OWN = (TXT, JSONL, PSST, TSV, CSV, TRN, CONLL, KALDI, PARQUET, FOLDER, DATASET)
"""Those that are recognised by their lines come in the order in which they are tried."""
FORMATS: Registry[Format] = Registry(
    "format", "mondegreen.formats", {f.name: f"{__name__}:{f.name.upper()}" for f in _OWN}
)
_BY_SUFFIX = {suffix: format for format in _OWN for suffix in format.suffixes}


def read(
    path: Path | str, format: str | None = None, *, meter: Meter | None = None
) -> Iterator[Utterance]:
    """Yield the utterances of a file or folder, one after the other.

    The name of the file says its format or, failing that, its first lines do. ``-`` is standard
    input.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    path = Path(path)
    return format_of(path, format).read(path, meter)


def write(
    items: Iterable[Item], path: Path | str, format: str | None = None, *, force: bool = False
) -> None:
    """Write utterances or variants, all of them or nothing.

    Raises:
        OutputError: if the target exists and ``force`` is not set, or if it cannot be written.
    """
    with open_sink(Path(path), format, force=force) as sink:
        for item in items:
            sink(item)


def open_sink(
    path: Path, format: str | None = None, *, force: bool = False, newline: str = "\n"
) -> AbstractContextManager[Sink]:
    """Open a target to write one item after the other; it appears when the block ends well."""
    return target_format(path, format).open(Target(path, force, newline))


def _by_suffix(suffix: str) -> Format | None:
    if suffix in _BY_SUFFIX or not suffix:
        return _BY_SUFFIX.get(suffix)
    guests = (FORMATS[name] for name in FORMATS if name not in FORMATS.own)
    return next((format for format in guests if suffix in format.suffixes), None)


def format_of(path: Path, format: str | None = None) -> Format:
    """Return the format of a source: as named, by the file's name, or by its first lines.

    Raises:
        DataError: if there is no such format or no such file.
    """
    if format is not None:
        return _named(format)
    if path == STANDARD_STREAM:
        return TXT
    if path.is_dir():
        return _folder_format(path)
    if path.suffix != ".tsv" and (known := _by_suffix(path.suffix)):
        return known
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder")
    if path.name == "text":
        return KALDI
    if is_parquet(path):
        return PARQUET
    return sniff(path, _OWN) or TXT


def _folder_format(path: Path) -> Format:
    if (path / WORDS).exists() or (path / TAGS).exists():
        return FOLDER
    if (path / "state.json").exists() or (path / "dataset_dict.json").exists():
        return DATASET
    parts = sorted(part.name for part in path.iterdir() if (part / WORDS).exists())
    hint = f"; name one of its parts: {', '.join(parts)}" if parts else ""
    raise DataError(
        f"{path}: a folder, but it has neither {WORDS}, {TAGS} and label nor a saved dataset{hint}"
    )


def target_format(
    path: Path, format: str | None = None, *, otherwise: Format | None = None
) -> Format:
    """Return the format of a target: as named, by its ending, or ``otherwise`` without an ending.

    Raises:
        OutputError: if the ending is not known.
    """
    if format is not None:
        return _named(format)
    if known := _by_suffix(path.suffix):
        return known
    if path == STANDARD_STREAM or not path.suffix:
        return otherwise or (TXT if path == STANDARD_STREAM else FOLDER)
    raise OutputError(
        f"{path}: no format is known by the ending {path.suffix}; name the format, or use one of "
        f"{', '.join(sorted(_BY_SUFFIX))}"
    )


def _named(name: str) -> Format:
    try:
        return FORMATS.named(name)
    except PluginError as error:
        raise DataError(str(error)) from None
