"""Which language texts are in: by script, and by function words in the Latin script."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from operator import itemgetter

from mondegreen.resources import read_resource
from mondegreen.text.patterns import lazy_pattern

ENGLISH = "en"
NAMES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "vi": "Vietnamese",
    "zh": "Chinese",
}  # fmt: skip
_SCRIPTS = {
    "CJK": "zh", "HIRAGANA": "ja", "KATAKANA": "ja", "HANGUL": "ko", "CYRILLIC": "ru",
    "ARABIC": "ar", "GREEK": "el", "HEBREW": "he", "THAI": "th", "DEVANAGARI": "hi",
}  # fmt: skip
_LEAST_WORDS = 3  # function words of another language that plainly show it
ENGLISH_WORDS = 1000
"""The most frequent English words count for English and for no other language."""
_TIMES = 1.5  # so many times as many as English words
_LEAST_DISTINCT = 2  # of them
_WORD = lazy_pattern(r"\b[^\W\d_]{2,}\b")  # a letter alone shows nothing


@cache
def _codes_of_words() -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return the codes of all languages, and those of the languages of each function word."""
    lines = read_resource("languages.txt").decode().splitlines()
    rows = [line.partition(":") for line in lines if not line.startswith("#")]
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for code, _, words in rows:
        for word in set(words.split()):
            found[word] += (code,)
    english = dict.fromkeys(read_resource("languages/en/frequent.txt").decode().split(), (ENGLISH,))
    return (*(code for code, _, _ in rows), ENGLISH), found | english


def plain_language(texts: Iterable[str]) -> str | None:
    """Return the code of the language that texts are plainly in; ``None`` if it is not plain.

    >>> plain_language(["stelle den wecker auf sieben uhr", "und wie ist das wetter"])
    'de'
    >>> plain_language(["播放爵士乐"]), plain_language(["play miles davis"]), plain_language(["ok"])
    ('zh', None, None)
    """
    letters: Counter[str] = Counter()
    codes, known = _codes_of_words()
    words = dict.fromkeys(codes, 0)
    distinct: defaultdict[str, set[str]] = defaultdict(set)
    for text in texts:
        if not text.isascii():
            letters.update(filter(None, map(_script, text)))
        found = _WORD.findall(text.lower())
        letters["latin"] += sum(map(len, found))
        for word in found:
            for code in known.get(word, ()):
                words[code] += 1
                distinct[code].add(word)
    others = {script: n for script, n in letters.items() if script != "latin"}
    if 2 * sum(others.values()) > letters["latin"]:
        return "ja" if "ja" in others else max(others, key=lambda script: others[script])
    best, n = max(words.items(), key=itemgetter(1))
    if n < _LEAST_WORDS or len(distinct[best]) < _LEAST_DISTINCT:
        return None
    return best if best == ENGLISH or n >= _TIMES * words[ENGLISH] else None


@cache
def _script(char: str) -> str | None:
    if not char.isalpha():
        return None
    return _SCRIPTS.get(unicodedata.name(char, "").split()[0] if char.isalpha() else "")
