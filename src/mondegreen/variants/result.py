"""What ``mg.perturb`` and ``mg.augment`` return: variants to iterate over, with their recipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from mondegreen.data.pairs.parts import parted
from mondegreen.engines import Workers
from mondegreen.engines.calls import Portable
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.preparation import LearnFrom, numbered, prepare_stream
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Utterance, Variant

_PART = 4096  # utterances that are sent to a worker together


@dataclass(frozen=True)
class RecipeWork(Portable):
    """Makes the variants of a part by one recipe, wherever it is called."""

    recipe: Recipe

    @cached_property
    def _engine(self) -> Engine:
        return engine_of(self.recipe)

    def __call__(self, part: Sequence[Utterance]) -> list[Variant]:
        """Return the variants of the utterances of a part, in order."""
        return list(self._engine.run(part))


class Variants(Iterator[Variant]):
    """The variants of data, in order, and the recipe that makes them.

    Nothing is read, learnt or made before it is asked for.

    Args:
        draft: the recipe, before its operators have learnt from the data.
        data: utterances, or texts, or a data frame.
        learn_from: what operators learn from; by default, the data.
        learns: whether operators learn; those of a user's recipe do not.
        workers: where the work runs; ``None`` for this process.
    """

    def __init__(
        self,
        draft: Recipe,
        data: Iterable[Utterance | str],
        *,
        learn_from: LearnFrom | None = None,
        learns: bool = True,
        workers: Workers | None = None,
    ) -> None:
        self._draft = draft
        self._data = numbered(data)
        self._learn_from = learn_from if learns or learn_from is not None else ()
        self._workers = workers

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe, with what its operators have learnt."""
        recipe, self._data = prepare_stream(self._draft, self._data, self._learn_from)
        return recipe

    @property
    def signature(self) -> str:
        """The recipe in one line."""
        return self.recipe.signature

    @cached_property
    def _made(self) -> Iterator[Variant]:
        recipe = self.recipe
        if self._workers is None:
            return engine_of(recipe).variants(self._data)
        parts = parted(self._data, _PART)
        return chain.from_iterable(self._workers.map(RecipeWork(recipe), parts))

    def __iter__(self) -> Iterator[Variant]:  # noqa: PYI034 (a call less per variant)
        return self._made

    def __next__(self) -> Variant:
        return next(self._made)
