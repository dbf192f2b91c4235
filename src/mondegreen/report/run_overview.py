"""The overview of a run: sets with what was really changed, heat map, curves, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mondegreen.metrics.metric import Table
from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.metrics.statistics.repeats import repeated_names
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, ORIGINAL, RANDOM
from mondegreen.report.content import Cell, HeatMap, Measured
from mondegreen.report.svg import Curve
from mondegreen.runs.reading import Run
from mondegreen.runs.results import Rates, ResultLine, curves, edit_kinds, main_rate, table
from mondegreen.runs.run_file import RunSet

_CONFUSED = 20
_FEW = 3  # utterances as written: the share of fewer says nothing
GROUPS = {
    ORIGINAL: "As written",
    RANDOM: "Mixtures of all operators",
    HARD: "Mixtures of all operators",
    OPERATOR: "One operator",
}

CALLERS = {ORIGINAL: "The clean caller", OPERATOR: "The perturbed caller"}


def measured_sets(run: Run) -> Iterator[Measured]:
    """Yield the rates of each set; those of severity sets are shown as curves instead."""
    sets = run.sets
    done = {one.name: one.done for one in sets}
    done[RANDOM] = sum(one.done for one in sets if one.kind == RANDOM)
    for line in table(run):
        count = done[line.name]
        notes = [] if count == line.n else [f"{count:,} of {line.n:,} done"]
        notes += _notes(run, line, sets)
        filters = {} if line.kind == RANDOM else {"set": line.name}
        yield Measured(
            line.name,
            count // run.repeat,
            _ordered(run, line.rates),
            "; ".join(notes),
            (CALLERS if run.metric.units != "utterances" else GROUPS)[line.kind],
            filters,
        )


def _notes(run: Run, line: ResultLine, sets: Sequence[RunSet]) -> Iterator[str]:
    """Yield remarks on a set: how much was changed, and what the edits really are."""
    if line.kind == RANDOM:
        draws = sum(one.kind == RANDOM for one in sets)
        spread = line.rates[main_rate(run)].spread
        yield f"{draws} draws" + (
            "" if spread is None else f", standard deviation {100 * spread:.1f}"
        )
        return
    if line.kind == ORIGINAL:
        return
    if line.changed < line.n:
        yield f"{line.changed:,} of {line.n:,} changed"
    if kinds := edit_kinds(run, line):
        yield kinds


def unanswered(run: Run) -> Measured:
    """Return the rates of a run without answers."""
    return Measured(ORIGINAL, 0, _ordered(run, {}), group=GROUPS[ORIGINAL])


def _ordered(run: Run, rates: Rates) -> tuple[Estimate, ...]:
    """Return the rates in the order of a report: the main ones first."""
    metric = run.metric
    own = (rate.name for rate in metric.rates)
    names = dict.fromkeys((*metric.main, *own, *repeated_names(run.repeat)))
    return tuple(rates.get(name, Estimate(name, None)) for name in names)


def curves_of(run: Run, rate: str) -> tuple[Curve, ...]:
    """Return the curves of a run for drawing."""
    return tuple(
        Curve(operator, [(point.severity, point.estimate) for point in points])
        for operator, points in curves(run, rate).items()
    )


def heat_map_of(run: Run) -> HeatMap | None:
    """Return intents by set, with the change against the original.

    ``None`` without intents, or if all are so rare that their shares say nothing.
    """
    counts = run.wrong_by_label()
    sets = [one for one in run.sets if one.kind in (ORIGINAL, OPERATOR, HARD) and one.done]
    labels = dict.fromkeys(label for label, _ in counts)
    if len(labels) < 2 or len(sets) < 2:  # noqa: PLR2004 (one row or column is not a map)
        return None
    rows = []
    for label in labels:
        first = counts.get((label, sets[0].number))
        cells = tuple(_cell(counts.get((label, one.number)), first, label, one) for one in sets)
        rows.append((label, cells))
    order = sorted(range(1, len(sets)), key=lambda at: _mean([cells[at] for _, cells in rows]))
    columns = [0, *order]
    rows.sort(key=lambda row: (_utterances(row[1]) < _FEW, _mean(row[1][1:])))
    if _utterances(rows[0][1]) < _FEW:
        return None
    return HeatMap(
        f"{run.metric.label.capitalize()}s by set",
        run.metric.label,
        tuple(sets[at].name for at in columns),
        tuple((label, tuple(cells[at] for at in columns)) for label, cells in rows),
    )


def _cell(
    found: tuple[int, int] | None, first: tuple[int, int] | None, label: str, one: RunSet
) -> Cell | None:
    if found is None:
        return None
    n, wrong = found
    change = None
    if one.kind != ORIGINAL and first is not None:
        change = 100 * ((n - wrong) / n - (first[0] - first[1]) / first[0])
    return Cell(n, wrong, change, {"set": one.name, "label": label})


def _utterances(cells: Sequence[Cell | None]) -> int:
    return cells[0].n if cells[0] is not None else 0


def _mean(cells: Sequence[Cell | None]) -> float:
    """Return the mean change over all utterances of some cells."""
    known = [(cell.change * cell.n, cell.n) for cell in cells if cell and cell.change is not None]
    return sum(change for change, _ in known) / (sum(n for _, n in known) or 1)


def tables_of(run: Run) -> Iterator[Table]:
    """Yield the tables of a run."""
    confused = tuple((f"{gold} → {predicted}", n) for gold, predicted, n in run.confused(_CONFUSED))
    title = f"{run.metric.label.capitalize()}s most often confused"
    yield Table(title, ("gold → predicted", "times"), confused, "bars")
