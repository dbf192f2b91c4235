"""Base class of the operators that replace single letters."""

from __future__ import annotations

from mondegreen.operators.options import Letters, Others
from mondegreen.operators.word import WordOperator
from mondegreen.text.segment import has_unspaced
from mondegreen.text.words import word_of


class LetterOperator(WordOperator):
    """Replaces one letter of a word and keeps its case."""

    def others(self, letter: str) -> str:
        """Return the letters that may replace a lower-case letter; empty if it cannot change."""
        raise NotImplementedError

    @property
    def input_method(self) -> str:
        """The language whose input method is used; empty if letters are typed as they are."""
        return ""

    @property
    def unspaced(self) -> str:
        """The language whose input method is used: it gives whole words."""
        return self.input_method

    def by_input_method(self, word: str) -> tuple[str, ...]:
        """Return what a word becomes that is typed with an input method."""
        raise NotImplementedError

    def options(self, token: str) -> Letters | Others | None:
        """Return the letters of the token that can change, and what they may become."""
        if self.input_method and has_unspaced((token,)):
            whole = word_of(token, 1)
            words = self.by_input_method(whole.core) if whole else ()
            return Others(self.name, whole, words) if whole and words else None
        word = word_of(token)
        if word is None:
            return None
        places = []
        for at, char in enumerate(word.core, start=len(word.before)):
            others = self.others(char.lower()) if char.isalpha() else ""
            if others:
                places.append((at, others.upper() if char.isupper() else others))
        return Letters(self.name, token, tuple(places)) if places else None
