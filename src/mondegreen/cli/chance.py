"""How a p value is printed."""

from __future__ import annotations

_LEAST = 0.001


def chance(p: float) -> str:
    """Write a p value to three digits; one that would read as none is below the least.

    >>> chance(0.0314), chance(0.00049)
    ('p 0.031', 'p < 0.001')
    """
    return f"p {p:.3f}" if p >= _LEAST else f"p < {_LEAST:g}"
