"""The scores of groups as a table: one row per speaker, length or other group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.estimate import FEW, Estimate

Groups = Mapping[str, tuple[Score, Sequence[Estimate]]]


def group_lines(by: str, groups: Groups) -> Iterator[str]:
    """Yield a table with one row per group: its utterances and its rates.

    The main rate has its interval, numerator and denominator. A rate that no group has is left out.
    """
    scores = [score for score, _ in groups.values()]
    values = {rate.name for _, rates in groups.values() for rate in rates if rate.value is not None}
    main = scores[0].main
    others = [name for name in scores[0].rates if name in values and name != main]
    rows = [["", "utterances", main, "", "", *others]]
    for name, (score, estimates) in groups.items():
        rates = {rate.name: rate for rate in estimates}
        rows.append(
            [
                f"{by} {name}",
                f"{len(score):,}",
                _share(rates[main]),
                _interval(rates[main]),
                f"{rates[main].numerator:,} / {rates[main].denominator:,}",
                *(_share(rates[other]) for other in others),
            ]
        )
    yield from aligned(rows)
    few = [f"{by} {name}" for name, (score, _) in groups.items() if len(score) < FEW]
    if few:
        yield f"Too few utterances to judge (fewer than {FEW}): {', '.join(few)}"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows of a table under each other; columns in which nothing stands are left out."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    shown = [at for at, width in enumerate(widths) if width]
    for row in rows:
        first, *rest = (
            row[at].rjust(widths[at]) if at else row[at].ljust(widths[at]) for at in shown
        )
        yield "  ".join((first, *rest)).rstrip()


def _share(rate: Estimate) -> str:
    return "-" if rate.value is None else f"{100 * rate.value:.2f} %"


def _interval(rate: Estimate) -> str:
    if rate.low is None or rate.high is None:
        return ""
    return f"[{100 * rate.low:.2f}, {100 * rate.high:.2f}]"
