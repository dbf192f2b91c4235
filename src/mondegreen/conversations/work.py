"""Conversations wherever they run: here, in threads, in other processes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import msgspec

from mondegreen.conversations.agents.loading import AgentReach, load_agent
from mondegreen.conversations.agents.protocol import Agent
from mondegreen.conversations.caller import Caller, Others, place_of
from mondegreen.conversations.secrets import without_secrets
from mondegreen.conversations.speaking import Manner
from mondegreen.conversations.tools import tools_of
from mondegreen.data.dialogues.cases import DialogueCase, simple
from mondegreen.data.dialogues.transcripts import FAILED, Transcript
from mondegreen.engines.calls import Portable
from mondegreen.errors import ModelError

_OTHERS = 40  # values of an argument that a caller may confuse with the right one


class CallJob(NamedTuple):
    """A case, and how the caller speaks."""

    case: DialogueCase
    manner: Manner


def hold(agent: Agent, job: CallJob, tools: str, others: Others) -> Transcript:
    """Hold one conversation; whatever the agent does costs this conversation at most."""
    case, manner = job
    backend = tools_of(case, tools)
    try:
        session = agent.start(case.tools, case.id)
    except ModelError as error:
        for turn in case.turns:
            backend.end_turn(turn.expected)
        message = without_secrets(str(error))
        return Transcript(case.id, ended=FAILED, error=message, state=backend.verdict())
    try:
        return Caller(case, manner, session, backend, others).converse()
    finally:
        session.close()


@dataclass(frozen=True)
class PortableCalls(Portable):
    """Holds the conversations of a part with an agent that every worker loads for itself."""

    spec: str
    reach: AgentReach
    tools: str
    others: Others
    concurrency: int = 1

    @cached_property
    def _agent(self) -> Agent:
        return load_agent(self.spec, self.reach)

    def __call__(self, part: Sequence[CallJob]) -> list[bytes]:
        """Return the transcripts of a part as JSON, in order."""
        return hold_all(self._agent, part, self.tools, self.others, self.concurrency)


def hold_all(
    agent: Agent, part: Sequence[CallJob], tools: str, others: Others, concurrency: int
) -> list[bytes]:
    """Hold the conversations of a part, some of them at the same time; return transcripts as JSON.

    JSON leaves out defaults only where they are made, so that it is made here.
    """

    def held(job: CallJob) -> bytes:
        return msgspec.json.encode(hold(agent, job, tools, others))

    if concurrency == 1:
        return list(map(held, part))
    with ThreadPoolExecutor(concurrency) as pool:
        return list(pool.map(held, part))


def others_of(cases: Sequence[DialogueCase]) -> Others:
    """Return the values of each argument over all cases: what a caller may say by mistake.

    They are kept by the calls that a turn leads to, because "item" is something else for each tool.
    """
    found: dict[str, dict[str, str]] = {}
    for case in cases:
        for turn in case.turns:
            for name, forms in turn.values.items():
                known = found.setdefault(place_of(turn, name), {})
                if len(known) < _OTHERS:
                    known.setdefault(simple(forms[0]), forms[0])
    return {name: tuple(known.values()) for name, known in found.items()}
