"""``python -m mondegreen``."""

from mondegreen.cli.main import run

run()
