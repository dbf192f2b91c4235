"""Syllables of Mandarin and Japanese: how they are typed in Latin letters, and how they sound."""

from __future__ import annotations

from functools import cache

_INITIALS = {
    "zh": "t͡ʂ", "ch": "t͡ʂʰ", "sh": "ʂ", "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t",
    "t": "tʰ", "n": "n", "l": "l", "g": "k", "k": "kʰ", "h": "x", "j": "t͡ɕ", "q": "t͡ɕʰ",
    "x": "ɕ", "r": "ʐ", "z": "t͡s", "c": "t͡sʰ", "s": "s", "y": "j", "w": "w",
}  # fmt: skip
_FINALS = {
    "iang": "i a ŋ", "iong": "i o ŋ", "uang": "u a ŋ", "ang": "a ŋ", "eng": "ə ŋ", "ing": "i ŋ",
    "ong": "o ŋ", "ian": "i ɛ n", "iao": "i a u", "uai": "u a i", "uan": "u a n", "van": "y ɛ n",
    "ai": "a i", "ei": "e i", "ao": "a u", "ou": "o u", "an": "a n", "en": "ə n", "in": "i n",
    "un": "u n", "ia": "i a", "ie": "i e", "iu": "i o u", "ua": "u a", "uo": "u o", "ui": "u e i",
    "ue": "y e", "ve": "y e", "er": "ə ɹ", "a": "a", "o": "o", "e": "ɤ", "i": "i", "u": "u",
    "v": "y", "ü": "y", "n": "n", "ng": "ŋ", "m": "m",
}  # fmt: skip
_ROWS = {
    "": "アイウエオ", "k": "カキクケコ", "s": "サシスセソ", "t": "タチツテト", "n": "ナニヌネノ",
    "h": "ハヒフヘホ", "m": "マミムメモ", "r": "ラリルレロ", "g": "ガギグゲゴ", "z": "ザジズゼゾ",
    "d": "ダヂヅデド", "b": "バビブベボ", "p": "パピプペポ",
}  # fmt: skip
_OTHERS = {
    "ya": "ヤ", "yu": "ユ", "yo": "ヨ", "wa": "ワ", "wo": "ヲ", "nn": "ン", "-": "ー", "vu": "ヴ",
    "fa": "ファ", "fi": "フィ", "fe": "フェ", "fo": "フォ", "thi": "ティ", "dhi": "ディ",
    "wi": "ウィ", "we": "ウェ", "che": "チェ", "she": "シェ", "je": "ジェ", "twu": "トゥ",
    "xa": "ァ", "xi": "ィ", "xu": "ゥ", "xe": "ェ", "xo": "ォ", "xtu": "ッ", "xya": "ャ",
    "xyu": "ュ", "xyo": "ョ",
}  # fmt: skip
_CONSONANTS = {
    "k": "k", "s": "s", "t": "t", "n": "n", "h": "h", "m": "m", "r": "ɾ", "g": "ɡ", "z": "z",
    "d": "d", "b": "b", "p": "p", "y": "j", "w": "w", "f": "f", "v": "v",
}  # fmt: skip
_VOWELS = {"a": "a", "i": "i", "u": "u", "e": "e", "o": "o"}
_SPECIAL = {
    "si": "ɕ i", "ti": "t͡ɕ i", "tu": "t͡s u", "hu": "f u", "zi": "d͡ʒ i", "di": "d͡ʒ i",
    "du": "z u", "nn": "n", "-": "ː", "xtu": "ʔ", "thi": "t i", "dhi": "d i", "che": "t͡ɕ e",
    "she": "ɕ e", "je": "d͡ʒ e", "twu": "t u",
}  # fmt: skip
_TONES = "12345"


def pinyin_sounds(syllable: str) -> tuple[str, ...]:
    """Return the sounds of a Mandarin syllable, its tone last; empty if it is no syllable.

    >>> pinyin_sounds("bei3"), pinyin_sounds("xx1")
    (('p', 'e', 'i', '3'), ())
    """
    letters, tone = syllable.rstrip(_TONES), syllable[-1:]
    initial = next((one for one in _INITIALS if letters.startswith(one)), "")
    rest = letters.removeprefix(initial)
    if initial in ("j", "q", "x", "y") and rest.startswith("u"):
        rest = "v" + rest[1:]
    final = _FINALS.get(rest)
    if final is None:
        return ()
    first = (_INITIALS[initial],) if initial else ()
    return (*first, *final.split(), tone if tone in _TONES else "5")


def syllable_parts(syllable: str) -> tuple[str, ...]:
    """Return initial, medial, vowel, ending and tone of a Mandarin syllable; empty if it is none.

    The letters y and w, which only show that there is no initial, are part of the medial.

    >>> syllable_parts("zhuang1"), syllable_parts("yan2"), syllable_parts("er4")
    (('zh', 'u', 'a', 'ŋ', '1'), ('', 'i', 'a', 'n', '2'), ('', '', 'ə', 'ɹ', '4'))
    """
    *sounds, tone = pinyin_sounds(syllable) or ("",)
    if not tone:
        return ()
    letters = syllable.rstrip(_TONES)
    initial = next((one for one in _INITIALS if letters.startswith(one)), "")
    if initial in ("y", "w"):
        glide = "i" if initial == "y" else "u"
        initial, sounds = "", sounds[1:] if sounds[1] in "iuy" else [glide, *sounds[1:]]
    elif initial:
        sounds = sounds[1:]
    ending = sounds.pop() if len(sounds) > 1 and sounds[-1] in "iunŋɹ" else ""
    *medial, vowel = sounds
    return initial, "".join(medial), "a" if vowel == "ɛ" else vowel, ending, tone


@cache
def _romaji() -> dict[str, str]:
    """Return katakana by the letters with which they are typed."""
    found = {
        row + vowel: kana
        for row, kanas in _ROWS.items()
        for vowel, kana in zip("aiueo", kanas, strict=True)
    }
    for row, kanas in _ROWS.items():
        if row:
            small = zip("auo", "ャュョ", strict=True)
            found |= {f"{row}y{vowel}": kanas[1] + one for vowel, one in small}
    return found | _OTHERS


@cache
def _typed() -> dict[str, str]:
    """Return the letters by katakana."""
    return {kana: letters for letters, kana in reversed(_romaji().items())}


def romaji(kana: str) -> tuple[str, ...]:
    """Return the letters with which each katakana is typed; empty if one cannot be typed.

    >>> romaji("キョウ"), romaji("ガッコー")
    (('kyo', 'u'), ('ga', 'xtu', 'ko', '-'))
    """
    known = _typed()
    found: list[str] = []
    at = 0
    while at < len(kana):
        size = 2 if kana[at : at + 2] in known else 1
        letters = known.get(kana[at : at + size])
        if letters is None:
            return ()
        found.append(letters)
        at += size
    return tuple(found)


def to_kana(letters: str) -> str:
    """Return what typed letters become, in katakana; empty if some of them become nothing.

    >>> to_kana("tenji"), to_kana("tenzi"), to_kana("tqnki")
    ('', 'テンジ', '')
    """
    known = _romaji()
    found, at = "", 0
    while at < len(letters):
        for size in (3, 2, 1):
            kana = known.get(letters[at : at + size])
            if kana is not None:
                break
        else:
            if letters[at] != "n":
                return ""
            kana, size = "ン", 1
        found += kana
        at += size
    return found


def kana_sounds(kana: str) -> tuple[str, ...]:
    """Return the sounds of katakana in IPA.

    >>> kana_sounds("キョウ"), kana_sounds("シ")
    (('k', 'j', 'o', 'u'), ('ɕ', 'i'))
    """
    found: list[str] = []
    for letters in romaji(kana):
        if letters in _SPECIAL:
            found += _SPECIAL[letters].split()
            continue
        for letter in letters.removeprefix("x"):
            found.append(_CONSONANTS.get(letter) or _VOWELS[letter])
    return tuple(found)
