"""Compare two scores, two runs of one suite, or several of each: one verdict for every route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data.pairs.transcripts import group_name
from mondegreen.errors import DataError, unknown
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.comparison import ALL, Comparison, Flip
from mondegreen.metrics.statistics.paired import compare_scores, enough_permutations, score_flips
from mondegreen.metrics.statistics.repeats import repeated_names, with_repeats
from mondegreen.perturbation.suite_recipe import RANDOM
from mondegreen.runs.queries import quoted
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.results import pooled, shown
from mondegreen.runs.schema import COLUMN

Compared = Score | Run | Path | str
"""What can be compared: a score, a run, or the file of a run."""


_SIDES = "SELECT text, COALESCE(hyp, '') FROM items ORDER BY number"


class _Both(NamedTuple):
    """What is compared of two systems: their scores by set, and what a table shows."""

    names: tuple[str, str]
    pairs: dict[str, tuple[Score, Score]]
    main: str
    rates: tuple[str, ...]
    flips: list[Flip]
    of: str


def compare(
    first: Compared | Sequence[Compared] | Mapping[str, Compared],
    second: Compared | Sequence[Compared] | Mapping[str, Compared],
    *,
    seed: int = 0,
    blocks: Sequence[str] | None = None,
    by: str | None = None,
) -> Comparison:
    """Compare the second of two systems with the first: one verdict for every route.

    Both are scores of the same utterances, or finished runs of one suite. Several of each are
    compared one by one, as sets of one comparison: lists in their order, dicts by their keys. The
    p values of each rate are corrected over all sets by Holm's method.

    Args:
        first: a score, a run, its file, or several.
        second: as many of the same kind.
        seed: random seed for the bootstrap and the permutations.
        blocks: the block of each utterance, such as its speaker, if two scores are compared.
        by: also compare each group, by a column of the data; for two files of scores
            (``score … --items FILE``). Of scores in memory, compare what ``Score.by`` returns.

    Raises:
        DataError: if a run is not finished, or if the two are of different suites, utterances or
            recipes; if there is no such column.

    >>> from mondegreen.score import words
    >>> refs = ["play jazz", "stop it", "turn it off"] * 9
    >>> found = compare(words(refs, refs), words(refs, ["jazz", "it", "on"] * 9))
    >>> found.rates["wer"].verdict, found.losses()
    ('worse', ['all utterances'])
    """
    with ExitStack() as stack:
        found = [_both(*both, by) for both in _matched(first, second, stack)]
    whole = found[0] if len(found) == 1 else _joined(found)
    enough = enough_permutations(len(whole.pairs))
    sets = [
        compare_scores(*pair, name=name, seed=seed, blocks=blocks, permutations=enough)
        for name, pair in whole.pairs.items()
    ]
    return Comparison(*whole.names, tuple(sets), whole.main, whole.rates, whole.flips, whole.of)


def _matched(first: Any, second: Any, stack: ExitStack) -> list[tuple[str, Any, Any]]:
    """Return what is compared with what, by name."""
    sides = [_listed(side) for side in (first, second)]
    if [*sides[0]] != [*sides[1]]:
        raise DataError(
            f"{_named(sides[0])} cannot be compared with {_named(sides[1])}; give as many of each, "
            "under the same names"
        )
    opened = [[_opened(one, stack) for one in side.values()] for side in sides]
    return list(zip(sides[0], *opened, strict=True))


def _listed(side: Any) -> dict[str, Any]:
    if isinstance(side, Mapping):
        return dict(side)
    if isinstance(side, Sequence) and not isinstance(side, str):
        return {str(number): one for number, one in enumerate(side, start=1)}
    return {"": side}


def _named(side: Mapping[str, Any]) -> str:
    return "one result" if [*side] == [""] else f"{len(side)} ({', '.join(side)})"


def _opened(one: Compared, stack: ExitStack) -> Score | Run:
    return one if isinstance(one, Score | Run) else stack.enter_context(open_run(one))


def _joined(found: Sequence[_Both]) -> _Both:
    """Return several pairs of systems as one, with all of their sets."""
    pairs = {name: pair for one in found for name, pair in one.pairs.items()}
    first, second = (", ".join(one.names[side] for one in found) for side in (0, 1))
    flips = [flip for one in found for flip in one.flips]
    return found[0]._replace(names=(first, second), pairs=pairs, flips=flips)


def _both(name: str, first: Score | Run, second: Score | Run, by: str | None) -> _Both:
    if isinstance(first, Run) and isinstance(second, Run):
        return _runs(f"{name}/" if name else "", first, second, by)
    if by is not None:
        raise DataError("groups are those of files of scores; compare what Score.by returns")
    if isinstance(first, Score) and isinstance(second, Score):
        place = name or ALL
        flips = list(score_flips(place, first, second))
        pairs, rates = {place: (first, second)}, tuple(first.rates)
        return _Both(("first", "second"), pairs, first.main, rates, flips, first.signature)
    raise DataError("a score and a run cannot be compared; compare two of one kind")


def _runs(prefix: str, one: Run, two: Run, by: str | None) -> _Both:
    _check(one, two)
    pairs = dict(_pairs(one, two))
    if by is not None:
        pairs |= _group_pairs(one, two, by)
    own = one.rates if one.is_score else shown(one)
    rates = (*own, *repeated_names(one.repeat))
    main = next(name for name in (*one.metric.main, *rates) if name in rates)
    return _Both(
        (str(one.path), str(two.path)),
        {prefix + name: pair for name, pair in pairs.items()},
        main,
        rates,
        [flip._replace(set_name=prefix + flip.set_name) for flip in _flips(one, two)],
        one.meta["suite"],
    )


def _check(one: Run, two: Run) -> None:
    for run in (one, two):
        if not run.finished:
            raise DataError(f"{run.path}: is not finished; continue it with: mondegreen evaluate")
    if one.metric != two.metric:
        raise DataError(
            f"{one.path} is a score of {one.metric.name}, {two.path} of {two.metric.name}; compare "
            "two scores of one metric"
        )
    if one.is_score != two.is_score:
        score, run = (one, two) if one.is_score else (two, one)
        raise DataError(
            f"{score.path} holds a score and {run.path} is a run; compare two of one kind"
        )
    if one.is_score and one.meta["suite_sha"] != two.meta["suite_sha"]:
        raise DataError(
            f"{one.path} and {two.path} are scores of different utterances, which cannot be "
            "compared; use one reference file"
        )
    if one.meta["suite_sha"] != two.meta["suite_sha"]:
        raise DataError(
            f"{one.path} and {two.path} are runs of different suites: {one.meta['suite']} and "
            f"{two.meta['suite']}; evaluate both models on one suite"
        )
    if one.repeat != two.repeat:
        raise DataError(
            f"{one.path} has {one.repeat} answers to each text, {two.path} has {two.repeat}; "
            "evaluate both with the same --repeat"
        )
    if one.meta["answers"] != two.meta["answers"]:
        raise DataError(
            f"{one.path} has answers with {one.meta['answers']}, {two.path} with "
            f"{two.meta['answers']}; compare models that answer the same parts"
        )


def _pairs(one: Run, two: Run) -> Iterator[tuple[str, tuple[Score, Score]]]:
    """Yield the scores of each set; random sets are one, since their unit is the utterance."""
    draws: list[tuple[Score, Score]] = []
    for entry in one.sets:
        both = _score(one, entry.name), _score(two, entry.name)
        pair = with_repeats(both[0], one.repeat), with_repeats(both[1], two.repeat)
        if entry.kind == RANDOM:
            draws.append(pair)
        else:
            yield entry.name, pair
    if draws:
        first, second = (pooled(list(side)) for side in zip(*draws, strict=True))
        yield RANDOM, (first, second)


def _group_pairs(one: Run, two: Run, by: str) -> dict[str, tuple[Score, Score]]:
    """Return the scores of each group of utterances of two files of scores."""
    if not one.is_score:
        raise DataError(f"{one.path}: a run of a suite is compared by its sets, not by {by!r}")
    if by not in one.further:
        raise DataError(f"{one.path}: {unknown('column', by, one.further)}")
    query = f"SELECT {quoted(COLUMN + by)} FROM items ORDER BY number"
    groups = [group_name(value or None, by) for (value,) in one.rows(query)]
    (name,) = (entry.name for entry in one.sets)
    first, second = (_score(run, name).by(groups) for run in (one, two))
    return {group: (first[group], second[group]) for group in sorted(first)}


def _score(run: Run, name: str) -> Score:
    """Return the score of a set; that of a file has its alignments again, for MAPSSWE."""
    score = run.score(name)
    if not (run.is_score and run.metric.rescores):
        return score
    refs, hyps = zip(*run.rows(_SIDES), strict=True)
    return replace(score, detail=run.metric.rescore(refs, hyps, run.recipe).detail)


def _flips(one: Run, two: Run) -> Iterator[Flip]:
    """Yield the texts that one run has right more often; items of both have the same numbers."""
    names = {entry.number: entry.name for entry in one.sets}
    text = "text || ' → ' || COALESCE(hyp, '')" if one.is_score else "text"
    query = f"SELECT set_number, id, {text}, wrong, number FROM items ORDER BY number"
    if one.repeat > 1:
        query = (
            "SELECT set_number, id, text, SUM(wrong), MIN(number) FROM items "
            f"GROUP BY number / {one.repeat} ORDER BY number"
        )
    pairs = zip(one.rows(query), two.rows(query), strict=True)
    for first, second in pairs:
        set_number, id, _, wrong, number = first
        if wrong != second[3]:
            shown_as = first if wrong > second[3] else second
            yield Flip(names[set_number], id, shown_as[2], wrong > second[3], number)
