"""Words of languages that are written without spaces, by packages that carry a dictionary."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import Any

from mondegreen.errors import MissingExtraError
from mondegreen.language.languages import Language, language
from mondegreen.text.segment import is_unspaced
from mondegreen.text.words import ALL_MARKS, core_of

_LONGEST = 8  # characters of a Chinese word
_CACHED = 16_384
_CLINGS = frozenset(("助詞", "助動詞", "接尾辞", "補助記号", "記号", "空白"))
"""Japanese parts of speech that belong to the phrase before them."""
_NOUN, _PREFIX = frozenset(("名詞", "接尾辞")), "接頭辞"
_BREAKABLE = 2  # characters of a word that is broken off
_SMALL = frozenset("ぁぃぅぇぉゃゅょゎァィゥェォャュョー")
_KANA = ord("ァ") - ord("ぁ")
_TIMES = "副詞可能"  # nouns such as "tomorrow", after which a new phrase begins


@lru_cache(maxsize=_CACHED)
def word_edges(tokens: tuple[str, ...], code: str) -> tuple[bool, ...]:
    """Return for the position before each token, and after the last, whether a word begins there.

    A word here is what is said without a pause: in Japanese, a phrase with its particles. In a
    language with spaces, every token is a word; those that cling to the word before do not begin.

    >>> word_edges(("播放", "爵", "士", "乐"), "de")
    (True, True, True, True, True)
    >>> word_edges(("दिल्ली", "से", "आगरा"), "hi")
    (True, False, True, True)

    Raises:
        MissingExtraError: if the package with the dictionary is not installed.
    """
    known = language(code)
    if not known.segments:
        clings = known.clinging_words
        return (*(at == 0 or core_of(one) not in clings for at, one in enumerate(tokens)), True)
    edges = [True] * (len(tokens) + 1)
    start = 0
    while start < len(tokens):
        end = start + 1
        if is_unspaced(tokens[start][0]):
            while end < len(tokens) and is_unspaced(tokens[end][0]):
                end += 1
            text = "".join(tokens[start:end])
            beginnings = set(_beginnings(text, known))
            at = 0
            for index in range(start, end):
                edges[index] = at in beginnings
                at += len(tokens[index])
        start = end
    return tuple(edges)


def word_end(tokens: tuple[str, ...], start: int, words: int, code: str) -> int:
    """Return where so many words from a position on end, counted in tokens.

    >>> word_end(("play", "some", "jazz"), 0, 2, "de")
    2
    """
    if not language(code).segments:
        return start + words
    edges = word_edges(tokens, code)
    end = start
    for _ in range(words):
        end += 1
        while end < len(tokens) and not edges[end]:
            end += 1
        if end >= len(tokens):
            break
    return min(end, len(tokens))


@lru_cache(maxsize=_CACHED)
def dictionary_words(tokens: tuple[str, ...], code: str) -> dict[int, int]:
    """Return where each word of the dictionary begins and ends, counted in tokens.

    Unlike the words of :func:`word_edges`, they are without the particles that follow them. What
    begins or ends within a token is left out.

    >>> dictionary_words(("play", "jazz"), "de")
    {0: 1, 1: 2}
    """
    known = language(code)
    found: dict[int, int] = {}
    start = 0
    while start < len(tokens):
        end = start + 1
        if known.segments and is_unspaced(tokens[start][0]):
            while end < len(tokens) and is_unspaced(tokens[end][0]):
                end += 1
            found |= _spans(tokens, start, end, known)
        else:
            found[start] = end
        start = end
    return found


def _spans(tokens: tuple[str, ...], start: int, end: int, known: Language) -> dict[int, int]:
    """Return the words of tokens that are written without spaces, by their first token."""
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    at = 0
    for index in range(start, end):
        begins[at] = index
        ends[at + len(tokens[index].rstrip(ALL_MARKS))] = index + 1
        at += len(tokens[index])
    text = "".join(tokens[start:end])
    chinese = known.segments != "unidic"
    words = _chinese(text) if chinese else [one.surface for one in japanese_tagger()(text)]
    found: dict[int, int] = {}
    at = 0
    for word in words:
        at = text.index(word, at)
        if at in begins and at + len(word) in ends:
            found[begins[at]] = ends[at + len(word)]
        at += len(word)
    return found


def _beginnings(text: str, known: Language) -> Iterator[int]:
    """Yield where words begin, except those that cling to the word before."""
    if known.segments == "unidic":
        yield from _phrases(text, known.clinging_words)
        return
    clinging = known.clinging_words
    at = 0
    for word in _chinese(text):
        if at == 0 or word not in clinging:
            yield at
        at += len(word)


@cache
def _dictionary() -> tuple[dict[str, float], float]:
    """Return the log probabilities of Chinese words, and that of an unknown character."""
    spec = find_spec("jieba")
    if spec is None or spec.origin is None:
        raise MissingExtraError.of("zh", "Chinese words")
    counts: dict[str, int] = {}
    with Path(spec.origin).with_name("dict.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, count, *_ = line.split(" ")
            if len(word) <= _LONGEST:
                counts[word] = int(count)
    total = log(sum(counts.values()))
    return {word: log(count or 1) - total for word, count in counts.items()}, -total


@lru_cache(maxsize=_CACHED)
def _chinese(text: str) -> tuple[str, ...]:
    """Return the most probable words of a Chinese text, each independent of the others."""
    known, never = _dictionary()
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(text) + 1):
        options = (
            (best[start][0] + known.get(text[start:end], never), start)
            for start in range(max(0, end - _LONGEST), end)
            if end - start == 1 or text[start:end] in known
        )
        best.append(max(options))
    words: list[str] = []
    end = len(text)
    while end:
        start = best[end][1]
        words.append(text[start:end])
        end = start
    return tuple(reversed(words))


@cache
def japanese_tagger() -> Any:
    """Return the tagger for Japanese, with its dictionary."""
    if find_spec("fugashi") is None or find_spec("unidic_lite") is None:
        raise MissingExtraError.of("ja", "Japanese words")
    from fugashi import Tagger
    from unidic_lite import DICDIR

    return Tagger(f"-d {DICDIR} -r {DICDIR}/dicrc")


def _phrases(text: str, clinging: frozenset[str]) -> Iterator[int]:
    """Yield where Japanese phrases begin: a content word with the particles that follow it."""
    at, before, times = 0, "", False
    for word in japanese_tagger()(text):
        part, kind = word.feature.pos1, word.feature.pos3
        helps = word.feature.lemma == "為る" or word.feature.pos2 == "非自立可能"
        verb = part == "動詞" and helps
        compound = part in _NOUN and before in _NOUN and not times
        clings = (
            part in _CLINGS or before == _PREFIX or compound or verb or word.surface in clinging
        )
        if at == 0 or not clings:
            yield at
        at = text.index(word.surface, at) + len(word.surface)
        before, times = part, kind == _TIMES


def first_sound(word: str, code: str) -> str:
    """Return the first syllable of a word that is broken off; empty if it has no other.

    A Chinese word breaks off after its first character, a Japanese one after its first kana, as it
    is read.
    """
    core = word.strip(ALL_MARKS)
    if len(core) < _BREAKABLE or not is_unspaced(core[0]):
        return ""
    if language(code).segments != "unidic":
        return core[0]
    reading = hiragana("".join(one.feature.kana or one.surface for one in japanese_tagger()(core)))
    first = reading[:2] if reading[1:2] in _SMALL else reading[:1]
    if len(reading) <= len(first) or not is_unspaced(first[:1] or "x"):
        return ""
    katakana = "ァ" <= core[0] <= "ヺ"
    return core[: len(first)] if katakana else first


def hiragana(kana: str) -> str:
    """Return katakana as hiragana.

    >>> hiragana("キョウ")
    'きょう'
    """
    return "".join(chr(ord(one) - _KANA) if "ァ" <= one <= "ヶ" else one for one in kana)
