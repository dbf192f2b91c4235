"""Which operators work in which language, how well, and how that was measured."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import NamedTuple

from mondegreen.errors import OperatorError
from mondegreen.language.languages import (
    ENGLISH,
    FOLDER,
    KEYS,
    Language,
    Offer,
    language,
    language_codes,
)
from mondegreen.resources import read_resource

IN_ANY = {
    "fillers": Offer("own list of filled pauses", "sources of the list; not read blind"),
    "repeats": Offer("own pauses, English profile", "not measured"),
    "partials": Offer("own pauses, English profile", "not measured"),
    "typo": Offer("any letter, also far keys: no slip of people", "not measured"),
    "keyboard": Offer("by layout", "not measured"),
    "tfidf": Offer("learns the words from the data", "not measured"),
}
"""What is offered in a language whose folder says nothing else."""
_IN_ENGLISH = Offer("made for it", "docs/results")
CONVERSIONS = frozenset(("spoken",))
"""Operators that perturb nothing: they write in another way what is said in the same way."""
WHERE = "where there is a value"
"""Where a conversion is offered: it leaves an utterance unchanged that is written as it is said."""
STRESS_TESTS = frozenset(("typo",))
"""Operators that make, by their definition, what people do not make."""
UNNATURAL = "any letter, not natural"
"""How a stress test is offered. Input methods are the exception: there, real words are confused."""


class OfferCell(NamedTuple):
    """One cell of the table: whether an operator is offered, how well or why not, how measured.

    ``offered`` is ``True``, ``False``, ``"where there is a value"`` of a conversion, which
    changes only utterances that are written otherwise than they are said, or ``"any letter, not
    natural"`` of ``typo``, which nobody should take for what people type.
    """

    operator: str
    language: str
    offered: bool | str
    well: str
    measured: str


@cache
def _reasons() -> dict[str, str]:
    return tomllib.loads(read_resource(f"{FOLDER}/refused.toml").decode())


def offer(operator: str, code: str) -> Offer | None:
    """Return how well an operator works in a language; ``None`` if it is not offered.

    >>> offer("fillers.preverb", "de"), offer("fillers", "sv").well
    (None, 'own list of filled pauses')
    """
    if code == ENGLISH:
        return _IN_ENGLISH
    if code not in language_codes():
        return IN_ANY.get(operator) if operator in ("typo", "keyboard", "tfidf") else None
    known = language(code)
    if operator in known.refused:
        return None
    return known.offers.get(operator) or IN_ANY.get(operator)


def refusal(operator: str, code: str) -> str:
    """Return why an operator is not offered in a language, in the words of the table.

    >>> refusal("spelling", "de")
    'no misspellings of German are listed'
    """
    if code not in language_codes():
        return f"the language {code!r} has no folder"
    known = language(code)
    words = known.refused.get(operator) or _reasons().get(operator, "made for English")
    return words.replace("{}", known.name)


def require_offer(operator: str, code: str) -> Language:
    """Return a language, for an operator that is offered in it.

    Raises:
        OperatorError: if it is not offered, in the words of the table.
    """
    if offer(operator, code) is None:
        raise OperatorError(
            f"{operator}: not offered in {code!r}: {refusal(operator, code)}; see: mondegreen "
            "languages"
        )
    return language(code)


def entry(operator: str, code: str) -> OfferCell:
    """Return one cell of the table."""
    found = offer(operator, code)
    if found is None:
        return OfferCell(operator, code, offered=False, well=refusal(operator, code), measured="")
    offered: bool | str = WHERE if operator in CONVERSIONS else True
    if operator in STRESS_TESTS and language(code).input == KEYS:
        offered = UNNATURAL
    return OfferCell(operator, code, offered=offered, well=found.well, measured=found.measured)
