"""Base class of the operators that replace single letters."""

from __future__ import annotations

from mondegreen.operators.options import Letters
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


class LetterOperator(WordOperator):
    """Replaces one letter of a word and keeps its case."""

    def others(self, letter: str) -> str:
        """Return the letters that may replace a lower-case letter; empty if it cannot change."""
        raise NotImplementedError

    def options(self, token: str) -> Letters | None:
        """Return the letters of the token that can change, and what they may become."""
        word = word_of(token)
        if word is None:
            return None
        places = []
        for at, char in enumerate(word.core, start=len(word.before)):
            others = self.others(char.lower()) if char.isalpha() else ""
            if others:
                places.append((at, others.upper() if char.isupper() else others))
        return Letters(self.name, token, tuple(places)) if places else None
