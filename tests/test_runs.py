"""Runs: no answer is lost, no text is asked twice, and every score is that of the metric."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import COMMAND, fails
from mondegreen.cli.main import main
from mondegreen.data import read, write
from mondegreen.data.files.hashing import hash_of
from mondegreen.errors import DataError, ModelError, OutputError
from mondegreen.metrics.slu.metric import slu
from mondegreen.models.protocol import Model
from mondegreen.report.opening import open_source
from mondegreen.report.plot import curve_svg
from mondegreen.runs import Filter, Run, compare, evaluate, open_run
from mondegreen.runs.items import RunItem
from mondegreen.runs.results import curves, record, shown, table
from mondegreen.suites import Suite, suite
from mondegreen.types import Prediction, Slot, Utterance, slots_of_tags


class Reader(Model):
    """Tags ``jazz`` and ``rock`` as genres; the intent is the first word that it knows."""

    signature = "reader"
    batch = 8

    def __init__(self, fail_at: int = 0, intents: Sequence[str] = ("play", "stop", "add")) -> None:
        self.intents = intents
        self.fail_at = fail_at
        self.batches = 0
        self.asked: list[tuple[str, ...]] = []

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        self.batches += 1
        if self.batches == self.fail_at:
            raise ModelError("the machine is on fire")
        self.asked += [utterance.tokens for utterance in batch]
        return [self._answer(utterance) for utterance in batch]

    def _answer(self, utterance: Utterance) -> Prediction:
        tags = ["B-genre" if token in ("jazz", "rock") else "O" for token in utterance.tokens]
        label = next((word for word in utterance.tokens if word in self.intents), "other")
        return Prediction(utterance.id, slots_of_tags(tags), label)

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        return [float(len(one.text)) + (one.label == "stop") for one in batch]


def utterance(id: str, text: str) -> Utterance:
    tokens = tuple(text.split())
    slots = tuple(Slot("genre", i, i + 1) for i, t in enumerate(tokens) if t in ("jazz", "blues"))
    return Utterance(id, tokens, slots, tokens[0] if tokens[0] != "kindly" else "play")


DATA = [
    utterance(f"u{i}", text)
    for i, text in enumerate(
        f"{verb} {what} {where}".strip()
        for where in ("", "now", "in the kitchen", "please", "for me")
        for verb in ("play", "stop", "add", "kindly play")
        for what in ("jazz", "rock", "the blues")
    )
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("runs")
    write(DATA, folder / "data.jsonl")
    return suite(
        folder / "data.jsonl",
        folder / "suite",
        ["typo", "fillers", "keyboard"],
        random=2,
        severities=[0.3, 0.9],
        hard=Reader(),
        seed=7,
    )


def dump(path: Path) -> list[Any]:
    """Return the content of a run, except its times and its number of batches."""
    with sqlite3.connect(path) as connection:
        found = [
            connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()  # noqa: S608
            for name in ("sets", "items", "scores")
        ]
        found.append(
            connection.execute(
                "SELECT * FROM meta WHERE key NOT IN ('started', 'finished', 'batches')"
            ).fetchall()
        )
    connection.close()
    return found


def test_slots_are_not_scored_on_a_suite_without_slots(tmp_path: Path) -> None:
    classes = [Utterance(one.id, one.tokens, (), one.label) for one in DATA]
    write(classes, tmp_path / "data.jsonl")
    cases = suite(tmp_path / "data.jsonl", tmp_path / "suite", ["fillers"])
    with evaluate(cases, Reader(), tmp_path / "a.run") as run:
        for entry in cases.manifest.sets:
            score = run.score(entry.name)
            assert score["slot_f1"].value is None
            assert score["e2e_accuracy"].value == score["intent_accuracy"].value == 1
        assert shown(run) == {"intent_accuracy": "accuracy"}


def test_a_window_without_slots_is_scored_like_the_whole_suite(tmp_path: Path) -> None:
    data = [Utterance(f"r{i}", ("play", "rock"), (), "play") for i in range(Reader.batch)]
    write([*data, *DATA], tmp_path / "data.jsonl")
    cases = suite(tmp_path / "data.jsonl", tmp_path / "suite", ["fillers"])
    with evaluate(cases, Reader(), tmp_path / "a.run") as run:
        refs = [case.utterance for case in cases.cases(cases.manifest.sets[0])]
        expected = slu(refs, Reader().predict(refs), values=True).counts.tolist()
        assert run.score("original").counts.tolist() == expected
        assert expected[0][-2] == 1  # a spurious genre


def test_the_scores_are_those_of_the_metric(made: Suite, tmp_path: Path) -> None:
    with evaluate(made, Reader(), tmp_path / "a.run") as run:
        assert run.finished
        for entry in made.manifest.sets:
            refs = [case.utterance for case in made.cases(entry)]
            expected = slu(refs, Reader().predict(refs), values=True)
            score = run.score(entry.name)
            assert score.counts.tolist() == expected.counts.tolist()
            assert score.ids == expected.ids
            for name, rate in run.scores()[entry.name].items():
                measure = expected[name]
                assert rate.value == measure.value
                assert (rate.low, rate.high) == (measure.interval() or (None, None))


def test_every_text_is_asked_once_over_all_sets(made: Suite, tmp_path: Path) -> None:
    model = Reader()
    evaluate(made, model, tmp_path / "a.run").close()
    texts = {c.utterance.tokens for entry in made.manifest.sets for c in made.cases(entry)}
    assert sorted(model.asked) == sorted(texts)
    assert len(texts) < sum(entry.n for entry in made.manifest.sets)
    again = Reader(fail_at=1)
    with evaluate(made, again, tmp_path / "a.run") as run:
        assert run.meta["asked"] == str(len(texts))
    assert again.batches == 0


def test_the_same_text_with_other_labels_is_asked_once_and_has_its_own_loss(
    tmp_path: Path,
) -> None:
    twice = [
        Utterance.of("1", "play jazz", label="play"),
        Utterance.of("2", "play jazz", label="stop"),
        Utterance.of("3", "play  jazz", label="stop"),
    ]
    write(twice, tmp_path / "d.jsonl")
    made = suite(tmp_path / "d.jsonl", tmp_path / "s", "typo", random=0)
    model = Reader()
    with evaluate(made, model, tmp_path / "a.run") as run:
        items = run.page(Filter(set="original")).items
    assert [item.loss for item in items] == [9.0, 10.0, 11.0]
    assert [item.wrong for item in items] == [
        False,
        True,
        True,
    ]  # there are no slots: only labels count
    assert model.asked.count(("play", "jazz")) == 2  # with one space, and with two


@settings(max_examples=8)
@given(st.lists(st.integers(1, 12), max_size=3))
def test_a_run_that_failed_often_ends_with_the_same_result(
    made: Suite, run: Run, tmp_path_factory: pytest.TempPathFactory, fails_at: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("resume")
    done = 0
    for batch in fails_at:
        with pytest.raises(ModelError, match=r"batch \d+ .*on fire. Earlier batches are stored"):
            evaluate(made, Reader(fail_at=batch), folder / "broken.run")
        with open_run(folder / "broken.run") as broken:
            assert not broken.finished
            stored = sum(one.done for one in broken.sets)
            assert stored >= done
            done = stored
            assert [line.name for line in table(broken)][:1] == ["original"][:stored]
    evaluate(made, Reader(), folder / "broken.run").close()
    assert dump(folder / "broken.run") == dump(run.path)


_SLOW = """
import os, pathlib, time
HERE = pathlib.Path(__file__).parent
calls = 0
def answer(batch):
    global calls
    calls += 1
    if calls == 4 and (HERE / "wait").exists():
        (HERE / "waiting").touch()
        time.sleep(100)
    return [{"label": item["tokens"][0], "tags": ["O"] * len(item["tokens"])} for item in batch]
"""


def test_a_killed_run_continues_where_it_stopped(
    made: Suite, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mg_slow.py").write_text(_SLOW, encoding="utf-8")
    (tmp_path / "wait").touch()
    arguments = [
        *COMMAND, "evaluate", str(made.folder), "--model", "python:mg_slow:answer", "--batch", "16",
        "--json", "-o",
    ]  # fmt: skip
    process = subprocess.Popen([*arguments, "killed.run"], cwd=tmp_path)
    until = time.monotonic() + 60
    while not (tmp_path / "waiting").exists():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    (tmp_path / "wait").unlink()
    with open_run(tmp_path / "killed.run") as run:
        assert not run.finished
        stored = sum(one.done for one in run.sets)
        assert 48 <= stored < sum(one.n for one in run.sets)
        assert run.page(Filter(wrong=True)).total > 0  # readable before it is finished
    capfd.readouterr()
    printed = []
    for name in ("killed.run", "whole.run"):
        subprocess.run([*arguments, name], cwd=tmp_path, check=True)
        printed.append(json.loads(capfd.readouterr().out))
    assert printed[0] == printed[1]
    assert dump(tmp_path / "killed.run") == dump(tmp_path / "whole.run")
    names = {path.name for path in tmp_path.iterdir() if path.name.startswith("killed")}
    assert names == {"killed.run"}  # a finished run is one file


# reading


@pytest.fixture(scope="module")
def run(made: Suite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with evaluate(made, Reader(), tmp_path_factory.mktemp("run") / "a.run") as opened:
        yield opened


def value(item: RunItem, order: str) -> Any:
    return item.counts[order] if order in item.counts else getattr(item, order)


def slots_record(slots: object) -> Any:
    return json.loads(msgspec.json.encode(slots))


def test_pages_follow_filters_and_orders(run: Run) -> None:
    everything = run.page(limit=10_000).items
    assert [item.number for item in everything] == list(range(len(everything)))
    sets = {one.name: one.number for one in run.sets}
    cases: list[tuple[Filter, Any]] = [
        (Filter(set="typo"), lambda i: i.set_number == sets["typo"]),
        (Filter(wrong=True), lambda i: i.wrong),
        (Filter(flip=-1), lambda i: i.flip == -1),
        (
            Filter(set="hard", label="play"),
            lambda i: (i.set_number, i.label) == (sets["hard"], "play"),
        ),
        (Filter(predicted="other"), lambda i: i.predicted == "other"),
        (Filter(parent="u3"), lambda i: i.parent == "u3"),
        (Filter(operator="fillers"), lambda i: i.operator == "fillers"),
        (Filter(search="jazz"), lambda i: "jazz" in i.text.split()),
        (
            Filter(search="kitchen THE"),
            lambda i: {"the", "kitchen"} <= set(i.text.split()),
        ),
        (
            Filter(search="kitch"),
            lambda i: any(word.startswith("kitch") for word in i.text.split()),
        ),
        (Filter(search='"*%_'), lambda _: False),
    ]
    for which, holds in cases:
        expected = [item.number for item in everything if holds(item)]
        page = run.page(which, limit=7, offset=3)
        assert page.total == len(expected)
        assert [item.number for item in page.items] == expected[3:10]
    for order in ("loss", "slot_errors", "label", "text", "flip"):
        page = run.page(order=order, descending=True, limit=10_000)
        ordered = sorted(everything, key=lambda i: (value(i, order), i.number), reverse=True)
        assert [value(i, order) for i in page.items] == [value(i, order) for i in ordered]
    with pytest.raises(DataError, match="No order named 'mood'"):
        run.page(order="mood")
    with pytest.raises(DataError, match="No set named 'typoo'"):
        run.page(Filter(set="typoo"))


def test_flips_are_relative_to_the_original(run: Run) -> None:
    right = {i.id: not i.wrong for i in run.page(Filter(set="original"), limit=100).items}
    for item in run.page(limit=10_000).items:
        assert item.flip == (not item.wrong) - right[item.parent]
    assert [i.flip for i in run.flips("typo")] == [
        i.flip for i in run.page(Filter(set="typo"), limit=100).items if i.flip
    ]
    assert run.item(5).position == 5
    with pytest.raises(DataError, match="there is no item 99999"):
        run.item(99999)


def test_search_works_without_an_index(
    made: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mondegreen.runs.store._has_search", lambda: False)
    with evaluate(made, Reader(), tmp_path / "a.run") as run:
        assert run.page(Filter(search="kitchen")).total > 0
        assert run.page(Filter(search="100%")).total == 0


def test_the_table_is_sorted_from_the_original_to_the_worst_operator(run: Run) -> None:
    lines = table(run)
    assert [line.name for line in lines[:3]] == ["original", "random", "hard"]
    values = [line.rates["e2e_accuracy"].value or 0 for line in lines[3:]]
    assert len(values) == 3
    assert values == sorted(values, reverse=True)
    rand = lines[1].rates["e2e_accuracy"]
    draws = [run.score(f"random-{i}")["e2e_accuracy"].value or 0 for i in range(2)]
    assert rand.mean == pytest.approx(sum(draws) / 2) == pytest.approx(rand.value)
    assert rand.spread == pytest.approx(abs(draws[0] - draws[1]) / 2**0.5)
    assert lines[2].rates["e2e_accuracy"].value == min(
        line.rates["e2e_accuracy"].value or 0 for line in lines
    )


def test_curves_start_with_the_original(run: Run) -> None:
    found = curves(run, "e2e_accuracy")
    assert list(found) == ["typo", "fillers", "keyboard"]
    for points in found.values():
        assert [point.severity for point in points] == [0.0, 0.3, 0.9]
        assert points[0].estimate.value == run.score("original")["e2e_accuracy"].value
    drawn = curve_svg(run)
    assert drawn.count("<circle") == 9
    assert "end-to-end" in drawn


def test_the_command_prints_a_table_json_and_a_plot(
    made: Suite, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answers.jsonl").write_text(
        "".join(
            json.dumps(
                {"text": i.text, "label": i.predicted, "slots": slots_record(i.prediction.slots)}
            )
            + "\n"
            for i in run.page(limit=10_000).items
        ),
        encoding="utf-8",
    )
    arguments = ["evaluate", str(made.folder), "--model", str(tmp_path / "answers.jsonl"), "-o"]
    assert main([*arguments, str(tmp_path / "b.run"), "--plot", str(tmp_path / "c.svg")]) == 0
    shown_text = capsys.readouterr()
    for word in ("Orig", "Rand", "Hard", "slot F1", "end-to-end", "by severity", "±"):
        assert word in shown_text.out
    assert "chosen for another model, reader" in shown_text.err
    assert "<svg" in (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert main([*arguments, str(tmp_path / "b.run"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = record(run)
    assert list(found)[:4] == ["suite", "model", "signature", "sets"]
    assert found["sets"].keys() == expected["sets"].keys()
    assert next(iter(found["sets"])) == "original"
    assert found["sets"] == json.loads(json.dumps(expected["sets"]))
    assert list(found["sets"]["original"]["scores"]["slot_f1"]) == [
        "value", "low", "high", "numerator", "denominator",
    ]  # fmt: skip
    assert "spread" in found["sets"]["random"]["scores"]["slot_f1"]


def test_classification_shows_only_accuracy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = [Utterance.of(s.id, s.text, label=s.label) for s in DATA]
    write(plain, tmp_path / "d.jsonl")
    made = suite(tmp_path / "d.jsonl", tmp_path / "s", "typo", random=0)
    (tmp_path / "m.jsonl").write_text(
        "".join(
            json.dumps({"text": case.utterance.text, "label": case.utterance.label}) + "\n"
            for name in ("original", "typo")
            for case in made.cases(made[name])
        ),
        encoding="utf-8",
    )
    arguments = [str(tmp_path / "s"), "--model", str(tmp_path / "m.jsonl")]
    assert main(["evaluate", *arguments, "-o", str(tmp_path / "a.run")]) == 0
    out = capsys.readouterr().out
    assert "accuracy" in out
    assert "slot F1" not in out
    assert "100.0 [" in out
    with open_run(tmp_path / "a.run") as run:
        assert shown(run) == {"intent_accuracy": "accuracy"}


def test_unknown_labels_are_reported(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "mg_strange.py").write_text(
        "def answer(batch):\n"
        "    return [{'label': 'dance', 'tags': ['B-mood'] + ['O'] * (len(s['tokens']) - 1)}"
        " for s in batch]\n",
        encoding="utf-8",
    )
    arguments = [str(made.folder), "--model", "python:mg_strange:answer"]
    assert main(["evaluate", *arguments, "-o", "a.run"]) == 0
    err = capsys.readouterr().err
    assert "the slot 'mood', which is not in the suite; first for 'u0' of original" in err
    assert "the intent 'dance', which is not in the suite" in err


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (
            "{'tags': ['O'] * len(s['tokens']), 'Intent': 'x'}",
            "the answers have no label, unlike the suite; unknown keys: Intent",
        ),
        (
            "{'intent': 'stop', 'found': []}",
            "the answers have no slots, unlike the suite; unknown keys: found",
        ),
        ("{'tags': ['O'] * len(s['tokens'])}", ""),
        ("{'tags': ['O'] * len(s['tokens']), 'intent': 'stop', 'found': []}", ""),
    ],
)
def test_unknown_keys_are_reported_if_slots_or_labels_are_missing(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, note: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\nfor line in sys.stdin:\n"
        f"    s = json.loads(line)\n    print(json.dumps({answer}), flush=True)\n",
        encoding="utf-8",
    )
    model = f"command:{shlex.join([sys.executable, str(program)])}"
    arguments = [str(made.folder), "--model", model, "-o", str(tmp_path / "a.run")]
    assert main(["evaluate", *arguments]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if "unknown keys" in line]
    assert len(notes) == bool(note)
    assert not note or note in notes[0]


# invalid input


def test_answers_with_different_parts_raise_an_error(made: Suite, tmp_path: Path) -> None:
    class Tired(Reader):
        def _answer(self, utterance: Utterance) -> Prediction:
            full = super()._answer(utterance)
            return full if self.batches < 3 else Prediction(full.id, None, full.label)

    message = r"batch 3 .*: the answer has label, earlier answers have slots\+label"
    with pytest.raises(ModelError, match=message):
        evaluate(made, Tired(), tmp_path / "a.run")


def test_an_impossible_plot_raises_an_error_before_the_model_is_loaded(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite(made.folder.parent / "data.jsonl", tmp_path / "s", "typo", random=0)
    there = tmp_path / "there.svg"
    there.touch()
    for folder, plot, message in (
        (tmp_path / "s", tmp_path / "c.svg", "s: there are no severity sets"),
        (made.folder, there, "there.svg: exists already"),
    ):
        arguments = ["evaluate", str(folder), "--model", "nobody", "-o", str(tmp_path / "a.run")]
        fails([*arguments, "--plot", str(plot), "--json"], message, capsys)


def test_a_run_of_another_suite_or_model_is_not_continued(made: Suite, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    evaluate(made, Reader(), path).close()

    class Other(Reader):
        signature = "another reader"

    with pytest.raises(DataError, match=r"a run of another model \(reader, not another reader\)"):
        evaluate(made, Other(), path)
    other = suite(made.folder.parent / "data.jsonl", tmp_path / "s", "typo", random=0)
    with pytest.raises(DataError, match="a run of another suite"):
        evaluate(other, Reader(), path)
    with evaluate(other, Reader(), path, force=True) as run:
        assert [one.name for one in run.sets] == ["original", "typo"]


def test_a_file_that_is_not_a_run_raises_an_error(made: Suite, tmp_path: Path) -> None:
    text = tmp_path / "text.run"
    text.write_text("not a database, but long enough to have a header" * 20, encoding="utf-8")
    foreign = tmp_path / "foreign.run"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    newer = tmp_path / "newer.run"
    evaluate(made, Reader(), newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for path, message in (
        (text, "not a run"),
        (foreign, "not a run"),
        (newer, "a run of format 99, but this version reads format 3"),
    ):
        before = path.read_bytes()
        with pytest.raises(DataError, match=message):
            open_run(path)
        with pytest.raises(DataError, match=message):
            evaluate(made, Reader(), path)
        assert path.read_bytes() == before
    with pytest.raises(DataError, match="there is no such file"):
        open_run(tmp_path / "none.run")
    with pytest.raises(OutputError, match="there is no folder"):
        evaluate(made, Reader(), tmp_path / "no" / "a.run")


def test_a_changed_suite_is_not_evaluated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(DATA, tmp_path / "d.jsonl")
    made = suite(tmp_path / "d.jsonl", tmp_path / "s", "typo", random=0)
    with made.path(made["typo"]).open("a", encoding="utf-8") as file:
        file.write("\n")
    arguments = ["evaluate", str(tmp_path / "s"), "--model", str(tmp_path / "d.jsonl"), "-o"]
    fails([*arguments, str(tmp_path / "a.run")], "typo.jsonl: has changed since", capsys)
    assert not (tmp_path / "a.run").exists()


# comparing


def test_a_run_compared_with_itself_has_no_difference(run: Run) -> None:
    found = compare(run, run)
    assert found.flips == []
    assert all(not rate.difference for one in found.sets for rate in one.rates.values())
    assert found.losses("e2e_accuracy") == []
    with pytest.raises(DataError, match="No rate named 'mood'"):
        found.losses("mood")


def _worse(made: Suite, folder: Path) -> Path:
    class Worse(Reader):
        signature = "worse"

    evaluate(made, Worse(intents=("stop", "add")), folder / "worse.run").close()
    return folder / "worse.run"


def test_a_regression_and_its_flips_are_found(made: Suite, run: Run, tmp_path: Path) -> None:
    found = compare(run, _worse(made, tmp_path))
    assert "original" in found.losses("e2e_accuracy")
    assert compare(tmp_path / "worse.run", run.path).losses("e2e_accuracy") == []
    original = [flip for flip in found.flips if flip.set_name == "original"]
    assert original
    assert all(not flip.better and "play" in flip.text.split() for flip in original)
    names = [one.name for one in found.sets]
    assert "random" in names
    assert "random-0" not in names


def test_fail_if_worse_exits_with_3(
    made: Suite, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worse = str(_worse(made, tmp_path))
    best = str(run.path)
    assert main(["compare", best, worse]) == 0
    assert main(["compare", best, worse, "--fail-if-worse"]) == 3
    printed = capsys.readouterr()
    assert "became wrong" in printed.out
    assert "p < 0.001" in printed.out
    assert "p 0.000" not in printed.out
    assert "e2e_accuracy: worse on" in printed.err
    assert main(["compare", worse, best, "--fail-if-worse"]) == 0
    assert main(["compare", best, worse, "--fail-if-worse", "slot_f1"]) == 0
    capsys.readouterr()
    assert main(["compare", best, worse, "--json", "--fail-if-worse"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["gate"]["rate"] == "e2e_accuracy"
    assert set(found["gate"]["worse"]) <= found["sets"].keys()
    assert len(found["flips"]) > 5
    assert main(["compare", "--fail-if-worse", best, worse]) == 3  # not a rate, but a run
    capsys.readouterr()
    fails(["compare", best], "give two runs or two scores, got 1", capsys, code=2)
    unknown = ["compare", best, worse, "--fail-if-worse", "mood"]
    fails(unknown, "No rate named 'mood'", capsys, code=2)


def test_runs_that_cannot_be_compared_raise_an_error(made: Suite, run: Run, tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        evaluate(made, Reader(fail_at=2), tmp_path / "half.run")
    with pytest.raises(DataError, match=r"half.run: is not finished"):
        compare(run, tmp_path / "half.run")
    other = suite(made.folder.parent / "data.jsonl", tmp_path / "s", "typo", random=0)
    evaluate(other, Reader(), tmp_path / "other.run").close()
    with pytest.raises(DataError, match="are runs of different suites"):
        compare(run, tmp_path / "other.run")


def test_a_suite_of_real_data_is_evaluated(shared: Path, tmp_path: Path) -> None:
    utterances = list(read(shared / "data" / "slu" / "snips" / "test"))[:30]
    write(utterances, tmp_path / "d.jsonl")
    made = suite(tmp_path / "d.jsonl", tmp_path / "s", ["fillers", "typo"], random=2)
    with evaluate(made, Reader(), tmp_path / "a.run") as run:
        assert run.score("original")["intent_accuracy"].value == 0


def test_force_replaces_only_runs(made: Suite, tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text('{"text": "play jazz"}\n')
    with pytest.raises(OutputError, match="is not a run, so --force does not replace it"):
        evaluate(made, Reader(), data, force=True)
    assert data.read_text() == '{"text": "play jazz"}\n'
    with pytest.raises(OutputError, match="is a folder"):
        evaluate(made, Reader(), tmp_path, force=True)


def test_a_run_without_answers_may_be_used_by_another_model(made: Suite, tmp_path: Path) -> None:
    class Mute(Reader):
        signature = "mute"

        def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:  # noqa: ARG002
            raise ModelError("no answer")

    with pytest.raises(ModelError, match="no answer"):
        evaluate(made, Mute(), tmp_path / "a.run")
    with evaluate(made, Reader(), tmp_path / "a.run") as run:
        assert run.finished


def test_a_run_is_finished_while_somebody_reads_it(made: Suite, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    readers: list[Run] = []

    def open_early(done: int, total: int) -> None:
        if not readers and 0 < done < total:
            readers.append(open_run(path))
            next(readers[0].items())  # and keeps reading

    with evaluate(made, Reader(), path, on_progress=open_early) as run:
        assert run.finished
    readers[0].close()


def test_a_finished_run_is_never_written_to(made: Suite, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    evaluate(made, Reader(), path).close()
    before = hash_of(path)
    with evaluate(made, Reader(), path) as run:
        assert run.finished
        table(run)
        record(run)
        list(run.items())
    with closing(open_source(path)) as source:
        source.overview()
    compare(path, path)
    assert hash_of(path) == before
    path.chmod(0o444)
    with evaluate(made, Reader(), path) as run:
        assert run.finished


def test_the_head_of_a_finished_run_is_read_once(run: Run) -> None:
    statements: list[str] = []
    with open_run(run.path) as opened:
        opened.connection.set_trace_callback(statements.append)
        table(opened)
        shown(opened)
        record(opened)
        curves(opened, "slot_f1")
    assert len(statements) == 4  # meta, number of items, sets, scores
