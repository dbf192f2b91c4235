"""Chains: operators one after another, with slots, edits and ledger of the first source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.edits import apply_edits
from mondegreen.errors import DataError, EditError, OperatorError
from mondegreen.operators import OPERATORS, parse, parse_all, signature
from mondegreen.operators.registry import split_chain
from mondegreen.perturbation.composition import composed
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.checks import require_trust
from mondegreen.provenance.ledger import entries, read_ledger, rebuild_text
from mondegreen.provenance.verify import verify
from mondegreen.testing.strategies import utterances
from mondegreen.types import Edit, Utterance

PAIRS = [
    ("recogniser(wer=0.2)", "fillers"),
    ("fillers", "recogniser(wer=0.3)"),
    ("recogniser(wer=0.3)", "recogniser(wer=0.2)"),
    ("repairs(slots=True)", "typo"),
    ("disfluencies", "speako"),
    ("synonyms.any", "keyboard"),
    ("spoken", "restarts"),
]


def frames(said: Utterance) -> list[tuple[str, int, int, str]]:
    """Return the slots with what was meant."""
    return [(s.label, s.start, s.end, s.value or said.words_of(s)) for s in said.slots]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("amount", [{}, {"rate": 0.7}])
def test_a_chain_makes_what_its_operators_make_one_after_another(
    pair: tuple[str, str], amount: dict[str, float]
) -> None:
    data = list(sample())
    first = [v.utterance for v in mg.perturb(data, pair[0], seed=3, **amount)]  # type: ignore[arg-type]  # by name
    second = list(mg.perturb(first, pair[1], seed=3, **amount))  # type: ignore[arg-type]  # by name
    made = list(mg.perturb(data, mg.chain(*pair), seed=3, **amount))  # type: ignore[arg-type]  # by name
    for said, expected, found in zip(data, second, made, strict=True):
        assert found.parent == said
        assert found.utterance.text == expected.utterance.text
        assert frames(found.utterance) == frames(expected.utterance)
        assert rebuild_text(found.utterance.text, entries(found)) == said.text
    assert any(one.edits for one in made)


def edits_of(said: Utterance, data: st.DataObject) -> mg.Variant:
    """Return a variant with any edits that are allowed."""
    places = st.tuples(
        st.integers(0, len(said.tokens)),
        st.integers(0, 2),
        st.lists(st.sampled_from(["uh", "well", "so"]), max_size=2),
    )
    found: list[Edit] = []
    for start, size, tokens in data.draw(st.lists(places, max_size=5)):
        edit = Edit(start, min(start + size, len(said.tokens)), tuple(tokens), "op", "kind")
        try:
            apply_edits(said, [*found, edit], id="x")
        except EditError:
            continue
        found.append(edit)
    return apply_edits(said, found, id="x")


@given(said=utterances(), data=st.data())
@settings(max_examples=400, deadline=None)
def test_any_two_variants_compose(said: Utterance, data: st.DataObject) -> None:
    first = edits_of(said, data)
    second = edits_of(first.utterance, data)
    made = composed(first, second, "y")
    assert made.parent == said
    assert made.utterance.tokens == second.utterance.tokens
    assert frames(made.utterance) == frames(second.utterance)
    assert rebuild_text(made.utterance.text, entries(made)) == said.text


def test_a_chain_is_an_operator_with_a_signature() -> None:
    made = mg.chain("recogniser(wer=0.1)", "fillers(words=['a > b'])")
    text = "recogniser@7(wer=0.1) > fillers@2(words=('a > b',))"
    assert signature(made) == text
    assert parse(text) == made == mg.operator(text)
    assert parse_all([text, "typo"]) == [made, parse("typo")]
    assert split_chain(r"a(x='\'>') > b") == [r"a(x='\'>')", "b"]
    recipe = Recipe.of([made], seed=2)
    assert Recipe.parse(str(recipe)) == recipe
    assert text in recipe.signature
    with pytest.raises(OperatorError, match="two operators or more"):
        mg.chain("fillers")
    assert mg.chain(made, "typo") == mg.chain(*made.links, "typo")
    assert made.languages == frozenset(("en",))
    (german,) = Recipe.build("typo > fillers", language="de").operators
    assert signature(german) == "typo(language='de') > fillers@2(language='de')"
    with pytest.raises(DataError, match="--trust"):
        require_trust(Path("m"), ["fillers > python:evil:Operator"], [])


@pytest.mark.parametrize("given", [["--op", "a > b"], ["--op", "a", "--op", "b", "--chain"]])
def test_the_commands_take_chains(given: Sequence[str], tmp_path: Path) -> None:
    names = {"a": "recogniser(wer=0.2)", "b": "fillers", "a > b": "recogniser(wer=0.2) > fillers"}
    mg.write(sample(), tmp_path / "in.jsonl")
    output, ledger = tmp_path / "out.jsonl", tmp_path / "ledger.jsonl"
    arguments = ["perturb", str(tmp_path / "in.jsonl"), "-o", str(output), "--seed", "3", "-q"]
    arguments += [names.get(one, one) for one in given]
    assert main([*arguments, "--ledger", str(ledger)]) == 0
    checks = list(verify(output))
    assert not [check for check in checks if check.problem]
    assert any("source rebuilt" in check.name for check in checks)
    made = mg.perturb(sample(), mg.chain("recogniser(wer=0.2)", "fillers"), seed=3)
    mg.write(made, tmp_path / "python.jsonl")
    assert (tmp_path / "python.jsonl").read_bytes() == output.read_bytes()
    operators = {one.operator for found in read_ledger(ledger).values() for one in found}
    assert {"recogniser", "fillers"} <= operators


def test_suites_mixtures_and_augmentation_take_chains(tmp_path: Path) -> None:
    data = list(sample())[:60]
    chain = mg.chain("fillers", "typo")
    made = mg.suite(data, tmp_path / "s", [chain, "speako"], random=2)
    assert made["fillers-typo"].changed == 60
    assert made["fillers-typo"].amount == " > ".join(
        str(OPERATORS.named(name)().default) for name in ("fillers", "typo")
    )
    assert not [check for check in verify(tmp_path / "s") if check.problem]
    assert len(list(mg.augment(data, [chain, "keyboard"], times=2))) == 180
    alone = [v.edits for v in mg.perturb(data, chain, variants=3)]
    assert len(alone) == 180


@pytest.mark.parametrize("command", ["perturb", "augment"])
def test_every_command_has_chain(command: str, tmp_path: Path) -> None:
    mg.write(list(sample())[:20], tmp_path / "in.jsonl")
    made = []
    for name, operators in (
        ("a", ["--op", "typo", "--op", "fillers", "--chain"]),
        ("b", ["--op", "typo > fillers"]),
    ):
        output = tmp_path / f"{name}.jsonl"
        assert main([command, str(tmp_path / "in.jsonl"), "-o", str(output), *operators, "-q"]) == 0
        made.append(output.read_bytes())
    assert made[0] == made[1]


def test_suites_have_chain(tmp_path: Path) -> None:
    mg.write(list(sample())[:20], tmp_path / "in.jsonl")
    operators = ["--op", "typo", "--op", "fillers", "--chain", "--random", "0", "-q"]
    suite = tmp_path / "suite"
    assert main(["suite", str(tmp_path / "in.jsonl"), "-o", str(suite), *operators]) == 0
    made = mg.open_suite(suite)
    assert [one.kind for one in made.manifest.sets] == ["original", "operator"]
    assert not [check for check in verify(suite) if check.problem]
