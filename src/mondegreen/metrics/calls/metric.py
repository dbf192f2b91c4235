"""Tool calls: right calls and arguments, and stale, misheard, invented values and questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import msgspec
import numpy as np

from mondegreen import __version__
from mondegreen.data import format_of
from mondegreen.data.answers.calls import call_answers, calls_prediction
from mondegreen.data.answers.conversations import Call, expected_of
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.data.states import CORRECTED, LOST
from mondegreen.errors import DataError
from mondegreen.metrics.calls.counts import Argument, CaseCounts, count_case
from mondegreen.metrics.calls.matching import call_symptoms, in_expected_writing
from mondegreen.metrics.metric import Metric, Ratio, References, Section, setting
from mondegreen.metrics.scores.score import Score, both_sides
from mondegreen.types import MadeCall, Prediction, Utterance

COLUMNS = (
    "calls_right", "arguments_right", "arguments", "stale", "corrected", "misheard", "lost",
    "invented", "given", "asked", "lost_cases", "refused", "whole_cases", "unreadable", "made",
    "wrong", "utterances",
)  # fmt: skip
RATES = (
    Ratio.of("argument_accuracy", "arguments_right", "arguments", title="argument accuracy"),
    Ratio.of("stale_rate", "stale", "corrected", lower_is_better=True, title="stale"),
    Ratio.of("misheard_rate", "misheard", "lost", lower_is_better=True, title="misheard"),
    Ratio.of("invented_rate", "invented", "given", lower_is_better=True, title="invented"),
    Ratio.of("ask_rate", "asked", "lost_cases", title="asked"),
    Ratio.of("refusal_rate", "refused", "whole_cases", lower_is_better=True),
    Ratio.of(
        "unreadable_rate",
        "unreadable",
        "made",
        lower_is_better=True,
        columns=("unreadable", "made"),
    ),
    Ratio.of(
        "call_accuracy", "calls_right", "utterances", title="call accuracy", verb="Understands"
    ),
)


class CallsDetail(NamedTuple):
    """Both sides, and the verdict on each case."""

    refs: Sequence[Utterance]
    hyps: Sequence[Prediction]
    verdicts: Sequence[CaseCounts]

    def sides(self, item: int) -> tuple[str, str]:
        """Return the calls that are expected and those that were made, as text."""
        return shown_calls(expected_of(self.refs[item]) or ()), shown_answer(self.hyps[item])


def shown_calls(calls: Iterable[Call | MadeCall]) -> str:
    """Return calls as text.

    >>> shown_calls([MadeCall("fly", {"city": "Orlando"})])
    'fly(city="Orlando")'
    """
    texts = []
    for call in calls:
        parts = (f"{k}={_json(v)}" for k, v in call.arguments.items())
        texts.append(f"{call.name}({', '.join(parts)})")
    return "; ".join(texts) or "no call"


def shown_answer(prediction: Prediction) -> str:
    """Return an answer as text: its calls, or what it said."""
    if not prediction.calls and prediction.text:
        return f"no call: {prediction.text}"
    return shown_calls(prediction.calls or ())


def _json(value: Any) -> str:
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list | dict):
        value = value[0]  # the only possible value
    return msgspec.json.encode(value).decode()


@dataclass(frozen=True)
class CallSettings:
    """What changes the numbers of ``score calls``."""

    format_equal: str = setting(
        default="",
        help='Count "8:55" and "eight fifty-five a m" as the same argument, which BFCL does not. '
        "The language of the values, such as en.",
        metavar="LANGUAGE",
    )


def calls(
    refs: Sequence[Utterance], hyps: Sequence[Prediction], *, format_equal: str = ""
) -> Score:
    """Score the calls of answers against those that are expected, by the rules of BFCL's checker.

    Args:
        refs: cases, as ``mg.read`` returns them from a file of cases.
        hyps: one prediction per case, in the same order, with ``calls``.
        format_equal: a language, such as ``en``: values of arguments may be written or said.

    Raises:
        DataError: if references and predictions do not pair up, or if there are no calls.
    """
    refs, hyps = both_sides(refs, hyps, None)
    if format_equal:
        hyps = [in_expected_writing(*pair, format_equal) for pair in zip(refs, hyps, strict=True)]
    equal = f"|format-equal:{format_equal}" if format_equal else ""
    verdicts = [count_case(case, answer) for case, answer in zip(refs, hyps, strict=True)]
    table = np.array([_counts(one) for one in verdicts], np.int64).reshape(-1, len(COLUMNS))
    return Score(
        CALLS,
        f"mondegreen|calls|rules:bfcl{equal}|v:{__version__}",
        table,
        tuple(case.id for case in refs),
        detail=CallsDetail(refs, hyps, verdicts),
    )


def _counts(one: CaseCounts) -> tuple[int, ...]:
    states = Counter(argument.state for argument in one.arguments)
    whole = one.expected and not one.lost
    return (
        int(one.right),
        sum(argument.right for argument in one.arguments),
        len(one.arguments),
        sum(argument.stale for argument in one.arguments),
        states[CORRECTED],
        sum(argument.misheard for argument in one.arguments),
        states[LOST],
        one.invented,
        one.given,
        int(one.lost and not one.made),
        int(one.lost),
        int(whole and not one.made),
        int(whole),
        one.unreadable,
        one.calls,
        int(not one.right),
        1,
    )


def _section(
    name: str, title: str, arguments: Sequence[Argument], key: Callable[[Argument], str]
) -> Section:
    total, right = Counter(map(key, arguments)), Counter(key(one) for one in arguments if one.right)
    record = {
        group: {"right": right[group], "arguments": n, "argument_accuracy": right[group] / n}
        for group, n in sorted(total.items())
    }
    width = max(map(len, (title, *total)))
    lines = [f"\n{title:{width}} {'accuracy':>10} {'right':>8} {'arguments':>10}"]
    lines += [
        f"{group:{width}} {100 * right[group] / n:8.2f} % {right[group]:8,} {n:10,}"
        for group, n in sorted(total.items())
    ]
    return Section(name, record, lines if total else ())


class Calls(Metric):
    """Tool calls against those that are expected."""

    name = "calls"
    summary = "Tool calls: right calls and arguments; stale, misheard and invented values."
    help = """Score the tool calls of HYP against those that the cases of REF expect.

    REF holds cases as JSON lines (id, messages, tools, expected), a set of a suite made from
    them, or BFCL's cases. HYP holds one answer per case: id, and calls, tool_calls (as OpenAI
    writes them) or result (as BFCL does). A call is right by the rules of BFCL's checker."""
    examples = (
        "calls --ref cases.jsonl --hyp answers.jsonl",
        "calls --ref cases.jsonl --hyp answers.jsonl --format-equal en",
        "calls --ref BFCL_v4_simple_python.json --hyp result.json --format bfcl",
        "calls --ref suite/repairs.jsonl --hyp answers.jsonl --items items.jsonl",
    )
    columns = COLUMNS
    rates = RATES
    main = ("call_accuracy", "argument_accuracy")
    one_column = False
    settings = CallSettings
    both = ""
    label = "tool"
    of_calls = True
    totals: ClassVar[Mapping[str, Mapping[str, int]]] = {
        "argument_errors": {"arguments": 1, "arguments_right": -1}
    }

    def references(self, side: Side, settings: CallSettings) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield the cases; some must expect calls."""
        found = format_of(side.path, side.format)
        cases = list(found.read(side.path, side.meter))
        if not any(expected_of(case) is not None for case in cases):
            raise DataError(
                f"{side.path}: no case has calls that are expected; give id, messages, tools and "
                "expected, or BFCL's question, function and possible_answer"
            )
        yield replace(Transcripts.of(side.path, found, cases), has_ids=True, items=cases)

    def hypotheses(self, side: Side, refs: Side, settings: CallSettings) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield the answers, which are JSON lines."""
        found = list(call_answers(side.path))
        ids = [one.id for one in found]
        yield Transcripts(side.path, has_ids=True, ids=ids, texts=[], items=found)

    def answers(self, refs: References, hyps: Transcripts, settings: CallSettings) -> Sequence[Any]:  # noqa: ARG002
        """Return the answers; one that is missing makes no call."""
        pairs = zip(refs.file.ids, hyps.items, strict=True)
        return [calls_prediction(id, {"calls": []}) if one is None else one for id, one in pairs]

    def score(self, refs: References, hyps: Sequence[Prediction], settings: CallSettings) -> Score:
        """Score calls."""
        return calls(refs.items, hyps, format_equal=settings.format_equal)

    def judged(self, utterances: Sequence[Utterance], predictions: Sequence[Prediction]) -> Score:
        """Score the calls that a model answers."""
        return self._score_of(utterances, utterances, predictions)

    def sections(self, score: Score, refs: References, display: Any) -> list[Section]:  # noqa: ARG002
        """Return the accuracy of arguments by their state and by their type."""
        verdicts: Sequence[CaseCounts] = score.detail.verdicts
        arguments = [argument for one in verdicts for argument in one.arguments]
        groups = (
            ("states", "state", lambda one: one.state or "not in the words"),
            ("types", "type", lambda one: one.kind),
        )
        return [_section(name, title, arguments, key) for name, title, key in groups]

    def symptoms(
        self, utterance: Utterance, prediction: Prediction, edited: Collection[int]
    ) -> list[str]:
        """Return what is wrong with the calls."""
        return call_symptoms(utterance, prediction, edited)


CALLS = Calls()
