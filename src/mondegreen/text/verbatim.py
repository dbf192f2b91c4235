"""What a listener must get letter by letter: numbers, codes, addresses, file names, quotations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mondegreen.text.patterns import lazy_pattern

_ADDRESS = lazy_pattern(
    r"[^\s@]+@[^\s@]+\.\w+"  # an e-mail address
    r"|[a-z][a-z0-9+.-]*://\S+|www\.\S+"  # a URL
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|ai|dev|app|info|co|uk|de|fr|us|eu)(?:/\S*)?",
    re.IGNORECASE,
)
_PATH = lazy_pattern(
    r"(?:~|\.{0,2}|[A-Za-z]:)?[/\\][\w.~-]+(?:[/\\][\w.~-]*)*|[\w-]+(?:/[\w.-]+){2,}"
)
_FILE = lazy_pattern(r"[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{1,4}", re.IGNORECASE)
_NAME = lazy_pattern(r"\w*_\w*|#\w+|@\w+|\$\{?\w+\}?|--?[a-z][\w-]*", re.IGNORECASE)
_PUNCTUATION = ".,!?;:…)]}>\"'”’»"  # noqa: RUF001 (the typographic apostrophe)
_OPENING = "([{<\"'“‘«„"  # noqa: RUF001
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "`": "`", "‘": "’", "'": "'"}  # noqa: RUF001
_ELISIONS = frozenset(("bout", "cause", "cuz", "em", "n", "til", "till", "tis", "twas", "round"))
_DIGITS, _CODE, _HALF_OF_DAY, _OPENS = 1, 2, 4, 8  # what a token looks like
_ALONE = _DIGITS | _CODE
_HALVES_OF_DAY = frozenset(("am", "pm", "a.m", "p.m", "a.m.", "p.m."))


def verbatim_spans(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of tokens that mean something only as they are written.

    These are tokens with a digit and "am" or "pm" after them, codes,
    e-mail addresses, URLs, file names, names with an underscore, and whole quotations.

    >>> verbatim_spans('send q3.pdf to "the big boss" at 7 pm'.split())
    [(1, 2), (3, 6), (7, 8), (8, 9)]
    """
    looks = list(map(look_of, tokens))
    if not any(looks):
        return []
    spans = [
        (at, at + 1)
        for at, look in enumerate(looks)
        if look & _ALONE or (look & _HALF_OF_DAY and at and looks[at - 1] & _DIGITS)
    ]
    quotes = any(look & _OPENS for look in looks)
    return sorted(spans + _quotations(tokens)) if quotes else spans


@lru_cache(maxsize=65_536)
def look_of(token: str) -> int:
    """Return what a token looks like, as bits: digits, a code, a half of the day, a quotation.

    The kernel knows that these are all that :func:`verbatim_spans` needs to know of a token, and
    that a token of nothing but ASCII letters is plain (0), unless it is "am" or "pm".

    >>> look_of("jazz"), look_of("7:30"), look_of("a_b"), look_of("pm"), look_of('"big')
    (0, 1, 2, 4, 8)
    """
    bare = token.lstrip(_OPENING).rstrip(_PUNCTUATION)
    quotes = token.lstrip("([{<")[:1] in _QUOTES and token.strip(_OPENING).lower() not in _ELISIONS
    look = _OPENS if quotes else 0
    if any(map(str.isdigit, bare)):
        return look | _DIGITS
    if token.lower().rstrip(",!?") in _HALVES_OF_DAY:
        return look | _HALF_OF_DAY
    patterns = (_ADDRESS, _PATH, _FILE, _NAME)
    if len(bare) > 1 and any(one.fullmatch(bare) for one in patterns):
        return look | _CODE
    return look


def _quotations(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans from a token with an opening quotation mark to one with the closing mark."""
    spans = []
    start = 0
    while start < len(tokens):
        end = _end_of_quotation(tokens, start)
        if end and end - start < len(tokens):  # an utterance in quotation marks quotes nothing
            spans.append((start, end))
        start = end or start + 1
    return spans


def _end_of_quotation(tokens: Sequence[str], start: int) -> int:
    """Return where the quotation that begins with a token ends; 0 if none begins here."""
    if not look_of(tokens[start]) & _OPENS:
        return 0
    token = tokens[start].lstrip("([{<")
    mark, rest = token[0], token[1:]
    for end in range(start, len(tokens)):
        body = rest if end == start else tokens[end]
        bare = body.rstrip(".,!?;:…)]}>")
        if bare and bare[-1] in _QUOTES[mark]:
            return end + 1
    return 0
