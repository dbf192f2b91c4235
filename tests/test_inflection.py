"""English inflection: a table that a linguist can check, and the round trip of every form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.language.vocabulary import thesaurus
from mondegreen.language.vocabulary.inflection import FORMS, inflect, lemma, readings

VERBS = [
    # base      s            past         participle   ing
    ("play", "plays", "played", "played", "playing"),
    ("buy", "buys", "bought", "bought", "buying"),
    ("purchase", "purchases", "purchased", "purchased", "purchasing"),
    ("give", "gives", "gave", "given", "giving"),
    ("study", "studies", "studied", "studied", "studying"),
    ("stop", "stops", "stopped", "stopped", "stopping"),
    ("quit", "quits", "quit", "quit", "quitting"),
    ("visit", "visits", "visited", "visited", "visiting"),
    ("prefer", "prefers", "preferred", "preferred", "preferring"),
    ("look", "looks", "looked", "looked", "looking"),
    ("fix", "fixes", "fixed", "fixed", "fixing"),
    ("watch", "watches", "watched", "watched", "watching"),
    ("lie", "lies", "lay", "lain", "lying"),
    ("see", "sees", "saw", "seen", "seeing"),
    ("have", "has", "had", "had", "having"),
]
OTHERS = [
    ("NOUN", "song", "plural", "songs"),
    ("NOUN", "city", "plural", "cities"),
    ("NOUN", "day", "plural", "days"),
    ("NOUN", "class", "plural", "classes"),
    ("NOUN", "child", "plural", "children"),
    ("NOUN", "aircraft", "plural", "aircraft"),
    ("ADJ", "big", "er", "bigger"),
    ("ADJ", "large", "est", "largest"),
    ("ADJ", "early", "er", "earlier"),
    ("ADJ", "good", "est", "best"),
    ("ADJ", "strong", "er", "stronger"),
    ("ADJ", "careful", "er", None),  # more careful
    ("ADV", "soon", "er", "sooner"),
    ("ADV", "quickly", "er", None),
]
LEMMAS = st.sampled_from(sorted(thesaurus._by_class()))  # noqa: SLF001 (all lemmas)
PARTS = {short: part for part, short in thesaurus.PARTS.items()}


@pytest.mark.parametrize("forms", VERBS, ids=lambda forms: forms[0])
def test_verbs(forms: tuple[str, ...]) -> None:
    assert tuple(inflect(forms[0], "VERB", form) for form in FORMS["VERB"]) == forms
    assert {lemma(form, "VERB") for form in forms} <= {forms[0], "lay"}


@pytest.mark.parametrize(("part", "base", "form", "word"), OTHERS)
def test_other_words(part: str, base: str, form: str, word: str | None) -> None:
    assert inflect(base, part, form) == word
    if word is not None:
        assert lemma(word, part) == base


@given(LEMMAS, st.data())
def test_every_form_has_its_lemma_among_its_readings(
    entry: tuple[str, str], data: st.DataObject
) -> None:
    base, part = entry[0], PARTS[entry[1]]
    form = data.draw(st.sampled_from(FORMS[part]))
    word = inflect(base, part, form)
    if word is not None:
        assert (base, form) in readings(word, part)


def test_british_and_american_spellings_have_the_same_lemma() -> None:
    assert lemma("cancelled", "VERB") == lemma("canceled", "VERB") == "cancel"


def test_an_unknown_word_is_its_own_lemma() -> None:
    assert lemma("sxsw", "NOUN") == "sxsw"
    assert lemma("", "VERB") == ""
    assert readings("the", "DET") == (("the", "base"),)
