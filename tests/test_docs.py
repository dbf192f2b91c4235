"""The documentation runs: commands, examples, help texts; every operator and command has a page."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from build_docs import ROOT, pages, rendered
from mondegreen import score
from mondegreen.cli.main import COMMANDS
from mondegreen.operators import OPERATORS


@pytest.mark.parametrize("page", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_page_is_up_to_date(page: Path) -> None:
    assert rendered(page) == page.read_text(encoding="utf-8"), "run: make docs"


@pytest.mark.parametrize("page", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_its_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "<!-- api -->" in page.read_text(encoding="utf-8"):
        pytest.skip("its examples are those of docstrings, which are run where they are written")
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testfile(str(page), module_relative=False, verbose=False)
    assert failed == 0


@pytest.mark.parametrize("page", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_its_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_has_a_page(name: str) -> None:
    text = (ROOT / "docs" / "operators" / f"{name}.md").read_text(encoding="utf-8")
    assert f"<!-- examples {name}" in text
    for part in ("What it imitates", "Source", "Parameters", "Limits"):
        assert f"## {part}" in text


@pytest.mark.parametrize("name", score.__all__)
def test_every_metric_has_a_page(name: str) -> None:
    text = (ROOT / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
    assert f"$ mondegreen score {name}" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert f"<!-- help {name}" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_headline_follows_from_the_tables() -> None:
    means = (ROOT / "docs" / "results" / "nature.md").read_text(encoding="utf-8")
    block = means.partition("<!-- means -->")[2].partition("<!-- end -->")[0]
    drops: dict[str, list[tuple[float, float]]] = {}
    for line in block.strip().splitlines():
        model, group, *cells = (cell.strip(" `") for cell in line.strip("|").split("|"))
        if model in {"joint-bert", "stack-prop", "bi-rnn"}:
            first, rand, hard = map(float, cells[:3])
            drops.setdefault(group, []).append((first - rand, first - hard))
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    found = re.search(
        r"costs neural models (\d+) to (\d+) points .*? worst of ten (\d+) to (\d+)\. "
        r".*? cost (\d+) to (\d+) and (\d+) to (\d+); "
        r"the paper found (\d+) to (\d+) and (\d+) to (\d+)",
        readme,
    )
    assert found
    stated = [int(number) for number in found.groups()]
    ours = [
        limit([pair[kind] for pair in drops[group]])
        for group in ("nature", "nature.paper", "the paper")
        for kind in (0, 1)
        for limit in (min, max)
    ]
    assert stated == pytest.approx(ours, abs=0.51)
