"""The language of data: operators that take one, and operators that must know it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice

from mondegreen.errors import OperatorError
from mondegreen.language.detection import ENGLISH, NAMES, plain_language
from mondegreen.language.disfluency.fillers import filler_lists
from mondegreen.operators import OPERATORS, Operator
from mondegreen.operators.chain import Chain

UNKNOWN = "und"
"""The code of a language that is not plain."""
LOOKED_AT = 200
"""How many utterances are looked at to find out the language of data."""


def in_language(operators: Iterable[Operator], language: str | None) -> tuple[Operator, ...]:
    """Return operators for a language, if it is given: those with a parameter ``language`` get it.

    >>> from mondegreen.operators import parse_all
    >>> in_language(parse_all("fillers"), "de")[0].languages
    frozenset({'de'})
    """
    if language is None or language not in filler_lists():
        return tuple(operators)
    return tuple(_in_language(operator, language) for operator in operators)


def _in_language(operator: Operator, language: str) -> Operator:
    if len(operator.links) > 1:
        return Chain(tuple(_in_language(link, language) for link in operator.links))
    if not _takes_language(operator):
        return operator
    return replace(operator, language=language)  # type: ignore[type-var]  # operators are dataclasses


def require_language(
    operators: Sequence[Operator], texts: Iterable[str], language: str = ""
) -> str:
    """Refuse operators that do not know the language of the data; return its code.

    Args:
        operators: the operators.
        texts: the texts; the first of them show the language, if it is plain.
        language: the code of the language, if the user names it.

    Raises:
        OperatorError: if an operator does not know it.
    """
    if all(operator.languages is None for operator in operators):
        return language or UNKNOWN
    found = language or plain_language(islice(texts, LOOKED_AT)) or UNKNOWN
    if found in (UNKNOWN, "" if language else ENGLISH):
        return found  # an operator for another language was asked for by name
    strangers = [
        operator.name
        for operator in operators
        if operator.languages is not None and found not in operator.languages
    ]
    if not strangers:
        return found
    name = NAMES.get(found, found)
    known = ", ".join(_for_language(found))
    raise OperatorError(
        f"{', '.join(strangers)}: the text is plainly {name}, which "
        f"{'these operators do' if len(strangers) > 1 else 'this operator does'} not know; for "
        f"{name} there are {known}; for text that is English after all, add: --language {ENGLISH}"
    )


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
