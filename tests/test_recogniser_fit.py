"""What is learnt about a recogniser: where it errs, what it adds, and what it writes instead."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from mondegreen.draw import Draw
from mondegreen.kernel import key
from mondegreen.language.simulation.choices import mistaken
from mondegreen.language.simulation.copula import Dependence, correlated, dependence, log_odds
from mondegreen.language.simulation.drawn import Usage
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.placement import Group, sigmoid
from mondegreen.language.simulation.profile import Habits
from mondegreen.language.simulation.regression import NewPairs
from mondegreen.language.simulation.several import Proposals, Several, fit_several
from mondegreen.language.simulation.simulator import Simulator
from mondegreen.language.simulation.units import Pair, units, unlikeness, words_of
from mondegreen.language.simulation.vocabulary import Vocabulary

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
    assert found == pytest.approx([math.log(20 * 3 + 1) + math.log(20 * 1 + 1), 0.0])
    several = usage.of_several([("set", "alarms"), ("arms",)], (["<s>"], ["</s>"]))
    assert several == pytest.approx([math.log(20 * 9 + 1) + math.log(20 * 1 + 1), 0.0])
    assert usage.within(("set", "alarms")) == pytest.approx(math.log(20 * 3 + 1))
    assert usage.within(("set", "an", "alarm")) == 0


def test_two_words_that_are_always_written_as_one_are_joined_in_new_texts() -> None:
    texts = [text.replace("tonnes", "audio book") for text in TEXTS]
    heard = [text.replace("audio book", "audiobook") for text in texts]
    simulator = Simulator(fit_recogniser(texts, heard))
    words = words_of("traders sold one audio book in august")
    made = [simulator.hypothesis(words, key(b"%d" % i, ""), 0.0, 0.0) for i in range(100)]
    assert sum("audiobook" in one for one in made) > 90


def test_two_words_that_become_one_are_one_error_of_the_utterance() -> None:
    """Some are joined in an utterance that has no other error."""
    rng = random.Random(0)
    words = words_of("red green blue north south east west spring summer autumn winter")
    refs = [" ".join(rng.sample(words, 6)) for _ in range(600)]
    heard = []
    for ref in refs:
        said, at = ref.split(), rng.randrange(5)
        if rng.random() < 0.3:
            said[at : at + 2] = ["".join(said[at : at + 2])]
        elif rng.random() < 0.4:
            said[at] = said[at + 1] = "other"
        heard.append(" ".join(said))
    simulator = Simulator(fit_recogniser(refs, heard))
    made = Counter[str]()
    for i, ref in enumerate(refs):
        spoken = words_of(ref)
        found = units(spoken, simulator.hypothesis(spoken, key(b"%d" % i, ref), 0.0, 0.0))
        if any(end - start > 1 for start, end, _ in found):
            made["alone" if len(found) == 1 else "with others"] += 1
    assert made["alone"] > 3 * made["with others"]


def test_nothing_is_lost_altogether_unless_it_was() -> None:
    rng = random.Random(0)
    texts = [text.split()[0] + f" {text.split()[-1]}" for text in TEXTS]
    heard = [rng.choice([text, *text.split()]) for text in texts]
    words = words_of("traders august")

    def made(heard: list[str]) -> list[tuple[str, ...]]:
        simulator = Simulator(fit_recogniser(texts, heard))
        return [simulator.hypothesis(words, key(b"%d" % i, ""), 0.9) for i in range(300)]

    assert () not in made(heard)
    assert () in made([one if rng.random() < 0.8 else "" for one in heard])


def test_the_kind_of_error_depends_on_the_next_word() -> None:
    """Each third of the references in alphabetical order has the same month."""
    rng = random.Random(0)
    heard = [
        text.replace("in may", "may").replace("in june", "on june") if rng.random() < 0.6 else text
        for text in TEXTS
    ]
    lost = simulated(heard, "traders sold eight barrels in may")
    exchanged = simulated(heard, "traders sold eight barrels in june")
    assert lost["traders sold eight barrels may"] > 8 * lost["traders sold eight barrels on may"]
    assert exchanged["traders sold eight barrels on june"] > 60
    assert exchanged["traders sold eight barrels june"] < 15


def proposals(heard: dict[str, dict[str, int]]) -> Proposals:
    """Return what a recogniser proposes that writes some words."""
    written = Counter(words_of("turn off the light set the alarms for me and play some music"))
    return Proposals(heard, Vocabulary(written, mistaken(heard)), Usage({"alarm for": 5}))


def test_a_word_is_divided_into_one_like_it_and_a_usual_one() -> None:
    others, features = proposals({"forum": {"for them": 9}}).of_word("alarms", 2) or ([], None)
    assert "alarm for" in others
    assert "for alarm" in others
    assert all(len(other.split()) == 2 and "alarms" not in other.split() for other in others)
    assert features is not None
    assert features.shape == (len(others), 7)


def test_what_a_word_becomes_is_like_it_and_known_outcomes_are_drawn() -> None:
    known = {"alarms": {"alarm s": 50}, "forum": {"for them": 9}}
    habits = Habits(read=0.5, apart=0.5, together=0.5)
    weights = fit_several([])
    assert weights.splits == weights.joins  # the usual ones, for there is nothing to learn
    several = Several(weights, known, {"set the": {"settle": 50}}, habits, proposals(known))
    around = (["<s>", "the"], ["on"])

    def drawn(word: str) -> list[tuple[str, ...]]:
        found = (several.split(word, 2, around, Draw(key(b"%d" % i, word), 0)) for i in range(200))
        return [one for one in found if one is not None]

    assert drawn("alarms").count(("alarm", "s")) > 180
    assert np.mean([unlikeness(("lighting",), one) for one in drawn("lighting")]) < 0.5
    assert several.join("set", "the", around, Draw(1, 0)) == ("settle",)


def test_weights_of_divided_words_are_learnt() -> None:
    pairs = []
    for word in ("light", "music", "alarms", "kitchen", "morning", "weather", "number", "radio"):
        near = {"light": "night", "music": "muse", "alarms": "alarm", "kitchen": "chicken"}
        ref, hyp = words_of(f"the {word} here"), words_of(f"the {near.get(word, 'or')} and here")
        pairs.append(Pair(ref, hyp, units(ref, hyp)))
    known = {"forum": {"and them": 9}}
    what = proposals(known)
    learnt = fit_several([NewPairs(pairs, known, {}, what.vocabulary, what.usage)])
    usual = fit_several([])
    assert learnt.splits != usual.splits
    assert learnt.joins == usual.joins


def test_correlated_variables_are_standard_normal_and_correlated_as_asked() -> None:
    rng = np.random.default_rng(0)
    noise = list(rng.standard_normal((7, 200_000)))
    near = [np.full(200_000, 0.8), np.full(200_000, 0.2)]
    found = np.array(correlated(noise, near, 0.3))
    assert found.mean(1) == pytest.approx(0, abs=0.01)
    assert found.std(1) == pytest.approx(1, abs=0.01)
    matrix = np.corrcoef(found)
    assert matrix[1, 3] == pytest.approx(0.8, abs=0.01)
    assert matrix[3, 5] == pytest.approx(0.2, abs=0.01)
    assert matrix[0, 1] == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize("true", [Dependence(0.2, 0.3), Dependence(0.0, 0.2, 0.0, 0.3)])
def test_how_errors_go_together_is_recovered(true: Dependence) -> None:
    rng = np.random.default_rng(1)
    refs = [["the"] * 12] * 4000
    odds = [np.full(25, -1.8)] * 4000
    happened = []
    for one in odds:
        close = rng.random() < true.runs
        near = [0.9 if close else true.neighbour] * 11
        own = np.array(correlated(rng.standard_normal(25).tolist(), near, 0.0))
        z = math.sqrt(true.common) * rng.standard_normal() + math.sqrt(1 - true.common) * own
        happened.append((log_odds(z) < one).astype(float))
    refs, odds = [*refs, ["the"] * 5000], [*odds, np.full(10_001, -9.0)]
    found = dependence(refs, odds, [*happened, np.zeros(10_001)])
    assert found.common == pytest.approx(true.common, abs=0.11)
    assert found.near(1) == pytest.approx(true.neighbour, abs=0.11)
    assert found.runs == pytest.approx(true.runs, abs=0.11)
