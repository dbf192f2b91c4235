"""What a speaker may say by mistake in an utterance, word by word and slot by slot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mondegreen.language.disfluency.slips import slips
from mondegreen.language.vocabulary.substitutes import agrees, candidates
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.language.vocabulary.word_classes import CONTENT, family, is_ordered
from mondegreen.operators.disfluent import without_final_punctuation
from mondegreen.text.words import MARKS, core_of
from mondegreen.types import Slot, Utterance

_ARTICLES = frozenset(("a", "an"))
_BETTER = 2  # words of a similar meaning among which to draw

OtherValues = Callable[[str, tuple[str, ...]], Sequence[str]]
"""Returns other values of a slot, by its label and its words."""


class Mistakes:
    """The mistakes of one utterance, found as far as they are asked for.

    Args:
        utterance: the utterance.
        other_values: returns other values of a slot; ``None`` if none are known.
        only_slots: whether only values of slots are mistaken.
    """

    def __init__(
        self, utterance: Utterance, other_values: OtherValues | None, *, only_slots: bool = False
    ) -> None:
        self._tokens, self._all_slots = utterance.tokens, utterance.slots
        self._slots = {at: slot for slot in utterance.slots for at in range(slot.start, slot.end)}
        self._values: dict[int, Sequence[str]] = {}  # other values of slots, by their start
        self._other_values = other_values
        self._only_slots = only_slots
        self._found: dict[int, Sequence[str]] = {}
        self._has_values: bool | None = None
        self._hopeless: bool | None = None

    def ends(self, site: int, most: int) -> range:
        """Return where the wrong word may be: no other slot and no punctuation before it."""
        slots, tokens = self._slots, self._tokens
        if site in slots and slots[site].start < site:
            return range(0)
        stop = min(site + most, len(tokens))
        for at in range(site, stop - 1):
            if at in slots or tokens[at][-1] in MARKS:
                return range(site, at + 1)
        return range(site, stop)

    def is_content(self, at: int) -> bool:
        """Return whether a slot or a content word is at a position."""
        return at in self._slots or family(self._tokens[at]) == CONTENT

    def at(self, at: int) -> Sequence[str]:
        """Return what may be said for the value or the word at a position; often nothing."""
        found = self._natural(at)
        return found if found or self._only_slots or not self._is_hopeless() else self._better(at)

    def _natural(self, at: int) -> Sequence[str]:
        found = self._found.get(at)
        if found is None:
            found = self._others(at)
            if found and self._has_article(at, found):
                found = [other for other in found if agrees(self._tokens, at, other)]
            self._found[at] = found
        return found

    def _has_article(self, at: int, others: Sequence[str]) -> bool:
        """Return whether an article is before a position, or among what may be said there."""
        if at > 0 and core_of(self._tokens[at - 1]) in _ARTICLES:
            return True
        return not _ARTICLES.isdisjoint(others)

    def _others(self, at: int) -> Sequence[str]:
        slot = self._slots.get(at)
        if slot is not None:
            return self._values_of(slot) if at == slot.start else ()
        if self._only_slots or (self.is_content(at) and self._any_values()):
            return ()  # speakers correct values rather than other words
        return self._words(at)

    def _words(self, at: int) -> Sequence[str]:
        return slips(self._tokens, at, core_of(self._tokens[at]))

    def _values_of(self, slot: Slot) -> Sequence[str]:
        found = self._values.get(slot.start)
        if found is None:
            found = self._values[slot.start] = self._new_values(slot)
        return found

    def _new_values(self, slot: Slot) -> Sequence[str]:
        """Return other values of a slot; without any, with another number, day or single word."""
        single = slot.end - slot.start == 1
        if single and self._other_values is None:
            return self._words(slot.start)
        words = without_final_punctuation(self._tokens[slot.start : slot.end])
        others = self._other_values(slot.label, words) if self._other_values else ()
        if others or single:
            return others or self._words(slot.start)
        for at in reversed(range(slot.start, slot.end)):
            n = at - slot.start
            found = self._words(at) if is_ordered(words[n].lower()) else ()
            if found:
                return [" ".join((*words[:n], other, *words[n + 1 :])) for other in found]
        return ()

    def _any_values(self) -> bool:
        if self._has_values is None:
            self._has_values = any(map(self._values_of, self._all_slots))
        return self._has_values

    def _is_hopeless(self) -> bool:
        """Return whether no word of the utterance, and no value, is mistaken for another."""
        if self._hopeless is None:
            self._hopeless = not any(map(self._natural, range(len(self._tokens))))
        return self._hopeless

    def _better(self, at: int) -> Sequence[str]:
        """Return words in whose place a speaker may prefer another: "show or rather display"."""
        found = candidates(core_of(self._tokens[at]), tag(self._tokens)[at])[:_BETTER]
        return [other.word for other in found if agrees(self._tokens, at, other.word)]
