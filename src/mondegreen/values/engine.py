"""Engines: what compares texts of a language, in the kernel if there is one."""

from __future__ import annotations

from functools import cache, partial

from mondegreen.kernel import Values
from mondegreen.values.characters import described
from mondegreen.values.compiled import compiled
from mondegreen.values.grammar import grammar
from mondegreen.values.tokens import folded, plain
from mondegreen.values.twin import apart, stretches


@cache
def engine(language: str) -> Values:
    """Return what compares texts of a language.

    Raises:
        DataError: if there are no tables of this language.
    """
    rules = grammar(language)
    return Values(
        partial(compiled, rules),
        partial(described, accents=rules.accents),
        plain,
        partial(folded, accents=rules.accents),
        partial(apart, language=language),
        partial(stretches, language=language),
    )
