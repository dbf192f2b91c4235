"""How well a question fits an argument: by names, descriptions, choices, classes, kinds and leads.

The words of the argument's name count most, then those of its description and its choices. Its
class (see ``cues.py``) tells how people ask for such values; its kind (see ``kinds.py``) which
question words they use; and what stands before the value in the caller's own turn tells its role:
what is said after "from" is asked for by "from where?".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

from mondegreen.conversations.cues import classes_of, cues, stem, words_of
from mondegreen.conversations.kinds import (
    LIKELY,
    POSSIBLE,
    UNLIKELY,
    WHAT,
    WHEN,
    finer_asked,
    finer_of,
    fits_kind,
    kinds_asked,
    kinds_of,
)
from mondegreen.text.patterns import lazy_pattern

GENERAL = words_of("""
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
_NAME, _HEAD, _TOLD, _CHOICE, _CLASS, _WEAK = 3.0, 1.5, 0.9, 3.0, 3.0, 1.2
_SUITS = {LIKELY: 1.0, POSSIBLE: 0.5, UNLIKELY: 0.25}  # by the kind that a question asks for
_TOLD_FIRST = 2.5  # how surely the first word of a description tells the class
_PARTLY = 2.0  # how surely a word before the last one of a name tells the class
_ASIDE = 0.5  # words of a question that are not what "which" asks for
_KIND = 0.5  # "what kind of" asks for every kind
_NO_THING = 0.6  # a number or a person for "what"
_ASKS_WHAT = lazy_pattern(r"\b(?:what|which)\b")
_NOT_HEAD = 0.6  # words of a name without its last one
_UNIT = 2.0  # what a number counts
_OTHER = 0.3  # a value of another finer kind
_SAME_ROLE, _OTHER_ROLE = 1.3, 0.6
_BEFORE, _AFTER = 1.0, 2.0  # a word beside the value in the caller's own turn
_FORM = 1.5  # a word of the value itself, such as "street"


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
    near: tuple[str, ...] = ()
    """Words before the value in the caller's own turn, such as "name" in "my name is owen"."""
    after: tuple[str, ...] = ()
    """Words after it, such as "ferry" in "the night ferry"."""


def kinds_of_value(argument: Askable) -> frozenset[str]:
    """Return the kinds of answers that a value is, such as "who"."""
    own = f"{argument.name} {argument.schema.get('description', '')}".lower()
    number = own if argument.schema.get("type") in _NUMBERS else ""
    classes = _traits_of(argument).classes
    sure = frozenset(cue for cue, how in classes if how >= _CLASS)
    possible = frozenset(cue for cue, _ in classes)
    if (
        argument.lead.partition(" ")[0] in _TO_PLACES or argument.lead == "on the"
    ) and not argument.schema.get("enum"):
        possible |= {"place"}
    return kinds_of(sure, possible, number, argument.forms)


_FOCUS = lazy_pattern(
    r"\b(?:which|what|whose|how many)(?: (?:kinds?|types?|sorts?) of)?"
    r"((?: (?!(?:is|are|was|were|do|does|did|would|will|should|shall|can|could|may|have|has|had|of"
    r"|in|on|at|for|to|the|your|you|i|we|it|he|she|they|there)\b)[a-z]+){1,3})"
)
"""The words after "which" and "how many" tell what is asked for: "which sport" asks for a sport."""


def _focus(text: str) -> frozenset[str]:
    found = [word for words in _FOCUS.findall(text) for word in words.split()]
    return frozenset(stem(word) for word in found if word not in GENERAL)


def _fit_by_words(
    stems: AbstractSet[str], name: str, names: frozenset[str], described: Mapping[str, float]
) -> float:
    """Return how well words fit the name and the description of an argument."""
    same = names & stems
    fit = _NAME * len(same) / sqrt(max(1, len(names)))
    fit *= 1.0 if _head_of(name) in same or not same else _NOT_HEAD
    told = sorted((described[w] for w in described.keys() & stems - names), reverse=True)
    return fit + sum(told[:2])


def fit_of(text: str, argument: Askable) -> float:
    """Return how well a question in lower case fits an argument."""
    names, described, choices, classes = _traits_of(argument)
    words = re.findall(r"[a-z']+", _KNOWN.sub(" ", text))
    stems = {stem(word) for word in words if word not in GENERAL}
    focus = _focus(text)
    fit = 0.0
    for part, weight in ((focus, 1.0), (stems - focus, _ASIDE if focus else 1.0)):
        fit += weight * _fit_by_words(part, argument.name, names, described)
    named = {stem(word) for word in words if word in ("name", "number")}
    fit += _fit_by_words(named - focus, argument.name, names, {})
    fit += _CHOICE * bool(choices & stems)
    said = {stem(word) for form in argument.forms for word in re.findall(r"[a-z]+", form.lower())}
    fit += _FORM * bool(said & stems) + _UNIT * (argument.unit in words)
    fit += _BEFORE * bool(stems.intersection(map(stem, argument.near)))
    fit += _AFTER * bool(stems.intersection(map(stem, argument.after)))
    asked = [
        sure * (_KIND if cue == "kind" else 1.0)
        for cue, sure in classes
        if cues()[cue].asked.search(text)
    ]
    kinds, own = kinds_asked(text), kinds_of_value(argument)
    surest = max(asked, default=0.0)
    fit += max(surest, _CLASS if kinds & own else 0.0) + 0.5 * (sum(asked) - surest)
    if kinds:
        fit *= _SUITS[fits_kind(kinds, own)]
    elif WHAT not in own and _ASKS_WHAT.search(text) and not (names & stems or finer_asked(text)):
        fit *= _NO_THING
    return fit * _narrowed(text, argument, own) * _led(text, argument)


@lru_cache(maxsize=4096)
def _head_of(name: str) -> str:
    """Return the stem of the last word of a name: a "light_colour" is a colour."""
    words = re.findall(r"[a-z]+", _spaced(name))
    return stem(words[-1]) if words else ""


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.partition("#")[0]).replace("_", " ").lower()


def _narrowed(text: str, argument: Askable, kinds: frozenset[str]) -> float:
    """Return how well the finer kind of a value fits: "how old" asks for no weight."""
    asked = finer_asked(text)
    told = f"{_spaced(argument.name)}\n{argument.schema.get('description', '')}".lower()
    own = finer_of(told, argument.forms, argument.unit, kinds)
    if own == {"birth"}:
        return 1.0 if "birth" in asked else _OTHER
    if not asked or not own:
        return 1.0
    return 1.0 if asked & own else _OTHER


def suits(text: str, argument: Askable) -> bool:
    """Return whether nothing tells that a question does not ask for an argument."""
    own = kinds_of_value(argument)
    return _narrowed(text, argument, own) * _led(text, argument) >= 1


def _led(text: str, argument: Askable) -> float:
    """Return how well the role fits that stands before a value in the caller's turn."""
    own = _ROLES.get(argument.lead.partition(" ")[0]) or _role_by_name(argument.name)
    if own == "to" and WHEN in kinds_of_value(argument):
        own = "until"
    asked = {role for role, pattern in _ASKED_ROLES.items() if pattern.search(text)}
    if WHEN not in kinds_asked(text):
        asked |= {role for role, pattern in _ASKED_PLACES.items() if pattern.search(text)}
    if not asked or own is None:
        return 1.0
    return _SAME_ROLE if own in asked else _OTHER_ROLE


_TO_PLACES = ("at", "in", "from", "via")


@lru_cache(maxsize=4096)
def _role_by_name(name: str) -> str | None:
    words = _spaced(name).split()
    return next((role for role, named in _NAMED_ROLES.items() if named.intersection(words)), None)


_NAMED_ROLES = {
    "from": words_of("from origin source departure pickup start old check_in"),
    "to": words_of("to target destination dropoff goal new receiver"),
    "until": words_of("until till end return checkout last"),
}
_ROLES = {
    "from": "from", "since": "from", "to": "to", "into": "to", "until": "until", "till": "until",
    "by": "by", "via": "via", "with": "with",
}  # fmt: skip
_WH = "(?:where|what|which|who|whom|whose|when)"
_ASKED_ROLES = {
    "from": lazy_pattern(
        rf"\bfrom {_WH}\b|\b{_WH}\b.* from\b|^from\b"
        r"|\b(?:start\w*|begin\w*|original|current|old)\b"
    ),
    "to": lazy_pattern(
        rf"\b(?:in)?to {_WH}\b|\b{_WH}\b.* (?:in)?to\W*$|\b(?:target|new|into)\b|^to\b"
    ),
    "until": lazy_pattern(
        rf"\b(?:until|till|to) {_WH}\b|\b{_WH}\b.* (?:until|till)\W*$"
        r"|\b(?:ends?|back|return|finish)\b"
        r"|^(?:until|till)\b"
    ),
    "by": lazy_pattern(rf"\bby {_WH}\b|\bhow .*\b(?:travel|pay|go|going|get there)|at the latest"),
    "via": lazy_pattern(rf"\bvia\b|\b{_WH}\b.*\b(?:stop|through|pass)\b|\bstop(?:s|over)?\b"),
    "with": lazy_pattern(rf"\bwith {_WH}\b|\b{_WH}\b.* with\W*$"),
}
_ASKED_PLACES = {
    "from": lazy_pattern(
        r"\b(?:leav(?:e|ing)|depart\w*|board|pick you up|collect|meet you|right now)\b"
    ),
    "to": lazy_pattern(
        r"\bwhere .*\b(?:go|going|headed|heading|arrive|get off|take|taking|bring|drop)\b"
        r"|\b(?:destination|headed|drop\w*|take you|get to)\b"
    ),
}
"""How one asks for what is said after a preposition; more verbs tell of places than of times."""


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
    spaced = _spaced(name)
    names = {stem(word) for word in re.findall(r"[a-z]+", spaced)}
    plain, _, listed = description.lower().partition(":")
    told = [w for w in re.findall(r"[a-z]+", plain) if w not in GENERAL - _HEADS]
    described = {stem(w): _HEAD if i == 0 else _TOLD for i, w in reversed([*enumerate(told)])}
    choices = {stem(w) for one in (listed, *enum) for w in re.findall(r"[a-z]+", one.lower())}
    joined = name.partition("#")[0].lower()
    words = re.findall(r"[a-z]+", spaced)
    classes = _classes_by(joined, words, told, counted=plain.startswith("number of"))
    if not classes and kind in _NUMBERS:
        classes.append(("count", _WEAK))
    special = names - {stem(word) for word in GENERAL - {"name", "number"}}
    chosen = frozenset(choices - _NO_CHOICE)
    return _Traits(frozenset(special), described, chosen, tuple(classes))


def _classes_by(
    joined: str, words: Sequence[str], told: Sequence[str], *, counted: bool
) -> list[tuple[str, float]]:
    """Return classes by the name of an argument, and less surely by its description."""
    sure = dict.fromkeys(classes_of(told), _WEAK)
    sure |= dict.fromkeys(classes_of(told[:1]), _TOLD_FIRST)
    if counted:
        sure.pop("code", None)
    parts = [word for word in words if word not in GENERAL - _HEADS]
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


_NO_CHOICE = frozenset(stem(word) for word in GENERAL)
