"""Diarization error rate: who spoke when, of segments with times, without any other package.

As NIST's md-eval and pyannote.metrics count it: time that is missed, a false alarm, or given to
another speaker, over the time of all speakers of the reference. Speakers are matched so that they
share as much time as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.data.files.lines import read_lines
from mondegreen.errors import DataError

SCALE = 10**6
"""Parts of a second, so that counts are whole numbers."""
_FIELDS = 8  # of a line of RTTM, up to the name of the speaker


class SpeakerTurn(NamedTuple):
    """A stretch of time in which a speaker speaks, in seconds."""

    session: str
    speaker: str
    start: float
    end: float


class Times(NamedTuple):
    """The times of one session, in parts of a second."""

    total: int
    missed: int
    false_alarm: int
    confused: int


def read_rttm(path: Path) -> list[SpeakerTurn]:
    """Read the turns of an RTTM file: ``SPEAKER session 1 start length <NA> <NA> name …``.

    Raises:
        DataError: naming the line that is not one of RTTM.
    """
    found = []
    for number, line in read_lines(path):
        fields = line.split()
        if not fields or line.startswith(";;") or fields[0] != "SPEAKER":
            continue
        try:
            start, length = float(fields[3]), float(fields[4])
            found.append(SpeakerTurn(fields[1], fields[_FIELDS - 1], start, start + length))
        except (IndexError, ValueError):
            message = "a line of RTTM has SPEAKER, session, channel, start, length, …, speaker"
            raise DataError.at(path, number, f"{message}; got {line!r:.60}") from None
    if not found:
        raise DataError(f"{path}: there is no line that begins with SPEAKER")
    return found


def session_times(ref: Iterable[SpeakerTurn], hyp: Iterable[SpeakerTurn]) -> Times:
    """Return the times of one session.

    >>> said = [SpeakerTurn("m", "A", 0, 10), SpeakerTurn("m", "B", 12, 20)]
    >>> heard = [SpeakerTurn("m", "x", 2, 13), SpeakerTurn("m", "y", 13, 20)]
    >>> [part / SCALE for part in session_times(said, heard)]
    [18.0, 2.0, 2.0, 1.0]
    """
    sides = [_by_speaker(side) for side in (ref, hyp)]
    stretches = list(_stretches(sides))
    shared = np.zeros([len(side) for side in sides], np.int64)
    for length, (said, heard) in stretches:
        for one in said:
            shared[one, list(heard)] += length
    partner = _matched(shared)
    total = missed = false_alarm = confused = 0
    for length, (said, heard) in stretches:
        right = sum(partner.get(one) in heard for one in said)
        total += length * len(said)
        missed += length * max(0, len(said) - len(heard))
        false_alarm += length * max(0, len(heard) - len(said))
        confused += length * (min(len(said), len(heard)) - right)
    return Times(total, missed, false_alarm, confused)


def _by_speaker(turns: Iterable[SpeakerTurn]) -> list[list[tuple[int, int]]]:
    """Return the times of each speaker; turns of one speaker that overlap are one."""
    found: dict[str, list[tuple[int, int]]] = {}
    for turn in sorted(turns, key=lambda one: one.start):
        start, end = round(SCALE * turn.start), round(SCALE * turn.end)
        times = found.setdefault(turn.speaker, [])
        if times and start <= times[-1][1]:
            times[-1] = times[-1][0], max(end, times[-1][1])
        elif end > start:
            times.append((start, end))
    return list(found.values())


def _stretches(
    sides: Sequence[Sequence[Sequence[tuple[int, int]]]],
) -> Iterator[tuple[int, tuple[frozenset[int], frozenset[int]]]]:
    """Yield stretches of time in which the same speakers speak: its length, and the speakers."""
    changes: dict[int, list[tuple[int, int, bool]]] = {}
    for side, speakers in enumerate(sides):
        for number, times in enumerate(speakers):
            for start, end in times:
                changes.setdefault(start, []).append((side, number, True))
                changes.setdefault(end, []).append((side, number, False))
    there: tuple[set[int], set[int]] = (set(), set())
    for now, after in pairwise(sorted(changes)):
        for side, number, begins in sorted(changes[now], key=lambda one: one[2]):
            (there[side].add if begins else there[side].discard)(number)
        if there[0] or there[1]:
            yield after - now, (frozenset(there[0]), frozenset(there[1]))


def _matched(shared: npt.NDArray[np.int64]) -> dict[int, int]:
    """Return the speaker of the hypothesis for each of the reference: the best assignment."""
    rows, columns = shared.shape
    if not rows or not columns:
        return {}
    if rows > columns:
        return {row: column for column, row in _matched(shared.T).items()}
    costs = (shared.max() - shared).astype(float)
    prices = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.full(columns + 1, rows)
    for row in range(rows):
        _assign(row, costs, prices, owner)
    return {int(owner[at]): at for at in range(columns) if owner[at] != rows}


def _assign(
    row: int,
    costs: npt.NDArray[np.float64],
    prices: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    owner: npt.NDArray[np.int64],
) -> None:
    """Give a row a column, by the shortest augmenting path (the Hungarian algorithm)."""
    rows, columns = costs.shape
    of_rows, of_columns = prices
    owner[columns], at = row, columns
    least, before = np.full(columns, np.inf), np.full(columns, columns)
    used = np.zeros(columns + 1, bool)
    while owner[at] != rows or not used.any():
        used[at] = True
        values = costs[owner[at]] - of_rows[owner[at]] - of_columns[:columns]
        nearer = ~used[:columns] & (values < least)
        least[nearer], before[nearer] = values[nearer], at
        at = int(np.where(used[:columns], np.inf, least).argmin())
        step = least[at]
        of_rows[owner[used]] += step
        of_columns[used] -= step
        least[~used[:columns]] -= step
    while at != columns:
        owner[at], at = owner[before[at]], int(before[at])
