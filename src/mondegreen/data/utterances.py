"""The utterances of a file, which still know the file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mondegreen.data.formats.format import Format
from mondegreen.data.layout import ReadOptions
from mondegreen.types import Utterance


class FileUtterances(Iterator[Utterance]):
    """Yields the utterances of a file; who writes variants of them can name the file.

    Args:
        path: the file.
        found: the utterances.
        format: the format of the file.
        named: the format that the user has named.
        reading: the columns that the user has named.
    """

    def __init__(
        self,
        path: Path,
        found: Iterator[Utterance],
        format: Format,
        named: str | None,
        reading: ReadOptions,
    ) -> None:
        self.path, self.format, self.named, self.reading = path, format, named, reading
        self._found = found
        self.is_begun = False
        """Whether some utterances may have been taken already."""

    def __iter__(self) -> Iterator[Utterance]:  # noqa: PYI034 (a call less per utterance)
        self.is_begun = True
        return self._found

    def __next__(self) -> Utterance:
        self.is_begun = True
        return next(self._found)
