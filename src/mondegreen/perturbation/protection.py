"""What must stay unchanged: phrases, slots, and words that mean something only as written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mondegreen.data.files.lines import read_lines
from mondegreen.kernel import compiled
from mondegreen.text.segment import split
from mondegreen.text.verbatim import look_of, verbatim_spans
from mondegreen.text.words import word_of
from mondegreen.types import Edit, Utterance

codes_of: Callable[[Sequence[str]], list[tuple[int, int]]] = (
    verbatim_spans if compiled is None else compiled.Codes(look_of, verbatim_spans).find
)
"""Returns the spans of tokens that are codes."""


@dataclass(frozen=True)
class Protection:
    """Phrases and slot labels to leave unchanged; ``every_slot`` protects all labels.

    ``codes`` protects numbers, codes, e-mail addresses, URLs, file names and quotations.
    """

    phrases: frozenset[tuple[str, ...]] = frozenset()
    labels: frozenset[str] = frozenset()
    every_slot: bool = False
    codes: bool = True

    @classmethod
    def of(
        cls, phrases: Iterable[str] = (), *, slots: bool | Iterable[str] = False, codes: bool = True
    ) -> Protection:
        """Protect phrases, slots (all of them, or those with the labels given) and codes."""
        worded = frozenset(tuple(map(_plain, split(phrase))) for phrase in phrases) - {()}
        labels = frozenset() if isinstance(slots, bool) else frozenset(slots)
        return cls(worded, labels, slots is True, codes)

    @property
    def only_codes(self) -> bool:
        """Whether nothing but codes is protected."""
        return self.codes and not (self.phrases or self.labels or self.every_slot)

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
        spans = codes_of(utterance.tokens) if self.codes else []
        if self.every_slot or self.labels:
            spans += [
                (slot.start, slot.end)
                for slot in utterance.slots
                if self.every_slot or slot.label in self.labels
            ]
        if not self.phrases:
            return spans
        words = tuple(map(_plain, utterance.tokens))
        for phrase in self.phrases:
            n = len(phrase)
            spans += [(i, i + n) for i in range(len(words) - n + 1) if words[i : i + n] == phrase]
        return spans


CODES_ONLY = Protection()
"""What is protected by default."""


def _plain(token: str) -> str:
    word = word_of(token)
    return token.lower() if word is None else word.core.lower()


def read_phrases(path: Path) -> list[str]:
    """Read protected phrases, one per line; blank lines and lines that begin with # are skipped."""
    return [line for _, line in read_lines(path) if line.strip() and not line.startswith("#")]


def touches(edits: Sequence[Edit], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether an edit changes one of the spans, or inserts something into it."""
    return any(edit.start < end and edit.end > start for edit in edits for start, end in spans)


def breaks(utterance: Utterance, edits: Sequence[Edit], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether an insertion repeats the words that follow it up to the middle of a span.

    >>> said = Utterance.of("1", "play miles davis")
    >>> [breaks(said, [Edit(1, 1, words, "", "")], [(1, 3)]) for words in (("miles",), ("uh",))]
    [True, False]
    """
    if not spans:
        return False
    for edit in edits:
        if edit.start == edit.end:
            last = edit.start
            for token in edit.tokens:
                if last == len(utterance.tokens) or utterance.tokens[last] != token:
                    break
                last += 1
            if last > edit.start and any(start < last < end for start, end in spans):
                return True
    return False
