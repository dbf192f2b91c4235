"""An utterance while its errors are drawn: which errors still find room in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mondegreen.language.simulation.drawn import Around
from mondegreen.language.simulation.kinds import Beside, Elsewhere, grade
from mondegreen.language.simulation.units import Words
from mondegreen.language.vocabulary.ngram import END, START


class Error(NamedTuple):
    """Words ``start`` to ``end`` are heard as ``heard``.

    ``kept`` is the position of a word that stays although it is between ``start`` and ``end``.
    """

    start: int
    end: int
    heard: Words
    kind: str
    kept: int | None = None


class DraftLimits(NamedTuple):
    """What errors must not do: cross an edge of a span, or lose one of its edges."""

    spans: Sequence[tuple[int, int]] = ()

    def divides(self, position: int) -> bool:
        """Return whether a span begins or ends before a position."""
        return any(position in span for span in self.spans)

    def needed(self, i: int) -> tuple[int, int] | None:
        """Return the span that would lose its first or last word with word ``i``."""
        return next((span for span in self.spans if i in (span[0], span[1] - 1)), None)


NO_LIMITS = DraftLimits()


class Draft:
    """An utterance while its errors are drawn: which words and gaps are still free.

    Words are numbered without punctuation; ``at`` are their positions among all tokens.
    """

    def __init__(
        self, words: Words, at: Sequence[int], limits: DraftLimits, due: set[int], *, empty: bool
    ) -> None:
        self.words, self.at, self.limits = words, at, limits
        self._may_be_empty = empty  # whether all words may be lost
        self.bad = grade(len(due))
        self._due = due  # words in error at the rate of the pairs
        self.taken: set[int] = set()  # words
        self._lost: set[int] = set()  # words of which nothing is heard
        self._closed: set[int] = set()  # gaps, by position, within or beside an error
        self._filled: set[int] = set()  # gaps with added words
        self._heard: dict[int, Words] = {}  # by site: gap, word, gap, …, gap

    def around(self, first: int, last: int) -> Around:
        """Return two words before a stretch of sites and one after it, as heard until now."""
        before: list[str] = []
        for site in range(first - 1, -1, -1):
            before = [*self._now(site), *before]
            if len(before) > 1:
                break
        for site in range(last, 2 * len(self.words) + 1):
            after = self._now(site)
            if after:
                return [START, *before][-2:], [after[0]]
        return [START, *before][-2:], [END]

    def _now(self, site: int) -> Words:
        heard = self._heard.get(site)
        if heard is None:
            return (self.words[site // 2],) if site % 2 else ()
        return heard

    def added(self, i: int, heard: Words) -> Error | None:
        """Return the addition of words before word ``i``, unless it touches a lost word."""
        position = self.at[i] if i < len(self.at) else self.at[-1] + 1
        if position in self._closed:
            return None
        self._filled.add(position)
        self._heard[2 * i] = heard
        return Error(position, position, heard, "added")

    def replaced(self, i: int, heard: Words) -> Error:
        """Return the replacement of a word by others."""
        self.taken.add(i)
        self._heard[2 * i + 1] = heard
        position = self.at[i]
        return Error(position, position + 1, heard, "exchanged" if len(heard) == 1 else "split")

    def joins(self, i: int) -> bool:
        """Return whether a word can be joined with the next one."""
        return self._both_free(i) and not self.limits.divides(self.at[i] + 1)

    def joined(self, i: int, heard: str) -> Error:
        """Return the replacement of a word and the next one by a single word."""
        position = self._close(i)
        self._heard |= {2 * i + 1: (heard,), 2 * i + 3: ()}
        return Error(position, position + 2, (heard,), "joined")

    def lost(self, i: int) -> Error | None:
        """Return the loss of a word; ``None`` if its span or all words would be lost with it.

        The first or last word of a span is lost together with a neighbour in the span that stays,
        so that the span keeps its edges.
        """
        if not self._may_be_empty and len(self._lost) == len(self.words) - 1:
            return None
        position = self.at[i]
        span = self.limits.needed(position)
        if span is None:
            if {position, position + 1} & self._filled:
                return None
            self.taken.add(i)
            self._lost.add(i)
            self._closed |= {position, position + 1}
            self._heard[2 * i + 1] = ()
            return Error(position, position + 1, (), "lost")
        first = i if position == span[0] else i - 1
        if span[1] - span[0] == 1 or first < 0 or not self._both_free(first):
            return None
        first_position = self._close(first)
        self._lost.add(i)
        self._heard[2 * i + 1] = ()
        kept = self.at[first + 1] if first == i else first_position
        return Error(first_position, first_position + 2, (), "lost", kept)

    def beside(self, i: int) -> Beside:
        """Return the errors of the neighbours of a word."""
        return Beside(*self._state(i - 1), *self._state(i + 1))

    def elsewhere(self, beside: Beside) -> Elsewhere:
        """Return the errors drawn until now, but for those of neighbours."""
        lost, taken = len(self._lost), len(self.taken)
        wrong_beside = beside.wrong_before + beside.wrong_after
        lost_beside = beside.lost_before + beside.lost_after
        return Elsewhere(lost - lost_beside, taken - lost - wrong_beside)

    def _state(self, i: int) -> tuple[bool, bool, bool]:
        """Return whether an error of a word is due, whether it is lost, or wrong otherwise."""
        taken, lost = i in self.taken, i in self._lost
        return not taken and i in self._due, lost, taken and not lost

    def _both_free(self, i: int) -> bool:
        """Return whether a word and the next one are neighbours without an error."""
        if i + 1 >= len(self.at) or self.at[i + 1] != self.at[i] + 1:
            return False
        return not {i, i + 1} & self.taken and self.at[i + 1] not in self._filled

    def _close(self, i: int) -> int:
        self.taken |= {i, i + 1}
        self._closed.add(self.at[i + 1])
        return self.at[i]
