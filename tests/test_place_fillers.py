"""Fillers of place: each utterance gets one, where it belongs, and no slot is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.data import read
from mondegreen.errors import OperatorError
from mondegreen.operators import parse
from mondegreen.operators.place_fillers import PlaceFillers
from mondegreen.perturbation.engine import perturb
from mondegreen.testing.strategies import utterances
from mondegreen.types import Slot, Utterance

NAMES = ("fillers.bos", "fillers.eos", "fillers.preverb", "fillers.postverb")
every = pytest.mark.parametrize("name", NAMES)


def put_in(name: str, said: Utterance | str, seed: int = 0) -> tuple[int, str]:
    """Where the filler went, and what it is."""
    (variant,) = perturb([said], name, seed=seed)
    (edit,) = variant.edits
    assert edit.start == edit.end
    assert edit.kind == "filler"
    return edit.start, " ".join(edit.tokens)


@every
@given(said=utterances(), seed=st.integers(0, 3))
def test_every_utterance_gets_one_outside_its_slots(name: str, said: Utterance, seed: int) -> None:
    place, filler = put_in(name, said, seed)
    operator = parse(name)
    assert isinstance(operator, PlaceFillers)
    known = {*operator.known, "like", *(f.removesuffix(" ?") for f in operator.known)}
    assert filler in known
    assert not any(slot.start < place < slot.end for slot in said.slots)


@pytest.mark.parametrize(
    ("name", "text", "place"),
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
def test_places(name: str, text: str, place: int) -> None:
    assert put_in(name, text)[0] == place


def test_without_a_verb_it_is_like_before_the_first_entity() -> None:
    for name in NAMES[2:]:
        assert put_in(name, "cheapest fares to boston", seed=3)[1] == "like"
        said = Utterance.of("1", "the song we are young", (Slot("song", 2, 5),))
        assert put_in(name, said) == (2, "like")


def test_a_verb_outside_slots_comes_first() -> None:
    said = Utterance.of("1", "call me maybe put it on", (Slot("song", 0, 3),))
    assert put_in("fillers.preverb", said)[0] == 3


@pytest.mark.parametrize("seed", range(40))
def test_no_word_is_said_twice_and_no_mark_is_doubled(seed: int) -> None:
    assert put_in("fillers.preverb", "i like jazz", seed)[1] != "like"
    assert "please" not in put_in("fillers.eos", "stop please", seed)[1].split()
    assert not put_in("fillers.eos", "is it cold ?", seed)[1].endswith("?")


@every
def test_own_words(name: str) -> None:
    assert put_in(f"{name}(words=['hey there'])", "play jazz")[1] == "hey there"
    for words in ("'hey'", "['']"):
        with pytest.raises(OperatorError, match=r"words must be a list|a filler is empty"):
            parse(f"{name}(words={words})")


def test_an_unknown_tagger_is_refused() -> None:
    with pytest.raises(OperatorError, match="No tagger named"):
        parse("fillers.preverb(tagger='nltk')")


@every
@pytest.mark.parametrize("corpus", ["atis", "snips", "nlued"])
def test_real_utterances_change_once_with_slots_intact(
    shared: Path, name: str, corpus: str
) -> None:
    data = list(read(shared / "data" / "slu" / corpus / "test"))
    changed = 0
    for variant in perturb(data, name, seed=1):
        said, heard = variant.parent, variant.utterance
        changed += len(variant.edits) == 1
        assert [said.tokens[s.start : s.end] for s in said.slots] == [
            heard.tokens[s.start : s.end] for s in heard.slots
        ]
    assert changed == len(data)
