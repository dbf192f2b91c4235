"""Phoneme scores: golden costs and distances, traces, alphabets, correctness, files."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import DataError, MissingExtraError
from mondegreen.kernel import alignment as twin
from mondegreen.kernel import compiled
from mondegreen.language.sounds.phonology import (
    ARPABET_TO_IPA,
    SILENT,
    feature_system,
    to_arpabet,
    to_ipa,
)
from mondegreen.metrics.phonemes import confused, costly_features, trace

ARPABET, IPA = feature_system("hayes-arpabet"), feature_system("hayes-ipa")
PHONEMES = st.lists(st.sampled_from(ARPABET.symbols), max_size=12)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_golden_costs(shared: Path) -> None:
    folder = shared / "golden/phonemes"
    for row in rows(folder / "hayes-arpabet.sub_cost.tsv"):
        ref = row.pop("")
        for hyp, cost in row.items():
            assert ARPABET.substitution(ref, hyp) / 4 == float(cost)
    for row in rows(folder / "hayes-arpabet.ins_del_cost.tsv"):
        assert ARPABET.indel(row["phoneme"]) / 4 == float(row["ins"]) == float(row["del"])
    assert len(ARPABET.features) == 24
    assert len(ARPABET.symbols) == 40


def test_golden_distances(shared: Path) -> None:
    pairs = rows(shared / "golden/phonemes/random100.tsv")
    score = mg.score.phonemes([r["expected"] for r in pairs], [r["actual"] for r in pairs])
    for row, counts in zip(pairs, score.counts.tolist(), strict=True):
        assert sum(counts[1:4]) == int(row["phoneme_distance"])
        assert sum(counts[:3]) == int(row["phoneme_len"])
        assert counts[5] / 4 == float(row["feature_distance"])
        assert counts[4] == int(row["feature_len"])
    for row, found in zip(pairs, trace(score), strict=True):
        assert found["feature_errors"] == float(row["feature_distance"])
        costs = [float(step["cost"].split("/")[0]) for step in found["steps"]]
        assert sum(costs) == float(row["feature_distance"])


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
@given(PHONEMES, PHONEMES)
def test_kernel_and_twin_align_symbols_alike(ref: list[str], hyp: list[str]) -> None:
    assert compiled is not None
    table, indel = (np.array(part, np.int64) for part in ARPABET.costs)
    more = (ARPABET.symbols, list(SILENT))
    refs, hyps = [" ".join(["<sil>", *ref])], [" ".join([*hyp, "<unk>"])]
    fast = compiled.align_symbols(refs, hyps, *more, table, indel)
    slow = twin.align_symbols(refs, hyps, *more, table, indel)
    assert fast is not None
    assert slow is not None
    for one, other in zip(fast, slow, strict=True):
        assert [part.tolist() for part in one] == [part.tolist() for part in other]
    for align_symbols in (compiled.align_symbols, twin.align_symbols):
        assert align_symbols(["QQ"], hyps, *more, table, indel) is None


@given(PHONEMES, PHONEMES)
def test_ipa_and_arpabet_score_alike(ref: list[str], hyp: list[str]) -> None:
    one = mg.score.phonemes([" ".join(ref)], [" ".join(hyp)])
    two = mg.score.phonemes([" ".join(to_ipa(ref))], [" ".join(to_ipa(hyp))], system="hayes-ipa")
    assert one.counts.tolist() == two.counts.tolist()
    assert to_arpabet(to_ipa(ref)) == ref


def test_both_alphabets_have_the_same_features() -> None:
    assert set(ARPABET_TO_IPA) == set(ARPABET.symbols)
    for arpabet, ipa in ARPABET_TO_IPA.items():
        assert ARPABET.phonemes[arpabet] == IPA.phonemes[ipa]
    assert len(IPA.symbols) > 50
    assert len(set(map(tuple, IPA.phonemes.values()))) >= len(IPA.symbols) - 1  # ɚ is unstressed ɝ


def test_silent_symbols_are_ignored() -> None:
    plain = mg.score.phonemes(["K AE T"], ["K AE"])
    noisy = mg.score.phonemes(["<sil> K <spn> AE T"], ["K AE <unk> <sil>"])
    assert plain.counts.tolist() == noisy.counts.tolist()


def test_an_empty_transcript_is_scored() -> None:
    score = mg.score.phonemes(["", "K"], ["K", ""])
    assert score.items[0]["phoneme_error_rate"] is None
    assert score["phoneme_error_rate"].value == 2.0


def test_the_trace_names_the_features_that_change() -> None:
    score = mg.score.phonemes(["K AE T"], ["G AE"])
    (row,) = trace(score)
    voiced, same, lost = row["steps"]
    assert voiced == {
        "action": "SUB", "from": "K", "to": "G", "cost": "1/24",
        "features": [{"name": "voice", "from": "-", "to": "+", "cost": 1.0}],
    }  # fmt: skip
    assert same["cost"] == "0/24"
    assert (lost["action"], lost["from"], lost["to"]) == ("DEL", "T", None)
    assert confused(score) == {("K", "G"): 1, ("T", "-"): 1}
    assert costly_features(score)["voice"] == 2.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("K XX T", "utterance '1': symbol 2 ('XX') is not a phoneme of hayes-arpabet"),
        ("K AE1 T", "stress digits and lower case are accepted with --lenient"),
        ("k ae t", "accepted with --lenient"),
        ("K æ T", "it belongs to another alphabet: choose --system hayes-ipa"),
    ],
)
def test_unknown_symbols_raise_with_their_position(text: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        mg.score.phonemes([text], ["K"])
    assert message in str(error.value)


def test_lenient_reading() -> None:
    score = mg.score.phonemes(["hh aw1 s"], ["HH AW S"], lenient=True)
    assert score["phoneme_error_rate"].value == 0.0
    assert "|lenient|" in score.signature


@pytest.mark.parametrize(("ending", "separator"), [(".csv", ","), (".tsv", "\t")])
def test_a_table_from_a_file(ending: str, separator: str, tmp_path: Path) -> None:
    path = tmp_path / f"table{ending}"
    lines = [("phoneme", "voice", "nasal"), ("p", "-", "-"), ("b", "+", "-"), ("m", "+", "0")]
    path.write_text("".join(separator.join(line) + "\n" for line in lines))
    score = mg.score.phonemes(["p m"], ["b m"], system=str(path))
    assert score["feature_error_rate"].value == 1 / 4
    path.write_text(path.read_text().replace("0", "x"))
    feature_system.clear()
    with pytest.raises(DataError, match="line 4: 'x' is not a value; write"):
        mg.score.phonemes(["p"], ["b"], system=str(path))


def test_only_the_needed_costs_of_a_large_table_are_computed(tmp_path: Path) -> None:
    small = mg.score.phonemes(["K AE T"], ["G AE"])
    path = tmp_path / "many.tsv"
    lines = [("phoneme", *ARPABET.features)]
    lines += [(symbol, *values) for symbol, values in ARPABET.phonemes.items()]
    lines += [(f"x{i}", *ARPABET.phonemes["K"]) for i in range(6000)]
    path.write_text("".join("\t".join(line) + "\n" for line in lines))
    large = mg.score.phonemes(["K AE T"], ["G AE"], system=str(path))
    assert large.counts.tolist() == small.counts.tolist()
    with pytest.raises(DataError, match=r"symbol 1 \('Q'\) is not a phoneme"):
        mg.score.phonemes(["Q"], ["G AE"], system=str(path))


def test_unknown_systems_and_missing_extras_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    with pytest.raises(DataError, match="Did you mean 'hayes-ipa'"):
        feature_system("hayes-ip")
    monkeypatch.setitem(sys.modules, "panphon", None)
    with pytest.raises(MissingExtraError, match=r"mondegreen\[panphon\]"):
        feature_system("panphon")
    with pytest.raises(DataError, match="'Q' has no counterpart"):
        to_ipa(["Q"])


@pytest.fixture
def psst(tmp_path: Path) -> tuple[Path, Path]:
    ref, hyp = tmp_path / "valid.tsv", tmp_path / "asr.tsv"
    ref.write_text(
        "utterance_id\ttranscript\tcorrectness\nb1-house\tHH AW S\tTrue\nb2-comb\tK OW M\tFalse\n"
    )
    hyp.write_text("utterance_id\tasr_transcript\nb2-comb\tK OW N\nb1-house\tHH AW S\n")
    return ref, hyp


def test_psst_files_on_the_command_line(
    psst: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = psst
    traced = ref.parent / "trace.jsonl"
    files = ["score", "phonemes", "--ref", str(ref), "--hyp", str(hyp)]
    assert main([*files, "--json", "--trace", str(traced)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scores"]["phoneme_error_rate"]["value"] == 1 / 6
    assert found["scores"]["feature_error_rate"]["denominator"] == 144
    assert len(traced.read_text().splitlines()) == 2
    assert main([*files, "--confusions", "3", "--by", "correctness"]) == 0
    out = capsys.readouterr().out
    assert "1  M → N" in out
    assert "correctness False" in out


@pytest.mark.parametrize(
    ("name", "ref", "hyp"),
    [
        ("a.txt", "HH AH L OW\nW ER L D\n", "HH AH L UW\nW ER D\n"),
        ("a.trn", "HH AH L OW (u1)\nW ER L D (u2)\n", "W ER D (u2)\nHH AH L UW (u1)\n"),
        ("text", "u1 HH AH L OW\nu2 W ER L D\n", "u2 W ER D\nu1 HH AH L UW\n"),
        (
            "a.jsonl",
            '{"text": "HH AH L OW"}\n{"text": "W ER L D"}\n',
            '{"text": "HH AH L UW"}\n{"text": "W ER D"}\n',
        ),
    ],
)
def test_plain_transcripts(
    name: str, ref: str, hyp: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for side, content in (("ref", ref), ("hyp", hyp)):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_text(content)
        files += [f"--{side}", str(tmp_path / side / name)]
    format = {"a.txt": "txt", "text": "kaldi"}.get(name)
    against = ["--against", str(shutil.copytree(tmp_path / "hyp", tmp_path / "other") / name)]
    for more in (against, ["--format", format, *against] if format else []):
        assert main(["score", "phonemes", *files, *more, "--json", "--no-intervals"]) == 0
        rate = json.loads(capsys.readouterr().out)["scores"]["phoneme_error_rate"]
        assert (rate["numerator"], rate["denominator"]) == (2, 8)


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "phonemes", "--ref", "-", "--hyp", "-"]) == 2
    assert "only one of the files can be standard input" in capsys.readouterr().err


def test_pairs_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("id,reference,hypothesis\n1,K AE T,K AE T\n2,D AO G,D AO\n")
    assert main(["score", "phonemes", "--pairs", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["phoneme_error_rate"]["numerator"] == 1
    assert main(["score", "phonemes", "--pairs", str(path), "--ref", str(path)]) == 2
    assert main(["score", "phonemes"]) == 2


def test_correctness_on_the_command_line(
    psst: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, _ = psst
    hyp = ref.parent / "predictions.tsv"
    hyp.write_text("utterance_id\tprediction\nb1-house\tyes\nb2-comb\t1\n")
    files = ["score", "correctness", "--ref", str(ref), "--hyp", str(hyp)]
    assert main([*files, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert {name: rate["value"] for name, rate in scores.items()} == {
        "f1": 2 / 3, "precision": 0.5, "recall": 1.0, "accuracy": 0.5, "specificity": 0.0,
    }  # fmt: skip
    assert main(files) == 0
    assert "actual False         1          0" in capsys.readouterr().out


BAD = [
    ("utterance_id\ttranscript\nx\tHH AW S\n", "", "the file is empty"),
    (
        "utterance_id\twrong\nx\tHH\n",
        None,
        "there is no column reference or ref or transcript or text",
    ),
    ("name\ttranscript\nx\tHH\n", None, "do not pair up"),
    ("utterance_id\ttranscript\nx\tHH\nx\tHH\n", None, "line 3: the id 'x' occurs twice"),
    ("utterance_id\ttranscript\nx\tHH\ty\n", None, "line 2: 3 fields for the 2 columns"),
    ("utterance_id\ttranscript\nx\tHH\n", None, "1 (such as 'x') without hypothesis"),
    ("utterance_id\ttranscript\nb1\tQQ\n", None, "'b1': symbol 1 ('QQ') is not a phoneme"),
]


@pytest.mark.parametrize(("ref", "hyp", "message"), BAD)
def test_wrong_input_exits_with_1(
    ref: str, hyp: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.tsv").write_text(ref)
    (tmp_path / "hyp.tsv").write_text(
        "utterance_id\tasr_transcript\nb1\tHH\n" if hyp is None else hyp
    )
    files = ["--ref", str(tmp_path / "ref.tsv"), "--hyp", str(tmp_path / "hyp.tsv")]
    assert main(["score", "phonemes", *files]) == 1
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_misspelt_truth_value_is_named(
    psst: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ref, _ = psst
    hyp = ref.parent / "p.tsv"
    hyp.write_text("utterance_id\tprediction\nb1-house\tTrue\nb2-comb\tFasle\n")
    assert main(["score", "correctness", "--ref", str(ref), "--hyp", str(hyp)]) == 1
    assert "utterance 'b2-comb': 'Fasle' is neither true nor false" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [("haʊs", 3), ("h aʊ s", 3), ("t͡ʃiz", 3), ("tʃiz", 3), ("h a͡ʊ s", 3), ("ðə haʊs", 5)],
)
def test_ipa_needs_neither_spaces_nor_tie_bars(text: str, phonemes: int) -> None:
    score = mg.score.phonemes([text], [text], system="hayes-ipa")
    rate = score["phoneme_error_rate"]
    assert (rate.numerator, rate.denominator) == (0, phonemes)
    spaced = mg.score.phonemes(["h a͡ʊ s"], ["k a͡ʊ s"], system="hayes-ipa")
    closed = mg.score.phonemes(["haʊs"], ["kaʊs"], system="hayes-ipa")
    assert spaced.sums() == closed.sums()


def test_marks_of_length_are_dropped_or_refused_with_advice() -> None:
    with pytest.raises(DataError, match="dropped with --lenient"):
        mg.score.phonemes(["iː"], ["i"], system="hayes-ipa")
    score = mg.score.phonemes(["ˈiːzi"], ["izi"], system="hayes-ipa", lenient=True)
    assert score["phoneme_error_rate"].denominator == 3
    with pytest.raises(DataError, match="write phonemes of the table, with spaces"):
        mg.score.phonemes(["ħa"], ["a"], system="hayes-ipa")
