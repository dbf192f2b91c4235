"""The sets of a suite: which there are, and the variants of an utterance that go into each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mondegreen.errors import OperatorError
from mondegreen.operators import Operator, signature
from mondegreen.operators.amounts import Severity
from mondegreen.perturbation.engine import Engine, run_together
from mondegreen.perturbation.protection import CODES_ONLY, Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Utterance, Variant

ORIGINAL, OPERATOR, RANDOM, HARD, SEVERITY = "original", "operator", "random", "hard", "severity"


class SetPlan(NamedTuple):
    """One set of a suite: its name, its kind, and how its variants are made."""

    name: str
    kind: str
    operator: str = ""
    amount: str = ""
    draw: int = 0


@dataclass(frozen=True)
class SuiteRecipe:
    """Everything that the sets depend on, except the source and the model of the hard set.

    Args:
        operators: the operators, one set each.
        seed: another seed gives other edits.
        random: how many random sets.
        severities: shares of the words; one more set per operator and severity.
        protection: words and slots that no edit may touch.
    """

    operators: tuple[Operator, ...]
    seed: int = 0
    random: int = 10
    severities: tuple[float, ...] = ()
    protection: Protection = CODES_ONLY

    def __post_init__(self) -> None:
        if self.random < 0:
            raise OperatorError(f"random must be 0 or more sets, got {self.random}")
        if len(set(self.severities)) < len(self.severities):
            raise OperatorError("a severity is named twice; name each once")

    def plans(self) -> list[SetPlan]:
        """Return the sets in order: original, operators, random, severities.

        Severity 0 is the original set, so it gets no set of its own.
        """
        plans = [SetPlan(ORIGINAL, ORIGINAL)]
        plans += [
            SetPlan(op.name, OPERATOR, signature(op, short=True), _amounts(op))
            for op in self.operators
        ]
        plans += [SetPlan(f"{RANDOM}-{draw}", RANDOM, draw=draw) for draw in range(self.random)]
        plans += [
            SetPlan(
                f"{SEVERITY}-{severity:g}/{op.name}",
                SEVERITY,
                signature(op, short=True),
                str(Severity(severity)),
            )
            for severity in filter(None, self.severities)
            for op in self.operators
        ]
        return plans

    def recipes(self) -> Iterator[Recipe]:
        """Yield the recipes of the sets after the original, in their order."""
        common = {"seed": self.seed, "protection": self.protection}
        yield Recipe.of(self.operators, **common)
        if self.random:
            yield Recipe.of(self.operators, mix=True, variants=self.random, **common)
        for severity in filter(None, self.severities):
            yield Recipe.of(self.operators, amount=Severity(severity), **common)


def _amounts(operator: Operator) -> str:
    return " > ".join(str(link.default) for link in operator.links)


class SuiteEngine:
    """Makes the variants of all sets of a suite, in one pass over the data."""

    def __init__(self, recipe: SuiteRecipe) -> None:
        self.recipe = recipe
        self._engines = [Engine(one) for one in recipe.recipes()]
        self.resources = self._engines[0].resources
        """The hashes of the users' files that the variants depend on."""

    def run(self, data: Iterable[Utterance]) -> Iterator[tuple[Utterance, list[Variant]]]:
        """Yield each utterance with one variant per set after the original, in their order."""
        for utterance, rows in run_together(self._engines, data):
            yield utterance, [variant for row in rows for variant in row]
