"""The tagger: kernel and twin agree; accuracy on treebanks; odd input; entities and verbs."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen.errors import MissingExtraError, OperatorError
from mondegreen.kernel import compiled
from mondegreen.kernel import tagging as crf
from mondegreen.language.vocabulary import tagger as module
from mondegreen.language.vocabulary.tagger import first_entity, form_of, stop_word, tag, tagger
from mondegreen.language.vocabulary.verbs import verb_phrase
from mondegreen.testing.strategies import WORDS, utterances
from mondegreen.types import Slot, Utterance

TOKENS = st.one_of(
    WORDS,
    st.sampled_from(["show", "me", "flights", "from", "boston", "that", "friday", ",", ":)", "'s"]),
    st.text(min_size=1, max_size=6),
)


@cache
def twin() -> crf.Tagger:
    return crf.Tagger(module._model(), form_of)  # noqa: SLF001 (the same model without the kernel)


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
@given(st.lists(TOKENS, max_size=12).map(tuple))
@settings(max_examples=300)
def test_kernel_and_twin_tag_alike(tokens: tuple[str, ...]) -> None:
    assert module._own().tag(tokens) == twin().tag(tokens)  # noqa: SLF001


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
@given(st.lists(TOKENS, min_size=1, max_size=8).map(tuple), TOKENS, st.integers(0, 7))
def test_kernel_and_twin_tag_a_word_in_place_of_another(
    tokens: tuple[str, ...], word: str, at: int
) -> None:
    at %= len(tokens)
    found = module._own().tag_in_place(tokens, at, word)  # noqa: SLF001
    assert found == twin().tag_in_place(tokens, at, word)


@given(st.lists(TOKENS, max_size=12).map(tuple))
def test_every_token_gets_one_tag(tokens: tuple[str, ...]) -> None:
    tags = tag(tokens)
    assert len(tags) == len(tokens)
    assert set(tags) <= set(str(module._model()["tags"]).split())  # noqa: SLF001


@given(st.lists(st.sampled_from(["play", "show", "me", "some", "jazz", "boston"]), max_size=8))
def test_case_and_punctuation_do_not_matter(words: list[str]) -> None:
    punctuated = tuple(word.upper() + "," for word in words)
    assert tag(punctuated) == tag(tuple(words))


def sentences(path: Path) -> list[list[tuple[str, str]]]:
    """Return the sentences of a treebank in lower case, without punctuation."""
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.strip("\n").split("\n") if line]
        kept = [(word.lower(), gold) for word, gold, _ in rows if gold != "PUNCT"]
        if kept:
            found.append(kept)
    return found


@pytest.mark.skipif(compiled is None, reason="slow in plain Python")
@pytest.mark.parametrize(
    ("part", "least", "verbs"), [("atis-dev", 0.982, 0.98), ("ewt-dev", 0.935, 0.95)]
)
def test_accuracy_on_the_dev_sets(shared: Path, part: str, least: float, verbs: float) -> None:
    pairs = [
        (gold, found)
        for sentence in sentences(shared / "data" / "pos" / f"{part}.tsv")
        for (_, gold), found in zip(sentence, tag(tuple(w for w, _ in sentence)), strict=True)
    ]
    assert sum(gold == found for gold, found in pairs) / len(pairs) >= least
    hits = 2 * pairs.count(("VERB", "VERB"))
    assert hits / sum((gold == "VERB") + (found == "VERB") for gold, found in pairs) >= verbs


@pytest.mark.parametrize(
    "command",
    [
        "add tune to sxsw fresh playlist",
        "book a table for two",
        "play party anthems",
        "rate this book five stars",
        "find the nearest cinema",
        "show me the movie times",
        "give this novel four points",
        "put this song on my playlist",
        "turn off the lights",
        "wake me up at six",
        "remind me to call mum",
        "set an alarm for seven",
    ],
)
def test_a_command_begins_with_a_verb(command: str) -> None:
    assert tag(tuple(command.split()))[0] == "VERB"


@pytest.mark.parametrize(
    ("token", "form"),
    [
        ("Don\u2019t", b"don't"),
        ("'s", b"'s"),
        ("\u2019S", b"'s"),
        ("'jazz'", b"jazz"),
        ("?!", b""),
        ("...", b""),
        ("-", b""),
        (":)", b":)"),
        ("$5.", b"$5"),
        ("\ud800", b"\xed\xa0\x80"),
    ],
)
def test_forms(token: str, form: bytes) -> None:
    assert form_of(token) == form


def test_stop_words() -> None:
    assert all(map(stop_word, ["the", "of", "to", "and", "You", "it,", "IS"]))
    assert not any(map(stop_word, ["playlist", "paris", "", "7", "?"]))


@pytest.mark.parametrize(
    ("text", "slots", "place"),
    [
        ("play miles davis", (Slot("artist", 1, 3),), 1),
        ("what is the weather in paris", (), 5),
        ("7 8 9", (), 0),
        ("oh no", (), None),
        ("", (), None),
        ("👍", (), 0),
    ],
)
def test_the_first_entity(text: str, slots: tuple[Slot, ...], place: int | None) -> None:
    found = first_entity(Utterance.of("1", text, slots))
    if place is not None or not text:
        assert found == place
    else:
        assert found is not None


@given(utterances(min_size=1))
def test_every_utterance_has_an_entity(utterance: Utterance) -> None:
    found = first_entity(utterance)
    assert found is not None
    assert 0 <= found < len(utterance.tokens)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("i would like a flight", "would like"),
        ("i d like a flight", "like"),
        ("wake me up at six", "wake me up"),
        ("turn on the lights", "turn on"),
        ("can you play some jazz", "play"),
        ("what is the weather in paris", "is"),
    ],
)
def test_verb_phrases(text: str, phrase: str) -> None:
    tokens = tuple(text.split())
    found = verb_phrase(tokens)
    assert found is not None
    assert " ".join(tokens[found.start : found.end]) == phrase


@given(utterances())
def test_a_verb_phrase_begins_and_ends_outside_slots(utterance: Utterance) -> None:
    found = verb_phrase(utterance.tokens, utterance.slots)
    if found is not None:
        assert 0 <= found.start < found.end <= len(utterance.tokens)
        for slot in utterance.slots:
            assert not slot.start < found.start < slot.end
            assert not slot.start < found.end < slot.end


def test_spacy_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"mondegreen\[spacy\]"):
        tagger("spacy:en_core_web_sm")
    for name in ("spacy", "spacy:", "nltk"):
        with pytest.raises(OperatorError, match="No tagger named"):
            tagger(name)
