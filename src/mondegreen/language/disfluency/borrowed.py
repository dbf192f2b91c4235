"""Profiles for languages to which none was fitted: rates of a near language, words of their own."""

from __future__ import annotations

from functools import cache

import msgspec

from mondegreen.language.disfluency.lexicon import Lexicon
from mondegreen.language.disfluency.profile import (
    ASSISTANT,
    CONVERSATION,
    DisfluencyProfile,
    Places,
    named_profile,
    profile_languages,
)
from mondegreen.language.languages import ENGLISH, language


def profile_in(name: str, code: str) -> DisfluencyProfile:
    """Return a profile for a language: that of a file, one fitted to it, or a borrowed one.

    >>> profile_in("assistant", "nl").fillers
    {'eh': (5, 157), 'uh': (3, 76), 'ehm': (3, 23), 'uhm': (2, 20), 'euh': (2, 14), 'euhm': (1, 12)}

    Raises:
        DataError: if there is no such file, or it is not a profile.
    """
    own_file = name not in (ASSISTANT, CONVERSATION)
    if own_file or code in profile_languages(name):
        return named_profile(name, code)
    return _borrowed(name, code)


def is_borrowed(name: str, code: str) -> bool:
    """Return whether the built-in profile of a language has the rates of another language.

    >>> is_borrowed("assistant", "nl"), is_borrowed("assistant", "de")
    (True, False)
    """
    return name in (ASSISTANT, CONVERSATION) and code not in profile_languages(name)


@cache
def _borrowed(name: str, code: str) -> DisfluencyProfile:
    """Return the rates and lengths of the near language, without the words of its texts."""
    tongue = language(code)
    near = tongue.near if tongue.near in profile_languages(name) else ENGLISH
    source = named_profile(name, near)
    return msgspec.structs.replace(
        source,
        discourse=_by_rank(source.discourse, tongue.markers),
        fillers=_by_rank(source.fillers, tongue.fillers.pauses),
        gaps=None,
        lexicon=Lexicon(
            tongue.fillers.pauses,
            tongue.markers,
            tongue.terms,
            function=tuple(tongue.function.split()),
        ),
    )


def _by_rank(counts: dict[str, Places] | object, words: tuple[str, ...]) -> dict[str, Places]:
    """Give the most frequent place in a list the highest counts, and so on."""
    known = counts.values() if isinstance(counts, dict) else ()
    opening = sorted((first for first, _ in known), reverse=True)
    later = sorted((second for _, second in known), reverse=True)
    pairs = [*zip(opening, later, strict=True), *([(1, 1)] * len(words))]
    return {word: (max(1, a), max(1, b)) for word, (a, b) in zip(words, pairs, strict=False)}
