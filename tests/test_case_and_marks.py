"""What is inserted respects capitals, final punctuation and slots, whatever the operator."""

from __future__ import annotations

import pytest

from mondegreen.types import Slot, Utterance, Variant
from mondegreen.variants import perturb

INSERTING = (
    "fillers",
    "fillers.bos",
    "fillers.eos",
    "fillers.preverb",
    "fillers.postverb",
    "repeats",
    "partials",
    "repairs",
    "restarts",
    "discourse",
    "disfluencies",
)
SENTENCE = Utterance.of("1", "Play some jazz by Miles Davis in the kitchen .")
SLOTTED = Utterance(
    "2",
    ("play", "kind", "of", "blue", "by", "miles", "davis", "in", "the", "living", "room"),
    (Slot("album", 1, 4), Slot("artist", 5, 7), Slot("room", 9, 11)),
)


def variants(operator: str, utterance: Utterance) -> list[Variant]:
    return [
        variant
        for seed in range(60)
        for variant in perturb([utterance], operator, seed=seed, rate=0.3)
        if variant.edits
    ]


@pytest.mark.parametrize("operator", INSERTING)
def test_a_sentence_keeps_one_capital_and_its_full_stop_at_the_end(operator: str) -> None:
    made = variants(operator, SENTENCE)
    assert len(made) > 30
    for variant in made:
        tokens = variant.utterance.tokens
        assert tokens[0][0].isupper()
        assert tokens[-1] == "." or (operator == "fillers.eos" and tokens[-1] == "?")
        assert "Play" not in tokens[1:]
        if operator != "fillers.eos":  # it may end with a question of its own
            said = [edit.start for edit in variant.edits if edit.start == edit.end]
            assert len(SENTENCE.tokens) - 1 not in said


@pytest.mark.parametrize("operator", ["repeats", "partials", "repairs", "restarts", "discourse"])
def test_nothing_is_taken_back_inside_a_slot(operator: str) -> None:
    for variant in variants(operator, SLOTTED):
        assert variant.utterance.values == SLOTTED.values
        for before, after in zip(SLOTTED.slots, variant.utterance.slots, strict=True):
            words = variant.utterance.tokens[after.start : after.end]
            assert words == SLOTTED.tokens[before.start : before.end]


def test_a_name_keeps_its_capital() -> None:
    for variant in variants("repeats", Utterance.of("3", "Miles Davis please")):
        assert variant.utterance.tokens.count("miles") == 0
