"""The hash of a file's content, or of all files of a folder."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable
from pathlib import Path

from mondegreen.errors import DataError


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of a folder's files with their names.

    Raises:
        DataError: if there is no such file or folder.
    """
    total = hashlib.sha256()
    for part in _files(path):
        with part.open("rb") as file:
            found = hashlib.file_digest(file, "sha256")
        if part == path:
            return found.hexdigest()
        name = part.relative_to(path) if path.is_dir() else part.name
        total.update(f"{name}\0{found.hexdigest()}\n".encode())
    return total.hexdigest()


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return sorted(part for part in path.rglob("*") if part.is_file())
    if glob.has_magic(str(path)) and not path.exists():
        return sorted(Path(name) for name in glob.glob(str(path), recursive=True))  # noqa: PTH207
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder")
    if path.is_char_device() or path.is_block_device():
        raise DataError(f"{path}: is neither a file nor a folder but a device; name a file")
    return (path,)
