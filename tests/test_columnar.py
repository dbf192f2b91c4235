"""The columnar path: plain text in and out by the kernel, the same as the engine's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.cli.main import main
from mondegreen.kernel import FirstPlaces, compiled
from mondegreen.kernel import search as twin
from mondegreen.operators import parse_all
from mondegreen.operators.amounts import amount_of
from mondegreen.perturbation.columnar import rewrite_lines
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.text.verbatim import look_of

needs_kernel = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
OPERATORS = ["fillers", "typo", "keyboard", "typing", "spelling", "autocorrect", "speako"]
WORDS = st.sampled_from(
    ["play", "Jazz", "the", "weather", "don't", "café", "straße", "naïve,", "(some", "a", "I", "42",
     "播放", "🎷", "x" * 30, "definitely", "their", "\xad", "ÿ",
     "7", "pm", "AM", "p.m.", "7:30pm", '"big', 'boss"', "'tis", "q3.pdf", "a_b", "me@x.org", "'"]
)  # fmt: skip
GAPS = st.sampled_from([" "] * 12 + ["  ", "   ", "\t", "\u00a0", "\x1c", "\u3000"])
LINES = st.lists(st.tuples(WORDS, GAPS), max_size=12).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


def engine(operator: str, **amount: float) -> Engine:
    return Engine(Recipe(tuple(parse_all(operator)), seed=5, amount=amount_of(**amount)))  # type: ignore[arg-type]  # of keywords


ENGINES = {
    (name, share): engine(name, **({"severity": share} if share else {}))
    for name in OPERATORS
    for share in (0, 0.5)
}


@needs_kernel
@given(st.sampled_from(list(ENGINES)), st.lists(LINES, min_size=1, max_size=6))
def test_lines_are_those_of_the_engine(which: tuple[str, float], lines: list[str]) -> None:
    one = ENGINES[which]
    made = rewrite_lines(one, "".join(line + "\n" for line in lines).encode())
    assert made is not None
    variants = list(one.run(lines))
    assert made.raw.decode().split("\n")[:-1] == [variant.utterance.text for variant in variants]
    assert made.read == len(lines)
    assert made.changed == sum(bool(variant.edits) for variant in variants)
    assert made.edits == sum(len(variant.edits) for variant in variants)


@given(st.text(st.sampled_from("aAmMpPzZ"), min_size=1, max_size=4))
def test_words_of_letters_are_plain_but_for_halves_of_the_day(word: str) -> None:
    assert look_of(word) == (4 if word.lower() in ("am", "pm") else 0)


@needs_kernel
def test_what_needs_the_engine_is_left_to_it() -> None:
    assert rewrite_lines(engine("repeats"), b"play jazz\n") is None
    assert rewrite_lines(engine("typo"), b"play jazz\r\n") is None
    assert rewrite_lines(engine("typo", chance=0.5), b"play jazz\n") is None


def test_the_command_writes_the_same_bytes_on_both_paths(tmp_path: Path) -> None:
    texts = [
        "play some jazz",
        "",
        "stop",
        "  two  spaces ",
        "播放爵士乐",
        "café au lait please",
    ] * 40
    (tmp_path / "in.txt").write_text("\n".join(texts))  # no line break at the end
    for operator in ("fillers", "typing"):
        command = ["perturb", f"{tmp_path}/in.txt", "--op", operator, "-q", "--force"]
        assert main([*command, "-o", f"{tmp_path}/a.txt"]) == 0
        with_ledger = ["--ledger", f"{tmp_path}/ledger.jsonl"]  # needs every edit
        assert main([*command, "-o", f"{tmp_path}/b.txt", *with_ledger]) == 0
        assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()
        assert main(["verify", f"{tmp_path}/a.txt"]) == 0


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=50))
def test_places_are_the_twin_s(keys: list[int]) -> None:
    one, two = FirstPlaces(), twin.FirstPlaces()
    for place, key in enumerate(keys + keys):
        one.add(key, place)
        two.add(key, place)
    assert [one.get(key) for key in (*keys, 7)] == [two.get(key) for key in (*keys, 7)]
