"""Formats that keep all utterances in one JSON document, as annotation tools do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import Meter, open_source
from mondegreen.data.files.output import whole_file
from mondegreen.data.formats.format import Format, Item, Sink, Target, utterance_in
from mondegreen.data.formats.offsets import Span, spans_of, utterance_of_spans
from mondegreen.errors import DataError, MondegreenError, OutputError
from mondegreen.types import Utterance

Parse = Callable[[Any, Path], Iterator[Utterance]]
"""Yields the utterances of a document."""
Render = Callable[[Sequence[Utterance]], Any]
"""Returns the document of utterances."""
Write = Callable[[Sequence[Utterance], Path], bytes]
"""Returns the content of a file."""


def document_format(
    name: str,
    holds: str,
    parse: Parse,
    render: Render,
    recognises: Callable[[Any], bool],
    **traits: Any,
) -> Format:
    """Make a format of one JSON document; ``traits`` are further fields of the format."""
    traits = {"has_ids": False, **traits}

    def read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
        found = examples(parse, read_json(path, meter), path)
        return _unique(found, path) if traits["has_ids"] else found

    def write(utterances: Sequence[Utterance], _: Path) -> bytes:
        return json_bytes(render(utterances))

    return Format(name, holds, (), read, document_writer(write), recognises=recognises, **traits)


def _unique(utterances: Iterator[Utterance], path: Path) -> Iterator[Utterance]:
    ids: set[str] = set()
    for number, utterance in enumerate(utterances, start=1):
        if utterance.id in ids:
            raise DataError(f"{path}, example {number}: the id {utterance.id!r} occurs twice")
        ids.add(utterance.id)
        yield utterance


def examples(parse: Parse, document: Any, path: Path) -> Iterator[Utterance]:
    """Yield the utterances of a document.

    Raises:
        DataError: naming the example that is not an utterance.
    """
    found = parse(document, path)
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
        content = file.read()
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


def document_writer(write: Write) -> Callable[[Target], AbstractContextManager[Sink]]:
    """Make the function that opens a file, which is written when all utterances are there."""

    @contextmanager
    def open_(target: Target) -> Iterator[Sink]:
        with whole_file(target.path, force=target.force) as file:
            utterances: list[Utterance] = []

            def sink(item: Item) -> None:
                utterances.append(utterance_in(item))

            yield sink
            file.write(write(utterances, target.path))

    return open_


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
