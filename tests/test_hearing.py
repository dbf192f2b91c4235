"""Surprisal and mishearing: the model against pocketsphinx, the search against its twin."""

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
from mondegreen.kernel.hearing import SearchLimits
from mondegreen.language.sounds.frequent import american, frequent_words
from mondegreen.language.sounds.hearing import (
    ENDINGS,
    LEXICON,
    LIMITS,
    PHONEME,
    Heard,
    hear,
    mishear,
    spoken_phonemes,
)
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.language.vocabulary.ngram import (
    END,
    START,
    UNKNOWN,
    known,
    surprise,
    surprises,
    trigram,
)
from mondegreen.operators.mondegreen import Mondegreen
from mondegreen.types import Edit, Slot, Utterance, Variant

SYSTEM = feature_system("hayes-arpabet")
needs_kernel = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")


@cache
def oracle() -> hearing_twin.Trigram:
    from pocketsphinx import get_model_path

    return hearing_twin.Trigram(get_model_path("en-us/en-us.lm.bin"))


def test_scores_are_those_of_pocketsphinx() -> None:
    rng = random.Random(1)
    words = [*frequent_words(3_000), START, END, "sxsw", "éa", ""]
    for _ in range(20_000):
        word, *before = (
            words[int(len(words) * rng.random() ** 3)] for _ in range(rng.randint(1, 4))
        )
        assert trigram().score(word, before) == oracle().score(word, before)


def test_scores_of_trigrams_are_those_of_pocketsphinx() -> None:
    text = "i want to go to the new york city and play some music for the first time in the world"
    words = text.split()
    for i in range(2, len(words)):
        word, before = words[i], words[i - 2 : i]
        assert trigram().score(word, before) == oracle().score(word, before)


@given(
    words=st.lists(st.lists(st.sampled_from(frequent_words(50)), max_size=3), max_size=4),
    before=st.lists(st.sampled_from([*frequent_words(50), START, "zzz"]), max_size=3),
    after=st.lists(st.sampled_from([*frequent_words(50), END, "zzz"]), max_size=3),
)
def test_kernel_and_twin_compute_the_same_surprisal(
    words: list[list[str]], before: list[str], after: list[str]
) -> None:
    texts = [" ".join(candidate) for candidate in words]
    assert trigram().surprises(texts, before, after) == oracle().surprises(texts, before, after)


def test_a_word_that_fits_has_a_lower_surprisal() -> None:
    assert surprise("music", ("play", "some")) < surprise("munich", ("play", "some"))
    assert surprise("the") < surprise("the", ("of", "the"))
    assert surprise("MUSIC", ("Play", "SOME")) == surprise("music", ("play", "some"))
    assert surprise("sxsw") == surprise("") == UNKNOWN
    assert known("Playlist")
    assert not known("sxsw")


def test_the_surprisal_of_candidates_includes_the_words_after_them() -> None:
    [single] = surprises(["music"], ["play", "some"], [])
    assert math.isclose(single, surprise("music", ["play", "some"]))
    left, right = ["take", "the"], ["to", "work"]
    train, trained = surprises(["train", "trained"], left, right)
    assert train < trained


PHRASES = [
    # said           heard            rank or better
    ("ice cream", "i scream", 1),
    ("the sky", "this guy", 1),
    ("four candles", "for handles", 8),
    ("add this tune", "at the stone", 1),
    ("mary had a little lamb", "very happily tell them", 1),
    ("play some sixties music", "place i'm sixteen munich", 8),
    ("recognize speech", "recognized beach", 2),
]


@pytest.mark.parametrize(("said", "heard", "rank"), PHRASES)
def test_known_mishearings_are_found(said: str, heard: str, rank: int) -> None:
    assert heard in [" ".join(found.words) for found in mishear(said.split(), n=rank)]


def test_without_barred_words_the_original_words_are_heard_first() -> None:
    phonemes, ends = spoken_phonemes(["the", "train", "to", "london"])
    best = hear(phonemes)[0]
    assert best.words == ("the", "train", "to", "london")
    assert best.ends == ends
    assert best.distance == 0


def test_the_context_decides_between_homophones() -> None:
    phonemes = ["T", "UW"]
    assert hear(phonemes, before=["one", "hundred"], after=["people"], n=1)[0].words == ("two",)
    assert hear(phonemes, before=["i", "want"], after=["go"], n=1)[0].words == ("to",)
    assert hear(phonemes, before=["was"], after=["much"], n=1)[0].words == ("too",)


def test_no_phonemes_give_no_words() -> None:
    assert hear([]) == []
    assert mishear(["你好"]) == []
    assert mishear([]) == []


def test_an_unknown_phoneme_raises() -> None:
    with pytest.raises(DataError, match="'aa1' is not a phoneme"):
        hear(["K", "aa1"])


@needs_kernel
@pytest.mark.parametrize("size", [0, 10, 25, 1_000, 900_000, 10_000_000])
def test_a_truncated_model_raises(size: int, tmp_path: Path) -> None:
    from pocketsphinx import get_model_path

    path = tmp_path / "cut.lm.bin"
    path.write_bytes(Path(get_model_path("en-us/en-us.lm.bin")).read_bytes()[:size])
    assert compiled is not None
    with pytest.raises(RuntimeError, match="is no trigram model"):
        compiled.Trigram(str(path))


FREQUENT_PHRASES = st.lists(st.sampled_from(frequent_words(2_000)), min_size=1, max_size=4)


@given(FREQUENT_PHRASES)
@settings(max_examples=40)
def test_mishearings_are_other_words_that_cover_all_phonemes(words: list[str]) -> None:
    phonemes, ends = spoken_phonemes(words)
    spans = list(zip((0, *ends), ends, strict=False))
    found = mishear(words)
    assert len({heard.words for heard in found}) == len(found)
    for heard in found:
        assert set(heard.words) <= set(frequent_words(LEXICON))
        assert "".join(heard.words) != "".join(words)
        assert list(heard.ends) == sorted(set(heard.ends))
        assert heard.ends[-1] == len(phonemes)
        for word, start, end in zip(heard.words, (0, *heard.ends), heard.ends, strict=False):
            here = {w for w, (a, b) in zip(words, spans, strict=True) if a < end and b > start}
            assert word not in here
        assert math.isclose(
            heard.distance * PHONEME * len(phonemes), nearest(phonemes, heard.words)
        )


def nearest(phonemes: Sequence[str], words: Sequence[str]) -> int:
    """Return the lowest cost over all pronunciations of the words, by brute force."""
    every: list[tuple[str, ...]] = [()]
    for word in words:
        every = [(*one, *more.split()) for one in every for more in dictionary()[word]]
    return min(cost(phonemes, one) for one in every)


def indel(phoneme: str) -> int:
    return SYSTEM.indel(phoneme) // (2 if phoneme in ENDINGS else 1)


def cost(ref: Sequence[str], hyp: Sequence[str]) -> int:
    row = [sum(map(indel, hyp[:j])) for j in range(len(hyp) + 1)]
    for a in ref:
        above, row = row, [row[0] + indel(a)]
        for j, b in enumerate(hyp):
            swap = above[j] + SYSTEM.substitution(a, b)
            row.append(min(swap, above[j + 1] + indel(a), row[j] + indel(b)))
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
        SearchLimits,
        base=st.integers(0, 300),
        growth=st.integers(0, 80),
        sound=st.just(1_000_000),
        surprise=st.integers(0, 900),
        beam=st.integers(1, 12),
    ),
)
def test_kernel_and_twin_hear_the_same(
    words: list[str],
    phonemes: list[int],
    before: list[str],
    after: list[str],
    bar: hearing_twin.Barred,
    limits: SearchLimits,
) -> None:
    pairs = [(word, phones) for word in words for phones in dictionary()[word]]
    entries = [[SYSTEM.symbols.index(p) for p in phones.split()] for _, phones in pairs]
    table = [SYSTEM.substitution(a, b) for a in SYSTEM.symbols for b in SYSTEM.symbols]
    indels = [SYSTEM.indel(symbol) for symbol in SYSTEM.symbols]
    names = [word for word, _ in pairs]
    assert compiled is not None
    fast = compiled.Hearing(entries, names, table, indels, trigram())
    slow = hearing_twin.Hearing(entries, names, table, indels, oracle())
    args = (phonemes, before, after, [bar], limits, 6)
    assert [tuple(heard) for heard in fast.hear(*args)] == slow.hear(*args)


@needs_kernel
def test_kernel_and_twin_hear_the_same_in_the_whole_lexicon() -> None:
    from mondegreen.language.sounds.hearing import _lexicon

    lexicon = _lexicon()
    words = frequent_words(LEXICON)
    entries = [
        [lexicon.numbers[p] for p in phones.split()]
        for word in words
        for phones in dictionary()[word]
    ]
    table = [SYSTEM.substitution(a, b) for a in SYSTEM.symbols for b in SYSTEM.symbols]
    twin = hearing_twin.Hearing(
        entries, lexicon.words, table, [indel(s) for s in SYSTEM.symbols], oracle()
    )
    for phrase in ("the sky", "some jazz"):
        numbers = [lexicon.numbers[p] for p in spoken_phonemes(phrase.split())[0]]
        found = lexicon.search.hear(numbers, [START], [END], [], LIMITS, 8)
        assert found == twin.hear(numbers, [START], [END], [], LIMITS, 8)


def test_british_spellings_are_not_heard() -> None:
    assert american("centre") == "center"
    assert american("rolling") == "rolling"
    assert not {"colour", "recognise", "tv", "b"} & set(frequent_words(LEXICON))
    assert not any(heard.words == ("centre",) for heard in mishear(["center"], n=16))


def variants(
    text: str, operator: str = "mondegreen", n: int = 20, *, codes: bool = True
) -> list[Variant]:
    made = (mg.perturb([text], operator, seed=seed, protect_codes=codes) for seed in range(n))
    return [next(found) for found in made]


def test_punctuation_and_case_are_kept() -> None:
    source = 'Well, "Ice Cream!" (please) stop.'
    texts = {variant.utterance.text for variant in variants(source, n=100, codes=False)}
    assert len(texts) > 10
    for text in texts:
        assert text.count('"') == 2
        assert [char for char in text if char in ",!()."] == list(",!().")
        assert text[0].isupper()


def test_slots_are_kept_and_never_crossed() -> None:
    slots = [Slot("what", 1, 3), Slot("to", 4, 6)]
    utterance = Utterance.of("1", "add this tune to my playlist", slots)
    for seed in range(40):
        [variant] = mg.perturb([utterance], "mondegreen", seed=seed)
        [edit] = variant.edits
        assert any(a <= edit.start < edit.end <= b for a, b in [(0, 1), (1, 3), (3, 4), (4, 6)])
        assert [slot.label for slot in variant.utterance.slots] == ["what", "to"]


def test_edits_never_overlap() -> None:
    most = 0
    for seed in range(20):
        [variant] = mg.perturb(
            ["play some sixties music for dinner"], "mondegreen", seed=seed, rate=1
        )
        ends = [edit.end for edit in variant.edits]
        assert all(a <= b.start for a, b in zip(ends, variant.edits[1:], strict=False))
        most = max(most, len(variant.edits))
    assert most > 2


@pytest.mark.parametrize("text", ["👩‍👩‍👧 !!", "你 好", "музыка", "...", ""])
def test_words_without_a_pronunciation_are_unchanged(text: str) -> None:
    [variant] = mg.perturb([text], "mondegreen", language="en")
    assert variant.edits == ()


def test_numbers_are_not_replaced_by_their_words() -> None:
    for variant in variants("set 15 alarms for 2019", n=60):
        assert "fifteen" not in variant.utterance.tokens
        assert "nineteen" not in variant.utterance.tokens


def test_farthest_0_gives_homophones_only() -> None:
    for variant in variants("we ate here too", "mondegreen(farthest=0)"):
        for edit in variant.edits:
            assert misheard(variant.parent, edit, n=8).distance == 0


@pytest.mark.parametrize("wrong", ["longest=0", "longest=5", "spread=0", "farthest=-1"])
def test_wrong_parameters_raise(wrong: str) -> None:
    name = wrong.partition("=")[0]
    with pytest.raises(OperatorError, match=f"mondegreen: {name} must be"):
        list(mg.perturb(["play jazz"], f"mondegreen({wrong})"))


def misheard(utterance: Utterance, edit: Edit, n: int) -> Heard:
    """Return the mishearing that an edit was made from."""
    tokens = [token.strip(",.!?:").lower() for token in utterance.tokens]
    before, after = (START, *tokens[: edit.start])[-2:], (*tokens[edit.end :], END)[:2]
    heard = tuple(token.strip(",.!?:").lower() for token in edit.tokens)
    found = mishear(tokens[edit.start : edit.end], before=before, after=after, n=n)
    return next(one for one in found if one.words == heard)


@pytest.mark.skipif(compiled is None, reason="slow in plain Python")
def test_mishearings_of_snips_sound_similar_and_cross_word_boundaries(shared: Path) -> None:
    data = list(mg.read(shared / "data/slu/snips/test"))[:500]
    words = set(frequent_words(LEXICON))
    distances, crossings = [], 0
    for variant in mg.perturb(data, "mondegreen", seed=1):
        [edit] = variant.edits
        assert {token.strip(",.!?:").lower() for token in edit.tokens} <= words
        heard = misheard(variant.parent, edit, Mondegreen().spread)
        source = [token.strip(",.!?:") for token in variant.parent.tokens[edit.start : edit.end]]
        _, ends = spoken_phonemes(source)
        distances.append(heard.distance)
        crossings += heard.crosses(ends)
    assert statistics.median(distances) < 0.06
    assert crossings / len(data) >= 0.5
