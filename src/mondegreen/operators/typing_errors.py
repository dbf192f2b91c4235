"""Typing errors: typos, bad autocorrection, bad autocompletion and naive synonyms, mixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.errors import OperatorError
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.operators.autocomplete import Autocomplete
from mondegreen.operators.autocorrect import Autocorrect
from mondegreen.operators.options import Choice, LaterOptions, Option
from mondegreen.operators.synonym import NaiveSynonym
from mondegreen.operators.typo import Typo
from mondegreen.operators.word import WordOperator
from mondegreen.text.words import word_of

_SCALE = 1_000_000  # weights are drawn as integers


@dataclass(frozen=True)
class Typing(WordOperator):
    """Corrupt words as bad typing does: by typos, autocorrection, autocompletion or synonyms.

    Each changed word gets one of the four, drawn by their weights.

    Args:
        typo: weight of typos.
        autocorrect: weight of bad autocorrection.
        autocomplete: weight of bad autocompletion.
        synonym: weight of naive synonyms.
        common: a file of common words, written by ``mondegreen fit words``; empty for the built-in
            English list.
    """

    name: ClassVar[str] = "typing"
    english: ClassVar[bool] = True
    keeps_slots: ClassVar[bool] = False
    keeps_meaning: ClassVar[bool] = False
    default: ClassVar[Amount] = Severity(0.5)
    example: ClassVar[str] = "remind me to call the restaurant about saturday"

    typo: float = 0.05
    autocorrect: float = 0.30
    autocomplete: float = 0.30
    synonym: float = 0.35
    common: str = ""

    def __post_init__(self) -> None:
        weights = (self.typo, self.autocorrect, self.autocomplete, self.synonym)
        if min(weights) < 0 or not 0 < sum(weights) < float("inf"):
            raise OperatorError(f"typing: weights must be 0 or more, and not all 0, got {weights}")

    @cached_property
    def _parts(self) -> list[Callable[[str], Option | None]]:
        parts = (Typo(), Autocorrect(self.common), Autocomplete(self.common), NaiveSynonym())
        return [part.options for part in parts]

    @cached_property
    def _weights(self) -> tuple[int, ...]:
        weights = (self.typo, self.autocorrect, self.autocomplete, self.synonym)
        return tuple(round(weight * _SCALE) for weight in weights)

    def options(self, token: str) -> Choice | None:
        """Return a weighted choice among the four operators; ``None`` if the token is no word."""
        if word_of(token) is None:
            return None
        return Choice(tuple([LaterOptions(part, token) for part in self._parts]), self._weights)

    def resources(self) -> Sequence[Path]:
        """Return the file of common words, if the user gave one."""
        return (Path(self.common),) if self.common else ()
