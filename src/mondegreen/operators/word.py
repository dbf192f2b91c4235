"""Base class of the operators that replace single words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from mondegreen.draw import Draw
from mondegreen.language.segmentation import dictionary_words
from mondegreen.operators.options import Option, Plan, pick
from mondegreen.operators.protocol import Operator
from mondegreen.text.segment import split
from mondegreen.types import Edit, Utterance

_CACHED_TOKENS = 65_536


class WordOperator(Operator):
    """Replaces words independently of their context."""

    def options(self, token: str) -> Option | None:
        """Return what a token may become; ``None`` if it cannot be changed."""
        raise NotImplementedError

    @property
    def unspaced(self) -> str:
        """The code of a language whose words have several tokens each; empty for others."""
        return ""

    def plan(self) -> Plan | None:
        """Return a plan that replaces each token with one of its options."""
        return None if self.unspaced else Plan(inserts=False, options=self.options)

    @cached_property
    def _options(self) -> Callable[[str], Option | None]:
        return lru_cache(maxsize=_CACHED_TOKENS)(self.options)

    def sites(self, utterance: Utterance) -> range:
        """Return every token position."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the word with one of its options, drawn at random."""
        tokens, end = utterance.tokens, site + 1
        if self.unspaced:
            end = dictionary_words(tokens, self.unspaced).get(site, site)
            edges = (edge for slot in utterance.slots for edge in (slot.start, slot.end))
            if end == site or any(site < edge < end for edge in edges):
                return ()
        swap = pick(self._options("".join(tokens[site:end])), draw)
        if swap is None:
            return ()
        words = swap.tokens
        if end > site + 1:  # in as small pieces as before
            words = tuple(piece for word in words for piece in split(word))
        return (Edit(site, end, words, self.name, swap.kind),)
