"""The kernel's face: compiled where it could be built, the readable twin elsewhere."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mondegreen.twin import Draw, Ids, Nearest, key, walk

    COMPILED: bool
elif os.environ.get("MONDEGREEN_KERNEL") == "python":
    from mondegreen.twin import Draw, Ids, Nearest, key, walk

    COMPILED = False
else:
    try:
        from mondegreen._kernel import Draw, Ids, Nearest, key, walk

        COMPILED = True
    except ImportError as error:
        from mondegreen.twin import Draw, Ids, Nearest, key, walk

        COMPILED = False
        warnings.warn(
            f"the compiled kernel could not be loaded ({error}); the Python twin stands in for "
            "it, many times slower. Install a C++20 compiler, then run: "
            "pip install --force-reinstall mondegreen. To keep the twin without this warning, "
            "set MONDEGREEN_KERNEL=python.",
            RuntimeWarning,
            stacklevel=2,
        )

__all__ = ["COMPILED", "Draw", "Ids", "Nearest", "key", "walk"]
