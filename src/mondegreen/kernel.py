"""The kernel's face: compiled where it could be built, the readable twin elsewhere."""

from __future__ import annotations

import os
import warnings
from types import ModuleType

from mondegreen import twin


def _load() -> ModuleType | None:
    if os.environ.get("MONDEGREEN_KERNEL") == "python":
        return None
    try:
        from mondegreen import _kernel  # noqa: PLC0415 (may be absent)
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

_source = compiled or twin

Draw: type[twin.Draw] = _source.Draw
Ids: type[twin.Ids] = _source.Ids
Nearest: type[twin.Nearest] = _source.Nearest
key = _source.key
walk = _source.walk
