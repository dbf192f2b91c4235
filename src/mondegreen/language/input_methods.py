"""Typing slips where an input method turns typed letters into characters: pinyin and kana."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from mondegreen.language.languages import language
from mondegreen.language.segmentation import hiragana
from mondegreen.language.sounds.syllables import romaji, to_kana
from mondegreen.language.sounds.tongue_alike import frequent_in
from mondegreen.language.sounds.tongues import pinyin, reading
from mondegreen.language.vocabulary.keyboards import neighbours
from mondegreen.text.patterns import lazy_pattern

_CACHED = 1 << 16
_MOST = 6  # words to draw from
_KANA = "ぁ", "ヿ"
_TONES = "12345"
_UNSAYABLE = lazy_pattern("(?:^|[^キシチニヒミリギジヂビピヴテデフ])[ャュョ]")
"""Small kana after one that they do not follow, as in メュ."""
_HAN = lazy_pattern("[\u3400-\u9fff]")


@lru_cache(maxsize=_CACHED)
def wrong_choices(word: str, code: str) -> tuple[str, ...]:
    """Return words that are typed with the same keys, and chosen by mistake.

    Without such a word, one character of a Chinese word is another one; a Japanese word stays in
    kana, as it was typed.

    Raises:
        MissingExtraError: if a package with readings is not installed.
    """
    found = homophones(word, code)
    if found or language(code).input != "kana" or (len(word) == 1 and not _HAN.search(word)):
        return found
    kana = hiragana(reading(word))
    return (kana,) if kana and kana != word else ()


@lru_cache(maxsize=_CACHED)
def homophones(word: str, code: str) -> tuple[str, ...]:
    """Return words that are read like a word; of a Chinese word, also with one character changed.

    Words in kana alone are left out: they are the same word, or part of another.

    Raises:
        MissingExtraError: if a package with readings is not installed.
    """
    typed = _keys(word, code)
    if not typed or (len(word) == 1 and word in language(code).function_words):
        return ()
    found = [other for other in _words_by_keys(code).get(typed, ()) if _HAN.search(other)]
    chinese = language(code).input == "pinyin"
    if not chinese and not _HAN.search(word):
        return ()
    if chinese and not any(other != word for other in found):
        found = list(_other_characters(word, typed, code))
    return tuple(dict.fromkeys(one for one in found if one != word))[:_MOST]


@lru_cache(maxsize=_CACHED)
def slipped_keys(word: str, code: str) -> tuple[str, ...]:
    """Return what a word becomes if a key beside the right one is hit.

    Raises:
        MissingExtraError: if a package with readings is not installed.
    """
    typed = _keys(word, code)
    if not typed or (len(word) == 1 and not _HAN.search(word)):
        return ()
    slips = _chinese_slips if language(code).input == "pinyin" else _japanese_slips
    found = dict.fromkeys(one for one in slips(word, typed, code) if one and one != word)
    return tuple(found)[:_MOST]


def katakana(kana: str) -> str:
    """Return hiragana as katakana.

    >>> katakana("きょう")
    'キョウ'
    """
    shift = ord("ァ") - ord("ぁ")
    return "".join(chr(ord(one) + shift) if "ぁ" <= one <= "ゖ" else one for one in kana)


@lru_cache(maxsize=_CACHED)
def _keys(word: str, code: str) -> tuple[str, ...]:
    """Return the letters with which each syllable is typed; empty if the word is not typed so."""
    if language(code).input == "pinyin":
        found = tuple(one.rstrip(_TONES) for one in pinyin(word))
        return found if len(found) == len(word) else ()
    read = reading(word)
    return romaji(read) if read else ()


@cache
def _words_by_keys(code: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the frequent words by the letters with which they are typed."""
    found: dict[tuple[str, ...], list[str]] = {}
    for word in frequent_in(code):
        typed = _keys(word, code)
        if typed:
            found.setdefault(typed, []).append(word)
    return {typed: tuple(words) for typed, words in found.items()}


def _other_characters(word: str, typed: tuple[str, ...], code: str) -> Iterator[str]:
    """Yield a Chinese word with another character of the same syllable."""
    known = _words_by_keys(code)
    for at, syllable in enumerate(typed):
        for other in known.get((syllable,), ())[:2]:
            yield word[:at] + other + word[at + 1 :]


def _beside(letters: str) -> Iterator[str]:
    """Yield letters with one of them replaced by that of a key beside it."""
    keys = neighbours("qwerty")
    for at, letter in enumerate(letters):
        for other in keys.get(letter, ""):
            yield letters[:at] + other + letters[at + 1 :]


def _chinese_slips(word: str, typed: tuple[str, ...], code: str) -> Iterator[str]:
    """Yield whole words of the slipped syllables, then words with one character of such a one."""
    known = _words_by_keys(code)
    slips = [(at, one) for at, syllable in enumerate(typed) for one in _beside(syllable)]
    for at, slip in slips:
        yield from known.get((*typed[:at], slip, *typed[at + 1 :]), ())[:1]
    for at, slip in slips:
        for other in known.get((slip,), ())[:1]:
            yield word[:at] + other + word[at + 1 :]


def _japanese_slips(word: str, typed: tuple[str, ...], code: str) -> Iterator[str]:
    """Yield words of the slipped reading, then the kana as they were typed."""
    known = _words_by_keys(code)
    made = dict.fromkeys(filter(None, map(to_kana, _beside("".join(typed)))))
    kanas = [kana for kana in made if not _UNSAYABLE.search(kana)]
    if any(not _KANA[0] <= one <= _KANA[1] for one in word):
        for kana in kanas:
            yield from (one for one in known.get(romaji(kana), ())[:1] if _HAN.search(one))
        return
    kept = katakana if "ァ" <= word[0] <= "ヺ" else hiragana
    for kana in kanas:
        yield kept(kana)
