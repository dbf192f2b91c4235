"""Keyboard slips: replace one letter with that of a neighbouring key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mondegreen.errors import OperatorError, unknown
from mondegreen.language.vocabulary.keyboards import LAYOUTS, neighbours
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.letters import LetterOperator


@dataclass(frozen=True)
class Keyboard(LetterOperator):
    """Replace one letter with that of a neighbouring key: "jazz" becomes "jaxz".

    Args:
        layout: the keyboard: qwerty, qwertz, azerty, dvorak, colemak or йцукен.
    """

    name: ClassVar[str] = "keyboard"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    layout: str = "qwerty"

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise OperatorError(f"keyboard: {unknown('layout', self.layout, LAYOUTS)}")

    def others(self, letter: str) -> str:
        """Return the letters on neighbouring keys; empty if the layout lacks the letter."""
        return neighbours(self.layout).get(letter, "")
