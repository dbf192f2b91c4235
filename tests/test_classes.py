"""Metrics, formats and models in one style: what a plugin adds works as ours do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import mondegreen as mg
from mondegreen.data.sample import sample
from mondegreen.errors import DataError
from mondegreen.metrics import METRICS
from mondegreen.metrics.framed import FrameMetric
from mondegreen.metrics.metric import NoSettings, Ratio, References
from mondegreen.metrics.scores.score import Score
from mondegreen.models.reference import KINDS, kind_of
from mondegreen.types import Prediction


class Labelled(FrameMetric):
    """Whether a model answers a label at all."""

    name = "labelled"
    summary = "Whether a model answers a label."
    help = "Score whether a model answers a label."
    columns = ("labelled", "wrong", "utterances")
    rates = (Ratio("labelled_rate", lambda s: (s["labelled"], s["utterances"])),)
    main = ("labelled_rate",)

    def score(self, refs: References, hyps: Sequence[Prediction], settings: NoSettings) -> Score:  # noqa: ARG002
        """Score labels."""
        has = np.array([hyp.label is not None for hyp in hyps], np.int64)
        counts = np.column_stack([has, 1 - has, np.ones_like(has)])
        return Score(LABELLED, "mondegreen|labelled|v:1", counts, tuple(refs.file.ids))


LABELLED = Labelled()


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return the folder of a suite of the sample."""
    mg.suite(sample(), tmp_path / "suite", operators=["fillers"], seed=1)
    return tmp_path / "suite"


def test_26_7_evaluate_takes_any_metric(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = mg.train("crf", list(sample()), tmp_path / "model")
    with mg.evaluate(suite, model, tmp_path / "a.run", metric="values") as run:
        assert run.metric is METRICS["values"]
        assert run.scores()["original"]["value_f1"].value
    monkeypatch.setitem(METRICS._loaded, "labelled", LABELLED)  # noqa: SLF001
    monkeypatch.setitem(METRICS.own, "labelled", f"{__name__}:LABELLED")
    with mg.evaluate(suite, model, tmp_path / "b.run", metric="labelled") as run:
        assert run.scores()["original"]["labelled_rate"].value == 1
    with pytest.raises(DataError, match="No metric named 'value'"):
        mg.evaluate(suite, model, tmp_path / "c.run", metric="value")
    with pytest.raises(DataError, match="words scores texts"):
        mg.evaluate(suite, model, tmp_path / "d.run", metric="words")


def test_26_7_plugins_add_kinds_of_trainable_models(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KINDS.group == "mondegreen.trainable"
    crf = kind_of("crf")
    monkeypatch.setitem(KINDS._loaded, "majority", crf)  # noqa: SLF001
    assert kind_of("majority") is crf
    with pytest.raises(DataError, match="No model named 'crff'"):
        kind_of("crff")


def test_26_8_help_has_headings_and_lists_what_a_user_needs_first() -> None:
    from click.testing import CliRunner

    from mondegreen.cli.main import cli

    text = CliRunner().invoke(cli, ["score", "words", "--help"]).output
    titles = ("Files", "What is compared, and how", "More to show", "Where the work runs")
    places = [text.index(f"\n{title}:") for title in titles]
    assert places == sorted(places)
    assert places[0] < text.index("--ref") < text.index("--hyp FILE") < places[1]
    assert text.index("--engine") > places[-1]
    text = CliRunner().invoke(cli, ["perturb", "--help"]).output
    options = [text.index(name) for name in ("--op OPERATOR", "-o, --output", "--seed", "--engine")]
    assert options == sorted(options)
