"""Why a model fails: slices of a run in which utterances are lost more often than elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.data.records import utterance_of
from mondegreen.metrics.score import Score
from mondegreen.metrics.score_slices import slices_of_score
from mondegreen.metrics.slices import Found, Observations, Slice, find_slices
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, RANDOM
from mondegreen.runs.facts import PHRASES, facts_of_edits, facts_of_request, placed
from mondegreen.runs.reading import Run, open_run
from mondegreen.types import Edit, Prediction

LOST, WRONG = "lost", "wrong"
_SAMPLED = 100_000  # variants that are looked at; of more, every so many sources are taken
_VARIED = (OPERATOR, RANDOM, HARD)  # severities are for curves: more edits, more failures
_UTTERANCE = msgspec.json.Decoder()
_PREDICTION = msgspec.json.Decoder(Prediction)
_COLUMNS = "number, position, id, text, label, speaker, utterance, edits, prediction, wrong, flip"


class _Edit(msgspec.Struct):
    """An edit as a suite stores it, with the tokens that it replaced."""

    start: int
    end: int
    tokens: tuple[str, ...]
    operator: str
    kind: str
    before: tuple[str, ...] = ()

    def edit(self) -> Edit:
        return Edit(self.start, self.end, self.tokens, self.operator, self.kind)


_EDITS = msgspec.json.Decoder(tuple[_Edit, ...])


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
    variants = Observations(LOST, "variants", PHRASES)
    seen: set[int] = set()
    for row in _variants(run, every):
        key = hash((row["position"], row["text"]))
        if key not in seen:
            seen.add(key)
            _add_variant(run, variants, row)
    written = Observations(WRONG, "utterances", PHRASES)
    for row in _originals(run, every):
        _add_original(run, written, row)
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


def _variants(run: Run, every: int) -> Iterator[Any]:
    """Yield the changed variants whose source is right, over all sets."""
    numbers = [one.number for one in run.sets if one.kind in _VARIED]
    marks = ", ".join("?" * len(numbers))
    return run.connection.execute(
        f"SELECT {_COLUMNS} FROM items WHERE set_number IN ({marks}) AND position % ? = 0 "
        "AND edits != '[]' AND (flip = -1 OR (flip = 0 AND wrong = 0)) ORDER BY number",
        (*numbers, every),
    )


def _originals(run: Run, every: int) -> Iterator[Any]:
    return run.connection.execute(
        f"SELECT {_COLUMNS} FROM items WHERE set_number = 0 AND position % ? = 0 ORDER BY number",
        (every,),
    )


def _add_variant(run: Run, seen: Observations, row: Any) -> None:
    utterance = utterance_of(_UTTERANCE.decode(row["utterance"]), row["id"])
    edits = _EDITS.decode(row["edits"])
    where = placed([edit.edit() for edit in edits])
    before = [edit.before for edit in edits]
    grown = sum(len(edit.tokens) - len(edit.before) for edit in edits)
    facts = [
        *facts_of_request(utterance, len(utterance.tokens) - grown, row["speaker"]),
        *facts_of_edits(utterance, where, before),
    ]
    failed, symptoms = row["flip"] < 0, []
    if failed:
        edited = {at for one in where for at in range(one.start, one.end)}
        prediction = _PREDICTION.decode(row["prediction"])
        symptoms = run.metric.symptoms(utterance, prediction, edited)
    seen.add(facts, failed=failed, cluster=row["position"], item=row["number"], symptoms=symptoms)


def _add_original(run: Run, seen: Observations, row: Any) -> None:
    utterance = utterance_of(_UTTERANCE.decode(row["utterance"]), row["id"])
    facts = facts_of_request(utterance, len(utterance.tokens), row["speaker"])
    failed = bool(row["wrong"])
    symptoms = (
        run.metric.symptoms(utterance, _PREDICTION.decode(row["prediction"]), ()) if failed else []
    )
    seen.add(facts, failed=failed, cluster=row["position"], item=row["number"], symptoms=symptoms)
