"""Synonyms in context: which words are replaced, by which, and what is kept unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen.data import read
from mondegreen.data.sample import sample
from mondegreen.errors import OperatorError
from mondegreen.language.vocabulary.inflection import lemma
from mondegreen.language.vocabulary.lexicon import related
from mondegreen.language.vocabulary.names import kept_positions
from mondegreen.language.vocabulary.substitutes import Thesaurus, WordPlace, agrees, candidates
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.operators import parse, signature
from mondegreen.operators.synonyms import (
    AdjectiveSynonyms,
    AdverbSynonyms,
    AnySynonyms,
    StopwordSynonyms,
    Synonyms,
    VerbSynonyms,
)
from mondegreen.testing.strategies import utterances
from mondegreen.text.words import core_of
from mondegreen.types import Slot, Utterance, Variant
from mondegreen.variants import perturb

FIVE: list[type[Synonyms]] = [
    VerbSynonyms,
    AdjectiveSynonyms,
    AdverbSynonyms,
    AnySynonyms,
    StopwordSynonyms,
]
NAMES = [kind.name for kind in FIVE]


def variant_of(text: str, operator: str, seed: int = 0) -> Variant:
    return next(iter(perturb([text], operator, seed=seed, language="en")))


REPLACED = [
    # text                   operator         variant                    class
    ("book a table for two", "synonyms.verb", "reserve a table for two", "verb"),
    ("She bought it", "synonyms.verb", "She got it", "verb"),
    ('"Purchase!"', "synonyms.verb", '"Buy!"', "verb"),
    ("a BIGGER house", "synonyms.adjective", "a LARGER house", "adjective"),
    ("songs", "synonyms.adjective", "tracks", "noun"),  # no adjective: a noun
    ("eat quickly", "synonyms.adverb", "eat rapidly", "adverb"),
    ("the song", "synonyms.stopword", "that song", "stopword"),
    ("the album", "synonyms.stopword", "that album", "stopword"),
]


@pytest.mark.parametrize(("text", "operator", "expected", "kind"), REPLACED)
def test_a_word_of_the_class_is_replaced(
    text: str, operator: str, expected: str, kind: str
) -> None:
    variant = variant_of(text, operator)
    assert (variant.utterance.text, [edit.kind for edit in variant.edits]) == (expected, [kind])


@pytest.mark.parametrize("kind", FIVE)
def test_the_new_word_has_the_same_part_of_speech_and_another_lemma(kind: type[Synonyms]) -> None:
    for variant in perturb(sample(), kind(), seed=3):
        if not variant.edits:
            continue
        (edit,) = variant.edits
        assert edit.end == edit.start + 1
        assert len(edit.tokens) == 1
        before, after = core_of(variant.parent.tokens[edit.start]), core_of(edit.tokens[0])
        part = tag(variant.parent.tokens)[edit.start]
        assert after.replace("'", "").replace("-", "").isalpha()
        assert lemma(before, part) != lemma(after, part)
        assert tag(variant.utterance.tokens)[edit.start] == part


@pytest.mark.parametrize("kind", FIVE)
def test_another_class_is_replaced_only_if_no_word_of_the_class_can_be(
    kind: type[Synonyms],
) -> None:
    for variant in perturb(sample(), kind(), seed=4):
        if variant.edits and variant.edits[0].kind not in kind.kinds:
            again = [v for v in perturb([variant.parent], kind(), rate=1.0) if v.edits]
            assert all(e.kind not in kind.kinds for v in again for e in v.edits)


@pytest.mark.parametrize("text", ["", "2010", "👩‍👩‍👧", "你 好", "музыка", "x", "?!", "sxsw"])
@pytest.mark.parametrize("name", NAMES)
def test_words_that_are_not_in_the_thesaurus_are_kept(name: str, text: str) -> None:
    assert variant_of(text, name).utterance.text == text


@pytest.mark.parametrize("name", NAMES)
@given(utterance=utterances(min_size=1), seed=st.integers(0, 3))
@settings(max_examples=30)
def test_slots_are_kept(name: str, utterance: Utterance, seed: int) -> None:
    for variant in perturb([utterance], name, seed=seed, rate=0.5, language="en"):
        assert variant.utterance.tags == utterance.tags
        assert len(variant.utterance.tokens) == len(utterance.tokens)


CHANGED = {"atis": 0.75, "snips": 0.6, "nlued": 0.5}
"""The share of utterances in which some word has a substitute that fits."""


@pytest.mark.parametrize("dataset", CHANGED)
def test_most_real_utterances_are_changed_once(shared: Path, dataset: str) -> None:
    data = list(read(shared / "data" / "slu" / dataset / "test"))[::3]
    for name in NAMES:
        variants = list(perturb(data, name, seed=7))
        changed = [variant for variant in variants if variant.edits]
        assert len(changed) >= CHANGED[dataset] * len(data)
        assert all(len(variant.edits) == 1 for variant in changed)
        assert all(variant.utterance.tags == variant.parent.tags for variant in variants)


WRONG = [
    # sentence, word that is kept or gets another substitute, a substitute of another sense
    ("what time is it in the greenwich timezone", "time", "clip"),
    ("what is the bank's routing number", "routing", "sending"),
    ("what is my amex minimum payment", "minimum", "token"),
    ("help to turn on whisper mode", "mode", "way"),
    ("we will stay for several nights", "stay", "live"),
    ("start calling you juliette", "calling", "dialing"),
    ("i would like help with booking a room", "help", "assist"),
    ("are pets allowed and is it furnished", "furnished", "provided"),
    ("does contactless also work with debit cards", "also", "too"),
    ("i set it yesterday", "set", "create"),
    ("can i get my money back", "money", "cash"),
]


@pytest.mark.parametrize(("text", "word", "wrong"), WRONG)
def test_no_word_of_another_sense_is_taken(text: str, word: str, wrong: str) -> None:
    variants = [v for name in NAMES for v in perturb([text], name, severity=1.0)]
    at = text.split().index(word)
    assert wrong not in {variant.utterance.tokens[at] for variant in variants}


def test_the_context_decides() -> None:
    source = Thesaurus()
    food = ("i", "want", "some", "healthy", "food")
    growth = ("we", "expect", "healthy", "growth")
    assert source.ranked(WordPlace(food, 3, "ADJ")) == ("nutritious",)
    assert source.ranked(WordPlace(growth, 2, "ADJ")) == ()


def test_nothing_is_forced() -> None:
    for name in NAMES:
        assert not variant_of("espn", name).edits
        assert not variant_of("what time zone is denver in", name).edits


def test_one_speaker_stays_one() -> None:
    for text in ("i want to know if you can tell me my balance", "we need our car and us"):
        variants = perturb([text], "synonyms.stopword", variants=8, language="en")
        new = {edit.tokens[0] for variant in variants for edit in variant.edits}
        assert not new & {"i", "we", "us", "me"}


@pytest.mark.parametrize("text", ["book a reservation for two", "Book a reservation for two"])
@pytest.mark.parametrize("name", NAMES)
def test_a_word_of_the_same_family_is_not_said_twice(name: str, text: str) -> None:
    made = variant_of(text, name).utterance.text.lower().split()
    assert not {"book", "booking"} <= {*made}
    assert not {"reserve", "reservation"} <= {*made}


def test_candidates_take_the_form_of_the_word() -> None:
    for word, part, other in [
        ("reserves", "VERB", "books"),
        ("bought", "VERB", "purchased"),
        ("bigger", "ADJ", "larger"),
        ("songs", "NOUN", "tunes"),
        ("finding", "VERB", "locating"),
    ]:
        assert other in [candidate.word for candidate in candidates(word, part)]


WORDS = [
    pair
    for utterance in sample()
    for pair in zip(utterance.tokens, tag(utterance.tokens), strict=True)
]


@given(st.sampled_from(WORDS))
def test_no_candidate_is_the_word_itself_or_a_form_of_it(pair: tuple[str, str]) -> None:
    word, part = core_of(pair[0]), pair[1]
    assert not any(related(word, other.word, part) for other in candidates(word, part))


@pytest.mark.parametrize(
    ("text", "slots", "kept"),
    [
        ("play the song here comes the sun", (Slot("track", 3, 7),), {3, 4, 5, 6}),
        ("Fly to Salt Lake City now", (), {2, 3, 4}),
        ("a first class seat three years from now", (), {1, 2, 7}),
        ("find a big restaurant", (Slot("restaurant_type", 3, 4),), set()),
    ],
)
def test_names_and_fixed_phrases_are_kept(
    text: str, slots: tuple[Slot, ...], kept: set[int]
) -> None:
    utterance = Utterance.of("1", text, slots)
    assert kept_positions(utterance) == kept
    for name in NAMES:
        (variant,) = perturb([utterance], name, severity=1.0)
        assert kept.isdisjoint(edit.start for edit in variant.edits)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what flights leave", "which"),
        ("what is that", None),
        ("show me the flights", "us"),
        ("a flight to boston on monday", "for"),
    ],
)
def test_grammar_words_are_replaced_in_frames_only(text: str, expected: str | None) -> None:
    variants = perturb([text], "synonyms.stopword", variants=8)
    swaps = {
        edit.tokens[0] for variant in variants for edit in variant.edits if edit.kind == "stopword"
    }
    assert (expected in swaps) if expected else not swaps


ARTICLES = [
    (("a", "song"), 1, "anthem", False),
    (("an", "album"), 1, "record", False),
    (("an", "album"), 1, "hour", True),
    (("a", "union"), 1, "unit", True),
    (("the", "apple"), 0, "a", False),
    (("the",), 0, "a", False),
    (("the", "apple"), 0, "an", True),
    (("the", "song"), 1, "anthem", True),
]


@pytest.mark.parametrize(("tokens", "at", "other", "fits"), ARTICLES)
def test_articles_agree(tokens: tuple[str, ...], at: int, other: str, fits: bool) -> None:  # noqa: FBT001
    assert agrees(tokens, at, other) is fits


def test_signatures_contain_the_source() -> None:
    operator = parse("synonyms.verb(source=mlm)")
    assert operator == VerbSynonyms(source="mlm")
    assert parse(signature(operator)) == operator


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("synonyms.verb(source=wordnet)", "No source named 'wordnet'"),
        ("synonyms.verb(model='bert-base-uncased')", "set source=mlm"),
        ("synonyms.verb(source='mlm=a', model=b)", "two models are given, 'a' and 'b'"),
        ("synonyms.verb(source='mlm=bert')", "write hub:bert"),
        ("synonyms.verb(tagger=nltk)", "No tagger named 'nltk'"),
    ],
)
def test_wrong_parameters_are_errors(text: str, message: str) -> None:
    with pytest.raises(OperatorError, match=message):
        parse(text)
