"""Chains: operators one after another, each on what the one before it has made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.operators.amounts import Amount
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_SHORTEST = 2


@dataclass(frozen=True)
class Chain(Operator):
    """Apply operators one after another: a recogniser mishears what a speaker said with fillers.

    The engine runs each operator on the result of the one before it, and makes one variant of the
    source of all edits.

    Args:
        operators: the operators, in order.
    """

    operators: tuple[Operator, ...]

    def __post_init__(self) -> None:
        if len(self.operators) < _SHORTEST:
            raise OperatorError("a chain needs two operators or more")
        if any(len(operator.links) > 1 for operator in self.operators):
            raise OperatorError("a chain of chains: name all operators in one chain")

    @property
    def name(self) -> str:  # type: ignore[override]  # of other operators, a class attribute
        """The names of the operators, in order."""
        return "-".join(operator.name for operator in self.operators)

    @property
    def example(self) -> str:  # type: ignore[override]  # of other operators, a class attribute
        """The example of the first operator."""
        return self.operators[0].example

    @property
    def links(self) -> tuple[Operator, ...]:
        """The operators, in order."""
        return self.operators

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages that all operators know."""
        known = [one.languages for one in self.operators if one.languages is not None]
        return frozenset.intersection(*known) if known else None

    @property
    def default(self) -> Amount:
        """The default of the last operator; each operator has its own."""
        return self.operators[-1].default

    @property
    def can_learn(self) -> bool:
        """Whether an operator has something to learn."""
        return any(operator.can_learn for operator in self.operators)

    def sites(self, utterance: Utterance) -> range:
        """Return no site: the engine asks the operators, one after another."""
        del utterance
        return range(0)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Return no edit: the engine asks the operators, one after another."""
        del utterance, site, draw
        return ()

    def resources(self) -> Sequence[Path]:
        """Return the files of all operators."""
        return [path for operator in self.operators for path in operator.resources()]
