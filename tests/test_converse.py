"""Conversations with scripted agents: what is said, what is scored, and what is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import dialogues
import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.conversations.agents.python import PythonAgent
from mondegreen.conversations.results import conversations_of, transcripts_of
from mondegreen.conversations.running import CLEAN, PERTURBED
from mondegreen.data.dialogues.cases import case_of
from mondegreen.data.dialogues.transcripts import DONE, TURN, Exchange, Transcript
from mondegreen.metrics.conversations.judging import (
    ASKED_FOR_EVER,
    MISHEARD,
    NEVER_ASKED,
    PREMATURE,
    STALE,
    judge,
)
from mondegreen.report.opening import open_source
from mondegreen.report.source import Query
from mondegreen.runs.reading import Run
from mondegreen.types import MadeCall

SPEAKING, HEARING = ("disfluencies",), ("recogniser(wer=0.15)",)
MISTAKES = {
    "stale": (STALE, SPEAKING),
    "premature": (PREMATURE, SPEAKING),
    "passes on": (MISHEARD, HEARING),
    "never asks": (NEVER_ASKED, HEARING),
    "asks for ever": (ASKED_FOR_EVER, (*SPEAKING, *HEARING)),
}


def held(tmp_path: Path, agent: Any, n: int, **options: Any) -> Run:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", n)
    return mg.converse(cases, PythonAgent(agent, "test", 10.0), tmp_path / "a.run", **options)


def rates(run: Run, name: str) -> dict[str, float | None]:
    return {rate: one.value for rate, one in run.scores()[name].items()}


def test_a_clean_caller_says_the_turns_and_a_good_agent_does_the_task(tmp_path: Path) -> None:
    with held(tmp_path, dialogues.Good.fresh(), 50) as run:
        found = rates(run, CLEAN)
        assert [one.name for one in run.sets] == [CLEAN]
        said = [one["exchanges"][0]["meant"] for one in transcripts_of(run)]
    assert said == [case["turns"][0]["user"] for case in dialogues.cases(50)]
    assert (found["task_success"], found["call_accuracy"], found["extra_turns"]) == (1, 1, 0)
    assert found["premature_rate"] is None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(mistake: str, tmp_path: Path) -> None:
    cause, operators = MISTAKES[mistake]
    agent = dialogues.AGENTS[mistake].fresh()
    with held(tmp_path, agent, 200, operators=operators, seed=1) as run:
        causes = [kept.causes for _, kept in conversations_of(run)]
    expected = [case["expected"][0]["arguments"] for case in dialogues.cases(200)] * 2
    happened = [
        number
        for number, one in enumerate(agent.started)
        if one.mistaken and one.booked_wrongly(expected[number])
    ]
    assert len(happened) > 20
    named = sum(cause in causes[number] for number in happened)
    assert named >= 0.99 * len(happened)


def test_the_rates_say_what_happened(tmp_path: Path) -> None:
    with held(tmp_path, dialogues.Good.fresh(), 200, operators=SPEAKING + HEARING, seed=1) as run:
        found = rates(run, PERTURBED)
    assert 0.85 < (found["task_success"] or 0) <= 1
    assert (found["recovery_rate"] or 0) > 0.85
    assert found["premature_rate"] == 0
    assert found["invented_rate"] == 0
    assert found["not_understood"] == 0


def test_the_same_seed_gives_the_same_caller(tmp_path: Path) -> None:
    texts = []
    for seed in (1, 1, 2):
        options = {"operators": SPEAKING + HEARING, "seed": seed, "force": True}
        with held(tmp_path, dialogues.Good.fresh(), 30, **options) as run:
            texts.append(list(transcripts_of(run)))
    assert texts[0] == texts[1] != texts[2]


def test_json_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = dialogues.write_cases(tmp_path / "cases.jsonl", 5)
    code = main(
        ["converse", str(cases), "--agent", "python:dialogues:good", "-o", str(tmp_path / "a.run"),
         "--op", "disfluencies", "--json", "-q"]
    )  # fmt: skip
    assert code == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["sets"]) == {CLEAN, PERTURBED}
    for one in found["sets"].values():
        assert one["n"] == 5
        assert {
            "task_success", "call_accuracy", "stale_rate", "premature_rate", "recovery_rate",
            "invented_rate", "extra_turns", "gave_up",
        } <= set(one["scores"])  # fmt: skip
        assert one["scores"]["task_success"]["denominator"] == 5
    values = [found["sets"][name]["scores"]["task_success"]["value"] for name in (CLEAN, PERTURBED)]
    paired = found["paired"]["task_success"]
    assert paired["difference"] == pytest.approx(values[1] - values[0])
    assert paired["low"] <= paired["difference"] <= paired["high"]


def test_the_report_shows_conversations_with_their_mistakes(tmp_path: Path) -> None:
    options = {"operators": SPEAKING, "correct": 1.0, "seed": 1}
    with held(tmp_path, dialogues.Stale.fresh(), 8, **options) as run:
        [first, *_] = [kept for name, kept in conversations_of(run, PERTURBED) if kept.causes]
    page = tmp_path / "report.html"
    assert main(["report", str(tmp_path / "a.run"), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert 'class="badge bad">stale value<' in text
    assert first.transcript.exchanges[1].meant in text
    assert text.count('<section class="dialogue">') % 2 == 0


def test_the_viewer_filters_by_cause_and_shows_both_callers(tmp_path: Path) -> None:
    with held(tmp_path, dialogues.Stale.fresh(), 8, operators=SPEAKING, correct=1.0, seed=1):
        pass
    source = open_source(tmp_path / "a.run")
    try:
        assert any(column.label == "cause" for column in source.facets)
        found = source.page(Query(filters={"state": STALE}))
        assert found.total >= 5
        shown = source.utterance(
            {"number": str(source.page(Query(filters={"state": STALE})).rows[0]["number"])}
        )
        assert [one.set for one in shown["dialogues"]] == [CLEAN, PERTURBED]
        assert STALE in [cause for said in shown["dialogues"][1].exchanges for cause in said.causes]
    finally:
        source.close()


def test_a_value_that_a_misheard_word_led_astray_is_named() -> None:
    case = case_of(dialogues.cases(1)[0], "1")
    said = case.turns[0].user
    name = case.turns[0].values["name"][0]
    heard = said.replace(f"under {name}", f"for {name}")
    assert heard != said
    arguments = {**{k: v[0] for k, v in case.expected[0].arguments.items()}, "people": name}

    def causes(of: str) -> tuple[str, ...]:
        call = MadeCall("book_table", arguments)
        exchange = Exchange(0, TURN, said, None, of, calls=(call,))
        return judge(case, Transcript(case.id, (exchange,), DONE)).causes

    assert MISHEARD in causes(heard)
    assert MISHEARD not in causes(said)
