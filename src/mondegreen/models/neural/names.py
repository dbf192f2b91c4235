"""The vocabulary of a network: the words, tags and labels of the training data, by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from mondegreen.types import Utterance

PADDING, UNKNOWN = 0, 1
_FIRST_WORD = 2


class Names(msgspec.Struct, frozen=True):
    """The words, tags and labels that a network knows, each in a fixed order.

    Words are lower-case, the most frequent first; those from index ``rare`` on occur once.
    """

    words: tuple[str, ...]
    rare: int
    tags: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, data: Sequence[Utterance]) -> Names:
        """Collect the words, tags and labels of training data.

        >>> utterance = Utterance.of("u1", "play Play jazz", label="play_music")
        >>> Names.of([utterance])
        Names(words=('play', 'jazz'), rare=1, tags=('O',), labels=('play_music',))
        """
        counts = Counter(token.lower() for utterance in data for token in utterance.tokens)
        words = sorted(counts, key=lambda word: (-counts[word], word))
        slot_labels = sorted({slot.label for utterance in data for slot in utterance.slots})
        return cls(
            words=tuple(words),
            rare=sum(count > 1 for count in counts.values()),
            tags=("O", *(f"{prefix}-{label}" for label in slot_labels for prefix in "BI")),
            labels=tuple(
                sorted({utterance.label for utterance in data if utterance.label is not None})
            ),
        )

    def word_numbers(self) -> dict[str, int]:
        """Return the number of each word; 0 is padding, 1 is any unknown word."""
        return {word: i for i, word in enumerate(self.words, start=_FIRST_WORD)}

    @property
    def first_rare(self) -> int:
        """The number of the first word that occurs only once."""
        return self.rare + _FIRST_WORD

    @property
    def word_count(self) -> int:
        """How many numbers there are, with those for padding and the unknown word."""
        return len(self.words) + _FIRST_WORD
