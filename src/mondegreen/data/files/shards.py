"""Shards: many files that are one source, by a pattern or a folder, in the order of their names."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path

import msgspec

from mondegreen.data.files.lines import STANDARD_STREAM, Meter
from mondegreen.data.formats.format import Format, Record, RowParts
from mondegreen.errors import DataError
from mondegreen.kernel import Ids
from mondegreen.types import Utterance


def is_pattern(path: Path) -> bool:
    """Return whether a path stands for many files: it has ``*``, ``?`` or ``[``, and is no file."""
    return path != STANDARD_STREAM and glob.has_magic(str(path)) and not path.exists()


def shards_of(path: Path) -> list[Path]:
    """Return the files that a pattern stands for, in the order of their names.

    Raises:
        DataError: if there is no such file.
    """
    found = sorted(Path(name) for name in glob.glob(str(path), recursive=True))  # noqa: PTH207
    files = [one for one in found if one.is_file() and not one.name.endswith(".manifest.json")]
    if not files:
        raise DataError(f"{path}: no file has such a name")
    return files


def numbered_on(utterances: Iterable[Utterance], before: int) -> Iterator[Utterance]:
    """Number utterances without ids on from those of earlier shards."""
    for number, utterance in enumerate(utterances, before + 1):
        yield msgspec.structs.replace(utterance, id=str(number))


def joined(format: Format, shards: Sequence[Path]) -> Format:
    """Return a format that reads all shards as one source; their own path is not read.

    Lines are numbered through, and an id may occur in one shard only.
    """

    def read(_path: Path, meter: Meter | None = None) -> Iterator[Utterance]:
        numbers, ids = count(1), Ids()
        for shard in shards:
            for utterance in format.read(shard, meter):
                if not format.has_ids:
                    yield msgspec.structs.replace(utterance, id=str(next(numbers)))
                elif ids.add(utterance.id):
                    yield utterance
                else:
                    raise DataError(
                        f"{shard}: the id {utterance.id!r} occurs in an earlier shard, too; give "
                        "every utterance its own id"
                    )

    def records(_path: Path) -> Iterator[tuple[int, Record]]:
        numbers = count(1)
        for shard in shards:
            for _, record in format.records(shard) if format.records is not None else ():
                yield next(numbers), record

    return format.but(
        read=read,
        records=None if format.records is None else records,
        row_parts=_joined_parts(format, shards),
        parse=None,
    )


def _joined_parts(format: Format, shards: Sequence[Path]) -> RowParts | None:
    """Return how to read the rows of all shards in parts, if the format has such parts."""
    parts = format.row_parts
    if parts is None or not format.has_ids:
        return None
    return lambda _, meter, size: chain.from_iterable(parts(one, meter, size) for one in shards)
