"""What the caller says when it is asked: a value, in other words, spelt; yes, no, a repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.data.dialogues.cases import simple
from mondegreen.draw import Draw

_ALPHABET = """
Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa
Quebec Romeo Sierra Tango Uniform Victor Whiskey Xray Yankee Zulu
"""
_LETTERS = {name[0]: name for name in _ALPHABET.split()}
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELT = 12  # letters of a value that people spell at most
_AGAIN = ("I said {}", "{}, I said", "it's {}", "that's {}")
_FIRST = ("{}", "{}", "{} please")
_CORRECTIONS = (
    "sorry, I meant {}",
    "no wait, {}",
    "actually, make that {}",
    "oh no, I mean {}",
)
YES, AGREED, NO_IDEA = "yes", "yes please", "I don't know, sorry"


class Wording(NamedTuple):
    """What the caller says."""

    text: str
    spelt: bool = False


def answer(forms: Sequence[str], times: int, draw: Draw) -> Wording:
    """Return what the caller says for a value that it is asked for, ``times`` times before.

    >>> answer(["four", "4"], 0, Draw(1, 0)).text
    'four please'
    >>> answer(["york"], 2, Draw(1, 0)).text
    'york. Y as in Yankee, O as in Oscar, R as in Romeo, K as in Kilo'
    """
    if times == 0:
        return Wording(draw.choice(_FIRST).format(forms[0]))
    if times > 1 and (spelt := _spelt(forms)) is not None:
        return Wording(spelt, spelt=True)
    other = next((form for form in forms[1:] if _is_spoken(form)), forms[0])
    return Wording(draw.choice(_AGAIN).format(other))


def both(forms: Sequence[Sequence[str]]) -> Wording:
    """Return what the caller says if several values may have been asked for."""
    return Wording(", ".join(one[0] for one in forms))


def confirmation(forms: Sequence[Sequence[str]], draw: Draw) -> Wording:
    """Return how the caller confirms values."""
    first = forms[0][0] if len(forms) == 1 else ""
    return Wording(draw.choice((YES, "yes, that's right", f"yes, {first}" if first else YES)))


def denial(forms: Sequence[Sequence[str]], times: int) -> Wording:
    """Return how the caller denies values: it gives the right ones.

    >>> denial([["the tenth"]], 0).text, denial([["the tenth"]], 1).text
    ('no, the tenth', 'no, I said the tenth')
    """
    said = " and ".join(one[0] for one in forms)
    if times > 1 and len(forms) == 1 and (spelt := _spelt(forms[0])) is not None:
        return Wording(f"no, {spelt}", spelt=True)
    return Wording(f"no, I said {said}" if times else f"no, {said}")


def correction(right: str, draw: Draw) -> Wording:
    """Return how the caller takes a value back, a turn later."""
    return Wording(draw.choice(_CORRECTIONS).format(right))


def _is_spoken(form: str) -> bool:
    """Return whether a form can be said as it is written: it has no digits and no signs."""
    return all(c.isalpha() or c in " '-" for c in form)


def _spelt(forms: Sequence[str]) -> str | None:
    """Return a value letter by letter or digit by digit; ``None`` if nobody would spell it."""
    said = forms[0]
    plain = simple(said)
    if plain.isdigit():
        if len(plain) == 1:
            return f"{said}, the number {said}"
        return f"{said}, that's {' '.join(_DIGITS[int(digit)] for digit in plain)}"
    letters = [c for c in said if c.isascii() and c.isalpha()]
    words = said.split()
    if not letters or len(words) > 2 or len(letters) > _SPELT or not _is_spoken(said):  # noqa: PLR2004
        return None
    spelt = ", ".join(f"{c.upper()} as in {_LETTERS[c.upper()]}" for c in letters)
    return f"{said}. {spelt}"
