"""Disfluencies: classified by type, counted in a corpus, and produced at the same rates."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen.cli.main import main
from mondegreen.data import read
from mondegreen.data.sample import sample
from mondegreen.edits import apply_edits
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.disfluency.lexicon import REPARANDA, TYPES
from mondegreen.language.disfluency.marked import (
    Marked,
    disfluencies,
    kinds_of,
    marked_by_case,
    marked_by_edits,
    marked_by_tags,
    tagged_line,
    uppercased,
)
from mondegreen.language.disfluency.profile import (
    CONVERSATION,
    DisfluencyProfile,
    named_profile,
    profile_of,
    read_marked,
    read_profile,
)
from mondegreen.operators import parse
from mondegreen.operators.amounts import Chance, Once, Rate
from mondegreen.perturbation.recipe import Recipe
from mondegreen.testing.strategies import utterances
from mondegreen.types import Edit, Slot, Utterance
from mondegreen.variants import perturb

WITHIN = 0.15
SWITCHBOARD = "disfluencies(profile=conversation)"
NAMES = ["repeats", "partials", "repairs", "restarts", "discourse", "disfluencies"]

CASES = [
    # marked                                    type, words, term
    ("THE the dog", [("repeat", "the", "")]),
    ("I I i became", [("repeat", "i", ""), ("repeat", "i", "")]),
    ("IT SEEMS UH it seems to", [("repeat", "it seems", "pause")]),
    ("a FI- fixed female", [("partial", "fi-", "")]),
    ("has THE SHAP- the shape", [("partial", "the shap-", "")]),
    ("the dog WH- how long", [("partial", "wh-", "")]),
    ("play ROCK NO WAIT jazz", [("repair", "rock", "editing")]),
    ("YOU CAN you don't have", [("repair", "you can", "")]),
    ("IT she picked", [("repair", "it", "")]),  # a pronoun for a pronoun
    ("I'M i guess", [("repair", "i'm", "")]),  # the same pronoun, without its contracted verb
    ("sides OF THE were", [("restart", "of the", "")]),
    ("that's it I'D", [("restart", "i'd", "")]),  # nothing follows
    ("WELL UH i see", [("discourse", "well", ""), ("filler", "uh", "")]),
    ("was able to YOU KNOW", [("discourse", "you know", "")]),
    ("yeah I MEAN it was", [("discourse", "i mean", "")]),  # no reparandum before it
    ("play jazz", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_types_of_disfluency(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = [
        (one.kind, " ".join(one.words), one.term) for one in disfluencies(marked_by_case(text))
    ]
    assert found == expected


def test_asides_are_not_disfluencies() -> None:
    turn = marked_by_tags(["it", "that", "is", "it", "rains"], ["RM", "A", "A", "O", "C"])
    assert [one.kind for one in disfluencies(turn)] == ["repeat"]


def test_words_in_upper_case_may_be_fluent() -> None:
    assert marked_by_case("I see THE the", keep=["I"]).roles == ["O", "O", "RM", "O"]


def test_an_unknown_tag_is_named() -> None:
    with pytest.raises(DataError, match="word 1 has the tag 'X'"):
        marked_by_tags(["a", "b"], ["O", "X"])


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "uh", "i-"]), st.sampled_from("ORFDEA"))))
def test_every_reparandum_is_counted_once(turn: list[tuple[str, str]]) -> None:
    roles = ["RM" if role == "R" else role for _, role in turn]
    found = list(disfluencies(Marked([word for word, _ in turn], roles)))
    assert sum(len(one.words) for one in found if one.kind in REPARANDA) == roles.count("RM")
    pauses = sum(len(one.words) for one in found if one.kind == "filler")
    assert pauses <= roles.count("F")


@pytest.mark.parametrize("name", NAMES)
@given(utterance=utterances(), seed=st.integers(0, 5))
@settings(max_examples=60)
def test_the_source_remains_when_inserted_words_are_removed(
    name: str, utterance: Utterance, seed: int
) -> None:
    for rate in (0.3, 1.0):
        (variant,) = perturb([utterance], name, seed=seed, rate=rate, language="en")
        kept = [word for word, at in zip(variant.utterance.tokens, variant.origin, strict=True)
                if at is not None]  # fmt: skip
        assert tuple(kept) == utterance.tokens
        assert set(kinds_of(variant)) <= {"O", "editing", *TYPES}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("repeats", "repeat"), ("partials", "partial"), ("discourse", "discourse")],
)
def test_an_operator_produces_only_its_type(name: str, kind: str) -> None:
    for variant in perturb(sample("train"), name, seed=3, once=True):
        assert [one.kind for one in disfluencies(marked_by_edits(variant))] == [kind]


@pytest.mark.parametrize(("name", "kind"), [("repairs", "repair"), ("restarts", "restart")])
def test_repairs_and_restarts_are_classified_as_such(name: str, kind: str) -> None:
    found = [
        one.kind
        for variant in perturb(sample("train"), name, seed=3, once=True)
        if variant.edits[0].kind.startswith(kind)  # the others are reported as fail-overs
        for one in disfluencies(marked_by_edits(variant))
    ]
    assert found.count(kind) > 0.95 * len(found) > 300


def test_a_slot_keeps_only_the_repair() -> None:
    utterance = Utterance("1", ("play", "jazz"), (Slot("genre", 1, 2),))
    for variant in perturb([utterance], "repairs", variants=30):
        (slot,) = variant.utterance.slots
        assert variant.utterance.tokens[slot.start : slot.end] == ("jazz",)


def test_repairs_use_other_values_of_the_slot(tmp_path: Path) -> None:
    path = tmp_path / "values.json"
    path.write_text('{"genre": ["bossa nova", "jazz"]}')
    utterance = Utterance("1", ("jazz", "please"), (Slot("genre", 0, 1),))
    made = perturb([utterance], f"repairs(values={str(path)!r})", variants=12)
    texts = [" ".join(variant.edits[0].tokens) for variant in made if variant.edits[0].start == 0]
    assert any(text.startswith("bossa nova") for text in texts)
    assert not any(text.startswith("jazz ") and "bossa" in text for text in texts)
    assert parse(f"repairs(values={str(path)!r})").resources() == (path,)


def test_words_after_a_reparandum_have_their_own_kind() -> None:
    utterance = Utterance.of("1", "play jazz")
    term = Edit(1, 1, ("rock", "no", "wait"), "repairs", "repair+editing")
    pause = Edit(0, 0, ("play", "uh", "uh"), "repeats", "repeat+editing")
    variant = apply_edits(utterance, [pause, term], id="1/0")
    assert tagged_line(variant) == (
        "1/0\tplay uh uh play rock no wait jazz\trepeat filler filler O repair editing editing O"
    )


def figures_of(profile: DisfluencyProfile) -> dict[str, float]:
    """Return the rates, the shares of the types and the mean lengths of a profile."""
    figures = {"all": profile.total / profile.words}
    for kind in TYPES:
        figures[f"rate of {kind}"] = profile.rate(kind)
        figures[f"share of {kind}"] = profile.count(kind) / profile.total
    for kind in REPARANDA:
        mean = profile.reparanda[kind].mean
        assert mean is not None
        figures[f"words of a {kind}"] = mean
    return figures


def test_the_sample_becomes_as_disfluent_as_the_corpus() -> None:
    """The sample is small, so it is perturbed with many seeds."""
    made = (v for seed in range(25) for v in perturb(sample("train"), SWITCHBOARD, seed=seed))
    found = figures_of(profile_of(map(marked_by_edits, made)))
    assert found == pytest.approx(figures_of(named_profile(CONVERSATION)), rel=WITHIN)


def test_snips_becomes_as_disfluent_as_the_corpus(shared: Path) -> None:
    parts = (read(shared / "data" / "slu" / "snips" / name) for name in ("train", "valid", "test"))
    recipe = Recipe.of([SWITCHBOARD])  # the corpus has no slots, so no values are learnt
    made = perturb(chain.from_iterable(parts), recipe)
    found = figures_of(profile_of(map(marked_by_edits, made)))
    wanted = figures_of(named_profile(CONVERSATION))
    for name in found:  # without other values, few words can be corrected beside a slot
        within = 2 * WITHIN if "repair" in name else WITHIN
        assert found[name] == pytest.approx(wanted[name], rel=within), name


def test_the_default_profile_is_fitted_to_the_corpus(shared: Path, tmp_path: Path) -> None:
    turns = shared / "data/disfluency/switchboard_sample"
    out = tmp_path / "speech.json"
    assert main(["fit", "disfluency", str(turns / "turns.tsv"), "-o", str(out), "-q"]) == 0
    assert read_profile(str(out)) == named_profile(CONVERSATION)
    by_case = profile_of(read_marked(turns / "marked.txt"))
    assert figures_of(by_case) == pytest.approx(figures_of(named_profile(CONVERSATION)), rel=WITHIN)


def test_a_profile_of_perturbed_utterances(data: Path, tmp_path: Path) -> None:
    noisy, profile, again = (tmp_path / name for name in ("n.jsonl", "p.json", "again.jsonl"))
    assert main(["perturb", str(data), "-o", str(noisy), "--op", "discourse", "-q"]) == 0
    assert main(["fit", "disfluency", str(noisy), "-o", str(profile), "-q"]) == 0
    found = read_profile(str(profile))
    assert found.rate("discourse") > 0.1
    assert found.rate("repeat") == 0
    op = f"disfluencies(profile={str(profile)!r})"
    assert main(["perturb", str(data), "-o", str(again), "--op", op, "-q"]) == 0
    assert main(["verify", str(again)]) == 0
    lines = map(json.loads, again.read_text().splitlines())
    kinds = {edit["kind"] for line in lines for edit in line["edits"]}
    assert kinds == {"discourse"}


def test_marked_text_is_a_reference_for_fluency(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noisy, source = tmp_path / "noisy.txt", tmp_path / "clean.txt"
    for marked in (tmp_path / "marked.txt", tmp_path / "marked.tsv"):
        base = ["perturb", str(data), "--op", "disfluencies", "--rate", "0.2", "-q", "--force"]
        assert main([*base, "-o", str(noisy), "--marked", str(marked)]) == 0
    texts = [utterance.text for utterance in read(data)]
    source.write_text("\n".join(texts) + "\n")
    score = ["score", "fluency", "--hyp", str(source), "--json", "--ref"]
    capsys.readouterr()
    assert main([*score, str(tmp_path / "marked.txt")]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert found["fluent_error_rate"]["value"] == 0
    assert found["disfluent_error_rate"]["value"] == 0
    assert found["disfluent_error_rate"]["denominator"] > 300
    tagged = list(read_marked(tmp_path / "marked.tsv"))
    lines = (tmp_path / "marked.txt").read_text().splitlines()
    said = [" ".join(word.rstrip("-") for word in turn.words).lower() for turn in tagged]
    assert said == [line.lower() for line in lines]


def test_a_word_without_upper_case_raises() -> None:
    (variant,) = perturb(["5"], "repeats")
    with pytest.raises(DataError, match=r"'5' has no upper case .* name the file \.tsv"):
        uppercased(variant)


def test_defaults_are_those_of_the_profile() -> None:
    profile = named_profile(CONVERSATION)
    assert parse("repeats(profile=conversation)").default == Rate(round(profile.rate("repeat"), 4))
    assert parse(SWITCHBOARD).default == Chance(round(profile.total / profile.words, 4))
    assert parse("disfluencies").default == Once()  # all requests of the corpus are disfluent
    untouched = [v for v in perturb(sample(), SWITCHBOARD) if not v.edits]
    assert 0.3 < len(untouched) / len(list(sample())) < 0.6
    assert all(v.edits for v in perturb(sample(), "disfluencies", once=True))
    assert str(Chance(0.5)) == "chance:0.5"
    assert (Chance(0.5).floor, Once().floor) == (0, 1)


def test_files_that_cannot_be_read_raise(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    for op in ("repeats", "disfluencies"):
        with pytest.raises(DataError, match="not a profile of disfluencies"):
            parse(f"{op}(profile={str(bad)!r})")
        with pytest.raises(DataError, match="there is no such file"):
            parse(f"{op}(profile='nowhere.json')")
    with pytest.raises(DataError, match="there is no such file"):
        parse("disfluencies(values='nowhere.json')")
    with pytest.raises(OperatorError, match="terms must be a list"):
        parse("repairs(terms='no wait')")
    with pytest.raises(DataError, match="fluent words"):
        profile_of([marked_by_case("UH")])


def test_fit_refuses_data_without_disfluencies_or_slots(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("play jazz\n")
    for resource, message in (
        ("disfluency", "no word is marked"),
        ("values", "no utterance has a slot"),
    ):
        assert main(["fit", resource, str(plain), "-o", str(tmp_path / "out.json")]) == 1
        assert message in capsys.readouterr().err
    assert main(["fit", "values", str(data), "-o", str(tmp_path / "out.json")]) == 0
    assert "frozen soundtrack" in (tmp_path / "out.json").read_text()
