"""Why a model fails: slices of a run in which utterances are lost more often than elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.slices.finding import FoundSlice, Observations, Slice, find_slices
from mondegreen.metrics.slices.of_scores import Scored, score_slices, slices_of_score
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, RANDOM
from mondegreen.runs.facts import PHRASES, facts_of_edits, facts_of_request, placed
from mondegreen.runs.items import RunItem, item_of
from mondegreen.runs.queries import quoted
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.schema import COLUMN

LOST, WRONG = "lost", "wrong"
SAMPLE = 20_000
"""Utterances of a score that are looked at for slices, and for tables of words."""
_SAMPLED = 100_000  # variants that are looked at; of more, every so many sources are taken
_VARIED = (OPERATOR, RANDOM, HARD)  # severities are for curves: more edits, more failures


class Slices(NamedTuple):
    """The slices of a run: of variants that were lost, and of utterances wrong as written.

    ``of`` is how many variants were looked at, ``every`` is 1 unless only every so many sources
    were.
    """

    lost: list[FoundSlice]
    wrong: list[FoundSlice]
    of: int
    every: int

    @property
    def found(self) -> list[FoundSlice]:
        """All slices, those of variants first."""
        return [*self.lost, *self.wrong]


def run_slices(run: Run) -> Slices:
    """Find the slices of a run: facts of utterances and edits that make failures more likely.

    *Lost* are variants that are wrong though their source is right; equal variants count once. A
    text that was asked several times counts once: as wrong if most of its answers are.
    """
    varied = sum(one.done for one in run.sets if one.kind in _VARIED)
    every = max(1, ceil(varied / _SAMPLED))
    phrases = PHRASES | {"intent": f"{run.metric.label} {{}}"}
    variants = Observations(LOST, "variants", phrases)
    seen: set[int] = set()
    for item, failed in _variants(run, every):
        key = hash((item.position // run.repeat, item.text))
        if key not in seen:
            seen.add(key)
            _add_variant(run, variants, item, failed=failed)
    written = Observations(WRONG, "utterances", phrases)
    for item, failed in _originals(run, every):
        _add_original(run, written, item, failed=failed)
    return Slices(find_slices(variants), find_slices(written), len(variants), every)


def scored(run: Run, columns: Sequence[str] = ()) -> Iterator[Scored]:
    """Yield the first utterances of a score, for slices and tables of words.

    Args:
        run: the score.
        columns: further columns whose values are facts.
    """
    terms = ["number", "text", "hyp", "wrong", "alignment", *(quoted(COLUMN + n) for n in columns)]
    for number, text, hyp, wrong, alignment, *values in run.select(terms, limit=SAMPLE):
        facts = tuple((n, v) for n, v in zip(columns, values, strict=True) if v is not None)
        yield Scored(number, text, hyp or "", bool(wrong), facts, alignment)


def slices(source: Run | Score | Path | str) -> list[Slice]:
    """Return why a model or a system fails: slices with more failures than their share.

    Args:
        source: a run, its file, the rows of a score, or a score.

    >>> from mondegreen.score import words
    >>> refs = [f"play {word} please" for word in ["jazz"] * 30 + ["rock"] * 30]
    >>> hyps = [text.replace("jazz", "jaws") for text in refs]
    >>> print(slices(words(refs, hyps))[0].sentence)
    “jazz”: 30 of 30 wrong (0 % elsewhere); “jaws” is heard in 30
    """
    if isinstance(source, Score):
        return [found.slice for found in slices_of_score(source)]
    if isinstance(source, Run) and source.is_score:
        rows = scored(source, source.further)
        return [found.slice for found in score_slices(source.metric, source.recipe, rows)[0]]
    if isinstance(source, Run):
        return [found.slice for found in run_slices(source).found]
    with open_run(source) as run:
        return slices(run)


def _variants(run: Run, every: int) -> Iterator[tuple[RunItem, bool]]:
    """Yield the changed variants of all sets whose source is right, and whether they are wrong."""
    numbers = [one.number for one in run.sets if one.kind in _VARIED]
    marks = ", ".join("?" * len(numbers))
    where = f"set_number IN ({marks}) AND edits != '[]'"
    return _texts(run, every, where, numbers, "(flip + wrong)")  # whether the source is wrong


def _originals(run: Run, every: int) -> Iterator[tuple[RunItem, bool]]:
    return _texts(run, every, "set_number = 0", (), "0")


def _texts(
    run: Run, every: int, where: str, values: Sequence[int], unless: str
) -> Iterator[tuple[RunItem, bool]]:
    """Yield one item per text, a wrong one if there is one, and whether most of them are wrong.

    Args:
        run: the run.
        every: take every so many texts.
        where: a condition on the items.
        values: the values that it binds.
        unless: leave out texts for most of whose items this is true.
    """
    texts = f"items WHERE {where} AND position / {run.repeat} % ? = 0"
    query = f"SELECT *, wrong AS mostly FROM {texts} AND NOT {unless} ORDER BY number"
    if run.repeat > 1:  # of the columns that are not aggregated, SQLite takes those of the maximum
        query = (
            f"SELECT *, MAX(wrong), AVG(wrong) > 0.5 AS mostly FROM {texts} "
            f"GROUP BY number / {run.repeat} HAVING AVG({unless}) <= 0.5 ORDER BY number"
        )
    rows = run.connection.execute(query, (*values, every))
    return ((item_of(row), bool(row["mostly"])) for row in rows)


def _add_variant(run: Run, seen: Observations, item: RunItem, *, failed: bool) -> None:
    where = placed(item.edits)
    grown = sum(
        len(edit.tokens) - len(old) for edit, old in zip(item.edits, item.before, strict=True)
    )
    length = len(item.utterance.tokens) - grown
    facts = [
        *facts_of_request(item.utterance, length, item.speaker),
        *facts_of_edits(item.utterance, where, item.before),
    ]
    edited = {at for one in where for at in range(one.start, one.end)}
    _add(run, seen, item, facts, failed=failed, edited=edited)


def _add_original(run: Run, seen: Observations, item: RunItem, *, failed: bool) -> None:
    facts = list(facts_of_request(item.utterance, len(item.utterance.tokens), item.speaker))
    _add(run, seen, item, facts, failed=failed, edited=())


def _add(
    run: Run,
    seen: Observations,
    item: RunItem,
    facts: list[tuple[str, str]],
    *,
    failed: bool,
    edited: Collection[int],
) -> None:
    symptoms = run.metric.symptoms(item.utterance, item.prediction, edited) if failed else ()
    text = item.position // run.repeat
    seen.add(facts, failed=failed, cluster=text, item=item.number, symptoms=symptoms)
