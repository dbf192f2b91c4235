"""Reports: the results of scores and runs as one self-contained HTML page.

The room can be called, as ``mg.report("my.run").write("report.html")``: a function of that name
would be hidden by the room once one of its modules is imported.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mondegreen.report.writing import Report


class _Room(ModuleType):
    """A module that can be called."""

    def __call__(self, *sources: Any, **options: Any) -> Report:
        """Make the report of runs and scores; see :func:`mondegreen.report.writing.report`."""
        from mondegreen.report.writing import report

        return report(*sources, **options)


sys.modules[__name__].__class__ = _Room
