"""Filled pauses of twenty languages, each list with its source."""

from __future__ import annotations

from functools import cache

import msgspec

from mondegreen.errors import OperatorError, unknown
from mondegreen.language.languages import language, language_codes


class FillerList(msgspec.Struct, frozen=True):
    """The filled pauses of a language.

    ``fillers`` are only used as pauses; ``ambiguous`` are also words, with their meanings.
    ``spaced`` is whether the language separates words by spaces. ``markers`` are discourse markers
    and ``terms`` editing terms, where we know them.
    """

    language: str
    fillers: tuple[str, ...]
    ambiguous: dict[str, str]
    spaced: bool
    source: str
    checked: str = ""
    markers: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


@cache
def filler_lists() -> dict[str, FillerList]:
    """Return the lists of all languages, by language code."""
    return {code: filler_list(code) for code in language_codes()}


@cache
def filler_list(code: str) -> FillerList:
    """Return the list of a language, by its code.

    >>> filler_list("de").fillers, filler_list("de").ambiguous["um"]
    (('äh', 'ähm', 'öh', 'öhm', 'hm'), 'around; at (clock time); in order to')

    Raises:
        OperatorError: if there is no list for the language.
    """
    if code not in language_codes():
        raise OperatorError(
            f"fillers: {unknown('language', code, language_codes())} "
            "For another language, give words=[…]."
        )
    known = language(code)
    pauses = known.fillers
    return FillerList(
        known.name,
        pauses.pauses,
        pauses.ambiguous,
        known.spaced,
        pauses.source,
        pauses.checked,
        known.markers,
        known.terms,
    )
