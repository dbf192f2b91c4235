"""Plugins: the example package is installed and used as any other part of the toolkit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mondegreen.errors import OperatorError, PluginError
from mondegreen.operators import parse, signature
from mondegreen.operators.registry import operator
from mondegreen.plugins import Registry, load_python

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "plugin"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the example plugin is installed into."""
    target = tmp_path_factory.mktemp("plugin")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(target), str(EXAMPLE)], check=True)
    return target


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )


def mondegreen(installed: Path, folder: Path, *arguments: str) -> str:
    done = run(installed, folder, "-m", "mondegreen", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_operators_are_listed_with_their_origin(installed: Path, tmp_path: Path) -> None:
    listed = mondegreen(installed, tmp_path, "operators")
    assert "shout" in listed
    assert "(from mondegreen-shout 0.1.0)" in listed
    (record,) = json.loads(mondegreen(installed, tmp_path, "operators", "shout", "--json"))
    assert record["origin"] == "mondegreen-shout 0.1.0"
    assert record["example"][1].lower() == record["example"][0]


@pytest.mark.parametrize("name", ["shout", "python:mondegreen_shout.operator:Shout(mark='!')"])
def test_what_a_plugin_makes_is_verified(installed: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text("play some jazz\nstop it now\n")
    mondegreen(installed, tmp_path, "perturb", "a.txt", "-o", "b.txt", "--op", name, "-q")
    assert (tmp_path / "b.txt").read_text().lower() != (tmp_path / "b.txt").read_text()
    trust = ["--trust"] if name.startswith("python:") else []
    checks = mondegreen(installed, tmp_path, "verify", "b.txt", *trust)
    assert "made again from the source: the same, byte for byte" in checks
    assert name.split("(", maxsplit=1)[0] in checks.splitlines()[0]


def test_its_suite_format_model_and_metric_work(installed: Path, tmp_path: Path) -> None:
    lines = [{"text": "play some jazz", "label": "play"}, {"text": "stop it", "label": "stop"}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    call = (installed, tmp_path)
    mondegreen(*call, "suite", "a.jsonl", "-o", "s", "--op", "shout", "--random", "1", "-q")
    assert "FAIL" not in mondegreen(*call, "verify", "s")
    found = json.loads(
        mondegreen(*call, "evaluate", "s", "--model", "parrot:", "-o", "a.run", "--json")
    )
    assert found["sets"]["original"]["scores"]["intent_accuracy"]["value"] == 1
    assert found["sets"]["shout"]["scores"]["intent_accuracy"]["value"] < 1
    mondegreen(*call, "perturb", "a.jsonl", "-o", "b.semi", "--op", "typo", "-q")
    assert (tmp_path / "b.semi").read_text().startswith("1/typo/0;")
    (tmp_path / "c.semi").write_text("1/typo/0;play jazz\n2/typo/0;stop it\n")
    arguments = ["score", "length", "--ref", "b.semi", "--hyp", "c.semi"]
    score = json.loads(mondegreen(*call, *arguments, "--json", "--items", "items.jsonl"))
    assert score["metric"] == "length"
    assert score["scores"]["length_error_rate"]["numerator"] == 1
    assert "length" in mondegreen(*call, "score", "--help")
    mondegreen(*call, "report", "items.jsonl", "-o", "r.html")
    assert "length error rate" in (tmp_path / "r.html").read_text()


def test_a_metric_and_a_format_are_found_by_their_place(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("play some jazz\nstop it now\n")
    call = (installed, tmp_path)
    format = "python:mondegreen_shout.format:SEMICOLONS"
    made = ["perturb", "a.txt", "-o", "b.list", "--op", "typo", "--to", format, "-q"]
    mondegreen(*call, *made)
    assert (tmp_path / "b.list").read_text().startswith("1/typo/0;")
    assert "the same, byte for byte" in mondegreen(*call, "verify", "b.list", "--trust")
    metric = "python:mondegreen_shout.metric:LENGTH"
    sides = ["--ref", "a.txt", "--hyp", "a.txt", "--items", "items.jsonl"]
    mondegreen(*call, "score", metric, *sides)
    done = run(*call, "-m", "mondegreen", "report", "items.jsonl", "-o", "r.html")
    assert done.returncode == 1
    assert "items.jsonl: python:mondegreen_shout.metric:LENGTH is code" in done.stderr


def test_its_own_tests_pass(installed: Path, tmp_path: Path) -> None:
    tests = str(EXAMPLE / "tests")
    done = run(installed, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests)
    assert done.returncode == 0, done.stdout
    assert "16 passed" in done.stdout


def test_what_is_no_plugin_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mg_broken.py").write_text("import nothing_at_all\n")
    (tmp_path / "mg_other.py").write_text("class Other:\n    pass\n")
    cases = {
        "python:mg_broken:X": "cannot be imported: ModuleNotFoundError: No module named 'nothing_a",
        "python:mg_other:Missing": "mg_other has no 'Missing'",
        "python:mg_other:Other": "not an operator; write a frozen dataclass",
        "python:mg_other": "names no operator",
        "fillerz": "Did you mean 'fillers'",
    }
    for name, message in cases.items():
        with pytest.raises(OperatorError, match=message):
            operator(name)


def test_an_entry_point_that_cannot_be_loaded_names_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from importlib.metadata import EntryPoint

    entry = EntryPoint("broken", "nothing_at_all:X", "mondegreen.operators")
    monkeypatch.setattr("mondegreen.plugins.entry_points_of", lambda _: {"broken": entry})
    registry: Registry[object] = Registry("operator", "mondegreen.operators", {})
    assert list(registry) == ["broken"]
    with pytest.raises(PluginError, match="the operator 'broken' of the package nothing_at_all:X"):
        registry.named("broken")


def test_a_version_is_part_of_the_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    from mondegreen.operators.fillers import Fillers

    monkeypatch.setattr(Fillers, "version", 1)
    assert signature(Fillers()) == "fillers"
    monkeypatch.setattr(Fillers, "version", 3)
    assert signature(Fillers(language="de")) == "fillers@3(language='de')"
    assert parse("fillers@3(language='de')") == Fillers(language="de")
    with pytest.raises(OperatorError, match="needs version 1 of this operator"):
        parse("fillers@1")


def test_a_value_is_loaded_by_its_place() -> None:
    assert load_python("json:dumps", "function") is json.dumps
