"""Repeats: "play some jazz" becomes "play play some jazz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.operators.disfluent import AVERAGE, Grammar, ReparandumOperator, spoken
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Repeats(ReparandumOperator):
    """Say one word, or a few, twice: "play some jazz" becomes "play play some jazz".

    Mostly words such as "the" and "to", as speakers do.

    Args:
        profile: a file of ``mondegreen fit disfluency``; empty for telephone conversations.
        terms: what may be said between, such as ["i mean"]; empty for the English list.
    """

    name: ClassVar[str] = "repeats"
    kind: ClassVar[str] = "repeat"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    def weights(self, grammar: Grammar) -> Sequence[int]:
        """As likely at function words, taken together, as in the profile: "the the dog"."""
        seen = self._profile.reparanda[self.kind]
        if not seen.count or len(set(grammar)) == 1:
            return super().weights(grammar)
        function = AVERAGE * len(grammar) * seen.function // (seen.count * sum(grammar))
        rest = len(grammar) - sum(grammar)
        content = AVERAGE * len(grammar) * (seen.count - seen.function) // (seen.count * rest)
        return [function if word else content for word in grammar]

    def reparandum(
        self,
        utterance: Utterance,
        site: int,
        size: int,
        draw: Draw,  # noqa: ARG002 (nothing to draw)
    ) -> tuple[str, ...] | None:
        """Return the words that follow; nobody says a sign twice."""
        words = spoken(utterance.tokens[site : site + size])
        return words if all(map(_is_said, words)) else None


def _is_said(token: str) -> bool:
    return token.isalpha() or any(map(str.isalnum, token))
