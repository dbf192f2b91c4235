"""What is done before data is perturbed: operators learn from it, and must know its language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, count, islice
from pathlib import Path

from mondegreen.data import read
from mondegreen.data.dataframes import is_table, read_table
from mondegreen.errors import DataError
from mondegreen.perturbation.languages import LOOKED_AT, require_language
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
    codes = recipe.protection.codes
    learnt = tuple(
        (operator.keeping_codes() if codes else operator).learning_from(data(), recipe.seed)
        if operator.can_learn
        else operator
        for operator in recipe.operators
    )
    return replace(recipe, operators=learnt)


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


def numbered(data: Iterable[Utterance | str]) -> Iterator[Utterance]:
    """Return utterances as they are, texts as utterances whose ids are their numbers.

    A data frame, an Arrow table or a dataset gives the utterances of its rows.

    >>> [utterance.id for utterance in numbered(["play jazz", Utterance.of("u2", "stop")])]
    ['1', 'u2']

    Raises:
        DataError: if the data is a single text, or not a collection.
    """
    if isinstance(data, str):
        raise DataError("a single text is not a list of texts; put it into a list")
    if is_table(data) or isinstance(data, Mapping):
        return read_table(data)
    if not isinstance(data, Iterable):
        raise DataError(f"a list of utterances or texts is expected, got {data!r:.60}")
    return map(_numbered, data, count(1))


def _numbered(item: object, number: int) -> Utterance:
    if isinstance(item, Utterance):
        return item
    if isinstance(item, str):
        return Utterance.of(str(number), item)
    raise DataError(f"row {number} is {item!r:.60}; a text or an utterance is expected")
