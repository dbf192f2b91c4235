"""Slices: properties that failures share more often than chance would have it.

A *unit* (an utterance, a word) has *facts* (its intent, the word before it) and has failed or not.
A slice is the units that have one fact, or two. Slices are found one after the other, each tested
within the strata of those found before, so that each says something new (docs/design/0040).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from mondegreen.metrics.slices.tests import Strata, at_least, count
from mondegreen.metrics.statistics.comparison import ALPHA

MOST = 12  # slices that are reported
_LEAST_FAILED = 5  # failures of a slice that is worth a sentence
_FACTS = 1_500  # facts that are combined in pairs: those with most failures
_CANDIDATES = 200  # slices that are tested exactly: those with the largest excess
_CHUNK = 4_000  # units whose pairs are counted at once
_INNER = 0.01  # a pair must be worse than each of its two facts alone, at this level
_SAME = 0.9  # slices that share as much are one slice; the simplest one is named
_EXAMPLES = 3
_TYPICAL = 0.15  # of the failures: fewer do not make a symptom worth a clause

Numbers = tuple[int, ...]
"""The facts of a slice, by their numbers."""
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Fact(msgspec.Struct, frozen=True, order=True):
    """One property of a unit: ``what`` it is about, and its value."""

    what: str
    value: str


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """Units that share facts and fail more often than the others.

    ``p`` is corrected for the number of slices that were tried. ``elsewhere`` is the share of
    failures among all other units. ``symptoms`` are what went wrong, with the number of failures
    that show it. ``items`` are the positions of failed examples.
    """

    facts: tuple[Fact, ...]
    text: str
    outcome: str
    n: int
    failed: int
    elsewhere: float
    p: float
    symptoms: tuple[tuple[str, int], ...] = ()
    items: tuple[int, ...] = ()

    @property
    def share(self) -> float:
        """The share of the slice's units that failed."""
        return self.failed / self.n

    @property
    def sentence(self) -> str:
        """The slice as a sentence with its numbers.

        >>> Slice(
        ...     facts=(),
        ...     text="“right now” at the end",
        ...     outcome="lost",
        ...     n=90,
        ...     failed=71,
        ...     elsewhere=0.12,
        ...     p=1e-9,
        ...     symptoms=(("a slot grows into the edit", 64),),
        ... ).sentence
        '“right now” at the end: 71 of 90 lost (12 % elsewhere); a slot grows into the edit in 64'
        """
        found = (
            f"{self.text}: {self.failed:,} of {self.n:,} {self.outcome} "
            f"({100 * self.elsewhere:.0f} % elsewhere)"
        )
        return f"{found}; {self.symptom}" if self.symptom else found

    @property
    def symptom(self) -> str:
        """What went wrong in most failures, with their number; empty if it is in few of them."""
        text, times = self.symptoms[0] if self.symptoms else ("", 0)
        return f"{text} in {times:,}" if text and times >= _TYPICAL * self.failed else ""

    def record(self) -> dict[str, Any]:
        """Return the slice as plain values, for JSON."""
        return {
            "text": self.text,
            "sentence": self.sentence,
            "facts": {fact.what: fact.value for fact in self.facts},
            "outcome": self.outcome,
            "n": self.n,
            "failed": self.failed,
            "elsewhere": self.elsewhere,
            "p": self.p,
            "symptoms": dict(self.symptoms),
        }


@dataclass
class Observations:
    """Units with their facts, collected one after the other.

    Args:
        outcome: what became of a unit that failed, such as ``lost``.
        units: what is counted, such as ``variants``.
        phrases: how a sentence names a fact, by what it is about; ``{}`` is the value.
    """

    outcome: str
    units: str
    phrases: Mapping[str, str]
    facts: dict[Fact, int] = field(default_factory=dict)
    failed: list[bool] = field(default_factory=list)
    clusters: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    symptoms: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _owners: list[int] = field(default_factory=list)
    _owned: list[int] = field(default_factory=list)

    def add(
        self,
        facts: Iterable[tuple[str, str]],
        *,
        failed: bool,
        cluster: int,
        item: int,
        symptoms: Iterable[str] = (),
    ) -> None:
        """Add a unit.

        Args:
            facts: its facts.
            failed: whether it failed.
            cluster: units of one cluster (variants of one utterance) are not independent.
            item: where it is, for examples and lists.
            symptoms: what went wrong, if it failed.
        """
        unit, known = len(self.failed), self.facts
        for pair in dict.fromkeys(facts):
            fact = Fact(*pair)
            self._owners.append(unit)
            self._owned.append(known.setdefault(fact, len(known)))
        self.failed.append(failed)
        self.clusters.append(cluster)
        self.items.append(item)
        if failed and (found := tuple(symptoms)):
            self.symptoms[unit] = found

    def __len__(self) -> int:
        return len(self.failed)

    def ranked(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return facts in the order of a sentence."""
        order = list(self.phrases)
        return tuple(sorted(facts, key=lambda fact: order.index(fact.what)))

    def phrase(self, facts: Iterable[Fact]) -> str:
        """Return facts in words."""
        return ", ".join(self.phrases[fact.what].format(fact.value) for fact in facts)

    def table(self) -> _Table:
        """Return the units as arrays."""
        return _Table(
            np.array(self._owners, np.int64),
            np.array(self._owned, np.int64),
            np.array(self.failed, bool),
            np.unique(np.array(self.clusters, np.int64), return_inverse=True)[1].reshape(-1),
            list(self.facts),
        )


@dataclass(frozen=True)
class FoundSlice:
    """A slice, and the items of all its units."""

    slice: Slice
    members: Ints


def find_slices(seen: Observations, *, most: int = MOST, alpha: float = ALPHA) -> list[FoundSlice]:
    """Return the slices that fail more often than the other units, the most certain first.

    Args:
        seen: the units.
        most: how many slices to return at most.
        alpha: the probability that any of them is due to chance, if units of different clusters
            are independent.
    """
    if sum(seen.failed) < _LEAST_FAILED:
        return []
    table = seen.table()
    candidates, tried = table.candidates()
    members = [table.members(facts) for facts in candidates]
    strata = Strata(table.failed, table.clusters)
    found: list[FoundSlice] = []
    while candidates and len(found) < most:
        best, p = strata.most_certain(members, [tried[len(facts)] for facts in candidates])
        if p >= alpha:
            break
        best = _simplest(best, [table.named(one) for one in candidates], members, seen.phrases)
        inside = members[best]
        if _adds(candidates[best], inside, table):
            facts = seen.ranked(table.named(candidates[best]))
            found.append(_slice(seen, facts, inside, p))
            strata = strata.split(inside)
        keep = [at for at, other in enumerate(members) if _overlap(inside, other) < _SAME]
        candidates = [candidates[at] for at in keep]
        members = [members[at] for at in keep]
    return found


def _simplest(
    best: int,
    candidates: Sequence[tuple[Fact, ...]],
    members: Sequence[Flags],
    phrases: Mapping[str, str],
) -> int:
    """Return the candidate with the fewest facts among those with nearly the same units."""
    order = list(phrases)
    same = [at for at, one in enumerate(members) if _overlap(members[best], one) >= _SAME]
    return min(
        same,
        key=lambda at: (
            len(candidates[at]),
            sum(order.index(fact.what) for fact in candidates[at]),
            at,
        ),
    )


def _overlap(one: Flags, other: Flags) -> float:
    both = count(one & other)
    return both / max(1, count(one | other))


def _adds(facts: Numbers, inside: Flags, table: _Table) -> bool:
    """Return whether a pair is worse than each of its facts alone."""
    if len(facts) == 1:
        return True
    failed = table.failed
    for fact in facts:
        alone = table.members((fact,))
        p = at_least(
            count(failed & inside),
            count(inside),
            count(failed & alone),
            count(alone),
        )
        if p > _INNER:
            return False
    return True


def _slice(seen: Observations, facts: tuple[Fact, ...], inside: Flags, p: float) -> FoundSlice:
    failed = np.array(seen.failed, bool)
    n, lost = count(inside), np.flatnonzero(inside & failed)
    items = np.array(seen.items, np.int64)
    others = len(failed) - n
    symptoms = Counter(symptom for unit in lost.tolist() for symptom in seen.symptoms.get(unit, ()))
    found = Slice(
        facts=facts,
        text=seen.phrase(facts),
        outcome=seen.outcome,
        n=n,
        failed=len(lost),
        elsewhere=count(failed & ~inside) / others if others else 0.0,
        p=p,
        symptoms=tuple(symptoms.most_common()),
        items=tuple(_examples(lost, seen)),
    )
    return FoundSlice(found, np.unique(items[inside]))


def _examples(lost: Ints, seen: Observations) -> Iterator[int]:
    """Yield items of failures, of different clusters."""
    known: set[int] = set()
    for unit in lost.tolist():
        if seen.clusters[unit] not in known:
            known.add(seen.clusters[unit])
            yield seen.items[unit]
        if len(known) == _EXAMPLES:
            return


@dataclass(frozen=True)
class _Table:
    """Units and facts as arrays: unit ``owners[i]`` has fact ``owned[i]``, in order of units."""

    owners: Ints
    owned: Ints
    failed: Flags
    clusters: Ints
    facts: list[Fact]

    def named(self, facts: Numbers) -> tuple[Fact, ...]:
        """Return facts by their numbers."""
        return tuple(self.facts[fact] for fact in facts)

    def members(self, facts: Numbers) -> Flags:
        """Return which units have all of the facts."""
        inside = np.ones(len(self.failed), bool)
        for fact in facts:
            having = np.zeros(len(self.failed), bool)
            having[self.owners[self.owned == fact]] = True
            inside &= having
        return inside

    def candidates(self) -> tuple[list[Numbers], dict[int, int]]:
        """Return the slices to be tested, and by how much the p of one and of two facts counts.

        That is how many slices of one and of two facts there are to choose from, twice: each of
        the two families may use half of the level.
        """
        units, lost = self._counts()
        frequent = np.flatnonzero((lost >= _LEAST_FAILED) & (units < len(self.failed)))
        frequent = np.sort(frequent[np.argsort(-lost[frequent], kind="stable")][:_FACTS])
        both, both_lost = self._pairs(frequent)
        first, second = np.nonzero(
            (both_lost >= _LEAST_FAILED)
            & (both < units[frequent][:, None])
            & (both < units[frequent][None, :])
        )
        n = np.concatenate([units[frequent], both[first, second]])
        f = np.concatenate([lost[frequent], both_lost[first, second]])
        order = np.argsort(-self._excess(n, f), kind="stable")[:_CANDIDATES]
        above = order[f[order] * len(self.failed) > n[order] * count(self.failed)]
        facts: list[Numbers] = [(fact,) for fact in frequent.tolist()]
        facts += zip(frequent[first].tolist(), frequent[second].tolist(), strict=True)
        return [facts[at] for at in above.tolist()], {1: 2 * len(frequent), 2: 2 * len(first)}

    def _counts(self) -> tuple[Ints, Ints]:
        size = len(self.facts)
        units = np.bincount(self.owned, minlength=size)
        return units, np.bincount(self.owned[self.failed[self.owners]], minlength=size)

    def _pairs(self, frequent: Ints) -> tuple[Ints, Ints]:
        """Return for each pair of facts how many units have both, and how many of them failed."""
        size = len(frequent)
        rank = np.full(len(self.facts), -1, np.int64)
        rank[frequent] = np.arange(size)
        ranks = rank[self.owned]
        owners, ranks = self.owners[ranks >= 0], ranks[ranks >= 0]
        both, lost = np.zeros(size * size, np.int64), np.zeros(size * size, np.int64)
        for start in range(0, len(self.failed), _CHUNK):
            low, high = np.searchsorted(owners, [start, start + _CHUNK])
            units, codes = _pair_codes(owners[low:high], ranks[low:high], size)
            both += np.bincount(codes, minlength=size * size)
            lost += np.bincount(codes[self.failed[units]], minlength=size * size)
        return both.reshape(size, size), lost.reshape(size, size)

    def _excess(self, n: Ints, f: Ints) -> npt.NDArray[np.float64]:
        """Return how many standard deviations the failures are above what is expected."""
        size, share = len(self.failed), float(np.mean(self.failed))
        spread = n * share * (1 - share) * (size - n) / max(1, size - 1)
        excess: npt.NDArray[np.float64] = (f - n * share) / np.sqrt(np.maximum(spread, 1e-9))
        return excess


def _pair_codes(owners: Ints, ranks: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the pairs of facts of each unit, as ``smaller * size + greater``, with their units."""
    ends = np.searchsorted(owners, owners, side="right")
    later = ends - np.arange(len(owners)) - 1  # facts of the same unit that follow
    left = np.repeat(np.arange(len(owners)), later)
    starts = np.repeat(np.cumsum(later) - later, later)
    right = left + 1 + np.arange(len(left)) - starts
    one, other = ranks[left], ranks[right]
    return owners[left], np.minimum(one, other) * size + np.maximum(one, other)
