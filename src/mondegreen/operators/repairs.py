"""Self-corrections: "play jazz" becomes "play rock no wait jazz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.disfluency import EDITED, PAUSES, TERMS
from mondegreen.language.inflection import readings
from mondegreen.language.substitutes import agrees
from mondegreen.language.tagger import tag
from mondegreen.language.thesaurus import is_lemma
from mondegreen.language.values import Values, read_values, slot_values
from mondegreen.language.word_classes import (
    CONTENT,
    classmates,
    family,
    is_ordered,
    needs_part,
)
from mondegreen.operators.disfluent import Insertion, ReparandumOperator, without_final_punctuation
from mondegreen.operators.recent import recent
from mondegreen.text.words import like
from mondegreen.types import Slot, Utterance

_CONFUSED = frozenset((CONTENT, "prepositions", "pronouns"))
_PRONOUNS = {"i": ("we",), "we": ("i",), "he": ("she", "they"), "she": ("he",), "they": ("we",)}
_RETRACE = 3  # function words that are said again before a corrected value


@dataclass(frozen=True)
class Repairs(ReparandumOperator):
    """Say a wrong word, then correct it: "play jazz" becomes "play rock no wait jazz".

    The wrong word is of the same kind as the right one (a day for a day, a genre for a genre) or,
    with ``values``, another value of the slot. The speaker goes back to the beginning of the
    phrase: "to boston i mean to denver". An editing term follows a value that would otherwise
    stand beside the right one. The right word and its slot are kept unchanged.

    Args:
        profile: a profile written by ``mondegreen fit disfluency``; empty for the built-in one of
            American telephone conversations.
        terms: editing terms that may follow the wrong word, such as ["no wait"]; empty for the
            built-in English list.
        values: a file written by ``mondegreen fit values``, with the values of each slot label, or
            a data set with slots. The commands ``perturb`` and ``suite`` take the data that they
            perturb, if it has slots.
    """

    name: ClassVar[str] = "repairs"
    english: ClassVar[bool] = True
    kind: ClassVar[str] = "repair"
    version: ClassVar[int] = 2
    default_terms: ClassVar[tuple[str, ...]] = tuple(term for term in TERMS if term != "or")
    corrects: ClassVar[bool] = True
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    values: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values:
            read_values(self.values)  # so that an unreadable file is an error at once

    @cached_property
    def _values(self) -> Values:
        return read_values(self.values) if self.values else {}

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return the words from the site to the next value or word, with a wrong one in its place.

        A slot gets another value. Without a slot, the first content word after at most ``size``
        function words gets another word of its class, or the function word itself another one of
        its class. ``None`` if there is no such word, or within a slot.
        """
        if any(slot.start < site < slot.end for slot in utterance.slots):
            return None
        head = _head(utterance, site, max(size, _RETRACE))
        if head is None:
            return None
        slot = next((slot for slot in utterance.slots if slot.start == head), None)
        others = self._values_beside(utterance, slot) if slot else _other_words(utterance, head)
        if slot is None and head > site and not others:
            head, others = site, _other_words(utterance, site)
        if (
            slot is None
            and family(utterance.tokens[head]) == CONTENT
            and self._has_values(utterance)
        ):
            return None  # speakers correct values rather than other words
        fitting = [words for words in others if agrees(utterance.tokens, head, words[0].lower())]
        return (*utterance.tokens[site:head], *draw.choice(fitting)) if fitting else None

    def _has_values(self, utterance: Utterance) -> bool:
        return any(self._values_beside(utterance, slot) for slot in utterance.slots)

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Draw the wrong words, and an editing term after a value that would otherwise stand."""
        found = super().insertion(utterance, site, draw)
        if found is None:
            return None
        kind, words, taken_back = found
        wrong = words[-1] if kind == self.kind else ""
        if words[-1] in PAUSES or (wrong and family(wrong) == CONTENT):
            return Insertion(self.kind + EDITED, words + draw.choice(self._terms), taken_back)
        return found

    def _values_beside(self, utterance: Utterance, slot: Slot) -> list[tuple[str, ...]]:
        """Return other values of a slot."""
        words = without_final_punctuation(utterance.tokens[slot.start : slot.end])
        value = " ".join(words).lower()
        others = [
            tuple(other.split())
            for other in self._values.get(slot.label, ())
            if _is_another(value, other.lower()) and len(other.split()) <= len(words) + 1
        ]
        if others:
            return [like(words[0], other) for other in others]
        if len(words) > 1 and not any(is_ordered(word.lower()) for word in words):
            return []
        for at in reversed(range(slot.start, slot.end)):
            found = _other_words(utterance, at)
            if found and (len(words) == 1 or is_ordered(words[at - slot.start].lower())):
                start, end = words[: at - slot.start], words[at - slot.start + 1 :]
                return [(*start, *other, *end) for other in found]
        return []

    def learning_from(self, data: Path) -> Repairs:
        """Return repairs with the slot values of the data, unless the user gave others."""
        return self if self.values or not slot_values(data) else replace(self, values=str(data))

    def resources(self) -> Sequence[Path]:
        """Return the files that the user gave."""
        return (*super().resources(), *((Path(self.values),) if self.values else ()))


_tags = recent(tag)


def _head(utterance: Utterance, site: int, size: int) -> int | None:
    """Return the slot or content word that function words at a site lead to, or the site itself."""
    tokens = utterance.tokens
    starts = {slot.start for slot in utterance.slots}
    for at in range(site, min(site + size, len(tokens))):
        if at in starts or family(tokens[at]) == CONTENT:
            return at
        if tokens[at][-1] in ".,!?;:":
            break
    return site if _other_words(utterance, site) else None


def _is_another(value: str, other: str) -> bool:
    """Return whether a value is another one, and not a longer or shorter form of the first."""
    if other in value or value in other:
        return False
    digits = any(map(str.isdigit, value)), any(map(str.isdigit, other))
    same_end = value.rsplit(maxsplit=1)[-1] == other.rsplit(maxsplit=1)[-1]
    return digits[0] == digits[1] and not same_end


def _other_words(utterance: Utterance, at: int) -> list[tuple[str, ...]]:
    """Return words of the class of a word that a speaker may say by mistake.

    Of function words these are prepositions and pronouns, of verbs the first word of a command.
    """
    (word,) = without_final_punctuation((utterance.tokens[at],))
    lower = word.lower()
    if family(lower) not in _CONFUSED:
        return []
    part = _tags(utterance.tokens)[at]
    if part == "VERB" and at > 0:
        return []
    others = classmates(lower, part if needs_part(lower) else "")
    if family(lower) == "pronouns":
        others = _PRONOUNS.get(lower, ())
    if part in ("VERB", "NOUN") and not is_ordered(lower):
        others = tuple(other for other in others if other_part(other, part))
    return [like(word, (other,)) for other in others]


@lru_cache(maxsize=10_000)
def other_part(word: str, part: str) -> bool:
    """Return whether a word can have a part of speech, alone or as a plural.

    >>> other_part("album", "VERB"), other_part("songs", "NOUN")
    (False, True)
    """
    return any(is_lemma(reading.lemma, part) for reading in readings(word, part))
