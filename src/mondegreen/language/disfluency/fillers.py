"""Filled pauses of twenty languages, each list with its source."""

from __future__ import annotations

from functools import cache

import msgspec

from mondegreen.errors import OperatorError, unknown
from mondegreen.resources import read_resource


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
    return msgspec.json.decode(read_resource("fillers.json"), type=dict[str, FillerList])


def filler_list(code: str) -> FillerList:
    """Return the list of a language, by its code.

    >>> filler_list("de").fillers, filler_list("de").ambiguous["um"]
    (('äh', 'ähm', 'öh', 'öhm', 'hm'), 'around; at (clock time); in order to')

    Raises:
        OperatorError: if there is no list for the language.
    """
    try:
        return filler_lists()[code]
    except KeyError:
        raise OperatorError(
            f"fillers: {unknown('language', code, filler_lists())} "
            "For another language, give words=[…]."
        ) from None
