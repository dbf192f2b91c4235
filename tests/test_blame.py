"""Blame: the loss of a chain by stages, which adds up."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from commands import fails
from mondegreen.cli.main import main
from mondegreen.data import write as save
from mondegreen.data.sample import sample
from mondegreen.models.reference import train
from mondegreen.report.opening import open_source
from mondegreen.report.waterfall import make_chain
from mondegreen.runs.blame import blame, of_tables
from mondegreen.runs.evaluation import evaluate
from mondegreen.suites.build import suite
from mondegreen.viewer.server import app
from showing import Shown

SLURP = Path(__file__).resolve().parents[2] / "shared" / "data" / "slurp"

ROWS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.tuples(*[st.booleans()] * (n + 1)), min_size=1, max_size=20)
)


@given(rows=ROWS)
def test_losses_add_up_and_every_utterance_has_one_fate(rows: list[tuple[bool, ...]]) -> None:
    n, stages = len(rows), len(rows[0])
    found = of_tables(
        {f"s{k}": {str(i): row[k] for i, row in enumerate(rows)} for k in range(stages)}
    )
    net = sum(stage.lost - stage.regained for stage in found.stages)
    assert net == found.stages[0].right - found.stages[-1].right
    assert found.total == pytest.approx(sum(stage.loss for stage in found.stages))
    assert sum(count for _, count in found.fates) == n
    for stage, before in zip(found.stages[1:], found.stages, strict=False):
        assert stage.loss == pytest.approx(before.accuracy - stage.accuracy)


def write(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def frame(id: str, text: str, tags: str, label: str) -> dict[str, object]:
    return {"id": id, "tokens": text.split(), "tags": tags.split(), "label": label}


def test_a_slot_is_right_if_its_words_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = [frame("a", "play jazz", "O B-genre", "play"), frame("b", "stop", "O", "stop")]
    written = write(tmp_path / "w.jsonl", gold)
    heard = write(
        tmp_path / "h.jsonl",
        [frame("a", "uh play jaws", "O O B-genre", "play"), frame("b", "uh stop", "O O", "stop")],
    )
    page = tmp_path / "loss.html"
    arguments = ["blame", "--ref", written, "--stage", f"written={written}"]
    arguments += ["--stage", f"heard={heard}"]
    assert main([*arguments, "--json", "--html", str(page)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["total"] == 0.5
    assert [(one["name"], one["loss"]) for one in answer["stages"]] == [
        ("written", 0.0),
        ("heard", 0.5),
    ]
    assert answer["stages"][1]["lost_ids"] == ["a"]
    assert "<svg" in page.read_text(encoding="utf-8")
    assert main([*arguments, "--measure", "intent"]) == 0
    assert "end to end" in capsys.readouterr().out


def test_stages_may_be_sets_of_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = list(sample())
    model = train("linear", data, tmp_path / "model")
    run = tmp_path / "a.run"
    test = tmp_path / "test.jsonl"
    save(data[:40], test)
    suite(test, tmp_path / "suite", operators=["recogniser(wer=0.4)"], random=0)
    evaluate(tmp_path / "suite", model, run)
    arguments = ["blame", "--stage", f"written={run}", "--stage", f"heard={run}#recogniser"]
    assert main([*arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    first, second = answer["stages"]
    assert answer["total"] == pytest.approx(first["accuracy"] - second["accuracy"])


@pytest.mark.skipif(not SLURP.exists(), reason="needs ../shared/data/slurp")
@pytest.mark.parametrize("measure", ["intent", "frame"])
def test_slurp_adds_up_exactly(measure: str, capsys: pytest.CaptureFixture[str]) -> None:
    stages = [f"{name}={SLURP / f'{name}_hermit_predictions.jsonl'}" for name in ("gold", "asr")]
    arguments = ["blame", "--ref", str(SLURP / "test.jsonl"), "--measure", measure, "--json"]
    assert main([*arguments, "--stage", stages[0], "--stage", stages[1]]) == 0
    answer = json.loads(capsys.readouterr().out)
    gold, asr = answer["stages"]
    assert sum(stage["loss"] for stage in answer["stages"]) == answer["total"]
    assert answer["total"] == pytest.approx(gold["accuracy"] - asr["accuracy"], abs=1e-15)
    if measure == "intent":
        assert asr["accuracy"] == pytest.approx(0.7833371585953638)  # SLURP's own evaluator


def test_bad_input_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "g.jsonl", [frame("a", "play jazz", "O B-genre", "play")])
    other = write(tmp_path / "o.jsonl", [frame("z", "stop", "O", "s"), frame("y", "go", "O", "s")])
    first = ["--stage", f"written={gold}"]
    fails(["blame", *first], "give two stages or more", capsys)
    fails(["blame", *first, "--stage", f"heard={gold}"], "--ref GOLD", capsys)
    fails(["blame", *first, "--stage", "heard"], "is not a stage", capsys)
    fails(["blame", *first, *first], "two stages are named", capsys)
    fails(
        ["blame", "--ref", gold, *first, "--stage", f"heard={other}"], "is not in the gold", capsys
    )


def test_report_and_viewer_have_the_waterfall(
    shown: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stages = {"written": Path(shown.run), "typed": Path(f"{shown.run}#typo")}
    texts = [part for name, path in stages.items() for part in ("--stage", f"{name}={path}")]
    page = tmp_path / "report.html"
    assert main(["report", str(shown.run), *texts, "-o", str(page)]) == 0
    report = page.read_text(encoding="utf-8")
    assert report.index("Where requests are lost") < report.index('id="part-1"')
    assert report.count('class="fall ') == 3
    ids = re.findall(r' id="([^"]+)"', report)
    assert len(ids) == len(set(ids))
    capsys.readouterr()
    assert main(["report", *texts, "--json"]) == 0
    chain = json.loads(capsys.readouterr().out)["chain"]
    found = blame(stages)
    assert chain["falls"][1]["lost"] == found.stages[1].lost > 0
    with closing(open_source(shown.run)) as source:
        made = make_chain(found, stages, [source])
        client = TestClient(app([source], chain=made), base_url="http://127.0.0.1:8000")
        assert client.get("/", follow_redirects=False).headers["location"] == "/chain"
        live = client.get("/chain").text
        assert made.sentence in live
        address = f"/s/0/utterance?number={made.falls[1].lines[0].key['number']}"
        assert address in live
        assert "wrong, though the source is right" in client.get(address).text
        assert client.get("/chain.json").json()["sentence"] == made.sentence
        assert "/chain" in client.get("/try").text
        plain = TestClient(app([source]), base_url="http://127.0.0.1:8000")
        assert plain.get("/chain").status_code == 404
        assert "/chain" not in plain.get("/s/0/").text
    fails(["report"], "give a run", capsys)
