"""Operators that go by one name together."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from mondegreen.errors import MissingExtraError
from mondegreen.operators.contextual import EXTRA, Contextual
from mondegreen.operators.protocol import Operator
from mondegreen.operators.registry import parse, signature

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
    "augment": ("keyboard", "spelling", "synonym.naive", "antonym", "tfidf", Contextual.name),
}
"""``nature``: the ten of NATURE, in the order of its tables; ``augment``: those of its 4.4."""


def parse_all(operators: str | Operator | Iterable[str | Operator]) -> list[Operator]:
    """Read operators from names, signatures and names of groups; operators pass as they are.

    >>> [operator.name for operator in parse_all(["fillers", "typo"])]
    ['fillers', 'typo']

    Raises:
        OperatorError: if one is unknown, or if its parameters do not fit.
    """
    named = [operators] if isinstance(operators, str | Operator) else operators
    found: list[Operator] = []
    for item in named:
        if isinstance(item, Operator):
            found.append(item)
        else:
            found += map(parse, _members(item.strip()))
    return found


def _members(name: str) -> Sequence[str]:
    """The operators of a group, less one whose packages are not installed, which is said."""
    if name not in GROUPS:
        return (name,)
    members = GROUPS[name]
    if Contextual.name not in members or Contextual.installed():
        return members
    missing = MissingExtraError.of(EXTRA, f"{name}: {Contextual.name} is left out. Its models")
    warnings.warn(str(missing), stacklevel=3)
    return [member for member in members if member != Contextual.name]


def group_of(operators: Sequence[Operator]) -> str | None:
    """Return the group that operators are, as they come and in its order; ``None`` if they are not.

    >>> group_of(parse_all("typo")) is None
    True
    """
    said = tuple(map(signature, operators))
    return next((name for name, members in GROUPS.items() if members == said), None)
