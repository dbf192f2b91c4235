"""Few pairs: a fit begins with a built-in profile, and never trusts what it will not meet again."""

from __future__ import annotations

from pathlib import Path

import pytest

from mondegreen import fit_recogniser
from mondegreen.cli.main import main
from mondegreen.errors import DataError, OperatorError
from mondegreen.kernel import key
from mondegreen.language.simulation import fitting
from mondegreen.language.simulation.additions import Added
from mondegreen.language.simulation.fitting import _folds
from mondegreen.language.simulation.kinds import KINDS
from mondegreen.language.simulation.profile import BUILT_IN, read_recogniser
from mondegreen.language.simulation.regression import (
    ChoiceProblems,
    KindProblems,
    fit_kinds,
    kind_problems,
)
from mondegreen.language.simulation.simulator import Simulator
from mondegreen.language.simulation.starts import NEAREST, NONE, Start, beginnings, nearest_start
from mondegreen.language.simulation.units import Pair, units, words_of
from mondegreen.operators import parse
from mondegreen.types import Utterance
from mondegreen.variants import perturb

PLACES = ("rome", "oslo", "cairo", "lima", "paris", "delhi", "tokyo", "quito")
TEXTS = [
    f"{verb} {what} in {place} for {n} people"
    for n, (verb, what) in enumerate(
        [("book", "a table"), ("find", "the nearest hotel"), ("rate", "this film")], 2
    )
    for place in PLACES
]


@pytest.fixture
def uncalibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the calibration of fits, which takes most of their time."""
    monkeypatch.setattr(fitting, "calibrated", lambda whole, _parts: whole)


def heard_by(name: str, wer: float) -> list[Pair]:
    """Return what a built-in recogniser makes of the texts, several times."""
    simulator, found = Simulator(read_recogniser(name)), []
    for i, text in enumerate(TEXTS * 4):
        ref = words_of(text)
        hyp = simulator.hypothesis(ref, key(b"%d" % i, text), wer)
        found.append(Pair(ref, hyp, units(ref, hyp)))
    return found


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_profiles_have_names(name: str) -> None:
    operator = parse(f"recogniser(profile={name!r}, wer=0.3)")
    assert list(operator.resources()) == []
    made = [one.utterance.text for one in perturb(map(utterance, TEXTS), [operator], seed=1)]
    assert sum(text != said for text, said in zip(made, TEXTS, strict=True)) > len(TEXTS) / 2


def utterance(text: str) -> Utterance:
    return Utterance.of(text, text)


def test_an_unknown_profile_is_refused_with_the_names_of_the_built_in_ones() -> None:
    with pytest.raises(DataError, match=r"no built-in profile of this name \(slurp, moonshine,"):
        parse("recogniser(profile='whisper')")
    with pytest.raises(DataError, match=r"\(slurp, moonshine, google, amazon\)"):
        fit_recogniser(["play jazz"], ["play jars"], begin_with="whisper")


def test_a_start_of_another_language_is_refused() -> None:
    with pytest.raises(DataError, match="a profile of English, but the pairs are in German"):
        fit_recogniser(["ja gut"], ["ja"], language="de", begin_with="slurp")
    assert [one.name for one in beginnings("slurp,google", "en")] == ["slurp", "google"]
    assert beginnings(NEAREST, "de") == beginnings(NONE, "en") == [Start()]


def test_the_nearest_start_is_the_one_whose_kinds_of_error_the_pairs_have() -> None:
    starts = beginnings(NEAREST, "en")
    assert [one.name for one in starts] == list(BUILT_IN)
    for name in ("slurp", "moonshine"):
        problems = kind_problems(heard_by(name, 0.4))
        assert nearest_start(starts, problems, ChoiceProblems([], [])).name == name


def test_kinds_stay_near_the_start_as_far_as_there_are_few_errors() -> None:
    start = read_recogniser("google").kinds
    assert fit_kinds(kind_problems([]), start) == start
    problems = kind_problems(heard_by("slurp", 0.4))
    few = KindProblems(problems.features[:10], problems.kinds[:10])
    distance = [
        sum(
            abs(a - b)
            for row, other in zip(found, start, strict=True)
            for a, b in zip(row, other, strict=True)
        )
        for found in (fit_kinds(few, start), fit_kinds(problems, start))
    ]
    assert 0 < distance[0] < distance[1]
    assert problems.log_likelihood(fit_kinds(problems, start)) > problems.log_likelihood(start)
    assert len(start) == len(KINDS)


def test_some_of_the_words_that_a_start_adds_are_added() -> None:
    start = Start(added={"start": {"the": 3, "a": 1}, "middle": {}, "end": {"please": 1}})
    own = Added({"start": {"hey": 10}, "middle": {"uh": 1}, "end": {}}, {})
    found = start.with_added(own).places
    total = sum(found["start"].values())
    assert found["start"]["hey"] / total == pytest.approx(10 / 20)
    assert found["start"]["the"] / total == pytest.approx(7.5 / 20)
    assert found["middle"] == {"uh": 1}
    assert set(found["end"]) == {"please"}


def test_fewer_than_a_hundred_references_are_held_out_too() -> None:
    pairs = [Pair((f"w{i}",), (f"w{i}",), []) for i in range(20)]
    folds = list(_folds(pairs))
    assert len(folds) == 3
    for known, new in folds:
        assert {one.ref for one in known}.isdisjoint(one.ref for one in new)
    assert sum(len(new) for _, new in folds) == len(pairs)


@pytest.mark.usefixtures("uncalibrated")
def test_the_command_says_with_which_profile_it_began(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"{' '.join(one.ref)}\t{' '.join(one.hyp)}" for one in heard_by("moonshine", 0.4)[:40]]
    pairs, mine = tmp_path / "pairs.tsv", tmp_path / "mine.json"
    pairs.write_text("\n".join(["ref\thyp", *lines]), encoding="utf-8")
    assert main(["fit", "recogniser", str(pairs), "-o", str(mine), "--from", "moonshine"]) == 0
    assert "began with the profile moonshine" in capsys.readouterr().err
    assert read_recogniser(str(mine)).begun_with == "moonshine"


@pytest.mark.usefixtures("uncalibrated")
def test_german_pairs_make_a_profile_that_hears_german(tmp_path: Path) -> None:
    pytest.importorskip("gruut_lang_de")
    refs = [f"spiele {what} von {who} im {where}" for what in ("musik", "jazz", "lieder")
            for who in ("bach", "mozart", "anna") for where in ("garten", "zimmer")]  # fmt: skip
    hyps = [ref.replace("im", "in").replace("bach", "dach") for ref in refs]
    mine = tmp_path / "de.json.gz"
    fit_recogniser(refs, hyps, language="de").save(mine)
    operator = f"recogniser(profile={str(mine)!r}, wer=0.3)"
    assert parse(operator).languages == frozenset({"de"})
    said = Utterance.of("1", "spiele Jazz von Bach im Garten")
    made = [perturb([said], [operator], seed=s, language="de") for s in range(8)]
    assert any("in" in one.utterance.tokens for some in made for one in some)
    with pytest.raises(OperatorError, match="set for de"):
        list(perturb([said], [operator], language="en"))


def test_languages_without_sounds_are_refused_by_every_route(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("ref\thyp\nsoita jazzia\tsoita jatsia\n", encoding="utf-8")
    can = "languages whose recognisers can: de, en, es, fr, it, nl, zh"
    with pytest.raises(OperatorError, match=can):
        fit_recogniser(["soita jazzia"], ["soita jatsia"], language="fi")
    out = tmp_path / "fi.json"
    assert main(["fit", "recogniser", str(pairs), "-o", str(out), "--language", "fi"]) == 1
    assert can in capsys.readouterr().err
    assert not out.exists()
    with pytest.raises(OperatorError, match="fit one to pairs of your own in de, es, fr"):
        list(perturb([Utterance.of("1", "soita jazzia")], [parse("recogniser")], language="fi"))
