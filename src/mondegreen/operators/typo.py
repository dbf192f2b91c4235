"""Typos: replace one letter with any other letter."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from mondegreen.language.input_methods import wrong_choices
from mondegreen.language.languages import ENGLISH
from mondegreen.language.languages import language as language_of
from mondegreen.language.offers import require_offer
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.letters import LetterOperator

_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "אבגדהוזחטיכלמנסעפצקרשת",
    "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह",
    "अआइईउऊएऐओऔ",
    "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
)


@dataclass(frozen=True)
class Typo(LetterOperator):
    """Replace one letter with another of the same alphabet: "jazz" becomes "jafz".

    In Chinese and Japanese, the input method gives another word that is typed with the same keys.

    Args:
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "typo"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    language: str = ENGLISH

    def __post_init__(self) -> None:
        require_offer(self.name, self.language)

    @cached_property
    def input_method(self) -> str:
        """The language whose input method is used; empty if letters are typed as they are."""
        return self.language if language_of(self.language).input != "keys" else ""

    def by_input_method(self, word: str) -> tuple[str, ...]:
        """Return the words that the input method offers for the same keys."""
        return wrong_choices(word, self.input_method)

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
