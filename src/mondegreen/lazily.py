"""Public names of a package that are loaded when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``: it imports a name from its home and keeps it.

    A command then loads only what it uses. A name whose home is the module of that name is the
    module itself.

    >>> load = lazily("mondegreen", {"Slot": "mondegreen.types"})
    >>> load("Slot").__module__
    'mondegreen.types'
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(homes[name])
        value = module if homes[name] == f"{package}.{name}" else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    return load
