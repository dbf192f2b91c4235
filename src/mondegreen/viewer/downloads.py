"""Downloads: rows as CSV and JSON, in pieces."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mondegreen.report.source import Rows

_CHUNK = 1000  # rows per piece


class Download(StreamingResponse):
    """Rows as they are read; they are closed at the end, also if the client goes away."""

    def __init__(self, rows: Rows, pieces: Iterator[str | bytes], media_type: str) -> None:
        super().__init__(pieces, media_type=media_type)
        self._rows = rows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the pieces."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._rows.close()


def json_answer(content: Any) -> Response:
    """Return content as JSON."""
    return Response(msgspec.json.encode(content), media_type="application/json")


def csv_chunks(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield rows as CSV in pieces, as they are read."""
    first = next(rows, None)
    if first is None:
        return

    def chunks(write: Callable[[dict[str, Any]], None]) -> Iterator[str]:
        write(dict(zip(first, first, strict=True)))
        write(first)
        for number, row in enumerate(rows, start=1):
            write(row)
            if number % _CHUNK == 0:
                yield text.getvalue()
                text.seek(0)
                text.truncate()
        yield text.getvalue()

    text = io.StringIO()
    yield from chunks(csv.DictWriter(text, first).writerow)


def json_chunks(rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON list in pieces, as it is read."""
    sep = b"["
    for row in rows:
        yield sep + msgspec.json.encode(row)
        sep = b",\n"
    yield b"[]" if sep == b"[" else b"]"
