"""``mondegreen score``: one command per metric."""

from mondegreen.cli.score.command import command as command
