"""Format p-values."""

from __future__ import annotations

_LEAST = 0.001


def p_text(p: float) -> str:
    """Return a p-value with three digits; small ones as ``p < 0.001``.

    >>> p_text(0.0314), p_text(0.00049)
    ('p 0.031', 'p < 0.001')
    """
    return f"p {p:.3f}" if p >= _LEAST else f"p < {_LEAST:g}"
