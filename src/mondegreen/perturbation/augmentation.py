"""Augmentation: a training set with noisy copies of its own utterances, labels kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mondegreen.draw import Draw, key_of, prefix_of
from mondegreen.engines import LOCAL, open_workers
from mondegreen.errors import EditError, UtteranceError
from mondegreen.operators import Operator, parse_all
from mondegreen.operators.amounts import Amount, Severity, amount_of
from mondegreen.perturbation.engine import Engine, RecipeWork, run_elsewhere
from mondegreen.perturbation.preparation import in_known_language, in_language, numbered
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Utterance, Variant

if TYPE_CHECKING:
    from mondegreen.perturbation.engine import Make

GROUP = "faithful"
AMOUNT: Amount = Severity(0.3)
"""The amount of every operator by default: three words of ten, as in nlpaug."""
_ATTEMPTS = 16  # per operator, to find a copy that differs from those before it


def augment(
    data: Iterable[Utterance | str],
    operators: str | Operator | Sequence[str | Operator] = GROUP,
    *,
    seed: int = 0,
    once: bool = False,
    rate: float | None = None,
    severity: float | None = None,
    times: int = 1,
    protect: Iterable[str] = (),
    protect_slots: bool | Iterable[str] = False,
    protect_codes: bool = True,
    skip_unchangeable: bool = False,
    language: str | None = None,
    engine: str = LOCAL,
    workers: int | None = None,
) -> Iterator[Variant]:
    """Yield each utterance as it is, then its copies, each by one operator drawn at random.

    Where an operator cannot change the utterance, another one is drawn. Every copy differs from
    the utterance and from its other copies. An utterance that no operator can change is yielded
    alone, or left out.

    Args:
        data: utterances, or texts.
        operators: names, signatures, groups or operators to draw from.
        seed: another seed gives other copies.
        once: make one edit per copy.
        rate: probability of editing each site; at least one edit per copy.
        severity: share of the words to change, at least one edit per copy; 0.3 by default.
        times: copies per utterance.
        protect: words or phrases to leave unchanged.
        protect_slots: leave slots unchanged: all of them, or those with the labels given.
        protect_codes: leave numbers, codes, e-mail addresses, URLs, file names and quotations
            unchanged.
        skip_unchangeable: leave out utterances without a copy.
        language: the code of the data's language, such as ``de``; by default it is found out, and
            operators that do not know it refuse.
        engine: where the work runs: ``local``, ``processes`` or ``ray``; the copies are the same.
        workers: how many processes or Ray workers; by default, as many as there are cores.

    >>> for variant in augment(["play some jazz"], ["keyboard", "spelling"], seed=7):
    ...     print(variant.utterance.id, variant.utterance.text)
    1 play some jazz
    1/keyboard/0 play some nazz

    Raises:
        DataError: if the data is a single text, or not a collection.
        OperatorError: if an operator or an amount is wrong, or an operator does not know the
            language of the data.
    """
    recipe = Recipe(
        in_language(parse_all(operators), language),
        seed=seed,
        amount=amount_of(once=once, rate=rate, severity=severity) or AMOUNT,
        variants=times,
        mix=True,
        protection=Protection.of(protect, slots=protect_slots, codes=protect_codes),
        skip=skip_unchangeable,
        augment=True,
    )
    known = in_known_language(numbered(data), recipe.operators, language)
    if engine == LOCAL:
        return engine_of(recipe).variants(known)
    return run_elsewhere(AugmentWork(recipe), known, open_workers(engine, workers))


class AugmentWork(RecipeWork):
    """Makes the copies of a part, wherever it is called."""

    @cached_property
    def _engine(self) -> Engine:
        return Augmenter(self.recipe)


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
