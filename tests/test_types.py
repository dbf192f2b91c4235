"""Utterances, slots and tags are validated when they are made."""

from __future__ import annotations

import pytest

from mondegreen.errors import DataError
from mondegreen.types import Slot, Utterance, slots_of_tags


@pytest.mark.parametrize(
    "slots",
    [
        [Slot("a", 0, 2), Slot("b", 1, 3)],
        [Slot("a", 1, 2), Slot("b", 0, 1)],
        [Slot("a", 1, 1)],
        [Slot("a", 2, 4)],
        [Slot("a", -1, 1)],
    ],
)
def test_wrong_slots_raise(slots: list[Slot]) -> None:
    with pytest.raises(DataError, match="in order, disjoint, not empty, and within the 3 tokens"):
        Utterance.of("u", "a b c", slots)


def test_an_empty_token_raises() -> None:
    with pytest.raises(DataError, match="utterance 'u': token 1 is empty"):
        Utterance("u", ("a", ""))


def test_a_label_of_one_letter() -> None:
    assert slots_of_tags(["B-x", "I-x"]) == (Slot("x", 0, 2),)


def test_tokens_that_are_not_in_the_text_raise() -> None:
    with pytest.raises(DataError, match=r"token 1 \('rock'\) is not in the text"):
        Utterance.of("u1", "play jazz", tokens=("play", "rock"))
