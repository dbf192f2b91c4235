"""Self-corrections: "play jazz" becomes "play rock no wait jazz"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.disfluency.lexicon import ENGLISH
from mondegreen.language.disfluency.marked import EDITED, is_pause
from mondegreen.language.disfluency.slips import may_slip
from mondegreen.language.disfluency.values import (
    LabelValues,
    Values,
    files_in,
    values_in,
    values_of,
)
from mondegreen.language.vocabulary.word_classes import CONTENT, family, order_of
from mondegreen.operators.disfluent import Insertion, ReparandumOperator, without_final_punctuation
from mondegreen.operators.mistakes import Mistakes, OtherValues
from mondegreen.operators.recent import recent
from mondegreen.text.words import like
from mondegreen.types import Edit, Utterance

_RETRACE = 3  # function words that are said again before a corrected value
_DEPENDENT = frozenset(("me", "us", "him", "her", "them", "s", "m", "re", "ll", "d", "t"))
_SHORT = 2  # words of a reparandum that ends in a function word
LONGER = 2
"""Words by which a reparandum may be longer than asked for."""
_STEPS = (0, 1, -1, 2, -2, -3, -4, -5)  # from the wanted length to others, the nearest first
_CACHED = 4096  # values


@dataclass(frozen=True)
class Repairs(ReparandumOperator):
    """Say a wrong word, then correct it: "play jazz" becomes "play rock no wait jazz".

    The wrong word is of the same kind as the right one (a day for a day, a genre for a genre) or,
    with ``values``, another value of the slot. The speaker goes back to the beginning of the
    phrase: "to boston i mean to denver". An editing term follows a value that would otherwise
    stand beside the right one. The right word and its slot are kept unchanged.

    Args:
        profile: ``assistant`` (requests to assistants, the default), ``conversation`` (American
            telephone conversations), or a file written by ``mondegreen fit disfluency``.
        terms: editing terms that may follow the wrong word, such as ["no wait"]; empty for the
            built-in English list.
        values: the values of each slot label: a file written by ``mondegreen fit values``, a data
            set with slots, or the labels with their values. By default, those of the data.
        slots: correct only values of slots.
    """

    name: ClassVar[str] = "repairs"
    english: ClassVar[bool] = True
    kind: ClassVar[str] = "repair"
    version: ClassVar[int] = 4
    learnt: ClassVar[str] = "values"
    default_terms: ClassVar[tuple[str, ...]] = tuple(term for term in ENGLISH.terms if term != "or")
    corrects: ClassVar[bool] = True
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    values: str | LabelValues = ""
    slots: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        values_in(self.values)  # so that an unreadable file is an error at once

    @cached_property
    def _values(self) -> Values:
        return values_in(self.values)

    @cached_property
    def _other_values(self) -> OtherValues:
        return lru_cache(maxsize=_CACHED)(self._values_beside)

    @recent
    def _mistakes(self, utterance: Utterance) -> Mistakes:
        others = self._other_values if self._values else None
        return Mistakes(utterance, others, only_slots=self.slots)

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return the words from the site to the next value or word, with a wrong one in its place.

        A slot gets another value. Without a slot, the first content word after a few function words
        gets another word of its class. If no such word is known, a word about ``size`` words on is
        mistaken. ``None`` if there is no such word, or within a slot, or if the speaker would begin
        again with "me".
        """
        mistakes = self._mistakes(utterance)
        for last in mistakes.ends(site, max(size, _RETRACE)):
            if mistakes.is_content(last):
                if last > site and not _is_beginning(utterance.tokens, site):
                    return None
                others = mistakes.at(last)
                if others:
                    return _mistaken(utterance, site, last, draw.choice(others))
                break
        return self.of_size(utterance, site, min(size, _SHORT), draw)

    def of_size(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return about ``size`` words from the site on, the last one mistaken."""
        mistakes = self._mistakes(utterance)
        ends = mistakes.ends(site, size + LONGER)
        for step in _STEPS:
            last = site + size - 1 + step
            others = mistakes.at(last) if last in ends else ()
            if others:
                return _mistaken(utterance, site, last, draw.choice(others))
        return None

    def likely_sites(self, utterance: Utterance) -> list[bool]:
        """Return for each site whether a word there, or one of the next two, may be mistaken."""
        can = list(map(may_slip, utterance.tokens))
        stops = set()  # slots whose value may be mistaken, and no word after them
        for slot in utterance.slots:
            start, end = slot.start, slot.end
            can[start] = slot.label in self._values or (end - start == 1 and can[start])
            can[start + 1 : end] = [False] * (end - start - 1)
            stops.add(start)
        for _ in range(LONGER):
            for at in range(len(can) - 1):
                if can[at + 1] and at not in stops:
                    can[at] = True
        return can

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert the wrong words; every position is equally likely."""
        return self.inserted(utterance, site, draw)

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Draw the wrong words, and an editing term where both would otherwise stand.

        Nobody says "a i mean the": a function word is corrected without a term.
        """
        found = super().insertion(utterance, site, draw)
        if found is None:
            return None
        kind, words, taken_back = found
        if all(family(word) != CONTENT for word in words[:taken_back]):
            return Insertion(self.kind, words[:taken_back], taken_back)
        if kind == self.kind or is_pause(words[-1]):
            return Insertion(self.kind + EDITED, words + draw.choice(self._terms), taken_back)
        return found

    def _values_beside(self, label: str, words: tuple[str, ...]) -> Sequence[str]:
        value = " ".join(words).lower()
        return [
            other
            for other in self._values.get(label, ())
            if _is_another(value, other.lower()) and len(other.split()) <= len(words) + 1
        ]

    def learning_from(self, data: Iterable[Utterance], seed: int) -> Repairs:  # noqa: ARG002 (values alone)
        """Return repairs with the slot values of the data, unless the user gave others."""
        found = tuple(values_of(data).items()) if self.can_learn else ()
        return replace(self, values=found) if found else self

    def resources(self) -> Sequence[Path]:
        """Return the files that the user gave."""
        return (*super().resources(), *files_in(self.values))


def _is_beginning(tokens: Sequence[str], site: int) -> bool:
    """Return whether a speaker would begin again here: not with "me", nor after "is" in "is it"."""
    word = tokens[site].lower()
    inverted = site > 0 and family(tokens[site - 1]) == "auxiliaries" and family(word) == "pronouns"
    return not inverted and word not in _DEPENDENT


def _mistaken(utterance: Utterance, site: int, last: int, other: str) -> tuple[str, ...]:
    """Return the words from a site to another one, with other words in place of the last one."""
    tokens = utterance.tokens
    (word,) = without_final_punctuation(tokens[last : last + 1])
    return (*tokens[site:last], *like(word, tuple(other.split())))


def _is_another(value: str, other: str) -> bool:
    """Return whether a value is another one, and not a longer or shorter form of the first."""
    if other in value or value in other:
        return False
    digits = any(map(str.isdigit, value)), any(map(str.isdigit, other))
    same_end = value.rsplit(maxsplit=1)[-1] == other.rsplit(maxsplit=1)[-1]
    same_order = order_of(value.split()) == order_of(other.split())
    return digits[0] == digits[1] and same_order and not same_end
