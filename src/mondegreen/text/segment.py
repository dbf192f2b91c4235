"""Splitting text into tokens, including text in scripts without spaces between words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import filterfalse

from mondegreen.text.patterns import lazy_pattern

# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han (and its
# extensions). Korean and Ethiopic separate words.
_RANGES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_WIDE_PUNCTUATION = "\u3001-\u303f\uff00-\uff0f\uff1a-\uff20"
_UNSPACED = lazy_pattern(f"[{_RANGES}]")
_NO_SPACE = lazy_pattern(f"[{_RANGES}{_WIDE_PUNCTUATION}]")
_GAP = lazy_pattern(rf"(?<=[{_RANGES}{_WIDE_PUNCTUATION}])\s+(?=[{_RANGES}{_WIDE_PUNCTUATION}])")
_RUN = lazy_pattern(f"[{_RANGES}{_WIDE_PUNCTUATION}]+|[^{_RANGES}{_WIDE_PUNCTUATION}]+")

_LEADING_VOWELS = frozenset("เแโใไເແໂໃໄ")
_JOINED_TO_THE_LEFT = frozenset(
    "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮーｰ々ๆຯໆะาำ、。，．！？：；）」』】〉》〕・"
)


def split(text: str) -> tuple[str, ...]:
    r"""Split text at white space, and scripts without spaces into written characters.

    A written character is what a reader sees as one character: a letter with its marks, or a
    character with the small kana or vowel signs that belong to it. Punctuation stays with the
    character before it.

    >>> split("play\tmiles  davis")
    ('play', 'miles', 'davis')
    >>> split("ไปเที่ยวกัน 東京、きょう")
    ('ไ\u0e1b', 'เ\u0e17ี่', 'ย', 'ว', 'กั', 'น', '東', '京、', 'きょ', 'う')
    """
    words = text.split()
    if text.isascii() or _UNSPACED.search(text) is None:
        return tuple(words)
    return tuple(piece for word in words for piece in _pieces(word))


def _pieces(word: str) -> list[str]:
    pieces: list[str] = []
    for run in _RUN.findall(word):
        if _UNSPACED.search(run) is None:
            pieces.append(run)
        else:
            pieces.extend(_written_characters(run))
    return pieces


def _written_characters(run: str) -> list[str]:
    written: list[str] = []
    for char in run:
        joins = bool(written) and (
            unicodedata.category(char) in ("Mn", "Mc", "Cf")
            or char in _JOINED_TO_THE_LEFT
            or written[-1] in _LEADING_VOWELS
            or written[-1][-1] == "\u200d"
        )
        if joins:
            written[-1] += char
        else:
            written.append(char)
    return written


def is_unspaced(char: str) -> bool:
    """Return whether a character is of a script without spaces between words.

    >>> is_unspaced("京"), is_unspaced("x")
    (True, False)
    """
    return _UNSPACED.match(char) is not None


def close_up(text: str) -> str:
    """Remove spaces between characters of scripts that set none.

    >>> close_up("渐 渐 行动  play 不 便")
    '渐渐行动  play 不便'
    """
    return text if text.isascii() else _GAP.sub("", text)


def has_unspaced(texts: Iterable[str]) -> bool:
    """Return whether any text holds characters of a script without spaces.

    >>> has_unspaced(["play 爵士乐", "stop"]), has_unspaced(["play jazz"])
    (True, False)
    """
    return any(map(_UNSPACED.search, filterfalse(str.isascii, texts)))


def unspaced_texts(texts: Iterable[str]) -> tuple[int, int]:
    """Return how many texts are mostly in a script without spaces, and how many are not empty.

    >>> unspaced_texts(["播放爵士乐", "播放 爵士 乐", "play 爵士乐", "stop", ""])
    (2, 4)
    """
    found = list(texts)
    unspaced = sum(map(_is_unspaced, filterfalse(str.isascii, found)))
    return unspaced, len(found) - found.count("")


def _is_unspaced(text: str) -> bool:
    return 2 * len(_UNSPACED.findall(text)) > len("".join(text.split()))


def mostly_unspaced(texts: Iterable[str]) -> bool:
    """Return whether most texts that are not empty are in a script without spaces.

    >>> mostly_unspaced(["播放爵士乐", "停", ""]), mostly_unspaced(["play 爵士乐", "stop"])
    (True, False)
    """
    unspaced, filled = unspaced_texts(texts)
    return 2 * unspaced > filled


def joint(left: str, right: str) -> str:
    """Return what is written between two adjacent tokens: a space, or nothing.

    >>> joint("play", "uh"), joint("你", "嗯"), joint("你", "uh")
    (' ', '', ' ')
    """
    return "" if _NO_SPACE.match(left[-1]) and _NO_SPACE.match(right[0]) else " "
