"""docs/sources.md: every feature of the five sources has a state, and a test that exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "sources.md"
STATES = ("same", "different", "better")
_ROW = re.compile(
    r"^\| (\d+) \| (.+) \| (\w+) \| (.+) \| \[(test_\w+)\]\(\.\./tests/(\w+\.py)\) \|$"
)


class Row(NamedTuple):
    """A feature of a source, its state, what is here, and the test that shows it."""

    number: int
    feature: str
    state: str
    here: str
    test: str
    file: str


def rows() -> list[Row]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if re.match(r"\| \d", line)]
    found = [_ROW.match(line) for line in listed]
    assert all(found), [line for line, match in zip(listed, found, strict=True) if not match]
    return [Row(int(m[1]), *m.groups()[1:]) for m in found if m]


@cache
def functions_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"row {row.number}")
def test_every_row_has_a_state_and_a_test_that_exists(row: Row) -> None:
    assert row.state in STATES
    assert row.here.strip()
    assert (ROOT / "tests" / row.file).is_file()
    assert row.test in functions_in(row.file)


def test_all_five_sources_are_listed_and_counted() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(re.findall(r"^## ", text, re.MULTILINE)) == 5
    found = rows()
    assert [row.number for row in found] == list(range(1, len(found) + 1))
    assert len(found) >= 142
    count = Counter(row.state for row in found)
    assert (
        f"{len(found)} rows: {count['same']} same, {count['different']} different for a reason, "
        f"{count['better']} better."
    ) in text
