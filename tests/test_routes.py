"""The same recipe gives the same variants by every route."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.formats.jsonl import JSONL
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OperatorError
from mondegreen.operators import OPERATORS
from mondegreen.perturbation.recipe import Recipe
from mondegreen.provenance.verify import verify
from mondegreen.types import Utterance
from mondegreen.viewer import playground

DATA = list(sample())[::3]
SEED = 5
GERMAN = [
    "weck mich bitte um sieben uhr", "wie wird das wetter morgen in berlin",
    "stelle einen wecker auf acht", "spiel etwas musik in der kueche",
]  # fmt: skip
FILES = {
    "german": GERMAN * 3,
    "mixed": [
        text for pair in zip(GERMAN * 3, [u.text for u in DATA], strict=False) for text in pair
    ],
    "mostly English": [*GERMAN[:1], *(u.text for u in DATA[:30])],
}
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


def labelled(texts: Sequence[str]) -> list[Utterance]:
    """Return texts as utterances with a label, as suites need them."""
    return [Utterance.of(str(n), text, (), "x") for n, text in enumerate(texts, start=1)]


def lines_of(path: Path) -> list[tuple[str, str]]:
    """Return the ids and texts of a file."""
    return [(one.id, one.text) for one in mg.read(path)]


def command(name: str, source: Path, output: Path, operator: str) -> None:
    """Run a command; raise what the library raises if it refuses."""
    arguments = [name, str(source), "-o", str(output), "--op", operator, "--seed", str(SEED), "-q"]
    if main(arguments) != 0:
        raise OperatorError("refused")


def by_arrow(data: Sequence[Utterance], operator: str, *, learnt: bool = True) -> list[Any]:
    """Return the ids and texts that a function of batches makes, given the recipe of the whole."""
    pa = pytest.importorskip("pyarrow")
    recipe = mg.perturb(data, operator, seed=SEED).recipe if learnt else None
    made = mg.arrow.Perturb(recipe or operator, seed=0 if recipe else SEED)
    rows = {"id": [u.id for u in data], "tokens": [list(u.tokens) for u in data]}
    table = pa.table(rows | {"tags": [list(u.tags) for u in data]})
    found = [row for part in table.to_batches(13) for row in made(part).to_pylist()]
    return [(row["id"], row["tokens"], row["tags"]) for row in found]


def by_playground(data: Sequence[Utterance], operator: str) -> list[str]:
    """Return the texts that the playground makes of the first lines."""
    text = "\n".join(one.text for one in data)
    made, problem = playground._made(  # noqa: SLF001 (what the page and its JSON show)
        playground.Asked(text, (operator,), "default", 0.3, SEED, 1)
    )
    if problem:
        raise OperatorError(problem)
    return [variant.utterance.text for _, variants in made for variant, _ in variants]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("operator", OPERATORS.own)
def test_every_route_gives_the_same_bytes(operator: str, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    mg.write(DATA, source)
    command("perturb", source, tmp_path / "command.jsonl", operator)
    wanted = (tmp_path / "command.jsonl").read_bytes()
    made = list(mg.perturb(DATA, operator, seed=SEED))
    mg.write(made, tmp_path / "python.jsonl")
    for name, data in (("list", DATA), ("path", source), ("read", mg.read(source))):
        mg.perturb(data, operator, seed=SEED).write(tmp_path / f"{name}.jsonl")
        assert not [check for check in verify(tmp_path / f"{name}.jsonl") if check.problem]
    for at in range(3):
        mg.write(
            DATA[at * 20 : at * 20 + (20 if at < 2 else len(DATA))], tmp_path / f"s-{at}.jsonl"
        )
    command("perturb", tmp_path / "s-?.jsonl", tmp_path / "shards.jsonl", operator)
    mg.perturb(tmp_path / "s-?.jsonl", operator, seed=SEED).write(tmp_path / "shards2.jsonl")
    for name in ("python", "list", "path", "read", "shards", "shards2"):
        assert (tmp_path / f"{name}.jsonl").read_bytes() == wanted, name
    assert not [check for check in verify(tmp_path / "command.jsonl") if check.problem]
    suite = mg.suite(source, operators=[operator], random=0, seed=SEED).write(tmp_path / "suite")
    assert suite.path(suite[operator]).read_bytes() == wanted
    rows = [
        (one.utterance.id, list(one.utterance.tokens), list(one.utterance.tags)) for one in made
    ]
    assert by_arrow(DATA, operator) == rows
    plain = [Utterance.of(str(n), one.text) for n, one in enumerate(DATA[:20], start=1)]
    assert by_playground(plain, operator) == texts(mg.perturb(plain, operator, seed=SEED))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operator", OPERATORS.own)
def test_augment_gives_the_same_bytes_by_every_route(operator: str, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    mg.write(DATA, source)
    command("augment", source, tmp_path / "command.jsonl", operator)
    mg.augment(source, operator, seed=SEED).write(tmp_path / "python.jsonl")
    mg.write(mg.augment(DATA, operator, seed=SEED), tmp_path / "list.jsonl")
    wanted = (tmp_path / "command.jsonl").read_bytes()
    assert (tmp_path / "python.jsonl").read_bytes() == wanted
    assert (tmp_path / "list.jsonl").read_bytes() == wanted
    assert not [check for check in verify(tmp_path / "python.jsonl") if check.problem]


@pytest.mark.filterwarnings("ignore")  # of Ray's own
@pytest.mark.timeout(600)
@pytest.mark.parametrize("engine", ["processes", "ray"])
def test_engines_give_the_same_variants(engine: str) -> None:
    if engine == "ray":
        pytest.importorskip("ray")
    made = mg.perturb(DATA, list(OPERATORS.own), seed=SEED)
    assert list(mg.perturb(DATA, made.recipe, engine=engine, workers=2)) == list(made)


def outcome(route: Callable[[], object]) -> object:
    """Return what a route makes, or that it refuses."""
    try:
        return route()
    except OperatorError:
        return "refused"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operator", OPERATORS.own)
@pytest.mark.parametrize("name", FILES)
def test_another_language_is_refused_or_made_by_every_route_alike(
    operator: str, name: str, tmp_path: Path
) -> None:
    data, source = labelled(FILES[name]), tmp_path / "in.jsonl"
    mg.write(data, source)
    for at, part in enumerate((data[:6], data[6:])):
        mg.write(part, tmp_path / f"s-{at}.jsonl")

    def written(kind: str, path: Path, output: str) -> list[str]:
        command(kind, path, tmp_path / output, operator)
        return [text for _, text in lines_of(tmp_path / output)]

    def suite() -> list[str]:
        made = mg.suite(source, tmp_path / "suite", [operator], random=0, seed=SEED)
        return [case.utterance.text for case in made.cases(made[operator])]

    def method() -> list[str]:
        mg.perturb(source, operator, seed=SEED).write(tmp_path / "w.jsonl")
        return [text for _, text in lines_of(tmp_path / "w.jsonl")]

    wanted = outcome(lambda: texts(mg.perturb(data, operator, seed=SEED)))
    assert outcome(lambda: written("perturb", source, "c.jsonl")) == wanted
    assert outcome(lambda: written("perturb", tmp_path / "s-?.jsonl", "s.jsonl")) == wanted
    assert outcome(method) == wanted
    assert outcome(suite) == wanted
    arrow = outcome(lambda: [" ".join(row[1]) for row in by_arrow(data, operator)])
    assert arrow == wanted
    lines = [Utterance.of(str(n), one.text) for n, one in enumerate(data[:30], start=1)]
    wanted = outcome(lambda: texts(mg.perturb(lines, operator, seed=SEED)))
    assert outcome(lambda: by_playground(lines, operator)) == wanted
    copies = outcome(lambda: texts(mg.augment(data, operator, seed=SEED)))
    assert outcome(lambda: written("augment", source, "a.jsonl")) == copies


def calls_per_utterance(folder: Path, write: Callable[[Path, int], None]) -> float:
    """Return how many functions of Python a further utterance of a file passes."""
    counts = []
    for times in (4, 8):  # more than are looked at for their language
        write(folder / "in.jsonl", times)
        found: Counter[str] = Counter()

        def count(frame: FrameType, event: str, arg: object, found: Counter[str] = found) -> None:
            del frame, arg
            found[event] += 1

        arguments = ["perturb", str(folder / "in.jsonl"), "-o", str(folder / "out.jsonl")]
        arguments += ["--op", "fillers", "-q", "--force"]
        assert main(arguments) == 0  # caches are filled
        sys.setprofile(count)
        try:
            assert main(arguments) == 0
        finally:
            sys.setprofile(None)
        counts.append(found["call"])
    return (counts[1] - counts[0]) / (4 * len(DATA))


def test_json_lines_pass_at_most_20_functions_per_utterance(tmp_path: Path) -> None:
    def with_labels(path: Path, times: int) -> None:
        many = [
            Utterance(f"{k}-{u.id}", u.tokens, u.slots, u.label) for k in range(times) for u in DATA
        ]
        mg.write(many, path, force=True)

    def texts_only(path: Path, times: int) -> None:
        rows = ({"id": f"{k}-{u.id}", "text": u.text} for k in range(times) for u in DATA)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert calls_per_utterance(tmp_path, with_labels) <= 20
    assert calls_per_utterance(tmp_path, texts_only) <= 20


CELLS = st.one_of(st.text(max_size=8), st.none(), st.integers(), st.lists(st.text(max_size=3)))
WORDS = st.lists(st.sampled_from(["play", "jazz", "a b", "", "né"]), max_size=3)
TAGS = st.lists(st.sampled_from(["O", "B-x", "I-x", "bad"]), max_size=3)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.sampled_from(["u1", "", None, 3]),
            "text": st.one_of(WORDS.map(" ".join), CELLS),
            "tokens": st.one_of(WORDS, CELLS),
            "tags": st.one_of(TAGS, CELLS),
            "label": CELLS,
            "other": CELLS,
        },
    )
)
@pytest.mark.filterwarnings("ignore")
def test_lines_are_read_alike_with_fewer_steps(record: dict[str, Any]) -> None:
    def read(parse: Callable[[int, str], Utterance | None]) -> object:
        try:
            return parse(7, json.dumps(record))
        except DataError as error:
            return str(error)

    assert read(JSONL.parse) == read(JSONL.parse_any)


def test_a_manifest_of_before_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier, operators learnt by the path of the data, and manifests had neither language."""
    monkeypatch.chdir(tmp_path)
    mg.write(DATA, "in.jsonl")
    command("perturb", Path("in.jsonl"), Path("out.jsonl"), "repairs(values='in.jsonl')")
    place = tmp_path / "out.jsonl.manifest.json"
    manifest = json.loads(place.read_text(encoding="utf-8"))
    assert manifest["operators"][0].endswith("(values='in.jsonl')")
    for name in ("language", "learnt_from"):
        del manifest[name]
    place.write_text(json.dumps(manifest), encoding="utf-8")
    assert not [check for check in verify(Path("out.jsonl")) if check.problem]
    learnt = mg.perturb(DATA, "repairs", seed=SEED)
    assert texts(learnt) == [text for _, text in lines_of(Path("out.jsonl"))]
    wanted = Path("out.jsonl").read_bytes()
    command("perturb", Path("in.jsonl"), Path("new.jsonl"), "repairs")
    assert Path("new.jsonl").read_bytes() == wanted
