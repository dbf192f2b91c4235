"""What an agent asks: for which value, for a confirmation, to say it again, or nothing.

The rule looks at the sentences of a reply that ask. A value whose right words stand there, with no
question word, is to be confirmed; one whose wrong words stand there is to be denied. Otherwise
the value is asked for that fits best (see ``fitting.py``); a question that joins several is taken
apart. Nearly equal fits are all answered. If none fits well, the kind of the question decides (see
``kinds.py``): "who" is answered by every value that is a person. What fits nothing is counted as
not understood, and the caller says its turn again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mondegreen.conversations.cues import words_of
from mondegreen.conversations.fitting import GENERAL, Askable, fit_of, kinds_of_value, suits
from mondegreen.conversations.kinds import LONG, WHAT, WHEN, kinds_asked
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
    r"|^(?:and |okay,? )?(?:the|your|his|her|their) [\w ]+,? please\W*$"
    r"|tell me|say (?:that|it) again|come again|pardon|repeat that|one more time)"
)
_CLOSING = lazy_pattern(
    r"\b(?:anything else(?!,? such)|(?<!or )something else|what else|else i can"
    r"|is there anything (?:more|i can|we can)|can i help"
    r"|(?:how|what) (?:can|may|could) i (?:help|do|assist)|may i help|have a (?:nice|great|good))\b"
)
_QUESTION_WORD = lazy_pattern(
    r"\b(?:what|which|when|where|who|whom|whose|why|how|extra what)\b"
    r"|\b(?:until|till|from|to|at|with|by|via|into|for)\?$"
)
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
_ENOUGH = 1.7
_GIVEN = 0.5  # how well a value fits whose words are in the question
_GIVEN_FIRST = 0.2  # the same in "four people at what time?"
_ENDS_ASKING = lazy_pattern(r"\w \w+ (?:what|which|whom?|where|when)\W*$")
_SURE = 2.5  # fits well enough that a part of a question asks for it
_QUESTION = (
    r"(?:(?:at|in|on|for|from|to|by|with|until|till|of|into|about|under|via) )?"
    r"(?:what|which|when|where|who|whom|whose|why|how)\b"
)
_PARTS = lazy_pattern(
    rf",? and (?={_QUESTION})|(?<=\bfrom) |(?<=\w) (?=(?:to|until|till) {_QUESTION})"
)
_LIST, _COMMA, _PAIR = lazy_pattern(r",? and "), lazy_pattern(rf", (?={_QUESTION})"), 2
_NEAR = 0.8  # of the best fit: fits as good as equal


class Question(NamedTuple):
    """What a reply wants, and the arguments that it is about."""

    wants: str
    names: tuple[str, ...] = ()


def question_in(reply: str, arguments: Sequence[Askable]) -> Question:
    """Return what a reply asks.

    >>> time = Askable("time", {}, ("eight",))
    >>> people = Askable("people", {}, ("four",), ("five",))
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
    names = _asked_in_parts(text, arguments, right)
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


_FILLING = (GENERAL - {"name", "number"}) | words_of("""
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


def _asks_plainly(text: str) -> bool:
    """Return whether a question has no words that tell what it asks for: "what would you like?"."""
    return all(word in _PLAIN for word in re.findall(r"[a-z']+", text))


_PLAIN = GENERAL | words_of("""
what's that's and so sorry again get getting order have having look looking help ask today
else wanted going doing able just me do done i'd
""")


def _asked_in_parts(
    text: str, arguments: Sequence[Askable], right: Sequence[str]
) -> tuple[str, ...]:
    """Return the arguments that a question asks for; for several if it joins several questions.

    "Which day, and at what time?" asks twice; so does "name and date of birth, please?", if each
    part surely fits another argument.
    """
    parts = [one for one in _PARTS.split(text) if _QUESTION_WORD.search(one)]
    if len(parts) > 1:
        found = [_asked(one, arguments, right) or _asked_by_kind(one, arguments) for one in parts]
        names = dict.fromkeys(name for one in found for name in one)
        if all(found) and len(names) > 1:
            return tuple(names)
    for listed in (_LIST.split(text), _COMMA.split(text)):
        found = [_asked(one, arguments, right, _SURE) for one in listed]
        if len(found) == _PAIR and all(len(one) == 1 for one in found) and found[0] != found[1]:
            return (*found[0], *found[1])
    return _asked(text, arguments, right)


def _asked(
    text: str, arguments: Sequence[Askable], given: Sequence[str] = (), enough: float = _ENOUGH
) -> tuple[str, ...]:
    """Return the arguments that fit a question best; those whose words it gives fit less."""
    known = _GIVEN_FIRST if _ENDS_ASKING.search(text) else _GIVEN
    fits = {
        one.name: fit_of(text, one) * (known if one.name in given else 1.0) for one in arguments
    }
    best = max(fits.values(), default=0.0)
    if best < enough:
        return ()
    near = [one for one in arguments if fits[one.name] >= _NEAR * best]
    valued = [one.name for one in near if one.forms]
    return tuple(valued or [one.name for one in near])


def _asked_by_kind(text: str, arguments: Sequence[Askable]) -> tuple[str, ...]:
    """Return all values of the kind that a question asks for; of things, the only one."""
    asked = kinds_asked(text)
    if not asked and _QUESTION_WORD.search(text) and _asks_plainly(text):
        things = [one.name for one in arguments if one.forms and WHAT in kinds_of_value(one)]
        return tuple(things) if len(things) == 1 else ()
    of_kind = [one for one in arguments if one.forms and asked & kinds_of_value(one)]
    lasting = [one for one in arguments if WHEN in asked and LONG in kinds_of_value(one)]
    found = [one.name for one in of_kind if suits(text, one)] or [one.name for one in lasting]
    return tuple(found)
