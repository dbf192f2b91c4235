"""What is done before data is perturbed: operators learn from it, and must know its language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from mondegreen.data import read
from mondegreen.operators import Operator
from mondegreen.operators.chain import Chain
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.languages import LOOKED_AT, require_language
from mondegreen.perturbation.numbering import numbered
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Utterance

Reader = Callable[[], Iterable[Utterance]]
"""Returns the utterances of data from the beginning; it may be called again."""
LearnFrom = Path | str | Iterable[Utterance | str]
"""What operators learn from: a file, utterances or texts."""


def prepare(recipe: Recipe, data: Reader, learn_from: LearnFrom | None = None) -> Recipe:
    """Return a recipe with everything that its operators learn, for data in a language they know.

    This is the one place where recipes meet data: every route gets its recipe from here, or says
    in its signature that nothing was learnt.

    Args:
        recipe: the recipe.
        data: the data that is going to be perturbed.
        learn_from: what operators learn from; by default, the data.

    Raises:
        DataError: if the data to learn from cannot be read.
        OperatorError: if an operator does not know the language of the data.
    """
    found = checked(recipe, (one.text for one in data()))
    return learning(found, data if learn_from is None else reader_of(learn_from))


def checked(recipe: Recipe, texts: Iterable[str]) -> Recipe:
    """Return a recipe with the language of texts, unless it has one already.

    Raises:
        OperatorError: if an operator does not know the language.
    """
    if recipe.language:
        return recipe
    return replace(recipe, language=require_language(recipe.operators, texts))


def learning(recipe: Recipe, data: Reader) -> Recipe:
    """Return a recipe with everything that its operators can learn from data."""
    if not any(operator.can_learn for operator in recipe.operators):
        return recipe
    learnt = tuple(_learnt(operator, recipe, data) for operator in recipe.operators)
    return replace(recipe, operators=learnt)


def _learnt(operator: Operator, recipe: Recipe, data: Reader) -> Operator:
    """Return an operator that has learnt; each of a chain learns from what it will change."""
    found: list[Operator] = []
    for link in operator.links:
        if link.can_learn:
            known = link.keeping_codes() if recipe.protection.codes else link
            found.append(known.learning_from(_changed(tuple(found), recipe, data), recipe.seed))
        else:
            found.append(link)
    return found[0] if len(found) == 1 else Chain(tuple(found))


def _changed(links: tuple[Operator, ...], recipe: Recipe, data: Reader) -> Iterable[Utterance]:
    """Return the data as some operators change it, one after another."""
    if not links:
        return data()
    operator = links[0] if len(links) == 1 else Chain(links)
    plain = replace(recipe, operators=(operator,), variants=1, mix=False, skip=False, augment=False)
    return (variant.utterance for variant in Engine(plain).variants(data()))


def reader_of(data: LearnFrom) -> Reader:
    """Return a reader of a file, of utterances or of texts."""
    if isinstance(data, str | Path):
        return lambda: read(data)
    known = list(numbered(data))
    return lambda: known


def prepare_stream(
    recipe: Recipe, data: Iterator[Utterance], learn_from: LearnFrom | None = None
) -> tuple[Recipe, Iterator[Utterance]]:
    """Prepare a recipe for data that can be read only once; return both.

    It is read as far as necessary: all of it if operators learn from it, else its beginning.
    """
    whole = learn_from is None and any(operator.can_learn for operator in recipe.operators)
    first = list(data if whole else islice(data, LOOKED_AT))
    return prepare(recipe, lambda: first, learn_from), chain(first, data)
