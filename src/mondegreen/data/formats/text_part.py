"""Parts of text files, which the kernel can rewrite without reading them as utterances."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from mondegreen.data.formats.format import Item, Target, TextsOf
from mondegreen.data.layout import ReadOptions
from mondegreen.data.pairs.parts import Lines
from mondegreen.types import Utterance


class TextPart(Collection[Utterance]):
    """Consecutive utterances of text files side by side, which are read only if necessary.

    Args:
        path: the file or folder.
        before: how many utterances are before these.
        n: how many there are.
        files: the lines of each file.
        reading: how to read them.
    """

    has_ids: ClassVar[bool] = True

    def __init__(
        self, path: Path, before: int, n: int, files: Sequence[Lines], reading: ReadOptions
    ) -> None:
        self.path, self.before, self.n = path, before, n
        self.files, self.reading = tuple(files), reading

    def __len__(self) -> int:
        return self.n

    def __contains__(self, item: object) -> bool:
        return any(one == item for one in self)

    def __iter__(self) -> Iterator[Utterance]:
        raise NotImplementedError

    def at(self, place: int) -> Utterance:
        """Return one of the utterances."""
        raise NotImplementedError

    def rewritten(self, rewriter: Any, texts: Sequence[bytes], *how: Any) -> Any:
        """Return what the kernel makes of the texts.

        Args:
            rewriter: the kernel's rewriter of rows.
            texts: the text of each file.
            how: what to edit, and how to write it.
        """
        raise NotImplementedError

    @property
    def texts(self) -> list[bytes] | None:
        """The texts as the kernel reads them; ``None`` if they are for Python to read."""
        if self.reading.scheme:
            return None
        found = [lines.checked_or_none for lines in self.files]
        texts = [raw for raw in found if raw is not None and not _is_odd(raw)]
        return texts if len(texts) == len(found) else None


def _is_odd(raw: bytes) -> bool:
    """Return whether lines have other line breaks, NUL bytes, or a byte order mark."""
    return b"\r" in raw or b"\0" in raw or raw.startswith(BOM_UTF8)


class TextSink:
    """Writes items to files side by side, or texts that are made already."""

    def __init__(self, files: Sequence[IO[bytes]], texts_of: TextsOf, target: Target) -> None:
        self._files, self._texts_of, self._target = files, texts_of, target

    def __call__(self, item: Item) -> None:
        """Write an utterance or a variant."""
        self.write(self._texts_of(item, self._target))

    def write(self, texts: Sequence[bytes]) -> None:
        """Write the text of each file."""
        for file, text in zip(self._files, texts, strict=True):
            file.write(text)
