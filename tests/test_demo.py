"""The demo does the main job on data of ours, and never on top of a user's files."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.cli.demo import fresh
from mondegreen.cli.flips import flips
from mondegreen.cli.main import main
from mondegreen.data import read
from mondegreen.data.sample import requests, sample
from mondegreen.data.templates import Templates
from mondegreen.draw import Draw
from mondegreen.errors import DataError
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
def test_a_drawn_request_is_its_template_with_values_in_the_slots(
    templates: Templates, site: int
) -> None:
    said = templates.draw("u1", "fly", Draw(7, site))
    pattern = (
        r"book (an early|a cheap|a) flight from (oslo|new york|rome|athens) "
        r"to (oslo|new york|rome|athens)"
    )
    found = re.fullmatch(pattern, said.text)
    assert found
    assert found[2] != found[3]
    values = [" ".join(said.tokens[slot.start : slot.end]) for slot in said.slots]
    assert [(slot.label, value) for slot, value in zip(said.slots, values, strict=True)] == [
        ("from_city", found[2]),
        ("to_city", found[3]),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["  play {song}"], "line 1: neither"),  # belongs to nothing
        (["slot song", "  halo", "play {song}"], "line 3: neither"),  # not indented
        (["intent play", "  play {song}"], "no list of values for 'song'"),
    ],
)
def test_a_grammar_that_cannot_be_read_is_told(lines: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Templates.read(lines)


def test_too_few_different_requests_are_told(templates: Templates) -> None:
    few = Templates(templates.values, {"rain": templates.intents["rain"]})
    assert len(list(few.draws("all", 4, set()))) == 4
    with pytest.raises(DataError, match="give 4 different requests, not 5"):
        list(few.draws("all", 5, set()))


@pytest.fixture(scope="module")
def parts() -> tuple[list[Utterance], list[Utterance]]:
    return requests()


def test_requests_are_the_same_ones_each_time_and_none_is_in_both_parts(
    parts: tuple[list[Utterance], list[Utterance]],
) -> None:
    train, test = parts
    assert requests() == parts
    assert requests(train=300)[0] == train[:300]
    texts = [said.text for said in (*train, *test)]
    assert len(set(texts)) == len(texts) == 2200
    assert all(re.fullmatch(r"[a-z' ]+", text) for text in texts)
    assert min(Counter(said.label for said in test).values()) > 10


def test_the_test_part_has_values_that_training_never_saw(
    parts: tuple[list[Utterance], list[Utterance]],
) -> None:
    train, test = (
        {(slot.label, said.tokens[slot.start : slot.end]) for said in part for slot in said.slots}
        for part in parts
    )
    assert {label for label, _ in test} <= {label for label, _ in train}
    assert 0.05 < len(test - train) / len(test) < 0.5


def test_the_hand_written_sample_is_left_as_it_was() -> None:
    assert (len(list(sample("train"))), len(list(sample("test")))) == (425, 182)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which somebody had a mondegreen-demo already, and ran the demo."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "mondegreen-demo").mkdir()
    (folder / "mondegreen-demo" / "mine.txt").write_text("do not touch")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with (folder / "said.txt").open("w") as file:
            patch.setattr("sys.stdout", file)
            assert main(["demo", "--seed", "3"]) == 0
    return folder


def test_the_demo_leaves_all_that_it_made_and_nothing_else_changed(demo: Path) -> None:
    mine = demo / "mondegreen-demo"
    assert [path.name for path in mine.iterdir()] == ["mine.txt"]
    made = {path.name for path in (demo / "mondegreen-demo-2").iterdir()}
    assert made == {"train.jsonl", "test.jsonl", "model", "suite", "crf.run", "report.html"}
    assert list(read(demo / "mondegreen-demo-2" / "test.jsonl")) == requests()[1]
    assert "fillers.eos" in (demo / "mondegreen-demo-2" / "report.html").read_text()


def test_the_demo_shows_the_table_and_what_to_do_next(demo: Path) -> None:
    said = (demo / "said.txt").read_text()
    for name in ("Orig", "Rand", "Hard", *GROUPS["nature"]):
        assert re.search(rf"^{re.escape(name)} +\d", said, re.MULTILINE)
    assert said.count("    right  ") == said.count("    model  ") == 4
    assert "mondegreen view mondegreen-demo-2/crf.run" in said
    assert "--model YOUR_MODEL" in said


def test_the_commands_shown_are_commands(demo: Path) -> None:
    shown = re.findall(r"^\$ mondegreen (.*)$", (demo / "said.txt").read_text(), re.MULTILINE)
    assert [shlex.split(line)[0] for line in shown] == ["train", "suite", "evaluate", "report"]
    told = re.findall(r"mondegreen ([a-z]+) ", (demo / "said.txt").read_text())
    assert all(main([name, "--help"]) == 0 for name in set(told))


def test_the_model_is_good_until_people_talk(demo: Path) -> None:
    with open_run(demo / "mondegreen-demo-2" / "crf.run") as run:
        rates = {line.kind: line.rates["e2e_accuracy"].value or 0.0 for line in table(run)}
    assert rates[ORIGINAL] > 0.85
    assert rates[RANDOM] < rates[ORIGINAL] - 0.1
    assert rates[HARD] < rates[RANDOM] - 0.3


def test_flips_are_right_in_the_original_and_keep_the_words_of_their_slots(demo: Path) -> None:
    with open_run(demo / "mondegreen-demo-2" / "crf.run") as run:
        wrong = {item.parent for item in run.page(limit=200).items if item.wrong}
        found = list(flips(run, "fillers.eos"))
    assert found
    assert not wrong & {flip.source for flip in found}
    assert all(flip.right != flip.given for flip in found)
    assert all("[" in flip.marked for flip in found)


def test_each_demo_has_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [fresh(tmp_path / "a" / "demo").name for _ in range(3)]
    assert made == ["demo", "demo-2", "demo-3"]
    monkeypatch.chdir(tmp_path)
    assert [fresh(Path()), fresh(Path())] == [Path("mondegreen-demo"), Path("mondegreen-demo-2")]


def test_an_interrupted_demo_says_what_is_left(
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
