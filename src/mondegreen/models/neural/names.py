"""What a network's numbers stand for: words, tags and labels, as the training data has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from mondegreen.types import Utterance

PADDING, UNKNOWN = 0, 1
_FIRST_WORD = 2


class Names(msgspec.Struct, frozen=True):
    """The words, tags and labels that a network knows, each in a fixed order.

    Words are lower-case; frequent ones come first, and those from ``rare`` on were seen once.
    """

    words: tuple[str, ...]
    rare: int
    tags: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, data: Sequence[Utterance]) -> Names:
        """Collect the names of training data.

        >>> said = Utterance.of("u1", "play Play jazz", label="play_music")
        >>> Names.of([said])
        Names(words=('play', 'jazz'), rare=1, tags=('O',), labels=('play_music',))
        """
        counts = Counter(token.lower() for said in data for token in said.tokens)
        words = sorted(counts, key=lambda word: (-counts[word], word))
        kinds = sorted({slot.label for said in data for slot in said.slots})
        return cls(
            words=tuple(words),
            rare=sum(count > 1 for count in counts.values()),
            tags=("O", *(f"{edge}-{kind}" for kind in kinds for edge in "BI")),
            labels=tuple(sorted({said.label for said in data if said.label is not None})),
        )

    def word_numbers(self) -> dict[str, int]:
        """Number the words: 0 is padding, 1 any word that is not known."""
        return {word: i for i, word in enumerate(self.words, start=_FIRST_WORD)}

    @property
    def first_rare(self) -> int:
        """The number of the first word that was seen only once."""
        return self.rare + _FIRST_WORD

    @property
    def word_count(self) -> int:
        """How many numbers there are for words, padding and the unknown word among them."""
        return len(self.words) + _FIRST_WORD
