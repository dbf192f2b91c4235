"""Words that belong to names or fixed phrases, whose synonyms would name something else."""

from __future__ import annotations

from functools import lru_cache

from mondegreen.language.vocabulary.grammar_frames import fixed_positions
from mondegreen.language.vocabulary.tagger import GRAMMAR, tag
from mondegreen.text.patterns import lazy_pattern
from mondegreen.text.words import core_of
from mondegreen.types import Utterance

_NAMING = lazy_pattern(
    "name|artist|title|album|track|song|playlist|city|state|country|location|place|airline|airport"
    "|person|poi|business|movie|entity|service|contact|app|brand|team|street|region|station|owner"
)
_CACHED = 16_384  # utterances
_NOT_NAMING = lazy_pattern("type|size|number|unit|rating|cost|class|relative|_mod|sort|genre|descr")


@lru_cache(maxsize=4096)
def is_naming(label: str) -> bool:
    """Return whether the slots with a label are names.

    >>> is_naming("fromloc.city_name"), is_naming("restaurant_type"), is_naming("playlist")
    (True, False, True)
    """
    return bool(_NAMING.search(label.lower())) and not _NOT_NAMING.search(label.lower())


def kept_positions(utterance: Utterance) -> frozenset[int]:
    """Return the positions of words in names and fixed phrases.

    Names are known by the labels of slots, by the tagger, and by capitals within a sentence.

    >>> sorted(kept_positions(Utterance.of("1", "book a first class seat to Salt Lake City")))
    [2, 3, 6, 7, 8]
    """
    found = _by_text(utterance.tokens)
    for slot in utterance.slots:
        if is_naming(slot.label):
            found = found.union(range(slot.start, slot.end))
    return found


@lru_cache(maxsize=_CACHED)
def _by_text(tokens: tuple[str, ...]) -> frozenset[int]:
    tags = tag(tokens)
    found = fixed_positions(list(map(core_of, tokens)))
    if found:
        found = {at for at in found if tags[at] not in GRAMMAR}  # frames decide about these
    if "PROPN" in tags:
        found.update([at for at, part in enumerate(tags) if part == "PROPN"])
    text = "".join(tokens)
    if not text.islower() and not text.isupper():
        found.update(_capitals(tokens))
    return frozenset(found)


def _capitals(tokens: tuple[str, ...]) -> list[int]:
    """Return the positions of words with a capital that do not begin a sentence."""
    starts = {0, *(at + 1 for at, token in enumerate(tokens) if token[-1] in ".!?")}
    return [
        at
        for at, token in enumerate(tokens)
        if token[0].isupper() and token[1:2].islower() and at not in starts
    ]
