"""Values in notebooks: scores, variants, runs and comparisons, drawn by the code of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from typing import Any

from markupsafe import Markup

from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.statistics.comparison import Comparison
from mondegreen.report.compare import Compared
from mondegreen.report.content import Causes, ListLine, Measured, Overview
from mondegreen.report.marked import MarkedLine, aligned_words, edited_words, frame_chips
from mondegreen.report.naming import sentence_of
from mondegreen.report.opening import open_source
from mondegreen.report.pages import STYLE, Links, environment
from mondegreen.runs.reading import Run
from mondegreen.types import Variant

_WORST = 5
_MANY = 100_000  # utterances, above which a notebook does not wait for intervals
_MOST = 20_000  # variants of a run whose slices are found for a notebook


def html(value: Any) -> str:
    """Return a score, a variant, a run or a comparison as HTML.

    >>> from mondegreen.score import words
    >>> "WER 50.0 %" in html(words(["play jazz"], ["play jaws"]))
    True
    """
    name, content = next(
        (name, make(value)) for kind, (name, make) in _MAKERS.items() if isinstance(value, kind)
    )
    template = environment().get_template("notebook.html")
    return template.render(show=name, links=Links(), style=_style(), **content)


@cache
def _style() -> Markup:
    """Return the style sheet, so that it changes nothing outside of the value."""
    text = STYLE.read_text(encoding="utf-8")
    nested = (
        text.replace(":root {", "& {").replace("\nbody {", "\n& {").replace("  body {", "  & {")
    )
    return Markup(f".mondegreen {{ {nested} }}")  # noqa: S704 (a file of this package)


def marked_variant(variant: Variant) -> MarkedLine:
    """Return a variant with its edits and slots."""
    source, made = variant.parent, variant.utterance
    before = [source.tokens[edit.start : edit.end] for edit in variant.edits]
    frame = made.label, made.slots
    chips = frame_chips(made.tokens, frame, frame)
    return MarkedLine(tuple(edited_words(made.tokens, variant.edits, before)), tuple(chips))


def _variant(variant: Variant) -> dict[str, Any]:
    kinds = dict.fromkeys(f"{edit.operator}: {edit.kind}" for edit in variant.edits)
    return {"marked": marked_variant(variant), "note": ", ".join(kinds) or "unchanged"}


def _score(score: Score) -> dict[str, Any]:
    rates = tuple(score.estimates(intervals=len(score) <= _MANY))
    found = Overview(
        title=score.metric.name,
        sentence=sentence_of(score, rates),
        signature=score.signature,
        n=len(score),
        sets=tuple(Measured(rate.name, len(score), (rate,)) for rate in rates),
        higher_is_better=True,
        main=score.main,
    )
    return {"found": found, "rates": rates, "worst": list(_worst(score))}


def _worst(score: Score) -> Iterator[ListLine]:
    """Yield the utterances with the most errors, if the score knows how they are aligned."""
    if not score.is_aligned:
        return
    errors = score.detail.alignment.counts[:, 1:4].sum(axis=1)
    for place in (-errors).argsort(kind="stable").tolist()[:_WORST]:
        if errors[place]:
            marked = MarkedLine(tuple(aligned_words(score.alignments[place])))
            yield ListLine("", score.ids[place], marked)


def _run(run: Run) -> dict[str, Any]:
    with closing(open_source(run.path)) as source:
        few = source.finished and sum(one.done for one in run.sets) <= _MOST
        causes = source.causes() if few else Causes((), "")
        return {"found": source.overview(), "causes": causes}


def _comparison(found: Comparison) -> dict[str, Any]:
    return {"found": Compared(found)}


_MAKERS: dict[type, tuple[str, Callable[[Any], dict[str, Any]]]] = {
    Variant: ("variant", _variant),
    Score: ("score", _score),
    Run: ("run", _run),
    Comparison: ("comparison", _comparison),
}
