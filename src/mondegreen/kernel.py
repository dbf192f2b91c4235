"""The kernel's face: compiled where it could be built, the readable twin elsewhere."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

from mondegreen import twin

if TYPE_CHECKING:
    from types import ModuleType


def _load() -> ModuleType | None:
    if os.environ.get("MONDEGREEN_KERNEL") == "python":
        return None
    try:
        from mondegreen import _kernel
    except ImportError as error:
        warnings.warn(
            f"the compiled kernel could not be loaded ({error}); the Python twin stands in for "
            "it, many times slower. Install a C++20 compiler, then run: "
            "pip install --force-reinstall mondegreen. To keep the twin without this warning, "
            "set MONDEGREEN_KERNEL=python.",
            RuntimeWarning,
            stacklevel=3,
        )
        return None
    return _kernel


compiled = _load()
"""The compiled kernel, or ``None``."""

if TYPE_CHECKING:
    from mondegreen.twin import Alike, Draw, Ids, Nearest, key, walk
else:
    _source = compiled or twin
    Alike, Draw = _source.Alike, _source.Draw
    Ids, Nearest = _source.Ids, _source.Nearest
    key, walk = _source.key, _source.walk

__all__ = ["Alike", "Draw", "Ids", "Nearest", "compiled", "key", "walk"]
