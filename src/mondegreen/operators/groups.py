"""Groups of operators that go by one name."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

from mondegreen.errors import MissingExtraError
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
    "augment": ("keyboard", "spelling", "synonym.naive", "antonym", "tfidf", "contextual"),
}
"""``nature``: the ten of the NATURE paper, in the order of its tables; ``augment``: those of its
section 4.4."""
_EXTRAS = {"contextual": ("mlm", ("onnxruntime", "tokenizers"))}
"""Members that need an extra: its name, and the packages that it installs."""


def parse_all(operators: str | Operator | Iterable[str | Operator]) -> list[Operator]:
    """Read operators from names, signatures and names of groups; operators are kept as they are.

    >>> [operator.name for operator in parse_all(["fillers", "typo"])]
    ['fillers', 'typo']

    Raises:
        OperatorError: if an operator is unknown, or if its parameters are wrong.
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
    """Return the operators of a group, except those whose packages are missing, with a note."""
    if name not in GROUPS:
        return (name,)
    kept = []
    for member in GROUPS[name]:
        extra, packages = _EXTRAS.get(member, ("", ()))
        if all(map(_installed, packages)):
            kept.append(member)
        else:
            missing = MissingExtraError.of(extra, f"{name}: {member} is left out. Its models")
            warnings.warn(str(missing), stacklevel=3)
    return kept


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):  # from an import hook, or a module without a spec
        return False


def group_of(operators: Sequence[Operator]) -> str | None:
    """Return the name of the group that operators are, in its order; ``None`` if they are no group.

    >>> group_of(parse_all("typo")) is None
    True
    """
    given = tuple(map(signature, operators))
    return next((name for name, members in GROUPS.items() if members == given), None)
