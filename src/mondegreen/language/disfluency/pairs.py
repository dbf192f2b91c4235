"""Disfluencies of pairs: a fluent text, and the same text as somebody said it disfluently."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from mondegreen.language.disfluency.lexicon import Lexicon
from mondegreen.language.disfluency.marked import Marked

_LEAST = 3  # pairs in which a word is inserted that comes from nowhere else
_MOSTLY = 1.0  # such insertions per fluent use of the word
_FREQUENT = 60  # words of the fluent texts that count as function words
_NEAR = 3  # words after a gap of which an inserted word may be the beginning


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without the punctuation around them.

    >>> words_of("Send, uh, Bob's e-mail.")
    ['send', 'uh', "bob's", 'e-mail']
    """
    split = (_bare(word) for word in text.lower().split())
    return [word for word in split if word]


def _bare(word: str) -> str:
    start, end = 0, len(word)
    while start < end and not _is_letter(word[start]):
        start += 1
    while start < end and not (_is_letter(word[end - 1]) or _is_mark(word[end - 1])):
        end -= 1
    return word[start:end]


def _is_letter(letter: str) -> bool:
    return letter.isalnum()


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def inserted(fluent: Sequence[str], disfluent: Sequence[str]) -> list[bool] | None:
    """Return which words of the disfluent text were inserted; ``None`` if a fluent word is gone.

    Of equal words the last one is fluent: speakers take back what they said first.

    >>> inserted(["play", "the", "jazz"], ["play", "the", "uh", "the", "jazz"])
    [False, True, True, False, False]
    """
    flags = [True] * len(disfluent)
    at = len(disfluent)
    for word in reversed(fluent):
        at -= 1
        while at >= 0 and disfluent[at] != word:
            at -= 1
        if at < 0:
            return None
        flags[at] = False
    return flags


def lexicon_of(pairs: Iterable[tuple[str, str]], known: Lexicon) -> Lexicon:
    """Return a lexicon with the words that people insert and that are not words of their text.

    Words that the fluent texts never have are pauses; the others become editing terms. Unless the
    texts are English, their most frequent words are the function words.
    """
    fluent_words: Counter[str] = Counter()
    foreign: Counter[str] = Counter()
    for fluent, disfluent in pairs:
        ref, hyp = words_of(fluent), words_of(disfluent)
        fluent_words.update(ref)
        flags = inserted(ref, hyp) or []
        own = set(ref)
        foreign.update(
            {
                word
                for word, flag in zip(hyp, flags, strict=False)
                if flag and word not in own and not any(one.startswith(word) for one in ref)
            }
        )
    found = [
        word
        for word, count in sorted(foreign.items(), key=lambda item: (-item[1], item[0]))
        if count >= _LEAST and count > _MOSTLY * fluent_words[word]
    ]
    listed = {word for phrase in known.phrases for word in phrase}
    new = [word for word in found if word not in listed]
    frequent = tuple(
        word for word, _ in fluent_words.most_common(_FREQUENT) if not any(map(str.isdigit, word))
    )
    return Lexicon(
        (*known.pauses, *(word for word in new if not fluent_words[word])),
        known.markers,
        (*known.terms, *(word for word in new if fluent_words[word])),
        None if known.function is None else frequent,
    )


def marked_by_pairs(pairs: Iterable[tuple[str, str]], lexicon: Lexicon) -> Iterator[Marked]:
    """Yield the disfluent texts of pairs with the roles of their words.

    Pairs that lack a fluent word, or that are equal, are left out.

    >>> from mondegreen.language.disfluency.lexicon import ENGLISH
    >>> [turn] = marked_by_pairs([("Play jazz.", "Play ro uh ja jazz.")], ENGLISH)
    >>> turn.words, turn.roles
    (['play', 'ro', 'uh', 'ja-', 'jazz'], ['O', 'RM', 'F', 'RM', 'O'])
    """
    for fluent, disfluent in pairs:
        ref, hyp = words_of(fluent), words_of(disfluent)
        flags = inserted(ref, hyp)
        if flags is not None and any(flags):
            yield _marked(hyp, flags, lexicon)


def _marked(words: list[str], flags: Sequence[bool], lexicon: Lexicon) -> Marked:
    roles = ["RM" if flag else "O" for flag in flags]
    fluent = [at for at, flag in enumerate(flags) if not flag]
    spelt = list(words)
    at = 0
    while at < len(words):
        size = 1
        if flags[at]:
            end = next((stop for stop in fluent if stop > at), len(words))
            following = [words[stop] for stop in fluent if stop > at][:_NEAR]
            size, role = lexicon.phrase_at_start(tuple(words[at:end]))
            if size and (role == "F" or words[at] not in following):
                roles[at : at + size] = [role] * size
            else:
                size = 1
                if _is_beginning(words[at], following):
                    spelt[at] += "-"
        at += size
    return Marked(spelt, roles)


def _is_beginning(word: str, following: Sequence[str]) -> bool:
    """Return whether a word is the next one, broken off."""
    bare = word.rstrip("-")
    return any(one != bare and one.startswith(bare) for one in following[:1])


def cuts_of(turns: Iterable[Marked]) -> tuple[int, ...]:
    """Return how many words are broken off after one letter, after two, and so on."""
    sizes = Counter(
        len(word) - 1
        for turn in turns
        for word, role in zip(turn.words, turn.roles, strict=True)
        if role == "RM" and word.endswith("-")
    )
    return tuple(sizes[size] for size in range(1, max(sizes, default=0) + 1))
