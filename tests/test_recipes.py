"""Recipes, batches of utterances, and files that operators read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.vocabulary.masked import MaskedWords
from mondegreen.language.vocabulary.substitutes import WordPlace
from mondegreen.operators.amounts import Amount, parse_amount
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.verify import verify
from mondegreen.testing.operators import AMOUNTS

SIGNATURES = st.sampled_from(
    ["fillers", "typo", "fillers.bos(words=['a|b', '+'])", "keyboard(layout='qwertz')", "typing"]
)


@given(
    st.lists(SIGNATURES, min_size=1, max_size=3, unique_by=lambda text: text.split("(")[0]),
    st.integers(-5, 5),
    st.one_of(st.none(), AMOUNTS),
    st.integers(1, 3),
    st.booleans(),
    st.lists(st.sampled_from(["miles davis", "jazz", "a"]), max_size=2),
    st.sampled_from([False, True, ("artist",)]),
)
@settings(max_examples=60)
def test_a_recipe_parses_back(
    operators: list[str],
    seed: int,
    amount: Amount | None,
    variants: int,
    flag: bool,  # noqa: FBT001
    phrases: list[str],
    slots: bool | tuple[str, ...],  # noqa: FBT001
) -> None:
    recipe = Recipe.of(
        operators,
        seed=seed,
        amount=amount,
        variants=variants,
        mix=flag,
        skip=not flag,
        protection=Protection.of(phrases, slots=slots),
    )
    assert Recipe.parse(str(recipe)) == recipe
    assert Recipe.of_record(recipe.record()) == recipe


@pytest.mark.parametrize("amount", ["rate", "rate:x", "rate:2", "often", "severity:", "once:1"])
def test_an_unknown_amount_is_an_error(amount: str) -> None:
    with pytest.raises(OperatorError, match=r"not an amount|must be above 0"):
        parse_amount(amount)
    text = str(Recipe.of(["typo"])).replace('"amount":""', f'"amount":"{amount}"')
    with pytest.raises(OperatorError):
        Recipe.parse(text)


def test_a_text_that_is_not_a_recipe_is_an_error() -> None:
    with pytest.raises(DataError, match="is not a recipe"):
        Recipe.parse("fillers")


def test_suites_and_their_verification_prepare_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    real = MaskedWords.prepare

    def counted(self: MaskedWords, places: Sequence[WordPlace]) -> None:
        if len(places) > 1:  # a word of a later choice is asked for alone
            calls.append(places)
        real(self, places)

    monkeypatch.setattr(MaskedWords, "prepare", counted)
    data = list(sample())[:12]
    write(data, tmp_path / "d.jsonl")
    mg.suite(tmp_path / "d.jsonl", tmp_path / "s", "synonyms.verb(source='mlm')", random=0)
    assert len(calls) == 1
    assert not [check for check in verify(tmp_path / "s") if check.problem]
    assert len(calls) == 2
    list(mg.augment(data, "synonyms.verb(source='mlm')"))
    assert len(calls) == 3


FILES = {
    "typing(common='{path}')": ("play\nplan\nclay\nsome\ncome\n", "xylophone\nzebra\nquilt\n"),
    "autocorrect(common='{path}')": ("play\nplan\nclay\n", "xylophone\nzebra\n"),
    "spelling(dictionary='{path}')": ("play plaay\nsome sum\n", "play ploy\nsome soem\n"),
    "repairs(values='{path}')": ('{"genre": ["rock"]}', '{"genre": ["folk"]}'),
    "tfidf(table='{path}')": ("play\t1\t1\nsome\t2\t2\n", "play\t1\t1\nsome\t2\t2\nzebra\t1\t1\n"),
}


@pytest.mark.parametrize("signature", FILES)
def test_a_file_that_changes_is_read_again(signature: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write(
        [mg.Utterance("1", ("play", "some", "jazz"), (mg.Slot("genre", 2, 3),), "play")],
        tmp_path / "d.jsonl",
    )
    operator = signature.format(path=path)
    texts = set()
    for number, content in enumerate(FILES[signature]):
        path.write_text(content, encoding="utf-8")
        output = tmp_path / f"{number}.jsonl"
        arguments = [str(tmp_path / "d.jsonl"), "-o", str(output), "--op", operator, "-q"]
        assert main(["perturb", *arguments, "--variants", "6", "--rate", "1"]) == 0
        assert not [check for check in verify(output) if check.problem]
        texts.add(output.read_text(encoding="utf-8"))
    assert len(texts) == 2


def test_an_operator_that_is_used_again_reads_its_file_again(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("plaz\n")
    operator = mg.operator(f"autocorrect(common='{path}')")
    assert [v.utterance.text for v in mg.perturb(["play"], operator)] == ["plaz"]
    path.write_text("pray\n")
    assert [v.utterance.text for v in mg.perturb(["play"], operator)] == ["pray"]
    engine = Engine(Recipe((operator,)))
    path.write_text("clay\n")  # an engine does not read a file again
    assert [v.utterance.text for v in engine.run(["play"])] == ["pray"]
    assert list(engine.resources) == [path]
