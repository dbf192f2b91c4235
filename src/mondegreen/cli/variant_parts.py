"""Make the variants of a part of a source: what a worker does for ``perturb`` and ``augment``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

from mondegreen.cli.parts.options import VariantOptions
from mondegreen.data import Format, format_of, target_format
from mondegreen.data.files.lines import Meter
from mondegreen.data.files.shards import is_pattern, numbered_on
from mondegreen.data.formats.format import Parse, Target, parse_lines, rendered
from mondegreen.data.formats.plain import TXT
from mondegreen.data.pairs.parts import Lines, line_parts, parted
from mondegreen.engines.calls import Portable
from mondegreen.language.disfluency.marked import tagged_line, uppercased
from mondegreen.operators.protocol import fail_overs
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.columnar import rewrite_lines
from mondegreen.perturbation.engine import Engine, run_together
from mondegreen.perturbation.languages import LOOKED_AT
from mondegreen.perturbation.preparation import checked
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.ledger import lines_of
from mondegreen.types import Utterance, Variant

PART = 1 << 13
"""Utterances of a part."""
TSV = ".tsv"
SourcePart = Lines | list[Utterance]


def source_parts(
    as_source: Format, options: VariantOptions, meter: Meter | None
) -> Iterator[SourcePart]:
    """Yield the source in parts: as lines if it is a file of lines, else as utterances."""
    if as_source.parse is not None and options.limit is None:
        return line_parts(options.source, meter, PART)
    return parted(islice(as_source.read(options.source, meter), options.limit), PART)


def in_known_language(
    parts: Iterator[SourcePart],
    as_source: Format,
    recipes: Iterable[Recipe],
) -> Iterator[SourcePart]:
    """Yield the parts of a stream, whose first utterances show its language.

    Raises:
        OperatorError: if an operator does not know it, before the first part is yielded.
    """
    for first in parts:
        for recipe in recipes:
            checked(recipe, _beginning(first, as_source))
        yield first
        break
    yield from parts


def _beginning(part: SourcePart, as_source: Format) -> Iterable[str]:
    if not isinstance(part, Lines) or as_source.parse is None:
        return (one.text for one in part) if isinstance(part, list) else ()
    lines = islice(enumerate(part, part.first), LOOKED_AT)
    return (utterance.text for _, utterance in parse_lines(as_source.parse, part.path, lines))


def shard_parts(
    format: Format, shard: Path, before: int, meter: Meter | None
) -> Iterator[SourcePart]:
    """Yield a shard in parts; utterances without ids are numbered on from ``before``."""
    if format.parse is not None:
        return line_parts(shard, meter, PART, before=before)
    found = format.read(shard, meter)
    return parted(found if format.has_ids else numbered_on(found, before), PART)


@dataclass(frozen=True)
class Output(Portable):
    """An output: its recipe, target and format."""

    recipe: Recipe
    target: Target
    format: str

    @property
    def lines(self) -> Format | None:
        """The format, if it is one of lines."""
        return self._lines

    @cached_property
    def _lines(self) -> Format | None:
        found = target_format(self.target.path, self.format)
        return found if found.render is not None else None


@dataclass
class Made:
    """What was made for one output: lines, or variants where the format is not one of lines."""

    lines: bytearray = field(default_factory=bytearray)
    variants: list[Variant] = field(default_factory=list)
    written: int = 0
    changed: int = 0
    edits: int = 0
    failed_over: int = 0


@dataclass
class PartMade:
    """What was made of a part: of each output, of the ledger and of the fluency reference."""

    outputs: list[Made]
    read: int = 0
    ids: list[str] = field(default_factory=list)
    ledger: bytearray = field(default_factory=bytearray)
    marked: bytearray = field(default_factory=bytearray)


@dataclass(frozen=True)
class VariantWork(Portable):
    """Makes the variants of a part, for all outputs.

    Ids that occur twice are for the caller to find: in one file of utterances its reader does.

    Args:
        source: the path of the source.
        format: the name of its format.
        outputs: what to make.
        ledger: also make the lines of the ledger.
        marked: also make a reference for ``score fluency``: with tags, or in upper case.
    """

    source: Path
    format: str
    outputs: tuple[Output, ...]
    ledger: bool = False
    marked: str | None = None

    @cached_property
    def _engines(self) -> list[Engine]:
        return [engine_of(output.recipe) for output in self.outputs]

    def __call__(self, part: SourcePart) -> PartMade:
        """Make the variants of a part."""
        return self._rewritten(part) or self._varied(part)

    def _rewritten(self, part: SourcePart) -> PartMade | None:
        """Rewrite plain lines as plain lines; ``None`` if that is not all there is to do."""
        if not isinstance(part, Lines) or not self._plain:
            return None
        made = PartMade([])
        for engine in self._engines:
            found = rewrite_lines(engine, part.checked)
            if found is None:
                return None
            made.read = found.read
            lines = bytearray(found.raw)
            made.outputs.append(Made(lines, [], found.read, found.changed, found.edits))
        return made

    @cached_property
    def _plain(self) -> bool:
        """Whether plain text becomes plain text, and nothing else is to be made."""
        formats = {self.format, *(output.format for output in self.outputs)}
        newlines = {output.target.newline for output in self.outputs}
        more = self.ledger or self.marked is not None
        return formats == {TXT.name} and newlines == {"\n"} and not more

    def _varied(self, part: SourcePart) -> PartMade:
        made = PartMade([Made() for _ in self.outputs])
        mark = _marker(self.marked)
        for _, rows in run_together(self._engines, self._utterances(part, made)):
            made.read += 1
            for output, found, variants in zip(self.outputs, made.outputs, rows, strict=True):
                for variant in variants:
                    found.written += 1
                    found.changed += bool(variant.edits)
                    found.edits += len(variant.edits)
                    found.failed_over += fail_overs(output.recipe.operators, variant.edits)
                    if output.lines is None:
                        found.variants.append(variant)
                    else:
                        found.lines += rendered(output.lines, variant, output.target)
                    if self.ledger:
                        made.ledger += lines_of(variant)
                    if mark is not None:
                        made.marked += mark(variant).encode() + b"\n"
        return made

    def _utterances(self, part: SourcePart, made: PartMade) -> Iterator[Utterance]:
        if not isinstance(part, Lines):
            if is_pattern(self.source):
                made.ids += [utterance.id for utterance in part]
            yield from part
            return
        found = format_of(part.path, self.format)
        if found.parse is None:
            raise AssertionError("unreachable: lines are of a format of lines")
        parse = found.parse if found.has_ids else _numbered(found.parse, part.before)
        for _, utterance in parse_lines(parse, part.path, enumerate(part, part.first)):
            if found.has_ids:
                made.ids.append(utterance.id)
            yield utterance


def _numbered(parse: Parse, before: int) -> Parse:
    """Number lines through all shards."""
    return lambda number, line: parse(before + number, line)


def _marker(marked: str | None) -> Callable[[Variant], str] | None:
    if marked is None:
        return None
    return tagged_line if marked == TSV else uppercased
