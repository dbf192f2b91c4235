"""The sets of a suite as plans, each with what makes its variant of an utterance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mondegreen.amounts import Severity
from mondegreen.data import Item
from mondegreen.engine import Engine
from mondegreen.errors import OperatorError
from mondegreen.operators import Operator, signature
from mondegreen.suites.manifest import OPERATOR, ORIGINAL, RANDOM, SEVERITY
from mondegreen.types import Utterance, Variant

Make = Callable[[Utterance], Item]


class Plan(NamedTuple):
    """What one set is."""

    name: str
    kind: str
    operator: str = ""
    amount: str = ""
    draw: int = 0


class Recipe(NamedTuple):
    """Everything that the sets depend on, but for the source and the model of the hard set."""

    operators: Sequence[Operator]
    seed: int = 0
    random: int = 10
    severities: Sequence[float] = ()

    def plans(self) -> dict[Plan, Make]:
        """Return the sets in their order: original, operators, random draws, severities.

        The severity 0 of a curve is the original.

        Raises:
            OperatorError: if operators, draws or severities are not what they should be.
        """
        if self.random < 0:
            raise OperatorError(f"random must be 0 or more draws, got {self.random}")
        if len(set(self.severities)) < len(self.severities):
            raise OperatorError("a severity is named twice; name each once")
        engine = Engine(self.operators, seed=self.seed)
        plans: dict[Plan, Make] = {Plan(ORIGINAL, ORIGINAL): _as_it_is}
        plans |= self._by_operator(engine)
        for draw in range(self.random):
            plans[Plan(f"{RANDOM}-{draw}", RANDOM, draw=draw)] = _Mixed(engine, draw)
        for severity in filter(None, self.severities):
            degree = Engine(self.operators, seed=self.seed, amount=Severity(severity))
            plans |= self._by_operator(degree, f"{SEVERITY}-{severity:g}/", SEVERITY)
        return plans

    def _by_operator(
        self, engine: Engine, prefix: str = "", kind: str = OPERATOR
    ) -> dict[Plan, Make]:
        return {
            Plan(
                prefix + operator.name,
                kind,
                signature(operator),
                str(engine.amount or operator.default),
            ): _By(engine, operator)
            for operator in engine.operators
        }


@dataclass(frozen=True)
class _By:
    engine: Engine
    operator: Operator

    def __call__(self, said: Utterance) -> Variant:
        return self.engine.variant(said, self.operator)


@dataclass(frozen=True)
class _Mixed:
    engine: Engine
    draw: int

    def __call__(self, said: Utterance) -> Variant:
        return self.engine.mixed(said, self.draw)


def _as_it_is(said: Utterance) -> Utterance:
    return said
