"""What must stay as it is: phrases and slots that no edit may touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mondegreen.data.lines import read_lines
from mondegreen.language.segment import split
from mondegreen.language.words import word_of
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Protection:
    """Phrases, and the labels of slots, that stay; ``every_slot`` for all labels."""

    phrases: frozenset[tuple[str, ...]] = frozenset()
    labels: frozenset[str] = frozenset()
    every_slot: bool = False

    @classmethod
    def of(cls, phrases: Iterable[str], *, slots: bool | Iterable[str]) -> Protection | None:
        """Make a protection of phrases and of slots; ``None`` where nothing is protected."""
        worded = frozenset(tuple(map(_plain, split(phrase))) for phrase in phrases) - {()}
        labels = frozenset() if isinstance(slots, bool) else frozenset(slots)
        if not worded and not labels and slots is not True:
            return None
        return cls(worded, labels, slots is True)

    def spans(self, utterance: Utterance) -> list[tuple[int, int]]:
        """Return the stretches of tokens that stay as they are.

        >>> Protection.of(["Miles Davis"], slots=False).spans(
        ...     Utterance.of("1", "play miles davis!")
        ... )
        [(1, 3)]
        """
        spans = [
            (slot.start, slot.end)
            for slot in utterance.slots
            if self.every_slot or slot.label in self.labels
        ]
        words = tuple(map(_plain, utterance.tokens)) if self.phrases else ()
        for phrase in self.phrases:
            n = len(phrase)
            spans += [(i, i + n) for i in range(len(words) - n + 1) if words[i : i + n] == phrase]
        return spans


def _plain(token: str) -> str:
    word = word_of(token)
    return token.lower() if word is None else word.core.lower()


def read_phrases(path: Path) -> list[str]:
    """Read protected phrases, one a line; blank lines and lines that begin with # say nothing."""
    return [line for _, line in read_lines(path) if line.strip() and not line.startswith("#")]
