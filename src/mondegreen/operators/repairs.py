"""Repairs: "play jazz" becomes "play rock no wait jazz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.disfluency import TERMS
from mondegreen.language.tagger import tag
from mondegreen.language.values import Values, read_values
from mondegreen.language.word_classes import classmates, near_words, needs_part
from mondegreen.operators.disfluent import ReparandumOperator, spoken
from mondegreen.text.words import like
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Repairs(ReparandumOperator):
    """Say another word, then put it right: "play jazz" becomes "play rock no wait jazz".

    The other word is one of the same kind (a day for a day, a genre for a genre); or, with
    ``values``, another value of the slot. What is put right stays as it is, with its slot.

    Args:
        profile: a file of ``mondegreen fit disfluency``; empty for telephone conversations.
        terms: what may be said between, such as ["no wait"]; empty for the English list.
        values: a file of ``mondegreen fit values``: what slots of each label may hold.
    """

    name: ClassVar[str] = "repairs"
    kind: ClassVar[str] = "repair"
    usual_terms: ClassVar[tuple[str, ...]] = TERMS
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    values: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values:
            read_values(self.values)  # one that cannot be read is told of at once

    @cached_property
    def _values(self) -> Values:
        return read_values(self.values) if self.values else {}

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return the words that follow, with something else in the place of the last.

        Where nothing else can be said for it, the last is the one after it, or one before it.
        """
        sizes = (size, size + 1, *range(size - 1, 0, -1))
        for last in [site + n - 1 for n in sizes if site + n <= len(utterance.tokens)]:
            other = self._other_value(utterance, last, draw) or _other_word(utterance, last, draw)
            if other:
                return (*utterance.tokens[site:last], *other)
        return None

    def _other_value(self, utterance: Utterance, at: int, draw: Draw) -> tuple[str, ...]:
        if not self._values:
            return ()
        slot = next((slot for slot in utterance.slots if slot.start == at), None)
        if slot is None:
            return ()
        value = " ".join(utterance.tokens[slot.start : slot.end])
        others = [other for other in self._values.get(slot.label, ()) if other != value]
        return tuple(draw.choice(others).split()) if others else ()

    def resources(self) -> Sequence[Path]:
        """Return the user's files."""
        return (*super().resources(), *((Path(self.values),) if self.values else ()))


def _other_word(utterance: Utterance, at: int, draw: Draw) -> tuple[str, ...]:
    (word,) = spoken((utterance.tokens[at],))
    lower = word.lower()
    part = tag(utterance.tokens)[at] if needs_part(lower) else ""
    others = classmates(lower, part) or near_words(lower, part)
    return like(word, (draw.choice(others),)) if others else ()
