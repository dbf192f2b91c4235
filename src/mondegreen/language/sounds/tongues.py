"""Pronunciations in IPA of other languages, by packages that carry lexicons."""

from __future__ import annotations

import base64
import sqlite3
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from mondegreen.errors import MissingExtraError
from mondegreen.language.languages import language
from mondegreen.language.segmentation import japanese_tagger
from mondegreen.language.sounds.syllables import kana_sounds, pinyin_sounds
from mondegreen.text.patterns import lazy_pattern

Sounds = tuple[str, ...]
_CACHED = 1 << 16
_WINDOW = 3  # letters before and after a letter that the CRF looks at
_STRESS = lazy_pattern("[ˈˌ‿.]")
_PARTS = lazy_pattern(r"[^\W\d_]+['’]?")
_LONGEST = 60  # letters of a word that can be said
_LOCK = Lock()  # a tagger reads one word at a time


@lru_cache(maxsize=_CACHED)
def sounds_of(word: str, code: str) -> Sounds:
    """Return how a word sounds in a language, in IPA; empty if it cannot be said.

    Words of several parts, such as "l'anno" and "mp3-player", are said part by part; digits are
    not said here.

    Raises:
        MissingExtraError: if the package with the pronunciations is not installed.
    """
    kind = language(code).sounds
    core = unicodedata.normalize("NFC", word.lower().replace("’", "'"))
    if len(core) > _LONGEST:
        return ()
    if kind == "pinyin":
        return _chinese(core)
    if kind == "kana":
        return _japanese(core)
    known = _lexicon(code)
    found = known.get(core) or known.get(core.strip("'-"))
    if found is not None:
        return tuple(found.split())
    parts = _PARTS.findall(core)
    if len(parts) > 1:
        return tuple(sound for part in parts for sound in sounds_of(part.strip("'"), code))
    return _guessed(core.strip("'"), code) if parts else ()


def listed_sounds(word: str, code: str) -> Sounds:
    """Return how a word sounds by the lexicon of a language; empty if only a model could say it."""
    if language(code).sounds != "gruut":
        return sounds_of(word, code)
    return tuple(_lexicon(code).get(word, "").split())


@cache
def package_of(code: str) -> Path:
    """Return the folder of the package with the pronunciations of a language."""
    spec = find_spec(f"gruut_lang_{code}")
    if spec is None or spec.origin is None:
        raise MissingExtraError.of(code, f"pronunciations of {language(code).name}")
    return Path(spec.origin).parent


@cache
def _lexicon(code: str) -> dict[str, str]:
    """Return the most usual pronunciation of each word; stress is left out."""
    place = (package_of(code) / "lexicon.db").as_uri() + "?mode=ro&immutable=1"
    found: dict[str, str] = {}
    with sqlite3.connect(place, uri=True) as lexicon:
        rows = lexicon.execute("SELECT word, phonemes FROM word_phonemes ORDER BY word, pron_order")
        for word, phonemes in rows:
            found.setdefault(word.lower(), _STRESS.sub("", phonemes))
    lexicon.close()
    return found


@cache
def _tagger(code: str) -> Any:
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(str(package_of(code) / "g2p" / "model.crf"))
    return tagger


def _guessed(word: str, code: str) -> Sounds:
    """Return how the CRF says a word that is not in the lexicon."""
    if not word:
        return ()
    with _LOCK:
        tags = _tagger(code).tag(features_of(word, encode=_encoded))
    said = (base64.b64decode(tag).decode() for tag in tags)
    sounds = (plain_sound(sound) for tag in said for sound in tag.split("|"))
    return tuple(sound for sound in sounds if sound not in ("", "_"))


def plain_sound(sound: str) -> str:
    """Return a sound without stress.

    >>> plain_sound("ˈaː")
    'aː'
    """
    return _STRESS.sub("", sound)


def _encoded(letter: str) -> str:
    return base64.b64encode(letter.encode()).decode("ascii")


def features_of(word: str, encode: Any = str) -> list[dict[str, Any]]:
    """Return what the CRF sees of each letter: the letter, three before and three after it.

    >>> sorted(features_of("ab")[0])
    ['begin', 'bias', 'grapheme', 'grapheme+1']
    """
    coded = [encode(letter) for letter in word]
    found = []
    for at, letter in enumerate(coded):
        features: dict[str, Any] = {"bias": 1.0, "grapheme": letter}
        if at == 0:
            features["begin"] = True
        for step in range(1, _WINDOW + 1):
            if at >= step:
                features[f"grapheme-{step}"] = coded[at - step]
            if at + step < len(coded):
                features[f"grapheme+{step}"] = coded[at + step]
        if at == len(coded) - 1:
            features["end"] = True
        found.append(features)
    return found


def _chinese(text: str) -> Sounds:
    return tuple(sound for syllable in pinyin(text) for sound in pinyin_sounds(syllable))


@lru_cache(maxsize=_CACHED)
def pinyin(text: str) -> tuple[str, ...]:
    """Return the syllables of Chinese characters, each with the number of its tone.

    Raises:
        MissingExtraError: if the package pypinyin is not installed.
    """
    if find_spec("pypinyin") is None:
        raise MissingExtraError.of("zh", "readings of Chinese characters")
    from pypinyin import Style, lazy_pinyin

    found: Sequence[str] = lazy_pinyin(
        text, style=Style.TONE3, errors="ignore", neutral_tone_with_five=True, v_to_u=False
    )
    return tuple(found)


def _japanese(text: str) -> Sounds:
    return kana_sounds(reading(text))


@lru_cache(maxsize=_CACHED)
def reading(text: str) -> str:
    """Return how Japanese text is read, in katakana; characters without a reading are left out.

    Raises:
        MissingExtraError: if the package with the dictionary is not installed.
    """
    return "".join(word.feature.kana or "" for word in japanese_tagger()(text))
