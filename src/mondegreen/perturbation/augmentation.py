"""Augmentation: a training set with noisy copies of its own utterances, labels kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mondegreen.draw import Draw, key_of, prefix_of
from mondegreen.errors import EditError, UtteranceError
from mondegreen.operators.amounts import Amount, Severity
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Utterance, Variant

if TYPE_CHECKING:
    from mondegreen.perturbation.engine import Make

GROUP = "faithful"
AMOUNT: Amount = Severity(0.3)
"""The amount of every operator by default: three words of ten, as in nlpaug."""
_ATTEMPTS = 16  # per operator, to find a copy that differs from those before it


def engine_of(recipe: Recipe) -> Engine:
    """Return the engine that makes variants by a recipe."""
    return Augmenter(recipe) if recipe.augment else Engine(recipe)


class Augmenter(Engine):
    """Yields each utterance, then as many copies of it as the recipe has variants."""

    def _strategy(self) -> Make:
        return self._with_copies

    def _with_copies(self, utterance: Utterance) -> list[Variant]:
        try:
            copies = self._copies(utterance)
        except (UtteranceError, EditError):
            if not self.recipe.skip:
                raise
            return []  # one bad utterance does not stop the rest
        if not copies and self.recipe.skip:
            return []
        return [Variant(utterance, utterance, ()), *copies]

    def _copies(self, utterance: Utterance) -> list[Variant]:
        found: list[Variant] = []
        texts = {utterance.text}
        for index in range(self.recipe.variants):
            copy = self._copy(utterance, index, texts)
            if copy is not None:
                found.append(copy)
                texts.add(copy.utterance.text)
        return found

    def _copy(self, utterance: Utterance, index: int, texts: set[str]) -> Variant | None:
        """Make a copy by the operator that a mixture would take, or by the next one drawn."""
        draw = Draw(key_of(prefix_of(self.recipe.seed, "mix", index), utterance), 0)
        left = list(self.recipe.operators)
        while left:
            operator = left.pop(draw.below(len(left)))
            for attempt in range(_ATTEMPTS):
                variant = self.variant(utterance, operator, index, attempt)
                if variant.utterance.text not in texts:
                    return variant
                if not variant.edits:
                    break  # this operator has no candidate, whatever is drawn
        return None
