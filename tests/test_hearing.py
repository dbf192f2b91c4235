"""Surprise and mishearing: the model against pocketsphinx, the search against its twin."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.errors import DataError, OperatorError
from mondegreen.kernel import compiled
from mondegreen.kernel import hearing as hearing_twin
from mondegreen.kernel.hearing import Limits
from mondegreen.language.frequent import american, frequent_words
from mondegreen.language.hearing import (
    ENDINGS,
    LEXICON,
    LIMITS,
    PHONEME,
    Heard,
    hear,
    mishear,
    spoken_phonemes,
)
from mondegreen.language.ngram import END, START, UNKNOWN, known, surprise, surprises, trigram
from mondegreen.language.phonology import feature_system
from mondegreen.language.pronunciations import dictionary
from mondegreen.operators.mondegreen import Mondegreen
from mondegreen.types import Edit, Slot, Utterance, Variant

SYSTEM = feature_system("hayes-arpabet")
needs_kernel = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")


@cache
def oracle() -> hearing_twin.Trigram:
    from pocketsphinx import get_model_path

    return hearing_twin.Trigram(get_model_path("en-us/en-us.lm.bin"))


def test_the_model_answers_as_pocketsphinx_does() -> None:
    rng = random.Random(1)
    words = [*frequent_words(3_000), START, END, "sxsw", "éa", ""]
    for _ in range(20_000):
        word, *before = (
            words[int(len(words) * rng.random() ** 3)] for _ in range(rng.randint(1, 4))
        )
        assert trigram().score(word, before) == oracle().score(word, before)


def test_every_kind_of_entry_is_met() -> None:
    text = "i want to go to the new york city and play some music for the first time in the world"
    said = text.split()
    for i in range(2, len(said)):
        assert trigram().score(said[i], said[i - 2 : i]) == oracle().score(said[i], said[i - 2 : i])


@given(
    words=st.lists(st.lists(st.sampled_from(frequent_words(50)), max_size=3), max_size=4),
    before=st.lists(st.sampled_from([*frequent_words(50), START, "zzz"]), max_size=3),
    after=st.lists(st.sampled_from([*frequent_words(50), END, "zzz"]), max_size=3),
)
def test_sums_of_surprise_are_the_twins(
    words: list[list[str]], before: list[str], after: list[str]
) -> None:
    said = [" ".join(candidate) for candidate in words]
    assert trigram().surprises(said, before, after) == oracle().surprises(said, before, after)


def test_a_word_that_fits_surprises_less() -> None:
    assert surprise("music", ("play", "some")) < surprise("munich", ("play", "some"))
    assert surprise("the") < surprise("the", ("of", "the"))
    assert surprise("MUSIC", ("Play", "SOME")) == surprise("music", ("play", "some"))
    assert surprise("sxsw") == surprise("") == UNKNOWN
    assert known("Playlist")
    assert not known("sxsw")


def test_candidates_are_judged_with_the_words_after_them() -> None:
    [alone] = surprises(["music"], ["play", "some"], [])
    assert math.isclose(alone, surprise("music", ["play", "some"]))
    left, right = ["take", "the"], ["to", "work"]
    train, trained = surprises(["train", "trained"], left, right)
    assert train < trained


PHRASES = [
    # said           heard            among the first
    ("ice cream", "i scream", 1),
    ("the sky", "this guy", 1),
    ("four candles", "for handles", 8),
    ("add this tune", "at the stone", 1),
    ("mary had a little lamb", "very happily tell them", 1),
    ("play some sixties music", "place i'm sixteen munich", 8),
    ("recognize speech", "recognized beach", 2),
]


@pytest.mark.parametrize(("said", "heard", "first"), PHRASES)
def test_known_mishearings_are_found(said: str, heard: str, first: int) -> None:
    assert heard in [" ".join(found.words) for found in mishear(said.split(), n=first)]


def test_what_was_said_is_heard_first_where_nothing_is_barred() -> None:
    phonemes, ends = spoken_phonemes(["the", "train", "to", "london"])
    best = hear(phonemes)[0]
    assert best.words == ("the", "train", "to", "london")
    assert best.ends == ends
    assert best.distance == 0


def test_the_words_on_both_sides_are_heard_too() -> None:
    phonemes = ["T", "UW"]
    assert hear(phonemes, before=["one", "hundred"], after=["people"], n=1)[0].words == ("two",)
    assert hear(phonemes, before=["i", "want"], after=["go"], n=1)[0].words == ("to",)
    assert hear(phonemes, before=["was"], after=["much"], n=1)[0].words == ("too",)


def test_nothing_is_heard_in_silence() -> None:
    assert hear([]) == []
    assert mishear(["你好"]) == []
    assert mishear([]) == []


def test_an_unknown_phoneme_is_named() -> None:
    with pytest.raises(DataError, match="'aa1' is no phoneme"):
        hear(["K", "aa1"])


@needs_kernel
@pytest.mark.parametrize("size", [0, 10, 25, 1_000, 900_000, 10_000_000])
def test_a_model_that_is_cut_off_is_refused(size: int, tmp_path: Path) -> None:
    from pocketsphinx import get_model_path

    path = tmp_path / "cut.lm.bin"
    path.write_bytes(Path(get_model_path("en-us/en-us.lm.bin")).read_bytes()[:size])
    assert compiled is not None
    with pytest.raises(RuntimeError, match="is no trigram model"):
        compiled.Trigram(str(path))


SAID = st.lists(st.sampled_from(frequent_words(2_000)), min_size=1, max_size=4)


@given(SAID)
@settings(max_examples=40)
def test_hearings_are_other_words_that_cover_all_phonemes(said: list[str]) -> None:
    phonemes, ends = spoken_phonemes(said)
    spans = list(zip((0, *ends), ends, strict=False))
    found = mishear(said)
    assert len({heard.words for heard in found}) == len(found)
    for heard in found:
        assert set(heard.words) <= set(frequent_words(LEXICON))
        assert "".join(heard.words) != "".join(said)
        assert list(heard.ends) == sorted(set(heard.ends))
        assert heard.ends[-1] == len(phonemes)
        for word, start, end in zip(heard.words, (0, *heard.ends), heard.ends, strict=False):
            here = {w for w, (a, b) in zip(said, spans, strict=True) if a < end and b > start}
            assert word not in here
        assert math.isclose(
            heard.distance * PHONEME * len(phonemes), nearest(phonemes, heard.words)
        )


def nearest(phonemes: Sequence[str], words: Sequence[str]) -> int:
    """The least cost over all ways to say the words, worked out the plain way."""
    ways: list[tuple[str, ...]] = [()]
    for word in words:
        ways = [(*way, *more.split()) for way in ways for more in dictionary()[word]]
    return min(cost(phonemes, way) for way in ways)


def alone(phoneme: str) -> int:
    return SYSTEM.alone(phoneme) // (2 if phoneme in ENDINGS else 1)


def cost(ref: Sequence[str], hyp: Sequence[str]) -> int:
    row = [sum(map(alone, hyp[:j])) for j in range(len(hyp) + 1)]
    for a in ref:
        above, row = row, [row[0] + alone(a)]
        for j, b in enumerate(hyp):
            swap = above[j] + SYSTEM.substitution(a, b)
            row.append(min(swap, above[j + 1] + alone(a), row[j] + alone(b)))
    return row[-1]


WORDS = frequent_words(400)
LISTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30, unique=True)


@needs_kernel
@given(
    words=LISTS,
    phonemes=st.lists(st.integers(0, len(SYSTEM.symbols) - 1), min_size=1, max_size=8),
    before=st.lists(st.sampled_from([*WORDS[:20], START, "zzz"]), max_size=2),
    after=st.lists(st.sampled_from([*WORDS[:20], END, "zzz"]), max_size=2),
    bar=st.tuples(st.sampled_from(WORDS[:20]), st.tuples(st.integers(0, 4), st.integers(1, 8))),
    limits=st.builds(
        Limits,
        base=st.integers(0, 300),
        growth=st.integers(0, 80),
        sound=st.just(1_000_000),
        surprise=st.integers(0, 900),
        beam=st.integers(1, 12),
    ),
)
def test_the_kernel_hears_what_the_twin_hears(
    words: list[str],
    phonemes: list[int],
    before: list[str],
    after: list[str],
    bar: hearing_twin.Barred,
    limits: Limits,
) -> None:
    pairs = [(word, way) for word in words for way in dictionary()[word]]
    ways = [[SYSTEM.symbols.index(p) for p in way.split()] for _, way in pairs]
    table = [SYSTEM.substitution(a, b) for a in SYSTEM.symbols for b in SYSTEM.symbols]
    lone = [SYSTEM.alone(symbol) for symbol in SYSTEM.symbols]
    names = [word for word, _ in pairs]
    assert compiled is not None
    fast = compiled.Hearing(ways, names, table, lone, trigram())
    slow = hearing_twin.Hearing(ways, names, table, lone, oracle())
    args = (phonemes, before, after, [bar], limits, 6)
    assert [tuple(heard) for heard in fast.hear(*args)] == slow.hear(*args)


@needs_kernel
def test_the_kernel_hears_what_the_twin_hears_with_all_words() -> None:
    from mondegreen.language.hearing import _lexicon

    lexicon = _lexicon()
    words = frequent_words(LEXICON)
    ways = [
        [lexicon.numbers[p] for p in way.split()] for word in words for way in dictionary()[word]
    ]
    table = [SYSTEM.substitution(a, b) for a in SYSTEM.symbols for b in SYSTEM.symbols]
    twin = hearing_twin.Hearing(
        ways, lexicon.words, table, [alone(s) for s in SYSTEM.symbols], oracle()
    )
    for phrase in ("the sky", "some jazz"):
        numbers = [lexicon.numbers[p] for p in spoken_phonemes(phrase.split())[0]]
        found = lexicon.search.hear(numbers, [START], [END], [], LIMITS, 8)
        assert found == twin.hear(numbers, [START], [END], [], LIMITS, 8)


def test_spellings_of_one_word_are_not_heard_for_each_other() -> None:
    assert american("centre") == "center"
    assert american("rolling") == "rolling"
    assert not {"colour", "recognise", "tv", "b"} & set(frequent_words(LEXICON))
    assert not any(heard.words == ("centre",) for heard in mishear(["center"], n=16))


def variants(text: str, operator: str = "mondegreen", n: int = 20) -> list[Variant]:
    return [next(iter(mg.perturb([text], operator, seed=seed))) for seed in range(n)]


def test_punctuation_and_case_stay_around_a_stretch() -> None:
    said = 'Well, "Ice Cream!" (please) stop.'
    heard = {variant.utterance.text for variant in variants(said, n=60)}
    assert len(heard) > 10
    for text in heard:
        assert text.count('"') == 2
        assert [char for char in text if char in ",!()."] == list(",!().")
        assert text[0].isupper()


def test_slots_follow_and_are_never_crossed() -> None:
    said = Utterance.of("1", "add this tune to my playlist", [Slot("what", 1, 3), Slot("to", 4, 6)])
    for seed in range(40):
        [variant] = mg.perturb([said], "mondegreen", seed=seed)
        [edit] = variant.edits
        assert any(a <= edit.start < edit.end <= b for a, b in [(0, 1), (1, 3), (3, 4), (4, 6)])
        assert [slot.label for slot in variant.utterance.slots] == ["what", "to"]


def test_stretches_that_overlap_give_way_to_the_first() -> None:
    most = 0
    for seed in range(20):
        [variant] = mg.perturb(
            ["play some sixties music for dinner"], "mondegreen", seed=seed, rate=1
        )
        ends = [edit.end for edit in variant.edits]
        assert all(a <= b.start for a, b in zip(ends, variant.edits[1:], strict=False))
        most = max(most, len(variant.edits))
    assert most > 2


@pytest.mark.parametrize("said", ["👩‍👩‍👧 !!", "你 好", "музыка", "...", ""])
def test_what_cannot_be_said_stays(said: str) -> None:
    [variant] = mg.perturb([said], "mondegreen")
    assert variant.edits == ()


def test_numbers_are_read_aloud_and_not_spelt_out() -> None:
    for variant in variants("set 15 alarms for 2019", n=60):
        assert "fifteen" not in variant.utterance.tokens
        assert "nineteen" not in variant.utterance.tokens


def test_nothing_is_far_where_nothing_may_be() -> None:
    said = "we ate here too"
    for variant in variants(said, "mondegreen(farthest=0)"):
        for edit in variant.edits:
            assert misheard(variant.parent, edit, n=8).distance == 0


@pytest.mark.parametrize("wrong", ["longest=0", "longest=5", "spread=0", "farthest=-1"])
def test_wrong_parameters_are_named(wrong: str) -> None:
    name = wrong.partition("=")[0]
    with pytest.raises(OperatorError, match=f"mondegreen: {name} must be"):
        list(mg.perturb(["play jazz"], f"mondegreen({wrong})"))


def misheard(said: Utterance, edit: Edit, n: int) -> Heard:
    """Find what the search gave for an edit."""
    tokens = [token.strip(",.!?:").lower() for token in said.tokens]
    before, after = (START, *tokens[: edit.start])[-2:], (*tokens[edit.end :], END)[:2]
    heard = tuple(token.strip(",.!?:").lower() for token in edit.tokens)
    found = mishear(tokens[edit.start : edit.end], before=before, after=after, n=n)
    return next(one for one in found if one.words == heard)


@pytest.mark.skipif(compiled is None, reason="five hundred stretches are for the kernel")
def test_mondegreens_of_snips_sound_near_and_cross_boundaries(shared: Path) -> None:
    data = list(mg.read(shared / "data/slu/snips/test"))[:500]
    words = set(frequent_words(LEXICON))
    distances, crossings = [], 0
    for variant in mg.perturb(data, "mondegreen", seed=1):
        [edit] = variant.edits
        assert {token.strip(",.!?:").lower() for token in edit.tokens} <= words
        heard = misheard(variant.parent, edit, Mondegreen().spread)
        said = [token.strip(",.!?:") for token in variant.parent.tokens[edit.start : edit.end]]
        _, ends = spoken_phonemes(said)
        distances.append(heard.distance)
        crossings += heard.crosses(ends)
    assert statistics.median(distances) < 0.06
    assert crossings / len(data) >= 0.5
