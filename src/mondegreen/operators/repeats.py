"""Repeated words: "play some jazz" becomes "play play some jazz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.languages import language as language_of
from mondegreen.language.segmentation import word_end
from mondegreen.operators.disfluent import (
    AVERAGE,
    FunctionFlags,
    RepeatingOperator,
    within_slot,
    without_final_punctuation,
)
from mondegreen.types import Utterance

_PHRASES = 1  # that are said twice, where a phrase has several written characters


@dataclass(frozen=True)
class Repeats(RepeatingOperator):
    """Say one word, or a few, twice: "play some jazz" becomes "play play some jazz".

    Function words such as "the" and "to" are repeated most often, as in real speech.

    Args:
        profile: ``assistant`` (requests to assistants, the default), ``conversation`` (American
            telephone conversations), or a file written by ``mondegreen fit disfluency``.
        terms: editing terms that may come between the two, such as ["i mean"]; empty for the
            built-in English list.
        language: code of the language whose filled pauses are used (en, de, zh, …).
    """

    name: ClassVar[str] = "repeats"
    kind: ClassVar[str] = "repeat"
    version: ClassVar[int] = 3
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    def weights(self, flags: FunctionFlags) -> Sequence[int]:
        """Return weights that give function words their share of the repeats in the profile."""
        counts = self._profile.reparanda[self.kind]
        if not counts.count or len(set(flags)) == 1:
            return super().weights(flags)
        function = AVERAGE * len(flags) * counts.function // (counts.count * sum(flags))
        rest = len(flags) - sum(flags)
        content = AVERAGE * len(flags) * (counts.count - counts.function) // (counts.count * rest)
        return [function if is_function else content for is_function in flags]

    def reparandum(
        self,
        utterance: Utterance,
        site: int,
        size: int,
        draw: Draw,  # noqa: ARG002 (nothing to draw)
    ) -> tuple[str, ...] | None:
        """Return the words that follow the site; ``None`` within a slot or if one is a sign."""
        if within_slot(utterance, site):
            return None
        tongue = language_of(self.code)
        if tongue.segments:
            size = min(size, _PHRASES)
        end = word_end(utterance.tokens, site, size, self.code)
        if tongue.segments and site and end == len(utterance.tokens):
            return None  # nobody goes back after the sentence is complete
        words = without_final_punctuation(utterance.tokens[site:end])
        while len(words) > 1 and words[-1] in tongue.final.split():
            words = words[:-1]
        return words if all(map(_has_letters_or_digits, words)) else None


def _has_letters_or_digits(token: str) -> bool:
    return token.isalpha() or any(map(str.isalnum, token))
