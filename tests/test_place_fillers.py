"""Fillers at a fixed position: each utterance gets one, and no slot is split."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.data import read
from mondegreen.errors import OperatorError
from mondegreen.operators import parse
from mondegreen.operators.place_fillers import PlaceFillers
from mondegreen.testing.strategies import utterances
from mondegreen.types import Slot, Utterance
from mondegreen.variants import perturb

NAMES = ("fillers.bos", "fillers.eos", "fillers.preverb", "fillers.postverb")
every = pytest.mark.parametrize("name", NAMES)


def insertion(name: str, utterance: Utterance | str, seed: int = 0) -> tuple[int, str]:
    """Return the position and the text of the filler."""
    (variant,) = perturb([utterance], name, seed=seed, language="en", protect_codes=False)
    edit, *case = variant.edits
    assert edit.start == edit.end
    assert edit.kind == "filler"
    assert all(other.kind == "case" for other in case)
    return edit.start, " ".join(edit.tokens)


@every
@given(utterance=utterances(), seed=st.integers(0, 3))
def test_every_utterance_gets_a_filler_outside_its_slots(
    name: str, utterance: Utterance, seed: int
) -> None:
    position, filler = insertion(name, utterance, seed)
    operator = parse(name)
    assert isinstance(operator, PlaceFillers)
    known = {*operator.known, "like", "okay", "then", "you know"}
    plain = filler.lower().rstrip(".?").strip()
    assert plain in {one.removesuffix(" ?") for one in known}
    assert not any(slot.start < position < slot.end for slot in utterance.slots)


@pytest.mark.parametrize(
    ("name", "text", "position"),
    [
        ("fillers.bos", "add this tune", 0),
        ("fillers.eos", "add this tune", 3),
        ("fillers.eos", "add this tune .", 3),
        ("fillers.preverb", "add this tune", 0),
        ("fillers.preverb", "i would like a flight", 1),
        ("fillers.preverb", "can you play jazz", 2),
        ("fillers.postverb", "add this tune", 1),
        ("fillers.postverb", "turn off the lights", 2),
        ("fillers.postverb", "show me flights to boston", 2),
        ("fillers.preverb", "jazz", 0),
        ("fillers.postverb", "2010", 0),
        ("fillers.postverb", "👍", 0),
        ("fillers.preverb", "你 好", 1),
    ],
)
def test_positions(name: str, text: str, position: int) -> None:
    assert insertion(name, text)[0] == position


def test_without_a_verb_the_filler_is_like_before_the_first_entity() -> None:
    for name in NAMES[2:]:
        assert insertion(name, "cheapest fares to boston", seed=3)[1] == "like"
        utterance = Utterance.of("1", "the song we are young", (Slot("song", 2, 5),))
        assert insertion(name, utterance) == (2, "like")


def test_verbs_in_slots_are_ignored() -> None:
    utterance = Utterance.of("1", "call me maybe put it on", (Slot("song", 0, 3),))
    assert insertion("fillers.preverb", utterance)[0] == 3


@pytest.mark.parametrize("seed", range(40))
def test_no_word_and_no_question_mark_is_repeated(seed: int) -> None:
    assert insertion("fillers.preverb", "i like jazz", seed)[1] != "like"
    assert "please" not in insertion("fillers.eos", "stop please", seed)[1].split()
    assert not insertion("fillers.eos", "is it cold ?", seed)[1].endswith("?")


@every
def test_fillers_of_the_user(name: str) -> None:
    assert insertion(f"{name}(words=['hey there'])", "play jazz")[1] == "hey there"
    for words in ("'hey'", "['']"):
        with pytest.raises(OperatorError, match=r"words must be a list|a filler is empty"):
            parse(f"{name}(words={words})")


def test_an_unknown_tagger_is_refused() -> None:
    with pytest.raises(OperatorError, match="No tagger named"):
        parse("fillers.preverb(tagger='nltk')")


@every
@pytest.mark.parametrize("corpus", ["atis", "snips", "nlued"])
def test_real_utterances_change_once_and_keep_their_slots(
    shared: Path, name: str, corpus: str
) -> None:
    data = list(read(shared / "data" / "slu" / corpus / "test"))
    changed = 0
    for variant in perturb(data, name, seed=1):
        before, after = variant.parent, variant.utterance
        changed += len(variant.edits) >= 1
        assert [before.tokens[s.start : s.end] for s in before.slots] == [
            after.tokens[s.start : s.end] for s in after.slots
        ]
    assert changed == len(data)
