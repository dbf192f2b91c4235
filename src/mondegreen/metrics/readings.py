"""Texts that allow several readings: alternatives, optional words, fragments, compounds.

A text such as ``a { b / c d / @ } (uh)`` is a network of words. The best pair of readings of both
sides is found by one alignment of two networks; what follows is an ordinary alignment of that pair
(docs/design/0009-alignment.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from mondegreen.align import DELETION, INSERTION, MATCH, align
from mondegreen.align.costs import Costs
from mondegreen.errors import DataError
from mondegreen.kernel import align_networks

NOTHING = "@"
_OPTIONAL = re.compile(r"\(([^()]+)\)")
_PIECES = re.compile(r"[{}/]|[^\s{}/]+")
_MARKS = re.compile(r"[{}()@;-]")
_TAG = re.compile(r"(?<!\\);")
_LONGEST = 6  # parts of a compound
_APART = 2  # matches between two errors that one compound may reach over

Arc = tuple[int, int, str | None, bool]


@dataclass
class Network:
    """The readings of a text: arcs ``(from, to, word or None, optional)`` between nodes."""

    arcs: list[Arc] = field(default_factory=list)
    nodes: int = 1

    def in_characters(self) -> Network:
        """Return the network with one arc per character."""
        split = Network(nodes=self.nodes)
        for start, end, word, optional in self.arcs:
            here = start
            for at, char in enumerate(word or ""):
                split.nodes += at + 1 < len(word or "")
                following = end if at + 1 == len(word or "") else split.nodes - 1
                split.arcs.append((here, following, char, optional))
                here = following
            if not word:
                split.arcs.append((start, end, None, False))
        return split.ordered()

    def ordered(self) -> Network:
        """Return the same network with nodes in order, and arcs in the order of their ends."""
        followers: list[list[int]] = [[] for _ in range(self.nodes)]
        missing = [0] * self.nodes
        for start, end, _, _ in self.arcs:
            followers[start].append(end)
            missing[end] += 1
        ready = [node for node in range(self.nodes) if not missing[node]]
        order: dict[int, int] = {}
        while ready:
            node = heappop(ready)
            order[node] = len(order)
            for following in followers[node]:
                missing[following] -= 1
                if not missing[following]:
                    heappush(ready, following)
        arcs = [(order[a], order[b], word, optional) for a, b, word, optional in self.arcs]
        return Network(sorted(arcs, key=lambda arc: (arc[1], arc[0])), self.nodes)


def parse_network(tokens: Sequence[str], *, optional: bool = True) -> Network:
    """Read ``{ a / b c / @ }``, ``@`` and ``(uh)`` off tokens; alternatives may be nested.

    >>> [(word, optional) for _, _, word, optional in parse_network(["play", "(uh)"]).arcs]
    [('play', False), ('uh', True)]

    Raises:
        DataError: if braces do not match.
    """
    text = " ".join(tokens)
    parser = _Parser(list(_pieces(text)), text, optional=optional)
    parser.sequence(0, None)
    return parser.network.ordered()


def _pieces(text: str) -> Iterable[str]:
    """Split a text at white space and braces, and at slashes within braces."""
    depth = 0
    for token in text.split():
        if not depth and "{" not in token:
            yield token
            continue
        for piece in _PIECES.findall(token):
            depth += (piece == "{") - (piece == "}")
            yield piece


class _Parser:
    """Builds a network from pieces of text."""

    def __init__(self, pieces: list[str], text: str, *, optional: bool) -> None:
        self.pieces = pieces
        self.text = text
        self.optional = optional
        self.network = Network()
        self.at = 0

    def _wrong(self) -> DataError:
        return DataError(f"the braces of an alternation do not match in: {self.text:.60}")

    def _node(self) -> int:
        self.network.nodes += 1
        return self.network.nodes - 1

    def sequence(self, start: int, end: int | None) -> int:
        """Read words until a slash, a closing brace or the end; return the last node.

        ``end`` is the node where the sequence must end, inside braces.
        """
        here = start
        while self.at < len(self.pieces):
            piece = self.pieces[self.at]
            if end is not None and piece in "/}":
                break
            if piece == "}":
                raise self._wrong()
            self.at += 1
            following = self._node()
            if piece == "{":
                self._alternatives(here, following)
            else:
                self._word(here, following, piece)
            here = following
        if end is not None:
            self.network.arcs.append((here, end, None, False))
        return here

    def _word(self, start: int, end: int, piece: str) -> None:
        optional = _OPTIONAL.fullmatch(piece) if self.optional else None
        word = None if piece == NOTHING else untagged(optional[1] if optional else piece)
        self.network.arcs.append((start, end, word, optional is not None))

    def _alternatives(self, start: int, end: int) -> None:
        while True:
            first = self._node()
            self.network.arcs.append((start, first, None, False))
            self.sequence(first, end)
            if self.at == len(self.pieces):
                raise self._wrong()
            self.at += 1
            if self.pieces[self.at - 1] == "}":
                return


def untagged(word: str) -> str:
    r"""Return a word without the tags that follow it after semicolons.

    >>> untagged("play;verb"), untagged(r"a\;b;tag")
    ('play', 'a;b')
    """
    if ";" not in word:
        return word
    return _TAG.split(word)[0].replace("\\;", ";") or word


@dataclass(frozen=True)
class Reader:
    """Chooses the best reading of a pair.

    Args:
        costs: what errors cost.
        alternatives: read the marks of alternatives and optional words, on both sides.
        fragments: a word that begins or ends with a hyphen matches a word that it is a part of.
        compounds: "ice cream" and "icecream" are the same.
        characters: compare characters instead of words.
    """

    costs: Costs
    alternatives: bool = False
    fragments: bool = False
    compounds: bool = False
    characters: bool = False

    @property
    def reads(self) -> bool:
        """Whether a pair may have other readings than its words."""
        return self.alternatives or self.fragments or self.compounds or self.characters

    def resolve(self, ref: Sequence[str], hyp: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the best reading of both sides; an ordinary alignment of them gives the counts.

        An optional word that the other side leaves out appears on both sides in brackets: it
        counts as a match. Words that match as fragments or compounds appear as the reference has
        them, so that the number of its words does not depend on the hypothesis.

        >>> from mondegreen.align.costs import UNIT
        >>> Reader(UNIT, alternatives=True).resolve(
        ...     "the { cat / dog } (uh)".split(), ["the", "dog"]
        ... )
        (['the', 'dog', '(uh)'], ['the', 'dog', '(uh)'])
        """
        left, right = list(ref), list(hyp)
        if self.characters and not self.alternatives:
            left, right = list("".join(left)), list("".join(right))
        if (self.alternatives and self.characters) or (
            (self.alternatives or self.fragments) and self._is_marked(left, right)
        ):
            left, right = self._resolved(left, right)
        return self._joined(left, right) if self.compounds else (left, right)

    def _is_marked(self, ref: Sequence[str], hyp: Sequence[str]) -> bool:
        return any(_MARKS.search(token) for side in (ref, hyp) for token in side)

    def _resolved(self, ref: list[str], hyp: list[str]) -> tuple[list[str], list[str]]:
        networks = [self._network(side) for side in (ref, hyp)]
        if self.compounds:
            networks[1] = _with_compounds(*networks)
        numbers: dict[str, int] = {}
        sides = [
            [
                (a, b, -1 if word is None else numbers.setdefault(word, len(numbers)), optional)
                for a, b, word, optional in network.arcs
            ]
            for network in networks
        ]
        costs = self.costs.plain
        prices = [costs.substitution, costs.deletion, costs.insertion, 2 * costs.deletion // 3]
        alike = _alike(numbers) if self.fragments else []
        pairs = align_networks(sides[0], sides[1], prices, alike)
        left: list[str] = []
        right: list[str] = []
        known = {*alike}
        for a, b in pairs:
            _, _, said, optional = networks[0].arcs[a] if a >= 0 else (0, 0, None, False)
            _, _, heard, optional_too = networks[1].arcs[b] if b >= 0 else (0, 0, None, False)
            if (optional or optional_too) and (said is None or heard is None):
                left.append(f"({said or heard})")
                right.append(f"({said or heard})")
                continue
            if said is not None:
                left.append(said)
            if heard is not None:
                same = said is not None and (numbers[said], numbers[heard]) in known
                right.append(said if same and said is not None else heard)
        return left, right

    def _network(self, tokens: list[str]) -> Network:
        if self.alternatives:
            network = parse_network(tokens)
            return network.in_characters() if self.characters else network
        arcs: list[Arc] = [(i, i + 1, token, False) for i, token in enumerate(tokens)]
        return Network(arcs, len(tokens) + 1)

    def _joined(self, ref: list[str], hyp: list[str]) -> tuple[list[str], list[str]]:
        """Write compounds of the hypothesis as the reference does."""
        found = align([ref], [hyp], self.costs).of(0).tolist()
        heard: list[str] = []
        i = j = 0
        for matched, (a, b) in _regions(found):
            words, given = ref[i : i + a], hyp[j : j + b]
            heard += given if matched else _respelt(words, given, self.costs)
            i, j = i + a, j + b
        return ref, heard


def _with_compounds(ref: Network, hyp: Network) -> Network:
    """Let words of a hypothesis be read as one, or one as several, as the reference has them."""
    more = Network(list(hyp.arcs), hyp.nodes)
    parts = {"".join(words): words for _, _, words in _stretches(ref) if len(words) > 1}
    wholes = {word for _, _, word, _ in ref.arcs if word}
    for start, end, words in _stretches(hyp):
        joined = "".join(words)
        if len(words) > 1 and joined in wholes:
            more.arcs.append((start, end, joined, False))
        elif len(words) == 1 and joined in parts:
            here = start
            for word in parts[joined][:-1]:
                more.arcs.append((here, more.nodes, word, False))
                here = more.nodes
                more.nodes += 1
            more.arcs.append((here, end, parts[joined][-1], False))
    return more.ordered()


def _stretches(network: Network) -> Iterable[tuple[int, int, tuple[str, ...]]]:
    """Yield the sequences of a few words that a network has, with the nodes at both ends."""
    leaving: dict[int, list[Arc]] = {}
    for arc in network.arcs:
        leaving.setdefault(arc[0], []).append(arc)
    for first in range(network.nodes):
        waiting: list[tuple[int, tuple[str, ...]]] = [(first, ())]
        while waiting:
            node, words = waiting.pop()
            for _, end, word, _ in leaving.get(node, ()):
                longer = words if word is None else (*words, word)
                if len(longer) > len(words):
                    yield first, end, longer
                if len(longer) < _LONGEST:
                    waiting.append((end, longer))


def _alike(numbers: dict[str, int]) -> list[tuple[int, int]]:
    """Return the pairs of words of which one is a fragment of the other."""
    found = []
    for fragment, number in numbers.items():
        if len(fragment) > 1 and "-" in (fragment[0], fragment[-1]):
            begins = fragment[-1] == "-" and fragment[0] != "-"
            part = fragment[:-1] if begins else fragment[1:]
            for word, other in numbers.items():
                if word != fragment and (word.startswith(part) if begins else word.endswith(part)):
                    found += [(number, other), (other, number)]
    return found


def _regions(steps: Sequence[int]) -> list[tuple[bool, tuple[int, int]]]:
    """Return stretches with and without errors: how many words of each side they have.

    Errors with few matches between them are in one stretch.
    """
    bounds: list[list[int]] = []
    for at, step in enumerate(steps):
        if step != MATCH:
            if bounds and at - bounds[-1][1] <= _APART:
                bounds[-1][1] = at + 1
            else:
                bounds.append([at, at + 1])
    regions, at = [], 0
    for start, end in [*bounds, [len(steps), len(steps)]]:
        for matched, part in ((True, steps[at:start]), (False, steps[start:end])):
            if part:
                size = (
                    sum(step != INSERTION for step in part),
                    sum(step != DELETION for step in part),
                )
                regions.append((matched, size))
        at = end
    return regions


def _respelt(ref: list[str], hyp: list[str], costs: Costs) -> list[str]:
    """Return the hypothesis with those words joined or split that then are the reference's."""
    whole = costs.plain
    best: dict[tuple[int, int], tuple[tuple[int, int], list[str]]] = {(0, 0): ((0, 0), [])}
    for i in range(len(ref) + 1):
        for j in range(len(hyp) + 1):
            ways = [best[i, j]] if (i, j) in best else []
            if i and j:
                (cost, hits), words = best[i - 1, j - 1]
                same = ref[i - 1] == hyp[j - 1]
                step = (cost + (0 if same else whole.substitution), hits - same)
                ways.append((step, [*words, hyp[j - 1]]))
            if i:
                (cost, hits), words = best[i - 1, j]
                ways.append(((cost + whole.deletion, hits), words))
            if j:
                (cost, hits), words = best[i, j - 1]
                ways.append(((cost + whole.insertion, hits), [*words, hyp[j - 1]]))
            for a, b in _equal_ends(ref[:i], hyp[:j]):
                (cost, hits), words = best[i - a, j - b]
                ways.append(((cost, hits - a), [*words, *ref[i - a : i]]))
            best[i, j] = min(ways, key=lambda way: way[0])
    return best[len(ref), len(hyp)][1]


def _equal_ends(ref: list[str], hyp: list[str]) -> Iterable[tuple[int, int]]:
    """Yield how many last words of each side are the same letters with other spaces."""
    for a in range(1, min(len(ref), _LONGEST) + 1):
        letters = "".join(ref[-a:])
        for b in range(1, min(len(hyp), _LONGEST) + 1):
            if a + b > 2 and "".join(hyp[-b:]) == letters:  # noqa: PLR2004 (one word each is a match)
                yield a, b


def around_marks(prepare: Callable[[str], str]) -> Callable[[str], str]:
    """Make a normaliser leave the marks of alternatives and optional words unchanged."""

    def prepared(text: str) -> str:
        return " ".join(filter(None, map(one, _pieces(text))))

    def one(word: str) -> str:
        if word in ("{", "}", "/", NOTHING):
            return word
        optional = _OPTIONAL.fullmatch(word)
        plain = prepare(untagged(optional[1] if optional else word))
        return f"({plain})" if optional and plain else plain

    return prepared
