"""Groups: several operators under one name."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import fields
from importlib.util import find_spec

from mondegreen.errors import MissingExtraError, OperatorError, unknown
from mondegreen.operators.protocol import Operator
from mondegreen.operators.registry import parse, parse_call, replaced, signature
from mondegreen.text.patterns import lazy_pattern

GROUPS: dict[str, tuple[str, ...]] = {
    "nature": (
        "fillers.bos",
        "fillers.preverb",
        "fillers.postverb",
        "fillers.eos",
        "synonyms.verb",
        "synonyms.adjective",
        "synonyms.adverb",
        "synonyms.any",
        "synonyms.stopword",
        "speako",
    ),
    "nature.paper": (
        "fillers.bos(choice='uniform')",
        "fillers.preverb(choice='uniform')",
        "fillers.postverb(choice='uniform')",
        "fillers.eos(choice='uniform')",
        "synonyms.verb(source='mlm', names='change')",
        "synonyms.adjective(source='mlm', names='change')",
        "synonyms.adverb(source='mlm', names='change')",
        "synonyms.any(source='mlm', names='change')",
        "synonyms.stopword(source='mlm', names='change')",
        "speako(distance='phonemes', among='common')",
    ),
    "faithful": ("keyboard", "spelling", "fillers", "disfluencies", "synonyms.any"),
    "voice": ("spoken", "disfluencies", "repairs(slots=True)", "mondegreen"),
    "augment": ("keyboard", "spelling", "synonym.naive", "antonym", "tfidf", "contextual"),
}
"""``nature`` has the ten operators of the NATURE paper, in the order of its tables, in our milder
and more natural form, ``nature.paper`` the same ten as the paper describes them, ``augment`` those
of its section 4.4; the operators of ``faithful`` keep slots and meaning; ``voice`` has the
ways in which a spoken request differs from a typed one: how it is written down, disfluencies,
corrected values, misheard words."""
_VERSION = lazy_pattern(r"@\d+")
_EXTRAS = {"contextual": ("mlm", ("onnxruntime", "tokenizers"))}
"""Operators that need an extra, each with the extra and the packages that it installs."""


def parse_all(operators: str | Operator | Iterable[str | Operator]) -> list[Operator]:
    """Return operators from names, signatures, groups or operators, as the user names them.

    >>> [operator.name for operator in parse_all(["fillers", "typo"])]
    ['fillers', 'typo']

    Raises:
        OperatorError: if an operator is unknown, or if its parameters are wrong.
    """
    items = [operators] if isinstance(operators, str | Operator) else operators
    found: list[Operator] = []
    for item in items:
        if isinstance(item, Operator):
            found.append(item)
        else:
            found += _parsed(item.strip())
    return found


def _parsed(text: str) -> list[Operator]:
    """Return an operator, or those of a group.

    The parameters of a group go to those of its operators that have them:
    ``nature.paper(model='bert-base')``.
    """
    name, bracket, _ = text.partition("(")
    if name.strip() not in GROUPS:
        return [parse(text, trust=True)]
    operators = [parse(member) for member in _members(name.strip())]
    given = parse_call(text)[1] if bracket else {}
    for parameter, value in given.items():
        owners = [op for op in operators if parameter in _parameters(op)]
        if not owners:
            known = {each for op in operators for each in _parameters(op)}
            raise OperatorError(f"{name}: {unknown('parameter', parameter, known)}")
        operators = [replaced(op, parameter, value) if op in owners else op for op in operators]
    return operators


def _parameters(operator: Operator) -> list[str]:
    return [field.name for field in fields(operator)]  # type: ignore[arg-type]  # a dataclass


def _members(name: str) -> Sequence[str]:
    """Return the operators of a group; warn and leave out those whose packages are missing."""
    installed = []
    for member in GROUPS[name]:
        extra, packages = _EXTRAS.get(member, ("", ()))
        if all(map(_installed, packages)):
            installed.append(member)
        else:
            missing = MissingExtraError.of(extra, f"{name}: {member} is left out. Its models")
            warnings.warn(str(missing), stacklevel=3)
    return installed


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # from an import hook, or a module without a spec
        return False


def group_of(operators: Sequence[Operator]) -> str | None:
    """Return the group with exactly these operators in this order; ``None`` if no group has them.

    >>> group_of(parse_all("typo")) is None
    True
    """
    signatures = tuple(_VERSION.sub("", signature(operator)) for operator in operators)
    return next((name for name, members in GROUPS.items() if members == signatures), None)
