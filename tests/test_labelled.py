"""Labelled lines by the kernel: the same lines, ledger and counts as by objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.formats.format import Target
from mondegreen.data.pairs.parts import Lines
from mondegreen.data.sample import requests
from mondegreen.kernel import compiled
from mondegreen.operators import parse_all
from mondegreen.operators.amounts import amount_of
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.variants.work import Making, Output, PartMade, VariantWork
from test_columnar import GAPS, OPERATORS, WORDS

pytestmark = [
    pytest.mark.skipif(compiled is None, reason="the kernel is not compiled"),
    pytest.mark.filterwarnings("ignore:not read"),
    pytest.mark.filterwarnings("ignore:the labels are numbers"),
]
PROTECTIONS = {
    "codes": Protection(),
    "nothing": Protection.of(codes=False),
    "slots": Protection.of(slots=True),
    "city": Protection.of(slots=["city"]),
}
LABELS = st.sampled_from(["city", "artist", 'a "b"', "é\n", "x-y"])
MARKS = st.sampled_from(["O"] * 6 + ["B", "I", "I", "E", "S", "L", "U"])
ODD = st.sampled_from(
    [
        0,
        -1,
        7,
        10**30,
        1.5,
        0.25,
        1e-7,
        1e20,
        100.0,
        -0.0,
        True,
        None,
        "",
        "a\tb\x00\x7f\u2028",
        "💡",
    ]
)
EXTRA = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LABELS, inner, max_size=3)
)


SIMPLE = st.sampled_from(
    ["play", "Jazz", "the", "weather", "don't", "café", "“so”", "नमस्ते", "…", ".", "7", "pm",
     "me@x.org", '"big', 'boss"', "definitely", "ß", "слово", "one\\two"]
)  # fmt: skip
SCALARS = st.sampled_from(
    [0, 7, -3, 1.5, 0.25, 12.0, True, None, "", 'a "b"', "💡", ["x", {"y": 1}]]
)


@st.composite
def rows(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an object of JSON lines: most are ordinary, some are wrong."""
    plain = draw(st.integers(0, 9)) < 8
    words = SIMPLE if plain else WORDS
    gaps = st.sampled_from([" ", " ", " ", "  "]) if plain else GAPS
    pairs = draw(st.lists(st.tuples(words, gaps), min_size=2 * plain, max_size=9))
    tokens = [word for word, _ in pairs]
    text = "".join(word + gap for word, gap in pairs)
    if draw(st.booleans()):
        text = draw(st.sampled_from([" ", " ", " ", "  ", ""])).join(tokens)
    marks = draw(st.lists(MARKS, min_size=len(tokens), max_size=len(tokens)))
    tags = [mark if mark == "O" else f"{mark}-{draw(LABELS)}" for mark in marks]
    row: dict[str, Any] = {"text": text, "tokens": tokens, "tags": tags}
    row["id"] = draw(st.sampled_from(["u1", "ü/2", "", 'q"', 3, None, *([] if plain else [True])]))
    row["label"] = draw(st.sampled_from(["play", "", None, "a\\b", *([] if plain else [4])]))
    further = st.sampled_from(["speaker", "n", "é", "parent", "edits"])
    row |= draw(st.dictionaries(further, SCALARS if plain else EXTRA))
    if not plain and draw(st.booleans()):
        names = ("values", "states", "messages", "entities", "slots", "utterance", "my_tags")
        row |= draw(st.dictionaries(st.sampled_from(names), EXTRA, max_size=1))
    for key in draw(st.lists(st.sampled_from(["id", "tokens", "tags", "label"]), max_size=2)):
        row.pop(key, None)
    wrong: bool = draw(st.booleans())
    if wrong and not plain and row:
        row[draw(st.sampled_from(list(row)))] = draw(EXTRA)
    return {key: row[key] for key in draw(st.permutations(list(row)))}


@st.composite
def blocks(draw: st.DrawFn) -> bytes:
    """Draw lines, written as various programs write them."""
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    lines = []
    for row in draw(st.lists(rows(), min_size=1, max_size=5)):
        compact = draw(st.sampled_from([None, (",", ":"), (" , ", " :\t")]))
        lines.append(json.dumps(row, ensure_ascii=draw(st.booleans()), separators=compact))
    if draw(st.integers(0, 20)) == 20:
        lines.append(
            draw(
                st.sampled_from(
                    [
                        "",
                        "[]",
                        '{"text": "a"',
                        '{"text":"a"} x',
                        '{"text":"a","text":"b"}',
                        '{"text": "\\ud800"}',
                        "{}",
                    ]
                )
            )
        )
    return (end.join(lines) + draw(st.sampled_from([end, ""]))).encode("utf-8", "surrogatepass")


def work_of(operator: str, share: float, protection: Protection, newline: str) -> VariantWork:
    """Return the work that makes variants of JSON lines, with a ledger."""
    amount = amount_of(severity=share) if share else None
    recipe = Recipe(tuple(parse_all(operator)), seed=5, amount=amount, protection=protection)
    output = Output(Target(Path("out.jsonl"), newline=newline), "jsonl")
    return VariantWork((Making(recipe, (output,)),), "jsonl", ledger=True)


WORKS = {
    (operator, share, name, newline): work_of(operator, share, protection, newline)
    for operator in (*OPERATORS, "spelling", "nature.paper.spelling")[:8]
    for share in (0, 0.5)
    for name, protection in PROTECTIONS.items()
    for newline in ("\n", "\r\n")
}


def outcome(make: Any, part: Lines) -> Any:
    """Return all that was made of a part, or what was wrong with it."""
    try:
        made: PartMade = make(part)
    except Exception as error:  # noqa: BLE001 (whatever it is, both raise it)
        return type(error), str(error)
    (output,) = made.outputs
    tally = output.tally
    counts = (made.read, tally.written, tally.changed, tally.edits, tally.failed_over)
    return bytes(output.lines), bytes(made.ledger), made.ids, counts, tally.operators


@given(st.sampled_from(list(WORKS)), blocks())
def test_lines_are_those_of_objects(which: tuple[str, float, str, str], raw: bytes) -> None:
    work = WORKS[which]
    n = raw.count(b"\n") + (not raw.endswith(b"\n"))
    fast = outcome(work.by_kernel, Lines(Path("in.jsonl"), 1, n, raw))
    slow = outcome(work.by_objects, Lines(Path("in.jsonl"), 1, n, raw))
    assert fast == slow


def test_real_lines_are_those_of_objects(tmp_path: Path) -> None:
    said = requests(400, 3)[0]
    mg.write(said, tmp_path / "in.jsonl")
    raw = (tmp_path / "in.jsonl").read_bytes()
    for which, work in list(WORKS.items())[::5]:
        part = Lines(Path("in.jsonl"), 1, len(said), raw)
        fast = work.by_kernel(part)
        assert fast is not None, which
        assert outcome(lambda _, made=fast: made, part) == outcome(work.by_objects, part), which


@pytest.mark.parametrize("more", [[], ["--severity", "0.5"], ["--map", "text=query,label=kind"]])
def test_the_command_makes_what_can_be_verified(tmp_path: Path, more: list[str]) -> None:
    names = ("query", "kind") if "--map" in more else ("text", "label")
    rows = [{"id": u.id, names[0]: u.text, names[1]: "x", "n": 1} for u in requests(50, 2)[0]]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\r\n" for row in rows))
    command = [
        "perturb",
        f"{tmp_path}/in.jsonl",
        "--op",
        "typo",
        "-o",
        f"{tmp_path}/out.jsonl",
        "-q",
    ]
    assert main([*command, "--ledger", f"{tmp_path}/ledger.jsonl", *more]) == 0
    assert main(["verify", f"{tmp_path}/out.jsonl"]) == 0


def test_a_bad_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ['{"text": "play some jazz"}'] * 3 + ['{"text": "play", "tags": ["O", "O"]}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    command = ["perturb", f"{tmp_path}/in.jsonl", "--op", "typo", "-o", f"{tmp_path}/out.jsonl"]
    fails(command, "in.jsonl, line 4: 2 tags for 1 tokens", capsys)
