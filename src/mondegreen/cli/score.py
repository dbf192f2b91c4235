"""``mondegreen score``: one command a metric."""

from __future__ import annotations

import click

from mondegreen.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    prefix="mondegreen.cli.score_",
    summaries={
        "words": "Word error rate and its kin.",
        "fluency": "Fluent and disfluent error rate.",
        "phonemes": "Phoneme and feature error rate.",
        "correctness": "Predictions of right and wrong.",
        "slu": "Slots, intents and whole frames.",
    },
)
def command() -> None:
    """Measure what systems give back, with intervals."""
