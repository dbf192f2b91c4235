"""The formats, and which of them a file is in: by its name, or by its content."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

from mondegreen.data.answers.cases import BFCL, CALLS, TURNS
from mondegreen.data.files.compression import bare
from mondegreen.data.files.lines import STANDARD_STREAM, peek_lines
from mondegreen.data.files.shards import is_pattern, joined, shards_of
from mondegreen.data.formats.annotated import ANNOTATED, MASSIVE, SLURP
from mondegreen.data.formats.arrow import DATASET
from mondegreen.data.formats.chat import CHAT
from mondegreen.data.formats.conll import CONLL
from mondegreen.data.formats.dialogflow import DIALOGFLOW
from mondegreen.data.formats.folder import FOLDER, TAGS, WORDS
from mondegreen.data.formats.format import Format
from mondegreen.data.formats.json_list import JSON
from mondegreen.data.formats.jsonl import JSONL
from mondegreen.data.formats.label_studio import LABELSTUDIO
from mondegreen.data.formats.nlp import NLP
from mondegreen.data.formats.parquet import PARQUET
from mondegreen.data.formats.plain import KALDI, TRN, TXT
from mondegreen.data.formats.rasa import RASA
from mondegreen.data.formats.sniffing import first_lines, looks_like, sniff
from mondegreen.data.formats.snips import SNIPS
from mondegreen.data.formats.spacy_docs import SPACY
from mondegreen.data.formats.speech import LHOTSE, NEMO, SEGLST
from mondegreen.data.formats.tables import CSV, PSST, TSV
from mondegreen.data.formats.textgrid import TEXTGRID
from mondegreen.data.formats.timed import CTM, STM
from mondegreen.data.layout import PLAIN, ReadOptions
from mondegreen.errors import DataError, OutputError, PluginError
from mondegreen.plugins import Registry
from mondegreen.text.patterns import lazy_pattern

_OWN = (
    TXT, ANNOTATED, MASSIVE, SLURP, SPACY, CALLS, TURNS, BFCL, NEMO, LHOTSE, TEXTGRID, CHAT, STM,
    CTM, JSONL, PSST, TSV, CSV, TRN, CONLL, KALDI, RASA, SNIPS,
    DIALOGFLOW, LABELSTUDIO, SEGLST, NLP, JSON, PARQUET, FOLDER, DATASET,
)  # fmt: skip
"""Those that are recognised by their content come in the order in which they are tried."""
FORMATS: Registry[Format] = Registry(
    "format", "mondegreen.formats", {f.name: f"{__name__}:{f.name.upper()}" for f in _OWN}
)
AUTO = "auto"
"""In ``auto(text=Query)``, the format that is recognised by name and content."""
_CALL = lazy_pattern(r"(\w+)\((.*)\)")
_FOLDERS = (FOLDER, DATASET, NLP)
_BY_SUFFIX = {suffix: format for format in _OWN for suffix in format.suffixes}


def _by_suffix(suffix: str) -> Format | None:
    if suffix in _BY_SUFFIX or not suffix:
        return _BY_SUFFIX.get(suffix)
    guests = (FORMATS[name] for name in FORMATS if name not in FORMATS.own)
    return next((format for format in guests if suffix in format.suffixes), None)


def format_of(path: Path, format: str | None = None, reading: ReadOptions = PLAIN) -> Format:
    """Return the format of a source: as named, by the file's name, or by its content.

    Args:
        path: the source.
        format: the name of the format.
        reading: how to read columns and tags, if the user says so.

    Raises:
        DataError: if there is no such format or no such file, or if the format is not clear.
    """
    if is_pattern(path):
        shards = shards_of(path)
        return joined(format_of(shards[0], format, reading), shards)
    call = _CALL.fullmatch(format or "")
    if call is not None and call[1] == AUTO:
        format, reading = None, reading.over(ReadOptions.parse(call[2]))
    found = _detected_or_table(path, reading) if format is None else _named(format)
    return found.with_reading(reading)


def _detected_or_table(path: Path, reading: ReadOptions) -> Format:
    """Return the format of a source; who names columns says that it is a table."""
    table = table_by_ending(path) if reading.columns else None
    try:
        found = _detected(path)
    except DataError:
        if table is None:
            raise
        return table
    return table if table is not None and not found.has_columns else found


def _detected(path: Path) -> Format:
    if path == STANDARD_STREAM:
        return TXT
    if path.is_dir():
        return _folder_format(path)
    known = _by_suffix(bare(path).suffix)
    if not path.exists():
        if known is not None:
            return known
        raise DataError(f"{path}: there is no such file or folder")
    if not path.is_file():  # a pipe can be read only once
        return known or _pipe_format(path)
    if known is not None and known.plain_text:
        _warn_other(path)
    if known is not None and not known.shares_ending:
        return known
    return _by_content(path, known)


def _pipe_format(path: Path) -> Format:
    lines = [line for line in peek_lines(path) if line.strip()]
    found = looks_like(lines, (format for format in _OWN if not format.guessed))
    return found or TXT


def _by_content(path: Path, known: Format | None) -> Format:
    confirmed = known.confirms(path) if known is not None else None
    found = known if confirmed else sniff(path, _OWN) if confirmed is None else None
    if known is not None and known.parse is not None:  # lines of all kinds may have its ending
        return found if found is not None and found.json_lines else known
    found = found or next((one for one in _OWN if path.name in one.file_names), None)
    if found is None:
        raise _unclear(path)
    is_table = known is not None and known.has_columns
    if found.guessed and not is_table and not path.name.startswith(found.file_names):
        warnings.warn(
            f"{path}: read as Kaldi's text, an id and then the words. If that is wrong, name the "
            "format: --format txt",
            stacklevel=4,
        )
    return found


def _warn_other(path: Path) -> None:
    """Warn if a file of plain text looks like another format."""
    try:
        found = looks_like(first_lines(path), _OWN)
    except DataError:
        return  # reading says what is wrong
    if found is not None:
        warnings.warn(
            f"{path}: read as plain text because of its ending; it looks like {found.name} "
            f"({found.holds}). Name the format: --format {found.name}, or --format txt",
            stacklevel=4,
        )


def _unclear(path: Path) -> DataError:
    return DataError(
        f"{path}: the format is not clear from its name or content; name it: --format txt for "
        f"plain text, one utterance per line, or one of {', '.join(FORMATS.own)}"
    )


def _folder_format(path: Path) -> Format:
    found = next((format for format in _FOLDERS if format.is_folder(path)), None)
    if found is not None:
        return found
    parts = sorted(part.name for part in path.iterdir() if (part / WORDS).exists())
    if not parts and (suffixes := {"".join(p.suffixes) for p in path.iterdir() if p.is_file()}):
        raise DataError(
            f"{path}: a folder of files; name them by a pattern: '{path}/*{min(suffixes)}'"
        )
    hint = f"; name one of its parts: {', '.join(parts)}" if parts else ""
    raise DataError(
        f"{path}: a folder, but it has neither {WORDS}, {TAGS} and label nor a saved dataset{hint}"
    )


def table_by_ending(path: Path) -> Format | None:
    """Return the format of a table that the ending of a file names; ``None`` if it names none."""
    known = None if is_pattern(path) else _by_suffix(bare(path).suffix)
    return known if known is not None and known.records is not None else None


def mapped_format(format: str | None, map: str | Mapping[str, str]) -> str | None:
    """Return the name of a format with the columns that the user has named; as given without them.

    >>> mapped_format("csv", "text=Query"), mapped_format(None, "text=Query")
    ('csv(text=Query)', 'auto(text=Query)')
    """
    return f"{format or AUTO}({ReadOptions.parse(map)})" if map else format


def holds_references(format: str) -> bool:
    """Return whether a format holds references, so that hypotheses are in another one."""
    return _named(format).references_only


def target_format(
    path: Path, format: str | None = None, *, otherwise: Format | None = None
) -> Format:
    """Return the format of a target: as named, by its ending, or ``otherwise`` without an ending.

    Raises:
        OutputError: if the ending is not known.
    """
    if format is not None:
        return _named(format)
    if known := _by_suffix(bare(path).suffix):
        return known
    if path == STANDARD_STREAM or not path.suffix:
        return otherwise or (TXT if path == STANDARD_STREAM else FOLDER)
    raise OutputError(
        f"{path}: no format is known by the ending {path.suffix}; name the format, or use one of "
        f"{', '.join(sorted(_BY_SUFFIX))}"
    )


def _named(name: str) -> Format:
    """Return a format by its name; ``csv(text=Query)`` also names columns."""
    call = _CALL.fullmatch(name)
    if call is not None:
        return _named(call[1]).with_reading(ReadOptions.parse(call[2]))
    try:
        found: object = FORMATS.imported(name)
    except PluginError as error:
        raise DataError(str(error)) from None
    if not isinstance(found, Format):
        raise DataError(f"{name}: not a format; write a mondegreen.data.Format")
    return found
