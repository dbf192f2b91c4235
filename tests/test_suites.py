"""Suites: their sets, the hard set, and their verification."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import fails, files
from mondegreen.cli.main import main
from mondegreen.data import read, write
from mondegreen.data.files.hashing import hash_of
from mondegreen.errors import DataError, ModelError, OperatorError, OutputError
from mondegreen.models.protocol import Model
from mondegreen.operators import GROUPS, group_of, parse_all
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.manifest import File
from mondegreen.provenance.suite_manifest import NAME, SuiteManifest, read_suite_manifest
from mondegreen.provenance.verify import verify
from mondegreen.suites import Suite, open_suite, suite
from mondegreen.suites.hard import hardest
from mondegreen.types import Edit, Prediction, Slot, Utterance, Variant

OPERATORS = ["fillers", "typo", "keyboard"]


class Oracle(Model):
    """Always right, except on utterances with one of the words ``wrong``."""

    signature = "oracle"
    batch = 16

    def __init__(
        self, data: Sequence[Utterance], wrong: Sequence[str] = (), *, has_losses: bool = False
    ) -> None:
        self.labels = {utterance.id: utterance.label for utterance in data}
        self.wrong = set(wrong)
        self.has_losses = has_losses
        self.asked: list[str] = []

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        self.asked += [utterance.text for utterance in batch]
        return [Prediction(utterance.id, None, self._label(utterance)) for utterance in batch]

    def _label(self, utterance: Utterance) -> str:
        right = self.labels[utterance.id.split("/")[0]]
        return "no such label" if self.wrong & set(utterance.tokens) else str(right)

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:
        return [float(len(utterance.text)) for utterance in batch] if self.has_losses else None


@pytest.fixture
def few(data: Path) -> list[Utterance]:
    """Return some utterances of the sample, which are also in the file ``data``."""
    utterances = list(read(data))[:40]
    write(utterances, data, force=True)
    return utterances


def problems(folder: Path) -> list[str]:
    return [f"{check.name}: {check.problem}" for check in verify(folder) if check.problem]


def test_line_n_of_every_set_has_the_same_source(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    made = suite(data, tmp_path / "s", OPERATORS, random=3, severities=[0.2, 0.5], seed=7)
    names = [entry.name for entry in made.manifest.sets]
    assert names == [
        "original", *OPERATORS, "random-0", "random-1", "random-2",
        *(f"severity-{s}/{op}" for s in (0.2, 0.5) for op in OPERATORS),
    ]  # fmt: skip
    ids = [utterance.id for utterance in few]
    for entry in made.manifest.sets:
        cases = list(made.cases(entry))
        assert [case.parent for case in cases] == ids
        assert [case.utterance.label for case in cases] == [utterance.label for utterance in few]
        assert entry.n == len(cases)
        assert entry.changed == sum(bool(case.edits) for case in cases)
        assert entry.edits == sum(len(case.edits) for case in cases)
    assert [case.utterance for case in made.cases(made["original"])] == few
    assert open_suite(tmp_path / "s").manifest == made.manifest
    assert problems(tmp_path / "s") == []


def test_the_set_of_an_operator_has_the_variants_of_the_engine(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    made = suite(data, tmp_path / "s", OPERATORS, random=1, severities=[0.4], seed=3)
    engine = Engine(Recipe.of(["typo"], seed=3))
    cases = [case.utterance for case in made.cases(made["typo"])]
    assert [msgspec.structs.replace(one, extra=()) for one in cases] == [
        variant.utterance for variant in engine.run(few)
    ]


@pytest.mark.usefixtures("few")
def test_each_random_set_is_another_draw_over_all_operators(data: Path, tmp_path: Path) -> None:
    made = suite(data, tmp_path / "s", OPERATORS, random=4, seed=1)
    drawn = [
        tuple(case.edits[0]["operator"] for case in made.cases(made[f"random-{i}"]) if case.edits)
        for i in range(4)
    ]
    assert len(set(drawn)) == 4
    for operators, i in zip(drawn, range(4), strict=True):
        assert set(operators) == set(OPERATORS)
        assert made[f"random-{i}"].operators == {op: operators.count(op) for op in set(operators)}
    again = suite(data, tmp_path / "t", OPERATORS, random=4, seed=1)
    other = suite(data, tmp_path / "u", OPERATORS, random=4, seed=2)
    assert again.manifest.sha == made.manifest.sha != other.manifest.sha


def test_utterances_that_cannot_be_changed_are_kept_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write([Utterance.of("1", "7 8", label="a"), Utterance.of("2", "play", label="b")],
          tmp_path / "d.jsonl")  # fmt: skip
    arguments = ["suite", str(tmp_path / "d.jsonl"), "-o", str(tmp_path / "s"), "--op", "typo"]
    assert main([*arguments, "--random", "2"]) == 0
    made = open_suite(tmp_path / "s")
    assert (made["typo"].n, made["typo"].changed) == (2, 1)
    assert next(made.cases(made["typo"])).utterance.text == "7 8"
    printed = capsys.readouterr().err
    assert "typo      2 utterances, 1 could not be changed" in printed
    assert "random    2 sets, 4 utterances, 2 could not be changed" in printed


# the hard set


def test_the_hard_set_has_the_variants_with_wrong_answers(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    operators = ["typo", "fillers(words=[zzz])"]
    made = suite(data, tmp_path / "s", operators, random=0, hard=Oracle(few, ["zzz"]), seed=5)
    hard = made["hard"]
    assert hard.operators == {"fillers": 40}
    assert made.manifest.hard == "oracle"
    assert "|hard:oracle|" in made.manifest.signature
    assert problems(tmp_path / "s") == []


def test_ties_go_to_the_greater_loss_then_to_the_first_operator(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    first = suite(data, tmp_path / "a", ["typo", "fillers"], random=0, hard=Oracle(few))
    assert first["hard"].operators == {"typo": 40}
    second = suite(
        data, tmp_path / "b", ["typo", "fillers"], random=0, hard=Oracle(few, has_losses=True)
    )
    assert second["hard"].operators == {"fillers": 40}  # longer, so with a greater loss


class Table(Model):
    """Looks up by the number in the text whether to be right, and its loss."""

    signature = "table"
    batch = 3

    def __init__(self, rows: list[tuple[bool, float]]) -> None:
        self.rows = rows

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        return [Prediction(s.id, (), "bad" if self._row(s)[0] else "good") for s in batch]

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        return [self._row(utterance)[1] for utterance in batch]

    def _row(self, utterance: Utterance) -> tuple[bool, float]:
        return self.rows[int(utterance.tokens[0])]


@given(
    st.lists(
        st.lists(
            st.tuples(st.booleans(), st.booleans(), st.sampled_from([0.5, 1.0, 2.0])),
            min_size=1,
            max_size=5,
        ),
        min_size=1,
        max_size=6,
    )
)
def test_no_variant_is_worse_than_the_chosen_one(
    table: list[list[tuple[bool, bool, float]]],
) -> None:
    parent = Utterance.of("p", "x", label="good")
    edit = (Edit(0, 1, ("y",), "op", "kind"),)
    flat = [row for rows in table for row in rows]
    candidates: list[list[Variant]] = []
    at = 0
    for rows in table:
        candidates.append(
            [
                Variant(
                    Utterance.of(f"v{at + i}", str(at + i), label="good"),
                    parent,
                    edit if changed else (),
                )
                for i, (changed, _, _) in enumerate(rows)
            ]
        )
        at += len(rows)
    model = Table([(wrong, loss) for _, wrong, loss in flat])
    chosen = hardest(model, candidates, count(1))
    for variants, worst in zip(candidates, chosen, strict=True):
        ranks = {variant.utterance.id: flat[int(variant.utterance.text)] for variant in variants}
        best = max(ranks.values())
        assert ranks[worst.utterance.id] == best
        assert worst.utterance.id == next(id for id, rank in ranks.items() if rank == best)


def test_a_model_that_fails_leaves_no_files(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    class Failing(Oracle):
        def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
            if len(self.asked) >= 32:
                raise ModelError("out of memory")
            return super().predict(batch)

    before = files(tmp_path)
    with pytest.raises(ModelError, match=r"batch 3 \(16 utterances, '.*' to '.*'\): out of memory"):
        suite(data, tmp_path / "s", OPERATORS, random=0, hard=Failing(few))
    assert files(tmp_path) == before


# verification


def _rewrite(folder: Path, change: Any) -> None:
    """Change the manifest, like somebody who forges a set."""
    manifest = read_suite_manifest(folder)
    (folder / NAME).write_bytes(msgspec.json.encode(change(manifest)))


def _with_hash(manifest: SuiteManifest, folder: Path, name: str) -> SuiteManifest:
    sets = tuple(
        msgspec.structs.replace(
            entry, file=File(entry.file.path, hash_of(folder / entry.file.path))
        )
        if entry.name == name
        else entry
        for entry in manifest.sets
    )
    changed = msgspec.structs.replace(manifest, sets=sets)
    signature = manifest.signature.replace(manifest.sha[:16], changed.sha[:16])
    return msgspec.structs.replace(changed, signature=signature)


def test_verification_finds_a_changed_set(
    data: Path, few: list[Utterance], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = suite(data, tmp_path / "s", ["typo", "keyboard"], random=1, hard=Oracle(few))
    path = made.path(made["typo"])
    path.write_text(path.read_text(encoding="utf-8").replace("a", "b", 1), encoding="utf-8")
    with pytest.raises(DataError, match=r"typo.jsonl: has changed since the suite was made"):
        made.check()
    assert problems(tmp_path / "s")[0].startswith("typo: hash: typo.jsonl has changed")
    _rewrite(tmp_path / "s", lambda manifest: _with_hash(manifest, tmp_path / "s", "typo"))
    found = problems(tmp_path / "s")
    assert found[0].startswith("typo: made again from the source: the recipe makes something else")
    assert main(["verify", str(tmp_path / "s")]) == 1
    assert "does not match its manifest" in capsys.readouterr().err


def test_verification_finds_a_hard_line_that_no_operator_made(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    made = suite(data, tmp_path / "s", ["typo", "keyboard"], random=0, hard=Oracle(few))
    path = made.path(made["hard"])
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] = lines[2]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _rewrite(tmp_path / "s", lambda manifest: _with_hash(manifest, tmp_path / "s", "hard"))
    assert problems(tmp_path / "s") == [
        "hard: each line is a line of an operator's set: line 4 is in none of them"
    ]


@pytest.mark.usefixtures("few")
def test_verification_finds_a_manifest_with_another_seed(data: Path, tmp_path: Path) -> None:
    suite(data, tmp_path / "s", ["typo"], random=1, seed=1)
    _rewrite(tmp_path / "s", lambda manifest: msgspec.structs.replace(manifest, seed=2))
    assert [line.split(":")[0] for line in problems(tmp_path / "s")] == ["typo", "random-0"]


@pytest.mark.usefixtures("few")
def test_a_suite_is_verified_by_a_relative_path(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(data, tmp_path / "s", "typo", random=0)
    monkeypatch.chdir(tmp_path)
    assert problems(Path("s")) == []
    assert main(["verify", "s"]) == 0


# invalid input


def test_data_without_labels_raises_an_error(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    cases = [
        ([Utterance.of("1", "a b")], "no utterance has a label or a slot"),
        (
            [Utterance.of("1", "a b", label="x"), Utterance.of("2", "a b")],
            "utterance '2' has no label, but '1' has",
        ),
        (
            [Utterance.of("1", "a b"), Utterance.of("2", "a b", label="x")],
            "utterance '1' has no label, but '2' has",
        ),
    ]
    for utterances, message in cases:
        write(utterances, path, force=True)
        with pytest.raises(DataError, match=message):
            suite(path, tmp_path / "s", "typo")
        assert files(tmp_path) == {"d.jsonl"}


def test_data_with_slots_only_is_accepted(tmp_path: Path) -> None:
    write([Utterance.of("1", "play jazz", [Slot("genre", 1, 2)])], tmp_path / "d.jsonl")
    assert suite(tmp_path / "d.jsonl", tmp_path / "s", "typo", random=0)["typo"].n == 1


@pytest.mark.usefixtures("few")
def test_severity_0_is_the_original_set(data: Path, tmp_path: Path) -> None:
    arguments = ["suite", str(data), "-o", str(tmp_path / "s"), "--op", "typo", "--random", "0"]
    assert main([*arguments, "--severity", "0,0.1"]) == 0
    names = [entry.name for entry in open_suite(tmp_path / "s").manifest.sets]
    assert names == ["original", "typo", "severity-0.1/typo"]
    assert main(["verify", str(tmp_path / "s")]) == 0


@pytest.mark.usefixtures("few")
def test_wrong_options_raise_an_error(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(OperatorError, match="random must be 0 or more"):
        suite(data, tmp_path / "s", "typo", random=-1)
    with pytest.raises(OperatorError, match="a severity is named twice"):
        suite(data, tmp_path / "s", "typo", severities=[0.1, 0.1])
    with pytest.raises(OperatorError, match="severity must be above 0"):
        suite(data, tmp_path / "s", "typo", severities=[1.5])
    with pytest.raises(DataError, match="a suite needs its source"):
        suite("-", tmp_path / "s", "typo")
    suite(data, tmp_path / "s", "typo", random=0)
    with pytest.raises(OutputError, match="exists already"):
        suite(data, tmp_path / "s", "typo", random=0)
    assert isinstance(suite(data, tmp_path / "s", "keyboard", random=0, force=True), Suite)
    arguments = ["suite", str(data), "-o", str(tmp_path / "t"), "--op", "typo"]
    fails([*arguments, "--hard", "no-such-model"], "there is no such model", capsys)
    fails([*arguments, "--severity", "a,b"], "is not a list of numbers", capsys, code=2)
    fails(["verify", str(tmp_path)], "so nothing says how", capsys)


def test_a_damaged_line_raises_an_error_with_its_number(
    data: Path, few: list[Utterance], tmp_path: Path
) -> None:
    made = suite(data, tmp_path / "s", "typo", random=0)
    path = made.path(made["typo"])
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(lines[0] + '{"id": "2"}\n', encoding="utf-8")
    assert len(few) == made["typo"].n
    with pytest.raises(DataError, match=r"typo.jsonl, line 2: not a line of a suite: .*tokens"):
        list(made.cases(made["typo"]))


def test_other_columns_and_spacing_are_kept(tmp_path: Path) -> None:
    utterances = [Utterance.of("1", "play  some\tjazz ", label="a", extra=(("audio", "1.wav"),))]
    write(utterances, tmp_path / "d.jsonl")
    made = suite(tmp_path / "d.jsonl", tmp_path / "s", "typo", random=0)
    assert [case.utterance for case in made.cases(made["original"])] == utterances
    (heard,) = made.cases(made["typo"])
    assert heard.utterance.extra == (("audio", "1.wav"),)


def test_a_folder_without_a_suite_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"not a suite, there is no manifest.json in it"):
        open_suite(tmp_path)
    (tmp_path / NAME).write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="not the manifest of a suite"):
        open_suite(tmp_path)
    (tmp_path / NAME).write_text(json.dumps({"suite": 99}), encoding="utf-8")
    with pytest.raises(DataError, match="a suite of format 99, and this version reads format 1"):
        open_suite(tmp_path)
    write([Utterance.of("1", "play jazz", label="a")], tmp_path / "d.jsonl")
    made = suite(tmp_path / "d.jsonl", tmp_path / "s", "typo")
    with pytest.raises(DataError, match=r"No set named 'typoo'. Did you mean 'typo'"):
        made["typoo"]


def test_a_suite_of_a_newer_version_gives_a_warning(tmp_path: Path) -> None:
    write([Utterance.of("1", "play jazz", label="a")], tmp_path / "d.jsonl")
    suite(tmp_path / "d.jsonl", tmp_path / "s", "typo", random=0)
    place = tmp_path / "s" / NAME
    manifest = json.loads(place.read_bytes())
    place.write_text(json.dumps(manifest | {"version": "9.0.0rc1"}), encoding="utf-8")
    with pytest.warns(UserWarning, match=r"manifest.json: made by mondegreen 9.0.0rc1, this is"):
        open_suite(tmp_path / "s")
    place.write_text(json.dumps(manifest | {"version": "0.0.9"}), encoding="utf-8")
    open_suite(tmp_path / "s")


# groups


def test_a_group_is_a_list_of_operators() -> None:
    names = ["typo", *GROUPS["nature"]]
    assert [operator.name for operator in parse_all(["typo", "nature"])] == names
    assert group_of(parse_all("nature")) == "nature"
    assert group_of(parse_all("nature")[1:]) is None


def test_a_part_without_slots_is_scored_like_the_whole_set() -> None:
    """A spurious slot is wrong if other utterances of the set have slots."""

    class Spurious(Model):
        signature = "spurious"

        def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
            return [
                Prediction(
                    utterance.id, (Slot("x", 0, 1),) if "um" in utterance.tokens else (), "good"
                )
                for utterance in batch
            ]

    parent = Utterance.of("p", "play", label="good")
    edit = (Edit(0, 0, ("um",), "op", "op"),)
    variants = [
        Variant(Utterance.of(str(i), text, label="good"), parent, edit)
        for i, text in enumerate(("play", "um play"))
    ]
    assert hardest(Spurious(), [variants], count(1), slots=True) == [variants[1]]
    assert hardest(Spurious(), [variants], count(1), slots=False) == [variants[0]]
