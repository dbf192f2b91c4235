"""Typing errors: the rules of corrupted-text, and where we differ on purpose."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.data.sample import sample
from mondegreen.draw import Draw
from mondegreen.errors import DataError, OperatorError, OutputError
from mondegreen.kernel import Nearest
from mondegreen.kernel import search as in_python
from mondegreen.language.vocabulary.common import CommonWords, common_words
from mondegreen.language.vocabulary.keyboards import LAYOUTS, neighbours
from mondegreen.language.vocabulary.thesaurus import synonyms
from mondegreen.operators import parse
from mondegreen.operators.options import pick
from mondegreen.operators.typing_errors import Typing
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of
from mondegreen.types import Utterance
from mondegreen.variants import perturb

WORDS = st.text("abcdeé'你", max_size=70)


@given(st.lists(WORDS, max_size=30), WORDS, st.integers(0, 8))
def test_the_kernel_finds_the_same_nearest_words_as_python(
    words: list[str], word: str, n: int
) -> None:
    assert Nearest(words).find(word, n) == in_python.Nearest(words).find(word, n)


def test_the_kernel_finds_the_same_nearest_words_to_real_words() -> None:
    fast, slow = Nearest(common_words().words), in_python.Nearest(common_words().words)
    for word in {token for utterance in sample() for token in utterance.tokens[:2]}:
        assert fast.find(word, 6) == slow.find(word, 6)


def swaps(name: str, token: str, n: int = 400) -> Counter[tuple[str, str]]:
    """Count the kinds and texts that an operator makes of a token in ``n`` draws."""
    operator = parse(name)
    assert isinstance(operator, WordOperator)
    found: Counter[tuple[str, str]] = Counter()
    for k in range(n):
        swap = pick(operator.options(token), Draw(k, 0))
        if swap is not None:
            found[swap.kind, " ".join(swap.tokens)] += 1
    return found


def test_a_typo_replaces_one_letter() -> None:
    for _, text in swaps("typo", "Jazz!"):
        assert len(text) == 5
        assert sum(a != b for a, b in zip("Jazz!", text, strict=True)) == 1
        assert text[0].isupper()
        assert text[-1] == "!"
    assert len(swaps("typo", "ab", 2000)) == 50


@pytest.mark.parametrize(
    ("word", "alphabet"), [("музыка", "абвя"), ("μουσική", "αβγ"), ("été", "az")]
)
def test_a_typo_stays_in_its_alphabet(word: str, alphabet: str) -> None:
    letters = {c for (_, text) in swaps("typo", word, 3000) for c in text}
    assert set(alphabet) <= letters
    assert not letters & set("你")


def test_a_slip_hits_a_neighbouring_key() -> None:
    for _, text in swaps("keyboard", "jazz"):
        (at,) = (i for i in range(4) if text[i] != "jazz"[i])
        assert text[at] in neighbours("qwerty")["jazz"[at]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_neighbouring_keys_are_symmetric(layout: str) -> None:
    near = neighbours(layout)
    assert all(key in near[other] for key, others in near.items() for other in others)
    assert all(1 <= len(others) <= 7 for others in near.values())


def test_autocorrect_draws_from_the_five_nearest_words_with_weight_one_over_distance() -> None:
    found = swaps("autocorrect", "plan", 30_000)
    near = dict(common_words().nearest("plan", 5))
    assert {text for _, text in found} == set(near)
    weight = sum(1 / distance for distance in near.values())
    for (_, text), count in found.items():
        expected = 30_000 / near[text] / weight
        assert abs(count - expected) < 5 * expected**0.5


def test_autocomplete_keeps_the_first_letters_or_falls_back_to_autocorrect() -> None:
    for kind, text in swaps("autocomplete", "restaurant"):
        assert kind == "autocomplete"
        assert text[:5] == "resta"
        assert text != "restaurant"
    assert {kind for kind, _ in swaps("autocomplete", "qwxyz")} == {"autocorrect"}
    assert {kind for kind, _ in swaps("autocomplete", "of")} == {"autocorrect"}


def test_a_synonym_comes_from_wordnet_and_a_word_without_one_gets_a_typo() -> None:
    assert {text for _, text in swaps("synonym.naive", "flight")} == set(synonyms("flight"))
    assert {kind for kind, _ in swaps("synonym.naive", "the")} == {"typo"}


@pytest.mark.parametrize(
    ("token", "same_case"),
    [("RESTAURANT", str.isupper), ("restaurant", str.islower), ("Restaurant", str.istitle)],
)
@pytest.mark.parametrize("name", ["autocorrect", "autocomplete", "typing", "keyboard"])
def test_the_case_is_kept(name: str, token: str, same_case: object) -> None:
    assert callable(same_case)
    for _, text in swaps(name, token, 50):
        assert same_case(text.split()[0])


def test_punctuation_is_kept() -> None:
    for name in ("typo", "keyboard", "autocorrect", "autocomplete", "synonym.naive"):
        for _, text in swaps(name, '("Jazz,"', 40):
            assert text.startswith('("')
            assert text.endswith(',"')


@pytest.mark.parametrize("token", ["a", "I", ".", "--", "2010", "7:30", "{", "👍", "你"])
@pytest.mark.parametrize("name", ["typo", "keyboard", "autocorrect", "synonym.naive", "typing"])
def test_only_words_of_two_letters_or_more_are_changed(name: str, token: str) -> None:
    assert not swaps(name, token, 3)


def test_typing_mixes_its_operators_by_their_weights() -> None:
    n = 20_000
    kinds: Counter[str] = Counter()
    for (kind, _), count in swaps("typing", "restaurant", n).items():
        kinds[kind] += count
    expected = {"typo": 0.05, "autocorrect": 0.30, "autocomplete": 0.30, "synonym": 0.35}
    for kind, share in expected.items():
        assert abs(kinds[kind] - share * n) < 5 * (share * n) ** 0.5
    only = swaps("typing(typo=1, autocorrect=0, autocomplete=0, synonym=0)", "restaurant", 100)
    assert {kind for kind, _ in only} == {"typo"}


@pytest.mark.parametrize(
    "weights",
    [{"typo": -1.0}, dict.fromkeys(("typo", "autocorrect", "autocomplete", "synonym"), 0.0)],
)
def test_wrong_weights_are_errors(weights: dict[str, float]) -> None:
    with pytest.raises(OperatorError, match="weights must be 0 or more, and not all 0"):
        Typing(**weights)  # type: ignore[arg-type]  # weights only


@pytest.mark.parametrize("severity", [0.1, 0.5, 0.9, 1.0])
def test_severity_is_the_share_of_the_words(severity: float) -> None:
    for variant in perturb(sample(), "typing", severity=severity):
        words = len(variant.parent.tokens)
        changeable = sum(word_of(token) is not None for token in variant.parent.tokens)
        assert len(variant.edits) == min(changeable, max(1, int(severity * words + 0.5)))


def test_common_words_are_fitted_saved_and_loaded(tmp_path: Path) -> None:
    texts = ["Play jazz!", "play it again", "jazz, jazz"]
    common = CommonWords.fit(texts, size=3)
    assert common.words == ("jazz", "play", "again")
    path = tmp_path / "words.txt"
    common.save(path)
    assert CommonWords.load(path).words == common.words
    with pytest.raises(OutputError, match="exists already"):
        common.save(path)
    (variant,) = perturb(["place it"], f"autocorrect(common={str(path)!r})", severity=1.0)
    assert set(variant.utterance.tokens) <= set(common.words)


def test_the_fit_does_not_depend_on_the_order() -> None:
    texts = [utterance.text for utterance in sample("train")]
    assert CommonWords.fit(texts).words == CommonWords.fit(texts[::-1]).words


def test_a_file_of_common_words_with_two_words_on_a_line_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("jazz\nplay it\n")
    with pytest.raises(DataError, match=r"words.txt, line 2: one word per line"):
        CommonWords.load(path)


def test_at_most_one_corruption_per_word() -> None:
    for variant in perturb(sample(), "typing", severity=1.0):
        starts = [edit.start for edit in variant.edits]
        assert len(starts) == len(set(starts))
        assert all(edit.end == edit.start + 1 for edit in variant.edits)


def test_a_synonym_of_several_words_makes_the_slot_longer() -> None:
    found = {
        v.utterance.text
        for seed in range(300)
        for v in perturb([Utterance.of("1", "flight")], "synonym.naive", seed=seed)
    }
    assert "flight of stairs" in found
