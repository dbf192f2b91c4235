"""Words of other languages that sound alike, and other words in which a phrase can be heard."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from math import log
from typing import NamedTuple

from mondegreen.align.costs import ONE
from mondegreen.errors import MissingExtraError
from mondegreen.kernel import Alike
from mondegreen.language.languages import language
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.tongues import listed_sounds, sounds_of
from mondegreen.text.patterns import lazy_pattern

WORDS = 20_000
"""How many of the most frequent words can be heard."""
FEATURES = 24
"""Features of a phoneme."""
_KANA = lazy_pattern("[ぁ-ヿ]+")
_LONE_KANA = lazy_pattern("[ぁ-ヿ]")
_TONES = frozenset("12345")
_TONE = ONE // 4  # the cost of a wrong tone, and of one more or less
_OTHER = ONE  # what a sound costs that only resembles one of the table
_LENGTH = ONE // 2
_NEAR = {
    "ʁ": "x", "χ": "x", "ɣ": "x", "ç": "ʃ", "ɐ": "ə", "y": "ʉ", "ʏ": "ʉ", "ø": "e", "œ": "ɛ",
    "ɥ": "w", "ɲ": "n", "ʎ": "l", "ʝ": "j", "β": "b", "g": "ɡ", "c": "k", "ɤ": "ʌ", "ʂ": "ʃ",
    "ɕ": "ʃ", "ʐ": "ʒ", "t͡s": "s", "d͡z": "z", "p͡f": "f", "t͡ʂ": "t͡ʃ", "t͡ɕ": "t͡ʃ",
    "ɛi": "e͡ɪ", "ei": "e͡ɪ", "ai": "a͡ɪ", "aɪ̯": "a͡ɪ", "au": "a͡ʊ", "aʊ̯": "a͡ʊ", "ɑu": "a͡ʊ",
    "ɔʏ̯": "ɔ͡ɪ", "oi": "ɔ͡ɪ", "œy": "a͡ʊ", "eu": "e", "wa": "a", "we": "e", "wi": "i", "wo": "o",
}  # fmt: skip
"""The sound of the table that is nearest to one that it lacks."""
_FARTHEST = {"zh": 0.012, "ja": 0.06}
"""How far a word may be that is heard for another, in phonemes per phoneme."""
_FARTHEST_ELSEWHERE = 0.066
_SOUNDS = 3  # of the shortest word that is taken for another
_SHORT = 12.0  # features that a word of one written character costs where no spaces are set
_CACHED = 1 << 16
_SPARE = 3
_PIECES = 10  # sounds of the longest word that is heard
_NEAREST = 3  # words to try for each stretch of sounds
_BEAM = 6
_RANK = 0.35  # features that a word costs per factor e of its rank


class AlikeIn(NamedTuple):
    """A word that sounds alike, and how far it is, in features."""

    word: str
    distance: float


class Reheard(NamedTuple):
    """Words that a phrase can be heard as, the wrong phonemes per phoneme, and a score."""

    words: tuple[str, ...]
    distance: float
    score: float


@cache
def frequent_in(code: str) -> tuple[str, ...]:
    """Return the most frequent words of a language that can be said, the most frequent first.

    Raises:
        MissingExtraError: if the package with the frequencies is not installed.
    """
    if find_spec("wordfreq") is None:
        raise MissingExtraError.of(code, f"frequent words of {language(code).name}")
    from wordfreq import top_n_list

    tongue = language(code)
    crude = re.compile(tongue.crude or "$^")
    known = tongue.function_words
    return tuple(
        word
        for word in top_n_list(code, WORDS)
        if _is_plain(word, spaced=tongue.spaced, known=known) and not crude.fullmatch(word)
    )


def _is_plain(word: str, *, spaced: bool, known: frozenset[str]) -> bool:
    """Return whether a word is written in letters; a short one must be a function word."""
    if not spaced:
        return not word.isascii() and word.isalpha() and not _LONE_KANA.fullmatch(word)
    return word.isalpha() and (len(word) > 2 or word in known)  # noqa: PLR2004 (letters)


class _TongueLexicon:
    """How the frequent words of a language sound, and the search for the nearest."""

    def __init__(self, code: str) -> None:
        said = [(word, listed_sounds(word, code)) for word in frequent_in(code)]
        self.words = [word for word, sounds in said if sounds]
        kept = [sounds for _, sounds in said if sounds]
        symbols = sorted({sound for sounds in kept for sound in sounds})
        self.numbers = {symbol: n for n, symbol in enumerate(symbols)}
        entries = [[self.numbers[sound] for sound in sounds] for sounds in kept]
        table = [_cost(a, b) for a in symbols for b in symbols]
        indel = [_TONE if one in _TONES else _half(one) * ONE for one in symbols]
        self.search = Alike(entries, table, indel)

    def find(self, sounds: Sequence[str], n: int) -> list[tuple[int, int]]:
        """Return costs and positions of the nearest words; sounds that are unknown are left out."""
        query = [self.numbers[sound] for sound in sounds if sound in self.numbers]
        return self.search.find(query, n) if query else []


def _half(sound: str) -> int:
    """Return the features that an added or lost sound costs: long and odd sounds cost as others."""
    return FEATURES // 4 if sound in ("ʔ", "ː", "h") else FEATURES // 2


@cache
def _base(sound: str) -> tuple[str, int]:
    """Return the sound of the table for a sound, and what is left over: length, breath, nose."""
    plain = sound.rstrip("ːʰ").replace("\u0303", "")
    extra = _LENGTH * (len(sound) - len(plain))
    known = feature_system("hayes-ipa").phonemes
    if plain in known:
        return plain, extra
    near = _NEAR.get(plain, "ə")
    return near, extra + _OTHER


@cache
def _cost(one: str, other: str) -> int:
    if one == other:
        return 0
    if one in _TONES or other in _TONES:
        return _TONE if one in _TONES and other in _TONES else FEATURES * ONE
    (a, more), (b, less) = _base(one), _base(other)
    apart = feature_system("hayes-ipa").substitution(a, b) * (ONE // 4)
    return apart + max(_LENGTH, abs(more - less)) if a == b else apart + abs(more - less)


@cache
def _lexicon(code: str) -> _TongueLexicon:
    return _TongueLexicon(code)


@lru_cache(maxsize=_CACHED)
def _letters(word: str) -> str:
    """Return a word without case and accents: "voor" and "vóór" are the same."""
    split = unicodedata.normalize("NFD", word.lower())
    return "".join(one for one in split if not unicodedata.combining(one))


@lru_cache(maxsize=_CACHED)
def alikes_in(word: str, code: str, n: int = 3) -> tuple[AlikeIn, ...]:
    """Return the frequent words of a language that sound most like a word, the nearest first.

    Words that are too far to be heard are left out, and those that only spell the same otherwise.

    Raises:
        MissingExtraError: if a package with words or pronunciations is not installed.
    """
    lexicon = _lexicon(code)
    said = sounds_of(word, code)
    if language(code).spaced and len(said) < _SOUNDS:
        return ()
    farthest = _FARTHEST.get(code, _FARTHEST_ELSEWHERE) * FEATURES * len(said)
    found: dict[str, float] = {}
    for cost, entry in lexicon.find(said, n * _SPARE + 1):
        other = lexicon.words[entry]
        if cost <= farthest * ONE and not _is_spelling(other, word, cost):
            found.setdefault(other, cost / ONE)
    return tuple(AlikeIn(*item) for item in list(found.items())[:n])


def _is_spelling(one: str, other: str, cost: int) -> bool:
    """Return whether two words are one: without accents, or in kana that is read the same."""
    return _letters(one) == _letters(other) or (not cost and bool(_KANA.fullmatch(one)))


@lru_cache(maxsize=_CACHED)
def _pieces(sounds: tuple[str, ...], code: str) -> tuple[tuple[str, float, float], ...]:
    """Return the words nearest to sounds: their cost in features, and with their rank."""
    lexicon, spaced = _lexicon(code), language(code).spaced
    found = []
    for cost, entry in lexicon.find(sounds, _NEAREST):
        word = lexicon.words[entry]
        short = _SHORT if not spaced and len(word) == 1 else 0.0
        found.append((word, cost / ONE, cost / ONE + _RANK * log(entry + 2) + short))
    return tuple(found)


@lru_cache(maxsize=_CACHED)
def rehear(words: tuple[str, ...], code: str, n: int = 4) -> tuple[Reheard, ...]:
    """Return the word sequences that words can be misheard as, the best first.

    No word that was said is heard, and no sequence has the letters of the original.

    Raises:
        MissingExtraError: if a package with words or pronunciations is not installed.
    """
    sounds = [sound for word in words for sound in sounds_of(word, code)]
    barred = set(map(_letters, words))
    best: list[list[tuple[float, float, tuple[str, ...]]]] = [[(0.0, 0.0, ())]]
    for end in range(1, len(sounds) + 1):
        options = [
            (score + more, cost + apart, (*heard, word))
            for start in range(max(0, end - _PIECES), end)
            for score, cost, heard in best[start]
            for word, apart, more in _pieces(tuple(sounds[start:end]), code)
            if _letters(word) not in barred
        ]
        best.append(sorted(options)[:_BEAM])
    letters = "".join(words).lower()
    scale = max(1, len(sounds)) * FEATURES
    found = [
        Reheard(heard, cost / scale, score)
        for score, cost, heard in best[-1]
        if "".join(heard) != letters and heard
    ]
    return tuple(found[:n])
