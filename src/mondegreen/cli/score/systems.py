"""Print several systems in one table, the best marked, with tests of all pairs."""

from __future__ import annotations

from collections.abc import Iterator

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.comparison import shown_p
from mondegreen.metrics.statistics.systems import Systems

_WIDTH = 10  # of a column


def system_lines(found: Systems) -> Iterator[str]:
    """Yield a table with one row per system, and one line per pair."""
    first = next(iter(found.scores.values()))
    rates = [name for name in first if first[name].denominator]
    width = max(map(len, (*found.scores, "system")))
    yield first.signature
    yield f"{len(first):,} utterances; * marks the best"
    heads = [f"{rate:>{_WIDTH}}" for rate in rates]
    yield "  ".join([f"{'system':{width}}", *heads, f"{found.rate} 95 %"])
    for name, score in found.scores.items():
        cells = [
            _cell(score[rate].value, name in found.best(rate)).rjust(max(_WIDTH, len(rate)))
            for rate in rates
        ]
        yield "  ".join([f"{name:{width}}", *cells, _interval(score, found.rate)]).rstrip()
    yield f"\n{found.rate} of pairs, with Holm's correction for {len(found.tests)}"
    for test in found.tests:
        one = test.found
        if one.difference is not None and one.corrected is not None:
            points = f"{100 * one.difference:+.2f} points"
            yield f"{test.second} against {test.first}: {points}, p {shown_p(one.corrected)}"


def _interval(score: Score, rate: str) -> str:
    interval = score[rate].interval()
    return "" if interval is None else f"[{100 * interval.low:.2f}, {100 * interval.high:.2f}]"


def _cell(value: float | None, best: bool) -> str:  # noqa: FBT001 (whether it is marked)
    return "" if value is None else f"{100 * value:.2f} %{'*' if best else ' '}"
