"""Formats that keep all utterances in one JSON document, as annotation tools do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.compression import MOST_WHOLE, is_compressed
from mondegreen.data.files.lines import Meter, open_source
from mondegreen.data.files.output import whole_file
from mondegreen.data.formats.format import Format, Row, Sink, Target, utterance_in
from mondegreen.data.formats.offsets import Span, spans_of, utterance_of_spans
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.types import Utterance


class DocumentFormat(Format):
    """A format of one JSON document: defines what its examples are, and the document of them."""

    has_ids = False
    unit = "example"

    def examples(self, document: Any, path: Path) -> Iterator[Utterance]:
        """Yield the utterances of a document."""
        raise NotImplementedError(f"the format {self.name} does not define examples")

    def document(self, utterances: Sequence[Utterance]) -> Any:
        """Return the document of utterances."""
        raise NotImplementedError(f"the format {self.name} does not define document")

    def loaded(self, path: Path, meter: Meter | None) -> Iterator[Utterance]:
        """Yield the utterances of a file."""
        return self.examples(read_json(path, meter), path)

    def written(self, utterances: Sequence[Utterance], path: Path) -> bytes:  # noqa: ARG002
        """Return the content of a file."""
        return json_bytes(self.document(utterances))

    def rows(self, path: Path, meter: Meter | None) -> Iterator[Row]:
        """Yield the utterances of a document, and say which example is not one."""
        return enumerate(_examples(self.loaded(path, meter), path), start=1)

    @contextmanager
    def open(self, target: Target) -> Iterator[Sink]:
        """Open a file, which is written when all utterances are there."""
        with whole_file(target.path, force=target.force) as file:
            utterances: list[Utterance] = []
            yield lambda item: utterances.append(utterance_in(item))
            file.write(self.written(utterances, target.path))


def _examples(found: Iterator[Utterance], path: Path) -> Iterator[Utterance]:
    number = 0
    while True:
        number += 1
        try:
            yield next(found)
        except StopIteration:
            break
        except MondegreenError as error:
            raise DataError(f"{path}, example {number}: {error}") from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            reason = f"it is not of the expected form ({type(error).__name__}: {error})"
            raise DataError(f"{path}, example {number}: {reason}") from None
    if number == 1:
        raise DataError(f"{path}: the document has no utterances")


def read_bytes(path: Path, meter: Meter | None = None) -> bytes:
    """Read a whole file.

    Raises:
        DataError: if it cannot be read, or is empty.
    """
    with open_source(path) as file:
        content = file.read(MOST_WHOLE + 1) if is_compressed(path) else file.read()
    if len(content) > MOST_WHOLE and is_compressed(path):
        raise DataError(
            f"{path}: grows to more than {MOST_WHOLE >> 20:,} MiB when decompressed, which a "
            "document that is read whole must not; decompress it first"
        )
    if meter is not None:
        meter(len(content))
    if not content.strip():
        raise DataError(f"{path}: the file is empty; there is nothing to read")
    return content


def read_json(path: Path, meter: Meter | None = None) -> Any:
    """Read a JSON document.

    Raises:
        DataError: if it is not JSON.
    """
    try:
        return msgspec.json.decode(read_bytes(path, meter).removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not a JSON document: {error}") from None


def json_bytes(document: Any) -> bytes:
    """Return a document as JSON that people can read.

    Raises:
        OutputError: if a text holds half a character.
    """
    try:
        return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
    except UnicodeEncodeError:
        raise OutputError(
            "an utterance holds a lone surrogate, half of a character, which no UTF-8 file can keep"
        ) from None


def pieces_of(utterance: Utterance) -> Iterator[tuple[str, Span | None]]:
    """Yield the text in pieces, each with its slot or ``None``.

    >>> from mondegreen.types import Slot
    >>> list(pieces_of(Utterance.of("1", "play jazz now", [Slot("genre", 1, 2)])))
    [('play ', None), ('jazz', Span(start=5, end=9, label='genre', value=None)), (' now', None)]
    """
    text, at = utterance.text, 0
    for span in spans_of(utterance):
        if span.start > at:
            yield text[at : span.start], None
        yield text[span.start : span.end], span
        at = span.end
    if at < len(text):
        yield text[at:], None


def joined(id: str, pieces: Sequence[tuple[str, str | None]], label: str | None) -> Utterance:
    """Make an utterance of pieces of text, each with the label of its slot or ``None``."""
    text, spans = "", []
    for piece, slot in pieces:
        if slot:
            spans.append(Span(len(text), len(text) + len(piece), slot))
        text += piece
    return utterance_of_spans(id, text, spans, label)


def by_label(utterances: Sequence[Utterance]) -> dict[str, list[Utterance]]:
    """Return utterances by their labels, which all of them must have.

    Raises:
        OutputError: naming the utterance that has no label.
    """
    found: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        if utterance.label is None:
            raise OutputError(
                f"utterance {utterance.id!r} has no label, which this format needs as the name of "
                "its intent; write .jsonl"
            )
        found.setdefault(utterance.label, []).append(utterance)
    return found
