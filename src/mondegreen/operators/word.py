"""Base class of the operators that replace single words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from mondegreen.draw import Draw
from mondegreen.operators.options import Option, Plan, pick
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_CACHED_TOKENS = 65_536


class WordOperator(Operator):
    """Replaces words independently of their context."""

    def options(self, token: str) -> Option | None:
        """Return what a token may become; ``None`` if it cannot be changed."""
        raise NotImplementedError

    def plan(self) -> Plan:
        """Return a plan that replaces each token with one of its options."""
        return Plan(inserts=False, options=self.options)

    @cached_property
    def _options(self) -> Callable[[str], Option | None]:
        return lru_cache(maxsize=_CACHED_TOKENS)(self.options)

    def sites(self, utterance: Utterance) -> range:
        """Return every token position."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the token with one of its options, drawn at random."""
        swap = pick(self._options(utterance.tokens[site]), draw)
        return () if swap is None else (Edit(site, site + 1, swap.tokens, self.name, swap.kind),)
