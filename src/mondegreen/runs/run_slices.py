"""Why a model fails: slices of a run in which utterances are lost more often than elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import ceil
from pathlib import Path
from typing import NamedTuple

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.slices.finding import Found, Observations, Slice, find_slices
from mondegreen.metrics.slices.of_scores import slices_of_score
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, RANDOM
from mondegreen.runs.facts import PHRASES, facts_of_edits, facts_of_request, placed
from mondegreen.runs.items import RunItem, item_of
from mondegreen.runs.reading import Run, open_run

LOST, WRONG = "lost", "wrong"
_SAMPLED = 100_000  # variants that are looked at; of more, every so many sources are taken
_VARIED = (OPERATOR, RANDOM, HARD)  # severities are for curves: more edits, more failures


class Slices(NamedTuple):
    """The slices of a run: of variants that were lost, and of utterances wrong as written.

    ``of`` is how many variants were looked at, ``every`` is 1 unless only every so many sources
    were.
    """

    lost: list[Found]
    wrong: list[Found]
    of: int
    every: int

    @property
    def found(self) -> list[Found]:
        """All slices, those of variants first."""
        return [*self.lost, *self.wrong]


def run_slices(run: Run) -> Slices:
    """Find the slices of a run: facts of utterances and edits that make failures more likely.

    *Lost* are variants that are wrong though their source is right; equal variants count once.
    """
    varied = sum(one.done for one in run.sets if one.kind in _VARIED)
    every = max(1, ceil(varied / _SAMPLED))
    phrases = PHRASES | {"intent": f"{run.metric.label} {{}}"}
    variants = Observations(LOST, "variants", phrases)
    seen: set[int] = set()
    for item in _variants(run, every):
        key = hash((item.position, item.text))
        if key not in seen:
            seen.add(key)
            _add_variant(run, variants, item)
    written = Observations(WRONG, "utterances", phrases)
    for item in _originals(run, every):
        _add_original(run, written, item)
    return Slices(find_slices(variants), find_slices(written), len(variants), every)


def slices(source: Run | Score | Path | str) -> list[Slice]:
    """Return why a model or a system fails: slices with more failures than their share.

    Args:
        source: a run, the path of a run, or a score.

    >>> from mondegreen.score import words
    >>> refs = [f"play {word} please" for word in ["jazz"] * 30 + ["rock"] * 30]
    >>> hyps = [text.replace("jazz", "jaws") for text in refs]
    >>> print(slices(words(refs, hyps))[0].sentence)
    “jazz”: 30 of 30 wrong (0 % elsewhere); “jaws” is heard in 30
    """
    if isinstance(source, Score):
        return [found.slice for found in slices_of_score(source)]
    if isinstance(source, Run):
        return [found.slice for found in run_slices(source).found]
    with open_run(source) as run:
        return slices(run)


def _variants(run: Run, every: int) -> Iterator[RunItem]:
    """Yield the changed variants whose source is right, over all sets."""
    numbers = [one.number for one in run.sets if one.kind in _VARIED]
    marks = ", ".join("?" * len(numbers))
    rows = run.connection.execute(
        f"SELECT * FROM items WHERE set_number IN ({marks}) AND position % ? = 0 "
        "AND edits != '[]' AND (flip = -1 OR (flip = 0 AND wrong = 0)) ORDER BY number",
        (*numbers, every),
    )
    return map(item_of, rows)


def _originals(run: Run, every: int) -> Iterator[RunItem]:
    rows = run.connection.execute(
        "SELECT * FROM items WHERE set_number = 0 AND position % ? = 0 ORDER BY number", (every,)
    )
    return map(item_of, rows)


def _add_variant(run: Run, seen: Observations, item: RunItem) -> None:
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
    _add(run, seen, item, facts, failed=item.flip < 0, edited=edited)


def _add_original(run: Run, seen: Observations, item: RunItem) -> None:
    facts = list(facts_of_request(item.utterance, len(item.utterance.tokens), item.speaker))
    _add(run, seen, item, facts, failed=item.wrong, edited=())


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
    seen.add(facts, failed=failed, cluster=item.position, item=item.number, symptoms=symptoms)
