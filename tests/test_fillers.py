"""Fillers: the rules of NL-Augmenter, other languages and scripts, punctuation."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from mondegreen.data.sample import sample
from mondegreen.errors import OperatorError
from mondegreen.language.disfluency.fillers import filler_list, filler_lists
from mondegreen.operators import parse
from mondegreen.operators.fillers import Fillers
from mondegreen.text.segment import split
from mondegreen.types import Utterance
from mondegreen.variants import perturb

SENTENCE = "play some jazz by miles davis in the kitchen after dinner"


def texts(
    text: str, operator: str | Fillers = "fillers", n: int = 50, **amount: float
) -> list[str]:
    """Return the variants of a text with ``n`` seeds."""
    found = []
    for seed in range(n):
        (variant,) = perturb([text], operator, seed=seed, **amount)  # type: ignore[arg-type]  # rate or severity
        found.append(variant.utterance.text)
    return found


def test_the_rules_of_nl_augmenter(shared: Path) -> None:
    """Its eleven test cases: the same fillers at allowed positions, but other random draws."""
    cases = json.loads((shared / "golden/fillers/nlaugmenter_test.json").read_text())["test_cases"]
    for case in cases:
        fillers = case.get("args", {}).get("filler_words", ["um", "uh", "erm", "ah", "er"])
        source = case["inputs"]["sentence"]
        theirs = case["outputs"][0]["sentence"].split()
        for text in [*texts(source, Fillers(words=tuple(fillers))), " ".join(theirs)]:
            words = text.split()
            assert [word for word in words if word not in fillers] == source.split()
            assert len(words) > len(source.split())
            if len(source.split()) > 1:
                assert words[0] not in fillers
                assert words[-1] not in fillers


def test_positions_vary_between_texts_of_the_same_length() -> None:
    same_length = [f"play song {a} by artist {b} now" for a in "abcdef" for b in "uvwxyz"]
    positions = {v.edits[0].start for v in perturb(same_length, "fillers", seed=1)}
    assert positions == set(range(1, 7))


def test_the_rate_is_as_given() -> None:
    gaps = edits = 0
    for text in (f"{SENTENCE} number {i}" for i in range(3000)):
        (variant,) = perturb([text], "fillers", seed=9)
        gaps += len(variant.parent.tokens) - 1
        edits += len(variant.edits)
    at_least_one = 3000 * 0.8**12  # utterances that get a filler only because of this rule
    assert abs(edits - (gaps * 0.2 + at_least_one)) < 5 * (gaps * 0.16) ** 0.5


def test_all_fillers_are_equally_likely() -> None:
    drawn = [e.tokens[0] for v in perturb(sample("train"), "fillers", rate=1.0) for e in v.edits]
    for word in ("um", "uh", "erm", "ah", "er"):
        assert abs(drawn.count(word) - len(drawn) / 5) < 5 * (len(drawn) * 0.16) ** 0.5


def test_a_single_word_gets_a_filler_before_or_after_it() -> None:
    assert set(texts("Yes", Fillers(words=("uh",)), rate=1.0)) == {"uh Yes", "Yes uh"}


def test_an_empty_utterance_gets_a_filler() -> None:
    assert set(texts("", Fillers(words=("uh",)))) == {"uh"}


def test_fillers_of_several_words() -> None:
    (variant,) = perturb(["play jazz"], Fillers(words=("you know",), ambiguous=True))
    assert variant.utterance.tokens == ("play", "you", "know", "jazz")


@pytest.mark.parametrize("code", sorted(filler_lists()))
def test_every_language_has_unambiguous_fillers_and_a_source(code: str) -> None:
    known = filler_list(code)
    assert len(known.fillers) >= 3
    assert not set(known.fillers) & set(known.ambiguous)
    assert known.source
    assert all(unicodedata.is_normalized("NFC", word) for word in known.fillers)
    drawn = " ".join(texts("one two three", f"fillers(language={code})", rate=1.0)).split()
    assert {*drawn} - {"one", "two", "three"} == {*known.fillers}


def test_there_are_at_least_ten_languages() -> None:
    assert len(filler_lists()) >= 10


def test_a_filler_that_is_a_word_of_the_language_is_refused() -> None:
    with pytest.raises(OperatorError, match="'um' is also a word in German"):
        Fillers(words=("um",), language="de")
    assert Fillers(words=("um",), language="de", ambiguous=True).ambiguous
    assert "um" not in filler_list("de").fillers


def test_ambiguous_fillers_are_drawn_if_enabled() -> None:
    drawn = " ".join(texts("eins zwei drei", "fillers(language=de, ambiguous=True)", rate=1.0))
    assert "um" in drawn.split()


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("zh", "播放一些爵士乐。好吗？"),
        ("ja", "きょうの天気を教えてください。"),
        ("th", "ไปเที่ยวทะเลกันไหม"),
    ],
)
def test_scripts_without_spaces_get_fillers_between_written_characters(
    code: str, text: str
) -> None:
    for variant_text in texts(text, f"fillers(language={code})", n=30):
        assert " " not in variant_text
        rest = variant_text
        for filler in sorted(filler_list(code).fillers, key=len, reverse=True):
            rest = rest.replace(filler, "")
        assert rest == text
    (variant,) = perturb([Utterance.of("1", text)], f"fillers(language={code})", rate=1.0)
    original = [
        t for t, o in zip(variant.utterance.tokens, variant.origin, strict=True) if o is not None
    ]
    assert set(original) == set(split(text))
    assert not any(unicodedata.combining(token[0]) for token in variant.utterance.tokens)


PUNCTUATED = [
    # text                     at  variant
    ("Yes. The tower is there", 1, "Yes. Uh, the tower is there"),
    ("Yes. I think so", 1, "Yes. Uh, I think so"),
    ("Yes. Miles Davis is there", 1, "Yes. Uh, Miles Davis is there"),
    ("yes. the tower is there", 1, "yes. uh, the tower is there"),
    ("Go to the tower", 2, "Go to uh, the tower"),
    ('He said "Yes!" Then he left', 3, 'He said "Yes!" Uh, then he left'),
]


@pytest.mark.parametrize(("text", "at", "expected"), PUNCTUATED)
def test_punctuation(text: str, at: int, expected: str) -> None:
    by_position = {
        variant.edits[0].start: variant.utterance.text
        for seed in range(200)
        for variant in perturb([text], "fillers(words=[uh], punctuate=True)", seed=seed, once=True)
    }
    assert by_position[at] == expected


def test_punctuation_of_a_single_word() -> None:
    operator = "fillers(words=[uh], punctuate=True)"
    assert set(texts("Yes.", operator)) == {"Uh, yes.", "Yes. Uh."}
    assert set(texts("yes", operator)) == {"uh, yes", "yes uh"}
    assert set(texts("", operator)) == {"uh"}


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("fillers(language=xx)", "No language named 'xx'"),
        ("fillers(words=[''])", "a filler is empty"),
        ("fillers(words=um)", "words must be a list"),
        ("fillers(words=5)", "wrong value"),
        ("fillers(rate=0.2)", "No parameter named 'rate'"),
        ("filers", "Did you mean 'fillers'"),
        ("fillers(", "is not an operator"),
        ("fillers(1)", "parameters need names"),
    ],
)
def test_wrong_signatures_are_errors(signature: str, message: str) -> None:
    with pytest.raises(OperatorError, match=message.replace("(", r"\(").replace("'", ".")):
        parse(signature)
