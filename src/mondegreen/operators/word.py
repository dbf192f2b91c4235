"""What the operators on single words have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from mondegreen.draw import Draw
from mondegreen.operators.options import Option, Plan, pick
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_KEPT = 65_536  # tokens whose options are kept


class WordOperator(Operator):
    """Replaces words one by one, whatever stands around them."""

    def options(self, token: str) -> Option | None:
        """Return what a token may become; ``None`` where it cannot be changed."""
        raise NotImplementedError

    def plan(self) -> Plan:
        """Replace each token by what its options give."""
        return Plan(inserts=False, options=self.options)

    @cached_property
    def _options(self) -> Callable[[str], Option | None]:
        return lru_cache(maxsize=_KEPT)(self.options)

    def sites(self, utterance: Utterance) -> range:
        """Every token."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the token."""
        swap = pick(self._options(utterance.tokens[site]), draw)
        return () if swap is None else (Edit(site, site + 1, swap.tokens, self.name, swap.kind),)
