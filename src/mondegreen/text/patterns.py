"""Regular expressions that are compiled when they are first used: commands start quickly."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = (
    "match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn",
    "pattern", "flags", "groupindex",
)  # fmt: skip


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    r"""Return a regular expression; it is compiled when it is first used.

    >>> lazy_pattern(r"\d+").findall("7 to 12")
    ['7', '12']
    """
    return cast("re.Pattern[str]", _Pattern(source, flags))


class _Pattern:
    """Becomes a compiled expression: its methods are those of one after the first use."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return lazy_pattern, self._source
