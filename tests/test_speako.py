"""Speakos: the frequent word that sounds most like a word, and one edit per utterance."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

import mondegreen as mg
from mondegreen.align.costs import ONE
from mondegreen.errors import OperatorError
from mondegreen.kernel import compiled
from mondegreen.language.sounds.alike import sound_alikes
from mondegreen.language.sounds.frequent import frequent_words
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.pronunciations import pronounced
from mondegreen.operators import parse
from mondegreen.operators.options import Others
from mondegreen.types import Slot, Utterance

NEAREST = [
    # word      new word      reason
    ("weather", "whether"),  # homophones
    ("week", "weak"),
    ("descent", "decent"),
    ("decent", "descent"),
    ("two", "to"),  # the most frequent homophone
    ("six", "sex"),  # one vowel differs in one feature
    ("6", "sex"),  # read aloud, and not just written out as "six"
    ("theatres", "sectors"),  # not just the American spelling
    ("tune", "tone"),
    ("sunday", "cindy"),
]


def nearest(token: str, operator: str = "speako") -> tuple[str, ...]:
    option = parse(operator).options(token)  # type: ignore[attr-defined]  # it is a WordOperator
    assert isinstance(option, Others)
    return option.words


@pytest.mark.parametrize(("word", "other"), NEAREST)
def test_a_word_becomes_the_nearest_word(word: str, other: str) -> None:
    assert nearest(word) == (other,)


def test_the_distance_may_count_phonemes() -> None:
    [by_features] = nearest("playlist")
    [by_phonemes] = nearest("playlist", "speako(distance=phonemes)")
    assert by_features != by_phonemes
    found = sound_alikes("playlist", 1, distance="phonemes", among="spoken")
    assert found[0].distance == int(found[0].distance)


def test_the_distance_is_at_most_that_of_the_first_pronunciations() -> None:
    system = feature_system("hayes-arpabet")
    table, alone = system.costs
    numbers = {symbol: i for i, symbol in enumerate(system.symbols)}
    words = set(frequent_words(10_000))
    for word in ("kitchen", "alarm", "spotify"):
        [other] = nearest(word)
        assert other in words
        found = sound_alikes(word, 1, among="spoken")[0]
        row = [0]
        ref, hyp = pronounced(word).pronunciations[0], pronounced(other).pronunciations[0]
        for b in hyp:
            row.append(row[-1] + alone[numbers[b]])
        for a in ref:
            above, row = row, [row[0] + alone[numbers[a]]]
            for j, b in enumerate(hyp):
                swap = above[j] + table[numbers[a]][numbers[b]]
                row.append(min(swap, above[j + 1] + alone[numbers[a]], row[j] + alone[numbers[b]]))
        assert found.distance <= row[-1] / ONE


def test_spread_draws_from_several_of_the_nearest_words() -> None:
    three = nearest("play", "speako(spread=3)")
    assert len(three) == 3
    drawn = {
        next(iter(mg.perturb(["play"], "speako(spread=3)", seed=s))).utterance.text
        for s in range(60)
    }
    assert drawn == set(three)


def test_case_and_punctuation_are_kept() -> None:
    [variant] = mg.perturb(['"Weather?"'], "speako")
    assert variant.utterance.text == '"Whether?"'


@pytest.mark.parametrize("text", ["👩‍👩‍👧 !!", "你 好", "музыка", "...", ""])
def test_text_without_a_pronunciation_is_kept(text: str) -> None:
    [variant] = mg.perturb([text], "speako", language="en")
    assert variant.edits == ()


@pytest.mark.parametrize("text", ["stop", "42", "4 5 6", "xqzt"])
def test_single_words_digits_and_unknown_words_are_changed(text: str) -> None:
    [variant] = mg.perturb([text], "speako", protect_codes=False)
    assert len(variant.edits) == 1
    assert variant.utterance.text != text


def test_tokens_without_a_pronunciation_are_skipped() -> None:
    for seed in range(10):
        [variant] = mg.perturb(["!!! 👍 jazz"], "speako", seed=seed)
        assert [edit.start for edit in variant.edits] == [2]


def test_slots_are_kept() -> None:
    utterance = Utterance.of("1", "play miles davis now", [Slot("artist", 1, 3)])
    for seed in range(10):
        [variant] = mg.perturb([utterance], "speako", seed=seed)
        assert variant.utterance.tags == utterance.tags


@pytest.mark.parametrize("wrong", ["distance=letters", "spread=0"])
def test_errors_name_the_wrong_parameter(wrong: str) -> None:
    with pytest.raises(OperatorError, match=f"speako: {wrong.partition('=')[0]} must be"):
        list(mg.perturb(["play jazz"], f"speako({wrong})"))


@pytest.mark.skipif(compiled is None, reason="too slow without the kernel")
@pytest.mark.parametrize("name", ["snips", "atis", "nlued"])
def test_nearly_every_utterance_changes_once(name: str, shared: Path) -> None:
    data = list(mg.read(shared / f"data/slu/{name}/test"))
    changed, distances = 0, []
    for variant in mg.perturb(data, "speako", seed=1):
        assert len(variant.edits) <= 1
        assert variant.utterance.tags == variant.parent.tags
        for edit in variant.edits:
            source = variant.parent.tokens[edit.start]
            assert edit.tokens != (source,)
            changed += 1
            found = sound_alikes(source.strip(",.!?").lower(), 5, among="spoken")
            heard = edit.tokens[0].strip(",.!?").lower()
            phonemes = pronounced(source).pronunciations[0]
            distances += [one.distance / 24 / len(phonemes) for one in found if one.word == heard]
    assert changed >= 0.99 * len(data)
    assert len(distances) >= 0.95 * changed
    assert statistics.median(distances) <= 0.15
