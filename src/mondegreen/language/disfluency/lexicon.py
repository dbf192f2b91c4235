"""The words by which the disfluencies of a language are recognised, and classes of its words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mondegreen.language.disfluency.fillers import filler_list
from mondegreen.language.vocabulary.word_classes import CONTENT, family

REPARANDA = ("repeat", "partial", "repair", "restart")
TYPES = (*REPARANDA, "discourse", "filler")
"""The types of disfluency, in the order in which profiles and operators list them."""
REPEAT, PARTIAL, REPAIR, RESTART, REPAIRED_WORDS, DROPPED_WORDS, EARLY = "@~%^=!>"
"""The marks of reparanda in the contents of gaps (see ``gaps.py``)."""
KIND_OF = {
    REPEAT: "repeat",
    PARTIAL: "partial",
    REPAIR: "repair",
    RESTART: "restart",
    REPAIRED_WORDS: "repair",
    DROPPED_WORDS: "restart",
    EARLY: "repair",
}
CLASS = "#"
"""The first letter of the name of a class of words."""


@dataclass(frozen=True)
class Lexicon:
    """Words and phrases that belong to no message, and the function words of a language.

    Args:
        pauses: filled pauses, such as "uh".
        markers: discourse markers, such as "you know".
        terms: editing terms, which come between an error and its correction, such as "i mean".
        function: function words; ``None`` for the classes of English words.
    """

    pauses: tuple[str, ...]
    markers: tuple[str, ...]
    terms: tuple[str, ...]
    function: tuple[str, ...] | None = None

    __hash__ = object.__hash__  # so that what is computed from a lexicon can be cached by it

    @cached_property
    def phrases(self) -> dict[tuple[str, ...], str]:
        """The role of each phrase, by its words: E, D or F."""
        roles = (("E", self.terms), ("D", self.markers), ("F", self.pauses))
        return {tuple(one.split()): role for role, phrases in roles for one in phrases}

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest phrase."""
        return max(map(len, self.phrases), default=0)

    @cached_property
    def interjections(self) -> frozenset[str]:
        """All words of all phrases."""
        return frozenset(word for phrase in self.phrases for word in phrase)

    @cached_property
    def _pauses(self) -> frozenset[str]:
        return frozenset(self.pauses)

    @cached_property
    def _function(self) -> frozenset[str]:
        return frozenset(self.function or ())

    def phrase_at_start(self, words: tuple[str, ...]) -> tuple[int, str]:
        """Return length and role of the longest phrase that words begin with; 0 without one.

        >>> ENGLISH.phrase_at_start(("you", "know", "what")), ENGLISH.phrase_at_start(("jazz",))
        ((2, 'D'), (0, ''))
        """
        for size in range(min(self.longest, len(words)), 0, -1):
            role = self.phrases.get(words[:size])
            if role:
                return size, role
        return 0, ""

    def family(self, word: str) -> str:
        """Return the class of a word: one of the English classes, or function or content."""
        if self.function is None:
            return family(word)
        if word in self._function:
            return "function"
        return "numbers" if any(map(str.isdigit, word)) else CONTENT

    def is_function(self, word: str) -> bool:
        """Return whether a word is a function word."""
        if self.function is None:
            return family(word) != CONTENT
        return word in self._function

    def kind_of(self, content: str) -> str:
        """Return the type of disfluency of the content of a gap; empty for an empty content.

        >>> [ENGLISH.kind_of(one) for one in ("uh @1", "uh um", "uh you know", "")]
        ['repeat', 'filler', 'discourse', '']
        """
        words = content.split()
        for piece in words:
            if piece[0] in KIND_OF:
                return KIND_OF[piece[0]]
        return "" if not words else "filler" if self._pauses.issuperset(words) else "discourse"


ENGLISH = Lexicon(
    pauses=(*filler_list("en").fillers, "oh", "huh", "uh-huh", "mm"),
    markers=(
        "you know", "well", "like", "so", "now", "see", "say", "anyway", "actually", "you see",
    ),
    terms=("i mean", "no wait", "sorry", "or rather", "no", "wait", "or", "make that", "i meant"),
)  # fmt: skip


def lexicon_for(language: str) -> Lexicon:
    """Return what is known of a language before anything is learnt from its texts."""
    if language == "en":
        return ENGLISH
    known = filler_list(language)
    return Lexicon(known.fillers, known.markers, known.terms, function=())
