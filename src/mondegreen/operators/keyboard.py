"""Keyboard slips: replace one letter with that of a neighbouring key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from mondegreen.errors import OperatorError, unknown
from mondegreen.language.input_methods import slipped_keys
from mondegreen.language.languages import ENGLISH
from mondegreen.language.languages import language as language_of
from mondegreen.language.offers import require_offer
from mondegreen.language.vocabulary.keyboards import LAYOUTS, neighbours
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.letters import LetterOperator


@dataclass(frozen=True)
class Keyboard(LetterOperator):
    """Replace one letter with that of a neighbouring key: "jazz" becomes "jaxz".

    Chinese is typed in pinyin and Japanese in Latin letters, so that a slip gives other characters.

    Args:
        layout: the keyboard: qwerty, qwertz, azerty, qwerty-es, qwerty-it, inscript, dvorak,
            colemak or йцукен; empty for that of the language.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "keyboard"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    layout: str = ""
    language: str = ENGLISH

    def __post_init__(self) -> None:
        if self.layout and self.layout not in LAYOUTS:
            raise OperatorError(f"keyboard: {unknown('layout', self.layout, LAYOUTS)}")
        require_offer(self.name, self.language)

    @cached_property
    def _keys(self) -> dict[str, str]:
        return neighbours(self.layout or language_of(self.language).keyboard)

    @cached_property
    def input_method(self) -> str:
        """The language whose input method is used; empty if letters are typed as they are."""
        return self.language if language_of(self.language).input != "keys" else ""

    def by_input_method(self, word: str) -> tuple[str, ...]:
        """Return what a word becomes if a key beside the right one is hit."""
        return slipped_keys(word, self.input_method)

    def others(self, letter: str) -> str:
        """Return the letters on neighbouring keys; empty if the layout lacks the letter."""
        return self._keys.get(letter, "")
