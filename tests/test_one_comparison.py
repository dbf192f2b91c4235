"""One comparison: the gate, the sentence, the table, the page, JSON and Python say the same."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from starlette.testclient import TestClient

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError
from mondegreen.metrics.statistics.comparison import (
    ALL,
    ALPHA,
    BETTER,
    TOO_FEW,
    UNDECIDED,
    WORSE,
    Difference,
    holm,
    judged,
)
from mondegreen.metrics.statistics.resampling import mcnemar
from mondegreen.report.opening import open_source
from mondegreen.types import Prediction, Utterance
from mondegreen.viewer.server import app

SETS = {"original": (0, 11), "typo": (1, 9), "fillers": (0, 6)}
"""How many utterances only the second, and only the first model has right: p 0.001, 0.02, 0.03."""
MAIN = "intent_accuracy"
SIDES = ("ref", "hyp", "against")


def test_three_p_values_under_one_correction() -> None:
    worse = [Difference(0.9, 0.8, -0.1, p=p) for p in (0.001, 0.02, 0.03)]
    assert [one.verdict for one in judged(worse)] == [WORSE] * 3
    assert holm([0.001, 0.02, 0.03]) == pytest.approx([0.003, 0.04, 0.04])
    errors = [Difference(0.2, 0.1, -0.1, p=p, lower_is_better=True) for p in (0.001, 0.3, 0.04)]
    assert [one.verdict for one in judged(errors)] == [BETTER, UNDECIDED, UNDECIDED]
    few = [Difference(1.0, 0.0, -1.0, p=0.03, least_p=0.03), Difference(None, None)]
    assert [one.verdict for one in judged([few[0], *few])] == [TOO_FEW, TOO_FEW, ""]


class Forgetful(mg.Model):
    """Knows the labels of all texts but some."""

    def __init__(self, name: str, gold: dict[str, str], forgotten: Collection[str]) -> None:
        self.signature = name
        self.gold, self.forgotten = gold, forgotten

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        return [
            Prediction(one.id, label="?" if one.text in self.forgotten else self.gold[one.text])
            for one in batch
        ]


class Runs(NamedTuple):
    first: Path
    second: Path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("runs")
    data = [mg.Utterance.of(one.id, one.text, label=one.label) for one in list(sample())[:40]]
    mg.write(data, folder / "data.jsonl")
    made = mg.suite(folder / "data.jsonl", folder / "suite", ["typo", "fillers"], random=0)
    gold: dict[str, str] = {}
    forgotten: tuple[set[str], set[str]] = (set(), set())
    for entry in made.manifest.sets:
        texts = [case.utterance for case in made.cases(entry)]
        gold |= {one.text: str(one.label) for one in texts}
        better, worse = SETS[entry.name]
        forgotten[0].update(one.text for one in texts[:better])
        forgotten[1].update(one.text for one in texts[better : better + worse])
    for name, missing in zip(("first", "second"), forgotten, strict=True):
        mg.evaluate(made, Forgetful(name, gold, missing), folder / f"{name}.run").close()
    return Runs(folder / "first.run", folder / "second.run")


def test_the_runs_have_the_p_values_of_the_issue(runs: Runs) -> None:
    found = mg.compare(*runs)
    assert [(one.name, one.p[MAIN]) for one in found.sets] == [
        (name, mcnemar(*flips)) for name, flips in SETS.items()
    ]
    assert [round(one.p[MAIN], 2) for one in found.sets] == [0.0, 0.02, 0.03]
    assert sum(one.p[MAIN] < ALPHA / 3 for one in found.sets) == 1  # Bonferroni names one


def _colours(page: str) -> list[str]:
    """Return the colour of each set in the table of a comparison."""
    table = page.partition('class="chart paired"')[2].partition("</table>")[0]
    return re.findall(r'class="change ?([^"]*)"', table)


def test_python_and_the_sentence_name_all_three(runs: Runs) -> None:
    found = mg.compare(*runs)
    assert found.losses() == found.losses(MAIN) == [*SETS]
    assert found.gains() == found.undecidable() == []
    assert "second is significantly worse on original, typo, fillers" in found.sentence
    with mg.open_run(runs.first) as one, mg.open_run(runs.second) as two:
        by_set = [{name: run.score(name) for name in SETS} for run in (one, two)]
        again = mg.compare(*by_set)
        assert mg.compare(one, two) == found
    assert [one.rates[MAIN] for one in again.sets] == [one.rates[MAIN] for one in found.sets]
    assert again.losses() == [*SETS]
    assert _colours(found._repr_html_()) == ["bad2"] * 3


def test_the_gate_the_table_and_json_name_all_three(
    runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["compare", *map(str, runs), "--fail-if-worse"]
    assert main(command) == 3
    printed = capsys.readouterr()
    assert f"{MAIN}: worse on original, typo, fillers (p < 0.05, Holm)" in printed.err
    lines = [line for line in printed.out.splitlines() if line.split(" ")[0] in SETS]
    assert [line.split()[-1] for line in lines] == ["worse"] * 3
    assert "p 0.031, Holm 0.043  worse" in lines[2]
    assert main([*command, "--json"]) == 3
    record = json.loads(capsys.readouterr().out)
    assert record["gate"]["worse"] == [*SETS]
    assert (record["alpha"], record["correction"]) == (ALPHA, "holm")
    verdicts = {name: one["rates"][MAIN]["verdict"] for name, one in record["sets"].items()}
    assert verdicts == dict.fromkeys(SETS, "worse")


def test_the_report_and_the_page_name_all_three(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = mg.compare(*runs)
    assert main(["report", *map(str, runs), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)["comparison"]
    assert record["sentence"] == found.sentence
    assert record["sets"] == json.loads(json.dumps(found.record()))["sets"]
    assert main(["report", *map(str, runs), "-o", str(tmp_path / "report.html")]) == 0
    page = (tmp_path / "report.html").read_text()
    client = TestClient(app([open_source(path) for path in runs]), base_url="http://127.0.0.1")
    for text in (page, client.get("/compare").text):
        assert found.sentence in text
        assert _colours(text) == ["bad2"] * 3
    answer = client.get("/compare.json?set=typo").json()
    assert answer["rates"][MAIN] == record["sets"]["typo"]["rates"][MAIN]
    assert answer["all_sets"]["sentence"] == found.sentence


def test_a_difference_that_does_not_last_is_not_coloured(runs: Runs) -> None:
    """At an uncorrected level, one of three like sets would be: p 0.031, corrected 0.094."""
    with mg.open_run(runs.first) as one, mg.open_run(runs.second) as two:
        pair = one.score("fillers"), two.score("fillers")
    found = mg.compare([pair[0]] * 3, [pair[1], pair[0], pair[0]])
    assert [round(one.rates[MAIN].p or 0, 3) for one in found.sets] == [0.031, 1.0, 1.0]
    assert found.losses() == []
    assert "No significant difference in intent accuracy on any set" in found.sentence
    assert _colours(found._repr_html_()) == [""] * 3


def test_the_gate_of_a_score_has_the_same_verdicts(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"{name}.jsonl" for name in ("gold", "second", "first")}
    lines: dict[str, list[str]] = {name: [] for name in files}
    for name, path in zip(("first", "second"), runs, strict=True):
        with mg.open_run(path) as run:
            for item in run.items():
                id = f"{item.set_number}/{item.id}"
                lines[name].append(json.dumps({"id": id, "label": item.predicted}))
                if name == "first":
                    of = run.sets[item.set_number].name
                    right = {"id": id, "text": item.text, "label": item.label, "of": of}
                    lines["gold"].append(json.dumps(right))
    for name, file in files.items():
        file.write_text("\n".join(lines[name]) + "\n")
    named = [f"--{side}={files[name]}" for side, name in zip(SIDES, files, strict=True)]
    command = ["score", "slu", *named, "--by", "of"]
    assert main([*command, "--fail-if-worse"]) == 3
    printed = capsys.readouterr()
    for name in (*SETS, ALL):
        assert f"{MAIN} is significantly worse on {name}" in printed.err
    assert main([*command, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    for name in SETS:
        one = record["groups"][name]["comparison"]["rates"][MAIN]
        assert (one["verdict"], one["test"]) == ("better", "mcnemar")  # the other system is
    assert record["comparison"]["rates"][MAIN]["verdict"] == "better"


def test_27_03_repeated_answers_are_one_unit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two models that differ on 3 of 38 texts: p 0.25, however often each text is asked."""
    data = [mg.Utterance.of(one.id, one.text, label=one.label) for one in list(sample())[:38]]
    mg.write(data, tmp_path / "data.jsonl")
    made = mg.suite(tmp_path / "data.jsonl", tmp_path / "suite", "typo", random=0)
    gold = {
        case.utterance.text: str(case.utterance.label)
        for entry in made.manifest.sets
        for case in made.cases(entry)
    }
    models = [Forgetful("all", gold, ()), Forgetful("some", gold, [one.text for one in data[:3]])]
    for repeat in (1, 10):
        paths = [tmp_path / f"{model.signature}{repeat}.run" for model in models]
        for model, path in zip(models, paths, strict=True):
            mg.evaluate(made, model, path, repeat=repeat).close()
        found = mg.compare(*paths)
        one = found.set("original")
        assert (one.n, one.only_first_right, one.only_second_right) == (38, 3, 0)
        assert one.mcnemar == 0.25
        assert one.p[MAIN] == pytest.approx(0.25, abs=0.02)
        assert found.became == (0, 3)
        assert [flip.id for flip in found.flips] == [line.id for line in data[:3]]
        assert main(["compare", *map(str, paths)]) == 0
        printed = capsys.readouterr().out
        assert re.search(r"^original .* p 0\.2[45]\d.* undecided$", printed, re.MULTILINE), printed
    with pytest.raises(DataError, match="evaluate both with the same --repeat"):
        mg.compare(tmp_path / "all1.run", tmp_path / "some10.run")


def test_27_03_repeated_answers_make_no_slice(tmp_path: Path) -> None:
    """Three wrong texts say nothing about what they share; asked ten times, they still do not."""
    data = [mg.Utterance.of(f"u{n}", f"play song {n}", label="play") for n in range(38)]
    data = [mg.Utterance.of(f"w{n}", f"skip song {n}", label="skip") for n in range(3)] + data
    mg.write(data, tmp_path / "data.jsonl")
    made = mg.suite(tmp_path / "data.jsonl", tmp_path / "suite", "fillers", random=0)
    gold = {
        case.utterance.text: str(case.utterance.label)
        for entry in made.manifest.sets
        for case in made.cases(entry)
    }
    model = Forgetful("some", gold, [text for text in gold if "skip" in text])
    for repeat in (1, 10):
        mg.evaluate(made, model, tmp_path / f"{repeat}.run", repeat=repeat).close()
        assert mg.slices(tmp_path / f"{repeat}.run") == []


def test_what_cannot_be_compared() -> None:
    score = mg.score.words(["play jazz"], ["play jaws"])
    with pytest.raises(DataError, match="one result cannot be compared with 2"):
        mg.compare(score, [score, score])
    with pytest.raises(DataError, match="under the same names"):
        mg.compare({"a": score}, {"b": score})
    with pytest.raises(DataError, match="No set named 'mood'"):
        mg.compare(score, score).set("mood")
