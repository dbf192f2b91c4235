"""Conversations of a run: their transcripts, and what went wrong how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from mondegreen.metrics.conversations.judging import CAUSES
from mondegreen.metrics.conversations.metric import Kept, conversation_in
from mondegreen.metrics.statistics.comparison import Difference
from mondegreen.metrics.statistics.paired import compare_scores
from mondegreen.metrics.statistics.repeats import with_repeats
from mondegreen.runs.reading import Run
from mondegreen.runs.selection import Filter


def conversations_of(run: Run, set: str | None = None) -> Iterator[tuple[str, Kept]]:
    """Yield the conversations of a run, or of one of its sets, with the names of their sets."""
    names = {one.number: one.name for one in run.sets}
    for item in run.items(Filter(set=set)):
        kept = conversation_in(item.utterance)
        if kept is not None:
            yield names[item.set_number], kept


def transcripts_of(run: Run) -> Iterator[dict[str, Any]]:
    """Yield the transcripts of a run as records, with their sets and what went wrong."""
    for name, kept in conversations_of(run):
        record: dict[str, Any] = msgspec.to_builtins(kept.transcript)
        yield {"set": name, **record, "causes": list(kept.causes)}


def causes_of(run: Run, set: str) -> dict[str, int]:
    """Return in how many conversations of a set each mistake was made, the most telling first."""
    found = Counter(cause for _, kept in conversations_of(run, set) for cause in kept.causes)
    return {cause: found[cause] for cause in CAUSES if found[cause]}


def paired_with(run: Run, first: str, second: str) -> dict[str, Difference]:
    """Return how much each rate of one caller differs from that of another, case by case.

    Rates that one of them does not have, and those of repeats, are left out.
    """
    both = [with_repeats(run.score(name), run.repeat) for name in (first, second)]
    found = compare_scores(*both).rates
    return {name: rate for name, rate in found.items() if rate.interval is not None}
