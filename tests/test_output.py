"""What --force replaces, and what it never does."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import fails
from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(list(sample())[:12], tmp_path / "test.jsonl")
    return tmp_path / "test.jsonl"


def commands(data: Path, target: Path) -> list[list[str]]:
    """Every command that writes a folder."""
    forced = ["-o", str(target), "--force"]
    return [
        ["suite", str(data), *forced, "--op", "typo", "--random", "0"],
        ["train", "crf", str(data), *forced],
        ["perturb", str(data), *forced, "--op", "typo", "--to", "folder"],
    ]


@pytest.mark.parametrize("number", range(3))
def test_a_folder_of_something_else_stays(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("all of it")
    fails(commands(data, precious)[number], "--force does not remove", capsys)
    assert (precious / "thesis.txt").read_text() == "all of it"


@pytest.mark.parametrize("number", range(3))
def test_a_folder_of_the_same_kind_is_replaced(data: Path, tmp_path: Path, number: int) -> None:
    target = tmp_path / "target"
    target.mkdir()
    for _ in range(2):  # first an empty folder, then its own
        assert main([*commands(data, target)[number], "-q"]) == 0
    assert any(target.iterdir())


@pytest.mark.parametrize("number", range(3))
def test_a_file_is_not_replaced_by_a_folder(
    data: Path, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    before = data.read_bytes()
    assert main(commands(data, data)[number]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err
    assert data.read_bytes() == before


def test_a_suite_never_replaces_its_source(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "suite"
    assert main(["suite", str(data), "-o", str(suite), "--op", "typo", "-q"]) == 0
    again = ["suite", str(suite / "original.jsonl"), "-o", str(suite), "--op", "typo", "--force"]
    fails(again, "contains the source", capsys)
    fails(["suite", str(data), "-o", str(tmp_path), "--force"], "contains the source", capsys)


def test_the_folder_one_stands_in_is_no_target(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "mine.txt").touch()
    monkeypatch.chdir(tmp_path / "here")
    fails(["suite", str(data), "-o", ".", "--force"], "--force does not remove", capsys)
