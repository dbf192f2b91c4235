"""Entities, punctuation, hallucinations, rules of normalisation, and format-equal scoring."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.align.costs import UNIT
from mondegreen.cli.main import main
from mondegreen.errors import DataError
from mondegreen.kernel import compiled, counting
from mondegreen.metrics.normalisation.rules import read_rules
from mondegreen.metrics.words.anchors import cuts
from mondegreen.metrics.words.hallucinations import hallucinations, loops
from mondegreen.metrics.words.readings import Reader
from mondegreen.values.spelling_out import speller

words = mg.score.words


def test_keywords_have_recall_precision_and_error_rate() -> None:
    refs = ["take fifty of metformin now", "play jazz", "met formin it is"]
    hyps = ["take fifty of met forming now", "play metformin", "metformin it is"]
    score = words(refs, hyps, keywords={"metformin": "drug", "fifty": "number"})
    assert score.by_type["drug"]._asdict() == {
        "entities": 1, "entities_right": 0, "entity_words": 1, "entity_errors": 1,
        "mentions": 2, "mentions_right": 0,
    }  # fmt: skip
    assert score.by_type["number"].recall == 1
    assert score["entity_recall"].value == 1 / 2
    assert score["entity_precision"].value == 1 / 3
    assert words(refs, refs, keywords=["metformin"])["entity_precision"].value == 1


def test_entities_follow_normalisation_and_readings() -> None:
    ref = "play Miles Davis: live at 7:30"
    score = words(
        [ref], ["play miles davies live at 7 30"],
        entities=[[("artist", 1, 3), ("time", 5, 6)]], normalise="basic",
    )  # fmt: skip
    assert score.by_type["artist"].entity_errors == 1
    assert (score.by_type["time"].entity_words, score.by_type["time"].entity_errors) == (2, 0)
    chosen = words(
        ["in { 2020 / twenty twenty } sales"], ["in twenty plenty sales"],
        alternatives=True, entities=[[("year", 1, 2)]],
    )  # fmt: skip
    assert chosen.by_type["year"][:4] == (1, 0, 2, 1)


def test_an_insertion_within_an_entity_is_an_error_of_it() -> None:
    score = words(["miles davis"], ["uh miles uh davis uh"], entities=[[("artist", 0, 2)]])
    assert score.by_type["artist"][:4] == (1, 0, 2, 1)


def test_entities_that_overlap_count_in_each_class() -> None:
    score = words(["third quarter 2020"], ["third quarter 2019"],
                  entities=[[("date", 0, 3), ("year", 2, 3), ("cardinal", 2, 3)]])  # fmt: skip
    assert {name: one.entity_errors for name, one in score.by_type.items()} == {
        "cardinal": 1, "date": 1, "year": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("ref", "hyp", "marks", "wrong", "same", "other_case"),
    [
        ("Play jazz, please.", "play jazz please", 2, 2, 3, 1),
        ("Play jazz , please .", "Play jazz, please.", 2, 0, 3, 0),
        ("Yes? No!", "Yes! No!", 2, 1, 2, 0),
        ("don't stop", "Don't stop.", 0, 1, 2, 1),
        ("a b.", "a b. d!", 1, 1, 2, 0),
        ("", "", 0, 0, 0, 0),
    ],
)
def test_punctuation_and_case(
    ref: str, hyp: str, marks: int, wrong: int, same: int, other_case: int
) -> None:
    sums = words([ref], [hyp], punctuation=True).sums()
    assert (sums["punctuation"], sums["punctuation_errors"]) == (marks, wrong)
    assert (sums["cased_words"], sums["case_errors"]) == (same, other_case)


@pytest.mark.parametrize(
    ("ref", "hyp", "kinds"),
    [
        ("", "thank you for watching", {"silence"}),
        ("play jazz", "play jazz jazz jazz jazz jazz", {"loop"}),
        ("no no no no no", "no no no no no", set()),
        ("ok", "ok and then we all went down to the beach again", {"stray"}),
        ("the cat sat on the mat", "the cats at on them at", set()),
        ("turn it on", "turn it on", set()),
    ],
)
def test_hallucinations(ref: str, hyp: str, kinds: set[str]) -> None:
    score = words([ref], [hyp], hallucinations=True)
    steps = score.detail.of(0).tolist()
    assert {one.kind for one in hallucinations(ref.split(), hyp.split(), steps)} == kinds
    assert score["hallucination_rate"].value == bool(kinds)


@given(st.lists(st.sampled_from("ab"), max_size=30))
def test_loops_are_repetitions(tokens: list[str]) -> None:
    for start, end, times in loops(tokens):
        size = (end - start) // times
        assert tokens[start:end] == tokens[start : start + size] * times
        assert times >= 4


TOKENS = st.sampled_from(
    ["a", "A", "b", "a.", "A,", "(b)", "b-c", "B-c!", "-", "--", "'", "…", "b…", "É", "é.", "don't",
     "Don’t", "ß", "SS", "-a", "a-.", "a-", "$", "x" * 9, "X" * 9 + "."]
)  # fmt: skip
TEXTS = st.lists(TOKENS, max_size=14)


@st.composite
def corpora(draw: st.DrawFn) -> dict[str, Any]:
    """Return what to align and to count."""
    refs = draw(st.lists(TEXTS, min_size=1, max_size=4))
    edited = st.sampled_from(refs).flatmap(lambda ref: st.tuples(st.just(ref), TEXTS))
    pairs = [draw(edited) for _ in refs]
    hyps = [[*ref[: len(more)], *more, *ref[len(more) :]] for ref, more in pairs]
    places = st.integers(-1, 8)
    span = st.tuples(st.sampled_from(["one", "two", "three"]), places, places)
    phrase = st.lists(TOKENS, min_size=1, max_size=3)
    labels = st.lists(st.sampled_from(["one", "four"]), min_size=1, max_size=2, unique=True)
    keywords = draw(st.none() | st.lists(st.tuples(phrase, labels), max_size=4))
    sides = (
        (refs, hyps) if draw(st.booleans()) else ([*map(" ".join, refs)], [*map(" ".join, hyps)])
    )
    written = draw(st.sampled_from([None, "same", "other"]))
    lowered = [[" ".join(text).lower() for text in side] for side in (refs, hyps)]
    return {
        "refs": sides[0] if written != "other" else lowered[0],
        "hyps": sides[1] if written != "other" else lowered[1],
        "costs": draw(st.sampled_from([[0, 1, 1, 1], [0, 4, 3, 3]])),
        "threads": 1,
        "keywords": keywords and [*{tuple(words): classes for words, classes in keywords}.items()],
        "spans": draw(st.none() | st.just([draw(st.lists(span, max_size=4)) for _ in refs])),
        "hallucinations": draw(st.booleans()),
        "written": None if written is None else sides,
        "take_apart": counting.take_apart,
    }


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
@given(corpora())
def test_kernel_and_twin_count_the_same(corpus: dict[str, Any]) -> None:
    assert compiled is not None
    found, expected = compiled.align_and_count(**corpus), counting.align_and_count(**corpus)
    for one, other in zip(found[:3], expected[:3], strict=True):
        np.testing.assert_array_equal(one, other)
    assert {name: row for name, row in found[3] if any(row)} == dict(expected[3])


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
def test_threads_count_the_same() -> None:
    rng = random.Random(3)
    vocabulary = [
        "Play",
        "some",
        "jazz,",
        "now!",
        "don't",
        "…",
        "É",
        "é",
        "so",
        "so",
        "so",
        "so",
        "so",
        "and",
        "then",
    ]
    refs, hyps = (
        [" ".join(rng.choices(vocabulary, k=rng.randint(0, 9))) for _ in range(1000)]
        for _ in range(2)
    )
    settings: dict[str, Any] = {
        "keywords": {"so so": "loop", "jazz,": "music"},
        "punctuation": True,
        "hallucinations": True,
    }
    one, four = (words(refs, hyps, threads=n, **settings) for n in (1, 4))
    assert one == four
    assert one.by_type == four.by_type


def test_rules_are_data(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text(
        'unicode = "NFKC"\ncase = "lower"\npunctuation = "space"\nnumbers = "en"\n'
        'equivalent = [["okay", "ok"], ["going to", "gonna"]]\n'
        'regex = [{ pattern = "colou?r", with = "color" }]\n'
    )
    score = words(
        ["OK, I'm gonna pay fifty-two colour"], ["okay i'm going to pay 52 color"],
        normalise=str(path),
    )  # fmt: skip
    assert score["wer"].value == 0
    assert (
        "unicode=NFKC+case=lower+regex+punctuation=space+numbers=en+equivalent" in score.signature
    )
    path.write_text('numbers = "de"\ncase = "lower"\n')
    assert read_rules(str(path))("Zweiundfünfzig Äpfel") == "52 äpfel"


def test_27_08_equal_words_are_alternatives_of_the_reference(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text('equivalent = [["going to", "gonna"], ["cannot", "can not", "can\'t"]]\n')
    score = words(
        ["i am gonna go", "we can not"], ["i am going to go", "we can't"], normalise=str(path)
    )
    assert score["wer"].value == 0
    assert score.sums()["hits"] == 7  # as the hypothesis says it
    both = words(["i am gonna go"], ["i am gonna go"], normalise=str(path))
    assert (both["wer"].numerator, both["wer"].denominator) == (0, 4)
    partly = words(["we can not"], ["we can"], normalise=str(path))
    assert (partly["wer"].numerator, partly["wer"].denominator) == (1, 3)


def test_sclites_rules(tmp_path: Path) -> None:
    path = tmp_path / "en.glm"
    path.write_text(
        ';; NIST\n* name "x"\n[GONNA] => [GOING TO] / [ ] __ [ ]\n'
        "[OK] => [{ OKAY / OK }] / [ ] __ [ ]\n"
        "[A] => [UH] / [SO] __ [ ]\n"
    )
    score = words(
        ["so a i am gonna say a ok"], ["so uh i am going to say a okay"],
        normalise=str(path), ignore_case=True,
    )  # fmt: skip
    assert score["wer"].value == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('regex = [{ pattern = "(", with = "x" }]', "rule 1: '\\('"),
        ('regex = [{ pattern = "a", with = "\\\\2" }]', "invalid group reference"),
        ('case = "lower"\n\n[[regex]]\npattern = "["\nwith = "x"\n', r"rule 1: .*\(line 4\)"),
        ('regex = [{ pattern = "a" }]', "needs a pattern and a with"),
        ('case = "up"', "case: one of lower, fold, keep"),
        ("case = ", "not TOML"),
        ("colour = 1", "there is no step 'colour'"),
        ('equivalent = [["ok"]]', "two words or more"),
        ('numbers = "tlh"', "not known in the language"),
    ],
)
def test_broken_rules_are_refused(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text(content)
    with pytest.raises(DataError, match=message) as error:
        words(["a"], ["a"], normalise=str(path))
    assert str(path) in str(error.value)


def test_a_broken_glm_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "r.glm"
    path.write_text(";; ok\ngonna > going to\n")
    with pytest.raises(DataError, match=r"r\.glm, line 2"):
        words(["a"], ["a"], normalise=str(path))


def test_a_function_may_normalise() -> None:
    score = words(["OK then"], ["ok THEN"], normalise=str.lower)
    assert score["wer"].value == 0
    assert "norm:str.lower" in score.signature


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$5.50", "five dollars and fifty cents"),
        ("7:30", "seven thirty"),
        ("25%", "twenty five percent"),
        ("long-term", "long term"),
        ("2020", "twenty twenty"),
        ("2005", "two thousand five"),
        ("3rd", "third"),
        ("1990s", "nineteen nineties"),
        ("1,250", "one thousand two hundred fifty"),
        ("$2.5m", "two point five million dollars"),
        ("405", "four oh five"),
        ("-3", "minus three"),
    ],
)
def test_formats_are_equal(written: str, spoken: str) -> None:
    refs, hyps = [f"it was {written} then"], [f"it was {spoken} then"]
    assert words(refs, hyps)["wer"].value != 0
    for sides in ((refs, hyps), (hyps, refs)):
        score = words(*sides, format_equal="en")
        assert score["wer"].value == 0
        assert "format-equal:en" in score.signature


def test_other_numbers_are_not_equal() -> None:
    assert words(["it was $5"], ["it was six dollars"], format_equal="en")["wer"].value == 1 / 4


def test_english_numbers_are_num2words() -> None:
    num2words = pytest.importorskip("num2words").num2words
    for number in (*range(1, 1000, 7), 1_000, 12_345, 1_000_001, 987_654_321_012):
        theirs = num2words(number).replace("-", " ").replace(",", "").replace(" and ", " ")
        if number < 10**12:
            assert speller("en").cardinal(number) == theirs


def test_numbers_in_german() -> None:
    score = words(["um 21 uhr"], ["um einundzwanzig uhr"], format_equal="de")
    assert score["wer"].value == 0


@given(st.data())
def test_long_pairs_in_parts_are_as_good_as_whole(data: st.DataObject) -> None:
    """Cutting a long pair where both sides agree does not cost errors."""
    said = [f"w{i % 97}" for i in range(400)]
    for at in data.draw(st.sets(st.integers(0, 399), max_size=20)):
        said[at] = "{ " + said[at] + " / x y }"
    heard = [f"w{i % 97}" for i in range(400)]
    for at in data.draw(st.sets(st.integers(0, 399), max_size=20)):
        heard[at] = "x y"
    heard = " ".join(heard).split()
    reader = Reader(UNIT, alternatives=True)
    found = reader.resolve(said, heard)
    whole = reader._resolved(said, heard, 0)  # noqa: SLF001 (the same without cuts)
    assert list(cuts(said, heard))
    errors = [words([one.ref], [one.hyp])["wer"].numerator for one in (found, whole)]
    assert errors[0] == errors[1]


def test_the_command_shows_entities(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ref.jsonl").write_text(
        '{"id": "a", "tokens": ["play", "miles", "davis"], "tags": ["O", "B-artist", "I-artist"]}\n'
    )
    (tmp_path / "hyp.jsonl").write_text('{"id": "a", "text": "play miles davies"}\n')
    command = ["score", "words", "--ref", str(tmp_path / "ref.jsonl")]
    command += ["--hyp", str(tmp_path / "hyp.jsonl"), "--entities"]
    assert main([*command, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["entities"]["artist"]["entity_error_rate"] == 1 / 2
    assert record["scores"]["entity_recall"]["value"] == 0
    assert main(command) == 0
    assert "mean error rate of 1 classes: 50.00 %" in capsys.readouterr().out


@pytest.mark.parametrize("normalise", ["none", "basic"])
def test_marks_of_alternatives_are_no_punctuation(normalise: str) -> None:
    refs = ["hello { there / their } world , yes", "(uh) Go , now"]
    score = mg.score.words(
        refs,
        ["hello there world , yes", "go , now"],
        alternatives=True,
        punctuation=True,
        normalise=normalise,
    )
    assert score["punctuation_error_rate"].numerator == 0
    assert score["punctuation_error_rate"].denominator == 2
    assert score["case_error_rate"].numerator == 1
