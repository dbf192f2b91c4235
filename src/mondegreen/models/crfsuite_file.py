"""The format of CRFsuite's models: a check that nothing in a file leads out of it.

CRFsuite follows the offsets and numbers of a file without looking at its length, so that a damaged
file would end the process. A model that passes this check can be opened and asked.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

_HEADER = struct.Struct("<4sI4s9I")  # magic, size, type, version, three counts, five offsets
_DATABASE = struct.Struct("<4s5I")  # name, size, flag, order of bytes, backward size and offset
_CHUNKS = (b"FEAT", b"CQDB", b"CQDB", b"LFRF", b"AFRF")
_CHUNK = 12  # bytes of the head of a chunk: name, size, number
_ORDER = 0x62445371
_TABLES = 256
_FEATURE = np.dtype([("type", "<u4"), ("src", "<u4"), ("dst", "<u4"), ("weight", "<f8")])
_HEAVIEST = 1e100  # sums of such weights are finite

Numbers = np.ndarray[Any, np.dtype[np.int64]]


class _DamagedError(Exception):
    """Something does not fit."""


def is_complete(content: bytes) -> bool:
    """Return whether the content of a CRFsuite model has all its parts, and all of them fit.

    >>> is_complete(b"lCRF")
    False
    """
    if len(content) < _HEADER.size:
        return False
    magic, size, kind, _, _, labels, attributes, *offsets = _HEADER.unpack_from(content)
    if (magic, kind, size) != (b"lCRF", b"FOMC", len(content)):
        return False
    named = zip(offsets, _CHUNKS, strict=True)
    if any(content[at : at + len(name)] != name for at, name in named):
        return False
    try:
        features = _check_features(content, offsets[0], labels)
        _check_names(content[offsets[1] :], labels, backward=True)
        _check_names(content[offsets[2] :], attributes, backward=False)
        _check_references(content, offsets[3], labels, features)
        _check_references(content, offsets[4], attributes, features)
    except _DamagedError:
        return False
    return True


def _need(condition: object) -> None:
    if not condition:
        raise _DamagedError


def _numbers(content: bytes, at: Numbers) -> Numbers:
    """Return the numbers of four bytes at places, which need not be aligned."""
    _need(not at.size or (at.min() >= 0 and at.max() + 4 <= len(content)))
    data = np.frombuffer(content, np.uint8)
    found = data[at[:, None] + np.arange(4)] if at.size else np.zeros((0, 4), np.uint8)
    numbers: Numbers = np.ascontiguousarray(found).view("<u4")[:, 0].astype(np.int64)
    return numbers


def _row(content: bytes, start: int, count: int) -> Numbers:
    """Return numbers of four bytes that follow each other."""
    _need(start >= 0 and start + 4 * count <= len(content))
    return np.frombuffer(content, "<u4", count, start).astype(np.int64)


def _check_features(content: bytes, start: int, labels: int) -> int:
    """Check the labels and weights of the features; return how many there are."""
    count = int(_row(content, start + 8, 1)[0])
    _need(start + _CHUNK + count * _FEATURE.itemsize <= len(content))
    features = np.frombuffer(content, _FEATURE, count, start + _CHUNK)
    _need((features["dst"] < labels).all())
    _need((np.abs(features["weight"]) < _HEAVIEST).all())  # false for NaN
    return count


def _check_references(content: bytes, start: int, count: int, features: int) -> None:
    """Check the lists of features of labels or attributes."""
    _need(_row(content, start + 8, 1)[0] >= count)
    lists = _row(content, start + _CHUNK, count)
    lengths = _numbers(content, lists)
    _need(lengths.sum() <= features)
    _need((lists + 4 + 4 * lengths <= len(content)).all())
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    found = _numbers(content, np.repeat(lists + 4, lengths) + 4 * within)
    _need((found < features).all())


def _check_names(content: bytes, count: int, *, backward: bool) -> None:
    """Check a database of names: its tables, its names, and the way back from numbers."""
    _need(len(content) >= _DATABASE.size)
    _, _, _, order, _, links = _DATABASE.unpack_from(content)
    _need(order == _ORDER)
    tables = _row(content, _DATABASE.size, 2 * _TABLES).reshape(-1, 2)
    _need(not tables[tables[:, 0] == 0].any())
    tables = tables[tables[:, 0] > 0]
    _need(8 * tables[:, 1].sum() <= len(content))
    for start, size in tables.tolist():
        buckets = _row(content, start, 2 * size).reshape(-1, 2)[:, 1]
        _need(size and not buckets.all())  # a search ends at an empty bucket
        _check_records(content, buckets[buckets > 0], count)
    if backward:
        _need(links and (tables[:, 1] // 2).sum() == count)
        _check_records(content, _row(content, links, count), count)
    elif links:
        _row(content, links, int((tables[:, 1] // 2).sum()))


def _check_records(content: bytes, at: Numbers, count: int) -> None:
    """Check names, each with its number before it: that they end, and are UTF-8."""
    _need((_numbers(content, at) < count).all())
    ends = at + 8 + _numbers(content, at + 4)
    _need((ends > at + 8).all() and (ends <= len(content)).all())
    _need((ends - at).sum() <= len(content))  # they do not overlap
    for start, end in zip((at + 8).tolist(), ends.tolist(), strict=True):
        _need(content[end - 1] == 0)
        try:
            content[start:end].decode()
        except UnicodeDecodeError:
            raise _DamagedError from None
