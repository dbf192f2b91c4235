"""CONTRIBUTING's recipes work to the letter: they are applied to a copy of the package, and run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import mondegreen
from mondegreen.kernel import compiled

PACKAGE = Path(mondegreen.__file__).resolve().parent
ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^( *)```python\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def steps(heading: str) -> Iterator[str]:
    """Yield the numbered steps of a recipe, without what belongs to plugins."""
    section = PAGE.split(f"{heading}\n", 1)[1]
    section = re.split(r"^(?:#|\*\*As a plugin)", section, maxsplit=1, flags=re.MULTILINE)[0]
    yield from re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]


def blocks(step: str) -> list[str]:
    """Return the Python blocks of a step."""
    return [textwrap.dedent(text) for _, text in _BLOCK.findall(step)]


def follow(heading: str, tree: Path) -> None:
    """Do what the steps of a recipe say, in a copy of the project."""
    module = ""
    for step in steps(heading):
        found = blocks(step)
        created = re.match(r"Create `([\w/]+\.py)`", step)
        if created and found:
            target = tree / created[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(found[0], encoding="utf-8")
            module = created[1].removeprefix("src/").removesuffix(".py").replace("/", ".")
        for table, file in re.findall(r"dd a line to `(\w+)` in `([\w/.]+)`", step):
            if found:
                add_line(tree / file, table, found[0])
        listed = re.search(r"In `([\w/.]+)`, import `(\w+)` and add it to `(\w+)`", step)
        if listed:
            file, name, table = listed.groups()
            text = (tree / file).read_text(encoding="utf-8")
            text = text.replace(f"{table} = (\n", f"{table} = (\n    {name},\n", 1)
            text = text.replace(
                "\nfrom mondegreen", f"\nfrom {module} import {name}\nfrom mondegreen", 1
            )
            (tree / file).write_text(text, encoding="utf-8")
        factory = re.search(r"In `([\w/.]+)`, add .*a line to `(\w+)` and a factory", step)
        if factory:
            add_line(tree / factory[1], factory[2], found[0])
            with (tree / factory[1]).open("a", encoding="utf-8") as out:
                out.write("\n\n" + found[1])


def add_line(path: Path, table: str, line: str) -> None:
    """Add a line to the dictionary of a table in a file."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(at for at, one in enumerate(lines) if one.startswith(table))
    opened = next(at for at in range(start, len(lines)) if lines[at].rstrip().endswith("{"))
    lines.insert(opened + 1, line)
    path.write_text("".join(lines), encoding="utf-8")


START = """
import runpy, sys
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in type(one).__module__]
sys.path[:0] = ["src", "."]
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""Runs a module on the copy, although an editable installation leads to the original."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a copy of the package whose large data files are links."""
    copy = tmp_path / "src" / "mondegreen"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "resources"))
    (copy / "resources").symlink_to(PACKAGE / "resources", target_is_directory=True)
    if compiled is not None:
        shutil.copy(str(compiled.__file__), copy / "kernel")
    return tmp_path


def run(tree: Path, module: str, *arguments: str) -> str:
    """Run a module of Python on the copy; return what it printed."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", START, module, *arguments], cwd=tree, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def laws(tree: Path, test: str) -> None:
    """Run the tests in a file."""
    settings = ("-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".")
    assert "passed" in run(tree, "pytest", "-q", *settings, test)


def lint(*paths: Path) -> None:
    """Check files by the rules of the project."""
    command = [sys.executable, "-m", "ruff", "check", "--quiet", "--config"]
    done = subprocess.run(
        [*command, str(ROOT / "pyproject.toml"), *map(str, paths)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.timeout(400)
def test_add_an_operator(tree: Path) -> None:
    follow("## Add an operator", tree)
    (tree / "said.txt").write_text("play some jazz\n")
    heard = run(tree, "mondegreen", "perturb", "said.txt", "--op", "prolongations", "-q")
    assert re.fullmatch(r"(?=.*(\w)\1\1).*\n", heard)
    (tree / "test_it.py").write_text(
        "from mondegreen.testing import operator_laws\n\n"
        'TestProlongations = operator_laws("prolongations(length=4)")\n'
    )
    laws(tree, "test_it.py")
    lint(tree / "src/mondegreen/operators/prolongations.py")


@pytest.mark.timeout(400)
def test_add_a_metric(tree: Path) -> None:
    follow("## Add a metric", tree)
    (tree / "ref.txt").write_text("play some jazz\n")
    (tree / "hyp.txt").write_text("play jazz\n")
    command = ("score", "wordcount", "--ref", "ref.txt", "--hyp", "hyp.txt")
    assert "33.33 %" in run(tree, "mondegreen", *command)
    laws(tree, "tests/test_wordcount.py")
    lint(tree / "src/mondegreen/metrics/wordcount.py")


@pytest.mark.timeout(400)
def test_add_a_format(tree: Path) -> None:
    follow("## Add a format", tree)
    (tree / "said.psv").write_text("u1|play some jazz\n")
    written = run(tree, "mondegreen", "perturb", "said.psv", "--op", "typo", "-q", "-o", "out.psv")
    assert not written
    assert (tree / "out.psv").read_text().startswith("u1/typo/0|")
    (tree / "test_it.py").write_text(
        "from mondegreen.data.formats.pipes import PIPES\n"
        "from mondegreen.testing import format_laws\n\nTestPipes = format_laws(PIPES)\n"
    )
    laws(tree, "test_it.py")
    lint(tree / "src/mondegreen/data/formats/pipes.py")


@pytest.mark.timeout(400)
def test_add_models(tree: Path) -> None:
    follow("### A model that `mondegreen train` can train", tree)
    follow("### A new way to reach models", tree)
    rows = ('{"text": "play jazz", "label": "play"}\n{"text": "stop", "label": "stop"}\n') * 2
    (tree / "data.jsonl").write_text(rows + '{"text": "play rock", "label": "play"}\n')
    run(tree, "mondegreen", "train", "majority", "data.jsonl", "-o", "model", "-q")
    suite = ("suite", "data.jsonl", "-o", "suite", "--op", "typo", "--random", "0", "-q")
    run(tree, "mondegreen", *suite)
    for number, model in enumerate(("model", "constant:play")):
        command = ("evaluate", "suite", "--model", model, "-o", f"{number}.run", "--json", "-q")
        assert '"intent_accuracy"' in run(tree, "mondegreen", *command)
    lint(tree / "src/mondegreen/models/majority.py", tree / "src/mondegreen/models/constant.py")
