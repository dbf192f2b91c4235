"""Hashes of the code behind a model: what a changed model can be told by."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from mondegreen.data.files.hashing import hash_of

_MOST_FILES = 1_000
_MOST_BYTES = 1 << 28  # of a file that a command names: larger ones are data
_PACKAGES = ("site-packages", "dist-packages")


def hash_of_code(module: str) -> str:
    """Return the hash of a module that is loaded, as a part of a signature.

    It is that of all Python files of its package; of a module of its own, that of its file and of
    the other modules in its folder that it has loaded.
    """
    source = getattr(sys.modules[module], "__file__", None)
    return _hash(_files_of(module, Path(source))) if source else ""


def _files_of(module: str, source: Path) -> list[Path]:
    top, dot, _ = module.partition(".")
    package = getattr(sys.modules.get(top), "__file__", None)
    if (dot or source.name == "__init__.py") and package:
        files = sorted(Path(package).parent.rglob("*.py"))
        return files if len(files) <= _MOST_FILES else [source]
    if source.parent.name in _PACKAGES:
        return [source]
    loaded = (getattr(one, "__file__", None) for one in [*sys.modules.values()])
    beside = {Path(one) for one in loaded if one and Path(one).parent == source.parent}
    return sorted({source, *beside})


def hash_of_program(arguments: Sequence[str]) -> str:
    """Return the hash of the files that a command names, as a part of a signature.

    >>> hash_of_program(["my-model", "--fast"])
    ''
    """
    files = [Path(one) for one in arguments if len(one) < 1024]  # noqa: PLR2004 (no path is longer)
    return _hash(path for path in files if _is_code(path))


def _is_code(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= _MOST_BYTES
    except (OSError, ValueError):
        return False


def _hash(files: Iterable[Path]) -> str:
    """Return one hash of the contents of files; that of a single file is its own."""
    hashes = [hash_of(path) for path in files]
    if not hashes:
        return ""
    joint = hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()
    return f"|sha:{joint[:16]}"
