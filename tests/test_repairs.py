"""Repairs: people correct values, nouns, verbs and beginnings, each by something of its kind."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from mondegreen.cli.main import main
from mondegreen.language.disfluency.corrections import role_of
from mondegreen.language.disfluency.value_shapes import ValueIndex, shape_of
from mondegreen.operators import parse
from mondegreen.types import Slot, Utterance
from mondegreen.variants import perturb

TIMES = ("6 : 45 pm", "7 : 15 pm", "2018 / 05 / 03", "7 days ago", "noon")
DATA = (("time", TIMES), ("people", ("2", "4", "me and my wife")), ("name", ("ann lee", "bo")))


def made(text: str, *slots: Slot, values: object = "", n: int = 40) -> list[str]:
    """Return what repairs makes of an utterance, without what it reports as a fail-over."""
    operator = parse("repairs") if not values else type(parse("repairs"))(values=values)  # type: ignore[call-arg]
    said = Utterance.of("1", text, slots)
    return [
        variant.utterance.text
        for seed in range(n)
        for variant in perturb([said], operator, seed=seed)
        if not any(map(operator.failed_over, variant.edits))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "no , it is a new one",  # a pronoun, not a number
        "that 's all , thanks",  # a fixed phrase
        "yes please",
        "read it",
    ],
)
def test_pronouns_and_fixed_phrases_are_left_alone(text: str) -> None:
    words = set(text.split())
    for changed in made(text):
        assert not {"two", "three", "several", "some", "this", "them"} & (
            set(changed.split()) - words
        )


def test_a_value_is_replaced_by_one_of_its_shape_as_a_whole() -> None:
    text = "book it for 2018 / 05 / 03 for 4 people at 6 : 45 pm"
    slots = Slot("time", 3, 8), Slot("people", 9, 10), Slot("time", 12, 16)
    found = made(text, *slots, values=DATA)
    assert found
    for changed in found:
        assert "ago" not in changed
        assert "noon" not in changed
        assert "wife" not in changed
    assert any("7 : 15 pm" in changed for changed in found)


def test_the_wrong_words_never_equal_the_right_ones() -> None:
    said = Utterance.of("1", "5 nights for 2 adults and 9 kids", [Slot("adults", 3, 4)])
    for seed in range(60):
        (variant,) = perturb([said], "repairs", seed=seed)
        for edit in variant.edits:
            wrong = edit.tokens[: edit.taken_back]
            assert wrong != said.tokens[edit.start : edit.start + len(wrong)] or not edit.taken_back


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("my checking account is empty", "checking i"),  # inside a compound
        ("please find out my balance", "find sorry"),  # a verb without its particle
    ],
)
def test_compounds_and_verbs_with_particles_stay_whole(text: str, forbidden: str) -> None:
    assert not any(forbidden in changed for changed in made(text))


def test_a_noun_may_be_said_without_its_modifier_first() -> None:
    found = made("block my debit card now")
    assert any("my card" in changed.partition("my debit card")[0] for changed in found)


def test_dates_and_times_are_corrected_as_a_whole() -> None:
    for changed in made("can i come on friday the 13th at 7 pm"):
        for part in ("friday the 13th", "7 pm"):
            assert part in changed


def test_what_cannot_be_corrected_is_a_reported_fail_over() -> None:
    (variant,) = perturb(["ouch"], "repairs")
    assert variant.utterance.text.startswith("ouch ")
    assert parse("repairs").failed_over(variant.edits[0])


def test_a_correction_beside_a_slot_says_what_is_taken_back() -> None:
    values = (("city", ("boston", "denver", "dallas", "austin")),)
    said = Utterance.of("1", "fly to denver", [Slot("city", 2, 3)])
    for name in ("repairs", "disfluencies"):
        operator = type(parse(name))(values=values)  # type: ignore[call-arg]
        repairs = [
            edit
            for seed in range(300)
            for variant in perturb([said], operator, seed=seed, once=True)
            for edit in variant.edits
            if edit.kind.removesuffix("+editing").endswith("repair")
        ]
        assert repairs
        assert all(edit.taken_back for edit in repairs)


def test_values_are_found_at_once_however_many() -> None:
    """10 times as many values take less than 5 times as long; a scan of all takes 10 times."""

    def seconds(n: int) -> float:
        values = ValueIndex({"name": tuple(f"w{i}x" + "y" * (i % 7) for i in range(n))})
        begin = time.process_time()
        for i in range(300):
            values.others("name", (f"q{i}z",))
        return time.process_time() - begin

    seconds(100)
    assert seconds(40_000) < 5 * seconds(4_000) + 0.01


def test_shapes_and_near_numbers() -> None:
    assert shape_of(["8", "people"]) == shape_of(["12", "people"]) != shape_of(["8", "kids"])
    assert role_of("1st").near == ("2nd",)
    assert role_of("12:30").near == ("11:30",)
    assert role_of("100").near == ("90", "110")


def test_the_command_learns_the_values_of_its_file(tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "tokens": ["fly", "to", city], "tags": ["O", "O", "B-city"]}
        for n, city in enumerate(("rome", "oslo", "lima", "bonn"))
    ]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    main(["perturb", str(source), "-o", str(target), "--op", "repairs", "--seed", "1", "-q"])
    for line in target.read_text().splitlines():
        assert json.loads(line)["taken_back"][0] in ("rome", "oslo", "lima", "bonn")
