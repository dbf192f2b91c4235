"""Misspellings, antonyms, tf-idf and contextual words: candidates, and the tables behind them."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from build_misspellings import is_slip, sounds_same
from build_misspellings import slip as slip_of
from commands import fails
from mondegreen import resources
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.draw import Draw
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.vocabulary.masked import MaskedWords, SmallModel, masked_words
from mondegreen.language.vocabulary.misspellings import misspellings
from mondegreen.language.vocabulary.substitutes import WordPlace
from mondegreen.language.vocabulary.tfidf import TermWeight, TfIdf, tfidf
from mondegreen.operators import parse, parse_all
from mondegreen.operators.antonym import opposites
from mondegreen.provenance.verify import verify
from mondegreen.variants import perturb


def variants_of(text: str, operator: str, n: int = 60, **amount: float) -> Counter[str]:
    """Count the variants of a text over ``n`` seeds."""
    return Counter(
        variant.utterance.text
        for seed in range(n)
        for variant in perturb([text], operator, seed=seed, **amount)  # type: ignore[arg-type]  # amounts
    )


@pytest.mark.parametrize(
    ("word", "other", "slip"),
    [
        ("tomorrow", "tommorow", True),
        ("tomorrow", "tomorrow", False),
        ("tomorrow", "morning", False),  # too many changes
        ("to", "tto", True),
        ("to", "toto", False),  # too many changes for a short word
        ("by", "buy", True),  # another word that sounds the same
        ("luck", "lock", False),  # another word
        ("$44", "44$", False),
        ("service", "serviçe", False),
        ("duck", "dick", False),
        ("music", "music'", False),
    ],
)
def test_what_counts_as_a_misspelling(word: str, other: str, *, slip: bool) -> None:
    known = frozenset(("buy", "lock", "morning", "tomorrow"))
    assert is_slip(word, other, known) is slip


def test_the_built_in_misspellings_differ_from_the_word() -> None:
    table = misspellings()
    assert len(table) > 7_000
    for word, others in table.items():
        assert others
        assert len(set(others)) == len(others)
        assert word not in others
    assert "tommorow" in table["tomorrow"]
    assert sounds_same("by", "buy")


def test_spelling_draws_from_all_misspellings_and_keeps_the_case() -> None:
    assert set(variants_of("restaurant", "spelling", 800)) == set(misspellings()["restaurant"])
    assert all(text.isupper() for text in variants_of("RESTAURANT", "spelling", 20))
    assert all(text.startswith('"R') for text in variants_of('"Restaurant!"', "spelling", 20))
    assert variants_of("zzyzx 2010 a 👍", "spelling", 3) == {"zzyzx 2010 a 👍": 3}


def test_spelling_changes_one_word_by_a_slip_that_people_make() -> None:
    text = "please check the balance of my savings account before friday evening"
    for variant in variants_of(text, "spelling", 200):
        pairs = zip(text.split(), variant.split(), strict=True)
        assert len([1 for word, other in pairs if word != other]) == 1
    assert all(slip_of(word, other) for word, others in misspellings().items() for other in others)


def test_a_dictionary_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "spelling.txt"
    path.write_text("Straße Strasse Strase\nstraße sraße\n")
    operator = f"spelling(dictionary={str(path)!r})"
    assert set(variants_of("straße", operator)) == {"strasse", "strase", "sraße"}
    assert parse(operator).resources() == (path,)
    path.with_name("bad.txt").write_text("alone\n")
    with pytest.raises(DataError, match=r"bad.txt, line 1: a word and its misspellings"):
        variants_of("play", f"spelling(dictionary={str(path.with_name('bad.txt'))!r})", 1)


def test_opposites_take_the_form_of_the_word() -> None:
    assert opposites("found", "VERB") == ("lost",)
    assert "arriving" in opposites("leaving", "VERB")
    assert opposites("cheapest", "ADJ")[0] == "most expensive"
    assert opposites("cheaper", "ADJ")[0] == "more expensive"
    assert opposites("jazz", "NOUN") == ()


def test_antonyms_depend_on_the_part_of_speech() -> None:
    (variant,) = perturb(["show me the first show"], "antonym", severity=1.0)
    assert variant.utterance.tokens[0] == "hide"
    assert variant.utterance.tokens[-1] == "show"  # a noun here
    assert set(variants_of("Find it", "antonym", 5)) == {"Lose it"}
    with pytest.raises(OperatorError, match="No tagger named 'none'"):
        parse("antonym(tagger=none)")


def test_tf_idf_agrees_with_a_calculation_by_hand() -> None:
    table = TfIdf.fit(["play jazz", "Play rock!", "play it play again", "a 5"]).words
    assert table.keys() == {"play", "jazz", "rock", "it", "again"}
    assert table["play"].idf == math.log(4 / 3)
    assert table["play"].total == math.log(4 / 3) * 1.5
    assert table["again"].total == math.log(4) / 4


def test_the_fit_does_not_depend_on_the_order() -> None:
    texts = [utterance.text for utterance in sample("train")]
    assert TfIdf.fit(texts).words == TfIdf.fit(texts[::-1]).words


@given(
    totals=st.lists(st.floats(0, 50), min_size=2, max_size=20),
    index=st.integers(0, 19),
    key=st.integers(0, 2**64 - 1),
)
@settings(max_examples=200)
def test_the_new_word_differs_from_the_word(totals: list[float], index: int, key: int) -> None:
    words = [f"w{i}" for i in range(len(totals))]
    table = TfIdf({w: TermWeight(1.0, total) for w, total in zip(words, totals, strict=True)})
    word = words[index % len(words)]
    assert table.other(word, Draw(key, 0)) in set(words) - {word}


def test_uninformative_words_are_drawn_more_often() -> None:
    table = TfIdf({"x": TermWeight(1, 4.0), "much": TermWeight(1, 4.0), "half": TermWeight(1, 2.0)})
    table = TfIdf({**table.words, "none": TermWeight(0, 0.0)})
    n = 6_000
    drawn = Counter(table.other("x", Draw(key, 0)) for key in range(n))
    assert drawn["much"] < 5
    assert abs(drawn["half"] - n / 3) < 5 * (n / 3) ** 0.5
    assert abs(drawn["none"] - 2 * n / 3) < 5 * (2 * n / 3) ** 0.5


def test_the_most_informative_word_is_kept_and_the_least_informative_replaced() -> None:
    for seed in range(100):
        (once,) = perturb(["the restaurant is open"], "tfidf", seed=seed, once=True)
        (every,) = perturb(["the restaurant is open"], "tfidf", seed=seed, severity=1.0)
        assert once.edits
        assert {edit.start for edit in every.edits} >= {0}
        assert every.utterance.tokens[1] == "restaurant"  # not in the table
        assert every.utterance.tokens[3] == "open"
    changed = Counter(
        edit.start
        for seed in range(400)
        for v in perturb(["the restaurant is open"], "tfidf", seed=seed, once=True)
        for edit in v.edits
    )
    assert changed[0] > changed[2] > 0


def test_words_that_are_not_in_the_table_are_kept() -> None:
    assert variants_of("zzyzx 2010 a 👍 qwrt", "tfidf", 3) == {"zzyzx 2010 a 👍 qwrt": 3}


def test_fit_tfidf_and_verify(data: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "tfidf.tsv", tmp_path / "out.jsonl"
    assert main(["fit", "tfidf", str(data), "-o", str(path), "-q"]) == 0
    table = TfIdf.load(path)
    assert table.words.keys() == TfIdf.fit(one.text for one in sample()).words.keys()
    operator = f"tfidf(table={str(path)!r})"
    assert main(["perturb", str(data), "-o", str(out), "--op", operator, "-q"]) == 0
    assert not any(check.problem for check in verify(out))
    path.write_text(path.read_text().replace("\t0.", "\t1.", 1))
    tfidf.clear()
    assert any("resource" in check.name for check in verify(out) if check.problem)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("play\t1.0\n", "line 1: a word and two numbers, separated by tabs"),
        ("play\t1\t1\njazz\tx\t1\n", "line 2: a word and two numbers"),
        ("play\t1\t1\n", "tf-idf needs two different words or more, got 1"),
    ],
)
def test_a_wrong_table_is_an_error(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        variants_of("play jazz", f"tfidf(table={str(path)!r})", 1)


def test_contextual_draws_from_the_most_probable_words() -> None:
    place = WordPlace(("play", "some", "jazz"), 2, "")
    expected = [word for word in masked_words().ranked(place) if word != "jazz"]
    found = Counter(
        variant.utterance.tokens[2]
        for seed in range(600)
        for variant in perturb(["play some jazz"], "contextual(top=3)", seed=seed, severity=1.0)
    )
    assert [word for word, _ in found.most_common()] == expected[:3]
    share = 600 / (1 + 1 / 2 + 1 / 3)
    assert abs(found[expected[0]] - share) < 5 * share**0.5


def test_contextual_can_insert_words() -> None:
    (variant,) = perturb(["Play jazz!"], "contextual(insert=True)", once=True)
    assert [
        token
        for token, o in zip(variant.utterance.tokens, variant.origin, strict=True)
        if o is not None
    ] == ["Play", "jazz!"]
    assert len(variant.utterance.tokens) == 3
    assert not next(perturb([""], "contextual(insert=True)")).edits


def test_contextual_keeps_case_punctuation_and_tokens_that_are_not_words() -> None:
    assert variants_of("5 👍 mp3 {", "contextual", 3) == {"5 👍 mp3 {": 3}
    for text in variants_of("PLAY jazz,", "contextual", 10, severity=1.0):
        first, second = text.split()
        assert first.isupper()
        assert second.endswith(",")
        assert first != "PLAY"


def test_batches_give_the_same_edits_as_single_utterances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = list(sample("test"))[:12]
    in_batches = list(perturb(data, "contextual", seed=3))
    fresh = MaskedWords(SmallModel(Path(str(files(resources))) / "small-mlm"))
    monkeypatch.setattr("mondegreen.operators.contextual.source_of", lambda *_: fresh)
    one_by_one = [v for utterance in data for v in perturb([utterance], "contextual", seed=3)]
    assert one_by_one == in_batches


@pytest.mark.parametrize("top", [0, 40])
def test_a_wrong_top_of_contextual_is_an_error(top: int) -> None:
    with pytest.raises(OperatorError, match="contextual: top must be 1 or more and below 40"):
        parse(f"contextual(top={top})")


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the extra mlm is not installed, and that no model is loaded."""
    for package in ("onnxruntime", "tokenizers"):
        monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr("mondegreen.operators.groups._installed", lambda _: False)
    source_of = "mondegreen.operators.contextual.source_of"
    monkeypatch.setattr(source_of, lambda *_: MaskedWords(SmallModel(Path())))


@pytest.mark.usefixtures("no_extra")
def test_without_its_extra_contextual_names_the_extra_to_install(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    fails(["perturb", str(data), "-o", str(out), "--op", "contextual"], "mondegreen[mlm]", capsys)
    assert not out.exists()
    assert main(["operators"]) == 0
    assert "mondegreen[mlm]" in capsys.readouterr().out
    assert main(["operators", "contextual", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["example"][1] is None


@pytest.mark.usefixtures("no_extra")
def test_without_its_extra_the_group_warns_that_contextual_is_left_out() -> None:
    with pytest.warns(UserWarning, match=r"augment: contextual is left out.*mondegreen\[mlm\]"):
        names = [operator.name for operator in parse_all("augment")]
    assert names == ["keyboard", "spelling", "synonym.naive", "antonym", "tfidf"]


def test_with_its_extra_the_group_contains_contextual() -> None:
    assert [operator.name for operator in parse_all("augment")][-1] == "contextual"


@pytest.mark.parametrize("error", [ModuleNotFoundError, ValueError])
def test_a_package_whose_import_hook_raises_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refuse(_: str) -> None:
        raise error

    monkeypatch.setattr("mondegreen.operators.groups.find_spec", refuse)
    with pytest.warns(UserWarning, match="contextual is left out"):
        parse_all("augment")
