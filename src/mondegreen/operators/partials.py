"""Partial words: "a fixed female" becomes "a fi- fixed female"."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.languages import language as language_of
from mondegreen.language.segmentation import first_sound, word_end
from mondegreen.operators.disfluent import RepeatingOperator, within_slot
from mondegreen.text.words import word_of
from mondegreen.types import Utterance

_VIRAMA = 9  # the class of the sign that joins two consonants
_LONG = 4  # letters of a word that people break off in a request
_VOWELS = frozenset("aeiouyäöüáéíóúàèìòùâêîôûå")


@dataclass(frozen=True)
class Partials(RepeatingOperator):
    """Break off a word, then say it in full: "play jazz" becomes "play ja- jazz".

    Assistants hear "play ja jazz", and as many letters as in the profile. In transcripts of
    conversations a dash marks the break ("ja-"): after the first consonants, after the first vowel,
    or one letter later.

    Args:
        profile: ``assistant`` (requests to assistants, the default), ``conversation`` (American
            telephone conversations), or a file written by ``mondegreen fit disfluency``.
        terms: editing terms that may follow the break, such as ["i mean"]; empty for the built-in
            English list.
        language: code of the language whose filled pauses are used (en, de, zh, …).
    """

    name: ClassVar[str] = "partials"
    kind: ClassVar[str] = "partial"
    version: ClassVar[int] = 3
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    def reparandum(
        self, utterance: Utterance, site: int, size: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return the words that follow the site, the last one broken off.

        If that word is too short to break, the next one is used, or one before it; ``None`` if all
        are, or within a slot.
        """
        if within_slot(utterance, site):
            return None
        if language_of(self.code).segments:
            end = word_end(utterance.tokens, site, 1, self.code)
            begun = first_sound("".join(utterance.tokens[site:end]), self.code)
            return (begun,) if begun else None
        wanted = site + size - 1
        for last in (wanted, wanted + 1, *range(wanted - 1, site - 1, -1)):
            if last >= len(utterance.tokens):
                continue
            broken = self._broken(utterance.tokens, last, draw)
            if broken:
                return (*utterance.tokens[site:last], broken)
        return None

    @cached_property
    def _together(self) -> tuple[str, ...]:
        """The letters of the language that stand for one sound."""
        return tuple(language_of(self.code).together.split())

    def _broken(self, tokens: Sequence[str], at: int, draw: Draw) -> str:
        """Return the beginning of a word as in the profile; empty if it is too short to break."""
        cuts = self._profile.cuts
        if not cuts:
            beginnings = _beginnings(tokens[at], self._together)
            return draw.choice(beginnings) + "-" if beginnings else ""
        word = word_of(tokens[at])
        core = word.core if word else ""
        if len(core) < _LONG and _has_long(tokens):
            return ""
        weights = [
            count if _may_break(core, size, self._together) else 0
            for size, count in enumerate(cuts[: max(0, len(core) - 1)], start=1)
        ]
        return core[: draw.weighted(weights) + 1] if any(weights) else ""


_last: list[tuple[Sequence[str], bool]] = [((), False)]


def _has_long(tokens: Sequence[str]) -> bool:
    """Return whether there is a long word; the answer for the last utterance is kept.

    Every site of an utterance asks, so that the time would grow with the square of its length.
    """
    known, found = _last[0]
    if known is not tokens:
        found = any(len(token) >= _LONG for token in tokens)
        _last[0] = tokens, found
    return found


@lru_cache(maxsize=100_000)
def _beginnings(token: str, together: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the beginnings of a word at which it may break off.

    >>> _beginnings("fixed"), _beginnings("streets"), _beginnings("add"), _beginnings("a")
    (('f', 'fi', 'fix'), ('str', 'stree', 'street'), ('a', 'ad'), ())
    """
    word = word_of(token)
    if word is None:
        return ()
    core = word.core
    onset = _span(core, 0, vowels=False)
    nucleus = _span(core, onset, vowels=True)
    places = sorted({onset, nucleus, nucleus + 1})
    return tuple(
        word.before + core[:at]
        for at in places
        if 0 < at < len(core) and _may_break(core, at, together)
    )


def _may_break(word: str, at: int, together: Sequence[str] = ()) -> bool:
    """Return whether a word may break before a position: after a letter with all its marks.

    It does not break within letters that stand for one sound, those after ``^`` at its start.

    >>> _may_break("दिल्ली", 1), _may_break("दिल्ली", 2), _may_break("दिल्ली", 4)
    (False, True, False)
    >>> _may_break("mich", 3, ["ch", "^st"]), _may_break("stell", 1, ["^st"])
    (False, False)
    """
    if any(_is_within(word.lower(), at, group) for group in together):
        return False
    before = word[at - 1]
    said = before.isalpha() or unicodedata.category(before).startswith("M")
    joins = unicodedata.combining(before) == _VIRAMA
    return said and not joins and not unicodedata.category(word[at]).startswith("M")


def _is_within(word: str, at: int, group: str) -> bool:
    """Return whether a position is within letters that stand for one sound."""
    letters = group.removeprefix("^")
    first = 0 if letters != group else max(0, at - len(letters) + 1)
    last = 1 if letters != group else at
    return any(
        start < at < start + len(letters) and word.startswith(letters, start)
        for start in range(first, last)
    )


def _span(word: str, start: int, *, vowels: bool) -> int:
    """Return where the run of vowels, or of other letters, that begins at ``start`` ends."""
    at = start
    while at < len(word) and (word[at].lower() in _VOWELS) == vowels:
        at += 1
    return at
