"""Make the variants of a part of a source: what a worker does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any

from mondegreen.data import FORMATS, Format, Item, format_of, target_format
from mondegreen.data.formats.format import Parse, Target, parse_lines, rendered
from mondegreen.data.formats.parquet import RowPart, Tables
from mondegreen.data.formats.text_part import TextPart
from mondegreen.data.pairs.parts import Lines
from mondegreen.engines.calls import Portable
from mondegreen.language.disfluency.marked import tagged_line, uppercased
from mondegreen.operators import Operator
from mondegreen.operators.protocol import fail_overs
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.columnar import rewrite_lines
from mondegreen.perturbation.engine import Engine, run_together
from mondegreen.perturbation.labelled import Left, RowsMade, Written, rewrite_json, rewrite_text
from mondegreen.perturbation.labelled_columns import TableMade, rewrite_rows
from mondegreen.perturbation.languages import LOOKED_AT
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.ledger import lines_of
from mondegreen.types import Utterance, Variant
from mondegreen.variants.sources import SourcePart

TSV = ".tsv"


@dataclass(frozen=True)
class Output(Portable):
    """A file or folder to write, and its format."""

    target: Target
    format: str

    @cached_property
    def _lines(self) -> Format | None:
        found = target_format(self.target.path, self.format)
        return found if found.render is not None else None

    @cached_property
    def tables(self) -> Tables | None:
        """How to make tables of items, if it keeps the columns of a source."""
        return None if self.target.like is None else Tables(self.target)

    @property
    def lines(self) -> Format | None:
        """The format, if it is one of lines."""
        return self._lines

    @cached_property
    def form(self) -> str:
        """What the kernel calls the format; empty if it cannot write it."""
        return target_format(self.target.path, self.format).form

    def written(self, *, ledger: bool) -> Written:
        """Return how the kernel writes variants; files of lines end them as the source does."""
        return Written(self.form, self.target.newline if self.lines else "\n", ledger)

    def texts_of(self, item: Item) -> Sequence[bytes]:
        """Return an item as the text of each file."""
        found = target_format(self.target.path, self.format)
        if found.texts_of is not None:
            return found.texts_of(item, Target(self.target.path))
        return [rendered(found, item, self.target)]


@dataclass(frozen=True)
class Making(Portable):
    """A recipe and the outputs of its variants.

    One output gets all variants of an utterance; of several, each gets one, in order. Without a
    recipe, the output gets the utterances themselves.
    """

    recipe: Recipe | None
    outputs: tuple[Output, ...]


@dataclass
class WrittenTally:
    """How much was written to an output; ``operators`` counts variants by their first edit."""

    written: int = 0
    changed: int = 0
    edits: int = 0
    failed_over: int = 0
    operators: dict[str, int] = field(default_factory=dict)

    def add(self, other: WrittenTally) -> None:
        """Add the counts of another part."""
        self.written += other.written
        self.changed += other.changed
        self.edits += other.edits
        self.failed_over += other.failed_over
        for name, times in other.operators.items():
            self.operators[name] = self.operators.get(name, 0) + times


@dataclass
class MadeOutput:
    """What was made for one output: lines; else a table, texts or items, as the format needs.

    Edits of other kinds than ``promising`` operators promise are counted as fail-overs.
    """

    promising: Sequence[Operator] = ()
    lines: bytearray = field(default_factory=bytearray)
    items: list[Item] = field(default_factory=list)
    table: Any = None
    texts: list[bytes] | None = None
    tally: WrittenTally = field(default_factory=WrittenTally)

    def add(self, item: Item, output: Output) -> None:
        """Add an utterance or variant."""
        tally = self.tally
        tally.written += 1
        edits = item.edits if isinstance(item, Variant) else ()
        if edits:
            tally.changed += 1
            tally.edits += len(edits)
            if self.promising:
                tally.failed_over += fail_overs(self.promising, edits)
            name = edits[0].operator
            tally.operators[name] = tally.operators.get(name, 0) + 1
        format = output._lines  # noqa: SLF001 (a call less per variant)
        if format is None:
            self.items.append(item)
        else:
            self.lines += rendered(format, item, output.target)


@dataclass
class PartMade:
    """What was made of a part.

    That is what goes to each output, to the ledger and to the fluency reference; and the variants
    of each utterance from which the hardest is chosen.
    """

    outputs: list[MadeOutput]
    read: int = 0
    ids: list[str] = field(default_factory=list)
    ledger: bytearray = field(default_factory=bytearray)
    marked: bytearray = field(default_factory=bytearray)
    choices: list[list[Variant]] = field(default_factory=list)


class _Unchanged:
    """Takes the place of an engine for outputs that get the utterances themselves."""

    ahead = 1

    def make(self, utterance: Utterance) -> tuple[Utterance]:
        """Return the utterance."""
        return (utterance,)

    def prepare(self, chunk: Sequence[Utterance]) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class VariantWork(Portable):
    """Makes the variants of a part, for all outputs.

    Ids that occur twice are for the caller to find: in one file of utterances its reader does.

    Args:
        makings: what to make.
        format: the name of the format of lines.
        sharded: the source is in shards, so that ids must be different in all of them.
        ledger: also make the lines of the ledger.
        marked: also make a reference for ``score fluency``: with tags, or in upper case.
        choices: the number of the making whose variants are returned to choose from.
    """

    makings: tuple[Making, ...]
    format: str = ""
    sharded: bool = False
    ledger: bool = False
    marked: str | None = None
    choices: int | None = None

    @property
    def outputs(self) -> list[Output]:
        """All outputs, in order."""
        return [output for making in self.makings for output in making.outputs]

    @cached_property
    def _engines(self) -> list[Engine | _Unchanged]:
        return [
            _Unchanged() if making.recipe is None else engine_of(making.recipe)
            for making in self.makings
        ]

    def __call__(self, part: SourcePart) -> PartMade:
        """Make the variants of a part."""
        return self._rewritten(part) or self.by_kernel(part) or self.by_objects(part)

    def by_kernel(self, part: SourcePart) -> PartMade | None:
        """Make the variants of labelled rows without objects; ``None`` if there is more to do."""
        if isinstance(part, RowPart) and self._columnar:
            make: Callable[..., bool] = partial(self._table_made, part)
        elif isinstance(part, Lines) and self._formed:
            format = format_of(part.path, self.format)
            raw = part.checked_or_none
            if raw is None or not format.form:
                return None
            make = partial(self._lines_made, part, raw, format)
        elif isinstance(part, TextPart) and self._formed:
            make = partial(self._texts_made, part)
        else:
            return None
        made = PartMade([])
        for making, engine in zip(self.makings, self._engines, strict=True):
            if not isinstance(engine, Engine) or not make(making, engine, made):
                return None
        made.read = len(made.ids)
        return made

    def _lines_made(
        self, part: Lines, raw: bytes, found: Format, making: Making, engine: Engine, made: PartMade
    ) -> bool:
        (output,) = making.outputs
        left = Left(partial(_variant_at, part, found, engine), output.texts_of, lines_of)
        where = part.first, found.reading, output.written(ledger=self.ledger)
        rows = rewrite_json(engine, raw, *where, left)
        return rows is not None and _take(rows, output, making, made)

    def _texts_made(self, part: TextPart, making: Making, engine: Engine, made: PartMade) -> bool:
        (output,) = making.outputs

        def variant(at: int) -> Variant:
            (found,) = engine.make(part.at(at))
            return found

        left = Left(variant, output.texts_of, lines_of)
        rows = rewrite_text(engine, part, output.written(ledger=self.ledger), left)
        return rows is not None and _take(rows, output, making, made)

    def _table_made(self, part: RowPart, making: Making, engine: Engine, made: PartMade) -> bool:
        (output,) = making.outputs
        if output.tables is None:
            return False
        rows = rewrite_rows(engine, part, output.tables, lines_of, ledger=self.ledger)
        if rows is None:
            return False
        made.ids = rows.ids
        made.ledger = bytearray(rows.ledger)
        made.outputs.append(MadeOutput((), table=rows.table, tally=_tally(making.recipe, rows)))
        return True

    @cached_property
    def _columnar(self) -> bool:
        """Whether rows become rows of the same columns, and nothing else but a ledger."""
        return self._once and all(output.tables is not None for output in self.outputs)

    @cached_property
    def _formed(self) -> bool:
        """Whether the kernel can write all outputs, and there is nothing else but a ledger."""
        return self._once and all(one.form for one in self.outputs)

    @cached_property
    def _once(self) -> bool:
        """Whether each utterance is written once to each output."""
        once = len(self.makings) == 1 or not self.ledger  # else the ledger goes back and forth
        more = self.marked is not None or self.choices is not None
        return once and not more and all(len(making.outputs) == 1 for making in self.makings)

    def _rewritten(self, part: SourcePart) -> PartMade | None:
        """Rewrite plain lines as plain lines; ``None`` if that is not all there is to do."""
        if not isinstance(part, Lines) or not self._plain:
            return None
        made = PartMade([])
        for engine in self._engines:
            found = rewrite_lines(engine, part.checked) if isinstance(engine, Engine) else None
            if found is None:
                return None
            made.read = found.read
            tally = WrittenTally(found.read, found.changed, found.edits)
            made.outputs.append(MadeOutput((), bytearray(found.raw), tally=tally))
        return made

    @cached_property
    def _plain(self) -> bool:
        """Whether plain text becomes plain text, and nothing else is to be made."""
        formats = {self.format, *(output.format for output in self.outputs)}
        newlines = {output.target.newline for output in self.outputs}
        more = self.ledger or self.marked is not None or self.choices is not None
        texts = all(name in FORMATS and FORMATS[name].plain_text for name in formats)
        return texts and newlines == {"\n"} and not more

    def by_objects(self, part: SourcePart) -> PartMade:
        """Make the variants of a part with an object per utterance."""
        made = PartMade(
            [
                MadeOutput(promising(making.recipe))
                for making in self.makings
                for _ in making.outputs
            ]
        )
        places = iter(made.outputs)
        plans = [[(next(places), output) for output in one.outputs] for one in self.makings]
        note = self._note(made)
        for _, rows in run_together(self._engines, self._utterances(part, made)):  # type: ignore[arg-type]  # both make items
            made.read += 1
            for number, (plan, row) in enumerate(zip(plans, rows, strict=True)):
                items = list(row)
                if number == self.choices:
                    made.choices.append(items)
                for at, item in enumerate(items):
                    place, output = plan[at if len(plan) > 1 else 0]
                    place.add(item, output)
                    if note is not None:
                        note(item)
        for place, output in chain.from_iterable(plans):
            if place.items and output.tables is not None:
                place.table = output.tables.of(place.items)
                place.items = []
        return made

    def _note(self, made: PartMade) -> Callable[[Variant], None] | None:
        """Return a function that adds a variant to the ledger and to the fluency reference."""
        if not self.ledger and self.marked is None:
            return None
        mark = tagged_line if self.marked == TSV else uppercased

        def note(item: Item) -> None:
            if not isinstance(item, Variant):
                return
            if self.ledger:
                made.ledger.extend(lines_of(item))
            if self.marked is not None:
                made.marked.extend(mark(item).encode() + b"\n")

        return note

    def _utterances(self, part: SourcePart, made: PartMade) -> Iterator[Utterance]:
        if not isinstance(part, Lines):
            for utterance in part:
                if self.sharded or (isinstance(part, RowPart | TextPart) and part.has_ids):
                    made.ids.append(utterance.id)
                yield utterance
            return
        found = format_of(part.path, self.format)
        if found.parse is None:
            raise AssertionError("unreachable: lines are of a format of lines")
        parse = found.parse if found.has_ids else _numbered(found.parse, part.before)
        for _, utterance in parse_lines(parse, part.path, enumerate(part, part.first)):
            if found.has_ids:
                made.ids.append(utterance.id)
            yield utterance


def _variant_at(part: Lines, format: Format, engine: Engine, at: int) -> Variant:
    """Return the variant of one line of a part.

    Raises:
        DataError: naming the line that is not an utterance.
    """
    number = part.first + at
    if format.parse is None:
        raise AssertionError("unreachable: lines are of a format of lines")
    ((_, utterance),) = parse_lines(format.parse, part.path, [(number, part[at])])
    (variant,) = engine.make(utterance)
    return variant


def _take(rows: RowsMade, output: Output, making: Making, made: PartMade) -> bool:
    """Add what the kernel has made for an output."""
    made.ids = rows.ids
    made.ledger = bytearray(rows.ledger)
    tally = _tally(making.recipe, rows)
    if output.lines is None:
        made.outputs.append(MadeOutput((), texts=rows.texts, tally=tally))
    else:
        made.outputs.append(MadeOutput((), bytearray(rows.texts[0]), tally=tally))
    return True


def _tally(recipe: Recipe | None, rows: RowsMade | TableMade) -> WrittenTally:
    """Return the counts of variants by one operator."""
    edits = sum(rows.kinds.values())
    tally = WrittenTally(len(rows.ids), rows.changed, edits)
    for operator in promising(recipe):
        kinds = (edits_of for kind, edits_of in rows.kinds.items() if kind not in operator.kinds)
        tally.failed_over += sum(kinds)
    if rows.changed and recipe is not None:
        tally.operators[recipe.operators[0].name] = rows.changed
    return tally


def promising(recipe: Recipe | None) -> list[Operator]:
    """Return the operators of a recipe that promise to change a class of words."""
    operators = () if recipe is None else recipe.operators
    return [link for operator in operators for link in operator.links if link.kinds]


def _numbered(parse: Parse, before: int) -> Parse:
    """Number lines through all shards."""
    return lambda number, line: parse(before + number, line)


def beginning(part: SourcePart, format: Format) -> Iterable[str]:
    """Return the first texts of a part, which show its language."""
    if not isinstance(part, Lines) or format.parse is None:
        return (one.text for one in part) if isinstance(part, list) else ()
    lines = islice(enumerate(part, part.first), LOOKED_AT)
    return (utterance.text for _, utterance in parse_lines(format.parse, part.path, lines))
