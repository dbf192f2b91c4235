"""An operator: one word of an utterance is shouted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mondegreen import Edit, Operator, Utterance
from mondegreen.draw import Draw
from mondegreen.operators.amounts import Amount, Once


@dataclass(frozen=True)
class Shout(Operator):
    """Write a word in capital letters: "play some jazz" becomes "play SOME jazz".

    Args:
        mark: what to put behind the word, such as "!".
    """

    name: ClassVar[str] = "shout"
    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "play some jazz by miles davis"

    mark: str = ""

    def sites(self, utterance: Utterance) -> range:
        """Every token."""
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:  # noqa: ARG002
        """Shout the token, unless it is loud already."""
        token = utterance.tokens[site]
        loud = token.upper() + self.mark
        if loud == token:
            return ()
        return (Edit(site, site + 1, (loud,), self.name, "shout"),)
