"""What the operators on single letters have in common."""

from __future__ import annotations

from mondegreen.operators.options import Letters
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of


class LetterOperator(WordOperator):
    """Replaces one letter of a word; its case is kept."""

    def others(self, letter: str) -> str:
        """Return the letters that a lower-case letter may become; none where it stays."""
        raise NotImplementedError

    def options(self, token: str) -> Letters | None:
        """Replace one letter."""
        word = word_of(token)
        if word is None:
            return None
        places = []
        for at, char in enumerate(word.core, start=len(word.before)):
            others = self.others(char.lower()) if char.isalpha() else ""
            if others:
                places.append((at, others.upper() if char.isupper() else others))
        return Letters(self.name, token, tuple(places)) if places else None
