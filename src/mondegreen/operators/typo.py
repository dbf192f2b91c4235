"""Typos: replace one letter with any other letter."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.letters import LetterOperator

_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
)


@dataclass(frozen=True)
class Typo(LetterOperator):
    """Replace one letter with another of the same alphabet: "jazz" becomes "jafz"."""

    name: ClassVar[str] = "typo"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    def others(self, letter: str) -> str:
        """Return the other letters of the alphabet; an accented letter counts as its base."""
        return _rest_of_alphabet(letter)


@cache
def _rest_of_alphabet(letter: str) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    for alphabet in _ALPHABETS:
        if base in alphabet:
            return alphabet.replace(base, "")
    return ""
