"""Data files that are part of the package."""

from __future__ import annotations

import gzip
from importlib.resources import files


def read_resource(name: str) -> bytes:
    """Return the content of a data file; files that end in ``.gz`` or ``.xz`` are decompressed."""
    content = files(__name__).joinpath(name).read_bytes()
    if name.endswith(".xz"):
        import lzma

        return lzma.decompress(content)
    return gzip.decompress(content) if name.endswith(".gz") else content
