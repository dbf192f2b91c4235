"""Runs of conversations: every case with the clean caller and the perturbed one, stored at once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec

from mondegreen import __version__
from mondegreen.conversations.agents.loading import RETRIES, TIMEOUT, AgentReach, load_agent
from mondegreen.conversations.agents.protocol import Agent
from mondegreen.conversations.rows import RunPlace, row_of
from mondegreen.conversations.secrets import without_secrets
from mondegreen.conversations.speaking import Manner
from mondegreen.conversations.work import CallJob, PortableCalls, hold_all, others_of
from mondegreen.data.dialogues.cases import DialogueCase
from mondegreen.data.dialogues.reading import read_cases
from mondegreen.data.dialogues.transcripts import Transcript
from mondegreen.data.files.places import remove_stale_lock
from mondegreen.engines import LOCAL, open_workers
from mondegreen.errors import DataError, ModelError
from mondegreen.metrics.conversations.judging import judge
from mondegreen.metrics.conversations.metric import CONVERSATIONS, counts_of_verdict
from mondegreen.models.wire import without_password
from mondegreen.operators import parse_all
from mondegreen.perturbation.suite_recipe import OPERATOR, ORIGINAL
from mondegreen.runs.answering import OnProgress
from mondegreen.runs.evaluation import finished_run, scores_and_notes
from mondegreen.runs.reading import Run, open_run
from mondegreen.runs.store import Store

CLEAN, PERTURBED = "clean", "perturbed"
PATIENCE, SPLIT, CORRECT = 3, 0.25, 0.25
"""How often the caller answers the same question; and of a perturbed caller, the chances that it
breaks a turn off, and that it corrects a value a turn later."""
_PART = 8  # conversations that are stored together
_ANSWERS = "calls"


def converse(
    cases: Path | str | Sequence[DialogueCase],
    agent: Agent | str,
    run: Path | str,
    *,
    operators: str | Sequence[str] = (),
    seed: int = 0,
    split: float | None = None,
    correct: float | None = None,
    patience: int = PATIENCE,
    repeat: int = 1,
    tools: str = "",
    format: str | None = None,
    language: str | None = None,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    temperature: float | None = None,
    max_tokens: int | None = None,
    system: str = "",
    concurrency: int = 1,
    force: bool = False,
    on_progress: OnProgress | None = None,
    engine: str = LOCAL,
    workers: int | None = None,
    address: str | None = None,
) -> Run:
    """Let a caller hold the conversation of every case with an agent, and store what happened.

    The run has a set ``clean``, in which the caller says every turn as written. With operators,
    ``split`` or ``correct`` it also has a set ``perturbed``. An interrupted run continues where it
    stopped. The same seed gives the same caller against the same agent.

    Args:
        cases: cases, or a file of them.
        agent: an agent, or its name: ``python:module:factory``, ``http://…``, ``openai:URL#MODEL``,
            ``command:…``, ``livekit:module:Agent``, ``pipecat:ws://…``.
        run: the file of the run.
        operators: what happens to the caller's words, one operator after another.
        seed: another seed gives another caller.
        split: chance that a turn is broken off before a value; 0.25 with operators.
        correct: chance that a value is wrong and corrected a turn later; 0.25 with operators.
        patience: how often the caller answers the same question before it gives up.
        repeat: how often each conversation is held.
        tools: ``python:module:factory`` for tools of your own; by default BFCL's, or recorded ones.
        format: ``jsonl``, ``bfcl`` or ``pipecat``; by default, the file shows it.
        language: the language of the cases, such as ``en``.
        timeout: seconds that an answer may take.
        retries: how often a failed request is sent again.
        temperature: of the model behind an ``openai:`` agent.
        max_tokens: longest answer of the model behind an ``openai:`` agent.
        system: the instructions for an ``openai:`` agent.
        concurrency: conversations held at the same time in this process.
        force: start over, even if the run exists.
        on_progress: called with the number of conversations done and of all.
        engine: where conversations are held: ``local``, ``processes`` or ``ray``.
        workers: how many processes or Ray workers.
        address: the address of a Ray cluster.

    Raises:
        DataError: if the cases cannot be read, or the file is a run of others.
        ModelError: if there is no such agent.
    """
    names = (operators,) if isinstance(operators, str) else tuple(operators)
    manner = _manner(names, seed, split, correct, patience, language)
    found = read_cases(cases, format) if isinstance(cases, Path | str) else list(cases)
    if repeat < 1 or patience < 0 or concurrency < 1:
        raise DataError("repeat and concurrency must be 1 or more, patience 0 or more")
    reach = AgentReach(timeout, retries, temperature, max_tokens, system)
    loaded = load_agent(agent, reach) if isinstance(agent, str) else agent
    sets = [(CLEAN, Manner(patience=patience, seed=seed))]
    sets += [] if manner.clean else [(PERTURBED, manner)]
    try:
        path = Path(run)
        meta = _meta(found, cases, manner, tools, repeat) | {
            "model": loaded.signature,
            "model_spec": without_secrets(without_password(str(agent)))
            if isinstance(agent, str)
            else loaded.signature,
        }
        done = None if force else finished_run(path, meta)
        if done is not None:
            remove_stale_lock(path)
            return done
        work = PortableCalls(str(agent), reach, tools, others_of(found), concurrency)
        with Store.open(
            path, CONVERSATIONS, meta, _sets(found, sets, repeat), force=force
        ) as store:
            holding = _Holding(found, [one for _, one in sets], repeat, store, on_progress)
            if engine == LOCAL:
                holding.run(
                    hold_all(loaded, part, tools, work.others, concurrency)
                    for part in holding.parts()
                )
            elif isinstance(agent, str):
                loaded.close()
                holding.run(open_workers(engine, workers, address).map(work, holding.parts()))
            else:
                raise ModelError("give the agent by its name, so that every worker can load it")
            store.finish(*scores_and_notes(path))
    finally:
        if loaded is not agent:
            loaded.close()
    return open_run(path)


def _manner(
    names: tuple[str, ...],
    seed: int,
    split: float | None,
    correct: float | None,
    patience: int,
    language: str | None,
) -> Manner:
    """Return the manner of the perturbed caller, with operators checked.

    Raises:
        OperatorError: if there is no such operator.
        DataError: if a chance is not between 0 and 1.
    """
    signatures = [name for name in names for _ in parse_all(name)[:1]]
    broken = (SPLIT if names else 0.0) if split is None else split
    corrected = (CORRECT if names else 0.0) if correct is None else correct
    if not (0 <= broken <= 1 and 0 <= corrected <= 1):
        raise DataError(f"split and correct are chances from 0 to 1, got {split} and {correct}")
    return Manner(tuple(signatures), seed, broken, corrected, patience, language)


def _meta(
    cases: Sequence[DialogueCase], source: object, manner: Manner, tools: str, repeat: int
) -> dict[str, str]:
    """Return what a run says of itself; the hash of cases and caller stands for the suite."""
    content = msgspec.json.encode([list(cases), manner, tools], order="deterministic")
    sha = hashlib.sha256(content).hexdigest()
    named = os.fspath(source) if isinstance(source, Path | str) else f"{len(cases)} cases"
    chain = " > ".join(manner.operators) or "none"
    signature = (
        f"mondegreen|converse|ops:{chain}|split:{manner.split:g}|correct:{manner.correct:g}"
        f"|patience:{manner.patience}|seed:{manner.seed}|sha:{sha[:16]}|v:{__version__}"
    )
    return {
        "suite": signature,
        "suite_folder": named,
        "suite_sha": sha,
        "source": named,
        "hard_model": "",
        "version": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "state": "running",
        "metric": CONVERSATIONS.name,
        "repeat": str(repeat),
        "answers": _ANSWERS,
    }


def _sets(
    cases: Sequence[DialogueCase], sets: Sequence[tuple[str, Manner]], repeat: int
) -> list[tuple[object, ...]]:
    n = len(cases) * repeat
    rows: list[tuple[object, ...]] = []
    for number, (name, manner) in enumerate(sets):
        kind = OPERATOR if number else ORIGINAL
        operator = " > ".join(manner.operators)
        rows.append((number, name, kind, operator, "", 0, n, n if number else 0, number * n))
    return rows


class _Holding:
    """The conversations that are still to be held, in order, and where they are stored."""

    def __init__(
        self,
        cases: Sequence[DialogueCase],
        manners: Sequence[Manner],
        repeat: int,
        store: Store,
        on_progress: OnProgress | None,
    ) -> None:
        self.cases, self.manners, self.repeat, self.store = cases, manners, repeat, store
        self.on_progress = on_progress or (lambda _done, _all: None)
        self.n = len(cases) * repeat
        self.total = self.n * len(manners)
        self.done = store.done()
        self.clean = store.wrong(0, min(self.done, self.n))
        self.tokens = msgspec.json.decode(store.meta("tokens") or "{}", type=dict[str, int])

    def parts(self) -> Iterator[list[CallJob]]:
        """Yield what is not stored yet, in parts."""
        jobs = self._jobs()
        while part := list(islice(jobs, _PART)):
            yield part

    def _jobs(self) -> Iterator[CallJob]:
        for number in range(self.store.done(), self.total):
            manner = self.manners[number // self.n]
            yield CallJob(self.cases[number % self.n // self.repeat], manner)

    def run(self, transcripts: Iterable[list[bytes]]) -> None:
        """Judge and store conversations as they come."""
        self.on_progress(self.done, self.total)
        for part in transcripts:
            found = [msgspec.json.decode(one, type=Transcript) for one in part]
            rows = [self._row(self.done + at, one) for at, one in enumerate(found)]
            if self.tokens:
                self.store.note("tokens", msgspec.json.encode(self.tokens).decode())
            self.store.add(rows, len(rows))
            self.done += len(rows)
            self.on_progress(self.done, self.total)

    def _row(self, number: int, transcript: Transcript) -> tuple[object, ...]:
        position = number % self.n
        set_number = number // self.n
        case = self.cases[position // self.repeat]
        verdict = judge(case, transcript)
        for name, count in transcript.tokens.items():
            self.tokens[name] = self.tokens.get(name, 0) + count
        if set_number == 0:
            self.clean.append(not verdict.task)
        place = RunPlace(
            number, set_number, position, " > ".join(self.manners[set_number].operators)
        )
        flip = self.clean[position] - (not verdict.task)
        return row_of(place, case, transcript, verdict, counts_of_verdict(verdict), flip)
