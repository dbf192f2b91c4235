"""Characters as the kernel needs to know them, one by one."""

from __future__ import annotations

import unicodedata
from importlib import import_module
from typing import Any

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.tokens import LETTER, folded, plain

_LOWER: Any = import_module("_sre").unicode_tolower
_LETTER = lazy_pattern(LETTER)
_WORD = lazy_pattern(r"\w")
(
    _, SPACE_FLAG, DECIMAL_FLAG, _, _, _, _, WORD_FLAG, _REPLACED, _MARK, _UNSURE,
) = (1 << bit for bit in range(11))  # fmt: skip
_MARKS = frozenset("\u093c\u094d")  # nukta and virama
_SURE = (
    (0x0, 0x2FF), (0x370, 0x482), (0x48A, 0x52F), (0x900, 0x93B), (0x93D, 0x950), (0x958, 0x97F),
    (0x1E00, 0x1EFF), (0x2010, 0x2026), (0x2030, 0x205E), (0x20A0, 0x20BF), (0x2100, 0x214F),
    (0x2190, 0x22FF), (0x3001, 0x3096), (0x309B, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3), (0xFF01, 0xFF5E), (0xFFE0, 0xFFE6),
)  # fmt: skip
"""Characters that become the same in every text: they never join with those beside them."""
_VULGAR = frozenset("¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")


def described(code: int, *, accents: bool) -> tuple[int, int, str, str, str, str]:
    """Return what a character is: flags, lower case, and its forms in texts and tables.

    >>> described(ord("É"), accents=False)
    (185, 233, 'é', 'e', 'e', 'É')
    """
    char = chr(code)
    tests = (
        _LETTER.fullmatch(char), char.isspace(), char.isdecimal(), char.isalpha(), char.isalnum(),
        char.isupper(), char.islower() or unicodedata.category(char) == "Lt", _WORD.fullmatch(char),
    )  # fmt: skip
    flags = sum(1 << bit for bit, holds in enumerate(tests) if holds)
    written = char
    if char in _MARKS:
        flags |= _MARK
    elif char in _VULGAR or not any(first <= code <= last for first, last in _SURE):
        flags |= _UNSURE
    else:
        written = "'" if char == "`" else plain(char)
    if written != char:
        flags |= _REPLACED
    key, bare = folded(char, accents=accents), folded(char, accents=False)
    return flags, _LOWER(code), char.casefold(), key, bare, written
