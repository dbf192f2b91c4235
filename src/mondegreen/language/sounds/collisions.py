"""Collisions: which names of tools, or values of a slot, sound alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mondegreen.align.costs import ONE
from mondegreen.kernel import Alike
from mondegreen.language.dictation import dictated
from mondegreen.language.sounds.phonology import arpabet
from mondegreen.language.sounds.pronunciations import prepare, pronounced
from mondegreen.text.patterns import lazy_pattern

_HUMPS = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|[\s_.\-/]+")
_NEAREST = 10  # neighbours of each name that are looked at


class Collision(NamedTuple):
    """Two names, how many phonemes differ, and the share of the longer one that this is."""

    first: str
    second: str
    phonemes: float
    share: float


def collisions(names: Iterable[str], most: int | None = None) -> list[Collision]:
    """Return the pairs of names that sound alike, the nearest first.

    >>> [(one.first, one.second) for one in collisions(["Austin", "Boston", "Kyoto"], 1)]
    [('Austin', 'Boston')]
    """
    distinct = list(dict.fromkeys(name for name in names if name.strip()))
    words = {name: _words(name) for name in distinct}
    prepare([word for said in words.values() for word in said])
    sounds = {name: _sounds(said) for name, said in words.items()}
    known = [name for name in distinct if sounds[name]]
    numbers = {symbol: i for i, symbol in enumerate(arpabet().symbols)}
    entries = [[numbers[phoneme] for phoneme in sounds[name]] for name in known]
    if len(known) < 2:  # noqa: PLR2004 (a pair)
        return []
    size = len(numbers)
    table = [ONE * (a != b) for a in range(size) for b in range(size)]
    search = Alike(entries, table, [ONE] * size)
    found: dict[tuple[int, int], Collision] = {}
    for at, entry in enumerate(entries):
        for cost, other in search.find(entry, min(len(known), _NEAREST + 1)):
            pair = min(at, other), max(at, other)
            if at != other and pair not in found:
                longest = max(len(entry), len(entries[other]))
                first, second = (known[place] for place in pair)
                found[pair] = Collision(first, second, cost / ONE, cost / ONE / longest)
    return sorted(found.values(), key=lambda one: (one.share, one.first, one.second))[:most]


def _words(name: str) -> list[str]:
    """Return the words of a name: "getWeather_now" is said as "get weather now"."""
    parts = [part for part in _HUMPS.split(name) if part]
    return [word for part in parts for word in dictated(part)]


def _sounds(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        options = pronounced(word).pronunciations
        found += options[0] if options else ()
    return found
