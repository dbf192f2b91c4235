"""What an agent asks: for which value, for a confirmation, to say it again, or nothing.

The rule looks at the sentences of a reply that ask. A value whose right words stand there, with no
question word, is to be confirmed; one whose wrong words stand there is to be denied. Otherwise
the value is asked for whose name, description and class (see ``cues.py``) fit the sentence best.
Equal fits are all answered. If none fits well, the kind of
the question decides (see ``kinds.py``): "who" is answered by every value that is a person. What
fits nothing is counted as not understood, and the caller says its turn again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from mondegreen.conversations.cues import classes_of, cues, stem, words_of
from mondegreen.conversations.kinds import (
    LIKELY,
    POSSIBLE,
    UNLIKELY,
    fits_kind,
    kinds_asked,
    kinds_of,
)
from mondegreen.data.dialogues.cases import simple
from mondegreen.text.patterns import lazy_pattern

NOTHING, VALUE, CONFIRM, DENY, AGAIN, AGREE, UNKNOWN = (
    "nothing", "value", "confirm", "deny", "again", "agree", "unknown",
)  # fmt: skip
"""What a reply wants: nothing, a value, that a value is confirmed or denied, that all is said
again, a yes to go ahead; or it asks for something that the rule does not recognise."""
_SENTENCE = lazy_pattern(r"[^.!?;]*(?:[.](?=\w)[^.!?;]*)*[.!?;]?")
_REQUEST = lazy_pattern(
    r"\b(?:(?:did|could|can)(?:n't| not) (?:quite |really |fully )?"
    r"(?:get|catch|hear|understand|make out)|(?:missed|missing)\b"
    r"|please (?:tell|give|provide|specify|confirm|repeat|spell|say|enter|share|state|let|read)"
    r"|i(?:'ll| will|'d)? (?:still |also |just )?(?:need|require|want to know)|let me know"
    r"|(?:could|can|would|will) you (?:please )?"
    r"(?:tell|give|provide|specify|confirm|repeat|spell|say|share|let|read|describe|name)"
    r"|tell me|say (?:that|it) again|come again|pardon|repeat that|one more time)"
)
_CLOSING = lazy_pattern(
    r"\b(?:anything else(?!,? such)|(?<!or )something else|what else|else i can"
    r"|is there anything (?:more|i can|we can)|can i help"
    r"|(?:how|what) (?:can|may|could) i (?:help|do|assist)|may i help|have a (?:nice|great|good))\b"
)
_QUESTION_WORD = lazy_pattern(r"\b(?:what|which|when|where|who|whom|whose|why|how|extra what)\b")
_AGREEING = lazy_pattern(
    r"\b(?:shall|should|can|may|do you want me to|would you like me to) ?(?:i )?"
    r"(?:go ahead|proceed|continue|book|confirm|place|send|do (?:that|it|this)|submit|make|cancel"
    r"|start|finali[sz]e)\b|\b(?:correct|right|ok|okay|sound good|yes)\?$|go ahead\?|ready to"
    r"|is (?:that|this|it|everything) (?:all )?(?:right|correct|ok(?:ay)?)"
)
_SAID = lazy_pattern(
    r"\b(?:did you (?:say|mean)|you said|you mean|was (?:that|it)|is (?:that|it)"
    r"|so (?:that's|it's))\b"
)
_ALTERNATIVES = lazy_pattern(r"\bor\b")
_GENERAL = words_of("""
a an the of for to in on at by with from and or your you i me my it is are be do does did will
would like want need please name number value type string that this which what when where who how
many much should shall can could may have has if as any all not so was were us we our user given
used use one re s ll d m t after before about around between during until than then there here
""")
_HEADS = frozenset(("name", "number", "type", "value"))
_KNOWN = lazy_pattern(
    r"\b(?:on|at|in|for|with|to|from) (?:that|this|the|the same|those|these) \w+"
    r"|\b(?:of|in) (?:the )?day\b"
)
"""What is not asked for: "when on that day?" and "what time of day?" do not ask for the day."""
_NUMBERS = ("integer", "number", "float")
_ENOUGH = 1.6
_NAME, _HEAD, _TOLD, _CHOICE, _CLASS, _WEAK = 3.0, 1.5, 0.9, 3.0, 3.0, 1.2
_GIVEN = 0.5  # how well a value fits whose words are in the question
_SUITS = {LIKELY: 1.0, POSSIBLE: 0.5, UNLIKELY: 0.25}  # by the kind that a question asks for
_TOLD_FIRST = 2.5  # how surely the first word of a description tells the class
_PARTLY = 2.0  # how surely a word before the last one of a name tells the class
_FORM = 1.5  # a word of the value itself, such as "street"
_NEAR = 0.8  # of the best fit: fits as good as equal


class Askable(NamedTuple):
    """An argument that may be asked for: its schema, and what the caller can say for it."""

    name: str
    schema: Mapping[str, Any]
    forms: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    """Words that the agent may have taken for the value: misheard, or taken back."""
    lead: str = ""
    """What comes before the value in the caller's own turn, such as "from"."""
    unit: str = ""
    """What the value counts in the caller's own turn, such as "weeks"."""


class Question(NamedTuple):
    """What a reply wants, and the arguments that it is about."""

    wants: str
    names: tuple[str, ...] = ()


def question_in(reply: str, arguments: Sequence[Askable]) -> Question:
    """Return what a reply asks.

    >>> time = Argument("time", {}, ("eight",))
    >>> people = Argument("people", {}, ("four",), ("five",))
    >>> question_in("At what time?", [people, time])
    Question(wants='value', names=('time',))
    >>> question_in("So that is a table for five, right?", [people, time])
    Question(wants='deny', names=('people',))
    """
    asking = list(_asking(reply))
    if not asking:
        wrong = _mentioned(simple(reply), arguments, wrong=True)
        return Question(DENY, wrong) if wrong else Question(NOTHING)
    text = " ".join(asking).lower()
    words = simple(text)
    right = _mentioned(words, arguments)
    if not _QUESTION_WORD.search(text):
        found = _checked(text, words, right, arguments)
        if found is not None:
            return found
    elif _ALTERNATIVES.search(text) and len(right) == 1:
        return Question(VALUE, right)
    names = _asked(text, arguments, right)
    if names:
        return Question(VALUE, names)
    if _AGREEING.search(text) and not _QUESTION_WORD.search(text):
        return Question(AGREE)
    if _is_general(text):
        return Question(AGAIN)
    names = _asked_by_kind(text, arguments)
    return Question(VALUE, names) if names else Question(UNKNOWN)


def _asking(reply: str) -> Iterable[str]:
    """Yield the sentences that ask for something; general ones only if there are no others."""
    sentences = [one.strip() for one in _SENTENCE.findall(reply.replace("\n", ". ")) if one.strip()]
    found = [
        one
        for one in sentences
        if (one.endswith("?") or _REQUEST.search(one.lower())) and not _CLOSING.search(one.lower())
    ]
    special = [one for one in found if not _is_general(one.lower())]
    return special or found


def _is_general(sentence: str) -> bool:
    """Return whether a sentence only asks to say all of it again."""
    rest = _REQUEST.sub(" ", sentence)
    words = [word for word in re.findall(r"[a-z']+", rest) if word not in _FILLING]
    return not words and not kinds_asked(rest)


_FILLING = _GENERAL | words_of("""
sorry again pardon excuse me once more time repeat say said come beg afraid but quite catch could
couldn't didn't try whole sentence everything request there hello hear you're line bad get it's i'm
""")


def _mentioned(words: str, arguments: Sequence[Askable], *, wrong: bool = False) -> tuple[str, ...]:
    """Return the arguments whose right words are in a text; or wrong ones, and no right ones."""
    padded = f" {words} "

    def stands(forms: Iterable[str]) -> bool:
        return any(f" {simple(form)} " in padded for form in forms if simple(form))

    if not wrong:
        return tuple(one.name for one in arguments if stands(one.forms))
    return tuple(one.name for one in arguments if stands(one.wrong) and not stands(one.forms))


def _checked(
    text: str, words: str, right: tuple[str, ...], arguments: Sequence[Askable]
) -> Question | None:
    """Return a question that checks values; ``None`` if it does not."""
    if _ALTERNATIVES.search(text):
        return Question(VALUE, right) if right else None
    wrong = _mentioned(words, arguments, wrong=True)
    if not _REQUEST.search(text):
        wrong = wrong or _other_number(words, right, arguments)
    if wrong:
        return Question(DENY, wrong)
    if right:
        return Question(CONFIRM, right)
    if _SAID.search(text):
        named = _asked(text, arguments)
        alone = [one.name for one in arguments if one.forms]
        if named or len(alone) == 1:
            return Question(DENY, named or tuple(alone))
    return None


def _other_number(
    words: str, right: Sequence[str], arguments: Sequence[Askable]
) -> tuple[str, ...]:
    """Return the argument whose number is another one than that of a sentence, if it is clear."""
    known = {simple(form) for one in arguments for form in one.forms}
    numbers = [word for word in words.split() if word.isdigit() and not _in(word, known)]
    numeric = [
        one.name
        for one in arguments
        if one.name not in right and any(simple(form).isdigit() for form in one.forms)
    ]
    return tuple(numeric) if numbers and len(numeric) == 1 else ()


def _in(word: str, forms: Iterable[str]) -> bool:
    return any(word in form.split() for form in forms)


def _asked(text: str, arguments: Sequence[Askable], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the arguments that fit a question best; those whose words it gives fit less."""
    fits = {one.name: _fit(text, one) * (_GIVEN if one.name in given else 1.0) for one in arguments}
    best = max(fits.values(), default=0.0)
    if best < _ENOUGH:
        return ()
    near = [one for one in arguments if fits[one.name] >= _NEAR * best]
    valued = [one.name for one in near if one.forms]
    return tuple(valued or [one.name for one in near])


def _asked_by_kind(text: str, arguments: Sequence[Askable]) -> tuple[str, ...]:
    """Return all values of the kind that a question asks for."""
    asked = kinds_asked(text)
    return tuple(one.name for one in arguments if one.forms and asked & kinds_of_value(one))


def kinds_of_value(argument: Askable) -> frozenset[str]:
    """Return the kinds of answers that a value is, such as "who"."""
    own = f"{argument.name} {argument.schema.get('description', '')}".lower()
    number = own if argument.schema.get("type") in _NUMBERS else ""
    classes = _traits_of(argument).classes
    sure = frozenset(cue for cue, how in classes if how >= _CLASS)
    return kinds_of(sure, frozenset(cue for cue, _ in classes), number, argument.forms)


def _fit(text: str, argument: Askable) -> float:
    """Return how well a question fits an argument."""
    names, described, choices, classes = _traits_of(argument)
    words = re.findall(r"[a-z']+", _KNOWN.sub(" ", text))
    stems = {stem(word) for word in words if word not in _GENERAL}
    named = stems | {stem(word) for word in words if word in ("name", "number")}
    fit = _NAME * len(names & named) / sqrt(max(1, len(names)))
    fit += sum(sorted((described[w] for w in described.keys() & stems - names), reverse=True)[:2])
    fit += _CHOICE * bool(choices & stems)
    said = {stem(word) for form in argument.forms for word in re.findall(r"[a-z]+", form.lower())}
    fit += _FORM * bool(said & stems)
    asked = [sure for cue, sure in classes if cues()[cue].asked.search(text)]
    kinds, surest = kinds_asked(text), max(asked, default=0.0)
    by_kind = _CLASS if kinds & kinds_of_value(argument) else 0.0
    fit += max(surest, by_kind) + 0.5 * (sum(asked) - surest)
    return fit * _SUITS[fits_kind(kinds, kinds_of_value(argument))] if kinds else fit


def _traits_of(argument: Askable) -> _Traits:
    schema = argument.schema
    enum = tuple(map(str, schema.get("enum") or ()))
    described = str(schema.get("description", ""))
    return _traits(argument.name, described, str(schema.get("type", "")), enum)


class _Traits(NamedTuple):
    names: frozenset[str]
    described: Mapping[str, float]
    choices: frozenset[str]
    classes: tuple[tuple[str, float], ...]


@lru_cache(maxsize=4096)
def _traits(name: str, description: str, kind: str, enum: tuple[str, ...]) -> _Traits:
    """Return the stems of a name, of its description and choices, and the classes it may be of."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.partition("#")[0]).replace("_", " ").lower()
    names = {stem(word) for word in re.findall(r"[a-z]+", spaced)}
    plain, _, listed = description.lower().partition(":")
    told = [w for w in re.findall(r"[a-z]+", plain) if w not in _GENERAL - _HEADS]
    described = {stem(w): _HEAD if i == 0 else _TOLD for i, w in reversed([*enumerate(told)])}
    choices = {stem(w) for one in (listed, *enum) for w in re.findall(r"[a-z]+", one.lower())}
    joined = name.partition("#")[0].lower()
    words = re.findall(r"[a-z]+", spaced)
    classes = _classes_by(joined, words, told)
    if not classes and kind in _NUMBERS:
        classes.append(("count", _WEAK))
    special = names - {stem(word) for word in _GENERAL - {"name", "number"}}
    chosen = frozenset(choices - _NO_CHOICE)
    return _Traits(frozenset(special), described, chosen, tuple(classes))


def _classes_by(joined: str, words: Sequence[str], told: Sequence[str]) -> list[tuple[str, float]]:
    """Return classes by the name of an argument, and less surely by its description."""
    sure = dict.fromkeys(classes_of(told), _WEAK)
    sure |= dict.fromkeys(classes_of(told[:1]), _TOLD_FIRST)
    parts = [word for word in words if word not in _GENERAL - _HEADS]
    sure |= dict.fromkeys(classes_of(parts), _PARTLY)
    sure |= dict.fromkeys(classes_of([joined]) or classes_of(parts[-1:]), _CLASS)
    if parts[-1:] == ["name"] and len(parts) > 1 and not _PERSONS.intersection(parts):
        sure = {one: how for one, how in sure.items() if one not in ("name", "person")}
    return list(sure.items())


_PERSONS = words_of("""
first last full family middle maiden given your customer guest patient contact user caller client
applicant candidate child pupil student member employee spouse holder owner driver attendee tenant
buyer seller traveller traveler passenger person recipient receiver sender payee friend doctor
artist singer author teacher speaker pet dog cat animal animal's nick account cardholder
""")
"""Words before "name" for which it is the name of somebody, and not of a list or a currency."""


_NO_CHOICE = frozenset(stem(word) for word in _GENERAL)
