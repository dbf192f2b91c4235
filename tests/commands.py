"""Helpers for tests of the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mondegreen.cli.main import main

COMMAND = [sys.executable, "-m", "mondegreen"]


def files(folder: Path) -> set[str]:
    """Return the names of the files in a folder."""
    return {path.name for path in folder.iterdir()}


def fails(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], code: int = 1
) -> None:
    """Check that a command fails with a message in one line."""
    assert main(arguments) == code
    printed = capsys.readouterr().err
    assert message in printed, printed
    assert "Traceback" not in printed
    if code == 1:
        assert printed.startswith("mondegreen: ")
        assert printed.count("\n") == 1
