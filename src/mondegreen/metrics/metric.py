"""What a metric is: a value that says what it counts, how it scores and how it is shown.

The command line, reports, the viewer and comparisons know metrics only through this type, so that
a new metric is one file (docs/design/0021-metrics.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mondegreen.data.files.lines import Meter
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.types import Prediction, Utterance

if TYPE_CHECKING:
    from mondegreen.metrics.scores.score import Score

_LAST_COLUMNS = ("wrong", "utterances")
Sums = Mapping[str, Any]
Ratio = Callable[[Sums], tuple[Any, Any]]
"""Returns numerator and denominator, from column sums or from arrays of many such sums."""


@dataclass(frozen=True)
class Rate:
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
        exact: a column that is 0 or 1 for each utterance and sums to the numerator, so that two
            systems can be compared by McNemar's exact test.
        columns: the columns without which a score does not have this rate.
    """

    name: str
    ratio: Ratio
    lower_is_better: bool = False
    title: str = ""
    title_alone: str = ""
    needs: str = ""
    beside: str = ""
    exact: str = ""
    columns: tuple[str, ...] = ()


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

    def only(self, places: Sequence[int]) -> References:
        """Return some of the references."""
        return self._replace(
            file=self.file.only(places),
            items=[self.items[place] for place in places],
            tags=None if self.tags is None else [self.tags[place] for place in places],
        )


class Files(NamedTuple):
    """The files of a score, with their formats if the user names them.

    ``missing`` says what happens to utterances that only one side has: ``error``, ``skip`` or
    ``empty``.
    """

    ref: Path
    hyps: tuple[Path, ...]
    format: str | None = None
    hyp_format: str | None = None
    meter: Meter | None = None
    missing: str = "error"


class Part(NamedTuple):
    """A part of a corpus: references, and the hypotheses of each system."""

    refs: References
    hyps: tuple[Sequence[Any], ...]


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


def no_sections(score: Score, refs: References, display: Any) -> list[Section]:  # noqa: ARG001
    """Show nothing more."""
    return []


def no_files(score: Score, display: Any) -> Iterable[tuple[Path, Iterable[str]]]:  # noqa: ARG001
    """Write no more files."""
    return ()


def no_lines(score: Score, display: Any) -> Iterable[str]:  # noqa: ARG001
    """Print nothing of each utterance."""
    return ()


def no_tallies(score: Score, refs: References, display: Any) -> dict[str, Counter[Any]]:  # noqa: ARG001
    """Count nothing more."""
    return {}


def no_notes(score: Score, refs: References) -> list[str]:  # noqa: ARG001
    """Return no notes."""
    return []


def same_refs(refs: References, hyps: Sequence[Any]) -> References:  # noqa: ARG001
    """Return the references as they are."""
    return refs


def no_tables(score: Score) -> Iterable[Table]:  # noqa: ARG001
    """Return no tables."""
    return ()


def no_blocks(score: Score) -> dict[str, Any]:  # noqa: ARG001
    """Return no blocks."""
    return {}


def no_symptoms(
    utterance: Utterance,  # noqa: ARG001
    prediction: Prediction,  # noqa: ARG001
    edited: Collection[int],  # noqa: ARG001
) -> list[str]:
    """Name no symptoms."""
    return []


def none_unwanted(word: str) -> bool:  # noqa: ARG001
    """Return that a system should keep every word."""
    return False


@dataclass(frozen=True, kw_only=True)
class Counting:
    """What a score counts, and the rates that it makes of the counts.

    Args:
        name: its name, in signatures and JSON.
        columns: the counts of each utterance. The last two are ``wrong`` (0 or 1) and
            ``utterances`` (1).
        rates: ratios of the sums of the columns.
        main: the rates to sort and plot by; the first one that has a denominator counts.
        totals: further counts of an utterance to sort by: names, and the weights of the columns
            that they sum.
    """

    name: str
    columns: tuple[str, ...]
    rates: tuple[Rate, ...]
    main: tuple[str, ...]
    totals: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not set(self.main) <= self.by_name.keys() or self.columns[-2:] != _LAST_COLUMNS:
            raise ValueError(
                f"{self.name}: main must name rates, and the last two columns must be "
                f"{' and '.join(_LAST_COLUMNS)}"
            )

    @property
    def by_name(self) -> dict[str, Rate]:
        """The rates by name."""
        return {rate.name: rate for rate in self.rates}

    def present(self, denominators: Mapping[str, float]) -> list[Rate]:
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


@dataclass(frozen=True, kw_only=True)
class Metric(Counting):
    """A metric: what it counts, how it reads and scores two sides, and how it is shown.

    Args:
        summary: one sentence for the list of metrics.
        help: what the help of ``mondegreen score NAME`` says, with the formats of the files.
        examples: command lines that show it, without ``mondegreen score``.
        settings: a frozen dataclass of what changes the numbers.
        display: a frozen dataclass of what only shows or writes more.
        read_refs: reads the references: path, format or ``None``, settings.
        read_hyps: reads the hypotheses in the order of the references: references, path, format or
            ``None``, settings.
        refs_of: returns the references of hypotheses that are fewer or more than the references:
            some have none, or several.
        score: scores hypotheses against references: references, hypotheses, settings.
        read_pairs: reads both sides from one file, where that is possible.
        pairs: what such a file holds, for the help.
        parts: yields a corpus in parts, side by side; ``None`` if its files are read whole.
        tally: what else to count of a part, for its sections; counters add up over the parts.
        lines: what to print of each utterance of a part.
        sections: what else to show of a score, from its counts and its ``tallies``.
        files: what else to write of a part: paths and their lines.
        notes: what a reader of the numbers should know; the score has the ``detail`` of a sample.
        rescore: scores the texts of rows again, given the parts of a signature; ``None`` if rows
            cannot be aligned again.
        tables: tables for a report, of a score that ``rescore`` made.
        blocks: what the viewer shows of one utterance, of a score of that one by ``rescore``.
        symptoms: what is wrong with a prediction, in words: the utterance with its gold frame, the
            prediction, and the positions of edited tokens.
        label: what the label of an utterance is.
        unwanted: whether a word of a reference is one that a system should leave out.
        phonemes: texts are phonemes, which the viewer can show in another alphabet.
    """

    summary: str
    help: str
    examples: tuple[str, ...]
    read_refs: Callable[[Path, str | None, Any], References]
    read_hyps: Callable[[References, Path, str | None, Any], Sequence[Any]]
    score: Callable[[References, Any, Any], Score]
    refs_of: Callable[[References, Sequence[Any]], References] = same_refs
    settings: type = NoSettings
    display: type = NoSettings
    read_pairs: Callable[[Path, str | None, Any], tuple[References, Sequence[Any]]] | None = None
    pairs: str = ""
    parts: Callable[[Files, Any], Iterator[Part]] | None = None
    tally: Callable[[Score, References, Any], Mapping[str, Counter[Any]]] = no_tallies
    lines: Callable[[Score, Any], Iterable[str]] = no_lines
    sections: Callable[[Score, References, Any], list[Section]] = no_sections
    files: Callable[[Score, Any], Iterable[tuple[Path, Iterable[str]]]] = no_files
    notes: Callable[[Score, References], list[str]] = no_notes
    rescore: Callable[[Sequence[str], Sequence[str], Mapping[str, str]], Score] | None = None
    tables: Callable[[Score], Iterable[Table]] = no_tables
    blocks: Callable[[Score], dict[str, Any]] = no_blocks
    symptoms: Callable[[Utterance, Prediction, Collection[int]], list[str]] = no_symptoms
    label: str = "intent"
    unwanted: Callable[[str], bool] = none_unwanted
    phonemes: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        from mondegreen.metrics import METRICS

        return _metric_named, (METRICS.name_of(self),)


def _metric_named(name: str) -> Metric:
    from mondegreen.metrics import METRICS

    return METRICS.imported(name)  # in a worker: the name comes from the process that started it
