"""Reference models: training, storage, and errors."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

import mondegreen as mg
from commands import fails, files
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, MissingExtraError, MondegreenError, OutputError
from mondegreen.metrics.slu.metric import slu
from mondegreen.models import crfsuite, reference
from mondegreen.models.protocol import Trainable
from mondegreen.models.reference import (
    CARD,
    KINDS,
    check_labelled,
    kind_of,
    load_folder,
    train,
)
from mondegreen.types import Slot, Utterance

QUICK: dict[str, dict[str, Any]] = {
    "crf": {"iterations": 5, "label_iterations": 30},
    "linear": {"epochs": 3},
}
EMPTY = Utterance("e", (), (), "stop")
STRANGE = Utterance("s", ("blorp", "🎷"), (Slot("never", 0, 1),), "never_seen")


@pytest.fixture(scope="module")
def parts() -> tuple[list[Utterance], list[Utterance]]:
    return list(sample("train")), list(sample("test"))


def unlabelled(data: Sequence[Utterance]) -> list[Utterance]:
    return [Utterance(one.id, one.tokens) for one in data]


def test_crf_learns_slots_and_intents_and_training_is_reproducible(
    parts: tuple[list[Utterance], list[Utterance]], tmp_path: Path
) -> None:
    known, new = parts
    seen: list[tuple[str, int, int]] = []
    model = train("crf", known, tmp_path / "m", on_progress=lambda *step: seen.append(step))
    fit, score = slu(known, model.predict(known)), slu(new, model.predict(new))
    assert (fit["e2e_accuracy"].value or 0) > 0.95
    assert (score["slot_f1"].value or 0) > 0.25  # 425 varied utterances teach little,
    assert (score["intent_accuracy"].value or 0) > 0.35  # but five times as much as chance gives
    assert model.predict(unlabelled(new)) == model.predict(new)  # gold labels are not used
    assert [step for step in seen if step[0] == "slots"] == [("slots", n, 15) for n in range(1, 16)]
    assert seen[-1] == ("labels", 100, 100)
    again = train("crf", known, tmp_path / "again")
    assert again.signature == model.signature == load_folder(tmp_path / "m").signature
    assert train("crf", known, tmp_path / "other", seed=1).signature != model.signature
    assert files(tmp_path) == {"m", "again", "other"}


def test_linear_learns_classes_and_training_is_reproducible(
    parts: tuple[list[Utterance], list[Utterance]], tmp_path: Path
) -> None:
    known, new = parts
    model = train("linear", known, tmp_path / "m", epochs=20, least=1)
    assert (slu(known, model.predict(known))["intent_accuracy"].value or 0) > 0.95
    assert (slu(new, model.predict(new))["intent_accuracy"].value or 0) > 0.3
    again = train("linear", known, tmp_path / "n", epochs=20, least=1)
    assert again.signature == model.signature
    assert train("linear", known, tmp_path / "o", epochs="3").signature != model.signature


@pytest.mark.parametrize("kind", ["crf", "linear"])
def test_scores_are_probabilities_and_losses_fit_them(
    kind: str, parts: tuple[list[Utterance], list[Utterance]], tmp_path: Path
) -> None:
    known, new = parts
    model = train(kind, known, tmp_path / "m", **QUICK[kind])
    plain = [Utterance(one.id, one.tokens, (), one.label) for one in new if not one.slots]
    batch = [*new[:30], *plain, EMPTY, STRANGE]
    found = model.predict(batch)
    losses = model.losses(batch)
    assert losses is not None
    assert [one.id for one in found] == [one.id for one in batch]
    for utterance, one, loss in zip(batch, found, losses, strict=True):
        assert one.scores is not None
        assert sum(one.scores.values()) == pytest.approx(1)
        assert one.label == max(one.scores, key=one.scores.__getitem__)
        assert loss >= -1e-9
        if utterance.label in one.scores:
            assert loss >= -np.log(one.scores[utterance.label]) - 1e-6
    assert losses[-1] == max(losses)  # an unseen label has the greatest loss
    assert np.isfinite(losses).all()
    wrong = [
        one.label != utterance.label for utterance, one in zip(batch[:-1], found, strict=False)
    ]
    by_loss = np.array(losses[:-1])
    assert by_loss[wrong].mean() > by_loss[~np.array(wrong)].mean()


def test_crf_learns_slots_or_labels_alone(
    parts: tuple[list[Utterance], list[Utterance]], tmp_path: Path
) -> None:
    known, new = parts
    slots = [Utterance(one.id, one.tokens, one.slots) for one in [*known, Utterance("e", ())]]
    found = train("crf", slots, tmp_path / "slots", **QUICK["crf"]).predict([*new, EMPTY])
    assert all(one.label is None and one.scores is None for one in found)
    assert found[-1].slots == ()
    assert any(one.slots for one in found)
    labels = [Utterance(one.id, one.tokens, (), one.label) for one in known]
    model = train("crf", labels, tmp_path / "labels", **QUICK["crf"])
    assert all(one.slots is None for one in model.predict(new))
    one_intent = [Utterance(one.id, one.tokens, one.slots, "play") for one in known]
    single = train("crf", one_intent, tmp_path / "single", **QUICK["crf"])
    assert {one.label for one in single.predict(new)} == {"play"}


def test_a_label_may_have_any_characters(tmp_path: Path) -> None:
    odd = "a#b:c \\ ü"
    data = [
        Utterance(str(n), (word, "it"), (Slot(odd, 0, 1),), label)
        for n, (word, label) in enumerate([("play", odd), ("stop", "x y")] * 10)
    ]
    found = train("crf", data, tmp_path / "m").predict(data[:2])
    assert [one.label for one in found] == [odd, "x y"]
    assert found[0].slots == (Slot(odd, 0, 1),)


WRONG: list[tuple[list[Utterance], str]] = [
    ([], "no utterances"),
    ([Utterance("1", ("play",))], "no utterance has a slot or a label"),
    (
        [Utterance("1", ("a",), (), "x"), Utterance("2", ("b",))],
        "utterance '2' has no label, but 1 of 2",
    ),
]


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_data_without_labels_raises_an_error(data: list[Utterance], message: str) -> None:
    with pytest.raises(DataError, match=message):
        check_labelled(data)


@pytest.mark.parametrize("kind", ["crf", "linear"])
def test_data_with_one_label_raises_an_error(kind: str, tmp_path: Path) -> None:
    data = [Utterance(str(n), ("stop",), (), "stop") for n in range(3)]
    with pytest.raises(DataError, match="only one"):
        train(kind, data, tmp_path / "m")
    assert not files(tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iteration": 3}, "No setting named 'iteration'. Did you mean 'iterations'"),
        ({"iterations": "many"}, "a setting of the model is wrong"),
        ({"iterations": 0}, "at least 1"),
    ],
)
def test_wrong_settings_raise_an_error(
    options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=message):
        train("crf", list(sample()), tmp_path / "m", **options)
    assert not files(tmp_path)


class Failing(Trainable):
    """A model whose training is interrupted and leaves a folder."""

    kind = "failing"
    leaves = "part"

    @classmethod
    def train(cls, data: Sequence[Utterance], folder: Path, **options: Any) -> Self:  # noqa: ARG003
        (folder / cls.leaves).mkdir()
        raise KeyboardInterrupt


def test_an_interrupted_training_writes_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = list(sample())
    target = tmp_path / "m"
    train("linear", data, target)
    before = (target / CARD).read_bytes()
    with pytest.raises(OutputError, match="exists already"):
        train("linear", data, target)
    with pytest.raises(OutputError, match="there is no folder"):
        train("linear", data, tmp_path / "no" / "m")
    monkeypatch.setattr(reference, "kind_of", lambda _: Failing)
    with pytest.raises(KeyboardInterrupt):
        train("failing", data, target, force=True)
    assert files(tmp_path) == {"m"}
    assert (target / CARD).read_bytes() == before
    monkeypatch.setattr(Failing, "leaves", "checkpoint")
    with pytest.raises(KeyboardInterrupt):
        train("failing", data, target, force=True)
    assert files(tmp_path) == {"m", ".m.training"}  # the next training resumes from it


def test_a_training_that_dies_raises_an_error(tmp_path: Path) -> None:
    job = crfsuite.TrainingJob(str(tmp_path / "m"), "no such algorithm", {})
    with pytest.raises(OutputError, match="ended with status"):
        crfsuite.fit([([["a"]], ["x"])], job, lambda _: None)


def test_the_card_describes_the_training(tmp_path: Path) -> None:
    data = list(sample())
    train("linear", data, tmp_path / "m", seed=4, epochs=2)
    card = json.loads((tmp_path / "m" / CARD).read_text())
    assert (card["kind"], card["seed"], card["options"]) == ("linear", 4, {"epochs": 2})
    assert card["data"] == reference.data_sha(data)
    assert card["utterances"] == len(data)


def test_a_damaged_model_raises_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    with pytest.raises(DataError, match="not a model"):
        load_folder(folder)
    train("crf", list(sample()), folder, **QUICK["crf"])
    (folder / "slots.crfsuite").write_bytes(b"nonsense")
    with pytest.raises(DataError, match="is not the file that was trained"):
        load_folder(folder)
    for part in ("slots", "labels"):
        (folder / f"{part}.crfsuite").unlink()
    with pytest.raises(DataError, match="train it again"):
        load_folder(folder)
    train("linear", list(sample()), folder, force=True)
    (folder / "weights.npz").write_bytes(b"nonsense")
    with pytest.raises(DataError, match="is not the file that was trained"):
        load_folder(folder)
    (folder / "weights.npz").unlink()
    with pytest.raises(DataError, match="the model is incomplete"):
        load_folder(folder)
    (folder / CARD).write_text("{}")
    with pytest.raises(DataError, match="not a file that mondegreen train wrote"):
        load_folder(folder)


@pytest.mark.parametrize("name", KINDS.own)
def test_the_class_of_every_kind_exists(name: str) -> None:
    module, _, attribute = KINDS.own[name].partition(":")
    source = Path(mg.__file__).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
    assert f"class {attribute}(" in source.read_text(encoding="utf-8")


def test_a_neural_kind_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KINDS, "_loaded", {})  # as in a new process
    for name in [name for name in sys.modules if name.startswith("mondegreen.models.neural")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"mondegreen\[neural\]"):
        kind_of("joint-bert")


def test_an_unknown_kind_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(MondegreenError, match=r"No model named 'crff'. Did you mean 'crf'"):
        mg.train("crff", list(sample()), tmp_path / "m")


def test_the_command_trains_and_prints_scores(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "m"
    command = ["train", "linear", str(data), "-o", str(target), "--dev", str(data)]
    assert main([*command, "--set", "epochs=2"]) == 0
    printed = capsys.readouterr().err
    assert "linear: 182 utterances" in printed
    assert f"on {data}: intent_accuracy" in printed
    assert "slot_f1" not in printed
    fails(command, "exists already", capsys)
    assert main([*command, "--force", "-q"]) == 0
    assert capsys.readouterr().err == ""
    fails([*command, "--force", "--set", "epochs"], "NAME=VALUE", capsys, code=2)
    fails([*command, "--force", "--set", "epoch=1"], "No setting named 'epoch'", capsys)
    fails(["train", "lin", "nowhere", "-o", str(target)], "No model named 'lin'", capsys)


def test_errors_name_the_file_without_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bare.txt"
    path.write_text("play jazz\n")
    fails(["train", "crf", str(path), "-o", str(tmp_path / "m")], "bare.txt: no utterance", capsys)
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text('{"id": "a", "text": "x", "label": "y"}\n{"id": "b", "text": "x"}\n')
    fails(
        ["train", "crf", str(mixed), "-o", str(tmp_path / "m")],
        "mixed.jsonl: utterance 'b' has no label",
        capsys,
    )
    assert files(tmp_path) == {"bare.txt", "mixed.jsonl"}


def test_every_loss_is_finite(tmp_path: Path) -> None:
    """One very long slot makes weights that are too large for CRFsuite's sums."""
    long = Utterance("long", ("la",) * 1500, (Slot("song", 0, 1500),), "play")
    data = [*list(sample("train"))[:30], long]
    model = train("crf", data, tmp_path / "crf")
    losses = model.losses(data)
    assert losses is not None
    assert all(math.isfinite(loss) for loss in losses)
