"""A waterfall: the accuracy of a chain, what each stage took from it, and the lost utterances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec

from mondegreen.metrics.statistics.estimate import Estimate
from mondegreen.report.content import ListLine, Rows
from mondegreen.report.marked import MarkedLine, MarkedWord
from mondegreen.report.opening import open_source
from mondegreen.report.source import ShownRun
from mondegreen.runs.blame import RIGHT, WRONG, Blame, Stage
from mondegreen.runs.chain import is_run, run_and_set

_SHOWN = 25  # lost utterances of a stage
_FATES = 8
END = "end to end"
TITLE = "Where requests are lost"


class Fall(msgspec.Struct, frozen=True):
    """A bar of a waterfall, from one accuracy to another; the first and the last begin at 0.

    ``low`` and ``high`` are the interval of the change; ``lines`` are utterances that were lost,
    ``run`` is the run that has them.
    """

    name: str
    start: float
    end: float
    level: bool
    low: float | None = None
    high: float | None = None
    lost: int = 0
    regained: int = 0
    lines: tuple[ListLine, ...] = ()
    run: str = ""

    @property
    def change(self) -> float:
        """How much accuracy the stage adds; below 0, it takes some away."""
        return self.end - self.start

    @property
    def mark(self) -> str:
        """The class of its colour."""
        return "level" if self.level else "loss" if self.change <= 0 else "gain"


class Waterfall(msgspec.Struct, frozen=True):
    """Where requests are lost along a chain of stages; ``fates`` are what became of them."""

    sentence: str
    measure: str
    n: int
    falls: tuple[Fall, ...]
    fates: tuple[tuple[str, int], ...]

    def rows(self) -> Rows:
        """Yield the rows of the figure, with a row of headings; for CSV."""
        yield "stage", "accuracy", "change", "low", "high", "lost", "regained"
        for one in self.falls[:-1]:
            change = None if one.level else one.change
            yield one.name, one.end, change, one.low, one.high, one.lost, one.regained

    def scale(self) -> Iterator[Estimate]:
        """Yield what the scale has to show."""
        for one in self.falls:
            yield Estimate(self.measure, one.start)
            yield Estimate(self.measure, one.end)


def make_chain(
    found: Blame, stages: Mapping[str, Path], sources: Sequence[ShownRun] = ()
) -> Waterfall:
    """Return where requests are lost, with some of the utterances that each stage lost.

    Args:
        found: the losses by stage.
        stages: the predictions or the run of each stage.
        sources: sources that are open; runs that are not among them are opened.
    """
    known = {one.path: one for one in sources}
    with ExitStack() as stack:
        lines = {}
        for name, path in stages.items():
            lost = found.lost[name][:_SHOWN]
            if not is_run(path):
                lines[name] = tuple(
                    ListLine("", id, MarkedLine((MarkedWord(found.texts[id]),))) for id in lost
                )
                continue
            file, chosen = run_and_set(path)
            source = known.get(file) or stack.enter_context(closing(open_source(file)))
            lines[name] = tuple(source.lines_of(chosen, lost))
    runs = {name: str(run_and_set(path)[0]) for name, path in stages.items() if is_run(path)}
    return _chain(found, lines, runs)


def _chain(
    found: Blame, lines: Mapping[str, tuple[ListLine, ...]], runs: Mapping[str, str]
) -> Waterfall:
    """Return the bars of a waterfall, with the utterances that each stage lost."""
    first, *others = found.stages
    falls = [Fall(first.name, 0.0, first.accuracy, level=True)]
    for stage in others:
        low, high = stage.interval or (None, None)
        falls.append(
            Fall(
                stage.name,
                falls[-1].end,
                stage.accuracy,
                level=False,
                low=None if high is None else -high,
                high=None if low is None else -low,
                lost=stage.lost,
                regained=stage.regained,
                lines=lines[stage.name],
                run=runs.get(stage.name, ""),
            )
        )
    falls.append(Fall(END, 0.0, falls[-1].end, level=True))
    fates = tuple(
        (" → ".join(RIGHT if one else WRONG for one in fate), n) for fate, n in found.fates[:_FATES]
    )
    return Waterfall(_sentence(found, others), found.measure, first.n, tuple(falls), fates)


def _sentence(found: Blame, stages: Sequence[Stage]) -> str:
    """Return the result in one sentence: what is lost, and at which stage most of it."""
    first, last = found.stages[0], found.stages[-1]
    whole = f"{_right(first, 'are right ')}, {_right(last)}"
    worst = max(stages, key=lambda stage: stage.loss)
    if worst.loss <= 0:
        return f"{whole}; no stage loses more than it regains."
    if len(stages) == 1:
        return f"{whole}: {100 * worst.loss:.1f} points are lost."
    shares = f"{100 * worst.loss:.1f} of {100 * found.total:.1f} points"
    return f"{whole}; most is lost at “{worst.name}”: {shares}."


def _right(stage: Stage, verb: str = "") -> str:
    return f"{100 * stage.accuracy:.0f} % {verb}after “{stage.name}”"
