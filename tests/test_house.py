"""The structure of the code base: packages in layers, and names that belong to one package."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

import record_bytes
from mondegreen import score
from mondegreen.data import FORMATS
from mondegreen.metrics import METRICS
from mondegreen.metrics.statistics.comparison import ALPHA

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "mondegreen"
PACKAGES = (
    "errors", "lazily", "limits", "notebook", "plugins", "text", "types", "kernel", "values",
    "draw", "edits", "engines", "data", "align", "resources", "language", "operators",
    "perturbation", "provenance", "variants", "metrics", "arrow", "models", "audio", "suites",
    "runs", "conversations", "report", "viewer", "survey", "testing", "compat", "score", "tracking",
    "pytest_plugin", "cli", "__main__",
)  # fmt: skip
"""Packages and top-level modules from the bottom layer up: each imports only those before it."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the package and the syntax tree of each module."""
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts != ("__init__",):
            yield parts[0], ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the packages that a module imports, except under ``TYPE_CHECKING``."""
    for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "mondegreen":
            yield from (alias.name for alias in node.names if alias.name != "__version__")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mondegreen."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            names = (alias.name for alias in node.names)
            yield from (name.split(".")[1] for name in names if name.startswith("mondegreen."))


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for package, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and package != "compat":
                places.setdefault(node.name, []).append(package)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_every_package_is_listed() -> None:
    assert {package for package, _ in modules()} == set(PACKAGES)


def test_no_package_imports_from_a_higher_layer() -> None:
    upwards = {
        f"{package} imports {other}"
        for package, tree in modules()
        for other in imported(tree)
        if other != package and PACKAGES.index(other) > PACKAGES.index(package)
    }
    assert not upwards


def test_the_design_page_draws_all_imports() -> None:
    page = (ROOT / "docs" / "design" / "0020-rooms.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^\s+(\w+) --> (\w+)$", page, re.MULTILINE))
    edges = {
        (package, other)
        for package, tree in modules()
        for other in imported(tree)
        if other not in (package, "errors", "types", "lazily")
        and package not in ("__main__", "score")
    }
    assert drawn == edges, sorted(edges ^ drawn)


def strings(node: ast.AST) -> set[str]:
    """Return the strings of a tuple, list or set; an empty set for any other node."""
    if not isinstance(node, ast.Tuple | ast.List | ast.Set):
        return set()
    values = (item.value for item in node.elts if isinstance(item, ast.Constant))
    return {value for value in values if isinstance(value, str)}


def compared(node: ast.AST) -> set[str]:
    """Return the strings in a comparison; an empty set for any other node."""
    if not isinstance(node, ast.Compare):
        return set()
    sides = [node.left, *node.comparators]
    plain = (side.value for side in sides if isinstance(side, ast.Constant))
    found = {value for value in plain if isinstance(value, str)}
    return found.union(*map(strings, sides))


@pytest.mark.parametrize(
    ("owner", "names"), [("metrics", set(METRICS.own)), ("data", set(FORMATS.own))]
)
def test_metrics_and_formats_are_named_only_in_their_package(owner: str, names: set[str]) -> None:
    named = [
        f"{package}: {ast.unparse(node)}"
        for package, tree in modules()
        for node in ast.walk(tree)
        if package != owner and (compared(node) & names or len(strings(node) & names) > 1)
    ]
    known = {
        "language: distance == 'phonemes'",  # a distance, not the metric
        f"score: {score.__all__}",  # the public functions
        "language: library != 'spacy'",  # the tagger, not the format
        "viewer: ('csv', 'json')",  # what the viewer answers with, not formats of data
        "data: 'values' in columns",  # a column, not the metric
        "suites: 'values' in record",
    }
    assert set(named) <= known


def constants(registry: Mapping[str, str]) -> dict[str, str]:
    """Return the constants of a registry, each with the module that it is in."""
    places = (place.partition(":") for place in registry.values())
    return {name: module for module, _, name in places}


def of_constants(node: ast.Compare, names: Collection[str]) -> bool:
    """Return whether a comparison is with one of some constants, or with the name of one."""
    sides = [node.left, *node.comparators]
    inner = [one for side in sides for one in getattr(side, "elts", [side])]
    plain = [
        one.value if isinstance(one, ast.Attribute) and one.attr == "name" else one for one in inner
    ]
    return any(isinstance(one, ast.Name) and one.id in names for one in plain)


def test_26_7_no_format_or_metric_is_compared_outside_its_own_file() -> None:
    formats = {name.upper(): "" for name in FORMATS.own}
    known = formats | constants(METRICS.own)
    homes = (
        "mondegreen.data.formats",
        "mondegreen.data.answers.cases",
        *filter(None, known.values()),
    )
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(homes)
            for alias in node.names
            if alias.name in known
        }
        found += [
            f"{path.relative_to(SOURCE)}: {ast.unparse(node)}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Compare) and of_constants(node, imported)
        ]
    assert not found


def test_the_level_of_significance_is_in_one_place() -> None:
    """No 0.05 outside the comparison, in all that counts, compares and shows; docstrings may."""
    rooms = ("metrics", "runs", "report", "viewer", "cli")
    level = str(ALPHA)
    home = SOURCE / "metrics" / "statistics" / "comparison.py"
    found = [
        f"{path.relative_to(SOURCE)}: {line}"
        for room in rooms
        for pattern in ("*.py", "*.html", "*.js")
        for path in (SOURCE / room).rglob(pattern)
        if path != home
        for line in path.read_text(encoding="utf-8").splitlines()
        if level in line and line.strip() != level  # what an example of a docstring prints
    ]
    assert not found


def test_templates_name_no_metric() -> None:
    for path in SOURCE.rglob("*.html"):
        assert not re.search(r"metric\s*[!=]=", path.read_text(encoding="utf-8")), path


@pytest.mark.timeout(600)
def test_the_same_seeds_give_the_same_bytes() -> None:
    expected = json.loads((ROOT / "tests" / "bytes.json").read_text(encoding="utf-8"))
    assert dict(record_bytes.record()) == expected
