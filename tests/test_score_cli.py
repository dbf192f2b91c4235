"""``mondegreen score`` as its user meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample
from mondegreen.variants import perturb


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["score", *map(str, arguments)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    return json.loads(run(capsys, *arguments, "--json"))


def fails(capsys: pytest.CaptureFixture[str], message: str, *arguments: object) -> None:
    assert main(["score", *map(str, arguments)]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.startswith("mondegreen: ")
    assert said.count("\n") == 1
    assert "Traceback" not in said


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    ref, hyp = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    ref.write_text("play some jazz\n\nstop it now\n")
    hyp.write_text("play jazz\nuh\nstop it now\n")
    return ref, hyp


def test_json_has_the_keys_that_are_promised(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = files
    found = run_json(capsys, "words", "--ref", ref, "--hyp", hyp)
    assert list(found) == ["metric", "signature", "n", "scores", "small_sample", "counts"]
    assert found["n"] == 3
    assert set(found["scores"]) >= {"wer", "mer", "wil", "cer"}
    assert list(found["scores"]["wer"]) == ["value", "low", "high", "numerator", "denominator"]
    assert found["scores"]["wer"]["value"] == 2 / 6
    assert found["counts"]["insertions"] == 1
    again = run_json(capsys, "words", "--ref", ref, "--hyp", hyp)
    assert again == found


def test_the_table_alignment_and_confusions(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = files
    said = run(capsys, "words", "--ref", ref, "--hyp", hyp, "--errors", "--confusions", 5)
    assert "REF:  play some jazz" in said
    assert "HYP:  play **** jazz" in said
    assert "stop it now" not in said
    assert "wer" in said
    assert "33.33 %" in said
    assert "1  some" in said
    assert "stop it now" in run(capsys, "words", "--ref", ref, "--hyp", hyp, "--align")


def test_json_stays_one_object_whatever_else_is_asked_for(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = files
    both = ["--ref", ref, "--hyp", hyp]
    found = run_json(capsys, "words", *both, "--align", "--errors", "--confusions", 5)
    assert found["confusions"]["deletions"] == [[["some"], 1]]
    assert run_json(capsys, "fluency", *both, "--align")["n"] == 3


def test_items_are_written(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    ref, hyp = files
    items = ref.parent / "items.jsonl"
    run(capsys, "words", "--ref", ref, "--hyp", hyp, "--items", items)
    rows = [json.loads(line) for line in items.read_text().splitlines()]
    assert [row["wer"] for row in rows] == [1 / 3, None, 0]
    fails(capsys, "exists already", "words", "--ref", ref, "--hyp", hyp, "--items", items)


def test_groups_blocks_and_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, one, two = (tmp_path / f"{name}.jsonl" for name in ("ref", "one", "two"))
    rows = [
        {"id": str(i), "text": "a b c d", "speaker": "ann" if i % 2 else "bob"} for i in range(20)
    ]
    ref.write_text("".join(json.dumps(row) + "\n" for row in rows))
    one.write_text("".join(f'{{"id": "{i}", "text": "a b c x"}}\n' for i in reversed(range(20))))
    two.write_text("".join(f'{{"id": "{i}", "text": "a b c d"}}\n' for i in range(20)))
    base = ["words", "--ref", ref, "--hyp", one, "--by", "speaker", "--blocks", "speaker"]
    found = run_json(capsys, *base, "--against", two)
    assert {name: part["n"] for name, part in found["groups"].items()} == {"bob": 10, "ann": 10}
    assert found["comparison"]["rates"]["wer"]["difference"] == -0.25
    assert found["comparison"]["flips"] == {"worse": 0, "better": 20}
    said = run(capsys, *base, "--against", two)
    assert "speaker ann" in said
    assert "McNemar" in said
    head, bob, ann = run(capsys, *base, "--no-intervals").splitlines()[-3:]
    assert head.split() == ["utterances", "wer", "mer", "wil", "cer", "ser"]
    assert bob.split()[:7] == ["speaker", "bob", "10", "25.00", "%", "10", "/"]
    assert ann.startswith("speaker ann")
    fails(capsys, "has no column 'age' (its columns: speaker)", *base[:-4], "--by", "age")


@pytest.mark.parametrize(
    ("name", "ref", "hyp"),
    [
        ("text", "u1 a b\nu2 c\n", "u2 c\nu1 a\n"),
        ("x.trn", "a b (u1)\nc (u2)\n", "c (u2)\na (u1)\n"),
        (
            "x.jsonl",
            '{"id":"u1","text":"a b"}\n{"id":"u2","text":"c"}\n',
            '{"id":"u2","text":"c"}\n{"id":"u1","text":"a"}\n',
        ),
        ("x.csv", "id,text\nu1,a b\nu2,c\n", "id,text\nu2,c\nu1,a\n"),
        ("x.tsv", "u1\ta b\nu2\tc\n", "u2\tc\nu1\ta\n"),
    ],
)
def test_pairs_are_found_by_id(
    name: str, ref: str, hyp: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, content in (("r", ref), ("h", hyp)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content)
    found = run_json(
        capsys, "words", "--ref", tmp_path / "r" / name, "--hyp", tmp_path / "h" / name
    )
    assert found["scores"]["wer"]["numerator"] == 1


def test_fluency_by_case_tags_edits_and_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.txt").write_text("UH play THE the jazz\n")
    (tmp_path / "hyp.txt").write_text("play the jaws\n")
    files = ["--ref", tmp_path / "ref.txt", "--hyp", tmp_path / "hyp.txt"]
    found = run_json(capsys, "fluency", *files, "--align-file", tmp_path / "align.txt")
    assert found["scores"]["fluent_error_rate"]["value"] == 1 / 3
    assert found["scores"]["disfluent_error_rate"]["value"] == 0
    assert "REF:  UH play THE the jazz" in (tmp_path / "align.txt").read_text()

    (tmp_path / "tags.tsv").write_text("id\twords\ttags\n1\tuh play the the jazz\tF O RM O O\n")
    (tmp_path / "hyp.jsonl").write_text('{"id": "1", "text": "play the jaws"}\n')
    tagged = ["--ref", tmp_path / "tags.tsv", "--hyp", tmp_path / "hyp.jsonl"]
    assert run_json(capsys, "fluency", *tagged)["counts"] == found["counts"]
    types = run_json(capsys, "fluency", *tagged, "--types")["types"]
    assert types["RM"] == {"dropped": 1}
    assert "RM                 1        1        0        0" in run(
        capsys, "fluency", *tagged, "--types"
    )

    variants = list(perturb(sample(), "fillers", seed=1))
    write(variants, tmp_path / "noisy.jsonl")
    (tmp_path / "clean.jsonl").write_text(
        "".join(json.dumps({"id": v.utterance.id, "text": v.parent.text}) + "\n" for v in variants)
    )
    perfect = run_json(
        capsys, "fluency", "--ref", tmp_path / "noisy.jsonl", "--hyp", tmp_path / "clean.jsonl"
    )
    assert perfect["scores"]["edited_f1"]["value"] == 1.0
    assert perfect["scores"]["fluent_error_rate"]["value"] == 0.0
    assert perfect["counts"]["disfluent_deletions"] == sum(len(v.edits) for v in variants)


def test_the_ledger_marks_what_was_put_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "clean.txt").write_text("play some jazz\nof course\n")
    noisy, ledger = tmp_path / "noisy.jsonl", tmp_path / "ledger.jsonl"
    arguments = ["--op", "fillers", "--ledger", str(ledger), "-q"]
    assert main(["perturb", str(tmp_path / "clean.txt"), "-o", str(noisy), *arguments]) == 0
    (tmp_path / "hyp.jsonl").write_text(
        '{"id": "1/fillers/0", "text": "play some jazz"}\n'
        '{"id": "2/fillers/0", "text": "of course"}\n'
    )
    found = run_json(
        capsys, "fluency", "--ref", noisy, "--hyp", tmp_path / "hyp.jsonl", "--ledger", ledger
    )
    assert found["scores"]["edited_f1"]["value"] == 1.0


def test_real_disfluencies(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A system that gives every word back drops nothing; one that gives none drops all."""
    turns = shared / "data/disfluency/switchboard_sample/turns.tsv"
    rows = [line.split("\t") for line in turns.read_text().splitlines()[1:]]
    (tmp_path / "all.tsv").write_text("id\ttext\n" + "".join(f"{r[0]}\t{r[1]}\n" for r in rows))
    (tmp_path / "none.tsv").write_text("id\ttext\n" + "".join(f"{r[0]}\t\n" for r in rows))
    for name, rate in (("all", 1.0), ("none", 0.0)):
        found = run_json(
            capsys, "fluency", "--ref", turns, "--hyp", tmp_path / f"{name}.tsv", "--no-intervals"
        )
        assert found["n"] == 3724
        assert found["scores"]["disfluent_error_rate"]["value"] == rate
        assert found["scores"]["fluent_error_rate"]["value"] == 1 - rate


BAD = [
    ("a\nb\n", "a\n", "has 2 lines, ", "ref.txt"),
    ("a\n", "a\nb\n", "has 1 lines, ", "ref.txt"),
    ("a\n", "", "the file is empty", "ref.txt"),
    ("a\n", "\0\n", "a NUL byte", "ref.txt"),
    ("u1 a\nu1 b\n", "u1 a\n", "the id 'u1' occurs twice", "text"),
    ("u1 a\nu2 b\n", "u1 a\n", "1 (such as 'u2') without hypothesis", "text"),
    ("u1 a\n", "u1 a\nu3 b\n", "1 (such as 'u3') without reference", "text"),
    ("{ a / b (u1)\n", "a (u1)\n", "the braces of an alternation do not match", "x.trn"),
]


@pytest.mark.parametrize(("ref", "hyp", "message", "name"), BAD)
def test_wrong_input_exits_with_1(
    ref: str, hyp: str, message: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, content in (("r", ref), ("h", hyp)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content)
    fails(capsys, message, "words", "--ref", tmp_path / "r" / name, "--hyp", tmp_path / "h" / name)


def test_more_wrong_input(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    ref, hyp = files
    both = ["--ref", ref, "--hyp", hyp]
    fails(capsys, "there is no such file", "words", "--ref", ref, "--hyp", ref.parent / "no.txt")
    fails(capsys, "No cost table named 'nit'", "words", *both, "--costs", "nit")
    fails(capsys, "has no column 'speaker'", "words", *both, "--by", "speaker")
    fails(capsys, "insertions must be fluent or region", "fluency", *both, "--insertions", "x")
    fails(capsys, "--types needs tags", "fluency", *both, "--types")
    hyp.write_text("PLAY JAZZ\nUH\nSTOP\n")
    fails(capsys, "the hypotheses are in upper case", "fluency", *both)
    hyp.write_bytes(b"play\xff\nuh\nstop\n")
    fails(capsys, "hyp.txt, line 1: byte 5 (0xff) is not UTF-8", "words", *both)


def test_no_disfluent_word_is_no_crash(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = files
    found = run_json(capsys, "fluency", "--ref", ref, "--hyp", hyp)
    assert found["scores"]["disfluent_error_rate"]["value"] is None
    said = run(capsys, "fluency", "--ref", ref, "--hyp", hyp)
    assert "disfluent_error_rate  denominator is 0" in said


def test_sclite_s_own_test(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared / "data/asr/sclite"
    found = run_json(
        capsys,
        "words",
        "--ref",
        folder / "csrnab.ref",
        "--hyp",
        folder / "csrnab.hyp",
        "--format",
        "trn",
        "--costs",
        "sclite",
        "--ignore-case",
    )
    assert found["n"] == 51
    assert found["scores"]["wer"]["denominator"] == 1406
    counts = found["counts"]
    assert [counts[c] for c in ("substitutions", "deletions", "insertions")] == [131, 12, 26]


def test_a_trn_file_by_another_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.ref").write_text("play { ice cream / x } (u1)\n(uh) stop (u2)\n")
    (tmp_path / "x.hyp").write_text("play icecream (u1)\nstop (u2)\n")
    files = ["--ref", tmp_path / "x.ref", "--hyp", tmp_path / "x.hyp"]
    assert run_json(capsys, "words", *files)["scores"]["wer"]["numerator"] == 1
    for more in (["--compounds"], ["--compounds", "--normalise", "basic"]):
        assert run_json(capsys, "words", *files, *more)["scores"]["wer"]["numerator"] == 0


def test_long_utterances_with_compounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [f"w{i % 700}" for i in range(3000)]
    (tmp_path / "r.txt").write_text(" ".join([*words, "ice", "cream"]) + "\n")
    (tmp_path / "h.txt").write_text(" ".join([*words, "icecream"]) + "\n")
    files = ["--ref", tmp_path / "r.txt", "--hyp", tmp_path / "h.txt", "--compounds"]
    assert run_json(capsys, "words", *files, "--no-intervals")["scores"]["wer"]["numerator"] == 0


def test_a_ledger_of_other_ids_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.txt").write_text("play some jazz\n")
    noisy, ledger = str(tmp_path / "n.txt"), str(tmp_path / "l.jsonl")
    source = str(tmp_path / "c.txt")
    assert main(["perturb", source, "-o", noisy, "--op", "fillers", "--ledger", ledger, "-q"]) == 0
    files = ["fluency", "--ref", noisy, "--hyp", source, "--ledger", ledger]
    fails(capsys, "none of its ids (such as '1/fillers/0')", *files)


def test_slots_are_not_taken_for_disfluencies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(perturb(sample(), "fillers"), tmp_path / "n.csv")
    write(sample(), tmp_path / "c.csv")
    files = ["fluency", "--ref", tmp_path / "n.csv", "--hyp", tmp_path / "c.csv"]
    fails(capsys, "the tags look like slots", *files)


def test_chinese_fluency(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "zh.txt").write_text("播放一些爵士乐\n停止播放\n")
    noisy, ledger = str(tmp_path / "n.jsonl"), str(tmp_path / "l.jsonl")
    arguments = ["--op", "fillers(language=zh)", "--ledger", ledger, "-q"]
    assert main(["perturb", str(tmp_path / "zh.txt"), "-o", noisy, *arguments]) == 0
    for more in ([], ["--ledger", ledger]):
        (tmp_path / "hyp.jsonl").write_text(
            '{"id": "1/fillers/0", "text": "播放一些爵士乐"}\n'
            '{"id": "2/fillers/0", "text": "停止播放"}\n'
        )
        found = run_json(capsys, "fluency", "--ref", noisy, "--hyp", tmp_path / "hyp.jsonl", *more)
        assert found["scores"]["fluent_error_rate"]["value"] == 0
        assert found["scores"]["edited_f1"]["value"] == 1


@pytest.mark.parametrize(
    "record",
    ['"tokens": 5', '"tokens": [1]', '"tags": 5', '"edits": 5', '"edits": [{}]',
     '"edits": [{"start": "a"}]', '"tags": ["O", "F"]'],
)  # fmt: skip
def test_records_that_are_not_tagged_utterances(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.jsonl").write_text(f'{{"id": "1", "text": "a b c", "tags": ["O"], {record}}}\n')
    (tmp_path / "h.jsonl").write_text('{"id": "1", "text": "a"}\n')
    files = ["fluency", "--ref", tmp_path / "r.jsonl", "--hyp", tmp_path / "h.jsonl"]
    fails(capsys, "r.jsonl, line 1: ", *files)


def test_double_ids_of_tagged_references(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.jsonl").write_text('{"id": "a", "text": "b", "tags": ["F"]}\n' * 2)
    (tmp_path / "h.jsonl").write_text('{"id": "a", "text": "b"}\n')
    files = ["fluency", "--ref", tmp_path / "r.jsonl", "--hyp", tmp_path / "h.jsonl"]
    fails(capsys, "the id 'a' occurs twice", *files)


def test_groups_by_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("r.jsonl", "h.jsonl"):
        write(sample(), tmp_path / name)
    files = ["words", "--ref", tmp_path / "r.jsonl", "--hyp", tmp_path / "h.jsonl", "--by", "label"]
    assert len(run_json(capsys, *files, "--no-intervals")["groups"]) == 14


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "words", "--ref", "-", "--hyp", "-"]) == 2
    assert "only one of the files can be standard input" in capsys.readouterr().err


def test_items_hold_both_sides_and_the_other_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp, items = (tmp_path / name for name in ("ref.jsonl", "hyp.jsonl", "items.jsonl"))
    ref.write_text('{"id": "a", "text": "UH play THE the jazz", "speaker": "ann"}\n')
    hyp.write_text('{"id": "a", "text": "play jazz"}\n')
    run(capsys, "fluency", "--ref", ref, "--hyp", hyp, "--items", items)
    row = json.loads(items.read_text())
    assert (row["ref"], row["hyp"]) == ("UH play THE the jazz", "play jazz")
    assert row["columns"] == {"speaker": "ann"}
    assert row["signature"].startswith("mondegreen|fluency|")


def test_items_mark_tagged_words_by_their_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp, items = (tmp_path / name for name in ("ref.tsv", "hyp.jsonl", "items.jsonl"))
    ref.write_text("id\twords\ttags\na\tuh play I jazz\tF O O O\n")
    hyp.write_text('{"id": "a", "text": "play jazz"}\n')
    run(capsys, "fluency", "--ref", ref, "--hyp", hyp, "--items", items)
    assert json.loads(items.read_text())["ref"] == "UH play i jazz"


def test_quoted_fields_are_read_in_every_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = tmp_path / "ref.csv", tmp_path / "hyp.csv"
    ref.write_text('utterance_id,transcript,correctness,note\n"a,1","HH AW S",True,"x, y"\n')
    hyp.write_text('utterance_id,asr_transcript,prediction\n"a,1","HH AW Z",True\n')
    for metric, rate, value in (
        ("phonemes", "phoneme_error_rate", 1 / 3),
        ("correctness", "accuracy", 1),
    ):
        assert main(["score", metric, "--ref", str(ref), "--hyp", str(hyp), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["scores"][rate]["value"] == pytest.approx(value)


@pytest.mark.parametrize("metric", ["words", "fluency", "phonemes"])
def test_the_format_that_is_named_holds_for_both_sides(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = tmp_path / "ref.trn", tmp_path / "hyp.txt"
    ref.write_text("k ae t (u1)\n(u2)\n")
    hyp.write_text("(u2)\nk ae (u1)\n")
    arguments = ["score", metric, "--ref", str(ref), "--hyp", str(hyp), "--format", "trn", "--json"]
    lenient = ["--lenient"] if metric == "phonemes" else []
    assert main([*arguments, *lenient]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert next(iter(scores.values()))["value"] == pytest.approx(1 / 3)
    hyp.write_text("k ae\n\n")
    assert main([*arguments, *lenient, "--hyp-format", "txt"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert next(iter(scores.values()))["value"] == pytest.approx(1 / 3)


@pytest.fixture
def systems(tmp_path: Path) -> Path:
    """References of two speakers, a perfect system, and one that is wrong once per utterance."""
    words = ["play", "some", "jazz", "now", "please", "stop"]
    lines: dict[str, list[str]] = {"ref": [], "good": [], "bad": []}
    for i in range(40):
        text = " ".join(words[(i + j) % 6] for j in range(5))
        speaker = "ann" if i % 2 else "bob"
        lines["ref"].append(json.dumps({"id": str(i), "text": text, "speaker": speaker}))
        lines["good"].append(json.dumps({"id": str(i), "text": text}))
        lines["bad"].append(json.dumps({"id": str(i), "text": text + " x"}))
    for name, content in lines.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(content) + "\n")
    return tmp_path


def _score(folder: Path, hyp: str, *more: str) -> int:
    files = ["--ref", str(folder / "ref.jsonl"), "--hyp", str(folder / f"{hyp}.jsonl")]
    return main(["score", "words", *files, *more])


def test_two_systems_are_compared_in_every_group(
    systems: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    against = ["--against", str(systems / "good.jsonl"), "--by", "speaker"]
    assert _score(systems, "bad", *against, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    for part in (record, *record["groups"].values()):
        wer = part["comparison"]["rates"]["wer"]
        assert (wer["first"], wer["second"]) == (0.2, 0)
        assert wer["p"] < 0.001
    assert _score(systems, "bad", *against) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines() if "20.00 %" in line and "-20.00" in line]
    assert [row[0] for row in rows] == ["all", "bob", "ann", "wer"]
    assert "speaker ann" in out


@pytest.mark.parametrize(
    ("hyp", "options", "code", "message"),
    [
        ("bad", ["--against", "good", "--fail-if-worse"], 3, "wer is significantly worse on all"),
        ("bad", ["--against", "good", "--by", "speaker", "--fail-if-worse", "wer"], 3, "on ann"),
        ("good", ["--against", "bad", "--fail-if-worse"], 0, "passed"),
        ("bad", ["--fail-over", "wer=0.12"], 3, "wer is 20.00 %, over 12 %"),
        ("bad", ["--fail-over", "wer=0.2"], 0, "passed"),
        ("good", ["--fail-under", "wer=0.1"], 3, "wer is 0.00 %, under 10 %"),
        ("bad", ["--fail-over", "war=0.12"], 2, "Did you mean 'wer'?"),
        ("bad", ["--fail-over", "wer"], 2, "RATE=NUMBER"),
        ("bad", ["--fail-if-worse"], 2, "--fail-if-worse needs --against"),
    ],
)
def test_gates_of_scores(
    hyp: str,
    options: list[str],
    code: int,
    message: str,
    systems: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = [str(systems / f"{one}.jsonl") if one in ("good", "bad") else one for one in options]
    assert _score(systems, hyp, *named, "--no-intervals") == code
    assert message in capsys.readouterr().err


def test_compare_takes_items_of_scores(systems: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("good", "bad"):
        assert _score(systems, name, "--items", str(systems / f"{name}.items"), "--json") == 0
    capsys.readouterr()
    items = [str(systems / f"{name}.items") for name in ("good", "bad")]
    assert main(["compare", *items, "--fail-if-worse", "--json"]) == 3
    record = json.loads(capsys.readouterr().out)
    assert record["gate"]["rate"] == "wer"
    assert len(record["flips"]) == 40
    assert main(["compare", *reversed(items), "--fail-if-worse", "wer"]) == 0
    assert "40 became right, 0 became wrong" in capsys.readouterr().out
