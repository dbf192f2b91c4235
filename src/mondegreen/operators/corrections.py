"""What a speaker may correct in an utterance: values of slots, else other words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mondegreen.language.disfluency.corrections import CALENDAR, NUMBER, may_be_corrected, role_of
from mondegreen.language.disfluency.value_shapes import ValueIndex
from mondegreen.operators.correction import (
    PHRASE,
    REPEAT,
    START,
    VALUE,
    Correction,
    Wrong,
    has_article,
    phrase_begin,
)
from mondegreen.operators.disfluent import without_final_punctuation
from mondegreen.operators.word_corrections import WordCorrections
from mondegreen.text.words import MARKS
from mondegreen.types import Slot, Utterance

_BESIDE_VALUES = 0.002  # factor for other sites in an utterance with values


@lru_cache(maxsize=65_536)
def _weight(token: str) -> float:
    """Return the weight of the site of a word beside values, by what the word alone may be."""
    role = role_of(token)
    if role.noun or role.adjective or role.verb or role.near:
        return PHRASE * _BESIDE_VALUES
    return START * _BESIDE_VALUES if role.opening or role.determiner else REPEAT


class Corrections:
    """The corrections of an utterance by the site where the wrong words are inserted.

    Args:
        utterance: the utterance.
        values: the values of slots.
        only_slots: whether only values of slots are corrected.
    """

    def __init__(
        self, utterance: Utterance, values: ValueIndex, *, only_slots: bool = False
    ) -> None:
        self._tokens, self._slots = utterance.tokens, utterance.slots
        self._labels, self._index = values.labels, values
        self._only_slots = only_slots
        self._words = WordCorrections(utterance)
        self._begins = [
            (phrase_begin(self._tokens, self._slots, slot.start), slot)
            for slot in self._slots
            if self._may_differ(slot)
        ]

    def weights(self) -> list[float]:
        """Return the weight of each site.

        Where an utterance has values, other words are corrected only if no value can be, so they
        are not looked at yet.
        """
        if not self._begins:
            rest, sites = self._rest(), range(len(self._tokens))
            return [max(one.weight for one in rest[at]) if at in rest else 0.0 for at in sites]
        weights = (
            [0.0] * len(self._tokens) if self._only_slots else list(map(_weight, self._tokens))
        )
        for begin, slot in self._begins:
            weights[begin] = weights[slot.start] = VALUE
        return weights

    def _may_differ(self, slot: Slot) -> bool:
        """Return whether there may be another value, without a look at all of them."""
        return slot.label in self._labels or may_be_corrected(self._tokens[slot.start])

    def at(self, site: int) -> Sequence[Correction]:
        """Return the corrections at a site: of values, or of other words if no value differs."""
        found = self._of_values(site)
        if found:
            return found
        begins = [begin for begin, slot in self._begins if site in (begin, slot.start)]
        if begins and any(self._of_values(begin) for begin, _ in self._begins):
            return found
        return self._rest().get(site, ())

    def _of_values(self, site: int) -> list[Correction]:
        """Return the corrections of values whose phrase begins at a site, or which begin there."""
        found, tokens = [], self._tokens
        for begin, slot in self._begins:
            start = slot.start
            if site not in (begin, start) or (site == start > begin and has_article(tokens, start)):
                continue
            words = tokens[start : slot.end]
            if words[-1][-1] in MARKS:
                words = without_final_punctuation(words)
            others: Wrong = self._index.others(slot.label, words) or self._words.changed_slot(slot)
            if others:
                plain = begin == start and role_of(words[0]).quantity in (NUMBER, CALENDAR)
                term = "number" if plain else "value"
                found.append(Correction(tokens[site:start], others, term, VALUE))
        return found

    def _rest(self) -> dict[int, list[Correction]]:
        return {} if self._only_slots else self._words.by_site
