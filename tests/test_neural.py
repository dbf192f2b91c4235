"""Neural models: they learn, a resumed training gives the same weights, padding has no effect."""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from mondegreen.data.sample import sample  # noqa: E402
from mondegreen.errors import DataError, MissingExtraError, ModelError  # noqa: E402
from mondegreen.models.loading import load_model  # noqa: E402
from mondegreen.models.neural import training  # noqa: E402
from mondegreen.models.reference import KINDS, kind_of, load_folder, train  # noqa: E402
from mondegreen.types import Utterance  # noqa: E402

SMALL: dict[str, Any] = {
    "width": 48,
    "hidden": 64,
    "batch": 4,
    "rate": 0.01,
    "encoder_rate": 0.003,
    "dropout": 0.0,
}
ON_WORDS = ["bi-rnn", "stack-prop"]
ON_ENCODER = ["bi-rnn", "joint-bert", "stack-prop"]
EVERY = [(kind, "words") for kind in ON_WORDS] + [(kind, "encoder") for kind in ON_ENCODER]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def data() -> list[Utterance]:
    """Return a few utterances, each twice, so that no word is rare."""
    few = list(sample("train"))[:72:6]
    return [replace(utterance, id=f"{utterance.id}-{turn}") for turn in "ab" for utterance in few]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory, data: Sequence[Utterance]) -> Path:
    """Write a BERT of two small layers that splits some words into pieces."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("encoder")
    words = sorted({token.lower() for utterance in data for token in utterance.tokens})
    letters = [chr(i) for i in range(ord("a"), ord("z") + 1)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters]
    vocabulary += [f"##{letter}" for letter in letters]
    vocabulary += [word for word in words[::2] if word not in letters]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    BertModel(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def settings(encoder: Path, on: str, **more: Any) -> dict[str, Any]:
    return {**SMALL, "encoder": str(encoder) if on == "encoder" else on, **more}


@pytest.mark.parametrize(("kind", "on"), EVERY)
def test_a_model_learns_and_answers_the_same_alone_and_in_a_batch(
    kind: str, on: str, data: list[Utterance], encoder: Path, tmp_path: Path
) -> None:
    options = settings(encoder, on, epochs=40, patience=40)
    model: Any = train(kind, data, tmp_path / "m", dev=data, **options)
    assert max(model.about.scores) >= 0.9
    assert model.frame_accuracy(data) == max(model.about.scores)

    together = model.predict(data)
    alone = [model.predict([utterance])[0] for utterance in data]
    assert [(p.id, p.label, p.slots) for p in together] == [(p.id, p.label, p.slots) for p in alone]
    for one, other in zip(together, alone, strict=True):
        assert one.scores == pytest.approx(other.scores, abs=1e-4)
    assert model.losses(data) == pytest.approx(
        [model.losses([utterance])[0] for utterance in data], abs=1e-3
    )


def test_a_training_that_was_killed_resumes_to_the_same_weights(
    data: list[Utterance], encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SPACING", 0.0)
    options: dict[str, Any] = settings(encoder, "encoder", epochs=4, dropout=0.3)
    whole = train("stack-prop", data, tmp_path / "whole", dev=data[:9], **options)
    steps_per_epoch = len(data) // 4

    def kill(what: str, done: int, total: int) -> None:  # noqa: ARG001
        if done == 2 * steps_per_epoch + 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train("stack-prop", data, tmp_path / "m", dev=data[:9], on_progress=kill, **options)
    assert not (tmp_path / "m").exists()

    seen: list[int] = []
    resumed = train(
        "stack-prop",
        data,
        tmp_path / "m",
        dev=data[:9],
        on_progress=lambda what, done, total: seen.append(done),  # noqa: ARG005
        **options,
    )
    assert seen[0] == 2 * steps_per_epoch + 1
    assert resumed.signature == whole.signature
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_another_training_does_not_resume_from_a_checkpoint(
    data: list[Utterance], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "SPACING", 0.0)

    def kill(what: str, done: int, total: int) -> None:  # noqa: ARG001
        if done > len(data) // 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train("bi-rnn", data, tmp_path / "m", on_progress=kill, epochs=3, **SMALL)
    after = train("bi-rnn", data, tmp_path / "m", seed=1, epochs=2, **SMALL)
    fresh = train("bi-rnn", data, tmp_path / "fresh", seed=1, epochs=2, **SMALL)
    assert after.signature == fresh.signature


@pytest.mark.parametrize(("kind", "on"), EVERY)
def test_attention_is_over_tokens(
    kind: str, on: str, data: list[Utterance], encoder: Path, tmp_path: Path
) -> None:
    options = settings(encoder, on, epochs=1)
    model = train(kind, data, tmp_path / "m", **options)
    weights = model.attention(data[:5])
    if (kind, on) == ("bi-rnn", "words"):
        assert weights is None
        return
    assert weights is not None
    for utterance, table in zip(data[:5], weights, strict=True):
        assert len(table) == len(utterance.tokens)
        for row in table:
            assert len(row) == len(utterance.tokens)
            assert sum(row) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(("kind", "on"), EVERY)
def test_empty_odd_and_long_utterances_are_answered(
    kind: str, on: str, data: list[Utterance], encoder: Path, tmp_path: Path
) -> None:
    model = train(kind, data, tmp_path / "m", **settings(encoder, on, epochs=1))
    odd = [
        Utterance("empty", ()),
        Utterance("signs", ("\u200b", "☃", "play")),
        Utterance("long", tuple("play" for _ in range(700))),
    ]
    found = model.predict(odd)
    assert [prediction.id for prediction in found] == ["empty", "signs", "long"]
    assert found[0].slots == ()
    losses = model.losses([Utterance("new", ("play",), (), "no_such_label")])
    assert losses is not None
    assert losses[0] >= 20


def test_data_without_labels_gives_slots_only(data: list[Utterance], tmp_path: Path) -> None:
    bare = [Utterance(utterance.id, utterance.tokens, utterance.slots) for utterance in data]
    model = train("bi-rnn", bare, tmp_path / "m", epochs=1, **SMALL)
    assert {prediction.label for prediction in model.predict(bare)} == {None}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoder": "no/such/folder"}, "not a Hugging Face folder"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"epoch": 3}, "Did you mean 'epochs'"),
        ({"dropout": 1.5}, "dropout must be within"),
        ({"device": "toaster"}, "no device named 'toaster'"),
    ],
)
def test_wrong_settings_raise_an_error(
    options: dict[str, Any], message: str, data: list[Utterance], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=message):
        train("stack-prop", data, tmp_path / "m", **({"encoder": "words"} | options))
    assert list(tmp_path.iterdir()) == []


def test_joint_bert_needs_an_encoder(
    data: list[Utterance], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MONDEGREEN_ENCODER", raising=False)
    with pytest.raises(DataError, match="no encoder is given"):
        train("joint-bert", data, tmp_path / "m")
    with pytest.raises(DataError, match="needs a pretrained encoder"):
        train("joint-bert", data, tmp_path / "m", encoder="words")


def test_a_damaged_folder_raises_an_error(data: list[Utterance], tmp_path: Path) -> None:
    train("bi-rnn", data, tmp_path / "m", epochs=1, **SMALL)
    weights = tmp_path / "m" / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(DataError, match=r"is not the file that was trained.*train it again"):
        load_folder(tmp_path / "m")
    (tmp_path / "m" / "network.json").write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=r"network\.json: is not the file that was trained"):
        load_folder(tmp_path / "m")


def test_without_torch_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KINDS, "_loaded", {})  # as in a new process
    for name in [name for name in sys.modules if name.startswith("mondegreen.models.neural")]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "torch":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"mondegreen\[neural\]"):
        kind_of("bi-rnn")


@pytest.fixture(
    scope="module", params=["BertForSequenceClassification", "BertForTokenClassification"]
)
def headed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, encoder: Path
) -> Path:
    """Write the tiny encoder with a classification head, as other software saves it."""
    import transformers

    folder = tmp_path_factory.mktemp("headed")
    names = ["O", "B-artist", "I-artist", "room"]
    config = transformers.BertConfig.from_pretrained(encoder)
    config.id2label = dict(enumerate(names))
    config.label2id = {name: i for i, name in enumerate(names)}
    torch.manual_seed(0)
    getattr(transformers, request.param)(config).save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(encoder).save_pretrained(folder)
    return folder


def test_a_hugging_face_folder_is_a_model(headed: Path, data: list[Utterance]) -> None:
    model: Any = load_model(headed)
    together = model.predict(data)
    alone = [model.predict([utterance])[0] for utterance in data]
    assert [(p.label, p.slots) for p in together] == [(p.label, p.slots) for p in alone]
    if model.tags:
        assert {p.label for p in together} == {None}
        assert {slot.label for p in together for slot in p.slots} <= {"artist", "room"}
    else:
        assert {p.slots for p in together} == {None}
        assert all(sum(p.scores.values()) == pytest.approx(1, abs=1e-4) for p in together)
    weights = model.attention(data[:2])
    assert [len(table) for table in weights] == [len(utterance.tokens) for utterance in data[:2]]
    utterance = replace(data[0], label="room", slots=())
    (loss,) = model.losses([utterance])
    if not model.tags:
        assert loss == pytest.approx(-math.log(together[0].scores["room"]), abs=1e-4)


def test_a_folder_without_a_known_head_raises_an_error(encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="its head is BertModel"):
        load_model(encoder)
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(tmp_path)
