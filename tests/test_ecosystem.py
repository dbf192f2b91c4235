"""The pytest fixture, trackers, and the module for Hugging Face evaluate."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from mondegreen import pytest_plugin
from mondegreen.cli.main import main
from mondegreen.errors import MissingExtraError
from mondegreen.metrics.scores.score import Score
from mondegreen.tracking import log_to_mlflow, log_to_wandb

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
checked = pytest_plugin.check_score


def test_the_fixture_passes_and_fails(checked: Callable[..., Score]) -> None:
    assert checked(["play jazz"], ["play jazz"], wer=0)["wer"].value == 0
    with pytest.raises(pytest.fail.Exception) as failure:
        checked(["play jazz", "stop"], ["play jaws", "stop"], wer=0.1, cer=0.9)
    assert "wer is 0.3333, at most 0.1000" in str(failure.value)
    assert "hyp: play jaws" in str(failure.value)
    with pytest.raises(pytest.fail.Exception, match=r"slot_f1 is 0\.0000, at least 0\.9"):
        checked([["B-a"]], [["O"]], metric="slu", slot_f1=0.9)


class Tracker(types.ModuleType):
    """Stands in for a tracker: keeps what is logged."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.logged: dict[str, float] = {}
        self.tags: dict[str, str] = {}
        self.config = self

    run: object | None = None

    def init(self) -> None:
        self.run = object()

    def log_metrics(self, figures: dict[str, float], step: int | None = None) -> None:
        assert step in (3, None)
        self.logged |= figures

    def log(self, figures: dict[str, float], step: int | None = None) -> None:
        self.log_metrics(figures, step)

    def set_tag(self, name: str, value: str) -> None:
        self.tags[name] = value

    def update(self, values: dict[str, str], *, allow_val_change: bool) -> None:
        assert allow_val_change
        self.tags |= values


@pytest.mark.parametrize(("name", "log"), [("mlflow", log_to_mlflow), ("wandb", log_to_wandb)])
def test_trackers_get_rates_and_signature(
    name: str, log: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    score = mg.score.words(["play jazz"], ["play jaws"])
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=name):
        log(score)
    tracker = Tracker(name)
    monkeypatch.setitem(sys.modules, name, tracker)
    log(score, prefix="test/", step=3)
    assert tracker.logged["test/wer"] == 0.5
    assert tracker.logged["test/wer_low"] <= 0.5
    assert tracker.tags == {"test/signature": score.signature}


@pytest.mark.parametrize("name", ["mlflow", "wandb"])
def test_27_21_score_logs_to_trackers(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.txt").write_text("play jazz\n")
    (tmp_path / "hyp.txt").write_text("play jaws\n")
    paths = ["--ref", str(tmp_path / "ref.txt"), "--hyp", str(tmp_path / "hyp.txt")]
    monkeypatch.setitem(sys.modules, name, None)
    assert main(["score", "words", *paths, f"--{name}"]) == 1
    assert f"mondegreen[{name}]" in capsys.readouterr().err
    tracker = Tracker(name)
    monkeypatch.setitem(sys.modules, name, tracker)
    assert main(["score", "words", *paths, f"--{name}"]) == 0
    assert tracker.logged["words/wer"] == 0.5
    assert "words/signature" in tracker.tags
    assert (tracker.run is not None) == (name == "wandb")


@pytest.mark.filterwarnings("ignore")
def test_the_module_for_evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluate: Any = pytest.importorskip("evaluate")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    module = evaluate.load(str(EXAMPLES / "evaluate" / "mondegreen_wer"))
    found = module.compute(predictions=["play jaws"], references=["Play jazz!"], normalise="basic")
    assert found["wer"] == 0.5
    assert "norm:basic" in found["signature"]
