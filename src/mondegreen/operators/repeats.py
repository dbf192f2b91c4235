"""Repeats: "play some jazz" becomes "play play some jazz"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.operators.disfluent import ReparandumOperator, spoken
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Repeats(ReparandumOperator):
    """Say one word, or a few, twice: "play some jazz" becomes "play play some jazz".

    Args:
        profile: a file of ``mondegreen fit disfluency``; empty for telephone conversations.
        terms: what may be said between, such as ["i mean"]; empty for the English list.
    """

    name: ClassVar[str] = "repeats"
    kind: ClassVar[str] = "repeat"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

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
