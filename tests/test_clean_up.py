"""Clean-up, several systems, n-best lists, meetings, groups by length, and earnings21."""

from __future__ import annotations

import csv
import json
import tarfile
from pathlib import Path

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.pairs.texts import Side
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Files
from mondegreen.metrics.statistics.systems import compare_systems
from mondegreen.metrics.words.metric import WORDS
from mondegreen.metrics.words.oracle import best_of
from mondegreen.metrics.words.settings import WordSettings

REF = "book it TO BOSTON UH I MEAN to denver"


@pytest.mark.parametrize(
    ("hyp", "kept", "dropped", "lost", "invented", "stale"),
    [
        ("Book it to Denver.", 1, 1, 0, 0, 0),
        ("Book it to Boston.", 1 / 2, 3 / 5, 1 / 2, 0, 1),
        ("book it to Boston, uh, I mean to Denver", 1, 0, 0, 0, 0),
        ("Book to Denver", 3 / 4, 1, 1 / 4, 0, 0),
        ("Please book it to Denver", 1, 1, 0, 1 / 5, 0),
        ("", 0, 1, 1, None, 0),
    ],
)
def test_clean_up(
    hyp: str, kept: float, dropped: float, lost: float, invented: float | None, stale: float
) -> None:
    score = mg.score.fluency([REF], [hyp], clean_up=True)
    values = [
        score[f"{name}_rate"].value for name in ("kept", "dropped", "lost", "invented", "stale")
    ]
    assert values == [kept, dropped, lost, invented, stale]
    assert "norm:basic" in score.signature


def test_a_repeated_word_is_not_stale() -> None:
    tags = [["RM", "O", "O"]]
    score = mg.score.fluency(["the the jazz"], ["the jazz"], tags=tags, clean_up=True)
    assert score["stale_rate"].value == 0


def test_clean_up_of_a_perturbed_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, noisy = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    data.write_text('{"id": "1", "text": "play some jazz in the kitchen"}\n')
    assert main(["perturb", str(data), "-o", str(noisy), "--op", "fillers", "-q"]) == 0
    row = json.loads(noisy.read_text().splitlines()[0])
    hyp = tmp_path / "h.jsonl"
    hyp.write_text(json.dumps({"id": row["id"], "text": "Play some jazz in the kitchen!"}) + "\n")
    command = ["score", "fluency", "--ref", str(noisy), "--hyp", str(hyp), "--clean-up", "--json"]
    capsys.readouterr()
    assert main(command) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert scores["kept_rate"]["value"] == 1
    assert scores["dropped_rate"]["value"] == 1


def test_several_systems_in_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs = [f"play song number {i}" for i in range(40)]
    texts = {"ref": refs, "good": refs, "bad": ["stop"] * 40, "fair": [*refs[:30], *["stop"] * 10]}
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    command = ["score", "words", "--ref", str(tmp_path / "ref.txt")]
    for option, name in (("--hyp", "bad"), ("--also", "fair"), ("--also", "good")):
        command += [option, str(tmp_path / f"{name}.txt")]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("good ") and "0.00 %*" in line]
    assert "fair against bad: -75.00 points, p < 0.001" in out
    assert main([*command, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["best"]["wer"] == ["good"]
    assert len(record["tests"]) == 3
    assert all(test["p"] <= test["corrected"] for test in record["tests"])


def test_the_best_system_may_have_the_highest_rate() -> None:
    gold = [["B-a"], ["B-b"]]
    found = compare_systems(
        {"x": mg.score.slu(gold, gold), "y": mg.score.slu(gold, [["O"], ["O"]])}
    )
    assert found.best("slot_f1") == {"x"}


def test_the_oracle_takes_the_best_of_each_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert best_of(["a b", "c"], [["a", "a b"], []]) == ["a b", ""]
    with pytest.raises(DataError, match="do not pair up"):
        best_of(["a"], [])
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    ref.write_text('{"id": "1", "text": "play jazz"}\n')
    hyp.write_text('{"id": "1", "nbest": ["play jaws", "play jazz"]}\n')
    command = ["score", "words", "--ref", str(ref), "--hyp", str(hyp), "--oracle", "--json"]
    assert main(command) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["scores"]["wer"]["value"] == 0
    assert record["signature"].endswith("|oracle")
    hyp.write_text('{"id": "1", "text": "play jaws"}\n')
    assert main(command) == 1
    assert "line 1: a column nbest" in capsys.readouterr().err


def test_groups_by_length_and_words_by_rarity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.txt").write_text("stop\nplay the xylophone quietly please\n")
    (tmp_path / "hyp.txt").write_text("stop\nplay the saxophone quietly please\n")
    command = ["score", "words", "--ref", str(tmp_path / "ref.txt"), "--json"]
    command += ["--hyp", str(tmp_path / "hyp.txt"), "--by", "length", "--rarity"]
    assert main(command) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["groups"]["01-03 words"]["scores"]["wer"]["value"] == 0
    assert record["groups"]["04-07 words"]["scores"]["wer"]["value"] == 1 / 5
    assert record["rarity"]["the 100 most frequent"]["wrong"] == 0
    assert sum(one["wrong"] for one in record["rarity"].values()) == 1


def test_meetings_are_meetevals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    meeteval = pytest.importorskip("meeteval")

    def segment(speaker: str, words: str, start: float) -> dict[str, object]:
        times = {"start_time": start, "end_time": start + 1}
        return {"session_id": "m1", "speaker": speaker, "words": words, **times}

    ref = [segment("A", "hello there", 0), segment("B", "good morning all", 2)]
    hyp = [segment("x", "good morning", 2), segment("y", "hello their", 0)]
    score = mg.score.meetings(ref, hyp)
    theirs = meeteval.wer.cpwer(meeteval.io.asseglst(ref), meeteval.io.asseglst(hyp))[
        "m1"
    ].error_rate
    assert score["wer"].value == theirs == 2 / 5
    for name, side in (("ref", ref), ("hyp", hyp)):
        (tmp_path / f"{name}.json").write_text(json.dumps(side))
    files = [str(tmp_path / "ref.json"), "--hyp", str(tmp_path / "hyp.json")]
    assert main(["score", "meetings", "--ref", *files, "--way", "tcp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["wer"]["value"] == 2 / 5
    with pytest.raises(DataError, match="No way to score meetings named 'xp'"):
        mg.score.meetings(ref, hyp, way="xp")


PUBLISHED = {"google": 18.5, "amazon": 18.0, "rev_kaldi": 12.2}  # of the calls of Eval-10


def test_earnings21(shared: Path, tmp_path: Path) -> None:
    """The published word error rates of Eval-10; docs/results/earnings21.md has all 44."""
    folder = shared / "data" / "asr" / "earnings21"
    with tarfile.open(folder / "transcripts.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    with (folder / "eval10.csv").open(encoding="utf-8") as file:
        ids = {row["file_id"] for row in csv.DictReader(file)}
    ref = Side(tmp_path / "earnings21" / "transcripts", "nlp")
    sides = tuple(Side(folder / f"{name}.tsv", "kaldi") for name in PUBLISHED)
    refs, systems = WORDS.whole(Files(ref, sides), WordSettings())
    places = [place for place, id in enumerate(refs.file.ids) if id in ids]
    assert len(places) == len(ids)
    found = {}
    for (name, published), hyps in zip(PUBLISHED.items(), systems, strict=True):
        score = WORDS.score(refs.only(places), [hyps[place] for place in places], WordSettings())
        found[name] = 100 * float(score["wer"])
        assert abs(found[name] - published) < 1
        assert {"PERSON", "ORG", "DATE", "YEAR"} <= score.by_type.keys()
    assert sorted(found, key=found.__getitem__) == sorted(PUBLISHED, key=PUBLISHED.__getitem__)
