"""The score of a file (``score … --items FILE``) as the source of pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from mondegreen.data.pairs.transcripts import group_name
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Table
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.slices.of_scores import fates, score_slices
from mondegreen.metrics.statistics.comparison import ALL, Flip
from mondegreen.metrics.statistics.estimate import METHOD, spaced
from mondegreen.metrics.words.rates import word_tables
from mondegreen.metrics.words.steps import Step
from mondegreen.report.content import (
    SLICES,
    Cause,
    Causes,
    ListLine,
    Measured,
    Overview,
    moved_table,
)
from mondegreen.report.marked import MarkedLine, aligned_words
from mondegreen.report.naming import sentence_of
from mondegreen.report.source import Query, Rows, ShownColumn, ShownRun
from mondegreen.runs.items import RunItem
from mondegreen.runs.queries import quoted
from mondegreen.runs.reading import Run
from mondegreen.runs.run_slices import SAMPLE, scored
from mondegreen.runs.schema import COLUMN
from mondegreen.runs.selection import Filter

_WORST = 25
_GROUPS = 30  # maximum number of groups of a column in the overview
_LONG = 40  # letters: a column with longer values holds texts, not groups


class ScoreSource(ShownRun):
    """The source of the pages of a score."""

    key = ("id",)

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        phones = self.metric.phonemes  # a list shows both error rates
        self.columns = (
            ShownColumn("ref", "reference and hypothesis", "text"),
            ShownColumn("hyp", "hypothesis", "text", shown=False),
            *(ShownColumn(n, n, "rate", shown=phones or n in self.metric.main) for n in run.rates),
            ShownColumn("id", "id", "name"),
        )
        self.facets = tuple(ShownColumn(COLUMN + name, name, "name") for name in run.further)

    @property
    def what(self) -> str:
        """What this is, for a list of choices."""
        return f"Scores of {self.metric.name}"

    def _marked(self, items: Sequence[RunItem]) -> list[MarkedLine]:
        """Return pairs of texts with errors marked; as two texts if they cannot be aligned."""
        steps, unwanted = self._steps(items), self.metric.unwanted
        return [
            MarkedLine(tuple(aligned_words(steps[one.number], unwanted)), wrong=one.wrong)
            if one.number in steps
            else MarkedLine(
                texts=(("reference", one.text), ("hypothesis", one.hyp or "")), wrong=one.wrong
            )
            for one in items
        ]

    def _steps(self, items: Sequence[RunItem]) -> dict[int, list[Step]]:
        """Return the alignments by the numbers of the items: as stored, or else made again."""
        found = {one.number: steps for one in items if (steps := one.steps) is not None}
        rest = [one for one in items if one.number not in found and one.hyp is not None]
        score = self._rescore([(one.text, one.hyp) for one in rest])
        if score is None:
            return found if self.metric.rescores else {}
        return found | dict(zip((one.number for one in rest), score.alignments, strict=True))

    def _row(self, item: RunItem) -> dict[str, Any]:
        sides = {"ref": item.text, "hyp": item.hyp}
        return (
            sides | self._run.rates_of(item) | {"id": item.id, "fractions": self._fractions(item)}
        )

    def _fractions(self, item: RunItem) -> dict[str, str]:
        """Return errors / length, for each rate."""
        counts = item.counts | {"utterances": 1}
        return {n: "{:g}/{:g}".format(*rate.ratio(counts)) for n, rate in self._run.rates.items()}

    def rows(self, query: Query) -> Rows:
        """Return all utterances that a query finds; rates are computed by the database.

        Raises:
            DataError: if a column or a value is unknown.
        """
        run = self._run.reopened()
        terms = {"ref": "text", "hyp": "hyp"} | {name: run.orders[name] for name in run.rates}
        terms["id"] = "id"
        try:
            found = run.select([*terms.values()], self._filter(query), **self._order(query))
        except BaseException:
            run.close()
            raise
        return Rows((dict(zip(terms, row, strict=True)) for row in found), run.close)

    def default_sort(self) -> str:
        """Return the metric's main rate."""
        return self._main

    @cached_property
    def _main(self) -> str:
        totals = self._run.totals()
        of = {name: rate.ratio(totals)[1] for name, rate in self._run.rates.items()}
        return self.metric.main_of(of)

    def sorted_by(self, query: Query) -> str:
        """Return the column that a query sorts by; ``loss`` is the main rate, worst first.

        Raises:
            DataError: if there is no such column.
        """
        if query.sort == "loss" and "loss" not in self._run.rates:
            return self.default_sort()
        return super().sorted_by(query)

    def descends(self, query: Query) -> bool:
        """Return whether a query sorts in descending order; a rate has its worst end first."""
        if query.descending is not None:
            return query.descending
        rate = self._run.rates.get(self.sorted_by(query))
        return rate is None or rate.lower_is_better

    @cached_property
    def _total(self) -> Score:
        """The score of all rows, without their ids."""
        with self._run.reopened() as run:
            return run.score_by().popitem()[1]

    def compute_overview(self) -> Overview:
        """Compute the content of the report."""
        score, run = self._total, self._run
        stored = run.scores().get(ALL)
        rates = [stored[name] for name in run.rates] if stored else score.estimates()
        return Overview(
            title=self.name,
            sentence=sentence_of(score, rates),
            signature=run.signature,
            n=len(score),
            sets=(Measured(ALL, len(score), tuple(rates), group="All"), *self._groups()),
            higher_is_better=not self.metric.by_name[score.main].lower_is_better,
            main=score.main,
            worst=tuple(self._worst()),
            tables=tuple(self._tables()),
            methods=(
                ("rows", str(self.path)),
                ("metric", self.metric.name),
                ("intervals", METHOD.replace("utterances", run.meta["drawn"])),
                ("signature", run.signature),
            ),
        )

    def compute_causes(self) -> Causes:
        """Find the slices of words, or of utterances if texts cannot be aligned."""
        with self._run.reopened() as run:  # for another thread
            found, units = score_slices(self.metric, run.recipe, scored(run, self.groupings()))
            self._members = [one.members.tolist() for one in found]
            causes = [
                Cause(
                    one.slice,
                    tuple(self.line(run.item(number)) for number in one.slice.items),
                    {"slice": str(number), "wrong": "1"},
                )
                for number, one in enumerate(found)
            ]
        unit = "words of the references" if self.metric.rescores else "utterances"
        part = "" if len(self._total) <= SAMPLE else f" (of the first {SAMPLE:,} utterances)"
        return Causes(
            tuple(causes),
            f"Slices of {units:,} {unit}{part} that are wrong more often than the others; {SLICES}",
        )

    def groupings(self) -> list[str]:
        """Return the columns that divide the utterances into a few groups, such as speakers."""
        found = []
        for column in self.facets:
            values = [value for value, _ in self._all_values(column.key)]
            few = 1 < len(values) <= min(_GROUPS, len(self._total) // 2)
            if few and max(map(len, values)) <= _LONG:
                found.append(column.label)
        return found

    def _groups(self) -> Iterator[Measured]:
        for name in self.groupings():
            key = COLUMN + name
            scores = self._run.score_by(quoted(key))
            for value in sorted(scores, key=lambda one: (one is None, str(one))):
                yield Measured(
                    group_name(value, name),
                    len(scores[value]),
                    tuple(scores[value].estimates()),
                    group=f"By {name}",
                    filters={} if value is None else {key: value},
                )

    def _worst(self) -> Iterator[ListLine]:
        sort = self.default_sort()
        items = list(
            self._run.items(
                Filter(wrong=True), order=sort, descending=self.descends(Query()), limit=_WORST
            )
        )
        for item, marked in zip(items, self._marked(items), strict=True):
            value = self._run.rates_of(item)[sort]
            note = "" if value is None else f"{spaced(sort)} {100 * value:.0f} %"
            yield ListLine("", item.id, marked, note, {"id": item.id})

    def _tables(self) -> Iterator[Table]:
        sides = self._run.select(["text", "hyp"], Filter(wrong=True), limit=SAMPLE)
        score = self._rescore([(text, hyp) for text, hyp in sides])
        if score is None:
            return
        yield from self.metric.tables(score)
        if not self.metric.phonemes:
            found = fates(self.metric, self._run.recipe, scored(self._run))
            yield from word_tables((word, bool(fate)) for _, words in found for word, fate in words)

    def _rescore(self, sides: Sequence[tuple[str, str | None]]) -> Score | None:
        """Score pairs again by the settings in the signature; ``None`` if impossible."""
        if not self.metric.rescores or not sides:
            return None
        refs, hyps = [ref for ref, _ in sides], [hyp or "" for _, hyp in sides]
        return self.metric.rescore(refs, hyps, self._run.recipe)

    def moved(self, other: ShownRun, flips: Sequence[Flip]) -> Table:  # noqa: ARG002 (words count)
        """Return which words of the references are wrong more or less often."""
        if not isinstance(other, ScoreSource) or not self.metric.rescores:
            return Table("", (), ())
        names = f"wrong in {self.name}", other.name
        return moved_table("word", self.wrong_words(), other.wrong_words(), names)

    def wrong_words(self) -> dict[str, int]:
        """Return how often each word of the references is wrong."""
        found: Counter[str] = Counter()
        for _, words in fates(self.metric, self._run.recipe, scored(self._run)):
            found.update(word for word, fate in words if fate)
        return dict(found)

    def line(self, item: RunItem) -> ListLine:
        """Return an utterance as a line of a list."""
        return ListLine("", item.id, self._marked([item])[0], key={"id": item.id})

    def utterance(self, key: Mapping[str, str]) -> dict[str, Any]:
        """Return an utterance with its alignment; for phonemes, also the trace of features.

        Raises:
            DataError: if there is no such utterance.
        """
        item = next(self._run.items(Filter(id=key.get("id", "")), limit=1), None)
        if item is None:
            raise DataError(f"{self.path}: there is no utterance {key.get('id', '')!r}")
        found: dict[str, Any] = {
            "id": item.id,
            "rates": self._run.rates_of(item),
            "counts": item.counts,
            "columns": item.columns,
        }
        if item.hyp is None:
            return found
        sides = {"reference": item.utterance.text, "hypothesis": item.prediction.text}
        found |= {"ref": item.text, "hyp": item.hyp, "marked": self._marked([item])[0]}
        found["written"] = {
            name: text for name, text in sides.items() if text not in (item.text, item.hyp)
        }
        score = self._rescore([(item.text, item.hyp)])
        return found | self.metric.blocks(score) if score is not None else found
