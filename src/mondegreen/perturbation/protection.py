"""What must stay unchanged: phrases and slots that no edit may touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mondegreen.data.lines import read_lines
from mondegreen.text.segment import split
from mondegreen.text.words import word_of
from mondegreen.types import Utterance


@dataclass(frozen=True)
class Protection:
    """Phrases and slot labels to leave unchanged; ``every_slot`` protects all labels."""

    phrases: frozenset[tuple[str, ...]] = frozenset()
    labels: frozenset[str] = frozenset()
    every_slot: bool = False

    @classmethod
    def of(cls, phrases: Iterable[str], *, slots: bool | Iterable[str]) -> Protection | None:
        """Protect phrases and slots; ``None`` where nothing is protected."""
        worded = frozenset(tuple(map(_plain, split(phrase))) for phrase in phrases) - {()}
        labels = frozenset() if isinstance(slots, bool) else frozenset(slots)
        if not worded and not labels and slots is not True:
            return None
        return cls(worded, labels, slots is True)

    @property
    def phrase_texts(self) -> tuple[str, ...]:
        """The phrases as texts, in order."""
        return tuple(sorted(" ".join(phrase) for phrase in self.phrases))

    def spans(self, utterance: Utterance) -> list[tuple[int, int]]:
        """Return the spans of tokens that stay unchanged, start and end.

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
    """Read protected phrases, one per line; blank lines and lines that begin with # are skipped."""
    return [line for _, line in read_lines(path) if line.strip() and not line.startswith("#")]
