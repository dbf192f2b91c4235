"""Masked language models: the package's own, other ones, and errors."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from mondegreen.data.sample import sample
from mondegreen.errors import MissingExtraError, OperatorError
from mondegreen.language.vocabulary import masked
from mondegreen.language.vocabulary.masked import MaskedWords, greatest, masked_words, whole_words
from mondegreen.language.vocabulary.substitutes import CANDIDATES, WordPlace
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.operators import parse, signature
from mondegreen.operators.synonyms import AnySynonyms, StopwordSynonyms, VerbSynonyms
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.text.words import core_of
from mondegreen.types import Utterance
from mondegreen.variants import perturb

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")
DATA = list(sample())[:60]


def places(data: list[Utterance]) -> list[WordPlace]:
    return [WordPlace(one.tokens, len(one.tokens) // 2, "") for one in data]


def test_the_most_probable_whole_words_come_first() -> None:
    tokens = ("i", "want", "to", "buy", "a", "new", "phone")
    ranked = masked_words().ranked(WordPlace(tokens, 3, "VERB"))
    assert ranked[:3] == ("buy", "get", "find")
    assert len(ranked) == len(set(ranked)) == CANDIDATES
    assert all(word.isalpha() and word.islower() for word in ranked)


def test_candidates_do_not_depend_on_the_batch() -> None:
    model = masked_words()._model  # noqa: SLF001 (the same model, empty caches)
    batched, single = MaskedWords(model), MaskedWords(model)
    batched.prepare(places(DATA))
    for place in places(DATA):
        assert single.ranked(place) == batched.ranked(place)


@pytest.mark.parametrize("kind", [VerbSynonyms, AnySynonyms, StopwordSynonyms])
def test_variants_do_not_depend_on_preparation(kind: type[VerbSynonyms]) -> None:
    operator = kind(source="mlm")
    variants = list(perturb(DATA, operator, seed=2))
    masked_words()._cache.clear()  # noqa: SLF001 (as in a new process)
    engine = Engine(Recipe((operator,), seed=2))
    assert [engine.variant(one, operator) for one in reversed(DATA)] == variants[::-1]
    for variant in variants:
        (edit,) = variant.edits
        before = variant.parent.tokens[edit.start]
        assert core_of(before) != core_of(edit.tokens[0])
        if edit.kind != "other":
            parts = tag(variant.parent.tokens), tag(variant.utterance.tokens)
            assert parts[0][edit.start] == parts[1][edit.start]
        assert variant.utterance.tags == variant.parent.tags


def test_prepared_places_are_not_computed_again() -> None:
    batches = []

    class Counting(MaskedWords):
        def prepare(self, places: object) -> None:
            batches.append(len(places))  # type: ignore[arg-type]  # a sequence
            super().prepare(places)  # type: ignore[arg-type]

    source = Counting(masked_words()._model)  # noqa: SLF001
    source.prepare(places(DATA))
    for place in places(DATA):
        source.ranked(place)
    assert batches == [len(DATA)]


@pytest.mark.parametrize("mix", [False, True])
def test_the_engine_prepares_the_sites_that_it_edits(
    monkeypatch: pytest.MonkeyPatch, *, mix: bool
) -> None:
    batches: list[int] = []
    prepare = MaskedWords.prepare

    def counted(self: MaskedWords, places: list[WordPlace]) -> None:
        batches.append(len(places))
        prepare(self, places)

    masked_words()._cache.clear()  # noqa: SLF001 (as in a new process)
    monkeypatch.setattr(MaskedWords, "prepare", counted)
    operators = [VerbSynonyms(source="mlm"), AnySynonyms(source="mlm")]
    list(perturb(DATA, operators, mix=mix))
    many = [n for n in batches if n > 1]
    assert sum(many) == len(DATA) * (1 if mix else 2)
    assert len(batches) - len(many) < len(DATA) // 2  # words without a candidate that fits


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masked, "_CACHED", 10)
    source = MaskedWords(masked_words()._model)  # noqa: SLF001
    source.prepare(places(DATA[:5]))
    for place in places(DATA):
        source.ranked(place)
    assert len(source._cache) == 10  # noqa: SLF001


@pytest.mark.parametrize("length", [1, 130, 3000])
def test_long_and_odd_texts_have_candidates(length: int) -> None:
    tokens = ("Incomprehensibilities,", "[MASK]", "你好", "👩‍👩‍👧", "play.") * length
    assert masked_words().ranked(WordPlace(tokens, len(tokens) - 1, "VERB"))


@given(
    arrays.arrays(np.float32, st.integers(1, 200), elements=st.integers(-5, 5)),
    st.integers(1, 50),
)
def test_greatest_equals_a_full_sort(values: NDArray[np.float32], most: int) -> None:
    expected = sorted(range(len(values)), key=lambda i: (-values[i], i))[:most]
    assert greatest(values, most).tolist() == expected


def test_both_kinds_of_vocabulary_are_read() -> None:
    ids, words = whole_words(["[PAD]", "##play", "play", "plays", "##s", "3", "."])
    assert (ids.tolist(), words) == ([2, 3], ["play", "plays"])
    ids, words = whole_words(["<s>", "play", "Ġplay", "Ġplay", "▁plays", "ĠPlay"])
    assert (ids.tolist(), words) == ([2, 4], ["play", "plays"])


@pytest.fixture
def _unloaded() -> None:
    masked._loaded.clear()  # noqa: SLF001 (as in a new process)


@pytest.mark.usefixtures("_unloaded")
@pytest.mark.parametrize(
    ("model", "package", "extra"), [("", "onnxruntime", "mlm"), ("hub:bert-x", "torch", "neural")]
)
def test_a_missing_package_raises_with_the_name_of_the_extra(
    monkeypatch: pytest.MonkeyPatch, model: str, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"mondegreen\[{extra}\]"):
        masked_words(model)


@pytest.mark.parametrize("model", ["./nowhere", "bert-base-uncased", "google-bert/bert-base"])
def test_nothing_is_downloaded_without_the_prefix_hub(
    monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    message = rf"{model}: is not a Hugging Face folder .*; .* write hub:{model}"
    with pytest.raises(OperatorError, match=message):
        VerbSynonyms(source="mlm", model=model)
    with pytest.raises(OperatorError, match=message):
        masked_words(model)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A folder with the configuration and tokenizer of a tiny model, without weights."""
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "play", "start", "book", "find", "##s"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    return tmp_path


def weights(folder: Path, kind: str) -> None:
    import torch
    import transformers

    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=10,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    made = config if kind == "BertConfig" else getattr(transformers, kind)(config)
    made.save_pretrained(folder)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_any_masked_language_model_works(tiny: Path) -> None:
    weights(tiny, "BertForMaskedLM")
    operator = VerbSynonyms(source="mlm", model=str(tiny))
    assert operator.resources() == (tiny,)  # as in the signature, so that verify finds it
    short = parse(f"synonyms.verb@6(source='mlm={tiny}')")
    assert short == operator
    assert signature(short) == f"synonyms.verb@6(source='mlm', model='{tiny}')"
    ranked = masked_words(str(tiny)).ranked(WordPlace(("play", "jazz"), 0, "VERB"))
    assert sorted(ranked) == ["book", "find", "play", "start"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("BertModel", "has no head that fills a masked word"),
        ("BertConfig", "is not a masked language model"),
        ("", "is not a Hugging Face folder"),
    ],
)
def test_a_folder_without_a_masked_language_model_raises(
    tiny: Path, kind: str, message: str
) -> None:
    if kind:
        weights(tiny, kind)
    with pytest.raises(OperatorError, match=message):
        VerbSynonyms(source="mlm", model=str(tiny))
