"""A score in a notebook: its rates with intervals, and the worst utterances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from mondegreen.metrics.estimate import Estimate

if TYPE_CHECKING:
    from mondegreen.metrics.score import Score

_WORST = 5
_MANY = 100_000  # utterances, above which a notebook does not wait for a bootstrap
_COLOURS = {"substitution": "#b45309", "deletion": "#b91c1c", "insertion": "#0e7490"}


def rates_line(score: Score) -> str:
    """Return the rates that have a denominator, in one line.

    >>> from mondegreen.score import words
    >>> rates_line(words(["play some jazz"], ["play jaws"]))
    'wer 66.67 %, mer 66.67 %, wil 83.33 %, cer 50.00 %, ser 100.00 %'
    """
    values = {name: score[name].value for name in score.rates}
    return ", ".join(
        f"{name} {100 * value:.2f} %" for name, value in values.items() if value is not None
    )


def score_html(score: Score) -> str:
    """Return a table of the rates and the worst utterances, as HTML."""
    rows = [_rate(rate) for rate in score.estimates(bootstrap=len(score) <= _MANY)]
    head = f"<b>{escape(score.metric.name)}</b>, {len(score):,} utterances"
    return (
        f"<div><p>{head}<br><small><code>{escape(score.signature)}</code></small></p>"
        f"{_table(('rate', 'value', '95 % interval', 'counts'), rows)}{_worst(score)}</div>"
    )


def _rate(rate: Estimate) -> tuple[str, ...]:
    if rate.value is None:
        return rate.name, "", "", "denominator is 0"
    bounds = rate.low is not None and rate.high is not None
    interval = f"{100 * (rate.low or 0):.2f} to {100 * (rate.high or 0):.2f}" if bounds else ""
    counts = f"{rate.numerator:,} / {rate.denominator:,}"
    return rate.name, f"{100 * rate.value:.2f} %", interval, counts


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{_cells('th', names)}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, texts: Iterable[str]) -> str:
    return "".join(f"<{tag} style='text-align:left'>{escape(text)}</{tag}>" for text in texts)


def _worst(score: Score) -> str:
    """Return the utterances with the most errors, aligned where the score knows how."""
    if not hasattr(score.detail, "alignment"):
        return ""
    alignment = score.detail.alignment
    errors = alignment.counts[:, 1:4].sum(axis=1)
    worst = [place for place in (-errors).argsort(kind="stable").tolist() if errors[place]][:_WORST]
    lines = [
        f"<p><small>{escape(score.ids[place])}</small><br>{_marked(score, place)}</p>"
        for place in worst
    ]
    return f"<p>Most errors:</p>{''.join(lines)}" if lines else ""


def _marked(score: Score, place: int) -> str:
    words = []
    for kind, ref, hyp, _, _ in score.alignments[place]:
        if kind == "match":
            words.append(escape(str(ref)))
            continue
        gone = f"<del>{escape(ref)}</del>" if ref is not None else ""
        new = f"<ins>{escape(hyp)}</ins>" if hyp is not None else ""
        both = " ".join(filter(None, (gone, new)))
        words.append(f"<span style='color:{_COLOURS[kind]}' title='{kind}'>{both}</span>")
    return " ".join(words)
