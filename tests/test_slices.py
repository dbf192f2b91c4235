"""Slices: planted causes are found, chance is not, and the tail is exact."""

from __future__ import annotations

from math import comb
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.metrics.slices.finding import Fact, Observations, find_slices
from mondegreen.metrics.slices.tests import at_least
from mondegreen.metrics.slu.symptoms import slu_symptoms
from mondegreen.types import Prediction, Slot, Utterance
from showing import Shown

PHRASES = {"word": "“{}”", "place": "{}", "intent": "intent {}"}


@given(st.integers(1, 30), st.data())
def test_the_tail_is_exact(size: int, data: st.DataObject) -> None:
    n, all_failed = (data.draw(st.integers(0, size)) for _ in range(2))
    failed = data.draw(st.integers(0, min(n, all_failed)))
    ways = sum(
        comb(all_failed, k) * comb(size - all_failed, n - k)
        for k in range(failed, min(n, all_failed) + 1)
    )
    assert at_least(failed, n, all_failed, size) == pytest.approx(ways / comb(size, n))


def observed(seed: int, *, planted: bool, units: int = 2_000) -> Observations:
    draw = Random(seed)
    seen = Observations("lost", "variants", PHRASES)
    for unit in range(units):
        word, place = draw.choice("abcdefghij"), draw.choice(["start", "end"])
        intent = draw.choice(["play", "stop", "book"])
        share = 0.7 if planted and word == "c" and place == "end" else 0.1
        facts = [("word", word), ("place", place), ("intent", intent)]
        seen.add(facts, failed=draw.random() < share, cluster=unit // 2, item=unit)
    return seen


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_pair_is_found_alone(seed: int) -> None:
    [first, *others] = find_slices(observed(seed, planted=True))
    assert first.slice.facts == (Fact("word", "c"), Fact("place", "end"))
    assert not others
    assert first.slice.sentence.startswith("“c”, end: ")
    assert len(first.members) == first.slice.n


def test_chance_is_seldom_taken_for_a_cause() -> None:
    """The level is 5 % per table; of 60 tables, more than 9 false alarms have p < 0.002."""
    alarms = sum(bool(find_slices(observed(seed, planted=False, units=600))) for seed in range(60))
    assert alarms <= 9


def test_failures_of_one_cluster_count_as_one() -> None:
    """Forty variants of one utterance that fail together say nothing about their word."""
    seen = Observations("lost", "variants", PHRASES)
    for unit in range(400):
        bad = unit < 40
        facts = [("word", "a" if bad else "b")]
        seen.add(facts, failed=bad or unit % 20 == 0, cluster=0 if bad else unit, item=unit)
    assert find_slices(seen) == []


GOLD = Utterance.of("1", "play jazz right now", [Slot("genre", 1, 2)], "play")


@pytest.mark.parametrize(
    ("slots", "label", "edited", "symptoms"),
    [
        ([Slot("genre", 1, 2)], "play", {2, 3}, []),
        ([Slot("genre", 1, 4)], "play", {2, 3}, ["a slot grows into the edit"]),
        ([Slot("genre", 1, 4)], "play", set(), ["a slot takes in other words"]),
        ([Slot("genre", 1, 2), Slot("time", 2, 4)], "play", {2}, ["the edit is taken for a slot"]),
        ([Slot("artist", 1, 2)], "play", set(), ["a slot gets another label"]),
        ([], "stop", set(), ["the intent is wrong", "a slot is lost"]),
    ],
)
def test_symptoms(slots: list[Slot], label: str, edited: set[int], symptoms: list[str]) -> None:
    assert slu_symptoms(GOLD, Prediction("1", tuple(slots), label), edited) == symptoms


def test_a_run_and_a_score_have_slices(shown: Shown) -> None:
    for one in mg.slices(shown.run):
        assert one.failed / one.n > one.elsewhere
        assert 0 <= one.p < 0.05
    refs = [f"call {name} now" for name in ("ann", "bob") * 40]
    hyps = [ref.replace("bob", "rob") for ref in refs]
    [found, *_] = mg.slices(mg.score.words(refs, hyps))
    assert found.facts == (Fact("word", "bob"),)
    assert (found.n, found.failed) == (40, 40)
    assert found.record()["symptoms"] == {"“rob” is heard": 40}


def test_a_word_that_should_go_is_wrong_if_it_stays() -> None:
    refs = ["play UH some jazz"] * 30 + ["play WELL some jazz"] * 30
    hyps = ["play uh some jazz"] * 30 + ["play some jazz"] * 30
    [found, *_] = mg.slices(mg.score.fluency(refs, hyps))
    assert found.facts == (Fact("word", "UH"),)
    assert found.symptoms == (("it is not left out", 30),)


def test_a_path_is_opened(shown: Shown, tmp_path: Path) -> None:
    assert isinstance(mg.slices(str(shown.run)), list)
    with pytest.raises(mg.MondegreenError, match="no such file"):
        mg.slices(tmp_path / "none.run")
