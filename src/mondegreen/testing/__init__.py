"""Tests for plugins: the laws that every operator, format and metric must keep.

One line of pytest runs them all::

    from mondegreen.testing import operator_laws
    from my_package.shout import Shout

    TestShout = operator_laws(Shout())

Needs pytest and hypothesis: ``pip install 'mondegreen[testing]'``.
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    "mondegreen.testing.formats", "mondegreen.testing.metrics", "mondegreen.testing.operators"
)

from mondegreen.testing.formats import format_laws  # noqa: E402 (after the line above)
from mondegreen.testing.metrics import metric_laws  # noqa: E402
from mondegreen.testing.operators import operator_laws  # noqa: E402

__all__ = ["format_laws", "metric_laws", "operator_laws"]
