"""What speakers insert between two words, counted by the word before and the word after.

A *gap* is the place between two fluent words. Its *content* is a text of pieces: words that are
said as they are ("uh", "you know"), or a reparandum:

- ``@2``: the next two words, said twice;
- ``~2``: the next two words, the second one broken off;
- ``%2``: two words that are then corrected;
- ``^2``: two words of a false start;
- ``=it``, ``!it's``: these function words, corrected or dropped (``=and_the`` has two words);
- ``>0,2``: the next word and the third one, said too early.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

import msgspec

from mondegreen.draw import Draw
from mondegreen.language.disfluency.lexicon import (
    CLASS,
    DROPPED_WORDS,
    EARLY,
    ENGLISH,
    KIND_OF,
    PARTIAL,
    REPAIR,
    REPAIRED_WORDS,
    REPEAT,
    RESTART,
    TYPES,
    Lexicon,
)
from mondegreen.language.disfluency.marked import Marked, units
from mondegreen.text.patterns import lazy_pattern

MARK_OF = {REPAIRED_WORDS: REPAIR, DROPPED_WORDS: RESTART}
"""The mark of any words of the same type, by the mark of certain words."""
START, END = "<s>", "</s>"
_LEAST_WORD, _LEAST_PAIR = 3, 2  # what is rarer is counted by its class only
_LEAST_PHRASE = 2  # rarer contents of marked transcripts are simplified
_LONGEST = 4  # words of a repair or false start
_PAIR_PRIOR, _WORD_PRIOR, _CLASS_PRIOR = 16.0, 30.0, 10.0
_LEFT = tuple(0.2 if kind == "repeat" else 0.5 for kind in TYPES)  # the share of the word before
_ONLY_LEFT, _ONLY_RIGHT = (1.0,) * len(TYPES), (0.0,) * len(TYPES)
_CACHED_PAIRS = 1 << 16
_FLUENT = -1
_SCALE = 1 << 24
_HALF_A_PHRASE = lazy_pattern(r"(?<!you )\bknow\b ?|(?<!\bi )\bmean\b ?")
_EARLY_REACH = 7  # words after a gap that may be said too early

Counts = dict[int, int]
"""How often each content occurs, by its position in :attr:`Gaps.contents`; 0 is nothing."""


class Contents(NamedTuple):
    """Contents of one type that were counted together, with their counts."""

    contents: tuple[str, ...]
    counts: tuple[int, ...]


class Gaps(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of the contents of gaps.

    Args:
        contents: all contents; the first is empty, for a fluent gap.
        left: counts by the word before the gap; classes of words begin with "#".
        right: counts by the word after the gap.
        pairs: counts by both words, with a space between them.
    """

    contents: tuple[str, ...]
    left: Mapping[str, Counts]
    right: Mapping[str, Counts]
    pairs: Mapping[str, Counts]

    def __post_init__(self) -> None:
        """Refuse numbers of contents that are not listed, as a damaged file may have them."""
        known = range(len(self.contents))
        for table in (self.left, self.right, self.pairs):
            for counts in table.values():
                if not all(content in known for content in counts):
                    raise ValueError("a gap has contents that are not listed")


class GapModel:
    """Draws from counts of gaps, smoothed: pairs of words, then each of the words, its class, all.

    Args:
        gaps: the counts.
        lexicon: the words of the language.
    """

    def __init__(self, gaps: Gaps, lexicon: Lexicon = ENGLISH) -> None:
        self._gaps, self._lexicon = gaps, lexicon
        kinds = {kind: at for at, kind in enumerate(TYPES)}
        found = [kinds.get(lexicon.kind_of(content), _FLUENT) for content in gaps.contents[1:]]
        self._kinds = [_FLUENT, *found]
        self._tables = {
            "left": _within(gaps.left, gaps.pairs, END, lexicon),
            "right": _within(gaps.right, gaps.pairs, START, lexicon),
            "pairs": gaps.pairs,
        }
        everything: Counter[int] = Counter()
        for name, counts in gaps.left.items():
            if name.startswith(CLASS):
                everything.update(counts)
        self._base = self._counted(everything)
        self._by_name = lru_cache(maxsize=_CACHED_PAIRS)(self._named)
        self._side = lru_cache(maxsize=_CACHED_PAIRS)(self._smooth)
        self._mixture = lru_cache(maxsize=_CACHED_PAIRS)(self._mix)
        self.chances = lru_cache(maxsize=_CACHED_PAIRS)(self._chances)

    def _counted(self, counts: Counts) -> _Counted:
        by_kind: list[list[int]] = [[] for _ in TYPES]
        for content in sorted(counts):
            if self._kinds[content] != _FLUENT:
                by_kind[self._kinds[content]].append(content)
        contents = self._gaps.contents
        sources = [
            Contents(tuple([contents[at] for at in found]), tuple([counts[at] for at in found]))
            for found in by_kind
        ]
        return _Counted(
            tuple(sources), tuple([sum(each.counts) for each in sources]), sum(counts.values())
        )

    def _named(self, table: str, name: str) -> _Counted:
        return self._counted(self._tables[table].get(name, {}))

    def _smooth(self, table: str, word: str) -> _GapSide:
        """Return what the word on one side of a gap says: by itself, by its class, by all words."""
        own = self._by_name(table, word if word in self._tables[table] else "")
        by_class = self._by_name(table, class_of(word, self._lexicon))
        rest = _WORD_PRIOR / (own.total + _WORD_PRIOR)
        least = rest * _CLASS_PRIOR / (by_class.total + _CLASS_PRIOR)
        parts = (
            (1 / (own.total + _WORD_PRIOR), own),
            (rest / (by_class.total + _CLASS_PRIOR), by_class),
            (least / (self._base.total or 1), self._base),
        )
        kinds = range(len(TYPES))
        return _GapSide(
            tuple([sum(each * one.totals[kind] for each, one in parts) for kind in kinds]), parts
        )

    def _chances(self, left: str, right: str) -> tuple[float, ...]:
        """Return the chance of each type of disfluency between two words, in order of ``TYPES``."""
        before, after = self._side("left", left).chances, self._side("right", right).chances
        mean = [
            share * one + (1 - share) * other
            for share, one, other in zip(_shares(left, right), before, after, strict=True)
        ]
        pair = self._gaps.pairs.get(f"{left} {right}")
        if not pair:
            return tuple(mean)
        counts = [0] * len(TYPES)
        for content, n in pair.items():
            if self._kinds[content] != _FLUENT:
                counts[self._kinds[content]] += n
        total = sum(pair.values()) + _PAIR_PRIOR
        return tuple([(n + _PAIR_PRIOR * one) / total for n, one in zip(counts, mean, strict=True)])

    def draw(self, left: str, right: str, kind: int, draw: Draw) -> str:
        """Draw a content of a type, given by its position in ``TYPES``, between two words."""
        weights, sources = self._mixture(left, right, kind)
        contents, counts = sources[draw.weighted(weights)]
        return contents[draw.weighted(counts)]

    def _mix(self, left: str, right: str, kind: int) -> tuple[list[int], list[Contents]]:
        """Return the contents of a type by pair, words, classes and all, and the weight of each."""
        pair = self._by_name("pairs", f"{left} {right}")
        parts = [(1.0, pair)]
        share_of_left = _shares(left, right)[kind]
        for table, word, share in (
            ("left", left, share_of_left),
            ("right", right, 1 - share_of_left),
        ):
            sides = self._side(table, word).parts
            parts += [(_PAIR_PRIOR * share * each, one) for each, one in sides]
        weights = [round(each * one.totals[kind] * _SCALE) for each, one in parts]
        return weights, [one.sources[kind] for _, one in parts]


def _shares(left: str, right: str) -> tuple[float, ...]:
    """Return how much the word before a gap says about each type; the edge of a turn says all."""
    return _ONLY_LEFT if left == START else _ONLY_RIGHT if right == END else _LEFT


def _within(
    table: Mapping[str, Counts], pairs: Mapping[str, Counts], edge: str, lexicon: Lexicon
) -> dict[str, Counts]:
    """Return the counts by words without those at an edge of turns, where other things are said."""
    found = {name: Counter(counts) for name, counts in table.items()}
    for pair, counts in pairs.items():
        left, _, right = pair.partition(" ")
        word, other = (right, left) if edge == START else (left, right)
        if other == edge:
            for name in (word, class_of(word, lexicon)):
                if name in found:
                    found[name].subtract(counts)
    return {name: {one: n for one, n in counts.items() if n > 0} for name, counts in found.items()}


class _Counted(NamedTuple):
    """Counts by type of disfluency, in order of ``TYPES``, and of all gaps."""

    sources: tuple[Contents, ...]
    totals: tuple[int, ...]
    total: int


class _GapSide(NamedTuple):
    """The chance of each type by the word on one side, and the counts of which it is made."""

    chances: tuple[float, ...]
    parts: tuple[tuple[float, _Counted], ...]


def gap_rates(
    gaps: Gaps, lexicon: Lexicon = ENGLISH
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Return the rate of each type of disfluency at the start of turns, in them, at their end."""
    edges = gaps.left[class_of(START)], gaps.right[class_of(END)]
    middle: Counter[int] = Counter()
    for name, counts in gaps.left.items():
        if name.startswith(CLASS):
            middle.update(counts)
    for counts in edges:
        middle.subtract(counts)
    start, inside, end = (
        _rates(gaps.contents, counts, lexicon) for counts in (edges[0], middle, edges[1])
    )
    return start, inside, end


def _rates(
    contents: Sequence[str], counts: Mapping[int, int], lexicon: Lexicon
) -> dict[str, float]:
    total = max(1, sum(counts.values()))
    rates = dict.fromkeys(TYPES, 0.0)
    for content, n in counts.items():
        if content:
            rates[lexicon.kind_of(contents[content])] += max(0, n) / total
    return rates


@lru_cache(maxsize=100_000)
def class_of(word: str, lexicon: Lexicon = ENGLISH) -> str:
    """Return the class by which rare words are counted; the edges of a turn are their own class.

    >>> class_of("the"), class_of("jazz"), class_of("<s>")
    ('#determiners', '#content', '#<s>')
    """
    return CLASS + (word if word in (START, END) else lexicon.family(word))


def gaps_of(turns: Iterable[Marked], lexicon: Lexicon = ENGLISH) -> Gaps:
    """Count the contents of the gaps of turns.

    >>> from mondegreen.language.disfluency.marked import marked_by_case
    >>> gaps_of([marked_by_case("UH play THE the jazz")] * 3).contents
    ('', '@1', 'uh')
    """
    found = [gap for turn in turns for gap in gaps_in(turn, lexicon)]
    phrases = Counter(content for _, content, _ in found)
    least = _LEAST_PHRASE if lexicon is ENGLISH else 1
    contents = _common(content for content, n in phrases.items() if n >= least)
    left: dict[str, Counter[str]] = {}
    right: dict[str, Counter[str]] = {}
    pairs: dict[str, Counter[str]] = {}
    for before, content, after in found:
        kept = content if phrases[content] >= least else _simpler(content)
        contents.add(kept)
        for table, words in (
            (left, (before, class_of(before, lexicon))),
            (right, (after, class_of(after, lexicon))),
            (pairs, (f"{before} {after}",)),
        ):
            for word in words:
                table.setdefault(word, Counter())[kept] += 1
    ranked = sorted(contents)
    index = {content: at for at, content in enumerate(ranked)}
    return Gaps(
        contents=tuple(ranked),
        left=_numbered(left, index, _LEAST_WORD),
        right=_numbered(right, index, _LEAST_WORD),
        pairs=_numbered(pairs, index, _LEAST_PAIR),
    )


def _common(contents: Iterable[str]) -> set[str]:
    return {"", *contents}


def _numbered(
    table: Mapping[str, Counter[str]], index: Mapping[str, int], least: int
) -> dict[str, Counts]:
    return {
        key: {index[content]: n for content, n in sorted(counts.items())}
        for key, counts in sorted(table.items())
        if counts.total() >= least or key.startswith(CLASS)
    }


def _simpler(content: str) -> str:
    """Return a content that occurs once as its first reparandum, or as its first words."""
    pieces = content.split()
    if any(piece[0] in KIND_OF for piece in pieces):
        (piece, *_) = (piece for piece in pieces if piece[0] in KIND_OF)
        return f"{MARK_OF[piece[0]]}{piece.count('_') + 1}" if piece[0] in MARK_OF else piece
    return " ".join(pieces[:2]) if pieces[:2] in (["you", "know"], ["i", "mean"]) else pieces[0]


def gaps_in(turn: Marked, lexicon: Lexicon = ENGLISH) -> Iterator[tuple[str, str, str]]:
    """Yield the word before each gap of a turn, the content of the gap, and the word after it.

    >>> from mondegreen.language.disfluency.marked import marked_by_case
    >>> list(gaps_in(marked_by_case("UH play THE UH the jazz")))
    [('<s>', 'uh', 'play'), ('play', '@1 uh', 'the'), ('the', '', 'jazz'), ('jazz', '', '</s>')]
    """
    words = [word.lower() for word in turn.words]
    fluent = [at for at, role in enumerate(turn.roles) if role == "O"]
    edges = [-1, *fluent, len(words)]
    for first, last in pairwise(edges):
        inside = [
            (words[at], turn.roles[at]) for at in range(first + 1, last) if turn.roles[at] != "A"
        ]
        following = [words[at] for at in fluent if at >= last]
        before = words[first] if first >= 0 else START
        content = _HALF_A_PHRASE.sub("", " ".join(_pieces(inside, following, lexicon))).strip()
        yield before, content, following[0] if following else END


def _pieces(
    inside: Sequence[tuple[str, str]], following: Sequence[str], lexicon: Lexicon
) -> Iterator[str]:
    at = 0
    while at < len(inside):
        word, role = inside[at]
        if role != "RM":
            if word in lexicon.interjections:
                yield word
            at += 1
            continue
        run = list(takewhile(lambda pair: pair[1] == "RM", inside[at:]))
        rest = [word for word, role in inside[at:] if role == "RM"] + list(following)
        for kind, start, stop in units(rest, 0, len(run)):
            yield _reparandum(kind, rest[start:stop], following, lexicon)
        at += len(run)


def _reparandum(kind: str, words: Sequence[str], following: Sequence[str], lexicon: Lexicon) -> str:
    size = min(len(words), _LONGEST)
    if kind == "repeat":
        return f"{REPEAT}{len(words)}"
    if kind == "partial":
        return f"{PARTIAL}{size}"
    repaired = kind == "repair"
    if all(map(lexicon.is_function, words)):
        return (REPAIRED_WORDS if repaired else DROPPED_WORDS) + "_".join(words)
    early = _offsets(words, following) if lexicon is not ENGLISH else ()
    if early:
        return EARLY + ",".join(map(str, early))
    return f"{REPAIR if repaired else RESTART}{size}"


def _offsets(words: Sequence[str], following: Sequence[str]) -> tuple[int, ...]:
    """Return where words occur in order among the next ones; empty if one does not, or if many.

    >>> _offsets(["show", "stats"], ["show", "my", "stats"]), _offsets(["rock"], ["jazz"])
    ((0, 2), ())
    """
    found: list[int] = []
    for word in words:
        start = found[-1] + 1 if found else 0
        near = following[start:_EARLY_REACH]
        if word not in near or len(found) == _LONGEST:
            return ()
        found.append(start + near.index(word))
    return tuple(found)
