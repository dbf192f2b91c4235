"""What an agent asks: for which value, for a confirmation, to say it again, or nothing.

The rule looks at the sentences of a reply that ask. A value whose right words stand there, with no
question word, is to be confirmed; one whose wrong words stand there is to be denied. Otherwise
the value is asked for whose name, description and class (see ``cues.py``) fit the sentence best.
Equal fits are all answered. What fits nothing is a miss, which is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from mondegreen.conversations.cues import cues, stem, words_of
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
    r"|please (?:tell|give|provide|specify|confirm|repeat|spell|say|enter|share|state|let)"
    r"|i(?:'ll| will|'d)? (?:still |also |just )?(?:need|require|want to know)|let me know"
    r"|(?:could|can|would|will) you (?:please )?"
    r"(?:tell|give|provide|specify|confirm|repeat|spell|say|share|let)"
    r"|tell me|say (?:that|it) again|come again|pardon|repeat that|one more time)"
)
_CLOSING = lazy_pattern(
    r"\b(?:anything else|something else|what else|else i can|is there anything|can i help"
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
used use one re s ll d m t
""")
_ENOUGH = 1.0
_NAME, _DESCRIPTION, _CHOICE, _CLASS, _WEAK = 3.0, 1.0, 3.0, 3.0, 1.2
_GIVEN = 0.5  # how well a value fits whose words are in the question
_STRANGE = 0.4  # how well a class fits that this question word does not ask for
_PARTLY = 2.0  # how surely a word before the last one of a name tells the class
_FORM = 1.5  # a word of the value itself, such as "street"
_NEAR = 0.98  # of the best fit: fits as good as equal


class Argument(NamedTuple):
    """An argument that may be asked for: its schema, and what the caller can say for it."""

    name: str
    schema: Mapping[str, Any]
    forms: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    """Words that the agent may have taken for the value: misheard, or taken back."""


class Question(NamedTuple):
    """What a reply wants, and the arguments that it is about."""

    wants: str
    names: tuple[str, ...] = ()


def question_in(reply: str, arguments: Sequence[Argument]) -> Question:
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
    if _AGREEING.search(text):
        return Question(AGREE)
    return Question(AGAIN if _is_general(text) else UNKNOWN)


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
    return not words


_FILLING = _GENERAL | words_of("""
sorry again pardon excuse me once more time repeat say said come beg afraid but quite catch could
couldn't didn't try whole sentence everything request there hello hear you're line bad get it's i'm
""")


def _mentioned(
    words: str, arguments: Sequence[Argument], *, wrong: bool = False
) -> tuple[str, ...]:
    """Return the arguments whose right words are in a text; or wrong ones, and no right ones."""
    padded = f" {words} "

    def stands(forms: Iterable[str]) -> bool:
        return any(f" {simple(form)} " in padded for form in forms if simple(form))

    if not wrong:
        return tuple(one.name for one in arguments if stands(one.forms))
    return tuple(one.name for one in arguments if stands(one.wrong) and not stands(one.forms))


def _checked(
    text: str, words: str, right: tuple[str, ...], arguments: Sequence[Argument]
) -> Question | None:
    """Return a question that checks values; ``None`` if it does not."""
    if _ALTERNATIVES.search(text):
        return Question(VALUE, right) if right else None
    wrong = _mentioned(words, arguments, wrong=True) or _other_number(words, right, arguments)
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
    words: str, right: Sequence[str], arguments: Sequence[Argument]
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


def _asked(text: str, arguments: Sequence[Argument], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the arguments that fit a question best; those whose words it gives fit less."""
    fits = {one.name: _fit(text, one) * (_GIVEN if one.name in given else 1.0) for one in arguments}
    best = max(fits.values(), default=0.0)
    if best < _ENOUGH:
        return ()
    near = [one for one in arguments if fits[one.name] >= _NEAR * best]
    valued = [one.name for one in near if one.forms]
    return tuple(valued or [one.name for one in near])[:2]


def _fit(text: str, argument: Argument) -> float:
    """Return how well a question fits an argument."""
    names, described, choices, classes = _traits(
        argument.name,
        str(argument.schema.get("description", "")),
        str(argument.schema.get("type", "")),
        tuple(map(str, argument.schema.get("enum") or ())),
    )
    words = re.findall(r"[a-z']+", text)
    stems = {stem(word) for word in words if word not in _GENERAL}
    named = stems | {stem(word) for word in words if word in ("name", "number")}
    fit = _NAME * len(names & named) / sqrt(max(1, len(names)))
    fit += _DESCRIPTION * min(2, len(described & stems - names))
    fit += _CHOICE * bool(choices & stems)
    said = {stem(word) for form in argument.forms for word in re.findall(r"[a-z]+", form.lower())}
    fit += _FORM * bool(said & stems)
    asked = [sure for cue, sure in classes if cues()[cue].asked.search(text)]
    fit += max(asked, default=0.0) + 0.5 * (sum(asked) - max(asked, default=0.0))
    of = {cue for cue, sure in classes if sure >= _CLASS}
    strange = any(word.search(text) and not of & only for word, only in _ONLY)
    return fit * (_STRANGE if strange else 1.0)


_ONLY = (
    (lazy_pattern(r"\bwhy\b"), frozenset(("reason",))),
    (
        lazy_pattern(r"\bhow (?:many|long|much time)\b"),
        frozenset(("people", "count", "length", "money", "heat", "end")),
    ),
    (
        lazy_pattern(r"\bwho(?:m|se)?\b"),
        frozenset(("person", "name", "recipient", "guest", "company", "doctor", "artist")),
    ),
    (
        lazy_pattern(r"\bwhen\b"),
        frozenset(("time", "date", "start", "end", "length", "part", "people")),
    ),
)
"""Question words, and the only classes that they ask for."""


@lru_cache(maxsize=4096)
def _traits(
    name: str, description: str, kind: str, enum: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str], frozenset[str], tuple[tuple[str, float], ...]]:
    """Return the stems of a name, of its description and choices, and the classes it may be of."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.partition("#")[0]).replace("_", " ").lower()
    names = {stem(word) for word in re.findall(r"[a-z]+", spaced)}
    plain, _, listed = description.lower().partition(":")
    described = {stem(w) for w in re.findall(r"[a-z]+", plain) if w not in _GENERAL}
    choices = {stem(w) for one in (listed, *enum) for w in re.findall(r"[a-z]+", one.lower())}
    joined, head = name.lower(), stem((spaced.split() or [""])[-1])
    classes = []
    for cue, (words, _) in cues().items():
        if words & {joined, head}:
            classes.append((cue, _CLASS))
        elif words & names:
            classes.append((cue, _PARTLY))
        elif words & described:
            classes.append((cue, _WEAK))
    if not classes and kind in ("integer", "number", "float"):
        classes.append(("count", _WEAK))
    special = names - {stem(word) for word in _GENERAL - {"name", "number"}}
    return frozenset(special), frozenset(described), frozenset(choices - _NO_CHOICE), tuple(classes)


_NO_CHOICE = frozenset(stem(word) for word in _GENERAL)
