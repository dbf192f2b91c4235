"""Pronunciations: from a dictionary, from reading numbers and letters aloud, or from a model."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mondegreen.errors import DataError
from mondegreen.language.reading import spoken
from mondegreen.language.sounds.phonology import to_ipa
from mondegreen.resources import read_resource
from mondegreen.text.segment import split

if TYPE_CHECKING:
    from mondegreen.language.sounds.g2p import G2p

Pronunciation = tuple[str, ...]
ALPHABETS = ("arpabet", "ipa")
_VOWELS = frozenset("aeiouy")
LONGEST = 200
"""Characters of the longest token that anybody could say."""
_CACHED = 1 << 17  # tokens
_MOST_READINGS = 8  # of a token that is read as several words, each with alternatives


class Pronounced(NamedTuple):
    """A token with all its pronunciations, the most usual first, and their source.

    ``source`` is ``dictionary``, ``aloud`` (numbers, letters, several words) or ``model``.
    """

    token: str
    pronunciations: tuple[Pronunciation, ...]
    source: str


@cache
def dictionary() -> dict[str, list[str]]:
    """Return the dictionary that comes with pocketsphinx: pronunciations in ARPAbet by word."""
    from pocketsphinx import get_model_path

    lines = (
        Path(get_model_path("en-us/cmudict-en-us.dict")).read_text(encoding="utf-8").splitlines()
    )
    found: dict[str, list[str]] = {}
    for line in lines:
        word, _, phonemes = line.partition(" ")
        if word[-1] == ")":
            word = word[: word.rindex("(")]
        found.setdefault(word, []).append(phonemes)
    return found


@cache
def _model() -> G2p:
    from mondegreen.language.sounds.g2p import G2p

    return G2p.load(read_resource("g2p.npz"))


def pronounce(text: str, alphabet: str = "arpabet", language: str = "en") -> list[Pronounced]:
    """Return the pronunciations of each token of a text, in ARPAbet or IPA.

    In another language than English they are in IPA, whatever the alphabet.

    >>> [" ".join(word.pronunciations[0]) for word in pronounce("play mp3")]
    ['P L EY', 'EH M P IY TH R IY']

    Raises:
        DataError: if the alphabet is unknown.
        MissingExtraError: if the package with the pronunciations of a language is not installed.
        OperatorError: if there are no pronunciations of a language.
    """
    if alphabet not in ALPHABETS:
        raise DataError(f"the alphabet must be {' or '.join(ALPHABETS)}, got {alphabet!r}")
    if language != "en":
        from mondegreen.language.sounds.spoken_tongues import pronounced_in

        return [pronounced_in(token, language) for token in split(text)]
    tokens = text.split()
    prepare(tokens)
    found = [pronounced(token) for token in tokens]
    if alphabet == "arpabet":
        return found
    return [
        word._replace(pronunciations=tuple(tuple(to_ipa(p)) for p in word.pronunciations))
        for word in found
    ]


@lru_cache(maxsize=_CACHED)
def pronounced(token: str) -> Pronounced:
    """Return the pronunciations of one token in ARPAbet; they are cached."""
    if len(token) > LONGEST:
        return Pronounced(token, (), "aloud")
    core = _core(token)
    known = _known(token.lower()) or _known(core)
    if known:
        return Pronounced(token, known, "dictionary")
    if _is_word(core) and not _is_acronym(core):
        return Pronounced(token, (_by_model(core),), "model")
    return Pronounced(token, _joined([core] if _is_acronym(core) else spoken(core)), "aloud")


def _core(token: str) -> str:
    """Return the word of a token: lower case, without accents or surrounding punctuation."""
    plain = unicodedata.normalize("NFKD", token.lower().replace("’", "'"))  # noqa: RUF001 (apostrophe)
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return plain.strip('"“”.,;:!?()[]…-') or plain


def _is_word(word: str) -> bool:
    return word.isascii() and word.replace("'", "").isalpha()


def _known(word: str) -> tuple[Pronunciation, ...]:
    return tuple(tuple(phonemes.split()) for phonemes in dictionary().get(word, ()))


def _is_acronym(word: str) -> bool:
    """Return whether a word that is not in the dictionary is spelt out: it has no vowel."""
    return word.isalpha() and word.isascii() and not _VOWELS & set(word)


_GUESSED: dict[str, Pronunciation] = {}


def _by_model(word: str) -> Pronunciation:
    found = _GUESSED.get(word)
    if found is None:
        (found,) = map(tuple, _model().phonemes([word]))
        if len(_GUESSED) >= _CACHED:
            _GUESSED.clear()
        _GUESSED[word] = found
    return found


def guess(words: Iterable[str]) -> None:
    """Let the model pronounce many words at once, which is much faster than one by one."""
    new = sorted({word for word in words if word not in _GUESSED})
    if len(_GUESSED) + len(new) > _CACHED:
        _GUESSED.clear()
    for word, phonemes in zip(new, _model().phonemes(new), strict=True):
        _GUESSED[word] = tuple(phonemes)


def prepare(tokens: Iterable[str]) -> None:
    """Let the model pronounce those of many tokens that need it, in one batch."""
    words = {_core(token) for token in set(tokens) if len(token) <= LONGEST}
    guess(w for w in words if _is_word(w) and not _known(w) and not _is_acronym(w))


def pronounceable(word: str) -> bool:
    """Return whether a word has letters of English, so that it has a pronunciation.

    >>> pronounceable("tune"), pronounceable("了")
    (True, False)
    """
    return len(word) <= LONGEST and _is_word(_core(word))


def _joined(parts: list[str]) -> tuple[Pronunciation, ...]:
    """Return the pronunciations of several words in sequence, up to a limit."""
    readings: list[Pronunciation] = [()]
    for part in parts:
        options = _known(part)
        if not options and _is_acronym(part):
            options = (tuple(p for letter in part for p in _known(letter)[-1]),)
        if not options:
            options = (
                (_by_model(part),) if any(c.isascii() and c.isalpha() for c in part) else ((),)
            )
        readings = [reading + option for reading in readings for option in options]
        readings = readings[:_MOST_READINGS]
    return tuple(reading for reading in readings if reading)
