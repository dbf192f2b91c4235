"""The demo: its data, its output, and its folder."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.cli.demo import new_folder
from mondegreen.cli.main import main
from mondegreen.cli.parts.flips import flips
from mondegreen.data import read
from mondegreen.data.sample import requests, sample
from mondegreen.data.templates import Templates
from mondegreen.draw import Draw
from mondegreen.errors import DataError
from mondegreen.language.detection import plain_language
from mondegreen.operators import GROUPS
from mondegreen.perturbation.suite_recipe import HARD, ORIGINAL, RANDOM
from mondegreen.runs.reading import open_run
from mondegreen.runs.results import table
from mondegreen.types import Utterance

GRAMMAR = """
# a comment
slot city
  oslo, new york, rome,
  athens

intent fly
  book a (cheap|early|) flight from {from_city:city} to {to_city:city}
intent rain
  will it rain in {city}
"""


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates.read(GRAMMAR.splitlines())


@given(site=st.integers(0, 2**32))
def test_a_request_is_a_template_with_values_in_its_slots(templates: Templates, site: int) -> None:
    utterance = templates.draw("u1", "fly", Draw(7, site))
    pattern = (
        r"book (an early|a cheap|a) flight from (oslo|new york|rome|athens) "
        r"to (oslo|new york|rome|athens)"
    )
    found = re.fullmatch(pattern, utterance.text)
    assert found
    assert found[2] != found[3]
    values = [" ".join(utterance.tokens[slot.start : slot.end]) for slot in utterance.slots]
    assert [(slot.label, value) for slot, value in zip(utterance.slots, values, strict=True)] == [
        ("from_city", found[2]),
        ("to_city", found[3]),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["  play {song}"], "line 1: neither"),  # not in a section
        (["slot song", "  halo", "play {song}"], "line 3: neither"),  # not indented
        (["intent play", "  play {song}"], "no list of values for 'song'"),
    ],
)
def test_invalid_templates_raise_an_error(lines: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Templates.read(lines)


def test_too_few_different_requests_raise_an_error(templates: Templates) -> None:
    few = Templates(templates.values, {"rain": templates.intents["rain"]})
    assert len(list(few.draws("all", 4, set()))) == 4
    with pytest.raises(DataError, match="give 4 different requests, not 5"):
        list(few.draws("all", 5, set()))


@pytest.fixture(scope="module")
def parts() -> tuple[list[Utterance], list[Utterance]]:
    return requests()


def test_requests_are_reproducible_and_the_parts_are_disjoint(
    parts: tuple[list[Utterance], list[Utterance]],
) -> None:
    train, test = parts
    assert requests() == parts
    assert requests(train=300)[0] == train[:300]
    texts = [utterance.text for utterance in (*train, *test)]
    assert len(set(texts)) == len(texts) == 2200
    assert all(re.fullmatch(r"[a-z' ]+", text) for text in texts)
    assert min(Counter(utterance.label for utterance in test).values()) > 10


def test_the_test_part_has_unseen_values(
    parts: tuple[list[Utterance], list[Utterance]],
) -> None:
    train, test = (
        {
            (slot.label, utterance.tokens[slot.start : slot.end])
            for utterance in part
            for slot in utterance.slots
        }
        for part in parts
    )
    assert {label for label, _ in test} <= {label for label, _ in train}
    assert 0.05 < len(test - train) / len(test) < 0.5


def test_requests_in_german_are_german_and_their_parts_are_disjoint() -> None:
    train, test = requests(language="de")
    texts = [utterance.text for utterance in (*train, *test)]
    assert len(set(texts)) == len(texts) == 2200
    assert all(re.fullmatch(r"[a-zäöüß' ]+", text) for text in texts)
    assert plain_language(texts) == "de"
    assert len({utterance.label for utterance in test}) == 10
    with pytest.raises(DataError, match="No language of requests named 'fr'"):
        requests(language="fr")


def test_the_demo_speaks_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--language", "de", "-o", str(tmp_path / "demo")]) == 0
    shown = capsys.readouterr().out
    assert "--op repairs" in shown
    assert "--language de" in shown
    with open_run(tmp_path / "demo" / "crf.run") as run:
        rates = {line.name: line for line in table(run)}
    assert len(rates) >= 12
    report = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
    assert "ähm" in report


def test_the_sizes_of_the_sample() -> None:
    assert (len(list(sample("train"))), len(list(sample("test")))) == (425, 182)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the demo in a folder that already contains a mondegreen-demo."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "mondegreen-demo").mkdir()
    (folder / "mondegreen-demo" / "mine.txt").write_text("do not touch")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with (folder / "printed.txt").open("w") as file:
            patch.setattr("sys.stdout", file)
            assert main(["demo", "--seed", "3"]) == 0
    return folder


def test_the_demo_writes_only_to_its_folder(demo: Path) -> None:
    mine = demo / "mondegreen-demo"
    assert [path.name for path in mine.iterdir()] == ["mine.txt"]
    made = {path.name for path in (demo / "mondegreen-demo-2").iterdir()}
    assert made == {"train.jsonl", "test.jsonl", "model", "suite", "crf.run", "report.html"}
    assert list(read(demo / "mondegreen-demo-2" / "test.jsonl")) == requests()[1]
    assert "fillers.eos" in (demo / "mondegreen-demo-2" / "report.html").read_text()


def test_the_demo_prints_the_table_and_the_next_steps(demo: Path) -> None:
    printed = (demo / "printed.txt").read_text()
    for name in ("Orig", "Rand", "Hard", *GROUPS["nature"]):
        assert re.search(rf"^{re.escape(name)} +\d", printed, re.MULTILINE)
    assert printed.count("    expected   ") == printed.count("    predicted  ") == 4
    assert "mondegreen view mondegreen-demo-2/crf.run" in printed
    assert "--model YOUR_MODEL" in printed


def test_the_printed_commands_exist(demo: Path) -> None:
    shown = re.findall(r"^\$ mondegreen (.*)$", (demo / "printed.txt").read_text(), re.MULTILINE)
    assert [shlex.split(line)[0] for line in shown] == ["train", "suite", "evaluate", "report"]
    names = re.findall(r"mondegreen ([a-z]+) ", (demo / "printed.txt").read_text())
    assert all(main([name, "--help"]) == 0 for name in set(names))


def test_the_model_is_good_on_the_original_only(demo: Path) -> None:
    with open_run(demo / "mondegreen-demo-2" / "crf.run") as run:
        rates = {line.kind: line.rates["e2e_accuracy"].value or 0.0 for line in table(run)}
    assert rates[ORIGINAL] > 0.85
    assert rates[RANDOM] < rates[ORIGINAL] - 0.1
    assert rates[HARD] < rates[RANDOM] - 0.3


def test_flips_are_right_in_the_original(demo: Path) -> None:
    with open_run(demo / "mondegreen-demo-2" / "crf.run") as run:
        wrong = {item.parent for item in run.page(limit=200).items if item.wrong}
        found = list(flips(run, "fillers.eos"))
    assert found
    assert not wrong & {flip.source for flip in found}
    assert all(flip.expected != flip.predicted for flip in found)
    assert all("[" in flip.marked for flip in found)


def test_each_demo_has_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [new_folder(tmp_path / "a" / "demo").name for _ in range(3)]
    assert made == ["demo", "demo-2", "demo-3"]
    monkeypatch.chdir(tmp_path)
    assert [new_folder(Path()), new_folder(Path())] == [
        Path("mondegreen-demo"),
        Path("mondegreen-demo-2"),
    ]


def test_an_interrupted_demo_names_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mondegreen.cli.train.train_model", interrupted)
    with pytest.raises(SystemExit) as stop:
        main(["demo", "-o", str(tmp_path / "demo")])
    assert stop.value.code == 130
    assert f"interrupted; finished steps are in {tmp_path / 'demo'}" in capsys.readouterr().err
    assert (tmp_path / "demo" / "test.jsonl").exists()
