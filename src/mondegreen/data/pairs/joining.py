"""References and hypotheses side by side, in parts: joined by id, or line by line.

Files in the same order are joined part by part, and nothing waits. Where the order differs, rows
wait until their partners come; so a source that can be read only once is joined, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from mondegreen.data.pairs.transcripts import Transcripts, gathered
from mondegreen.errors import DataError

Fold = Callable[[str], str]
_Key = str | int
_Row = tuple[Transcripts, int]


def joined(
    refs: Iterable[Transcripts],
    sides: Sequence[Iterable[Transcripts]],
    *,
    missing: str = "error",
    fold: Fold | None = None,
) -> Iterator[tuple[Transcripts, ...]]:
    """Yield the parts of references, each with the same utterances of every other side.

    Args:
        refs: the references.
        sides: the hypotheses of each system.
        missing: what happens to utterances that only one side has: ``error``, ``skip`` (left
            out), or ``empty`` (a missing hypothesis is empty).
        fold: what is compared of an id, if not all of it.

    Raises:
        DataError: naming an utterance without its partner, or saying how many lines files have.
    """
    coming = iter(refs)
    first = next(coming, None)
    if first is None:
        return
    others = [_Side(side, first, fold) for side in sides]
    n = 0
    for ref in chain((first,), coming):
        found = [side.rows(ref, n) for side in others]
        n += len(ref.ids)
        if any(None in rows for rows in found if isinstance(rows, list)):
            if missing == "error" or any(not side.by_id for side in others):
                _refuse(first.path, ref, coming, n, others)
            if missing == "skip":
                kept = [at for at in range(len(ref.ids)) if _has_all(found, at)]
                ref = ref.only(kept)  # noqa: PLW2901 (what is left of it)
                found = [_picked(rows, kept) for rows in found]
        parts = (side.part(rows) for side, rows in zip(others, found, strict=True))
        yield ref, *parts
    for side in others:
        side.finish(first.path, n, missing)


def paired(refs: Transcripts, hyps: Transcripts, *, ignore_case: bool = False) -> list[str]:
    """Return the texts of the hypotheses in the order of the references.

    Raises:
        DataError: naming a reference or a hypothesis that has no partner.
    """
    fold = str.lower if ignore_case else None
    return [text for _, part in joined([refs], [[hyps]], fold=fold) for text in part.texts]


def _has_all(found: Sequence[Transcripts | list[_Row | None]], at: int) -> bool:
    return all(isinstance(rows, Transcripts) or rows[at] is not None for rows in found)


def _picked(
    rows: Transcripts | list[_Row | None], kept: Sequence[int]
) -> Transcripts | list[_Row | None]:
    return rows.only(kept) if isinstance(rows, Transcripts) else [rows[at] for at in kept]


class _Side:
    """The hypotheses of a system, and those of them that wait for their references."""

    def __init__(self, parts: Iterable[Transcripts], refs: Transcripts, fold: Fold | None) -> None:
        self._parts = iter(parts)
        self._next = next(self._parts, None)
        self.path = refs.path if self._next is None else self._next.path
        self._like = self._next or refs
        self.by_id = self._next is None or _by_id(refs, self._next)
        self._fold = fold
        self._waiting: dict[_Key, _Row] = {}
        self._n = 0
        self.missing: list[str] = []

    def rows(self, ref: Transcripts, before: int) -> Transcripts | list[_Row | None]:
        """Return the rows of a part of the references; ``None`` for those that are missing."""
        keys = self._keys(ref, before)
        if not self._waiting and self._next is not None:
            part = self._next
            if self._keys(part, self._n) == keys:
                self._step()
                return part
        while self._next is not None and not all(key in self._waiting for key in keys):
            self._wait()
        found = [self._waiting.pop(key, None) for key in keys]
        self.missing += [id for id, row in zip(ref.ids, found, strict=True) if row is None]
        return found

    def part(self, rows: Transcripts | list[_Row | None]) -> Transcripts:
        """Return rows as a part."""
        return rows if isinstance(rows, Transcripts) else gathered(self._like, rows)

    def _step(self) -> None:
        self._n += len(self._next.ids) if self._next is not None else 0
        self._next = next(self._parts, None)

    def _wait(self) -> None:
        part = self._next
        if part is not None:
            rows = ((part, place) for place in range(len(part.ids)))
            self._waiting.update(zip(self._keys(part, self._n), rows, strict=True))
            self._step()

    def _keys(self, part: Transcripts, before: int) -> Sequence[_Key]:
        if not self.by_id:
            return range(before, before + len(part.ids))
        return list(part.ids) if self._fold is None else list(map(self._fold, part.ids))

    def rest(self) -> list[str]:
        """Return the ids of all that still wait or come."""
        while self._next is not None:
            self._wait()
        return [part.ids[place] for part, place in self._waiting.values()]

    @property
    def n(self) -> int:
        """How many hypotheses were read."""
        return self._n

    def finish(self, refs: Path, n: int, missing: str) -> None:
        """Refuse, or report, hypotheses without a reference and references without a hypothesis."""
        more = self.rest()
        if more and (missing == "error" or not self.by_id):
            raise self.refused(refs, n, more)
        if more or self.missing:
            warnings.warn(
                f"{self.path}: {_example(self.missing)} without hypothesis, {_example(more)} "
                f"without reference ({'left out' if missing == 'skip' else 'taken as empty'})",
                stacklevel=3,
            )

    def refused(self, refs: Path, n: int, more: Sequence[str]) -> DataError:
        """Return what is wrong where both sides do not pair up."""
        if not self.by_id:
            return DataError(
                f"{refs} has {n:,} lines, {self.path} has {self.n:,}; write an empty line for "
                "silence, leave no line out"
            )
        return DataError(
            f"{refs} and {self.path} do not pair up: {_example(self.missing)} without hypothesis, "
            f"{_example(more)} without reference. Write an empty text for silence; leave none out; "
            "or choose --missing skip or --missing empty."
        )


def _refuse(
    path: Path, ref: Transcripts, coming: Iterable[Transcripts], n: int, others: Sequence[_Side]
) -> None:
    """Read all that is left, so that the message has the numbers of all, and refuse it."""
    for ref in coming:  # noqa: PLR1704 (those after it)
        for side in others:
            side.rows(ref, n)
        n += len(ref.ids)
    for side in others:
        more = side.rest()
        if side.missing or more:
            raise side.refused(path, n, more)


def _by_id(refs: Transcripts, hyps: Transcripts) -> bool:
    """Return whether ids join both sides; references without ids are known by their numbers."""
    if refs.has_ids and hyps.has_ids:
        return True
    return hyps.has_ids and bool(hyps.ids) and all(id.isdigit() for id in hyps.ids)


def _example(ids: Sequence[str]) -> str:
    return f"{len(ids):,} (such as {ids[0]!r})" if ids else "0"
