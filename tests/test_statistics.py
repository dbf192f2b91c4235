"""Statistics: sums, groups, intervals and tests over any score."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.align import align
from mondegreen.align.costs import UNIT
from mondegreen.errors import DataError
from mondegreen.kernel import alignment as twin
from mondegreen.metrics.statistics.mapsswe import mapsswe, segment_gaps
from mondegreen.metrics.statistics.resampling import mcnemar, quantiles, resampled
from random_pairs import pairs


@given(st.integers(1, 30), st.integers(0, 5))
def test_scores_add_up(cut: int, seed: int) -> None:
    refs, hyps = pairs(31, seed)
    whole = mg.score.words(refs, hyps)
    sum_ = mg.score.words(refs[:cut], hyps[:cut]) + mg.score.words(refs[cut:], hyps[cut:])
    for name in whole:
        assert whole[name].value == sum_[name].value
        assert whole[name].interval() == sum_[name].interval()


def test_scores_of_different_recipes_do_not_mix() -> None:
    one = mg.score.words(["a"], ["a"])
    with pytest.raises(DataError, match="do not add up"):
        one + mg.score.words(["a"], ["a"], costs="sclite")
    with pytest.raises(DataError, match="cannot be compared"):
        one.compare(mg.score.words(["a"], ["a"], costs="sclite"))
    with pytest.raises(DataError, match="different utterances"):
        one.compare(mg.score.words(["a"], ["a"], ids=["x"]))
    with pytest.raises(DataError, match=r"No rate named 'were'\. Did you mean 'wer'"):
        one["were"]


def test_groups_sum_to_the_whole() -> None:
    refs, hyps = pairs(60)
    score = mg.score.words(refs, hyps)
    groups = score.by([str(i % 3) for i in range(60)])
    assert sum(part["wer"].numerator for part in groups.values()) == score["wer"].numerator
    same = score.by({str(i + 1): str(i % 3) for i in range(60)})
    assert {k: v["wer"].value for k, v in same.items()} == {
        k: v["wer"].value for k, v in groups.items()
    }
    with pytest.raises(DataError, match="utterance '60' has no group"):
        score.by({str(i): "a" for i in range(1, 60)})
    with pytest.raises(DataError, match="2 groups for 60 utterances"):
        score.by(["a", "b"])


def test_items_are_one_row_an_utterance() -> None:
    score = mg.score.words(["a b", ""], ["a", "c"], ids=["x", "y"])
    assert score.items[0]["id"] == "x"
    assert score.items[0]["wer"] == 0.5
    assert score.items[1]["wer"] is None
    assert score.items[1]["insertions"] == 1


@given(st.integers(0, 2**64 - 1), st.integers(1, 40), st.integers(1, 9))
def test_resampling_is_the_twin_s(key: int, n: int, width: int) -> None:
    from mondegreen.kernel import compiled

    rng = random.Random(n * width)
    rows = np.array([[rng.randint(0, 50) for _ in range(width)] for _ in range(n)], np.int64)
    if compiled is None:
        pytest.skip("the kernel is not compiled")
    assert (compiled.resample(rows, key, 20, 3) == twin.resample(rows, key, 20, 1)).all()
    large = rows * 10**12
    assert (compiled.resample(large, key, 5, 1) == twin.resample(large, key, 5, 1)).all()


def test_intervals_cover_at_their_rate() -> None:
    """In 95 % of repeated experiments the true rate lies within; 60 utterances each."""
    rng = np.random.default_rng(5)
    inside = 0
    for trial in range(400):
        words = rng.integers(3, 15, 60)
        table = np.column_stack([rng.binomial(words, 0.2), words])
        sums = resampled(table, 500, trial)
        low, high = np.quantile(sums[:, 0] / sums[:, 1], [0.025, 0.975])
        inside += low <= 0.2 <= high
    assert 0.91 < inside / 400 < 0.98


def test_blocks_widen_the_interval_where_speakers_differ() -> None:
    refs = ["a b c d e f g h i j"] * 100
    hyps = ["x b c d e f g h i j" if i < 50 else "x x x x x f g h i j" for i in range(100)]
    score = mg.score.words(refs, hyps)
    free = score["wer"].interval()
    blocked = score["wer"].interval(blocks=[str(i // 10) for i in range(100)])
    assert free is not None
    assert blocked is not None
    assert blocked.high - blocked.low > 2 * (free.high - free.low)


def test_mapsswe_on_a_worked_example() -> None:
    """By hand: gaps 1, 2, 0, -1: mean .5, deviation sqrt(5/3), z .5 / (sqrt(5/3) / 2)."""
    found = mapsswe([1, 2, 0, -1])
    assert found is not None
    assert found.segments == 4
    assert found.z == pytest.approx(0.5 / ((5 / 3) ** 0.5 / 2))
    assert found.p == pytest.approx(0.4386, abs=1e-4)
    assert mapsswe([]) is None
    for alike in ([1], [0, 0], [2, 2, 2]):
        found = mapsswe(alike)
        assert found is not None
        assert (found.segments, found.z, found.p) == (len(alike), None, None)


SEGMENTS = [
    # ref                    first                    second                 gaps
    ("a b c d e f", "a x c d y f", "a b c d e f", [1, 1]),  # two good words part two segments
    ("a b c d e", "a x c y e", "a b c d e", [2]),  # one good word does not
    ("a b c d e f", "a x c d e f", "a b c d y f", [1, -1]),
    ("a b c", "a b c", "a b c", []),
    ("a b c d", "a b c d z", "x b c d", [-1, 1]),  # an insertion at the end is a segment
]


@pytest.mark.parametrize(("ref", "first", "second", "gaps"), SEGMENTS)
def test_segments_lie_between_two_good_words(
    ref: str, first: str, second: str, gaps: list[int]
) -> None:
    def aligned(hyp: str) -> list[int]:
        return list(align([ref], [hyp], UNIT).of(0))

    assert segment_gaps(aligned(first), aligned(second)) == gaps


def test_comparison_tells_better_from_chance() -> None:
    refs, hyps = pairs(400)
    worse = mg.score.words(refs, hyps)
    better = mg.score.words(
        refs, [r if i % 2 else h for i, (r, h) in enumerate(zip(refs, hyps, strict=True))]
    )
    found = worse.compare(better)
    wer = found.rates["wer"]
    assert wer.difference is not None
    assert wer.difference < 0
    assert wer.p is not None
    assert wer.p < 0.01
    assert found.mapsswe is not None
    assert found.mapsswe.p is not None
    assert found.mapsswe.p < 0.01
    assert found.only_second_right > 0
    assert found.only_first_right == 0
    itself = worse.compare(worse)
    assert itself.rates["wer"].p == 1.0
    assert itself.mcnemar == 1.0


@pytest.mark.parametrize(("a", "b"), [(600, 500), (30, 10), (1, 0)])
def test_mcnemar_is_symmetric_and_bounded(a: int, b: int) -> None:
    assert mcnemar(a, b) == mcnemar(b, a)
    assert 0 < mcnemar(a, b) <= 1


def test_a_comparison_with_an_empty_reference() -> None:
    refs = ["a b", "", "c"]
    found = mg.score.words(refs, ["a", "", "c"]).compare(mg.score.words(refs, ["a b", "x", "c"]))
    assert found.rates["wer"].difference == pytest.approx(0.0)
    assert found.rates["wer"].p is not None


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.lists(st.floats(0, 1), min_size=1, max_size=3),
)
def test_quantiles_are_those_of_numpy(values: list[float], shares: list[float]) -> None:
    found = quantiles(np.array(values), shares)
    assert found == np.quantile(np.array(values), shares).tolist()
