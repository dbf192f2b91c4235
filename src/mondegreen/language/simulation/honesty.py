"""Whether the values of a profile can be true: a stranger may have written it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

_SHAPED = ("words", "gaps", "shifts", "kinds", "choices", "nearness", "several")
_WEIGHTS = (*_SHAPED, "offsets", "bigrams")
_LARGEST_WEIGHT, _LARGEST_COUNT = 1_000.0, 1e12
_SHARES = ("common", "neighbour", "shorter", "runs", "beside", "habits")
_LONGEST = 1_000  # characters of a word or phrase


def lie(found: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """Return what cannot be true of a profile as plain values; empty if all of it can.

    Args:
        found: the profile.
        known: a profile that is true, with as many weights of each kind.
    """
    for name in _SHAPED:
        if _shape(found[name]) != _shape(known[name]):
            return f"{name} has another number of weights"
    for name, value in found.items():
        most = _LARGEST_WEIGHT if name in _WEIGHTS else 1.0 if name in _SHARES else _LARGEST_COUNT
        least = -most if name in _WEIGHTS else 0.0
        for number in _numbers(value):
            if not (least <= number <= most and math.isfinite(number)):
                return f"{name} has the number {number!s:.20}"
        if any(len(text) > _LONGEST for text in _keys(value)):
            return f"{name} has a word of more than {_LONGEST:,} characters"
    if set(found["added"]) != set(known["added"]):
        return "added has other places"
    levels = [tuple(pair) for pair in found["levels"]]
    if not levels or levels[0] != (0.0, 0.0) or not all(map(_rise, levels, levels[1:])):
        return "levels do not rise from 0"
    kinds = len(known["shifts"])
    if any(len(counts) != kinds for counts in found["kinds_before"].values()):
        return "kinds_before has another number of kinds"
    return ""


def _rise(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[0] and one[1] < other[1]


def _shape(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _shape(one) for key, one in value.items()}
    return [_shape(one) for one in value] if isinstance(value, list | tuple) else 0


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, list | tuple):
        if isinstance(value, int | float):
            yield value
        return
    for one in value:
        yield from _numbers(one)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from _keys(one)
