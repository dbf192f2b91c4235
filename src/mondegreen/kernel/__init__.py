"""The kernel: the functions that must be fast, compiled if possible, in plain Python otherwise.

Every compiled function has a *twin* in this package: the same function in readable Python. Tests
compare the two, and the twin is used where the package was installed without a compiler.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    from mondegreen.kernel.alignment import align, align_nist, align_symbols, distances, resample
    from mondegreen.kernel.counting import align_and_count, take_apart
    from mondegreen.kernel.draws import Draw, gap_weights, key, walk, weighted_walk
    from mondegreen.kernel.hearing import Hearing, Trigram
    from mondegreen.kernel.networks import align_networks
    from mondegreen.kernel.rewriting import block_starts
    from mondegreen.kernel.search import Alike, FirstPlaces, Ids, Nearest
    from mondegreen.kernel.tagging import Tagger
    from mondegreen.kernel.values import Values

_TWINS = {
    "Alike": "search",
    "Draw": "draws",
    "Hearing": "hearing",
    "Ids": "search",
    "Nearest": "search",
    "FirstPlaces": "search",
    "Tagger": "tagging",
    "Trigram": "hearing",
    "Values": "values",
    "align": "alignment",
    "align_and_count": "counting",
    "align_networks": "networks",
    "align_nist": "alignment",
    "align_symbols": "alignment",
    "block_starts": "rewriting",
    "distances": "alignment",
    "gap_weights": "draws",
    "key": "draws",
    "resample": "alignment",
    "take_apart": "counting",
    "walk": "draws",
    "weighted_walk": "draws",
}
"""The module of each function's twin, imported on first use: some of them import numpy."""

CORES = "MONDEGREEN_CORES"
"""The environment variable that says how many cores to use; by default, all."""

__all__ = [
    "CORES",
    "Alike",
    "Draw",
    "FirstPlaces",
    "Hearing",
    "Ids",
    "Nearest",
    "Tagger",
    "Trigram",
    "Values",
    "align",
    "align_and_count",
    "align_networks",
    "align_nist",
    "align_symbols",
    "block_starts",
    "compiled",
    "cores",
    "distances",
    "gap_weights",
    "key",
    "resample",
    "take_apart",
    "walk",
    "weighted_walk",
]


def _load() -> ModuleType | None:
    if os.environ.get("MONDEGREEN_KERNEL") == "python":
        return None
    try:
        from mondegreen.kernel import _kernel
    except ImportError as error:
        warnings.warn(
            f"The compiled kernel could not be loaded ({error}), so plain Python is used, which "
            "is ten to fifty times slower. Install a C++20 compiler, then run: "
            "pip install --force-reinstall mondegreen. To use plain Python without this warning, "
            "set MONDEGREEN_KERNEL=python.",
            RuntimeWarning,
            stacklevel=3,
        )
        return None
    return _kernel


compiled = _load()
"""The compiled kernel; ``None`` if only the twins are available."""


def cores() -> int:
    """Return how many cores this process may use."""
    given = os.environ.get(CORES, "")
    return int(given) if given.isdecimal() and int(given) else os.cpu_count() or 1


def __getattr__(name: str) -> Any:
    """Return a function of the compiled kernel, or its twin if there is no compiled kernel."""
    if name not in _TWINS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    source = compiled if hasattr(compiled, name) else import_module(f"{__name__}.{_TWINS[name]}")
    value = globals()[name] = getattr(source, name)
    return value
