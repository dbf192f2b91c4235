"""Self-corrections: "play jazz" becomes "play rock no wait jazz"."""

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
from mondegreen.operators.disfluent import ReparandumOperator, without_final_punctuation
from mondegreen.operators.recent import recent
from mondegreen.text.words import like
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Repairs(ReparandumOperator):
    """Say a wrong word, then correct it: "play jazz" becomes "play rock no wait jazz".

    The wrong word is of the same kind as the right one (a day for a day, a genre for a genre) or,
    with ``values``, another value of the slot. The right word and its slot are kept unchanged.

    Args:
        profile: a profile written by ``mondegreen fit disfluency``; empty for the built-in one of
            American telephone conversations.
        terms: editing terms that may follow the wrong word, such as ["no wait"]; empty for the
            built-in English list.
        values: a file written by ``mondegreen fit values``, with the values of each slot label.
    """

    name: ClassVar[str] = "repairs"
    kind: ClassVar[str] = "repair"
    default_terms: ClassVar[tuple[str, ...]] = TERMS
    corrects: ClassVar[bool] = True
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    values: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values:
            read_values(self.values)  # so that an unreadable file is an error at once

    @cached_property
    def _values(self) -> Values:
        return read_values(self.values) if self.values else {}

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return the words that follow the site, with a wrong word instead of the last.

        If the last word has no substitute, one word more is taken, then one word less at a time;
        ``None`` if no word has a substitute.
        """
        sizes = (size, size + 1, *range(size - 1, 0, -1))
        for last in [site + n - 1 for n in sizes if site + n <= len(utterance.tokens)]:
            other = self._other_value(utterance, last, draw) or _other_word(utterance, last, draw)
            if other:
                return (*utterance.tokens[site:last], *other)
        return None

    def _other_value(self, utterance: Utterance, at: int, draw: Draw) -> tuple[str, ...]:
        """Return another value of the slot that begins at a token; empty if there is no other."""
        if not self._values:
            return ()
        slot = next((slot for slot in utterance.slots if slot.start == at), None)
        if slot is None:
            return ()
        value = " ".join(utterance.tokens[slot.start : slot.end])
        others = [other for other in self._values.get(slot.label, ()) if other != value]
        return tuple(draw.choice(others).split()) if others else ()

    def resources(self) -> Sequence[Path]:
        """Return the files that the user gave."""
        return (*super().resources(), *((Path(self.values),) if self.values else ()))


_tags = recent(tag)


def _other_word(utterance: Utterance, at: int, draw: Draw) -> tuple[str, ...]:
    """Return a word of the same class, or of similar meaning; empty if there is no such word."""
    (word,) = without_final_punctuation((utterance.tokens[at],))
    lower = word.lower()
    part = _tags(utterance.tokens)[at] if needs_part(lower) else ""
    others = classmates(lower, part) or near_words(lower, part)
    return like(word, (draw.choice(others),)) if others else ()
