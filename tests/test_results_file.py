"""One results file: a score of a file is a run with one set, and everything reads runs."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import DataError
from mondegreen.metrics.statistics.comparison import ALL
from mondegreen.report.opening import open_source
from mondegreen.report.source import Query
from mondegreen.runs.schema import COLUMN, VERSION
from showing import Shown

REFS = ["play some jazz", "stop it now", "turn the light off", "call mum please", "stop it now"]
HYPS = ["play sum jazz", "stop it", "turn the light off", "call my mum please", "stop it now"]
ACCENTS = ["wales", "wales", "kent", "kent", "kent"]
FRAMES = ["O O B-genre", "O O O", "O O B-device O", "O B-contact O", "O O O"]


def _write(folder: Path, name: str, texts: list[str], **more: list[Any]) -> str:
    lines = [
        {"id": f"u{n}", "text": text} | {key: values[n] for key, values in more.items()}
        for n, text in enumerate(texts)
    ]
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(folder / name)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    ref = _write(tmp_path, "ref.jsonl", REFS, accent=ACCENTS)
    return ["--ref", ref, "--hyp", _write(tmp_path, "hyp.jsonl", HYPS)]


def _columns(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name FROM pragma_table_xinfo('items')")
        return [name for (name,) in rows]


def test_a_score_and_an_evaluation_have_one_schema(
    files: list[str], shown: Shown, tmp_path: Path
) -> None:
    assert main(["score", "words", *files, "--items", str(tmp_path / "a.run")]) == 0
    with mg.open_run(tmp_path / "a.run") as score, mg.open_run(shown.run) as run:
        own = [*score.counts, *(COLUMN + name for name in score.further)]
        scored = [name for name in _columns(tmp_path / "a.run") if name not in own]
        evaluated = [
            name for name in _columns(shown.run) if name not in (*run.counts, *run.metric.totals)
        ]
        assert scored == evaluated
        assert score.is_score
        assert not run.is_score
        for one in (score, run):
            assert one.finished
            assert one.rows("PRAGMA user_version").__next__()[0] == VERSION
        assert [one.name for one in score.sets] == [ALL]
        assert score.scores()[ALL]["wer"].value == score.score(ALL)["wer"].value
        item = score.item(3)
        assert (item.text, item.hyp, item.alignment) == (REFS[3], HYPS[3], "CICC")
        assert item.counts["insertions"] == 1
        assert item.columns == {"accent": "kent"}


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("words", []),
        ("words", ["--costs", "sclite", "--ignore-case"]),
        ("fluency", []),
        ("slu", []),
    ],
)
def test_rows_and_runs_are_shown_alike(
    metric: str, options: list[str], files: list[str], tmp_path: Path
) -> None:
    if metric == "slu":
        tags = [line.split() for line in FRAMES]
        files[1] = _write(tmp_path, "ref.jsonl", REFS, tags=tags, label=ACCENTS)
        guess = [["O"] * len(tags[0]), *tags[1:]]
        files[3] = _write(tmp_path, "hyp.jsonl", REFS, tags=guess, label=ACCENTS[::-1])
    paths = [tmp_path / "a.run", tmp_path / "rows" / "a.jsonl"]
    paths[1].parent.mkdir()
    contents = []
    for path in paths:
        assert main(["score", metric, *files, *options, "--items", str(path)]) == 0
        with closing(open_source(path)) as source:
            rows = list(source.rows(Query()))
            overview = source.overview()
            contents.append(
                (
                    rows,
                    source.page(Query(wrong=True)),
                    [source.utterance({"id": row["id"]}) for row in rows],
                    source.causes(),
                    (overview.sentence, overview.sets, overview.worst, overview.tables),
                    source.offered(Query(), len(rows)),
                )
            )
    assert contents[0] == contents[1]
    with mg.open_run(paths[0]) as one, mg.open_run(paths[1]) as other:
        assert one.score(ALL) == other.score(ALL)
        assert one.meta["suite_sha"] == other.meta["suite_sha"]
    assert mg.slices(paths[0]) == mg.slices(paths[1])
    assert mg.compare(*paths).rates == mg.compare(*reversed(paths)).rates


def test_every_command_reads_the_run_of_a_score(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score = ["score", "words", "--ref", files[1]]
    copy = _write(tmp_path, "good.jsonl", REFS)
    for name, hyp in (("good", copy), ("bad", files[3])):
        assert main([*score, "--hyp", hyp, "--items", str(tmp_path / f"{name}.run")]) == 0
    good, bad = (str(tmp_path / f"{name}.run") for name in ("good", "bad"))
    capsys.readouterr()
    assert main(["compare", good, bad, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    against = [*score, "--hyp", copy, "--against", files[3], "--json"]
    assert main(against) == 0
    command = json.loads(capsys.readouterr().out)["comparison"]
    assert record["sets"][ALL] == command  # the same tests, MAPSSWE included
    assert [flip["id"] for flip in record["flips"]] == ["u0", "u1", "u3"]
    assert main(["report", good, bad, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["comparison"]["sets"][ALL] == command
    assert report["reports"][1]["sets"][0]["rates"][0]["value"] == pytest.approx(3 / 16)
    stages = ["--stage", f"clean={good}", "--stage", f"noisy={bad}"]
    assert main(["blame", *stages, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == pytest.approx(3 / 5)
    assert main(["report", *stages, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["chain"]


def test_the_alignment_that_was_scored_is_shown(tmp_path: Path) -> None:
    """Stored steps are not found again from the texts, which may be aligned in another way."""
    row = {
        "id": "1",
        "ref": "a b",
        "hyp": "b c",
        "signature": "mondegreen|words|costs:unit|v:0.3.0",
    }
    counts = {"hits": 0, "substitutions": 2, "deletions": 0, "insertions": 0, "wrong": 1}
    rows = [row | counts | {"alignment": "SS"}, row | counts | {"id": "2"}]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with mg.open_run(path) as run:
        steps = run.item(0).steps
        assert steps is not None
        assert [step.kind for step in steps] == ["substitution"] * 2
        assert run.item(1).steps is None
    with closing(open_source(path)) as source:
        assert source.utterance({"id": "1"})["marked"].plain == "[-a-] {+b+} [-b-] {+c+}"
        assert source.utterance({"id": "2"})["marked"].plain == "[-a-] b {+c+}"


def test_a_run_appears_whole_or_not_at_all(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.run"
    gate = ["score", "words", *files, "--items", str(path)]
    assert main([*gate, "--by", "no_such_column"]) == 1
    assert not path.exists()
    assert main(gate) == 0
    capsys.readouterr()
    assert main(gate) == 1
    assert "exists already" in capsys.readouterr().err
    assert main([*gate, "--force"]) == 0
    assert [one for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_scores_that_do_not_go_together(files: list[str], shown: Shown, tmp_path: Path) -> None:
    short = _write(tmp_path, "short.jsonl", REFS[:4])
    other = ["--ref", short, "--hyp", _write(tmp_path, "other.jsonl", HYPS[:4])]
    for name, sides in (("a", files), ("b", other)):
        assert main(["score", "words", *sides, "--items", str(tmp_path / f"{name}.run")]) == 0
    with pytest.raises(DataError, match="scores of different utterances"):
        mg.compare(tmp_path / "a.run", tmp_path / "b.run")
    with pytest.raises(DataError, match="compare two scores of one metric"):
        mg.compare(tmp_path / "a.run", shown.run)
    command = ["score", "words", *files, "--costs", "sclite", "--items", str(tmp_path / "c.run")]
    assert main(command) == 0
    with pytest.raises(DataError, match="different recipes cannot be compared"):
        mg.compare(tmp_path / "a.run", tmp_path / "c.run")


def test_a_run_of_the_last_format_opens(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "old.run"
    path.write_bytes(shown.run.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        for column in ("hyp", "alignment"):
            connection.execute(f"ALTER TABLE items DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 2")
        connection.commit()
    with closing(open_source(path)) as old, closing(open_source(shown.run)) as new:
        assert old.overview().sets == new.overview().sets
        assert old.page(Query()).rows == new.page(Query()).rows
        assert old.causes() == new.causes()
    assert mg.compare(path, shown.run).became == (0, 0)
