"""The simulator of recognisers: units of error, fitting, and the operator."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data import read, write
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OperatorError
from mondegreen.kernel import key
from mondegreen.language.reading import spoken
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.odds import bigrams, dot, places, word_features
from mondegreen.language.simulation.profile import RecogniserProfile, read_recogniser
from mondegreen.language.simulation.simulator import Simulator, odds_of
from mondegreen.language.simulation.units import Unit, units, words_of
from mondegreen.language.vocabulary.ngram import END, START
from mondegreen.operators import parse
from mondegreen.operators.recogniser import Recogniser
from mondegreen.testing import operator_laws
from mondegreen.variants import perturb

PAIRS = Path(__file__).resolve().parents[2] / "shared" / "data" / "heard" / "slurp.tsv"

TestRecogniser = operator_laws("recogniser(wer=0.3)")


@pytest.mark.parametrize(
    ("ref", "hyp", "found"),
    [
        ("play some jazz", "play some jazz", []),
        ("play some jazz", "play jazz", [Unit(1, 2, ())]),
        ("play some jazz", "uh play some jazz", [Unit(0, 0, ("uh",))]),
        ("play some jazz", "play sum jazz", [Unit(1, 2, ("sum",))]),
        ("select any one", "select anyone", [Unit(1, 3, ("anyone",))]),
        ("go to minneapolis", "go to many apples", [Unit(2, 3, ("many", "apples"))]),
        ("", "hello", [Unit(0, 0, ("hello",))]),
    ],
)
def test_units_of_error(ref: str, hyp: str, found: list[Unit]) -> None:
    assert units(words_of(ref), words_of(hyp)) == found


NONE = (0.0, 0.0, 0.0)
WORDS = st.lists(st.sampled_from(("play", "some", "jazz", "sum", "the", "jaws")), max_size=9)


@given(ref=WORDS, hyp=WORDS)
@settings(deadline=None)
def test_units_turn_the_reference_into_the_hypothesis_with_the_fewest_errors(
    ref: list[str], hyp: list[str]
) -> None:
    found = units(tuple(ref), tuple(hyp))
    made: list[str] = []
    at = 0
    for unit in found:
        made += (*ref[at : unit.start], *unit.heard)
        at = unit.end
    assert made + ref[at:] == hyp
    errors = sum(max(unit.end - unit.start, len(unit.heard)) for unit in found)
    assert errors == Levenshtein.distance(ref, hyp)


@pytest.fixture(scope="module")
def small() -> RecogniserProfile:
    """A profile fitted to a hundred made-up pairs."""
    texts = [utterance.text for utterance in sample()][:120]
    rng = random.Random(3)
    heard = []
    for text in texts:
        words = [w for w in text.split() if rng.random() > 0.1]
        heard.append(" ".join("the" if rng.random() < 0.1 else w for w in words))
    return fit_recogniser(texts, heard, source="made up")


def test_a_fitted_profile_can_be_saved_and_read(small: RecogniserProfile, tmp_path: Path) -> None:
    for name in ("mine.json", "mine.json.gz"):
        small.save(tmp_path / name)
        assert read_recogniser(str(tmp_path / name)) == small
    assert (tmp_path / "mine.json").stat().st_size < 3_000_000


def test_the_rate_is_the_one_asked_for() -> None:
    simulator = Simulator(read_recogniser(""))
    refs = [words_of(utterance.text) for utterance in sample()] * 20
    for wer in (0.05, 0.2, 0.5):
        errors = sum(
            Levenshtein.distance(ref, simulator.hypothesis(ref, key(b"%d" % i, ""), wer))
            for i, ref in enumerate(refs)
        )
        assert errors / sum(map(len, refs)) == pytest.approx(wer, abs=0.02)


def test_a_higher_rate_makes_every_edit_of_a_lower_one() -> None:
    rates = (0.02, 0.1, 0.25, 0.6)
    rows = [
        [set(v.edits) for v in perturb(sample(), f"recogniser(wer={wer})", seed=3)] for wer in rates
    ]
    for few, many in pairwise(rows):
        assert all(a <= b for a, b in zip(few, many, strict=True))
    assert sum(map(len, rows[0])) < sum(map(len, rows[-1]))


def test_a_text_as_a_whole_has_the_rate_and_difficult_utterances_have_more_errors(
    tmp_path: Path,
) -> None:
    texts = [utterance.text for utterance in sample()]
    source = tmp_path / "texts.txt"
    source.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    learnt = Recogniser(wer=0.3).for_texts(texts)
    assert learnt.level is not None
    assert learnt.learning_from(read(source), 0) == learnt
    simulator = Simulator(read_recogniser(""))
    refs = [words_of(text) for text in texts] * 20
    hyps = [
        simulator.hypothesis(ref, key(b"%d" % i, ""), 0.3, learnt.level)
        for i, ref in enumerate(refs)
    ]
    errors = [Levenshtein.distance(*pair) for pair in zip(refs, hyps, strict=True)]
    assert sum(errors) / sum(map(len, refs)) == pytest.approx(0.3, abs=0.02)
    expected = [sum(simulator.odds.of(ref)[1::2]) / len(ref) for ref in refs]
    middle = sorted(expected)[len(refs) // 2]
    rates: tuple[list[float], list[float]] = ([], [])
    for ref, wrong, one in zip(refs, errors, expected, strict=True):
        rates[one > middle].append(wrong / len(ref))
    assert sum(rates[1]) / len(rates[1]) > 1.3 * sum(rates[0]) / len(rates[0])


@pytest.mark.parametrize("wer", [0.05, 0.15, 0.3, 0.5])
def test_data_and_seed_have_exactly_the_rate(tmp_path: Path, wer: float) -> None:
    source = tmp_path / "sample.jsonl"
    write(sample(), source)
    for seed, codes in ((1, True), (2, False)):
        operator = f"recogniser(wer={wer})"
        made = list(perturb(read(source), operator, seed=seed, protect_codes=codes))
        refs = [words_of(one.parent.text) for one in made]
        hyps = [words_of(one.utterance.text) for one in made]
        wrong = sum(map(Levenshtein.distance, refs, hyps))
        assert wrong / sum(map(len, refs)) == pytest.approx(wer, abs=0.01)


def test_a_level_keeps_the_errors_of_a_lower_one() -> None:
    texts = [utterance.text for utterance in sample()]
    rows = [
        [set(v.edits) for v in perturb(sample(), Recogniser(wer=wer).for_texts(texts), seed=3)]
        for wer in (0.05, 0.2, 0.5)
    ]
    for few, many in pairwise(rows):
        assert all(a <= b for a, b in zip(few, many, strict=True))
    assert sum(map(len, rows[0])) < sum(map(len, rows[-1]))


@pytest.mark.parametrize("text", ["stop", "play jazz", "play some jazz from 1999", "zzz 4 u 2"])
def test_log_odds_are_the_weighted_sums_of_the_features(text: str) -> None:
    profile = read_recogniser("")
    words = words_of(text)
    place = places(words)

    def seen(word: str) -> tuple[int, int]:
        return profile.ref_words.get(word, 0), profile.hyp_words.get(word, 0)

    made = odds_of(profile).of(words)
    pairs = [profile.bigrams.get(pair, NONE) for pair in bigrams(words)]
    before, own, after = zip(
        *(profile.offsets.get(word, NONE) for word in (START, *words, END)), strict=True
    )
    assert made[::2] == pytest.approx(
        [
            dot(profile.gaps, row) + after[i] + pairs[i][1] + before[i + 1]
            for i, row in enumerate(place.gaps)
        ]
    )
    assert made[1::2] == pytest.approx(
        [
            dot(profile.words, (*word_features(word, *seen(word)), *row))
            + pairs[i][2]
            + own[i + 1]
            + pairs[i + 1][0]
            for i, (word, row) in enumerate(zip(words, place.words, strict=True))
        ]
    )


def test_what_is_written_otherwise_is_learnt_for_new_words() -> None:
    texts = [f"what's {word} {number}" for number in range(21, 61) for word in ("up", "on", "new")]
    heard = [f"what 's {word} {' '.join(spoken(n))}" for _, word, n in map(str.split, texts)]
    simulator = Simulator(fit_recogniser(texts, heard))
    assert simulator.profile.habits.read > 0.9
    made = [simulator.hypothesis(("play", "97"), key(b"%d" % i, ""), 0.9) for i in range(50)]
    assert sum(one[-2:] == ("ninety", "seven") for one in made) > 25


@pytest.mark.skipif(not PAIRS.exists(), reason="needs ../shared/data/heard")
def test_the_errors_of_the_embedded_profile_are_as_frequent_as_the_real_ones() -> None:
    rates = read_recogniser("").rates
    assert rates.wer == pytest.approx(0.1815, abs=1e-3)
    simulator = Simulator(read_recogniser(""))
    lines = PAIRS.read_text(encoding="utf-8").splitlines()[1::6]
    refs = [words_of(line.split("\t")[3]) for line in lines]
    counts = dict.fromkeys(("replace", "delete", "insert"), 0)
    for i, ref in enumerate(refs * 2):
        hyp = simulator.hypothesis(ref, key(b"%d" % i, " ".join(ref)), rates.wer)
        for step in Levenshtein.editops(ref, hyp):
            counts[step.tag] += 1
    total = 2 * sum(map(len, refs))
    assert counts["replace"] / total == pytest.approx(rates.substitutions, rel=0.15)
    assert counts["delete"] / total == pytest.approx(rates.deletions, rel=0.15)
    assert counts["insert"] / total == pytest.approx(rates.insertions, rel=0.15)


def test_wrong_parameters_and_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="wer must be above 0"):
        parse("recogniser(wer=1.5)")
    with pytest.raises(DataError, match=r"no such file, and no built-in profile .*; make it with"):
        parse("recogniser(profile='none.json')")
    other = tmp_path / "other.json"
    other.write_text('{"version": 99}', encoding="utf-8")
    with pytest.raises(DataError, match="version 99, but this mondegreen reads version 6"):
        parse(f"recogniser(profile='{other}')")
    other.write_text("no JSON", encoding="utf-8")
    with pytest.raises(DataError, match="not a profile of a recogniser"):
        parse(f"recogniser(profile='{other}')")


def test_pairs_that_teach_nothing_are_refused() -> None:
    with pytest.raises(DataError, match="no errors"):
        fit_recogniser(["play jazz"], ["Play jazz!"])
    with pytest.raises(DataError, match="no reference has a word"):
        fit_recogniser(["", "?"], ["a", "b"])
    with pytest.warns(UserWarning, match="1 of 3 pairs have an empty reference"):
        fit_recogniser(["play jazz", "", "stop"], ["play jaws", "uh", "stop"])


def test_the_command_fits_a_table_without_ids_and_two_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, refs, hyps = (tmp_path / name for name in ("pairs.tsv", "ref.txt", "hyp.txt"))
    rows = [("play some jazz", "play sum jazz"), ("stop it", "stop"), ("what now", "what now")]
    table.write_text("ref\thyp\n" + "".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    refs.write_text("".join(f"{a}\n" for a, _ in rows), encoding="utf-8")
    hyps.write_text("".join(f"{b}\n" for _, b in rows), encoding="utf-8")
    fit = ["fit", "recogniser", "-o"]
    assert main([*fit, str(tmp_path / "a.json"), str(table)]) == 0
    assert main([*fit, str(tmp_path / "b.json"), str(refs), "--hyp", str(hyps)]) == 0
    assert "3 pairs, word error rate 28.6 %" in capsys.readouterr().err
    first, second = (read_recogniser(str(tmp_path / name)) for name in ("a.json", "b.json"))
    assert first.rates == second.rates
    assert first.rates.wer == pytest.approx(2 / 7)
    named = "said\theard\n" + "".join(f"{a}\t{b}\n" for a, b in rows)
    table.write_text(named, encoding="utf-8")
    columns = ["--map", "ref=said,hyp=heard", "-q"]
    assert main([*fit, str(tmp_path / "d.json"), str(table), *columns]) == 0
    assert read_recogniser(str(tmp_path / "d.json")).rates == first.rates
    table.write_text("ref\ttranslation\na\tb\n", encoding="utf-8")
    fails([*fit, str(tmp_path / "c.json"), str(table)], "there is no column hypothesis", capsys)


@pytest.mark.parametrize("protect_codes", [True, False])
def test_numbers_that_are_kept_do_not_lower_the_rate(protect_codes: bool) -> None:  # noqa: FBT001
    texts = [f"wake me up at {i} and play the {i} best songs of the year" for i in range(600)]
    made = [
        one
        for seed in range(4)
        for one in perturb(texts, "recogniser(wer=0.2)", protect_codes=protect_codes, seed=seed)
    ]
    score = mg.score.words([one.parent.text for one in made], [one.utterance.text for one in made])
    assert score["wer"].value == pytest.approx(0.2, abs=0.02)
    kept = all(
        {*one.parent.tokens} & {str(i % 600)} <= {*one.utterance.tokens}
        for i, one in enumerate(made)
    )
    assert kept == protect_codes


def test_an_error_always_changes_the_text() -> None:
    operator = Recogniser(wer=0.9)
    for seed in range(100):  # in some, "kids'" is heard as "kids"
        (variant,) = perturb(["the speakers in the kids' room"], operator, seed=seed)
        tokens = variant.parent.tokens
        assert all(edit.tokens != tokens[edit.start : edit.end] for edit in variant.edits)
