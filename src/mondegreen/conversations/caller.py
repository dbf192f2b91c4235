"""The caller: says the turns of a case, answers what the agent asks, and gives up at some point.

It needs no language model: what it says depends on the case, the manner, and the agent's replies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mondegreen.conversations import wording
from mondegreen.conversations.agents.protocol import MOST_STEPS, Reply, Session
from mondegreen.conversations.fitting import Askable, kinds_of_value
from mondegreen.conversations.questions import (
    AGAIN,
    AGREE,
    CONFIRM,
    DENY,
    NOTHING,
    UNKNOWN,
    VALUE,
    Question,
    question_in,
)
from mondegreen.conversations.secrets import without_secrets
from mondegreen.conversations.speaking import (
    Around,
    Manner,
    SpokenTurn,
    around_values,
    halves,
    speak,
    with_wrong_value,
)
from mondegreen.conversations.tools import Tools
from mondegreen.data.dialogues.cases import DialogueCase, Turn, Values, utterance_of_turn
from mondegreen.data.dialogues.transcripts import (
    ANSWER,
    CONFIRMATION,
    CORRECTION,
    DENIAL,
    DONE,
    FAILED,
    GAVE_UP,
    HALF,
    REPEAT,
    REST,
    TURN,
    Exchange,
    HeardValue,
    Transcript,
)
from mondegreen.data.states import CORRECTED, LOST
from mondegreen.errors import ModelError
from mondegreen.metrics.calls.rules import properties_of
from mondegreen.types import MadeCall, Utterance

Others = dict[str, tuple[str, ...]]
"""Values of arguments in other cases, which the caller may say by mistake; see ``place_of``."""


def place_of(turn: Turn, name: str) -> str:
    """Return the place of an argument: the calls that its turn leads to, and its name."""
    return "\x1f".join((*sorted({call.name for call in turn.expected}), name))


class _LostPatienceError(Exception):
    """The agent has asked once too often."""


class Caller:
    """One conversation of a case with a session of an agent."""

    def __init__(
        self, case: DialogueCase, manner: Manner, session: Session, tools: Tools, others: Others
    ) -> None:
        self._case, self._manner = case, manner
        self._session, self._tools, self._others = session, tools, others
        self._exchanges: list[Exchange] = []
        self._wrong: dict[str, list[str]] = {}

    def converse(self) -> Transcript:
        """Hold the conversation, and return its transcript."""
        ended, error = DONE, ""
        try:
            for at, turn in enumerate(self._case.turns):
                if turn.tools:
                    self._session.offer(turn.tools)
                reply = self._said_turn(at, turn)
                self._settled(at, turn, reply)
                self._tools.end_turn(turn.expected)
        except _LostPatienceError:
            ended = GAVE_UP
        except ModelError as failure:
            ended, error = FAILED, without_secrets(str(failure))
        if ended != DONE:
            for turn in self._case.turns[self._turns_ended :]:
                self._tools.end_turn(turn.expected)
        return Transcript(
            self._case.id,
            tuple(self._exchanges),
            ended,
            error,
            self._tools.verdict(),
            self._session.take_tokens(),
        )

    @property
    def _turns_ended(self) -> int:
        return self._exchanges[-1].turn if self._exchanges else 0

    def _said_turn(self, at: int, turn: Turn) -> Reply:
        """Say a turn: at once, in two halves, or with a value that is then corrected."""
        id, manner = self._case.id, self._manner
        utterance = utterance_of_turn(id, turn.user, turn.values)
        if manner.chance(id, "split", at, manner.split):
            parts = halves(utterance, manner.draw(id, "halves", at))
            if parts is not None:
                self._exchange(at, HALF, parts.first, turn.values)
                return self._exchange(at, REST, parts.rest, turn.values)
        if not self._has_state and manner.chance(id, "correct", at, manner.correct):
            draw = manner.draw(id, "wrong", at)
            others = {name: self._others.get(place_of(turn, name), ()) for name in turn.values}
            wrong = with_wrong_value(utterance, turn.values, others, draw)
            if wrong is not None:
                right = turn.values[wrong.name][0]
                taken_back = {wrong.name: wrong.words}
                self._exchange(
                    at, TURN, wrong.utterance, turn.values, meant=turn.user, taken_back=taken_back
                )
                around = around_values(utterance).get(wrong.name, Around())
                words = wording.correction(right, draw, lead=around.lead, unit=around.unit).text
                return self._exchange(
                    at,
                    CORRECTION,
                    self._worded(words, {wrong.name: turn.values[wrong.name]}),
                    turn.values,
                )
        return self._exchange(at, TURN, utterance, turn.values)

    @property
    def _has_state(self) -> bool:
        return bool(self._case.backend.classes) or self._case.backend.state is not None

    def _worded(self, text: str, values: Values) -> Utterance:
        return utterance_of_turn(self._case.id, text, values)

    def _exchange(
        self,
        at: int,
        kind: str,
        utterance: Utterance,
        values: Values,
        *,
        meant: str | None = None,
        asked: Sequence[str] = (),
        taken_back: Values | dict[str, str] | None = None,
        understood: bool = True,
    ) -> Reply:
        """Say something, let the tools run, and keep what was said and answered."""
        n = len(self._exchanges)
        again = "" if kind in (TURN, HALF, REST) else f"{self._case.id}\x1f{n}"
        spoken = _as_written(utterance)
        if self._manner.operators:
            spoken = speak(utterance, values, self._manner, again)
        heard = [_taken_back(one, taken_back or {}) for one in spoken.values]
        for one in heard:
            wrong = [one.words] if one.state == LOST and one.words else []
            wrong += [one.taken_back] if one.taken_back else []
            self._wrong.setdefault(one.name, []).extend(wrong)
        intended = utterance.text if meant is None else meant
        exchange = Exchange(
            at,
            kind,
            intended,
            None if spoken.said == intended else spoken.said,
            None if spoken.heard == spoken.said else spoken.heard,
            tuple(heard),
            tuple(asked),
            understood=understood,
        )
        self._exchanges.append(exchange)  # kept even if the agent fails
        reply, results = self._answered(spoken.heard)
        self._exchanges[-1] = Exchange(
            at,
            kind,
            intended,
            exchange.said,
            exchange.heard,
            exchange.values,
            exchange.asked,
            without_secrets(reply.text),
            reply.calls,
            tuple(results),
            understood,
        )
        return reply

    def _answered(self, text: str) -> tuple[Reply, list[Any]]:
        """Return the agent's answer, after the calls that it makes on the way to it."""
        reply = self._session.say(text)
        texts, calls, results = [reply.text], list(reply.calls), []
        results += [self._tools.run(call) for call in reply.calls]
        steps = 0
        while reply.awaits and reply.calls:
            steps += 1
            if steps > MOST_STEPS:
                raise ModelError(f"the agent calls tools without end: {MOST_STEPS} times in a row")
            reply = self._session.results(results[-len(reply.calls) :])
            texts.append(reply.text)
            calls += reply.calls
            results += [self._tools.run(call) for call in reply.calls]
        said = "\n".join(text for text in texts if text)
        return Reply(said, tuple(map(_masked, calls))), [_plain(one) for one in results]

    def _settled(self, at: int, turn: Turn, reply: Reply) -> None:
        """Answer what the agent asks about a turn, until it asks no more.

        Raises:
            _LostPatienceError: if it asks the same once too often.
        """
        asked: Counter[tuple[str, ...]] = Counter()
        arguments = self._arguments(at)
        known = {name for one in self._case.turns[: at + 1] for name in one.values}
        while True:
            arguments = [
                one._replace(wrong=tuple(self._wrong.get(one.name, ()))) for one in arguments
            ]
            question = question_in(reply.text, arguments)
            if self._needs_nothing(question, reply, at, turn, known):
                return
            topic = question.names or (question.wants,)
            asked[topic] += 1
            if asked[topic] > self._manner.patience:
                raise _LostPatienceError
            about = [one for one in arguments if one.name in question.names]
            reply = self._reaction(at, turn, question, asked[topic] - 1, about, reply.text)

    def _needs_nothing(
        self, question: Question, reply: Reply, at: int, turn: Turn, known: set[str]
    ) -> bool:
        """Return whether the caller goes on with its next turn: it answers what is asked, if so."""
        if question.wants == NOTHING:
            return True
        if question.wants == DENY and "?" not in reply.text and reply.calls:
            return True  # what is done is done
        about_values = question.wants in (VALUE, CONFIRM, DENY)
        if reply.calls and not about_values:
            return True  # "Booked. Would you like a receipt?"
        is_last = at + 1 == len(self._case.turns)
        if is_last or (question.names and known.issuperset(question.names)):
            return False
        later = {name for one in self._case.turns[at + 1 :] for name in one.values}
        return not turn.expected or bool(later.intersection(question.names))

    def _arguments(self, at: int) -> list[Askable]:
        """Return what may be asked for: what the caller knows, and what the tools need."""
        turns = self._case.turns
        values: Values = {}
        for one in (*turns[at + 1 :], *turns[: at + 1]):
            values |= one.values
        functions = self._case.functions
        schemas: dict[str, Any] = {}
        wanted = [call.name for call in turns[at].expected] or list(functions)
        for name in (*functions, *wanted):
            schemas |= properties_of(functions.get(name, {}).get("parameters") or {})
        needed = [
            name
            for call in turns[at].expected
            for name in properties_of(functions.get(call.name, {}).get("parameters") or {})
        ]
        names = dict.fromkeys((*values, *needed))
        around: dict[str, Around] = {}
        for one in (*turns[at + 1 :], *turns[: at + 1]):
            around |= around_values(utterance_of_turn(self._case.id, one.user, one.values))
        return [
            Askable(
                name,
                schemas.get(name.partition("#")[0], {}),
                values.get(name, ()),
                (),
                *around.get(name, ()),
            )
            for name in names
        ]

    def _reaction(
        self,
        at: int,
        turn: Turn,
        question: Question,
        times: int,
        about: Sequence[Askable],
        asked: str,
    ) -> Reply:
        """Say what a question asks for."""
        values = {name: forms for one in self._case.turns for name, forms in one.values.items()}
        about = [one for one in about if one.name in values]
        forms = [values[one.name] for one in about]
        leads = [one.lead for one in about]
        kinds = kinds_of_value(about[0]) if about else frozenset()
        draw = self._manner.draw(self._case.id, "words", len(self._exchanges))
        kind, understood = ANSWER, question.wants != UNKNOWN
        if question.wants == CONFIRM:
            kind, words = CONFIRMATION, wording.confirmation(forms, draw)
        elif question.wants == DENY and forms:
            kind, words = DENIAL, wording.denial(forms, times, leads=leads, kinds=kinds)
        elif question.wants == AGREE:
            kind, words = CONFIRMATION, wording.Wording(wording.AGREED)
        elif question.wants in (AGAIN, UNKNOWN):
            return self._repeated(at, turn, understood=understood)
        elif not forms:
            words = wording.Wording(wording.NO_IDEA)
        elif len(forms) > 1:
            words = wording.both(forms, leads)
        else:
            words = wording.answer(
                forms[0], times, draw, kinds=kinds, question=asked, unit=about[0].unit
            )
        given = {name: values[name] for name in question.names if name in values}
        utterance = self._worded(words.text, {} if kind == CONFIRMATION else given)
        return self._exchange(at, kind, utterance, values, asked=question.names)

    def _repeated(self, at: int, turn: Turn, *, understood: bool) -> Reply:
        """Say the whole turn again."""
        utterance = self._worded(turn.user, turn.values)
        return self._exchange(
            at, REPEAT, utterance, turn.values, asked=tuple(turn.values), understood=understood
        )


def _as_written(utterance: Utterance) -> SpokenTurn:
    values = tuple(
        HeardValue(one.label, "kept", utterance.words_of(one)) for one in utterance.slots
    )
    return SpokenTurn(utterance.text, utterance.text, values)


def _taken_back(heard: HeardValue, wrong: dict[str, Any]) -> HeardValue:
    """Return a value that the caller will take back as such."""
    if heard.name not in wrong or heard.state == LOST:
        return heard
    return HeardValue(heard.name, CORRECTED, heard.words, wrong[heard.name])


def _masked(call: MadeCall) -> MadeCall:
    return MadeCall(call.name, without_secrets(call.arguments))


def _plain(result: Any) -> Any:
    """Return a result that JSON can hold, without secrets."""
    import msgspec

    try:
        msgspec.json.encode(result)  # also finds half characters
        return without_secrets(msgspec.to_builtins(result))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return without_secrets(ascii(result))
