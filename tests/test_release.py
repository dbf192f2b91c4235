"""What a release needs: files that can be read, one version, workflows for every Python."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import mondegreen

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = [*sorted((ROOT / ".github").rglob("*.yml")), ROOT / ".pre-commit-config.yaml"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_workflows_and_templates_are_yaml(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)


def test_there_is_one_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    found = {PROJECT["project"]["version"], mondegreen.__version__, str(citation["version"])}
    assert len(found) == 1


def test_the_workflow_tests_every_python_that_is_promised() -> None:
    promised = {
        found[1]
        for line in PROJECT["project"]["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))
    }
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    assert set(workflow["jobs"]["test"]["strategy"]["matrix"]["python"]) == promised
    wheels = PROJECT["tool"]["cibuildwheel"]["build"]
    assert {f"3.{minor}" for minor in re.findall(r"cp3(\d+)-", wheels)} == promised


def test_every_step_of_a_workflow_runs_or_uses_something() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert set(workflow["jobs"])
        for job in workflow["jobs"].values():
            assert job["runs-on"]
            assert all(("run" in step) != ("uses" in step) for step in job["steps"])


def test_the_menu_of_the_site_names_pages_that_exist() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^\s+- (?:[\w ]+: )?([\w./-]+(?:\.md|/))$", text, re.MULTILINE)
    generated = {"contributing.md", "changelog.md", "benchmarks.md"}
    assert len(listed) > 20
    assert [
        name for name in listed if name not in generated and not (ROOT / "docs" / name).exists()
    ] == []


def test_the_readme_names_every_extra() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"`(\w+)`", text[text.index("Optional extras") :])
    assert set(PROJECT["project"]["optional-dependencies"]) <= set(listed)


def test_the_page_of_deprecations_lists_every_parameter_that_warns() -> None:
    page = (ROOT / "docs" / "deprecations.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `mg\.(?:score\.)?(\w+)` \| `(\w+)` \| `(\w+)`", page, re.MULTILINE)
    warn = []
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for call in node.decorator_list:
                    if isinstance(call, ast.Call) and ast.unparse(call.func) == "renamed":
                        pairs = ((one.arg, ast.literal_eval(one.value)) for one in call.keywords)
                        warn += [(node.name, *pair) for pair in pairs]
    assert sorted(listed) == sorted(warn)


def test_a_wheel_is_built_for_the_stable_abi_and_one_for_the_first_python() -> None:
    first, *_ = re.findall(r"cp3\d+", PROJECT["tool"]["cibuildwheel"]["build"])
    assert (first, PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]) == ("cp311", "cp312")
