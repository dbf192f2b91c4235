"""What a metric is: a class that says what it counts, how it scores and how it is shown.

The command line, reports, the viewer and comparisons know metrics only through this type, so that
a new metric is one file (docs/design/0021-metrics.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from mondegreen.data.pairs.columns import HYPOTHESES, REFERENCES, Columns
from mondegreen.data.pairs.joining import joined
from mondegreen.data.pairs.texts import Side, text_parts
from mondegreen.data.pairs.transcripts import Transcripts, concatenated
from mondegreen.errors import DataError
from mondegreen.types import Prediction, Utterance

if TYPE_CHECKING:
    from mondegreen.metrics.scores.score import Score

_LAST_COLUMNS = ("wrong", "utterances")
PLAIN_NUMBERS = frozenset(("extra_turns",))
"""The rates that are shown as numbers per unit, not as shares in per cent."""
Sums = Mapping[str, Any]
Quotient = Callable[[Sums], tuple[Any, Any]]
"""Returns numerator and denominator, from column sums or from arrays of many such sums."""


@dataclass(frozen=True)
class Ratio:
    """A ratio of column sums.

    Args:
        name: its name in tables and JSON.
        ratio: numerator and denominator from the sums of the columns.
        lower_is_better: true for error rates.
        title: how tables of runs call it; a rate without a title gets no column there.
        title_alone: how they call it where it is the only column.
        needs: another rate, without which this one says nothing new: the accuracy of whole frames
            says nothing new where there are no slots.
        beside: another rate, beside which tables of runs show this one where the two differ.
        verb: how a sentence about a run begins, if not with the title.
        columns: the columns without which a score does not have this rate.
    """

    name: str
    ratio: Quotient
    lower_is_better: bool = False
    title: str = ""
    title_alone: str = ""
    needs: str = ""
    beside: str = ""
    verb: str = ""
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, over: str, under: str, **more: Any) -> Ratio:
        """Return the ratio of two sums of columns, whose names are separated by spaces.

        >>> Ratio.of("accuracy", "right", "right wrong").ratio({"right": 3, "wrong": 1})
        (3, 4)
        """
        parts = over.split(), under.split()

        def ratio(sums: Sums) -> tuple[Any, Any]:
            over, under = (reduce(add, [sums[name] for name in names]) for names in parts)
            return over, under

        return cls(name, ratio, **more)

    @classmethod
    def agreement(
        cls, name: str, right: str, found: str, wanted: str, **f1: Any
    ) -> tuple[Ratio, Ratio, Ratio]:
        """Return precision, recall and F1 of what was found, given what was wanted.

        Args:
            name: how the names of the rates begin.
            right: the column of what was found and wanted.
            found: the columns that sum to what was found.
            wanted: the columns that sum to what was wanted.
            f1: settings of the F1.
        """
        return (
            cls.of(f"{name}_precision", right, found),
            cls.of(f"{name}_recall", right, wanted),
            cls.of(f"{name}_f1", f"{right} {right}", f"{wanted} {found}", **f1),
        )


def setting(*, default: Any, help: str, metavar: str = "") -> Any:
    """Declare a field of a metric's settings, which is also an option of its command.

    Args:
        default: its default; its type decides how the command line reads it.
        help: a full sentence.
        metavar: how the help calls the value.
    """
    return field(default=default, metadata={"help": help, "metavar": metavar})


@dataclass(frozen=True)
class NoSettings:
    """Settings of a metric that has none."""


class References(NamedTuple):
    """The references of a score: their file with its other columns, and what is compared.

    ``traits`` are what holds for the whole file, where these are only a part of it.
    """

    file: Transcripts
    items: Sequence[Any]
    tags: Sequence[Sequence[str]] | None = None
    traits: Mapping[str, Any] = {}

    @classmethod
    def of(cls, file: Transcripts) -> References:
        """Return the references of a file."""
        return cls(file, file.compared, file.tags)

    def only(self, places: Sequence[int]) -> References:
        """Return some of the references."""
        return self._replace(
            file=self.file.only(places) if self.file.ids else self.file,
            items=[self.items[place] for place in places],
            tags=None if self.tags is None else [self.tags[place] for place in places],
        )


class Files(NamedTuple):
    """The files of a score.

    ``missing`` says what happens to utterances that only one side has: ``error``, ``skip`` or
    ``empty``.
    """

    ref: Side
    hyps: tuple[Side, ...]
    missing: str = "error"


class Part(NamedTuple):
    """A part of a corpus: references, and the hypotheses of each system."""

    refs: References
    hyps: tuple[Sequence[Any], ...]


class ReadWhole(Exception):  # noqa: N818 (not an error of the user's: the files are read again)
    """The first part of a corpus is not like the rest, so that it must be read whole."""


class Section(NamedTuple):
    """More to show than the rates: an entry of the JSON object, and lines for people.

    ``above`` puts the lines above the table of rates.
    """

    name: str
    value: Any
    lines: Iterable[str]
    above: bool = False


class Table(NamedTuple):
    """A table of a report.

    ``form`` says how it is drawn: ``rows``, ``bars`` (its second column has counts), ``shares``
    (its last column has shares of 1) or ``matrix`` (row, column and count).
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    form: str = "rows"


class Counting(ABC):
    """What a score counts, and the rates that it makes of the counts."""

    name: ClassVar[str]
    """Its name, in signatures and JSON."""
    columns: ClassVar[tuple[str, ...]]
    """The counts of each utterance; the last two are ``wrong`` (0 or 1) and ``utterances`` (1)."""
    rates: ClassVar[tuple[Ratio, ...]]
    """Ratios of the sums of the columns."""
    units: ClassVar[str] = "utterances"
    """What is counted, in reports."""
    main: ClassVar[tuple[str, ...]]
    """The rates to sort and plot by; the first one that has a denominator counts."""
    totals: ClassVar[Mapping[str, Mapping[str, int]]] = {}
    """Further counts of an utterance to sort by, with the weights of the columns that they sum."""

    def __init__(self) -> None:
        if not set(self.main) <= self.by_name.keys() or self.columns[-2:] != _LAST_COLUMNS:
            raise ValueError(
                f"{self.name}: main must name rates, and the last two columns must be "
                f"{' and '.join(_LAST_COLUMNS)}"
            )

    @property
    def by_name(self) -> dict[str, Ratio]:
        """The rates by name."""
        return {rate.name: rate for rate in self.rates}

    def present(self, denominators: Mapping[str, float]) -> list[Ratio]:
        """Return the rates that are worth showing, given the denominator of each."""
        return [
            rate
            for rate in self.rates
            if denominators.get(rate.name) and (not rate.needs or denominators.get(rate.needs))
        ]

    def main_of(self, denominators: Mapping[str, float]) -> str:
        """Return the rate to sort and plot by, given the denominator of each."""
        present = {rate.name for rate in self.present(denominators)}
        return next((name for name in self.main if name in present), self.main[0])


class Metric(Counting):
    """A metric: what it counts, how it reads and scores two sides, and how it is shown.

    A metric is a class that defines ``name``, ``columns``, ``rates``, ``main``, ``summary``,
    ``help``, ``examples`` and :meth:`score`; all else has a default. There is one instance of it.
    """

    summary: ClassVar[str]
    """One sentence for the list of metrics."""
    help: ClassVar[str]
    """What the help of ``mondegreen score NAME`` says, with the formats of the files."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Command lines that show it, without ``mondegreen score``."""
    settings: ClassVar[type] = NoSettings
    """A frozen dataclass of what changes the numbers."""
    display: ClassVar[type] = NoSettings
    """A frozen dataclass of what only shows or writes more."""
    said: ClassVar[Columns] = REFERENCES
    """The columns of a table that hold the references."""
    heard: ClassVar[Columns] = HYPOTHESES
    """The columns of a table that hold the hypotheses."""
    both: ClassVar[str] = "a table with the columns ref and hyp"
    """What one file with both sides holds, for the help; empty if there is no such file."""
    one_column: ClassVar[bool] = True
    """Whether one column of a table holds a side, so that ``FILE:COLUMN`` can name it."""
    label: ClassVar[str] = "intent"
    """What the label of an utterance is."""
    state: ClassVar[str] = "state of slots"
    """What the state of an item of a run is."""
    phonemes: ClassVar[bool] = False
    """Texts are phonemes, which the viewer can show in another alphabet."""
    of_calls: ClassVar[bool] = False
    """Answers are tool calls."""
    rescores: ClassVar[bool] = False
    """Whether :meth:`rescore` can align the texts of rows again."""

    def references(self, side: Side, settings: Any) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield the references in parts; ``items`` are what is compared, if not the texts."""
        return text_parts(side, self.said)

    def hypotheses(self, side: Side, refs: Side, settings: Any) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield the hypotheses of a system in parts, in any order."""
        return text_parts(side, self.heard)

    def answers(self, refs: References, hyps: Transcripts, settings: Any) -> Sequence[Any]:  # noqa: ARG002
        """Return the hypotheses to some references, in their order; ``None`` is a missing one."""
        return hyps.compared

    def pairs(self, files: Files, settings: Any) -> Iterator[Part]:
        """Yield references with the hypotheses of each system, in parts, joined by id or by line.

        Raises:
            DataError: naming the file, the line, what is wrong and what to do.
        """
        sides = [self.hypotheses(one, files.ref, settings) for one in files.hyps]
        fold = str.lower if getattr(settings, "ignore_case", False) else None
        refs = self.references(files.ref, settings)
        found = None
        for ref, *hyps in joined(refs, sides, missing=files.missing, fold=fold):
            found = References.of(ref)
            yield Part(found, tuple(self.answers(found, hyp, settings) for hyp in hyps))
        if found is None:
            raise DataError(f"{files.ref.path}: there is no utterance to score")

    def traits(self, refs: References, settings: Any) -> Mapping[str, Any]:  # noqa: ARG002
        """Return what holds for the whole file, given its first part or all of it."""
        return {}

    def parts(self, files: Files, settings: Any) -> Iterator[Part]:
        """Yield a corpus in parts; the first one decides what holds for all of it.

        Raises:
            ReadWhole: if the rest is not like the first part.
        """
        traits = None
        for part in self.pairs(files, settings):
            traits = self.traits(part.refs, settings) if traits is None else traits
            yield part._replace(refs=part.refs._replace(traits=traits))

    def whole(self, files: Files, settings: Any) -> Part:
        """Return a corpus as one part, all of which decides what holds for it."""
        parts = list(self.pairs(files, settings))
        refs = References.of(concatenated([part.refs.file for part in parts]))
        if len(parts) == 1:
            refs = parts[0].refs
        sides = zip(*(part.hyps for part in parts), strict=True)
        hyps = tuple([item for side in found for item in side] for found in sides)
        return Part(refs._replace(traits=self.traits(refs, settings)), hyps)

    def judged(self, utterances: Sequence[Utterance], predictions: Sequence[Prediction]) -> Score:
        """Score the answers of a model to utterances; by default the texts that it answers.

        Raises:
            DataError: if an answer has no text.
        """
        texts = [one.text for one in predictions]
        missing = next((p.id for p in predictions if p.text is None), None)
        if missing is not None:
            raise DataError(f"utterance {missing!r}: {self.name} scores texts; answer a text")
        return self._score_of(utterances, [one.text for one in utterances], texts)

    def _score_of(
        self, utterances: Sequence[Utterance], items: Sequence[Any], answers: Sequence[Any]
    ) -> Score:
        ids, texts = [one.id for one in utterances], [one.text for one in utterances]
        file = Transcripts(Path("answers"), has_ids=True, ids=ids, texts=texts)
        settings = self.settings()
        refs = References(file, items)
        return self.score(refs._replace(traits=self.traits(refs, settings)), answers, settings)

    @abstractmethod
    def score(self, refs: References, hyps: Any, settings: Any) -> Score:
        """Score hypotheses against references."""

    def tally(self, score: Score, refs: References, display: Any) -> Mapping[str, Counter[Any]]:  # noqa: ARG002
        """Return what else to count of a part, for its sections; counters add up over the parts."""
        return {}

    def lines(self, score: Score, display: Any) -> Iterable[str]:  # noqa: ARG002
        """Return what to print of each utterance of a part."""
        return ()

    def sections(self, score: Score, refs: References, display: Any) -> list[Section]:  # noqa: ARG002
        """Return what else to show of a score, from its counts and its ``tallies``."""
        return []

    def files(self, score: Score, display: Any) -> Iterable[tuple[Path, Iterable[str]]]:  # noqa: ARG002
        """Return what else to write of a part: paths and their lines."""
        return ()

    def notes(self, scores: Mapping[str, Score], refs: References) -> list[str]:  # noqa: ARG002
        """Return what a reader of the numbers should know.

        ``scores`` are those of each system on a sample, by its name, with their ``detail``.
        """
        return []

    def rescore(self, refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
        """Score the texts of rows again, given the parts of a signature."""
        raise NotImplementedError(f"{self.name} cannot align rows again")

    def tables(self, score: Score) -> Iterable[Table]:  # noqa: ARG002
        """Return tables for a report, of a score that :meth:`rescore` made."""
        return ()

    def blocks(self, score: Score) -> dict[str, Any]:  # noqa: ARG002
        """Return what the viewer shows of one utterance, of a score by :meth:`rescore`."""
        return {}

    def symptoms(
        self,
        utterance: Utterance,  # noqa: ARG002
        prediction: Prediction,  # noqa: ARG002
        edited: Collection[int],  # noqa: ARG002
    ) -> list[str]:
        """Return what is wrong with a prediction, in words.

        The utterance has its gold frame; ``edited`` are the positions of edited tokens.
        """
        return []

    def unwanted(self, word: str) -> bool:  # noqa: ARG002
        """Return whether a word of a reference is one that a system should leave out."""
        return False

    def __reduce__(self) -> tuple[Any, ...]:
        from mondegreen.metrics import METRICS

        return _metric_named, (METRICS.name_of(self),)


def _metric_named(name: str) -> Metric:
    from mondegreen.metrics import METRICS

    return METRICS.named(name)
