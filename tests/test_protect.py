"""Protected phrases and slots are kept unchanged, at any amount."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen.data.sample import sample
from mondegreen.kernel import compiled
from mondegreen.operators import OPERATORS, parse
from mondegreen.operators.amounts import Rate
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.protection import Protection, codes_of, touches
from mondegreen.perturbation.recipe import Recipe
from mondegreen.testing.strategies import utterances
from mondegreen.text.verbatim import verbatim_spans
from mondegreen.types import Edit, Slot, Utterance
from mondegreen.variants import perturb


@pytest.mark.parametrize("name", [*OPERATORS, "fillers(punctuate=True)"])
@given(utterance=utterances())
@settings(max_examples=60)
def test_protected_slots_keep_their_words(name: str, utterance: Utterance) -> None:
    for variant in perturb([utterance], name, rate=1.0, protect_slots=True, language="en"):
        perturbed = variant.utterance
        for before, after in zip(utterance.slots, perturbed.slots, strict=True):
            words = utterance.tokens[before.start : before.end]
            assert perturbed.tokens[after.start : after.end] == words


@pytest.mark.parametrize("name", OPERATORS)
def test_slots_can_be_protected_by_label(name: str) -> None:
    for variant in perturb(sample(), name, severity=1.0, protect_slots=["time", "contact"]):
        pairs = zip(variant.parent.slots, variant.utterance.slots, strict=True)
        for before, after in pairs:
            if before.label in ("time", "contact"):
                assert (
                    variant.parent.tokens[before.start : before.end]
                    == variant.utterance.tokens[after.start : after.end]
                )


@pytest.mark.parametrize("name", OPERATORS)
def test_a_phrase_of_several_words_is_protected(name: str) -> None:
    utterance = Utterance.of("1", "find Miles Davis, now please", [Slot("artist", 1, 3)])
    (variant,) = perturb(
        [utterance], name, rate=1.0, protect=["miles davis", "please"], language="en"
    )
    assert "Miles Davis, " in variant.utterance.text + " "
    assert "please" in variant.utterance.tokens
    # A simulated recogniser makes its errors at its own rate, so it may hear all words right.
    assert variant.edits or OPERATORS[name].keeps_values or name == "recogniser"


def test_an_utterance_that_is_all_protected_is_kept_unchanged() -> None:
    (variant,) = perturb(["play jazz"], "typo", protect=["play jazz"])
    assert variant.edits == ()
    assert variant.utterance.text == "play jazz"


def test_blank_phrases_protect_nothing() -> None:
    assert Protection.of(["  "], slots=(), codes=False) == Protection(codes=False)


WRITTEN = [
    "play", "Jazz", "am", "PM", "p.m.", "7", "7:30pm", "b12", "q3.pdf", "a_b", "me@x.org", "'tis",
    '"big', 'boss"', "'my", "list',", "naïve", "播放", "½", "don't", "a", "I", "m", "om",
]  # fmt: skip

VERBATIM = [
    ("meet me at 7:30 pm by gate b12", ["7:30", "pm", "b12"]),
    ("transfer $1,000 to GB29NWBK60161331926819 now", ["$1,000", "GB29NWBK60161331926819"]),
    ("write to jane.doe@mail.com and see https://a.org/x?y=1.", ["jane.doe@mail.com", "https://a.org/x?y=1."]),
    ("open q3_report.final.pdf in src/main", ["q3_report.final.pdf"]),
    ("go to example.com or ./run.sh, please", ["example.com", "./run.sh,"]),
    ('say "good morning to you all" twice', ['"good', "morning", "to", "you", 'all"']),
    ("call it 'my first list', would you", ["'my", "first", "list',"]),
    ("call 'em 'cause it's the dogs' home", []),
    ('"play some jazz"', []),
    ("what's on at the drive-in tonight, well?", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "protected"), VERBATIM)
def test_codes_are_protected_by_default(text: str, protected: list[str]) -> None:
    utterance = Utterance.of("1", text)
    spans = Protection.of().spans(utterance)
    places = sorted({at for start, end in spans for at in range(start, end)})
    assert [utterance.tokens[at] for at in places] == protected
    assert Protection.of(codes=False).spans(utterance) == []


@pytest.mark.parametrize("name", [name for name in OPERATORS if not OPERATORS[name].keeps_values])
def test_no_operator_changes_a_code(name: str) -> None:
    text = 'email bob@mail.com that gate b12 opens at 7 pm and say "see you there"'
    (variant,) = perturb([text], name, severity=1.0)
    words = " ".join(variant.utterance.tokens)
    for kept in ("bob@mail.com", "b12", "7", "pm", '"see you there"'):
        assert f" {kept} " in f" {words} "


def test_codes_are_changed_on_request() -> None:
    (variant,) = perturb(["gate bx12 opens"], "typo", severity=1.0, protect_codes=False)
    assert "bx12" not in variant.utterance.tokens


def test_which_edits_touch_a_span() -> None:
    for start, end, expected in [
        (0, 1, False),
        (1, 1, False),
        (1, 2, True),
        (2, 2, True),
        (2, 3, True),
        (0, 4, True),
        (3, 3, False),
        (3, 4, False),
    ]:
        assert touches([Edit(start, end, ("x",), "t", "")], [(1, 3)]) is expected


@pytest.mark.parametrize("name", [*OPERATORS, "fillers(punctuate=True)"])
@given(utterance=utterances(), seed=st.integers(0, 3))
@settings(max_examples=40)
def test_the_kernel_protects_as_python_does(name: str, utterance: Utterance, seed: int) -> None:
    operator = parse(name)
    protection = Protection.of(["play", "a"], slots=["artist"])
    recipe = Recipe((operator,), seed=seed, amount=Rate(1.0), protection=protection)
    with_kernel = Engine(recipe).variant(utterance, operator)
    assert Engine(recipe, kernel=False).variant(utterance, operator) == with_kernel


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
@given(st.lists(st.sampled_from(WRITTEN), max_size=8).map(tuple))
def test_the_kernel_finds_the_codes_of_its_twin(tokens: tuple[str, ...]) -> None:
    assert codes_of(tokens) == verbatim_spans(tokens)
