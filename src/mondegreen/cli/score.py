"""``mondegreen score``: one command a metric."""

from __future__ import annotations

import click

from mondegreen.cli.score_correctness import correctness
from mondegreen.cli.score_fluency import fluency
from mondegreen.cli.score_phonemes import phonemes
from mondegreen.cli.score_words import words


@click.group()
def command() -> None:
    """Measure what systems give back, with intervals."""


command.add_command(words)
command.add_command(fluency)
command.add_command(phonemes)
command.add_command(correctness)
