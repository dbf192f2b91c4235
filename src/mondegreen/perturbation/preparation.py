"""What is done before data is perturbed: operators learn from it, and must know its language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain, count, islice
from pathlib import Path

from mondegreen.data.dataframes import is_table, read_table
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.detection import ENGLISH, NAMES, plain_language
from mondegreen.language.disfluency.fillers import filler_lists
from mondegreen.operators import OPERATORS, Operator
from mondegreen.types import Utterance

LOOKED_AT = 200
"""How many utterances are looked at to find out the language of data."""


def learning_from(
    operators: Iterable[Operator], data: Path, seed: int, *, codes: bool
) -> tuple[Operator, ...]:
    """Return operators with what they can learn from the data that they are going to perturb.

    Args:
        operators: the operators.
        data: the data.
        seed: the seed of the edits.
        codes: whether numbers and codes are left unchanged.
    """
    return tuple(
        (operator.keeping_codes() if codes else operator).learning_from(data, seed)
        for operator in operators
    )


def in_language(operators: Iterable[Operator], language: str | None) -> tuple[Operator, ...]:
    """Return operators for a language, if it is given: those with a parameter ``language`` get it.

    >>> from mondegreen.operators import parse_all
    >>> in_language(parse_all("fillers"), "de")[0].languages
    frozenset({'de'})
    """
    if language is None:
        return tuple(operators)
    return tuple(
        replace(operator, language=language)  # type: ignore[type-var]  # operators are dataclasses
        if _takes_language(operator) and language in filler_lists()
        else operator
        for operator in operators
    )


def check_language(
    operators: Sequence[Operator], data: Iterable[Utterance], language: str | None = None
) -> str | None:
    """Return why operators cannot work on data: they do not know its language; ``None`` if all do.

    Args:
        operators: the operators.
        data: the utterances; the first of them show the language, if it is plain.
        language: the language, if the user names it.
    """
    found = language or plain_language(one.text for one in islice(data, LOOKED_AT))
    if found is None or (found == ENGLISH and language is None):
        return None  # an operator for another language was asked for by name
    strangers = [
        operator.name
        for operator in operators
        if operator.languages is not None and found not in operator.languages
    ]
    if not strangers:
        return None
    name = NAMES.get(found, found)
    known = ", ".join(_for_language(found))
    return (
        f"{', '.join(strangers)}: the text is plainly {name}, which "
        f"{'these operators do' if len(strangers) > 1 else 'this operator does'} not know; for "
        f"{name} there are {known}; for text that is English after all, add: --language {ENGLISH}"
    )


def require_language(
    operators: Sequence[Operator], data: Iterable[Utterance], language: str | None
) -> None:
    """Refuse operators that do not know the language of the data.

    Raises:
        OperatorError: if an operator does not know it.
    """
    reason = check_language(operators, data, language)
    if reason is not None:
        raise OperatorError(reason)


def in_known_language(
    data: Iterator[Utterance], operators: Sequence[Operator], language: str | None
) -> Iterator[Utterance]:
    """Return the data; its first utterances must not be in a language that an operator lacks.

    Raises:
        OperatorError: if they are, when the first utterance is asked for.
    """
    if all(operator.languages is None for operator in operators):
        return data
    return _checked(data, operators, language)


def _checked(
    data: Iterator[Utterance], operators: Sequence[Operator], language: str | None
) -> Iterator[Utterance]:
    first = list(islice(data, LOOKED_AT))
    require_language(operators, first, language)
    yield from chain(first, data)


def _for_language(language: str) -> list[str]:
    """Return the built-in operators that work in a language, as the user writes them."""
    names = []
    for name in OPERATORS.own:
        operator = OPERATORS.named(name)
        if _takes_language(operator):
            names += [f'"{name}(language={language})"'] if language in filler_lists() else []
        elif not operator.english:
            names.append(name)
    return names


def _takes_language(operator: Operator | type[Operator]) -> bool:
    """Return whether an operator has a parameter ``language``."""
    return any(field.name == "language" for field in fields(operator))  # type: ignore[arg-type]  # all are dataclasses


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
