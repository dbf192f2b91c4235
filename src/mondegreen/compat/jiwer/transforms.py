"""The transforms of jiwer: steps that prepare sentences before they are compared."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any


class AbstractTransform:
    """A step that changes one sentence, or each sentence of a list."""

    def __call__(self, sentences: str | list[str]) -> Any:
        """Apply the step.

        Raises:
            ValueError: if the input is neither a string nor a list.
        """
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if isinstance(sentences, list):
            return self.process_list(sentences)
        raise ValueError(f"input {sentences} was expected to be a string or list of strings")

    def process_string(self, s: str) -> Any:
        """Change one sentence."""
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:
        """Change each sentence of a list."""
        return [self.process_string(sentence) for sentence in inp]


class Compose:
    """Several transforms, one after the other."""

    def __init__(self, transforms: list[AbstractTransform]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        """Apply them in order."""
        for transform in self.transforms:
            text = transform(text)
        return text


class _PerSentence(AbstractTransform):
    """A transform that is one function of a sentence."""

    def __init__(self, change: Callable[[str], str]) -> None:
        self._change = change

    def process_string(self, s: str) -> str:
        return self._change(s)


class _ToTokens(AbstractTransform):
    """A transform that turns every sentence into a list of tokens."""

    def tokens(self, sentence: str) -> list[str]:
        raise NotImplementedError

    def process_string(self, s: str) -> list[list[str]]:
        return [self.tokens(s)]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        return [self.tokens(sentence) for sentence in inp] or [[]]


class ReduceToListOfListOfWords(_ToTokens):
    """Split every sentence into words."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def tokens(self, sentence: str) -> list[str]:
        """Return the words of a sentence."""
        return [word for word in sentence.split(self.word_delimiter) if word]


class ReduceToListOfListOfChars(_ToTokens):
    """Split every sentence into characters."""

    def tokens(self, sentence: str) -> list[str]:
        """Return the characters of a sentence."""
        return list(sentence)


class ReduceToSingleSentence(AbstractTransform):
    """Join all sentences that are not empty."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        """Return a single sentence as it is."""
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        """Return a list of one sentence, or of none."""
        filled = [sentence for sentence in inp if sentence]
        return [self.word_delimiter.join(filled)] if filled else []


class SubstituteRegexes(_PerSentence):
    """Replace what regular expressions match, in order."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions
        rules = [(re.compile(pattern), text) for pattern, text in substitutions.items()]
        super().__init__(lambda sentence: _substituted(rules, sentence))


class SubstituteWords(_PerSentence):
    """Replace whole words."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions
        rules = [
            (re.compile(rf"\b{re.escape(word)}\b"), text) for word, text in substitutions.items()
        ]
        super().__init__(lambda sentence: _substituted(rules, sentence))


def _substituted(rules: Iterable[tuple[re.Pattern[str], str]], sentence: str) -> str:
    for pattern, text in rules:
        sentence = pattern.sub(text, sentence)
    return sentence


class RemoveSpecificWords(SubstituteWords):
    """Replace words by a space."""

    def __init__(self, words_to_remove: list[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class RemoveWhiteSpace(_PerSentence):
    """Remove white space, or make each character of it a space."""

    def __init__(self, replace_by_space: bool = False) -> None:  # noqa: FBT001, FBT002 (as jiwer)
        table = str.maketrans(dict.fromkeys(string.whitespace, " " if replace_by_space else ""))
        super().__init__(lambda sentence: sentence.translate(table))


@cache
def _without_punctuation() -> dict[int, None]:
    codes = range(sys.maxunicode + 1)
    return {code: None for code in codes if unicodedata.category(chr(code)).startswith("P")}


class RemovePunctuation(_PerSentence):
    """Remove every character whose Unicode category is punctuation."""

    def __init__(self) -> None:
        super().__init__(lambda sentence: sentence.translate(_without_punctuation()))


class RemoveMultipleSpaces(_PerSentence):
    """Make each run of white space one space; a single character of it stays."""

    def __init__(self) -> None:
        super().__init__(lambda sentence: re.sub(r"\s\s+", " ", sentence))


class Strip(_PerSentence):
    """Remove white space at both ends."""

    def __init__(self) -> None:
        super().__init__(str.strip)


class RemoveEmptyStrings(AbstractTransform):
    """Remove sentences without text."""

    def process_string(self, s: str) -> str:
        """Return a sentence without white space at its ends."""
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        """Return the sentences with text, as they are."""
        return [sentence for sentence in inp if sentence.strip()]


_CONTRACTIONS = {
    "won't": "will not", "can't": "can not", "let's": "let us", "n't": " not", "'re": " are",
    "'s": " is", "'d": " would", "'ll": " will", "'t": " not", "'ve": " have", "'m": " am",
}  # fmt: skip


class ExpandCommonEnglishContractions(SubstituteRegexes):
    """Write "can't" as "can not", "she'll" as "she will" and the like."""

    def __init__(self) -> None:
        super().__init__(_CONTRACTIONS)


class ToLowerCase(_PerSentence):
    """Put every letter into lower case."""

    def __init__(self) -> None:
        super().__init__(str.lower)


class ToUpperCase(_PerSentence):
    """Put every letter into upper case."""

    def __init__(self) -> None:
        super().__init__(str.upper)


class RemoveKaldiNonWords(_PerSentence):
    """Remove everything inside square or angle brackets, with the brackets."""

    def __init__(self) -> None:
        super().__init__(lambda sentence: re.sub(r"[<\[][^>\]]*[>\]]", "", sentence))
