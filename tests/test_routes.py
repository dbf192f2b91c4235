"""The same recipe gives the same variants by every route."""

from __future__ import annotations

from pathlib import Path

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import OperatorError
from mondegreen.perturbation.recipe import Recipe

LEARNERS = ("recogniser(wer=0.2)", "repairs", "disfluencies")


def texts(variants: object) -> list[str]:
    """Return the texts of variants."""
    return [variant.utterance.text for variant in variants]  # type: ignore[attr-defined]


@pytest.mark.parametrize("operator", LEARNERS)
def test_operators_learn_from_the_declared_source(operator: str, tmp_path: Path) -> None:
    data = list(sample())
    mg.write(data, tmp_path / "all.jsonl")
    mg.write(data[:40], tmp_path / "few.jsonl")
    arguments = ["perturb", str(tmp_path / "few.jsonl"), "--op", operator, "--seed", "3", "-q"]
    more = ["--learn-from", str(tmp_path / "all.jsonl")]
    assert main([*arguments, "-o", str(tmp_path / "out.jsonl"), *more]) == 0
    made = texts(mg.perturb(data[:40], operator, seed=3, learn_from=data))
    assert made == texts(mg.perturb(data, operator, seed=3))[:40]
    assert [one.text for one in mg.read(tmp_path / "out.jsonl")] == made
    assert made != texts(mg.perturb(data[:40], Recipe.of([operator], seed=3)))


@pytest.mark.parametrize("operator", LEARNERS)
def test_a_signature_says_what_was_learnt(operator: str) -> None:
    pytest.importorskip("pyarrow")
    data = list(sample())
    assert "learnt:nothing" in mg.arrow.Perturb(operator).signature
    recipe = mg.perturb(data, operator).recipe
    assert "learnt:nothing" not in recipe.signature
    assert len(recipe.signature) < 200
    assert Recipe.parse(str(recipe)) == recipe
    assert mg.arrow.Perturb(recipe).signature == recipe.signature
    assert mg.arrow.Perturb(operator, learn_from=data).recipe.operators == recipe.operators
    assert mg.perturb(data[:3], recipe).recipe == recipe
    with pytest.raises(OperatorError, match="a recipe has its own settings"):
        mg.perturb(data, recipe, seed=4)


def test_data_that_can_be_read_only_once_is_learnt_from_too() -> None:
    data = list(sample())
    assert texts(mg.perturb(iter(data), LEARNERS, seed=3)) == texts(
        mg.perturb(data, LEARNERS, seed=3)
    )


def test_functions_of_batches_refuse_german_as_well() -> None:
    pa = pytest.importorskip("pyarrow")
    german = pa.table({"text": ["stelle einen wecker auf sieben uhr bitte", "wie wird das wetter"]})
    for made in (mg.arrow.Perturb("synonyms.verb"), mg.arrow.Perturb("synonyms.verb", edits=True)):
        with pytest.raises(OperatorError, match="plainly German"):
            made(german)
        with pytest.raises(OperatorError, match="plainly German"):
            made.texts(german["text"])
    assert mg.arrow.Perturb("synonyms.verb", language="en")(german).num_rows == 2
    with pytest.raises(OperatorError, match="plainly German"):
        mg.arrow.Perturb("synonyms.verb", language="de")
