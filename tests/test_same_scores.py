"""Values in scores: a difference in writing is forgiven, a difference in value is an error."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import OperatorError
from mondegreen.metrics.words.scoring import words
from mondegreen.operators.spoken import Spoken
from mondegreen.types import MadeCall, Prediction, Slot, Utterance
from mondegreen.values import LANGUAGES
from mondegreen.values.spelling_out import speller

SAID = {
    "en": ("my code is Z K three F F W at 8:55 a.m.", "my code is ZK3FFW at eight fifty five am"),
    "de": ("das kostet 23,50 € um 8:30 Uhr", "das kostet dreiundzwanzig Euro fünfzig um halb neun"),
    "zh": ("我有1,101元和60%", "我有一千一百零一元和百分之六十"),
    "ru": ("в 13:05 было 20 рублей", "в тринадцать часов пять минут было двадцать рублей"),
}


@pytest.mark.parametrize("language", SAID)
def test_a_difference_in_writing_is_no_error(language: str) -> None:
    one, other = SAID[language]
    assert words([one], [other])["wer"].value != 0
    for ref, hyp in ((one, other), (other, one)):
        score = words([ref], [hyp], format_equal=language)
        assert score["wer"].value == 0, score.detail.forgiven
        assert score.detail.forgiven


def test_a_difference_in_value_is_an_error() -> None:
    score = words(["at 8:55 a.m. for $15"], ["at eight fifty am for fifty dollars"],
                  format_equal="en")  # fmt: skip
    assert score["wer"].numerator >= 2
    assert not any("15" in one.ref for one in score.detail.forgiven)


def test_errors_beside_a_value_still_count() -> None:
    score = words(["it costs five dollars now"], ["it cost $5 then"], format_equal="en")
    assert score["wer"].numerator == 2
    assert [tuple(one) for one in score.detail.forgiven] == [(0, "five dollars", "$5")]


PLAIN = st.lists(
    st.sampled_from(
        [
            "the",
            "cat,",
            "sat",
            "on",
            "mat.",
            "it's",
            "it",
            "'s",
            "s",
            "a",
            "well",
            "fine",
            "Day",
            "two",
            "of",
            "them",
        ]
    )
)


@given(st.lists(st.tuples(PLAIN, PLAIN), min_size=1, max_size=4))
def test_texts_without_written_values_are_scored_as_before(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    refs, hyps = [" ".join(ref) for ref, _ in pairs], [" ".join(hyp) for _, hyp in pairs]
    plain, equal = words(refs, hyps), words(refs, hyps, format_equal="en")
    assert plain.sums() == equal.sums()


def test_keywords_and_entities_follow() -> None:
    score = words(["pay $5 now"], ["pay five dollars now"], format_equal="en",
                  keywords=["five dollars", "$5"], entities=[[("amount", 1, 2)]])  # fmt: skip
    assert score["entity_recall"].value == 1


def test_values_and_calls_follow() -> None:
    said = Utterance.of("1", "wake me at 8:55", [Slot("time", 3, 4)])
    answer = Prediction("1", values={"time": ["eight fifty-five a m"]})
    assert mg.score.values([said], [answer])["value_f1"].value == 0
    assert mg.score.values([said], [answer], format_equal="en")["value_f1"].value == 1
    expected = [{"name": "wake", "arguments": {"time": ["8:55"], "times": [5]}}]
    case = Utterance("1", ("wake", "me"), extra=(("expected", expected),))
    made = Prediction(
        "1", calls=(MadeCall("wake", {"time": "eight fifty-five a m", "times": "five"}),)
    )
    assert mg.score.calls([case], [made])["call_accuracy"].value == 0
    assert mg.score.calls([case], [made], format_equal="en")["call_accuracy"].value == 1


def test_the_command_lists_what_was_forgiven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.txt").write_text("at 8:55 a.m. please\n", "utf-8")
    (tmp_path / "hyp.txt").write_text("at eight fifty five am please\n", "utf-8")
    command = ["score", "words", "--ref", str(tmp_path / "ref.txt"), "--hyp",
               str(tmp_path / "hyp.txt"), "--format-equal", "en"]  # fmt: skip
    assert main(command) == 0
    assert "8:55 a.m. = eight fifty five am" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert '"8:55 a.m."' in json.dumps(record)
    assert main([*command[:-1], "xx"]) == 1
    assert "'xx'" in capsys.readouterr().err


WRITTEN = ("{0}", "{0} km", "€ {0}", "{1}:{2:02d}", "{0}%", "{0}/{1}", "-{0}", "{3}-0{1}-1{1}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_spoken_keeps_every_value(language: str) -> None:
    draw = random.Random(3)
    texts = [
        form.format(draw.randrange(2, 5000), draw.randrange(1, 9), draw.randrange(60), 2021)
        for form in WRITTEN
        for _ in range(5)
    ]
    spoken = [one.utterance.text for one in mg.perturb(texts, [Spoken(language=language)])]
    assert all(mg.same(texts, spoken, language=language))
    said = [text for text in spoken if not any(map(str.isdecimal, text))]
    assert len(said) >= 0.8 * len(texts), [text for text in spoken if text not in said]


@given(st.integers(0, 10**9), st.sampled_from(LANGUAGES))
def test_numbers_are_said_and_read_back(number: int, language: str) -> None:
    assert mg.same([str(number)], [speller(language).cardinal(number)], language=language) == [True]


def test_spoken_refuses_a_language_without_tables() -> None:
    with pytest.raises(OperatorError, match="no language 'xx'"):
        Spoken(language="xx")
