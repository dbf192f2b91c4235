"""The language of data: operators that take one, and operators that must know it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice

from mondegreen.errors import OperatorError
from mondegreen.language.detection import ENGLISH, NAMES, plain_language
from mondegreen.language.languages import language_codes
from mondegreen.language.offers import OfferCell, entry, offer, refusal
from mondegreen.operators import OPERATORS, Operator
from mondegreen.operators.chain import Chain

UNKNOWN = "und"
"""The code of a language that is not plain."""
LOOKED_AT = 200
"""How many utterances are looked at to find out the language of data."""


def languages(*codes: str) -> list[OfferCell]:
    """Return which operators work in which languages, how well, and how that was measured.

    >>> next(one.well for one in languages("de") if one.operator == "spelling")
    'no misspellings of German are listed'

    Args:
        codes: the codes of languages; by default, all that have a folder.

    Raises:
        OperatorError: if a language has no folder.
    """
    for code in codes:
        if code not in language_codes():
            known = ", ".join(language_codes())
            raise OperatorError(f"there is no language {code!r}; there are {known}")
    return [entry(name, code) for code in codes or language_codes() for name in OPERATORS.own]


def in_language(operators: Iterable[Operator], language: str | None) -> tuple[Operator, ...]:
    """Return operators for a language, if it is given: those with a parameter ``language`` get it.

    >>> from mondegreen.operators import parse_all
    >>> in_language(parse_all("fillers"), "de")[0].languages
    frozenset({'de'})
    """
    if language is None or language not in language_codes():
        return tuple(operators)
    return tuple(_in_language(operator, language) for operator in operators)


def _in_language(operator: Operator, language: str) -> Operator:
    if len(operator.links) > 1:
        return Chain(tuple(_in_language(link, language) for link in operator.links))
    if not _takes_language(operator) or _is_refused(operator, language):
        return operator
    return replace(operator, language=language)  # type: ignore[type-var]  # operators are dataclasses


def _is_refused(operator: Operator, language: str) -> bool:
    """Return whether a built-in operator is not offered; with own resources it may still be."""
    known = operator.name in OPERATORS.own and operator.languages is not None
    return known and offer(operator.name, language) is None


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
        link
        for operator in operators
        for link in operator.links
        if link.languages is not None and found not in link.languages
    ]
    if not strangers:
        return found
    name = NAMES.get(found, found)
    reasons = "; ".join(dict.fromkeys(_reason(operator, found) for operator in strangers))
    raise OperatorError(
        f"{reasons}; the text is plainly {name}; for {name} there are "
        f"{', '.join(_for_language(found))}; for text that is English after all, add: --language "
        f"{ENGLISH}; for the table of all languages: mondegreen languages"
    )


def _reason(operator: Operator, language: str) -> str:
    """Return why an operator is refused, in the words of the table."""
    if operator.name not in OPERATORS.own or offer(operator.name, language) is None:
        return f"{operator.name}: {refusal(operator.name, language)}"
    return f"{operator.name}: set for {', '.join(sorted(operator.languages or ()))}"


def _for_language(language: str) -> list[str]:
    """Return the built-in operators that work in a language, as the user writes them."""
    names = []
    for name in OPERATORS.own:
        if offer(name, language) is not None:
            takes = language in language_codes() and _takes_language(OPERATORS.named(name))
            names.append(f'"{name}(language={language})"' if takes else name)
    return names


def _takes_language(operator: Operator | type[Operator]) -> bool:
    """Return whether an operator has a parameter ``language``."""
    return any(field.name == "language" for field in fields(operator))  # type: ignore[arg-type]  # all are dataclasses
