"""Which words of a reference are disfluent: by UPPERCASE or by tags, also after a normaliser."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

from mondegreen.errors import DataError
from mondegreen.language.disfluency.lexicon import ENGLISH
from mondegreen.metrics.normalisation.normalise import Normaliser
from mondegreen.text.items import Item, words_of

T = TypeVar("T")
_PHRASES = frozenset(
    tuple(phrase.split()) for phrase in (*ENGLISH.terms, *ENGLISH.markers) if " " in phrase
)
_LONGEST = max(map(len, _PHRASES))


class MarkedReferences(NamedTuple):
    """References to compare, and which of their words are disfluent.

    ``flags`` has one byte per word, or ``None`` for a reference that the kernel marks by its case;
    it is ``None`` as a whole where that holds for all. ``tags`` are those of the words, if any.
    """

    refs: list[Item]
    flags: list[bytes | None] | None
    tags: list[list[str]] | None = None


def marked_by_case(
    refs: list[Item], keep: Collection[str], prepare: Normaliser | None
) -> MarkedReferences:
    """Mark the words in UPPERCASE, except those to keep; words are then in lower case.

    >>> list(marked_by_case(["I UH think I MEAN know"], ["I"], None).flags[0])
    [0, 1, 0, 1, 1, 0]
    """
    if not keep and prepare is None:
        by_hand = [i for i, ref in enumerate(refs) if not _is_plain(ref)]
    else:
        by_hand = list(range(len(refs)))
    if not by_hand:
        return MarkedReferences(refs, None)
    lowered, flags = list(refs), [None] * len(refs)  # type: list[Item], list[bytes | None]
    for i in by_hand:
        words = words_of(refs[i])
        row = case_flags(words, keep)
        lower = [word.lower() for word in words]
        if prepare is not None:
            lower, row = normalised(lower, row, prepare)
        lowered[i] = " ".join(lower) if isinstance(refs[i], str) else lower
        flags[i] = bytes(row)
    return MarkedReferences(lowered, flags)


def case_flags(words: Sequence[str], keep: Collection[str]) -> list[bool]:
    """Return which words are in UPPERCASE, except those to keep.

    A word to keep is disfluent all the same in a phrase such as "I MEAN", the rest of which is.

    >>> case_flags("I MEAN play IT".split(), ["I"])
    [True, True, False, True]
    """
    flags = [word.isupper() and word not in keep for word in words]
    if not keep:
        return flags
    lower = [word.lower() for word in words]
    for size in range(2, _LONGEST + 1):
        for start in range(len(words) - size + 1):
            span = range(start, start + size)
            if (
                tuple(lower[start : start + size]) in _PHRASES
                and all(flags[i] or words[i] in keep for i in span)
                and any(flags[i] for i in span)
            ):
                flags[start : start + size] = [True] * size
    return flags


def marked_by_tags(
    refs: list[Item],
    tags: Sequence[Sequence[str]],
    fluent: Collection[str],
    prepare: Normaliser | None,
) -> MarkedReferences:
    """Mark the words whose tags are not those of fluent words.

    Raises:
        DataError: if there is not one tag per word.
    """
    if len(tags) != len(refs):
        raise DataError(f"{len(tags)} rows of tags for {len(refs)} references; give one each")
    rows = []
    found: list[Item] = []
    for number, (ref, row) in enumerate(zip(map(words_of, refs), tags, strict=True), start=1):
        if len(ref) != len(row):
            raise DataError(f"utterance {number}: {len(row)} tags for {len(ref)} words")
        words, kept = (ref, list(row)) if prepare is None else normalised(ref, row, prepare)
        found.append(words)
        rows.append(kept)
    return MarkedReferences(found, [bytes(tag not in fluent for tag in row) for row in rows], rows)


def normalised(
    words: Sequence[str], marks: Sequence[T], prepare: Normaliser
) -> tuple[list[str], list[T]]:
    """Normalise words, each stretch with the same mark for itself, so that marks are kept.

    >>> normalised(["uh", "Play,", "it"], [True, False, False], str.lower)
    (['uh', 'play,', 'it'], [True, False, False])
    """
    found: list[str] = []
    kept: list[T] = []
    for mark, stretch in groupby(zip(marks, words, strict=True), key=lambda pair: pair[0]):
        new = prepare(" ".join(word for _, word in stretch)).split()
        found += new
        kept += [mark] * len(new)
    return found, kept


def _is_plain(item: Item) -> bool:
    """Return whether the kernel can judge the case: letters beyond ASCII have none."""
    texts = [item] if isinstance(item, str) else item
    return all(text.isascii() or _is_caseless(text) for text in texts)


def _is_caseless(text: str) -> bool:
    beyond = "".join(char for char in text if not char.isascii())
    return beyond.lower() == beyond.upper() == beyond
