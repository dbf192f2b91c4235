"""Tokens: letters, digits and signs of a text, in one way of writing them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern

_SIGNS = {
    "²": "\ue002", "³": "\ue003", "º": "\ue004", "ª": "\ue005",
    "–": "-", "—": " - ", "−": "-", "‐": "-", "‑": "-", "〜": "~", "～": "~", "∼": "~",  # noqa: RUF001 (dashes)
    "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"',  # noqa: RUF001
    "»": '"', "µ": "μ", "￥": "¥", "，": ", ", "。": ". ", "、": ", ", "％": "%",  # noqa: RUF001
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u200b": "", "⁄": "/", "×": "x",  # noqa: RUF001
}  # fmt: skip
_TRANSLATED = str.maketrans(_SIGNS)
_RESTORED = str.maketrans({"\ue002": "²", "\ue003": "³", "\ue004": "º", "\ue005": "ª"})
_VULGAR = lazy_pattern(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_SILENT = frozenset(".'-")
_MARKS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963"
LETTER = rf"(?:[^\W\d_²³ºª\u0e00-\u0eff\u3005-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[{_MARKS}])"
_TOKEN = lazy_pattern(rf"[0-9]+|{LETTER}+|\S")
_MARK = lazy_pattern(r"[\u0300-\u036f]")
_DEVANAGARI = str.maketrans({"\u093c": "", "\u0901": "\u0902", "\u200d": "", "\u200c": ""})


class ValueToken(NamedTuple):
    """A run of letters or digits, or one sign; ``key`` is its form in tables."""

    text: str
    key: str
    start: int
    end: int


def plain(text: str) -> str:
    """Return a text in one way of writing its signs, digits and widths; letters keep their case.

    >>> plain("２½ km² ५०"), plain("1.ᵉʳ")
    ('2 1/2 km² 50', '1.er')
    """
    if text.isascii():
        return text.replace("`", "'")
    text = unicodedata.normalize("NFKC", _VULGAR.sub(" ", text).translate(_TRANSLATED))
    text = text.translate(_RESTORED).replace("⁄", "/")  # noqa: RUF001 (the slash of fractions)
    if any(sign > "\x7f" and sign.isdecimal() for sign in text):
        text = "".join(str(unicodedata.decimal(s)) if s.isdecimal() else s for s in text)
    return text


def folded(word: str, *, accents: bool) -> str:
    """Return the form of a word in tables: without case, and without accents if so wished.

    >>> folded("Dólares", accents=False), folded("STRASSE", accents=True)
    ('dolares', 'strasse')
    """
    word = word.casefold()
    if word.isascii():
        return word
    if not accents:
        word = unicodedata.normalize("NFC", _MARK.sub("", unicodedata.normalize("NFD", word)))
    return word.translate(_DEVANAGARI)


def tokens(text: str, *, accents: bool = True) -> list[ValueToken]:
    """Return the tokens of a text that is :func:`plain`.

    >>> [token.text for token in tokens("It's $5.20")]
    ['it', "'", 's', '$', '5', '.', '20']
    """
    return [
        ValueToken(
            match[0].casefold(), folded(match[0], accents=accents), match.start(), match.end()
        )
        for match in _TOKEN.finditer(text)
    ]


def split_phrase(phrase: str, *, accents: bool) -> tuple[str, ...]:
    """Return the keys of a phrase of a table, without signs that say nothing.

    >>> split_phrase("o'clock", accents=True), split_phrase(".", accents=True)
    (('o', 'clock'), ('.',))
    """
    keys = [key for word in phrase.split() for key in _keys(word, accents)]
    telling = [key for key in keys if key not in _SILENT]
    return tuple(telling or keys)


@lru_cache(maxsize=16_384)
def _keys(word: str, accents: bool) -> tuple[str, ...]:  # noqa: FBT001 (a key of the cache)
    return tuple(token.key for token in tokens(plain(word), accents=accents))


def compiled_words(words: list[str]) -> re.Pattern[str]:
    """Return an expression for any of some words, the longest first."""
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
