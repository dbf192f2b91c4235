"""Scores: rates, sums, groups, intervals and tests; parity with jiwer, sclite and the evaluator."""

from __future__ import annotations

import csv
import unicodedata
from pathlib import Path

import jiwer
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.align.costs import UNIT
from mondegreen.data.pairs.joining import paired
from mondegreen.data.pairs.texts import Side, read_texts
from mondegreen.errors import DataError, MissingExtraError
from mondegreen.kernel import alignment as twin
from mondegreen.kernel import compiled
from mondegreen.metrics.normalisation.normalise import basic, lower_case
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.alignments import alignment_lines
from mondegreen.metrics.words.readings import Reader
from random_pairs import pairs

CASES = [
    # ref          hyp              H  S  D  I  rate
    ("", "uh", 0, 0, 0, 1, None),
    ("", "", 0, 0, 0, 0, None),
    ("play jazz", "", 0, 0, 2, 0, 1.0),
    ("play jazz", "play the jazz", 2, 0, 0, 1, 0.5),
    ("play jazz", "play jaws", 1, 1, 0, 0, 0.5),
    ("play\u00a0jazz", "play\tjazz", 2, 0, 0, 0, 0.0),
]


@pytest.mark.parametrize(("ref", "hyp", "h", "s", "d", "i", "rate"), CASES)
def test_counts_and_rate(
    ref: str, hyp: str, h: int, s: int, d: int, i: int, rate: float | None
) -> None:
    score = mg.score.words([ref], [hyp])
    assert score.counts[0, :4].tolist() == [h, s, d, i]
    assert score["wer"].value == rate


def test_rates_are_jiwer_s_on_20_000_pairs() -> None:
    refs, hyps = pairs(20_000)
    ours, theirs = mg.score.words(refs, hyps), jiwer.process_words(refs, hyps)
    assert ours["wer"].value == pytest.approx(theirs.wer, abs=1e-12)
    for k in range(0, 20_000, 40):
        one = jiwer.process_words(refs[k], hyps[k])
        assert ours.counts[k, 1:4].sum() == one.substitutions + one.deletions + one.insertions
    assert ours["cer"].value == pytest.approx(jiwer.cer(refs, hyps), abs=1e-12)


def test_mer_and_wil_are_jiwer_s_where_alignments_agree() -> None:
    """Both depend on the split into hits and errors, which ties leave open; here there are none."""
    refs, hyps = ["a b c d", "e f"], ["a x c", "e f g"]
    ours, theirs = mg.score.words(refs, hyps), jiwer.process_words(refs, hyps)
    assert ours["mer"].value == pytest.approx(theirs.mer)
    assert ours["wil"].value == pytest.approx(theirs.wil)


@pytest.mark.skipif(compiled is None, reason="calls of 8,000 words are too long for the twin")
@pytest.mark.parametrize("system", ["amazon", "google", "rev_kaldi"])
def test_wer_is_jiwer_s_on_earnings21(shared: Path, system: str) -> None:
    folder = shared / "data/asr/earnings21"
    refs = read_texts(Side(folder / "ref.tsv"))
    hyps = paired(refs, read_texts(Side(folder / f"{system}.tsv")))
    ours = mg.score.words(refs.texts, hyps)
    for k in range(44):
        theirs = jiwer.process_words(refs.texts[k], hyps[k])
        assert ours.counts[k, 1:4].sum() == (
            theirs.substitutions + theirs.deletions + theirs.insertions
        )


def test_sclite_s_own_test(shared: Path) -> None:
    folder = shared / "data/asr/sclite"
    refs, hyps = (read_texts(Side(folder / f"csrnab.{side}", "trn")) for side in ("ref", "hyp"))
    heard = paired(refs, hyps, ignore_case=True)
    score = mg.score.words(refs.texts, heard, costs="sclite", ignore_case=True, alternatives=True)
    sums = score.counts.sum(axis=0)[:4].tolist()
    assert len(score) == 51
    assert sums[1:] == [131, 12, 26]
    assert score["wer"].denominator == 1406


def test_golden_fluency(shared: Path) -> None:
    folder = shared / "golden/fluency"
    refs, hyps = ((folder / f"{side}.txt").read_text().splitlines() for side in ("ref", "hyp"))
    score = mg.score.fluency(refs, hyps)
    names = [f"exact_{kind}{step}" for kind in "fd" for step in "CSDI"]
    with (folder / "per_utterance.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 250
    costs = [0, 40_000_000, 30_000_000, 30_000_000, 1, 40_000_001, 29_999_999]
    for row, counts in zip(rows, score.counts.tolist(), strict=True):
        assert counts[:8] == [int(row[name]) for name in names], row["idx"]
        cost = sum(n * c for n, c in zip(counts[:7], costs, strict=True))
        inserted = int(row["exact_cost_1e-7"]) - cost  # an insertion after a disfluent word: 1 more
        assert 0 <= inserted <= counts[3]


DEFECTS = [
    # the published evaluator's own faults, and what is right
    ("IS IT is it x", "it x", [2, 0, 1, 0, 0, 0, 2, 0]),
    ("A U U f a", "a", [1, 0, 1, 0, 0, 0, 3, 0]),
    ("x f f U X", "x", [1, 0, 2, 0, 0, 0, 2, 0]),
    ("a a A A", "a", [1, 0, 1, 0, 0, 0, 2, 0]),
]


@pytest.mark.parametrize(("ref", "hyp", "counts"), DEFECTS)
def test_where_the_published_evaluator_goes_wrong(ref: str, hyp: str, counts: list[int]) -> None:
    assert mg.score.fluency([ref], [hyp]).counts[0, :8].tolist() == counts


def test_the_evaluator_s_test_sentences(shared: Path) -> None:
    text = (shared / "golden/fluency/test_mode.txt").read_text()
    refs, hyps, counts = [], [], []
    for block in text.split("Sent #")[1:]:
        lines = block.splitlines()
        refs.append(" ".join(w for w in lines[2].split("\t")[1].split() if set(w) != {"*"}))
        hyps.append(" ".join(w for w in lines[3].split("\t")[1].split() if set(w) != {"*"}))
        counts.append([int(n) for line in lines[5:7] for n in line.split(")")[1].split()])
    assert len(refs) == 13
    score = mg.score.fluency(refs, hyps)
    assert score.counts[:, :8].tolist() == counts
    printed = "\n".join(alignment_lines(score, colour=False))
    assert "REF:  THE THE THE the sad part about here is that winter starts in" in printed
    assert "HYP:  *** *** *** the sad part about here is that winter starts in" in printed


def test_insertions_beside_disfluent_words_are_disfluent_where_asked() -> None:
    fluent = mg.score.fluency(["a UM"], ["a uh uh um"])
    region = mg.score.fluency(["a UM"], ["a uh uh um"], insertions="region")
    assert fluent.counts[0, [3, 7]].tolist() == [2, 0]
    assert region.counts[0, [3, 7]].tolist() == [0, 2]
    assert region["disfluent_error_rate"].numerator == 3


def test_a_fluent_i_is_kept() -> None:
    refs, hyps = ["I THINK I think so"], ["i think so"]
    assert mg.score.fluency(refs, hyps)["disfluent_error_rate"].denominator == 3
    kept = mg.score.fluency(refs, hyps, keep=["I"])
    assert kept["fluent_error_rate"].denominator == 4


def test_tags_mark_words_and_give_types() -> None:
    tags = [["F", "O", "RM", "O"]]
    score = mg.score.fluency(["uh play the the"], ["play the"], tags=tags)
    assert score["disfluent_error_rate"].value == 0.0
    assert score.by_type == {"F": {"dropped": 1}, "O": {"kept": 2}, "RM": {"dropped": 1}}
    with pytest.raises(DataError, match="utterance 1: 2 tags for 3 words"):
        mg.score.fluency(["a b c"], ["a"], tags=[["O", "F"]])


def test_without_disfluent_words_rates_are_none() -> None:
    score = mg.score.fluency(["play jazz"], ["play jazz"])
    assert score["disfluent_error_rate"].value is None
    assert score["edited_f1"].value is None
    assert score["fluent_error_rate"].value == 0.0
    assert score["disfluent_error_rate"].interval() is None


def test_upper_case_beyond_ascii() -> None:
    score = mg.score.fluency(["ÄH spiel musik"], ["spiel musik"])
    assert score.counts[0, :8].tolist() == [2, 0, 0, 0, 0, 0, 1, 0]


ALTERNATIONS = [
    ("the { cat / dog / @ } sat", "the sat", "the sat"),
    ("the { cat / dog } sat", "the dog sat", "the dog sat"),
    ("the { cat / dog } sat", "the sat", "the cat sat"),
    ("(uh) play", "play", "(uh) play"),
    ("(uh) play", "uh play", "uh play"),
    ("{ a b / c } d", "c d", "c d"),
    ("{a/b} c", "b c", "b c"),
]
READER = Reader(UNIT, alternatives=True)


@pytest.mark.parametrize(("ref", "hyp", "chosen"), ALTERNATIONS)
def test_the_cheapest_reading_is_chosen(ref: str, hyp: str, chosen: str) -> None:
    assert READER.resolve(ref.split(), hyp.split())[0] == chosen.split()


@given(
    st.lists(
        st.lists(st.lists(st.sampled_from("abc"), max_size=2), min_size=1, max_size=3), max_size=4
    ),
    st.lists(st.sampled_from("abc"), max_size=5),
)
def test_no_reading_is_cheaper(places: list[list[list[str]]], hyp: list[str]) -> None:
    from itertools import product

    def cost(ref: list[str]) -> int:
        return sum(s != 0 for s in twin.align_pair(ref, hyp, UNIT.flat(), [0] * len(ref)))

    ref = " ".join("{ " + " / ".join(" ".join(r) or "@" for r in p) + " }" for p in places).split()
    chosen = READER.resolve(ref, hyp).ref
    readings = [[w for part in combination for w in part] for combination in product(*places)]
    assert cost(chosen) == min(map(cost, readings))
    assert chosen in readings


@pytest.mark.parametrize(
    ("ref", "hyp"), [("ice cream now", "icecream now"), ("icecream now", "ice cream now")]
)
def test_compounds_are_the_same(ref: str, hyp: str) -> None:
    assert mg.score.words([ref], [hyp])["wer"].value != 0
    assert mg.score.words([ref], [hyp], compounds=True)["wer"].value == 0


def test_normalisers() -> None:
    plain = mg.score.words(["Play Jazz!"], ["play jazz"])
    assert plain["wer"].value == 1.0
    score = mg.score.words(["Play Jazz!"], ["play jazz"], normalise="basic")
    assert score["wer"].value == 0.0
    assert "norm:basic" in score.signature
    assert basic("um, uh") == "um uh"
    with pytest.raises(DataError, match="No normaliser named 'basc'"):
        mg.score.words(["a"], ["a"], normalise="basc")


def test_the_whisper_normaliser_warns_and_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "whisper_normalizer.english", None)
    with (
        pytest.warns(UserWarning, match="strips fillers"),
        pytest.raises(MissingExtraError, match=r"mondegreen\[whisper\]"),
    ):
        mg.score.words(["a"], ["a"], normalise="whisper")


def test_the_whisper_normaliser_is_pinned_in_the_signature() -> None:
    with pytest.warns(UserWarning, match="strips fillers"):
        score = mg.score.words(["Um, I'm OK."], ["i am okay"], normalise="whisper")
    assert "|norm:whisper-0." in score.signature
    assert score["wer"].denominator == 3


def test_confusions() -> None:
    score = mg.score.words(["a b", "a c"], ["x b", "x c d"])
    found = score.confusions
    assert found["substitutions"] == {("a", "x"): 2}
    assert found["insertions"] == {("d",): 1}


def test_a_score_is_a_mapping_of_names() -> None:
    score = mg.score.words(["a"], ["a"])
    assert list(score) == ["wer", "mer", "wil", "cer", "ser"]
    assert isinstance(score, Score)
    assert score.signature == "mondegreen|words|norm:none|costs:unit|v:0.3.0"


def test_what_is_no_list_of_texts_is_refused() -> None:
    with pytest.raises(DataError, match="put it into a list"):
        mg.score.words("abc", "abd")
    with pytest.raises(DataError, match="put it into a list"):
        mg.score.fluency("abc", "abd")
    with pytest.raises(DataError, match="2 ids for 1 references"):
        mg.score.words(["a"], ["a"], ids=["q", "r"])
    with pytest.raises(DataError, match="0 rows of tags for 1 references"):
        mg.score.fluency(["a"], ["a"], tags=[])
    with pytest.raises(DataError, match="a level between 0 and 1"):
        mg.score.words(["a"], ["a"])["wer"].interval(level=2)


def test_arrow_arrays_are_scored() -> None:
    import pyarrow as pa

    assert mg.score.fluency(pa.array(["UH a"]), pa.array(["a"]))["edited_f1"].value == 1.0
    assert mg.score.words(pa.array(["a"]), pa.array(["b"]))["wer"].value == 1.0


def test_sums_can_be_looked_at() -> None:
    assert dict(mg.score.words(["a"], ["b"]).sums())["substitutions"] == 1


def _stays(text: str, i: int) -> bool:
    if text[i] == "'":
        return 0 < i < len(text) - 1 and text[i - 1].isalnum() and text[i + 1].isalnum()
    return unicodedata.category(text[i])[0] not in "PSZC"


@given(st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("ab'’ _1!"))))
def test_basic_keeps_letters_digits_and_inner_apostrophes(text: str) -> None:
    assume(not any(mark in text for mark in "<>[]"))
    plain = lower_case(unicodedata.normalize("NFKC", text)).replace("’", "'")
    plain = "".join(c for c in plain if unicodedata.category(c) != "Cf" or c == "\u200b")
    kept = "".join(c if _stays(plain, i) else " " for i, c in enumerate(plain))
    assert basic(text) == " ".join(kept.split())
