"""References for ``score fluency``: variants, with the words that were put in marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mondegreen.data.output import whole_file
from mondegreen.language.disfluency import tagged_line, uppercased
from mondegreen.types import Variant


@contextmanager
def open_marks(path: Path | None, *, force: bool) -> Iterator[Callable[[Variant], object]]:
    """Give what writes a variant: with tags into a .tsv, else in UPPERCASE; nothing for no path.

    Raises:
        OutputError: if the file may not be written.
    """
    if path is None:
        yield lambda _: None
        return
    tagged = path.suffix == ".tsv"
    line = tagged_line if tagged else uppercased
    with whole_file(path, force=force) as file:
        if tagged:
            file.write(b"id\twords\ttags\n")
        yield lambda variant: file.write(line(variant).encode() + b"\n")
