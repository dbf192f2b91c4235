"""Scores of large corpora: read, aligned and counted in parts, and bootstrapped over counts."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.pairs import parts
from mondegreen.errors import DataError
from mondegreen.kernel import key, resample
from mondegreen.metrics.scores import tally as tallies
from mondegreen.metrics.scores.tally import Gathering, distinct, tally
from mondegreen.metrics.statistics.resampling import permuted, ratios_of, resampled
from random_pairs import pairs


@given(
    arrays(np.int64, st.tuples(st.integers(1, 40), st.integers(1, 4)), elements=st.integers(-3, 3))
)
def test_distinct_rows_are_those_of_numpy(table: np.ndarray) -> None:
    found = distinct(table)
    rows, times = np.unique(table, axis=0, return_counts=True)
    assert found.rows.tolist() == rows.tolist()
    assert found.often.tolist() == times.tolist()
    large = table * 2**40  # too wide for one number
    assert distinct(large).rows.tolist() == np.unique(large, axis=0).tolist()
    doubled = distinct(rows, times * 2)
    assert doubled.often.tolist() == (times * 2).tolist()


@given(st.integers(1, 60), st.lists(st.integers(0, 60), max_size=6), st.integers(1, 50))
def test_rows_are_the_same_however_they_are_parted(n: int, cuts: list[int], few: int) -> None:
    table = np.random.RandomState(n).randint(0, 4, (n, 3))
    edges = [0, *sorted(min(cut, n) for cut in cuts), n]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallies, "FEW", few)
        gathering = Gathering()
        for start, end in pairwise(edges):
            gathering.add(tally(table[start:end]))
        found, whole = gathering.total(), tally(table)
    assert found.rows.tolist() == whole.rows.tolist()
    assert found.often.tolist() == whole.often.tolist()


def _table(n: int, distinct_rows: str) -> np.ndarray:
    """Return errors and words: few distinct rows, many, or many with a few that stand out."""
    rng = np.random.RandomState(3)
    words = rng.poisson(9, n) + 1 if distinct_rows == "few" else rng.geometric(1 / 200, n)
    errors = rng.binomial(words, 0.1)
    if distinct_rows == "skewed":
        errors[:5] = words[:5] = 20_000
    return np.column_stack([errors, words]).astype(np.int64)


@pytest.mark.parametrize("kind", ["few", "many", "skewed"])
def test_the_bootstrap_over_distinct_rows_has_the_distribution_of_rows(kind: str) -> None:
    """The quantiles agree with those of drawing row by row, to the Monte Carlo error."""
    n, replicates = 40_000, 4_000
    table = _table(n, kind)
    by_rows = resample(np.ascontiguousarray(table), key(b"bootstrap", "1"), replicates, 2)
    by_counts = resampled(table, replicates, 1)
    one, two = (sums[:, 0] / sums[:, 1] for sums in (by_rows, by_counts))
    spread = one.std()
    assert two.std() == pytest.approx(spread, rel=0.06)
    for share in (0.025, 0.25, 0.5, 0.75, 0.975):
        assert abs(np.quantile(one, share) - np.quantile(two, share)) < 0.17 * spread
    statistic = max(
        abs(np.searchsorted(np.sort(one), x) - np.searchsorted(np.sort(two), x)) / replicates
        for x in np.quantile(one, np.linspace(0.01, 0.99, 99))
    )
    assert statistic < 1.95 * (2 / replicates) ** 0.5  # Kolmogorov and Smirnov, p = 0.001


def test_paired_tests_count_rows_that_occur_often() -> None:
    first = np.random.RandomState(1).randint(0, 4, (3_000, 2))
    second = first + np.random.RandomState(2).randint(0, 2, (3_000, 2))
    both = distinct(np.hstack([first, second]))

    def rate(sums: np.ndarray) -> np.ndarray:
        return ratios_of(sums[:, 0], sums[:, 0] + sums[:, 1])

    once = permuted(first, second, rate, 2_000, 5)
    assert permuted(both.rows[:, :2], both.rows[:, 2:], rate, 2_000, 5, both.times) == once


def _write(folder: Path, name: str) -> list[str]:
    """Write a corpus for a metric; return the options that score it, with a second system."""
    rng = random.Random(4)
    refs, hyps = pairs(57, 1)
    others = pairs(57, 2)[0]
    speakers = [f"s{rng.randint(0, 4)}" for _ in refs]
    ids = [f"u{i}" for i in range(57)]
    rows: list[dict[str, Any]]
    sides: list[list[dict[str, Any]]]
    if name in ("words", "fluency"):
        if name == "fluency":
            refs = [
                " ".join(w.upper() if rng.random() < 0.3 else w for w in r.split()) for r in refs
            ]
        rows = [
            {"id": i, "text": r, "speaker": s} for i, r, s in zip(ids, refs, speakers, strict=True)
        ]
        sides = [
            [{"id": i, "text": h} for i, h in zip(ids, t, strict=True)] for t in (hyps, others)
        ]
    elif name == "phonemes":
        sounds = ["AA", "B", "K", "T", "IY", "S"]
        said = [" ".join(rng.choices(sounds, k=rng.randint(1, 7))) for _ in range(3 * 57)]
        rows = [
            {"utterance_id": i, "transcript": t, "speaker": s}
            for i, t, s in zip(ids, said, speakers, strict=False)
        ]
        sides = [
            [{"utterance_id": i, "asr_transcript": t} for i, t in zip(ids, part, strict=False)]
            for part in (said[57:], said[114:])
        ]
    elif name == "correctness":
        rows = [
            {"utterance_id": i, "correctness": rng.random() < 0.6, "speaker": s}
            for i, s in zip(ids, speakers, strict=True)
        ]
        sides = [
            [{"utterance_id": i, "prediction": rng.random() < 0.6} for i in ids] for _ in range(2)
        ]
    else:
        tags = [["O", "B-a", "I-a", "B-b"][: rng.randint(1, 4)] for _ in ids]
        rows = [
            {"id": i, "text": " ".join(f"w{k}" for k in range(len(t))), "tags": t, "label": s}
            | {"speaker": s}
            for i, t, s in zip(ids, tags, speakers, strict=True)
        ]
        sides = [
            [
                {"id": i, "tags": [x if rng.random() < 0.7 else "O" for x in t], "label": s}
                for i, t, s in zip(ids, tags, speakers, strict=True)
            ]
            for _ in range(2)
        ]
    for file, found in (("ref", rows), ("hyp", sides[0]), ("other", sides[1])):
        lines = "".join(json.dumps(row) + "\n" for row in found)
        (folder / f"{file}.jsonl").write_text(lines)
    named = [f"{folder}/{file}.jsonl" for file in ("ref", "hyp", "other")]
    return ["--ref", named[0], "--hyp", named[1], "--against", named[2]]


MORE = {
    "words": ["--confusions", "3", "--phonetic"],
    "fluency": [],
    "phonemes": ["--confusions", "3"],
    "correctness": [],
    "slu": [],
}


@pytest.mark.parametrize("name", list(MORE))
def test_parts_give_the_same_output_as_the_whole(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the size of the parts: rates, intervals, groups, blocks, tests, rows, sections."""
    files = _write(tmp_path, name)
    printed = set()
    for size in (1 << 16, 57, 20, 3):
        monkeypatch.setattr(parts.parted, "__defaults__", (size,))
        monkeypatch.setattr(parts.line_parts, "__defaults__", (None, size))
        items = tmp_path / "items.jsonl"
        command = ["score", name, *files, *MORE[name], "--by", "speaker", "--items", str(items)]
        found = []
        for more in (["--json"], [], ["--blocks", "speaker", "--json"]):
            assert main([*command, "--force", *more]) == 0
            found.append(capsys.readouterr().out)
        printed.add((*found, items.read_text()))
    assert len(printed) == 1


def test_large_scores_keep_no_rows_and_the_same_rates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refs, hyps = pairs(500)
    (tmp_path / "ref.txt").write_text("\n".join(refs) + "\n")
    (tmp_path / "hyp.txt").write_text("\n".join(hyps) + "\n")
    command = ["score", "words", "--ref", f"{tmp_path}/ref.txt", "--hyp", f"{tmp_path}/hyp.txt"]
    found = []
    for few, size in ((1 << 15, 1 << 16), (100, 77), (100, 500)):
        monkeypatch.setattr(tallies, "FEW", few)
        monkeypatch.setattr(parts.line_parts, "__defaults__", (None, size))
        assert main([*command, "--json", "--format", "txt"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    small, large, again = found
    assert large == again  # whatever the parts
    assert large["counts"] == small["counts"]
    for name, rate in large["scores"].items():
        other = small["scores"][name]
        assert rate["value"] == other["value"]
        width = other["high"] - other["low"]
        assert abs(rate["low"] - other["low"]) < width / 4
        assert abs(rate["high"] - other["high"]) < width / 4


def test_a_score_of_counts_refuses_rows() -> None:
    score = mg.score.words(["a b"] * 4, ["a c"] * 4)
    large = replace(score, counts=score.counts[:1], times=np.array([4]), ids=(), later=None)
    assert len(large) == 4
    assert large["wer"].value == 0.5
    assert len(large + large) == 8
    assert (large + large)["wer"].numerator == 8
    with pytest.raises(DataError, match="keeps no row per utterance"):
        large.items  # noqa: B018
    with pytest.raises(DataError, match="keeps no row per utterance"):
        large.by(["x"] * 4)


def test_ids_in_another_order_are_paired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = _write(tmp_path, "words")
    assert main(["score", "words", *files, "--json"]) == 0
    in_order = capsys.readouterr().out
    hyp = tmp_path / "hyp.jsonl"
    lines = hyp.read_text().splitlines(keepends=True)
    hyp.write_text("".join([lines[-1], *lines[:-1]]))
    monkeypatch.setattr(parts.parted, "__defaults__", (10,))
    assert main(["score", "words", *files, "--json"]) == 0
    assert capsys.readouterr().out == in_order


def test_files_of_different_length_are_refused_by_their_lengths(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ref.txt").write_text("a\n" * 25)
    (tmp_path / "hyp.txt").write_text("a\n" * 40)
    monkeypatch.setattr(parts.line_parts, "__defaults__", (None, 10))
    command = ["score", "words", "--ref", f"{tmp_path}/ref.txt", "--hyp", f"{tmp_path}/hyp.txt"]
    assert main([*command, "--items", f"{tmp_path}/items.jsonl"]) == 1
    assert "ref.txt has 25 lines" in capsys.readouterr().err
    assert not (tmp_path / "items.jsonl").exists()
