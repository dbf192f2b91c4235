"""Numbers that were wrong once, each with the case that showed it."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import jiwer
import numpy as np
import numpy.typing as npt
import pytest

import mondegreen as mg
from mondegreen import kernel
from mondegreen.align import align
from mondegreen.align.costs import UNIT
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.metrics.statistics.mapsswe import mapsswe, segment_gaps
from mondegreen.metrics.statistics.paired import PERMUTATIONS
from mondegreen.metrics.statistics.resampling import permuted, ratios_of
from mondegreen.report.opening import open_source
from mondegreen.report.source import Query
from mondegreen.types import Prediction, Utterance

SCTK = shutil.which("sctk")


class Oracle(mg.Model):
    """Knows the right slots of every utterance, and answers them with a chance."""

    def __init__(self, right: float) -> None:
        self.right = right
        self.signature = f"oracle-{right}"
        self.gold = {one.tokens: one.slots for one in sample()}

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        return [
            Prediction(one.id, self.gold.get(one.tokens, ()) if self.right else ()) for one in batch
        ]


def test_the_gate_fails_a_model_that_lost_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = [Utterance(one.id, one.tokens, one.slots) for one in sample()]
    mg.write(data, tmp_path / "d.jsonl")
    made = mg.suite(tmp_path / "d.jsonl", tmp_path / "s", random=1, severities=[0.1, 0.3, 0.5])
    assert len(made.manifest.sets) > 26

    gold = {
        f"{entry.name}/{case.utterance.id}": case.utterance.slots
        for entry in made.manifest.sets
        for case in made.cases(entry)
    }

    class Reader(mg.Model):
        signature = "reader"

        def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
            return [Prediction(one.id, gold[one.id]) for one in batch]

    class Nothing(mg.Model):
        signature = "nothing"

        def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
            return [Prediction(one.id, ()) for one in batch]

    for name, model in (("good.run", Reader()), ("bad.run", Nothing())):
        mg.evaluate(made, model, tmp_path / name).close()
    runs = [str(tmp_path / name) for name in ("good.run", "bad.run")]
    assert main(["compare", *runs, "--fail-if-worse"]) == 3
    assert "slot_f1: worse on" in capsys.readouterr().err
    found = mg.compare(*runs)
    assert len(found.losses("slot_f1")) == len(found.sets)
    assert main(["compare", runs[1], runs[0], "--fail-if-worse"]) == 0


def test_a_gate_says_what_it_cannot_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mg.write(list(sample())[:4], tmp_path / "d.jsonl")
    made = mg.suite(tmp_path / "d.jsonl", tmp_path / "s", ["typo", "fillers"], random=0)
    for name in ("a.run", "b.run"):
        mg.evaluate(made, Oracle(float(name == "a.run")), tmp_path / name).close()
    runs = [str(tmp_path / name) for name in ("a.run", "b.run")]
    assert main(["compare", *runs, "--fail-if-worse", "--json"]) == 0
    printed = capsys.readouterr()
    assert "too few utterances for a verdict on original, typo, fillers" in printed.err
    assert json.loads(printed.out)["gate"]["undecidable"] == ["original", "typo", "fillers"]


def test_the_permutation_test_is_right_under_chance() -> None:
    """Under the null hypothesis its p values are uniform; with a real difference, small."""
    rng = np.random.default_rng(1)

    def rate(sums: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        return ratios_of(sums[:, 0], sums[:, 1])

    ps = []
    for trial in range(200):
        words = rng.integers(3, 12, 80)
        sides = [np.column_stack([rng.binomial(words, 0.2), words]) for _ in range(2)]
        ps.append(permuted(sides[0], sides[1], rate, 400, trial))
    assert 0.01 < np.mean(np.array(ps) < 0.05) < 0.1
    words = rng.integers(3, 12, 300)
    good, bad = (np.column_stack([rng.binomial(words, p), words]) for p in (0.1, 0.3))
    assert permuted(good, bad, rate, PERMUTATIONS, 0) == 1 / (PERMUTATIONS + 1)
    assert permuted(good, good, rate, PERMUTATIONS, 0) == 1


# ties


def pairs_over(rng: random.Random, n: int) -> tuple[list[str], list[str]]:
    """Return short references over tiny alphabets, and hypotheses with some errors."""
    refs, hyps = [], []
    for _ in range(n):
        letters = "abcd"[: rng.choice([2, 3, 4])]
        ref = rng.choices(letters, k=rng.randint(1, 5))
        hyp = [rng.choice(letters) if rng.random() < 0.2 else w for w in ref if rng.random() > 0.1]
        refs.append(" ".join(ref))
        hyps.append(" ".join(hyp or [rng.choice(letters)]))
    return refs, hyps


def test_ties_have_the_most_matches() -> None:
    score = mg.score.words(["this is a test of skill"], ["this was a messy test"])
    assert score.sums()["hits"] == 3
    for ref, hyp in (("a b", "b a"), ("a b c", "c a b"), ("x a y", "a z")):
        there = align([ref], [hyp], UNIT).counts.tolist()[0]
        back = align([hyp], [ref], UNIT).counts.tolist()[0]
        assert there == [back[0], back[1], back[3], back[2]]


def test_words_and_characters_are_jiwer_s_on_200_000_random_pairs() -> None:
    refs, hyps = pairs_over(random.Random(7), 200_000)
    score = mg.score.words(refs, hyps, threads=2)
    ours = score.counts[:, :4]
    theirs = np.array(
        [
            (hits, s, d, i)
            for chunks in jiwer.process_words(refs, hyps).alignments
            for hits, s, d, i in [_counts(chunks)]
        ]
    )
    assert (ours[:, 1:].sum(axis=1) == theirs[:, 1:].sum(axis=1)).all()
    assert (ours[:, 0] >= theirs[:, 0]).all()
    assert (ours == theirs).all(axis=1).mean() >= 0.995
    errors, some = score.table()[:, -1], slice(0, 20_000)
    found = jiwer.process_characters(refs[some], hyps[some])
    assert errors[some].sum() == found.substitutions + found.deletions + found.insertions


def _counts(chunks: list[jiwer.AlignmentChunk]) -> tuple[int, int, int, int]:
    size = {"equal": 0, "substitute": 0, "delete": 0, "insert": 0}
    for chunk in chunks:
        length = max(
            chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx
        )
        size[chunk.type] += length
    return size["equal"], size["substitute"], size["delete"], size["insert"]


def test_long_pairs_have_the_most_matches_in_parts() -> None:
    rng = random.Random(3)
    ref = rng.choices("abcdef", k=9_000)
    hyp = [rng.choice("abcdef") if rng.random() < 0.2 else w for w in ref if rng.random() > 0.1]
    costs = UNIT.flat()
    by_bits = kernel.align([ref], [hyp], costs, False, 1, None, [], False)  # noqa: FBT003
    by_rows = kernel.align([ref], [hyp], costs, False, 1, [bytes(len(ref))], [], False)  # noqa: FBT003
    assert (by_bits[0] == by_rows[0]).all()
    strange = [f"x{i}" for i in range(5_000)], [f"y{i}" for i in range(2_500)]
    steps, _, counts = kernel.align([strange[0]], [strange[1]], costs, False, 1, None, [], False)  # noqa: FBT003
    assert counts.tolist() == [[0, 2_500, 2_500, 0]]
    assert len(steps) == 5_000


# other rates


@pytest.mark.parametrize(
    ("ref", "hyp", "errors", "characters"),
    [
        ("渐渐行动不便", "渐渐行动不片", 1, 6),
        ("渐渐行动不便", "渐 渐 行动 不片", 4, 6),
        ("きょうはいい天気", "きょうはいい電気", 1, 8),
        ("ไปเที่ยวกัน", "ไปเที่ยวกับ", 1, 11),
    ],
)
def test_spaces_are_counted_where_they_are_written(
    ref: str, hyp: str, errors: int, characters: int
) -> None:
    cer = mg.score.words([ref], [hyp])["cer"]
    assert (cer.numerator, cer.denominator) == (errors, characters)


def test_all_information_is_lost_where_nothing_was_heard() -> None:
    assert mg.score.words(["play jazz"], [""])["wil"].value == 1
    assert mg.score.words(["play jazz", "stop"], ["", ""])["wil"].value == 1
    assert mg.score.words([""], [""])["wil"].value is None
    assert mg.score.words(["play jazz"], [""])["wil"].interval(replicates=100) == (1, 1)
    for ref, hyp in (("a b c", "a c"), ("a b", "b a"), ("a", "x y")):
        found = jiwer.process_words(ref, hyp)
        score = mg.score.words([ref], [hyp])
        assert score["wil"].value == pytest.approx(found.wil)
        assert score["mer"].value == pytest.approx(found.mer)


# MAPSSWE


def test_insertions_do_not_spoil_the_next_word() -> None:
    ref, hyp = ["a", "b", "c", "d", "e", "f"], ["a", "b", "x", "c", "d", "y", "f"]
    steps = align([ref], [hyp], UNIT).of(0).tolist()
    perfect = align([ref], [ref], UNIT).of(0).tolist()
    assert segment_gaps(steps, perfect) == [1, 1]
    found = mapsswe([1, 1])
    assert found is not None
    assert (found.segments, found.z, found.p) == (2, None, None)


def test_too_few_segments_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("r", "a b c d e f"), ("h", "a b x c d y f"), ("g", "a b c d e f")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n{text}\n")
    paths = [str(tmp_path / f"{name}.txt") for name in "rhg"]
    arguments = ["score", "words", "--ref", paths[0], "--hyp", paths[1], "--against", paths[2]]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "MAPSSWE: 4 segments, too few or all alike: no verdict" in printed
    assert "inf" not in printed


@pytest.mark.skipif(SCTK is None, reason="NIST's sctk is not installed")
@pytest.mark.parametrize("seed", range(10))
def test_mapsswe_is_sc_stats(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(rng.choice([4, 30, 200]))]
    refs = [rng.choices(words, k=rng.randint(1, 25)) for _ in range(rng.choice([5, 60, 200]))]
    sides = {"r": refs, "a": _noisy(refs, words, 0.1, rng), "b": _noisy(refs, words, 0.2, rng)}
    for name, texts in sides.items():
        lines = (f"{' '.join(text)} (s-{i:04})\n" for i, text in enumerate(texts))
        (tmp_path / f"{name}.trn").write_text("".join(lines))
    for name in "ab":
        files = ["-r", "r.trn", "trn", "-h", f"{name}.trn", "trn", "-i", "spu_id", "-o", "sgml"]
        command = [str(SCTK), "sclite", *files, "-O", ".", "-n", name]
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    aligned = b"".join((tmp_path / f"{name}.sgml").read_bytes() for name in "ab")
    command = [str(SCTK), "sc_stats", "-p", "-t", "mapsswe", "-v", "-n", "out", "-O", "."]
    subprocess.run(command, cwd=tmp_path, input=aligned, capture_output=True, check=False)
    report = (tmp_path / "out.stats.mapsswe").read_text()
    theirs = re.search(r"# segs: (\d+)\).*Z Stat: *([-\d.]+)\)", report)
    assert theirs is not None
    first, second = (mg.score.words(refs, sides[name]) for name in "ab")
    ours = first.compare(second).mapsswe
    assert ours is not None
    assert ours.z is not None
    assert ours.segments == int(theirs[1])
    assert ours.z == pytest.approx(float(theirs[2]), abs=6e-4)


def _noisy(
    refs: list[list[str]], words: list[str], rate: float, rng: random.Random
) -> list[list[str]]:
    found = []
    for ref in refs:
        hyp: list[str] = []
        for word in ref:
            chance = rng.random()
            if chance < rate / 3:
                continue
            if chance < rate:
                hyp.append(rng.choice(words))
            if chance >= 2 * rate / 3:
                hyp.append(word)
        found.append(hyp)
    return found


# fluency


def test_a_kept_word_is_compared_and_marked_as_it_should_be() -> None:
    score = mg.score.fluency(["I UH think I know"], ["I think I know"], keep=["I"])
    assert score.counts[0, :8].tolist() == [4, 0, 0, 0, 0, 0, 1, 0]
    score = mg.score.fluency(["play I MEAN stop it"], ["play stop it"], keep=["I"])
    assert score.counts[0, :8].tolist() == [3, 0, 0, 0, 0, 0, 2, 0]
    score = mg.score.fluency(["I MEAN I know YOU KNOW"], ["I know"], keep=["I"])
    assert score.counts[0, :8].tolist() == [2, 0, 0, 0, 0, 0, 4, 0]


REFERENCE = "UH book TWENTY NO twenty five seats for tomorrow I MEAN for friday at seven"
CLEAN = "Book 25 seats for tomorrow, for Friday at 7."


@pytest.mark.filterwarnings("default:the whisper normaliser")
def test_a_perfect_clean_up_has_no_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score = mg.score.fluency([REFERENCE], [CLEAN])
    assert score["fluent_error_rate"].value
    with pytest.warns(UserWarning, match="strips fillers"):
        score = mg.score.fluency([REFERENCE], [CLEAN], normalise="whisper")
    assert score["fluent_error_rate"].value == 0
    assert score["disfluent_error_rate"].value == 0
    assert "|norm:whisper" in score.signature
    score = mg.score.fluency(["UH play jazz"], ["Play, jazz!"], normalise="basic")
    assert score["fluent_error_rate"].value == 0
    tagged = mg.score.fluency(["uh Play jazz"], ["play jazz"], tags=[["F", "O", "O"]])
    assert tagged["fluent_error_rate"].value == 0.5
    tagged = mg.score.fluency(
        ["uh Play jazz"], ["play jazz"], tags=[["F", "O", "O"]], ignore_case=True
    )
    assert tagged["fluent_error_rate"].value == 0
    (tmp_path / "r.txt").write_text(f"{REFERENCE}\n")
    (tmp_path / "h.txt").write_text(f"{CLEAN}\n")
    files = ["--ref", str(tmp_path / "r.txt"), "--hyp", str(tmp_path / "h.txt")]
    items = tmp_path / "items.jsonl"
    arguments = ["score", "fluency", *files, "--normalise", "whisper", "--items", str(items)]
    assert main([*arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["scores"]["fluent_error_rate"]["value"] == 0
    assert "strips fillers" in printed.err
    row = json.loads(items.read_text())
    assert row["written_hyp"] == CLEAN
    assert row["hyp"] == "book 25 seats for tomorrow for friday at 7"


def test_a_note_says_when_case_or_punctuation_make_most_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.txt").write_text("play some jazz\nstop it now\n")
    for text, note in (
        ("Play Some Jazz\nStop It Now\n", "case make most of the errors"),
        ("Play some jazz.\nStop it, now!\n", "case and punctuation make most of the errors"),
        ("play sum jars\nstep at now\n", ""),
    ):
        (tmp_path / "h.txt").write_text(text)
        files = ["--ref", str(tmp_path / "r.txt"), "--hyp", str(tmp_path / "h.txt")]
        assert main(["score", "words", *files]) == 0
        assert note in (printed := capsys.readouterr().err)
        assert bool(printed) == bool(note)


def test_the_worst_utterances_come_first_whichever_way_a_rate_points(tmp_path: Path) -> None:
    gold = [{"id": str(i), "tokens": ["play", "jazz"], "tags": ["O", "B-genre"]} for i in (1, 2)]
    right, wrong = ["O", "B-genre"], ["B-genre", "O"]
    answers = [{"id": "1", "tags": right}, {"id": "2", "tags": wrong}]
    for name, rows in (("gold", gold), ("answers", answers)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    files = ["--ref", str(tmp_path / "gold.jsonl"), "--hyp", str(tmp_path / "answers.jsonl")]
    items = tmp_path / "items.jsonl"
    assert main(["score", "slu", *files, "--items", str(items)]) == 0
    with closing(open_source(items)) as source:
        assert [row["id"] for row in source.page(Query()).rows] == ["2", "1"]
        assert [row["id"] for row in source.page(Query(descending=True)).rows] == ["1", "2"]
