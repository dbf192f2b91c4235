"""Keys and passwords never reach a transcript: they are masked in whatever an agent says."""

from __future__ import annotations

import os
import re
from typing import Any

from mondegreen.text.patterns import lazy_pattern

_NAMES = lazy_pattern(r"key|token|secret|passw|credential", re.IGNORECASE)
_SHAPES = lazy_pattern(
    r"\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{8,}|(?i:bearer )[A-Za-z0-9._~+/-]{8,}=*|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
_SHORTEST = 8
MASK = "***"


def without_secrets(value: Any) -> Any:
    """Return a value with the secrets of the environment, and what looks like a key, masked.

    >>> without_secrets({"error": "bad key sk-abcdefgh1234"})
    {'error': 'bad key ***'}
    """
    if isinstance(value, str):
        for secret in _known():
            value = value.replace(secret, MASK)
        return _SHAPES.sub(MASK, value)
    if isinstance(value, dict):
        return {key: without_secrets(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(one) for one in value]
    return value


def _known() -> list[str]:
    """Return the values of environment variables whose names say that they are secret."""
    found = [v for k, v in os.environ.items() if _NAMES.search(k) and len(v) >= _SHORTEST]
    return sorted(found, key=len, reverse=True)
