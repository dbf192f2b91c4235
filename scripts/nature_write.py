"""Writing NATURE's tables: ours with bootstrap intervals, the paper's figures beside them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np

import nature_jobs
import nature_paper
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.slu.metric import slu
from mondegreen.metrics.statistics.resampling import (
    LEVEL,
    REPLICATES,
    Interval,
    interval_of,
    resampled,
)
from mondegreen.models.protocol import Model
from mondegreen.runs.comparison import compare
from mondegreen.runs.results import pooled
from mondegreen.suites.hard import hardest
from mondegreen.types import Edit, Prediction, Utterance, Variant
from nature_jobs import AUGMENTED, DATA, PLAIN, SEEDS, Job, Pack, Result

RATES = {"slot_f1": "Slot F1", "intent_accuracy": "Intent", "e2e_accuracy": "E2E"}
E2E = "e2e_accuracy"
JUDGE = "joint-bert"
_TITLES = {"original": "Orig", "random": "Rand", "hard": "Hard", **nature_paper.OPERATORS}


class Told(Model):
    """A model whose answers are known, by the number of the unit."""

    batch = 4096
    signature = "told"

    def __init__(self, result: Result) -> None:
        self.result = result

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return what was answered."""
        return [self.result.predictions[int(said.id)] for said in batch]

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        """Return how surprised the model was."""
        return [self.result.losses[int(said.id)] or 0.0 for said in batch]


class Hard(NamedTuple):
    """The units of a Hard set, and which operators made them."""

    units: list[int]
    chosen: list[str]
    """The operator of each variant; those that no operator could change are left out."""


def hard_of(pack: Pack, judge: Result) -> Hard:
    """Choose for each utterance the variant that the judge does worst on."""
    names = list(pack.changed)
    candidates = [
        [_variant(pack, name, row) for name in names] for row in range(len(pack.sets["original"]))
    ]
    worst = hardest(Told(judge), candidates, count(1))
    chosen = [variant.edits[0].operator for variant in worst if variant.edits]
    return Hard([int(variant.utterance.id) for variant in worst], chosen)


def _variant(pack: Pack, operator: str, row: int) -> Variant:
    said = pack.units[pack.sets[operator][row]]
    edits = (Edit(0, 0, (), operator, operator),) if pack.changed[operator][row] else ()
    return Variant(said, pack.units[pack.sets["original"][row]], edits)


def scores_of(pack: Pack, hard: Hard, result: Result) -> dict[str, Score]:
    """Score a model on all sets; the random draws are pooled, an utterance a row."""
    sets = {**pack.sets, "hard": hard.units}
    found = {
        name: slu(
            [pack.units[unit] for unit in units],
            [result.predictions[unit] for unit in units],
            ids=[str(row) for row in range(len(units))],
        )
        for name, units in sets.items()
    }
    draws = [found.pop(name) for name in list(found) if name.startswith("random-")]
    return found | {"random": pooled(draws)}


def write_tables(work: Path, folder: Path) -> None:
    """Write the pages of all tables."""
    packs = {data: nature_jobs.read_pack(work, data) for data in DATA}
    results = {
        job: nature_jobs.read_result(work, job)
        for job in sorted(nature_jobs.jobs(), key=_place)
        if job.seed == SEEDS[0] or nature_jobs.done(work, job)
    }
    hard = {data: hard_of(packs[data], results[Job(JUDGE, data, PLAIN)]) for data in DATA}
    scores = {
        job: scores_of(packs[job.data], hard[job.data], result) for job, result in results.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        "nature-table-2.md": _table_2(hard),
        "nature-table-4.md": _table_4(scores),
        "nature-table-5.md": _table_5(scores),
        "nature-training.md": [*_training(results), "", *_seeds(scores)],
    }
    for name, lines in pages.items():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")


def _place(job: Job) -> tuple[int, int, bool, int]:
    order = nature_jobs.KINDS.index(job.kind), list(DATA).index(job.data)
    return *order, job.training == AUGMENTED, job.seed


def _table_2(hard: dict[str, Hard]) -> Iterator[str]:
    yield "# Table 2: which operator makes the hardest variant"
    yield ""
    yield "For each utterance, the Hard set has the variant on which joint-bert does worst."
    yield "The table shows which share of these variants each operator made, in per cent,"
    yield "with 95 % bootstrap intervals over utterances. The figures of the paper are in"
    yield "round brackets. Made by `scripts/nature_tables.py`."
    yield ""
    yield from _head("Operator", DATA.values())
    for operator, title in nature_paper.OPERATORS.items():
        cells = []
        for i, data in enumerate(DATA):
            share = _share(operator, hard[data].chosen)
            cells.append(f"{share} ({nature_paper.TABLE_2[title][i]})")
        yield _row(f"{title} (`{operator}`)", cells)


def _share(operator: str, chosen: Sequence[str]) -> str:
    hits = np.array([[name == operator, True] for name in chosen], np.int64)
    sums = resampled(hits, REPLICATES, seed=0)
    interval = interval_of(sums[:, 0], sums[:, 1], LEVEL)
    return _shown(hits[:, 0].mean(), interval)


def _table_4(scores: dict[Job, dict[str, Score]]) -> Iterator[str]:
    yield "# Table 4: three models on the original and the perturbed test sets"
    yield ""
    yield "Slot F1, intent accuracy and end-to-end accuracy (E2E) in per cent, with 95 %"
    yield "bootstrap intervals over utterances. The figures of the paper are in round"
    yield "brackets; it has none for joint-bert. Rand is the mean of ten random sets. The"
    yield "operators are sorted from best to worst by the mean E2E of the three data sets,"
    yield "and the worst figure of each column is underlined. Made by"
    yield "`scripts/nature_tables.py`."
    for kind in nature_jobs.KINDS:
        yield from ["", f"## {kind}"]
        for data, title in DATA.items():
            yield from ["", f"### {title}", ""]
            yield from _head("Test set", RATES.values())
            own = scores[Job(kind, data, PLAIN)]
            for name in _order(kind, scores):
                yield _row(_TITLES[name], [_cell_4(own, name, rate, kind, data) for rate in RATES])
        yield from ["", "### Mean of the three", ""]
        yield from _head("Test set", RATES.values())
        for name in _order(kind, scores):
            means = [_mean(kind, name, rate, scores) for rate in RATES]
            yield _row(_TITLES[name], [f"{mean:.1f}" for mean in means])
        if kind in nature_paper.TABLE_4:
            alike = _alike(kind, list(nature_paper.OPERATORS), scores)
            others = [name for name in nature_paper.OPERATORS if name != "speako"]
            yield ""
            yield f"The order of the operators by E2E correlates with the paper's at {alike:.2f}"
            yield f"(Spearman; {_alike(kind, others, scores):.2f} without speako)."


def _alike(kind: str, operators: list[str], scores: dict[Job, dict[str, Score]]) -> float:
    """Spearman's correlation of our order of operators with the paper's."""
    ours = [_mean(kind, name, E2E, scores) for name in operators]
    table = nature_paper.TABLE_4[kind]
    theirs = [statistics.fmean(table[_TITLES[name]][2::3]) for name in operators]
    ranks = [np.argsort(np.argsort(values)).tolist() for values in (ours, theirs)]
    return statistics.correlation(*ranks)


def _order(kind: str, scores: dict[Job, dict[str, Score]]) -> list[str]:
    operators = sorted(
        nature_paper.OPERATORS, key=lambda name: _mean(kind, name, E2E, scores), reverse=True
    )
    return ["original", "random", "hard", *operators]


def _mean(kind: str, name: str, rate: str, scores: dict[Job, dict[str, Score]]) -> float:
    return statistics.fmean(
        100 * (scores[Job(kind, data, PLAIN)][name][rate].value or 0.0) for data in DATA
    )


def _cell_4(own: dict[str, Score], name: str, rate: str, kind: str, data: str) -> str:
    worst = min(nature_paper.OPERATORS, key=lambda other: own[other][rate].value or 0.0)
    said = _with_interval(own[name], rate)
    if name == worst:
        said = f"<u>{said}</u>"
    paper = nature_paper.TABLE_4.get(kind, {}).get(_TITLES[name])
    if paper is None:
        return said
    return f"{said} ({paper[3 * list(DATA).index(data) + list(RATES).index(rate)]})"


def _table_5(scores: dict[Job, dict[str, Score]]) -> Iterator[str]:
    yield "# Table 5: with and without augmentation"
    yield ""
    yield "End-to-end accuracy in per cent, with 95 % bootstrap intervals over utterances, of"
    yield "models trained on the original data (without) and on the augmented data (with):"
    yield "training and development data with one noisy copy per utterance. The interval of"
    yield "the difference is paired. The figures of the paper are those of Stack-Prop+BERT."
    yield "Made by `scripts/nature_tables.py`."
    for kind in nature_jobs.KINDS:
        yield from ["", f"## {kind}"]
        for i, (data, title) in enumerate(DATA.items()):
            yield from ["", f"### {title}", ""]
            columns = ["without", "with", "difference"]
            beside = kind == "stack-prop"
            yield from _head("Test set", [*columns, *(["paper"] if beside else [])])
            for name in ("original", "random", "hard"):
                pair = [scores[Job(kind, data, t)][name] for t in (PLAIN, AUGMENTED)]
                cells = [_with_interval(score, E2E) for score in pair]
                change = compare(*pair).rates[E2E]
                cells.append(_shown(change.difference or 0.0, change.interval, sign="+"))
                if beside:
                    old, new = nature_paper.TABLE_5[_TITLES[name]][i]
                    cells.append(f"{old} → {new} ({new - old:+.1f})")
                yield _row(_TITLES[name], cells)


def _training(results: dict[Job, Result]) -> Iterator[str]:
    logs = [result.log for result in results.values()]
    devices = " and ".join(sorted({f"{log['device']}, torch {log['torch']}" for log in logs}))
    yield "# How the models of tables 2, 4 and 5 were trained"
    yield ""
    yield f"Device: {devices}. Several models were trained at a"
    yield "time, so the seconds are those of a shared machine. The best epoch is the one"
    yield "with the highest end-to-end accuracy (E2E) on the development data. For"
    yield "augmented training the development data are augmented as well, so do not"
    yield "compare that accuracy with the one of plain training. Settings:"
    yield ""
    for kind in nature_jobs.KINDS:
        recipe = results[Job(kind, next(iter(DATA)), PLAIN)].log["settings"]
        names = ("batch", "epochs", "patience", "rate", "encoder_rate", "dropout", "hidden")
        said = ", ".join(f"{name} {recipe[name]}" for name in names)
        yield f"- {kind}: {said}"
    yield ""
    yield from _head(
        "Model",
        ["data", "training", "seed", "epochs", "best", "E2E on dev", "seconds", "to predict"],
    )
    for job, result in results.items():
        log = result.log
        best = max(log["scores"])
        cells = [DATA[job.data], job.training, str(job.seed), str(len(log["scores"]))]
        cells += [str(log["scores"].index(best) + 1), f"{100 * best:.1f}"]
        seconds = (f"{log[key]:.0f}" for key in ("train_seconds", "predict_seconds"))
        yield _row(job.kind, [*cells, *seconds])


def _seeds(scores: dict[Job, dict[str, Score]]) -> Iterator[str]:
    yield "## Other seeds"
    yield ""
    yield "End-to-end accuracy of the same training with different seeds, in per cent."
    yield f"The Hard sets were chosen with joint-bert of seed {SEEDS[0]}, trained on the original"
    yield "data. For its other seeds they are as new as for the other models."
    yield ""
    names = ("original", "random", "hard")
    yield from _head("Model", ["data", "training", "seeds", *(_TITLES[name] for name in names)])
    for first in (job for job in scores if job.seed == SEEDS[0]):
        alike = [first._replace(seed=seed) for seed in SEEDS]
        known = [job for job in alike if job in scores]
        cells = [DATA[first.data], first.training, ", ".join(str(job.seed) for job in known)]
        for name in names:
            values = [100 * (scores[job][name][E2E].value or 0.0) for job in known]
            cells.append(", ".join(f"{value:.1f}" for value in values))
        yield _row(first.kind, cells)


def _with_interval(score: Score, rate: str) -> str:
    measure = score[rate]
    interval = measure.interval()
    return _shown(measure.value or 0.0, interval)


def _shown(value: float, interval: Interval | None, sign: str = "") -> str:
    said = f"{100 * value:{sign}.1f}"
    if interval is None:
        return said
    return f"{said} [{100 * interval.low:{sign}.1f}, {100 * interval.high:{sign}.1f}]"


def _head(first: str, rest: Iterable[str]) -> Iterator[str]:
    names = [first, *rest]
    yield _row(names[0], names[1:])
    yield "|---" + "|---:" * (len(names) - 1) + "|"


def _row(first: str, rest: Iterable[str]) -> str:
    return f"| {' | '.join([first, *rest])} |"
