"""What is learnt about a recogniser: where it errs, what it adds, and what it writes instead."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from mondegreen.kernel import key
from mondegreen.language.simulation.choices import Usage
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.placement import Group, sigmoid
from mondegreen.language.simulation.simulator import Simulator
from mondegreen.language.simulation.units import words_of

SUBJECTS = ("we", "they", "you", "people", "analysts", "banks", "farmers", "buyers")
AMOUNTS = ("three", "five", "six", "seven", "nine", "ten", "twelve")
UNITS = ("million", "tonnes", "barrels")
TEXTS = [
    f"{who} sold {many} {of} in {month}"
    for who, many, of, month in product(SUBJECTS, AMOUNTS, UNITS, ("may", "june", "july"))
]


def simulated(heard: list[str], text: str, n: int = 200) -> Counter[str]:
    """Count what a recogniser that was fitted to the texts makes of another text."""
    simulator = Simulator(fit_recogniser(TEXTS, heard))
    words = words_of(text)
    return Counter(
        " ".join(simulator.hypothesis(words, key(b"%d" % i, text), 0.0, 0.0)) for i in range(n)
    )


def test_words_are_added_where_they_were_and_after_the_same_word() -> None:
    rng = random.Random(0)
    heard = [
        text.replace("million", "million dollars") if rng.random() < 0.7 else text for text in TEXTS
    ]
    made = simulated(heard, "traders sold eight million in august")
    assert made["traders sold eight million dollars in august"] > 100
    made = simulated(heard, "traders sold eight barrels in august")
    assert made["traders sold eight barrels in august"] > 150


def test_a_word_may_be_wrong_after_one_word_only() -> None:
    rng = random.Random(0)
    heard = [
        text.replace("five million", "fine million") if rng.random() < 0.7 else text
        for text in TEXTS
    ]
    wrong = simulated(heard, "traders sold five million in august")
    right = simulated(heard, "traders sold five tonnes in august")
    assert wrong["traders sold five million in august"] < 120
    assert right["traders sold five tonnes in august"] > 150


def test_an_offset_without_a_reference_is_nearly_the_one_fitted_without_it() -> None:
    rng = np.random.default_rng(0)
    refs = np.repeat(np.arange(30), 4)
    names = [f"word{i}" for i in rng.integers(6, size=len(refs))]
    y = (rng.random(len(refs)) < 0.3).astype(float)
    base = rng.normal(-1, 0.5, len(refs))

    def settled(keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Group:
        group = Group([name for name, one in zip(names, keep, strict=True) if one], 1.0)
        for _ in range(5):
            group.settle(base[keep], y[keep])
        return group

    whole = settled(np.ones(len(refs), bool))
    p = sigmoid(base + whole.of_sites())
    left_out = whole.left_out(refs, y - p, p * (1 - p))
    again = np.zeros(len(refs))
    for ref in range(30):
        fitted = settled(refs != ref).scaled(1.0)
        for site in np.flatnonzero(refs == ref):
            again[site] = fitted[names[site]]
    missed, moved = np.abs(left_out - again), np.abs(whole.of_sites() - again)
    assert missed.max() < 0.05 < moved.max()
    assert missed.mean() < moved.mean() / 5


def test_usage_is_how_often_the_hypotheses_have_a_word_between_its_neighbours() -> None:
    usage = Usage({"<s> set": 9, "set alarms": 3, "alarms </s>": 1})
    found = usage.of(["alarms", "arms"], (["<s>", "set"], ["</s>"]))
    assert found == pytest.approx([math.log(4) + math.log(2), 0.0])
