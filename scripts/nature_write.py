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
from nature_jobs import (
    AUGMENTED,
    DATA,
    GROUPS,
    JUDGES,
    PLAIN,
    SEEDS,
    SETTINGS,
    Job,
    Pack,
    Result,
)

RATES = {"slot_f1": "Slot F1", "intent_accuracy": "Intent", "e2e_accuracy": "E2E"}
E2E = "e2e_accuracy"
_AUGMENTED_IN_PAPER = "stack-prop"
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


def hard_of(pack: Pack, group: str, judge: Result) -> Hard:
    """Choose for each utterance the variant of a group that the judge does worst on."""
    names = list(pack.changed[group])
    candidates = [
        [_variant(pack, group, name, row) for name in names]
        for row in range(len(pack.sets[group]["original"]))
    ]
    worst = hardest(Told(judge), candidates, count(1))
    chosen = [variant.edits[0].operator for variant in worst if variant.edits]
    return Hard([int(variant.utterance.id) for variant in worst], chosen)


def _variant(pack: Pack, group: str, operator: str, row: int) -> Variant:
    sets, changed = pack.sets[group], pack.changed[group]
    said = pack.units[sets[operator][row]]
    edits = (Edit(0, 0, (), operator, operator),) if changed[operator][row] else ()
    return Variant(said, pack.units[sets["original"][row]], edits)


def scores_of(pack: Pack, group: str, hard: Hard, result: Result) -> dict[str, Score]:
    """Score a model on all sets of a group; the random draws are pooled, an utterance a row."""
    sets = {**pack.sets[group], "hard": hard.units}
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


class Results(NamedTuple):
    """What all tables are made from, as far as there are results."""

    judges: dict[str, str]
    """By data set, the model that chose the Hard sets."""
    hard: dict[tuple[str, str], Hard]
    """By group and data set."""
    scores: dict[tuple[str, Job], dict[str, Score]]
    """By group and job."""

    def has(self, kind: str, data: str, training: str = PLAIN) -> bool:
        """Return whether a model was trained on a data set."""
        return (GROUPS[0], Job(kind, data, training)) in self.scores

    def data(self, kind: str) -> list[str]:
        """Return the data sets on which a model was trained."""
        return [data for data in DATA if self.has(kind, data)]

    @property
    def kinds(self) -> list[str]:
        """The models with results."""
        return [kind for kind in nature_jobs.KINDS if self.data(kind)]


def write_tables(work: Path, folder: Path, prefix: str) -> None:
    """Write the pages of all tables, for the models and data sets that have results."""
    results = {
        job: nature_jobs.read_result(work, job)
        for job in sorted(nature_jobs.jobs(), key=_place)
        if nature_jobs.done(work, job)
    }
    found = _found(work, results)
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        f"{prefix}-table-2.md": _table_2(found),
        f"{prefix}-table-4.md": _table_4(found),
        f"{prefix}-table-5.md": _table_5(found),
    }
    if any(job.kind != "crf" for job in results):
        pages[f"{prefix}-training.md"] = iter([*_training(results), "", *_seeds(found)])
    for name, lines in pages.items():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    summary = folder / f"{prefix}.md"
    if summary.exists():
        _fill(summary, "means", _means(found))
        _fill(summary, "order", _orders(found))


def _fill(page: Path, name: str, lines: Iterable[str]) -> None:
    """Replace what a page has between the mark ``<!-- name -->`` and the next ``<!-- end -->``."""
    before, mark, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    if mark:
        after = rest.partition("<!-- end -->")[2]
        text = "\n".join([*lines, "<!-- end -->"])
        page.write_text(f"{before}{mark}{text}{after}", encoding="utf-8")


def _found(work: Path, results: dict[Job, Result]) -> Results:
    """Choose the Hard sets of both groups, and score all models on all sets."""
    found = Results({}, {}, {})
    for data in DATA:
        judges = [kind for kind in JUDGES if Job(kind, data, PLAIN) in results]
        if not judges:
            continue
        found.judges[data] = judges[0]
        pack = nature_jobs.read_pack(work, data)
        for group in GROUPS:
            hard = hard_of(pack, group, results[Job(judges[0], data, PLAIN)])
            found.hard[group, data] = hard
            for job, result in results.items():
                if job.data == data:
                    found.scores[group, job] = scores_of(pack, group, hard, result)
    return found


def _place(job: Job) -> tuple[int, int, bool, int]:
    order = nature_jobs.KINDS.index(job.kind), list(DATA).index(job.data)
    return *order, job.training == AUGMENTED, job.seed


def _table_2(found: Results) -> Iterator[str]:
    chosen = ", ".join(f"{DATA[data]} by {kind}" for data, kind in found.judges.items())
    yield "# Table 2: which operator makes the hardest variant"
    yield ""
    yield "For each utterance, the Hard set has the variant on which a model does worst"
    yield f"(chosen on {chosen}; in the paper by JointBERT)."
    yield "The table shows which share of these variants each operator made, in per cent,"
    yield "with 95 % bootstrap intervals over utterances: with our operators (`nature`), and as"
    yield "the paper describes them (`nature.paper`). The figures of the paper are in the last"
    yield "column. Made by `scripts/nature_tables.py`."
    for i, (data, title) in enumerate(DATA.items()):
        if data not in found.judges:
            continue
        yield from ["", f"## {title}", ""]
        yield from _head("Operator", [*(f"`{group}`" for group in GROUPS), "paper"])
        for operator, name in nature_paper.OPERATORS.items():
            cells = [_share(operator, found.hard[group, data].chosen) for group in GROUPS]
            cells.append(str(nature_paper.TABLE_2[name][i]))
            yield _row(f"{name} (`{operator}`)", cells)


def _share(operator: str, chosen: Sequence[str]) -> str:
    hits = np.array([[name == operator, True] for name in chosen], np.int64)
    sums = resampled(hits, REPLICATES, seed=0)
    interval = interval_of(sums[:, 0], sums[:, 1], LEVEL)
    return _shown(hits[:, 0].mean(), interval)


def _table_4(found: Results) -> Iterator[str]:
    yield "# Table 4: models on the original and the perturbed test sets"
    yield ""
    yield "Slot F1, intent accuracy and end-to-end accuracy (E2E) in per cent; E2E with 95 %"
    yield "intervals over utterances. Rand is the mean of ten random sets. Each set is"
    yield "there twice: made with our operators (`nature`), and as the paper describes them"
    yield "(`nature.paper`). Figures in round brackets are those of the paper, for the same kind of"
    yield "model (it has none for joint-bert and crf). The worst E2E of each column is underlined."
    yield "Made by `scripts/nature_tables.py`."
    for kind in found.kinds:
        for data in found.data(kind):
            yield from ["", f"## {kind} on {DATA[data]}", ""]
            yield from _table_4_of(found, kind, data)
        if kind in nature_paper.TABLE_4 and len(found.data(kind)) == len(DATA):
            for group in GROUPS:
                alike = _alike(found, kind, group, kind)
                yield ""
                yield f"With `{group}`, the order of the operators by E2E correlates with the"
                yield f"paper's at {alike:.2f} (Spearman)."


def _table_4_of(found: Results, kind: str, data: str) -> Iterator[str]:
    titles = [f"{title}, `{group}`" for group in GROUPS for title in RATES.values()]
    yield from _head("Test set", titles)
    for name in ("original", "random", "hard", *nature_paper.OPERATORS):
        cells = [
            _cell_4(found, (kind, data, group), name, rate) for group in GROUPS for rate in RATES
        ]
        yield _row(_TITLES[name], cells)


def _cell_4(found: Results, place: tuple[str, str, str], name: str, rate: str) -> str:
    kind, data, group = place
    own = found.scores[group, Job(kind, data, PLAIN)]
    if rate != E2E:
        said = f"{100 * (own[name][rate].value or 0.0):.1f}"
    else:
        worst = min(nature_paper.OPERATORS, key=lambda other: own[other][rate].value or 0.0)
        said = _with_interval(own[name], rate)
        said = f"<u>{said}</u>" if name == worst else said
    paper = nature_paper.TABLE_4.get(kind, {}).get(_TITLES[name])
    if paper is None:
        return said
    return f"{said} ({paper[3 * list(DATA).index(data) + list(RATES).index(rate)]})"


def _alike(found: Results, kind: str, group: str, other: str) -> float:
    """Spearman's correlation of our order of operators with that of a model of the paper."""
    operators = list(nature_paper.OPERATORS)
    ours = [_mean(found, kind, group, name) for name in operators]
    table = nature_paper.TABLE_4[other]
    theirs = [statistics.fmean(table[_TITLES[name]][2::3]) for name in operators]
    ranks = [np.argsort(np.argsort(values)).tolist() for values in (ours, theirs)]
    return statistics.correlation(*ranks)


def _mean(found: Results, kind: str, group: str, name: str, training: str = PLAIN) -> float:
    return statistics.fmean(
        100 * (found.scores[group, Job(kind, data, training)][name][E2E].value or 0.0)
        for data in DATA
    )


def _means(found: Results) -> Iterator[str]:
    """The mean E2E of the data sets: plain training, then what augmentation adds."""
    names = ("original", "random", "hard")
    titles = [_TITLES[name] for name in names]
    yield from _head("Model", ["operators", *titles, *(f"{title}, augmented" for title in titles)])
    for kind in found.kinds:
        if len(found.data(kind)) < len(DATA):
            continue
        more = all(found.has(kind, data, AUGMENTED) for data in DATA)
        for group in GROUPS:
            plain = [_mean(found, kind, group, name) for name in names]
            cells = [f"{value:.1f}" for value in plain]
            for name, value in zip(names, plain, strict=True):
                change = _mean(found, kind, group, name, AUGMENTED) - value if more else None
                cells.append("" if change is None else f"{change:+.1f}")
            yield _row(kind, [f"`{group}`", *cells])
        if kind in nature_paper.TABLE_4:
            table = nature_paper.TABLE_4[kind]
            cells = [f"{statistics.fmean(table[title][2::3]):.1f}" for title in titles]
            gains = [""] * len(names)
            if kind == _AUGMENTED_IN_PAPER:
                rows = (nature_paper.TABLE_5[title] for title in titles)
                gains = [f"{statistics.fmean(new - old for old, new in row):+.1f}" for row in rows]
            yield _row(kind, ["the paper", *cells, *gains])


def _orders(found: Results) -> Iterator[str]:
    """The mean E2E on the set of each operator."""
    kinds = [kind for kind in found.kinds if len(found.data(kind)) == len(DATA)]
    told = [kind for kind in kinds if kind in nature_paper.TABLE_4]
    columns = [f"{kind}, `{group}`" for kind in kinds for group in GROUPS]
    yield from _head("Operator", [*columns, *(f"{kind}, the paper" for kind in told)])
    for operator, title in nature_paper.OPERATORS.items():
        ours = (_mean(found, kind, group, operator) for kind in kinds for group in GROUPS)
        paper = (statistics.fmean(nature_paper.TABLE_4[kind][title][2::3]) for kind in told)
        yield _row(title, [f"{value:.1f}" for value in (*ours, *paper)])
    alike = [
        ", ".join(f"{_alike(found, kind, group, other):.2f}" for other in told)
        for kind in kinds
        for group in GROUPS
    ]
    yield _row(f"Spearman with the paper's {', '.join(told)}", [*alike, *("" for _ in told)])


def _table_5(found: Results) -> Iterator[str]:
    yield "# Table 5: with and without augmentation"
    yield ""
    yield "End-to-end accuracy in per cent, with 95 % intervals over utterances, of"
    yield "models trained on the original data (without) and on the augmented data (with):"
    yield "training and development data with one noisy copy per utterance, made by one of six"
    yield "strategies drawn at random: keyboard, spelling, naive synonyms, antonyms, TF-IDF and"
    yield "contextual words (group `augment`). As in section 4.4 of the paper, none of them is an"
    yield "operator of the test sets. The interval of the difference is paired. The figures of the"
    yield "paper are those of Stack-Prop+BERT. Made by `scripts/nature_tables.py`."
    for kind in found.kinds:
        for i, (data, title) in enumerate(DATA.items()):
            if found.has(kind, data) and found.has(kind, data, AUGMENTED):
                yield from ["", f"## {kind} on {title}", ""]
                yield from _head("Test set", ["without", "with", "difference", "paper"])
                yield from _rows_5(found, kind, data, i)


def _rows_5(found: Results, kind: str, data: str, column: int) -> Iterator[str]:
    for name in ("original", "random", "hard"):
        for group in GROUPS[: 1 if name == "original" else 2]:
            pair = [found.scores[group, Job(kind, data, t)][name] for t in (PLAIN, AUGMENTED)]
            cells = [_with_interval(score, E2E) for score in pair]
            change = compare(*pair).rates[E2E]
            cells.append(_shown(change.difference or 0.0, change.interval, sign="+"))
            old, new = nature_paper.TABLE_5[_TITLES[name]][column]
            cells.append(f"{old} → {new} ({new - old:+.1f})")
            title = _TITLES[name] if name == "original" else f"{_TITLES[name]}, `{group}`"
            yield _row(title, cells)


def _training(results: dict[Job, Result]) -> Iterator[str]:
    neural = {job: result for job, result in results.items() if job.kind != "crf"}
    logs = [result.log for result in neural.values()]
    devices = " and ".join(sorted({f"{log['device']}, torch {log['torch']}" for log in logs}))
    yield "# How the models of tables 2, 4 and 5 were trained"
    yield ""
    yield f"Device: {devices}. Several models were trained at a"
    yield "time, so the seconds are those of a shared machine. The best epoch is the one"
    yield "with the highest end-to-end accuracy (E2E) on the development data. For"
    yield "augmented training the development data are augmented as well, so do not"
    yield "compare that accuracy with the one of plain training. Settings:"
    yield ""
    for kind in dict.fromkeys(job.kind for job in neural):
        settings = ", ".join(f"{key} {value}" for key, value in SETTINGS[kind].items())
        yield f"- {kind}: {settings}"
    yield ""
    yield from _head(
        "Model",
        ["data", "training", "seed", "epochs", "best", "E2E on dev", "seconds", "to predict"],
    )
    for job, result in neural.items():
        log = result.log
        best = max(log["scores"])
        cells = [DATA[job.data], job.training, str(job.seed), str(len(log["scores"]))]
        cells += [str(log["scores"].index(best) + 1), f"{100 * best:.1f}"]
        seconds = (f"{log[key]:.0f}" for key in ("train_seconds", "predict_seconds"))
        yield _row(job.kind, [*cells, *seconds])


def _seeds(found: Results) -> Iterator[str]:
    yield "## Other seeds"
    yield ""
    yield "End-to-end accuracy of the same training with different seeds, in per cent, on the sets"
    yield "made with `nature`. The Hard sets were chosen with the model of seed 0."
    yield ""
    names = ("original", "random", "hard")
    yield from _head("Model", ["data", "training", "seeds", *(_TITLES[name] for name in names)])
    scores = {job: own for (group, job), own in found.scores.items() if group == GROUPS[0]}
    for first in (job for job in scores if job.seed == SEEDS[0]):
        known = [job for seed in SEEDS if (job := first._replace(seed=seed)) in scores]
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
