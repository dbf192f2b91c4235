"""The metric of conversations: task success, and the rate of each mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
import numpy as np

from mondegreen import __version__
from mondegreen.data.answers.conversations import Call
from mondegreen.data.dialogues.cases import DialogueCase, Values
from mondegreen.data.dialogues.reading import read_cases, read_transcripts
from mondegreen.data.dialogues.transcripts import FAILED, GAVE_UP, Transcript
from mondegreen.data.formats.format import double_id
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError
from mondegreen.metrics.conversations.judging import CAUSES, ConversationVerdict, Mark, judge
from mondegreen.metrics.metric import Metric, NoSettings, Ratio, References, Section
from mondegreen.metrics.scores.score import Score, both_sides
from mondegreen.types import Prediction, Utterance

COLUMNS = (
    "tasks_right", "turns_right", "turns", "stale", "corrected", "premature", "halves", "recovered",
    "misheard", "lost", "asked", "needless", "whole_turns", "invented", "given", "extra", "gave_up",
    "failed", "not_understood", "wrong", "utterances",
)  # fmt: skip
CONVERSATION = "conversation"
"""The column of an utterance of a run that carries a conversation."""


class KeptTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn of a case as a run keeps it."""

    user: str
    values: Values = {}
    expected: tuple[Call, ...] = ()


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """A conversation as a run keeps it: what was wanted, what happened, what went wrong where."""

    turns: tuple[KeptTurn, ...]
    transcript: Transcript
    causes: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()


def _rate(name: str, over: str, under: str, title: str, *, worse: bool = True) -> Ratio:
    return Ratio(name, lambda s: (s[over], s[under]), lower_is_better=worse, title=title)


RATES = (
    Ratio(
        "task_success",
        lambda s: (s["tasks_right"], s["utterances"]),
        title="task success",
        verb="Understands",
    ),
    _rate("call_accuracy", "turns_right", "turns", "call accuracy", worse=False),
    _rate("stale_rate", "stale", "corrected", "stale"),
    _rate("premature_rate", "premature", "halves", "premature"),
    _rate("recovery_rate", "recovered", "lost", "recovered", worse=False),
    _rate("misheard_rate", "misheard", "lost", "misheard"),
    _rate("invented_rate", "invented", "given", "invented"),
    _rate("ask_rate", "asked", "lost", "asked if lost", worse=False),
    _rate("needless_ask_rate", "needless", "whole_turns", "asked if not"),
    _rate("extra_turns", "extra", "utterances", "extra turns"),
    _rate("gave_up", "gave_up", "utterances", "gave up"),
    _rate("failed", "failed", "utterances", "failed"),
    _rate("not_understood", "not_understood", "extra", ""),
)


class ConversationsDetail(NamedTuple):
    """Both sides, and the verdict on each conversation."""

    cases: Sequence[DialogueCase]
    transcripts: Sequence[Transcript]
    verdicts: Sequence[ConversationVerdict]

    def sides(self, item: int) -> tuple[str, str]:
        """Return what the caller wanted, and what went wrong."""
        verdict = self.verdicts[item]
        return self.cases[item].turns[0].user, ", ".join(verdict.causes) or "done"


def conversations(refs: Sequence[DialogueCase], hyps: Sequence[Transcript]) -> Score:
    """Score transcripts of conversations against their cases.

    Args:
        refs: cases, as :func:`mondegreen.data.dialogues.reading.read_cases` returns them.
        hyps: one transcript per case, in the same order.

    Raises:
        DataError: if cases and transcripts do not pair up.
    """
    refs, hyps = both_sides(refs, hyps, None)
    verdicts = [judge(case, one) for case, one in zip(refs, hyps, strict=True)]
    table = np.array([counts_of_verdict(one) for one in verdicts], np.int64)
    return Score(
        CONVERSATIONS,
        f"mondegreen|conversations|rules:bfcl|v:{__version__}",
        table.reshape(-1, len(COLUMNS)),
        tuple(case.id for case in refs),
        detail=ConversationsDetail(refs, hyps, verdicts),
    )


def counts_of_verdict(one: ConversationVerdict) -> tuple[int, ...]:
    """Return the counts of a conversation, in the order of the columns."""
    lost = [value for value in one.values if value.lost]
    return (
        int(one.task),
        sum(one.turns),
        len(one.turns),
        sum(value.stale for value in one.values),
        sum(value.corrected for value in one.values),
        one.premature,
        one.incomplete,
        sum(value.right for value in lost),
        sum(value.misheard for value in lost),
        len(lost),
        sum(value.asked for value in lost),
        one.needless,
        one.whole,
        one.invented,
        one.given,
        one.extra,
        int(one.ended == GAVE_UP),
        int(one.ended == FAILED),
        one.misses,
        int(not one.task),
        1,
    )


def conversation_symptoms(
    utterance: Utterance,
    prediction: Prediction,  # noqa: ARG001 (the transcript is with the utterance)
    edited: Collection[int],  # noqa: ARG001
) -> list[str]:
    """Return what went wrong in a conversation."""
    kept = conversation_in(utterance)
    return list(kept.causes) if kept is not None else []


def conversation_in(utterance: Utterance) -> Kept | None:
    """Return the conversation that an utterance of a run carries; ``None`` if it carries none."""
    kept: Any = dict(utterance.extra).get(CONVERSATION)
    return None if kept is None else msgspec.convert(kept, Kept)


class Conversations(Metric):
    """Conversations of a caller with an agent."""

    name = "conversations"
    units = "conversations"
    summary = "Conversations of a caller with an agent: tasks done, and each kind of mistake."
    help = """Score transcripts of conversations (HYP) against the cases of REF.

    REF holds cases as JSON lines (id, turns, tools, expected), BFCL's multi-turn cases, or
    Pipecat's evals. HYP holds transcripts, as mondegreen converse --transcripts writes them."""
    examples = ("conversations --ref cases.jsonl --hyp transcripts.jsonl",)
    columns = COLUMNS
    rates = RATES
    main = ("task_success", "call_accuracy")
    one_column = False
    both = ""
    label = "tool"
    state = "cause"
    totals: ClassVar[Mapping[str, Mapping[str, int]]] = {
        "mistakes": {"stale": 1, "premature": 1, "misheard": 1, "invented": 1, "extra": 1}
    }

    def references(self, side: Side, settings: NoSettings) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield the cases."""
        cases = read_cases(side.path, side.format)
        ids, texts = [case.id for case in cases], [case.turns[0].user for case in cases]
        yield Transcripts(side.path, has_ids=True, ids=ids, texts=texts, items=cases)

    def hypotheses(self, side: Side, refs: Side, settings: NoSettings) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield the transcripts, which are JSON lines."""
        found: dict[str, Transcript] = {}
        for number, one in enumerate(read_transcripts(side.path), start=1):
            if one.id in found:
                raise double_id(side.path, number, one.id)
            found[one.id] = one
        items = list(found.values())
        yield Transcripts(side.path, has_ids=True, ids=list(found), texts=[], items=items)

    def answers(self, refs: References, hyps: Transcripts, settings: NoSettings) -> Sequence[Any]:  # noqa: ARG002
        """Return the transcripts; one that is missing cannot be judged."""
        if None in hyps.items:
            raise DataError(
                f"{hyps.path}: a transcript is missing, and an empty one is no conversation; "
                "choose --missing skip"
            )
        return hyps.items

    def score(self, refs: References, hyps: Sequence[Transcript], settings: NoSettings) -> Score:  # noqa: ARG002
        """Score conversations."""
        return conversations(refs.items, hyps)

    def sections(self, score: Score, refs: References, display: Any) -> list[Section]:  # noqa: ARG002
        """Return what went wrong."""
        verdicts: Sequence[ConversationVerdict] = score.detail.verdicts
        found = Counter(cause for one in verdicts for cause in one.causes)
        lines = [f"\n{'what went wrong':28} conversations"]
        lines += [f"{cause:28} {found[cause]:13,}" for cause in CAUSES if found[cause]]
        return [Section("causes", dict(found), lines if found else ())]

    def symptoms(
        self, utterance: Utterance, prediction: Prediction, edited: Collection[int]
    ) -> list[str]:
        """Return what went wrong in a conversation."""
        return conversation_symptoms(utterance, prediction, edited)


CONVERSATIONS = Conversations()
