"""The best reading of a pair: alternatives, optional words, fragments, compounds.

A text such as ``a { b / c d / @ } (uh)`` is a network of words. The best pair of readings of both
sides is found by one alignment of two networks; what follows is an ordinary alignment of that pair
(docs/design/0009-alignment.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from mondegreen.align.costs import ONE, Costs
from mondegreen.kernel import align_networks
from mondegreen.metrics.words.anchors import cuts
from mondegreen.metrics.words.compounds import LONGEST, respelt
from mondegreen.metrics.words.networks import (
    NOTHING,
    OPTIONAL,
    Arc,
    WordNetwork,
    bare_word,
    parse_network,
    pieces,
    top_tokens,
    untagged,
    with_marks,
)
from mondegreen.text.patterns import lazy_pattern

_MARKS = lazy_pattern(r"[{}()@;-]")

Spans = list[tuple[float, float]]
"""When words begin and end, in seconds."""


class Resolved(NamedTuple):
    """The best reading of both sides, and for each word of the reference the token it belongs to.

    A token is a word or a whole alternation; -1 stands for none.
    """

    ref: list[str]
    hyp: list[str]
    tokens: list[int]


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

    def resolve(self, ref: Sequence[str], hyp: Sequence[str]) -> Resolved:
        """Return the best reading of both sides; an ordinary alignment of them gives the counts.

        An optional word that the other side leaves out appears on both sides in brackets: it
        counts as a match. Words that match as fragments or compounds appear as the reference has
        them, so that the number of its words does not depend on the hypothesis.

        >>> from mondegreen.align.costs import UNIT
        >>> found = Reader(UNIT, alternatives=True).resolve(
        ...     "the { cat / dog } (uh)".split(), ["the", "dog"]
        ... )
        >>> found.ref, found.hyp
        (['the', 'dog', '(uh)'], ['the', 'dog', '(uh)'])
        """
        left, right = list(ref), list(hyp)
        if self.characters and not self.alternatives:
            left, right = list("".join(left)), list("".join(right))
        found = Resolved(left, right, list(range(len(left))))
        if (self.alternatives and self.characters) or (
            (self.alternatives or self.fragments) and self._is_marked(left, right)
        ):
            found = self._in_parts(left, right)
        return (
            found._replace(hyp=respelt(found.ref, found.hyp, self.costs))
            if self.compounds
            else found
        )

    def _in_parts(self, ref: list[str], hyp: list[str]) -> Resolved:
        """Resolve a long pair part by part, between words that both sides surely share."""
        if self.characters:
            return self._resolved(ref, hyp, 0)
        sides = [top_tokens(side) if self.alternatives else side for side in (ref, hyp)]
        found = Resolved([], [], [])
        i = j = 0
        for a, b in [*cuts(*sides), (len(sides[0]), len(sides[1]))]:
            part = self._resolved(sides[0][i:a], sides[1][j:b], i)
            found.ref.extend(part.ref)
            found.hyp.extend(part.hyp)
            found.tokens.extend(part.tokens)
            i, j = a, b
        return found

    def _is_marked(self, ref: Sequence[str], hyp: Sequence[str]) -> bool:
        return any(_MARKS.search(token) for side in (ref, hyp) for token in side)

    def resolve_timed(
        self, ref: Sequence[str], hyp: Sequence[str], times: tuple[Spans, Spans]
    ) -> tuple[Resolved, tuple[Spans, Spans]]:
        """Return the best reading of words with times, and the times of its words.

        ``times`` are those of the words of each side, in order; the marks of alternatives are
        words of their own and have none.
        """
        left, right = list(ref), list(hyp)
        if (self.alternatives or self.fragments) and self._is_marked(left, right):
            sides = [self._timed_network(*side) for side in zip((left, right), times, strict=True)]
            return self._best([side[0] for side in sides], 0, (sides[0][1], sides[1][1]))
        return Resolved(left, right, list(range(len(left)))), times

    def _timed_network(self, tokens: list[str], spans: Spans) -> tuple[WordNetwork, Spans]:
        """Return the network of a side, and the times of its arcs."""
        numbered: list[str] = []
        words: list[str] = []
        for token, mark in with_marks(tokens):
            if self.alternatives and mark:
                numbered.append(token)
                continue
            optional = OPTIONAL.fullmatch(token) if self.alternatives else None
            numbered.append(f"({len(words)})" if optional else str(len(words)))
            word = optional[1] if optional else token
            words.append(bare_word(word) if self.alternatives else word)
        network = parse_network(numbered) if self.alternatives else WordNetwork.of_words(numbered)
        places = [None if arc.word is None else int(arc.word) for arc in network.arcs]
        network.arcs = [
            arc if place is None else arc._replace(word=words[place])
            for arc, place in zip(network.arcs, places, strict=True)
        ]
        return network, [(0, 0) if place is None else spans[place] for place in places]

    def _resolved(self, ref: list[str], hyp: list[str], first: int) -> Resolved:
        networks = [self._network(side) for side in (ref, hyp)]
        if self.compounds:
            networks[1] = _with_compounds(*networks)
        return self._best(networks, first)[0]

    def _best(
        self, networks: list[WordNetwork], first: int, times: tuple[Spans, Spans] | None = None
    ) -> tuple[Resolved, tuple[Spans, Spans]]:
        """Return the best reading of two networks, and the times of its words, if there are any.

        The first token has the number ``first``; ``times`` are those of the arcs.
        """
        numbers: dict[str, int] = {}
        sides = [
            [
                (a, b, -1 if word is None else numbers.setdefault(word, len(numbers)), optional)
                for a, b, word, optional, _ in network.arcs
            ]
            for network in networks
        ]
        costs = self.costs.plain
        prices = [costs.substitution, costs.deletion, costs.insertion, 2 * costs.deletion // 3]
        alike = _alike(numbers) if self.fragments else []
        whole = None if times is None else (_whole(times[0]), _whole(times[1]))
        pairs = align_networks(sides[0], sides[1], prices, alike, whole)
        found = Resolved([], [], [])
        spans: tuple[Spans, Spans] = ([], [])
        known = {*alike}
        nothing = Arc(0, 0, None)
        for a, b in pairs:
            one = networks[0].arcs[a] if a >= 0 else nothing
            other = networks[1].arcs[b] if b >= 0 else nothing
            said, heard = one.word, other.word
            token = first + one.token if one.token >= 0 else -1
            if (one.optional or other.optional) and (said is None or heard is None):
                found.ref.append(f"({said or heard})")
                found.hyp.append(f"({said or heard})")
                found.tokens.append(token)
                if times is not None:
                    when = times[0][a] if said is not None else times[1][b]
                    spans[0].append(when)
                    spans[1].append(when)
                continue
            if said is not None:
                found.ref.append(said)
                found.tokens.append(token)
            if heard is not None:
                same = said is not None and (numbers[said], numbers[heard]) in known
                found.hyp.append(said if same and said is not None else heard)
            if times is not None:
                spans[0].extend([times[0][a]] if said is not None else [])
                spans[1].extend([times[1][b]] if heard is not None else [])
        return found, spans

    def _network(self, tokens: list[str]) -> WordNetwork:
        if self.alternatives:
            network = parse_network(tokens)
            return network.in_characters() if self.characters else network
        return WordNetwork.of_words(tokens)


def _whole(spans: Spans) -> list[tuple[int, int]]:
    """Return times in the unit of costs."""
    return [(round(start * ONE), round(end * ONE)) for start, end in spans]


def _with_compounds(ref: WordNetwork, hyp: WordNetwork) -> WordNetwork:
    """Let words of a hypothesis be read as one, or one as several, as the reference has them."""
    more = WordNetwork(list(hyp.arcs), hyp.nodes)
    parts = {"".join(words): words for _, _, words in _stretches(ref) if len(words) > 1}
    wholes = {arc.word for arc in ref.arcs if arc.word}
    for start, end, words in _stretches(hyp):
        joined = "".join(words)
        if len(words) > 1 and joined in wholes:
            more.arcs.append(Arc(start, end, joined))
        elif len(words) == 1 and joined in parts:
            here = start
            for word in parts[joined][:-1]:
                more.arcs.append(Arc(here, more.nodes, word))
                here = more.nodes
                more.nodes += 1
            more.arcs.append(Arc(here, end, parts[joined][-1]))
    return more.ordered()


def _stretches(network: WordNetwork) -> Iterable[tuple[int, int, tuple[str, ...]]]:
    """Yield the sequences of a few words that a network has, with the nodes at both ends."""
    leaving: dict[int, list[Arc]] = {}
    for arc in network.arcs:
        leaving.setdefault(arc.start, []).append(arc)
    for first in range(network.nodes):
        waiting: list[tuple[int, tuple[str, ...]]] = [(first, ())]
        while waiting:
            node, words = waiting.pop()
            for _, end, word, *_ in leaving.get(node, ()):
                longer = words if word is None else (*words, word)
                if len(longer) > len(words):
                    yield first, end, longer
                if len(longer) < LONGEST:
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


def around_marks(prepare: Callable[[str], str]) -> Callable[[str], str]:
    """Make a normaliser leave the marks of alternatives and optional words unchanged.

    It is applied to each stretch of words between marks.

    >>> around_marks(str.upper)("so { a / b c } (uh) on")
    'SO { A / B C } (UH) ON'
    """

    def prepared(text: str) -> str:
        found: list[str] = []
        for plain, stretch in groupby(pieces(text), key=_is_plain):
            if plain:
                found.append(prepare(" ".join(map(untagged, stretch))))
            else:
                found += map(one, stretch)
        return " ".join(filter(None, found))

    def one(mark: str) -> str:
        optional = OPTIONAL.fullmatch(mark)
        if optional is None:
            return mark
        plain = prepare(untagged(optional[1]))
        return f"({plain})" if plain else ""

    return prepared


def _is_plain(piece: str) -> bool:
    return piece not in ("{", "}", "/", NOTHING) and OPTIONAL.fullmatch(piece) is None
