"""What the operators on single words have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from mondegreen.draw import Draw
from mondegreen.operators.options import Option, Plan, pick
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance


class WordOperator(Operator):
    """Replaces words one by one, whatever stands around them."""

    def options(self, token: str) -> Option | None:
        """Return what a token may become; ``None`` where it cannot be changed."""
        raise NotImplementedError

    def plan(self) -> Plan:
        """Replace each token by what its options give."""
        return Plan(inserts=False, options=self.options)

    @cached_property
    def _grown(self) -> dict[str, Option | None]:
        return {}

    def sites(self, utterance: Utterance) -> range:
        """Every token."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Replace the token."""
        token = utterance.tokens[site]
        if token not in self._grown:
            self._grown[token] = self.options(token)
        swap = pick(self._grown[token], draw)
        return () if swap is None else (Edit(site, site + 1, swap.tokens, self.name, swap.kind),)
