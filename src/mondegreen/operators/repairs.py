"""Self-corrections: "play jazz" becomes "play rock no wait jazz"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.detection import ENGLISH
from mondegreen.language.disfluency.corrections import may_be_corrected, terms_of, words_in
from mondegreen.language.disfluency.marked import EDITED
from mondegreen.language.disfluency.slips import slips
from mondegreen.language.disfluency.value_shapes import ValueIndex
from mondegreen.language.disfluency.values import (
    LabelValues,
    files_in,
    values_in,
    values_of,
)
from mondegreen.language.english import english_words
from mondegreen.language.languages import language as language_of
from mondegreen.language.offers import require_offer
from mondegreen.language.vocabulary.substitutes import agrees
from mondegreen.operators.correction import REPEAT, Correction
from mondegreen.operators.corrections import Corrections
from mondegreen.operators.disfluent import Insertion, ReparandumOperator, without_final_punctuation
from mondegreen.operators.other_repairs import Slips, wrong_words
from mondegreen.operators.recent import recent
from mondegreen.text.words import MARKS, core_of, like
from mondegreen.types import Edit, Utterance

LONGER = 2
"""Words by which a reparandum may be longer than asked for."""
_STEPS = (0, 1, -1, 2, -2, -3, -4, -5)  # from the wanted length to others, the nearest first
_SCALE = 1 << 24
_NOT_AFTER_NO = words_in("not_after_no")
_REPEATED = "repeat"


@dataclass(frozen=True)
class Repairs(ReparandumOperator):
    """Say a wrong word, then correct it: "play jazz" becomes "play rock no wait jazz".

    What is corrected is a value of a slot, a number or a date as a whole, a noun, a verb or the
    beginning of a phrase; what is said first is of the same kind. With ``values`` it is another
    value of the slot, of the same shape. The speaker may go back to the beginning of the phrase:
    "to boston i mean to denver". If nothing can be corrected, the beginning of the utterance is
    said twice, which is reported as a fail-over. The right words and their slots are kept.

    Args:
        profile: ``assistant`` (requests to assistants, the default), ``conversation`` (American
            telephone conversations), or a file written by ``mondegreen fit disfluency``.
        terms: editing terms that may follow the wrong word, such as ["no wait"]; empty for the
            built-in English list.
        values: the values of each slot label: a file written by ``mondegreen fit values``, a data
            set with slots, or the labels with their values. By default, those of the data.
        slots: correct only values of slots.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "repairs"
    english: ClassVar[bool] = True
    kind: ClassVar[str] = "repair"
    kinds: ClassVar[frozenset[str]] = frozenset(("repair", "repair" + EDITED))
    version: ClassVar[int] = 6
    learnt: ClassVar[str] = "values"
    corrects: ClassVar[bool] = True
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    values: str | LabelValues = ""
    slots: bool = False
    language: str = ENGLISH

    def __post_init__(self) -> None:
        super().__post_init__()
        require_offer(self.name, self.language)
        values_in(self.values)  # so that an unreadable file is an error at once

    @cached_property
    def _index(self) -> ValueIndex:
        return ValueIndex(values_in(self.values))

    @cached_property
    def _labels(self) -> frozenset[str]:
        return frozenset(values_in(self.values))

    @recent
    def _corrections(self, utterance: Utterance) -> Corrections:
        return Corrections(utterance, self._index, only_slots=self.slots)

    def site_weights(self, utterance: Utterance) -> Sequence[float] | None:
        """Return weights by which values are corrected rather than other words."""
        if self.language != ENGLISH:
            return None
        return self._corrections(utterance).weights()

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert the wrong words."""
        return self.inserted(utterance, site, draw)

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Draw a correction, its words, and the term that follows them."""
        if self.language != ENGLISH:
            return self._elsewhere(utterance, site, draw)
        found = self._corrections(utterance).at(site)
        if not found:
            return None
        one = found[0]
        if len(found) > 1:
            one = found[draw.weighted([round(one.weight * _SCALE) for one in found])]
        words = one.words(draw)
        if words is None:
            return None
        term = self._editing(one, utterance.tokens[site], draw)
        if one.weight == REPEAT:
            return Insertion(_REPEATED + EDITED, words + term)
        return Insertion(self.kind + EDITED, words + term, len(words))

    def _elsewhere(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Return what to insert in another language than English."""
        wrong = wrong_words(utterance, site, self._slips, draw)
        if wrong is None:
            return None
        term = draw.choice(self._terms) if wrong.needs_term else self._pauses.draw(draw)
        kind = self.kind + EDITED if term else self.kind
        return Insertion(kind, wrong.words + term, len(wrong.words))

    @cached_property
    def _slips(self) -> Slips:
        return Slips(language_of(self.language), values_in(self.values), self.slots)

    def _editing(self, one: Correction, following: str, draw: Draw) -> tuple[str, ...]:
        """Draw a term that can be said here: not "no" before "one", "make that" before values."""
        terms = self._terms if self.terms else terms_of(one.term)
        term = draw.choice(terms)
        if self.terms or not (
            term == english_words("terms", "no") and core_of(following) in _NOT_AFTER_NO
        ):
            return term
        return terms[0]

    def of_size(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return about ``size`` words from the site on, the last one mistaken."""
        corrections, slots = self._corrections(utterance), _slot_words(utterance)
        best: tuple[str, ...] | None = None
        for later in range(site, min(site + size + LONGER, len(utterance.tokens))):
            for one in corrections.at(later):
                words = one.words(draw) if one.weight > REPEAT else None
                said = utterance.tokens[site:later] + (words or ())
                off = abs(len(said) - size)
                if words and off <= LONGER and (best is None or off < abs(len(best) - size)):
                    best = said
            if later in slots or utterance.tokens[later][-1] in MARKS:
                break
        return best or self._function_word(utterance, site, size, draw)

    def _function_word(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return words of which the last is a function word that is said for another."""
        tokens, slots = utterance.tokens, _slot_words(utterance)
        for step in _STEPS:
            last = site + size - 1 + step
            if not site <= last < len(tokens) or not slots.isdisjoint(range(site, last + 1)):
                continue
            if any(token[-1] in MARKS for token in tokens[site:last]):
                continue
            others = [other for other in slips(tokens[last]) if agrees(tokens, last, other)]
            if others:
                (shown,) = without_final_punctuation(tokens[last : last + 1])
                return (*tokens[site:last], *like(shown, (draw.choice(others),)))
        return None

    def likely_sites(self, utterance: Utterance) -> list[bool]:
        """Return for each site whether a word there, or one of the next two, may be mistaken."""
        can = list(map(_may_be_wrong, utterance.tokens))
        stops = {at for at, token in enumerate(utterance.tokens) if token[-1] in MARKS}
        for slot in utterance.slots:
            start, end = slot.start, slot.end
            can[start] = slot.label in self._labels or may_be_corrected(utterance.tokens[start])
            can[start + 1 : end] = [False] * (end - start - 1)
            stops.add(start)
        for _ in range(LONGER):
            for at in range(len(can) - 1):
                if can[at + 1] and at not in stops:
                    can[at] = True
        return can

    def learning_from(self, data: Iterable[Utterance], seed: int) -> Repairs:  # noqa: ARG002 (values alone)
        """Return repairs with the slot values of the data, unless the user gave others."""
        found = tuple(values_of(data).items()) if self.can_learn else ()
        return replace(self, values=found) if found else self

    def resources(self) -> Sequence[Path]:
        """Return the files that the user gave."""
        return (*super().resources(), *files_in(self.values))


@recent
def _slot_words(utterance: Utterance) -> frozenset[int]:
    return frozenset(at for slot in utterance.slots for at in range(slot.start, slot.end))


@lru_cache(maxsize=65_536)
def _may_be_wrong(token: str) -> bool:
    """Return whether another word may be said for a token in some context."""
    return bool(slips(token)) or may_be_corrected(token)
