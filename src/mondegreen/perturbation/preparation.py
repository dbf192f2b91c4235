"""What is done before a file is perturbed: operators learn from it, and must know its language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path

from mondegreen.errors import OperatorError
from mondegreen.language.detection import ENGLISH, NAMES, plain_language
from mondegreen.language.fillers import filler_lists
from mondegreen.operators import OPERATORS, Operator
from mondegreen.types import Utterance

_LOOKED_AT = 200  # utterances, to find out the language of a file


def learning_from(operators: Iterable[Operator], data: Path) -> tuple[Operator, ...]:
    """Return operators with what they can learn from the data that they are going to perturb."""
    return tuple(operator.learning_from(data) for operator in operators)


def in_language(operators: Iterable[Operator], language: str) -> tuple[Operator, ...]:
    """Return operators for a language: those with a parameter ``language`` get it.

    >>> from mondegreen.operators import parse_all
    >>> in_language(parse_all("fillers"), "de")[0].languages
    frozenset({'de'})
    """
    return tuple(
        replace(operator, language=language)  # type: ignore[type-var]  # operators are dataclasses
        if any(field.name == "language" for field in fields(operator))  # type: ignore[arg-type]
        and language in filler_lists()
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
    found = language or plain_language(one.text for one in islice(data, _LOOKED_AT))
    if found is None:
        return None
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


def _for_language(language: str) -> list[str]:
    """Return the built-in operators that work in a language."""
    names = [f'"fillers(language={language})"'] if language in filler_lists() else []
    for name in OPERATORS.own:
        operator = OPERATORS.named(name)
        if not operator.english and name != "fillers":
            names.append(name)
    return names
