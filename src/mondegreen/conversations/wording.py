"""What the caller says when it is asked: a value, in other words, spelt; yes, no, a repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.conversations.cues import words_of
from mondegreen.conversations.kinds import WHEN, WHERE, WHO
from mondegreen.data.dialogues.cases import simple
from mondegreen.draw import Draw
from mondegreen.language.vocabulary.common import common_words
from mondegreen.language.vocabulary.thesaurus import is_lemma
from mondegreen.text.patterns import lazy_pattern

_ALPHABET = """
Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa
Quebec Romeo Sierra Tango Uniform Victor Whiskey Xray Yankee Zulu
"""
_LETTERS = {name[0]: name for name in _ALPHABET.split()}
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELT = 8  # letters of a word that people spell with a name for each
_LONGEST = 12  # letters of a word that people spell at all
_AGAIN = ("I said {}", "{}, I said", "sorry, {}")
_FIRST = ("{}",)
_WANTED = ("{}", "{} please")
_WANTING = lazy_pattern(
    r"\b(?:would|do|did|should|shall|can|may) (?:you|i|we) .*\b(?:like|want|prefer|book|get"
    r"|reserve|bring|put|add|order|send)\b|\bprefer"
)
_CORRECTIONS = ("sorry, I meant {}", "no wait, {}", "sorry, {}", "wait, I meant {}")
_ALIKE = words_of("one two four eight")  # numbers that sound like other words
_KIN = words_of("""
mum mom dad mother father wife husband son daughter brother sister team boss friend neighbour me
""")
_TITLES = words_of("mr mrs ms miss mister doctor dr professor")
YES, AGREED, NO_IDEA = "yes", "yes please", "I don't know, sorry"
_NO_KINDS: frozenset[str] = frozenset()


class Wording(NamedTuple):
    """What the caller says."""

    text: str
    spelt: bool = False


def answer(
    forms: Sequence[str],
    times: int,
    draw: Draw,
    *,
    kinds: frozenset[str] = _NO_KINDS,
    question: str = "",
    unit: str = "",
) -> Wording:
    """Return what the caller says for a value that it is asked for, ``times`` times before.

    Args:
        forms: what the caller can say for the value, best first.
        times: how often it was asked before.
        draw: the draws.
        kinds: the kinds of the value: only names, places and numbers are spelt.
        question: what the agent asked: "please" answers only what asks for a wish.
        unit: what the caller counts in its own turn, such as "weeks".

    >>> answer(["four", "4"], 0, Draw(1, 0), question="how many would you like?").text
    'four please'
    >>> answer(["york"], 2, Draw(1, 0), kinds=frozenset({WHERE})).text
    'york. Y as in Yankee, O as in Oscar, R as in Romeo, K as in Kilo'
    """
    asked = question.lower()
    counted = f" {unit}" if unit not in asked else ""
    if times == 0:
        ways = _WANTED if _WANTING.search(asked) else _FIRST
        return Wording(draw.choice(ways).format(forms[0] + counted))
    if times > 1 and not counted and (spelt := _spelt(forms[0], kinds)) is not None:
        return Wording(spelt, spelt=True)
    other = next((form for form in forms[1:] if _is_spoken(form)), forms[0])
    return Wording(draw.choice(_AGAIN).format(other + counted))


def both(forms: Sequence[Sequence[str]], leads: Sequence[str] = ()) -> Wording:
    """Return what the caller says if several values may have been asked for.

    ``leads`` are the words before each value in the caller's own turn.

    >>> both([["four"], ["eight"]], ["for", "at"]).text
    'for four, at eight'
    """
    led = zip(leads or [""] * len(forms), forms, strict=True)
    return Wording(", ".join(f"{lead} {one[0]}".strip() for lead, one in led))


def confirmation(forms: Sequence[Sequence[str]], draw: Draw) -> Wording:
    """Return how the caller confirms values."""
    first = forms[0][0] if len(forms) == 1 else ""
    return Wording(draw.choice((YES, "yes, that's right", f"yes, {first}" if first else YES)))


def denial(
    forms: Sequence[Sequence[str]],
    times: int,
    *,
    leads: Sequence[str] = (),
    kinds: frozenset[str] = _NO_KINDS,
) -> Wording:
    """Return how the caller denies values: it gives the right ones.

    >>> denial([["the tenth"]], 0).text, denial([["the tenth"]], 1).text
    ('no, the tenth', 'no, I said the tenth')
    """
    said = forms[0][0] if len(forms) == 1 else both(forms, leads).text
    if times > 1 and len(forms) == 1 and (spelt := _spelt(said, kinds)) is not None:
        return Wording(f"no, {spelt}", spelt=True)
    return Wording(f"no, I said {said}" if times else f"no, {said}")


def correction(right: str, draw: Draw, *, lead: str = "", unit: str = "") -> Wording:
    """Return how the caller takes a value back, a turn later: with its preposition and unit.

    >>> correction("five", Draw(1, 0), lead="for", unit="people").text
    'sorry, for five people'
    """
    return Wording(draw.choice(_CORRECTIONS).format(f"{lead} {right} {unit}".strip()))


def _is_spoken(form: str) -> bool:
    """Return whether a form can be said as it is written: it has no digits and no signs."""
    return all(c.isalpha() or c in " '-" for c in form)


def _is_common(word: str) -> bool:
    parts = ("NOUN", "VERB", "ADJ", "ADV")
    return word in common_words() or any(is_lemma(word, part) for part in parts)


def _spelt(said: str, kinds: frozenset[str]) -> str | None:
    """Return a value letter by letter or digit by digit; ``None`` if nobody would spell it.

    Of several words the last one is spelt, such as a surname. People spell names, and places
    whose name is no common word.
    """
    plain = simple(said)
    if plain.isdigit() and WHEN not in kinds:
        if len(plain) > 1:
            return f"{said}, that's {' '.join(_DIGITS[int(digit)] for digit in plain)}"
        return f"{said}, the number {said}" if said.lower() in _ALIKE else None
    *rest, last = said.lower().split()
    if not (last.isascii() and last.isalpha()) or len(last) > _LONGEST or len(rest) > 1:
        return None
    if WHO in kinds:
        named = last not in _KIN and (not rest or rest[0] in _TITLES or not _is_common(rest[0]))
    else:
        named = WHERE in kinds and not (_is_common(last) or _is_common(last.removesuffix("s")))
    if not named:
        return None
    last = said.rsplit(maxsplit=1)[-1]
    before = f"{said}. " + (f"{last}, " if last != said else "")
    if len(last) > _SPELT:
        return before + ", ".join(last.upper())
    return before + ", ".join(f"{c} as in {_LETTERS[c]}" for c in last.upper())
