"""Write variants: part by part, to all outputs, with the ledger and the fluency reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from mondegreen.data import Sink
from mondegreen.data.files.lines import STANDARD_STREAM, Meter
from mondegreen.data.formats.parquet import ParquetSink
from mondegreen.data.formats.text_part import TextSink
from mondegreen.engines import Local, Workers
from mondegreen.errors import DataError
from mondegreen.kernel import Ids
from mondegreen.perturbation.preparation import checked
from mondegreen.types import Variant
from mondegreen.variants.places import Shards, Whole, WrittenCounts
from mondegreen.variants.sources import FileSource, MemorySource, SourcePart
from mondegreen.variants.work import TSV, MadeOutput, Output, PartMade, VariantWork, beginning


class Hard(NamedTuple):
    """The output of the hardest variants, and how they are chosen."""

    output: Output
    choose: Callable[[list[list[Variant]]], MadeOutput]


class Extras(NamedTuple):
    """What else to do: files to write, and whom to tell of the progress."""

    ledger: Path | None = None
    marked: Path | None = None
    hard: Hard | None = None
    meter: Meter | None = None
    on_part: Callable[[int], object] | None = None


def write_parts(
    work: VariantWork,
    source: MemorySource,
    place: Whole | Shards,
    workers: Workers | None = None,
    extras: Extras | None = None,
) -> WrittenCounts:
    """Make the variants of a source part by part, and write them; return how much was written."""
    extras = extras or Extras()
    outputs = [*work.outputs, *([extras.hard.output] if extras.hard else [])]
    written = place.written(len(outputs))
    files = _Files(outputs, extras, place)
    ids = _SourceIds(source)
    for known in place.known_ids():
        ids.add(known)
    parts = place.parts(extras.meter)
    if source.is_stream and isinstance(source, FileSource):
        parts = _in_known_language(parts, source, work)
    for made in (workers or Local()).map(work, parts):
        ids.add(made.ids)
        if extras.hard:
            made.outputs.append(extras.hard.choose(made.choices))
        files.write(made)
        written.add(made)
        place.after(made, written)
        if extras.on_part is not None:
            extras.on_part(made.read)
    return written


def _in_known_language(
    parts: Iterator[SourcePart], source: FileSource, work: VariantWork
) -> Iterator[SourcePart]:
    """Yield the parts of a stream, whose first utterances show its language.

    Raises:
        OperatorError: if an operator does not know it, before the first part is yielded.
    """
    for first in parts:
        for making in work.makings:
            if making.recipe is not None:
                checked(making.recipe, beginning(first, source.format))
        yield first
        break
    yield from parts


class _Files:
    """The files that are written part by part."""

    def __init__(self, outputs: Sequence[Output], extras: Extras, place: Whole | Shards) -> None:
        self._sinks: list[IO[bytes] | Sink] = [
            place.open_sink(one) if one.lines is None else place.open(one.target.path)
            for one in outputs
        ]
        self._ledger, self._marked = (
            None if path is None else place.open(path) for path in (extras.ledger, extras.marked)
        )
        tagged = extras.marked is not None and extras.marked.suffix == TSV
        if self._marked is not None and tagged and self._marked.tell() == 0:
            self._marked.write(b"id\twords\ttags\n")

    def write(self, made: PartMade) -> None:
        """Write what was made of a part."""
        for sink, found in zip(self._sinks, made.outputs, strict=True):
            if isinstance(sink, ParquetSink) and found.table is not None:
                sink.write(found.table)
            elif isinstance(sink, TextSink) and found.texts is not None:
                sink.write(found.texts)
            elif callable(sink):
                for item in found.items:
                    sink(item)
            else:
                sink.write(found.lines)
        for file, lines in ((self._ledger, made.ledger), (self._marked, made.marked)):
            if file is not None:
                file.write(lines)


class _SourceIds:
    """Refuses an id that occurs twice in a source that workers read."""

    def __init__(self, source: MemorySource) -> None:
        self._source = source
        self._ids = Ids()

    def add(self, ids: Sequence[str]) -> None:
        """Add the ids of a part.

        Raises:
            DataError: naming the id that occurs twice, and its lines.
        """
        for id in ids:
            if not self._ids.add(id):
                if isinstance(self._source, FileSource) and self._source.path == STANDARD_STREAM:
                    raise DataError(f"standard input: the id {id!r} occurs twice")
                for _ in self._source.read():
                    """The reader looks the id up and says where it occurs, if it really does."""
