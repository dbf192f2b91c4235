"""Write a reference for ``score fluency``: variants with their inserted words marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mondegreen.data.output import whole_file
from mondegreen.language.disfluency import tagged_line, uppercased
from mondegreen.types import Variant


@contextmanager
def open_fluency_reference(
    path: Path | None, *, force: bool
) -> Iterator[Callable[[Variant], object] | None]:
    """Yield a function that writes a variant: with tags to a .tsv file, else in UPPERCASE.

    Without a path, yield ``None``.

    Raises:
        OutputError: if the file cannot be written.
    """
    if path is None:
        yield None
        return
    tagged = path.suffix == ".tsv"
    line = tagged_line if tagged else uppercased
    with whole_file(path, force=force) as file:
        if tagged:
            file.write(b"id\twords\ttags\n")
        yield lambda variant: file.write(line(variant).encode() + b"\n")
