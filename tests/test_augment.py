"""Augmentation, and utterances that cannot be changed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mondegreen as mg
from commands import fails, files
from mondegreen.cli.main import main
from mondegreen.data import FORMATS, read, write
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OperatorError, UtteranceError
from mondegreen.operators import OPERATORS, parse, parse_all
from mondegreen.perturbation.augmentation import AMOUNT, Augmenter
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.ledger import read_ledger, rebuild_text
from mondegreen.provenance.verify import verify
from mondegreen.testing.strategies import utterances
from mondegreen.types import Utterance

OPS = ("keyboard", "spelling", "synonym.naive", "antonym", "tfidf")
ODD = ["play", "5 7 2010", "👍", "你好", "a", "", "{ }", "quelle heure est-il", "the blue car"]


def augmenter(times: int = 1, *, skip: bool = False, seed: int = 1) -> Augmenter:
    return Augmenter(
        Recipe.of(OPS, seed=seed, amount=AMOUNT, variants=times, mix=True, skip=skip, augment=True)
    )


def test_every_utterance_is_followed_by_a_copy_with_its_labels() -> None:
    data = list(sample())
    variants = list(mg.augment(data, OPS, seed=7))
    assert len(variants) == 2 * len(data)
    assert [v.utterance for v in variants[::2]] == data
    for original, copy in zip(data, variants[1::2], strict=True):
        assert copy.parent == original
        assert copy.edits
        assert copy.utterance.label == original.label
        assert [s.label for s in copy.utterance.slots] == [s.label for s in original.slots]
    ids = [v.utterance.id for v in variants]
    assert len(set(ids)) == len(ids)


def test_the_operator_is_drawn_at_random() -> None:
    copies = [v for v in mg.augment(sample(), OPS, seed=1) if v.edits]
    drawn = Counter(v.edits[0].operator for v in copies)
    assert drawn.keys() == set(OPS)
    assert all({e.operator for e in v.edits} == {v.edits[0].operator} for v in copies)
    share = len(copies) / len(OPS)  # a little more for operators that can change any utterance
    for name in ("keyboard", "synonym.naive", "tfidf"):
        assert abs(drawn[name] - share) < 6 * share**0.5


@given(utterance=utterances(), times=st.integers(1, 3), seed=st.integers(0, 3))
@settings(max_examples=100)
def test_a_copy_differs_from_its_source_and_other_copies(
    utterance: Utterance, times: int, seed: int
) -> None:
    variants = list(augmenter(times, seed=seed).make(utterance))
    texts = [v.utterance.text for v in variants]
    assert variants[0].utterance == utterance
    assert len(set(texts)) == len(texts) <= times + 1


@given(utterance=utterances(), seed=st.integers(0, 3))
@settings(max_examples=50)
def test_a_copy_is_made_if_any_operator_can_make_one(utterance: Utterance, seed: int) -> None:
    changeable = any(
        v.edits
        for name in OPS
        for v in mg.perturb([utterance], name, seed=seed, language="en", severity=AMOUNT.share)
    )
    assert len(list(augmenter(seed=seed).make(utterance))) == 1 + changeable


def test_order_and_shards_do_not_matter() -> None:
    data = list(sample())
    whole = list(augmenter(2).run(data))
    assert whole == [v for utterance in data for v in augmenter(2).run([utterance])]


@pytest.mark.parametrize("name", OPERATORS)
def test_odd_utterances_are_kept_unchanged_or_skipped(name: str) -> None:
    data = [Utterance.of(str(i), text) for i, text in enumerate(ODD)]
    variants = list(mg.perturb(data, name, seed=1))
    assert [v.parent for v in variants] == data
    assert all(v.utterance.text == v.parent.text for v in variants if not v.edits)
    changed = list(mg.perturb(data, name, seed=1, skip_unchangeable=True))
    assert changed == [v for v in variants if v.edits]


def test_a_lone_surrogate_stops_the_run_unless_it_is_skipped() -> None:
    data = [Utterance.of("1", "play jazz"), Utterance.of("2", "half \ud800 one")]
    with pytest.raises(UtteranceError, match="utterance '2': character 5 is a lone surrogate"):
        list(mg.perturb(data, "typo"))
    assert [v.parent.id for v in mg.perturb(data, "typo", skip_unchangeable=True)] == ["1"]
    with pytest.raises(UtteranceError, match="utterance '2'"):
        list(mg.augment(data, OPS))
    ids = [v.utterance.id for v in mg.augment(data, "typo", skip_unchangeable=True)]
    assert ids == ["1", "1/typo/0"]


def test_an_error_in_a_file_of_the_user_is_never_skipped(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("two words\n")
    operator = f"autocorrect(common={str(path)!r})"
    with pytest.raises(DataError, match=r"words.txt, line 1"):
        list(mg.perturb(["play jazz"], operator, skip_unchangeable=True))


def test_wrong_amounts_and_operators_are_errors() -> None:
    with pytest.raises(OperatorError, match="variants must be 1 or more"):
        mg.augment(["play"], "typo", times=0)
    with pytest.raises(OperatorError, match="No operator named 'typpo'"):
        mg.augment(["play"], "typpo")


def command_line(*arguments: object) -> list[str]:
    operators = [part for name in OPS for part in ("--op", name)]
    return ["augment", *map(str, arguments), *operators]


@pytest.mark.parametrize(
    "target",
    sorted(n for n in FORMATS if FORMATS[n].writes and n not in ("psst", "calls", "turns")),
)
def test_every_format_can_be_written_and_verified(target: str, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(command_line(data, "-o", out, "--to", target, "-q")) == 0
    assert len(list(read(out, target))) == 2 * len(list(read(data)))
    assert all(not check.problem for check in verify(out))


def test_the_source_can_be_rebuilt_from_the_ledger(data: Path, tmp_path: Path) -> None:
    out, ledger = tmp_path / "out.jsonl", tmp_path / "ledger.jsonl"
    assert main(command_line(data, "-o", out, "--ledger", ledger, "--times", 2, "-q")) == 0
    entries = read_ledger(ledger)
    sources = {utterance.id: utterance for utterance in read(data)}
    for copy in read(out):
        source = sources[copy.id.partition("/")[0]]
        assert rebuild_text(copy.text, entries.get(copy.id, [])) == source.text
    names = [check.name for check in verify(out)]
    assert any("source rebuilt" in name for name in names)
    assert any("byte for byte" in name for name in names)
    assert not any(check.problem for check in verify(out))


def test_the_manifest_records_command_operators_and_signature(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(command_line(data, "-o", out, "--seed", 3, "-q")) == 0
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert manifest["command"] == "augment"
    assert [name.partition("@")[0] for name in manifest["operators"]] == list(OPS)
    assert manifest["signature"].startswith("mondegreen|augment|ops:keyboard+spelling@3+")
    changed = out.read_text().replace("play", "plaz", 1)
    out.write_text(changed)
    assert any(check.problem for check in verify(out))


def test_a_manifest_of_an_unknown_command_is_a_problem(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(command_line(data, "-o", out, "-q")) == 0
    path = tmp_path / "out.jsonl.manifest.json"
    path.write_text(path.read_text().replace('"command": "augment"', '"command": "conjure"'))
    problems = [check.problem for check in verify(out) if check.problem]
    assert problems == ["'conjure' is not a command that makes variants"]


@pytest.mark.parametrize("command", ["perturb", "augment"])
def test_unchangeable_utterances_are_left_out_counted_and_verified(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "b.jsonl"
    source.write_text("a\nplay jazz\n5\n👍\nstop it\n")
    arguments = [command, str(source), "-o", str(out), "--op", "typo", "--skip-unchangeable"]
    assert main(arguments) == 0
    printed = capsys.readouterr().err
    assert {utterance.id.partition("/")[0] for utterance in read(out)} == {"2", "5"}
    assert "3 c" in printed
    assert "left out" in printed
    manifest = json.loads((tmp_path / "b.jsonl.manifest.json").read_text())
    assert (manifest["skip"], manifest["left_out"]) == (True, 3)
    assert "|skip-unchangeable|" in manifest["signature"]
    assert not any(check.problem for check in verify(out))


def test_unchangeable_utterances_are_kept_and_counted_by_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_text("a\nplay jazz\n5\n")
    assert main(["perturb", str(source), "-o", str(out), "--op", "typo"]) == 0
    printed = capsys.readouterr().err
    assert "typo: 2 could not be changed and are kept unchanged; --skip-unchangeable" in printed
    assert len(out.read_text().splitlines()) == 3
    assert main(["augment", str(source), "-o", str(out), "--op", "typo", "--force"]) == 0
    printed = capsys.readouterr().err
    assert "typo: 3 utterances, 1 copies, 1 edits" in printed
    assert "2 copies could not be made; utterances without a copy are kept once" in printed
    assert len(out.read_text().splitlines()) == 4


@pytest.mark.parametrize("command", ["perturb", "augment"])
def test_no_file_is_written_if_all_utterances_are_left_out(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.txt"
    source.write_text("5\n👍\n")
    arguments = [command, str(source), "-o", str(tmp_path / "b.txt"), "--op", "typo"]
    fails(
        [*arguments, "--skip-unchangeable"],
        "nothing to write: none of the 2 utterances could be changed by typo",
        capsys,
    )
    assert files(tmp_path) == {"a.txt"}


def test_left_out_variants_of_a_mixture_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write([Utterance.of("1", "play"), Utterance.of("2", "5")], source)
    arguments = ["--op", "typo", "--op", "keyboard", "--skip-unchangeable", "-o", str(out)]
    assert main(["perturb", str(source), *arguments, "--variants", "3", "--mix"]) == 0
    assert "typo+keyboard: 3 could not be changed and were left out" in capsys.readouterr().err
    assert [utterance.id[0] for utterance in read(out)] == ["1"] * 3


def test_the_group_contains_the_operators_of_augmentation() -> None:
    names = [operator.name for operator in parse_all("augment")]
    assert names[: len(OPS)] == list(OPS)
    assert parse("tfidf").default == AMOUNT
