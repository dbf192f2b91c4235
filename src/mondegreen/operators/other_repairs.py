"""What is said by mistake in languages other than English: other values and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mondegreen.draw import Draw
from mondegreen.language.disfluency.values import Values
from mondegreen.language.languages import Language
from mondegreen.language.segmentation import word_edges, word_end
from mondegreen.operators.disfluent import within_slot, without_final_punctuation
from mondegreen.operators.recent import recent
from mondegreen.text.words import ALL_MARKS, core_of, like
from mondegreen.types import Slot, Utterance

_RETRACE = 2  # function words that are said again before a corrected value
_EARLY = 4  # words to skip at most to one that is said too early
_ENDING = 2  # letters in which two words end alike that are of one kind


class WrongWords(NamedTuple):
    """The wrong words, and whether both would stand without an editing term."""

    words: tuple[str, ...]
    needs_term: bool


Source = Callable[[Utterance, int, "Slips"], Sequence[str]]
"""Returns what may be said by mistake for the word or value that begins at a position."""


class Slips(NamedTuple):
    """Where wrong words come from: a language, the values of slots, and whether only these."""

    tongue: Language
    values: Values
    only_slots: bool


def wrong_words(utterance: Utterance, site: int, slips: Slips, draw: Draw) -> WrongWords | None:
    """Return words that a speaker may say before a site by mistake, and take back at once.

    A day, a number or another word of a class is mistaken if the utterance has one, else a value of
    a slot, else a function word or a verb; else a word is said too early.
    """
    if within_slot(utterance, site):
        return None
    source = _source(utterance, slips)
    if source is None:
        return None if slips.only_slots else _early(utterance, site, slips.tongue, draw)
    tokens, tongue = utterance.tokens, slips.tongue
    for at in range(site, min(site + _RETRACE + 1, len(tokens))):
        others = source(utterance, at, slips)
        if others:
            other = tuple(draw.choice(others).split())
            return WrongWords((*tokens[site:at], *other), needs_term=source is not _slip)
        inside = any(slot.start <= at < slot.end for slot in utterance.slots)
        if inside or source is _slip or core_of(tokens[at]) not in tongue.said_again:
            return None
    return None


@recent
def _source(utterance: Utterance, slips: Slips) -> Source | None:
    """Return where the wrong words of an utterance come from; ``None`` if there are none."""
    edges = word_edges(utterance.tokens, slips.tongue.code)
    sites = [at for at, edge in enumerate(edges[:-1]) if edge]
    for source in (_classmates, _slot_values, _slip):
        if any(source(utterance, at, slips) for at in sites):
            return source
    return None


def _has_article(utterance: Utterance, at: int, tongue: Language) -> bool:
    """Return whether a word before the value agrees with it, and might not with another one."""
    return at > 0 and core_of(utterance.tokens[at - 1]) in tongue.articles.split()


def _slot_at(utterance: Utterance, at: int) -> Slot | None:
    return next((slot for slot in utterance.slots if slot.start <= at < slot.end), None)


def _classmates(utterance: Utterance, at: int, slips: Slips) -> Sequence[str]:
    """Return the other words of the class of a word: another day for a day."""
    slot, tongue = _slot_at(utterance, at), slips.tongue
    if slot is None and slips.only_slots:
        return ()
    end = word_end(utterance.tokens, at, 1, tongue.code)
    if slot is not None and (slot.start < at or slot.end != end):
        if tongue.spaced or slot.start < at or slot.end > end:
            return ()
        end = slot.end
    word = "".join(utterance.tokens[at:end]).rstrip(ALL_MARKS)
    core = core_of(word) if word else ""
    if core not in tongue.in_class:
        return ()
    return [" ".join(like(word, (one,))) for one in tongue.mistaken_for[core]]


def _slot_values(utterance: Utterance, at: int, slips: Slips) -> Sequence[str]:
    """Return other values of a slot that are built like the one that is said."""
    slot = _slot_at(utterance, at)
    if slot is None or slot.start != at or _has_article(utterance, at, slips.tongue):
        return ()
    words = without_final_punctuation(utterance.tokens[slot.start : slot.end])
    shape = _shape(words, slips.tongue)
    return [
        other
        for other in slips.values.get(slot.label, ())
        if _shape(other.split(), slips.tongue) == shape
        and _is_another(words, other.split())
        and _is_like(words, other.split(), slips.tongue)
    ]


def _shape(words: Sequence[str], tongue: Language) -> tuple[str, ...]:
    """Return how a value is built: its function words, numbers, and names or other words."""
    if not tongue.spaced:
        text = "".join(words)
        return ("#" if any(map(str.isdigit, text)) else "w", str(len(text)))
    numbers = any(map(str.isdigit, "".join(words)))
    return tuple(
        "#"
        if any(map(str.isdigit, word))
        else word.lower()
        if numbers or word.lower() in tongue.function_words
        else "Aa"[word[0].islower()]
        for word in words
    )


def _is_like(words: Sequence[str], others: Sequence[str], tongue: Language) -> bool:
    """Return whether two values may be of one kind: a name for a name, a verb for a verb."""
    if not tongue.spaced:
        return len("".join(words)) > 1
    if len(words) > 1 or not words[0].islower():
        return True
    return words[0][-_ENDING:] == others[0][-_ENDING:]


def _is_another(words: Sequence[str], others: Sequence[str]) -> bool:
    value, other = "".join(words).lower(), "".join(others).lower()
    return other not in value and value not in other


def _slip(utterance: Utterance, at: int, slips: Slips) -> Sequence[str]:
    """Return other function words or verbs for the word at a position."""
    tokens, tongue = utterance.tokens, slips.tongue
    if slips.only_slots or _slot_at(utterance, at) is not None:
        return ()
    end = word_end(tokens, at, 1, tongue.code)
    alone = end == len(tokens) or not tokens[end][0].isalnum()
    if alone and core_of(tokens[at]) in tongue.function_words:  # a particle: "stell ihn ein"
        return ()
    for stop in range(end, at, -1):
        word = "".join(tokens[at:stop]).rstrip(ALL_MARKS)
        others = tongue.slips.get(core_of(word) if word else "", "").split()
        if others:
            return [" ".join(like(word, (other,))) for other in others]
    return ()


def _early(utterance: Utterance, site: int, tongue: Language, draw: Draw) -> WrongWords | None:
    """Return a word that comes later, if no word of the utterance has a slip."""
    tokens = utterance.tokens
    edges = word_edges(tokens, tongue.code)
    later = [
        at
        for at in range(site + 1, min(site + 1 + _EARLY, len(tokens)))
        if edges[at]
        and core_of(tokens[at]) not in tongue.function_words
        and tokens[at][0].isalnum()
    ]
    if not later:
        return None
    start = draw.choice(later)
    words = tokens[start : word_end(tokens, start, 1, tongue.code)]
    return WrongWords(without_final_punctuation(words), needs_term=True)
