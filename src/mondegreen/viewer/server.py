"""The pages and their addresses; the data of each page is also served as CSV or JSON."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mondegreen.errors import DataError, MissingExtraError
from mondegreen.report.compare import compare_sources, flipped
from mondegreen.report.pages import STYLE, environment, phone
from mondegreen.report.source import Column, Query, Rows, Source
from mondegreen.viewer.audio import AudioFolder, can_speak, speak
from mondegreen.viewer.guard import Guard

_STATIC = {
    "style.css": STYLE,
    "app.js": Path(__file__).parent / "static" / "app.js",
    "icon.svg": Path(__file__).parent / "static" / "icon.svg",
}
_LAST_PAGE = 10**9  # more pages than any list has
_CHUNK = 1000  # rows of a download per chunk
_MOST_SPOKEN = 500  # maximum number of characters that the voice speaks


def app(sources: Sequence[Source], audio: AudioFolder | None = None, token: str = "") -> Starlette:
    """Return the web app that shows the sources."""
    pages = Pages(sources, audio)
    return Starlette(
        routes=[
            Route("/", lambda _: RedirectResponse("/s/0/")),
            Route("/static/{name}", pages.static),
            Route("/s/{number:int}/", pages.overview),
            Route("/s/{number:int}/overview.json", pages.overview_json),
            Route("/s/{number:int}/utterances", pages.utterances),
            Route("/s/{number:int}/utterances.csv", pages.utterances_csv),
            Route("/s/{number:int}/utterances.json", pages.utterances_json),
            Route("/s/{number:int}/utterance", pages.utterance),
            Route("/s/{number:int}/utterance.json", pages.utterance_json),
            Route("/s/{number:int}/voice", pages.voice),
            Route("/compare", pages.compare),
            Route("/compare.json", pages.compare_json),
            Route("/audio", pages.audio),
        ],
        middleware=[Middleware(Guard, token=token)],
        exception_handlers={
            DataError: pages.wrong_input,
            sqlite3.DatabaseError: pages.wrong_input,  # a damaged run
            HTTPException: pages.problem,
        },
    )


class Pages:
    """The pages of the sources."""

    def __init__(self, sources: Sequence[Source], audio: AudioFolder | None) -> None:
        self._sources = sources
        self._audio = audio

    def static(self, request: Request) -> Response:
        """Return a static file."""
        path = _STATIC.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404, "there is no such file")
        return FileResponse(path)

    def overview(self, request: Request) -> Response:
        """Return the page of a report."""
        number, source = self._source(request)
        return self._page(
            "live_overview.html",
            page="overview",
            number=number,
            title=source.name,
            found=source.overview(),
            link=lambda line: self._address(number, line.key),
            downloads=[("JSON", f"/s/{number}/overview.json")],
        )

    def overview_json(self, request: Request) -> Response:
        """Return a report as JSON."""
        return _json(self._source(request)[1].overview())

    def utterances(self, request: Request) -> Response:
        """Return a page of the list of utterances."""
        number, source = self._source(request)
        query = _query(request.query_params)
        found = source.page(query)
        sort = query.sort or source.default_sort()
        path = f"/s/{number}/utterances"

        def sorted_by(column: Column) -> str:
            again = column.key == sort
            turned = not source.descends(query) if again else column.kind == "number"
            return _link(path, msgspec.structs.replace(
                query, sort=column.key, descending=turned, page=1
            ))  # fmt: skip

        first = (query.page - 1) * query.size
        positions = {id(row): first + i for i, row in enumerate(found.rows)}
        return self._page(
            "utterances.html",
            page="utterances",
            number=number,
            title=f"Utterances of {source.name}",
            source=source,
            query=query,
            found=found,
            sort=sort,
            pages=ceil(found.total / query.size),
            choices=source.choices(),
            sorted_by=sorted_by,
            page_at=lambda page: _link(path, msgspec.structs.replace(query, page=page)),
            address=lambda row: self._address(number, row, query, positions[id(row)]),
            downloads=[(name.upper(), _link(f"{path}.{name}", query)) for name in ("csv", "json")],
        )

    def utterances_csv(self, request: Request) -> Response:
        """Return all utterances that a query finds as CSV."""
        _, source = self._source(request)
        rows = source.rows(_query(request.query_params))
        return _Download(rows, _csv(rows), "text/csv; charset=utf-8")

    def utterances_json(self, request: Request) -> Response:
        """Return all utterances that a query finds as JSON."""
        _, source = self._source(request)
        rows = source.rows(_query(request.query_params))
        return _Download(rows, _json_list(rows), "application/json")

    def utterance(self, request: Request) -> Response:
        """Return the page of an utterance."""
        number, source = self._source(request)
        key = {name: request.query_params.get(name, "") for name in source.key}
        found = self._found(source, key)
        for one in found.get("variants", ()):
            one["address"] = self._address(number, one)
        query = _query(request.query_params)
        before, after = self._neighbours(number, source, query, request.query_params.get("at", ""))
        return self._page(
            "utterance.html",
            page="utterance",
            number=number,
            title=found["id"],
            source=source,
            found=_Sparse(found),
            phone=phone if source.metric.phonemes else lambda text: text,
            before=before,
            after=after,
            audio=self._audio_address(found),
            no_audio=self._no_audio(found["id"]),
            voice=f"/s/{number}/voice?{urlencode(key)}" if can_speak() else "",
            downloads=[("JSON", f"/s/{number}/utterance.json?{urlencode(key)}")],
        )

    def utterance_json(self, request: Request) -> Response:
        """Return an utterance as JSON."""
        _, source = self._source(request)
        return _json(self._found(source, {n: request.query_params.get(n, "") for n in source.key}))

    def voice(self, request: Request) -> Response:
        """Return an utterance spoken by a synthetic voice."""
        _, source = self._source(request)
        found = self._found(source, {n: request.query_params.get(n, "") for n in source.key})
        try:
            content = speak(str(found.get("text") or found.get("ref") or "")[:_MOST_SPOKEN])
        except MissingExtraError as error:
            return PlainTextResponse(str(error), 501)
        return Response(content, media_type="audio/wav")

    def compare(self, request: Request) -> Response:
        """Return the page that compares two sources."""
        first, second, chosen = self._pair(request)
        a, b = self._sources[first], self._sources[second]
        found = compare_sources(a, b, chosen)
        better, worse = flipped(a, b, chosen)
        titles = f"Right only in {a.name}", f"Right only in {b.name}"
        return self._page(
            "compare.html",
            page="compare",
            number=None,
            title=f"{b.name} against {a.name}",
            first=a,
            second=b,
            a=first,
            b=second,
            set=chosen,
            sets=a.sets(),
            found=found,
            flips=[
                (title, [{**one, "address": self._address(second, one)} for one in lines])
                for title, lines in zip(titles, (worse, better), strict=True)
            ],
            downloads=[("JSON", f"/compare.json?{request.query_params}")],
        )

    def compare_json(self, request: Request) -> Response:
        """Return the comparison of two sources as JSON."""
        first, second, chosen = self._pair(request)
        a, b = self._sources[first], self._sources[second]
        found = compare_sources(a, b, chosen)
        better, worse = flipped(a, b, chosen)
        return _json({**found, "only_second_right": better, "only_first_right": worse})

    def audio(self, request: Request) -> Response:
        """Return the user's audio of an utterance, or the range of bytes that is requested."""
        path = self._audio.find(request.query_params.get("id", "")) if self._audio else None
        if path is None:
            raise HTTPException(404, "there is no audio for this utterance")
        return FileResponse(path)

    async def wrong_input(self, request: Request, error: Exception) -> Response:  # noqa: ARG002
        """Return the page for an invalid request."""
        return self._page("problem.html", 400, page="", title="Invalid request", message=str(error))

    async def problem(self, request: Request, error: Exception) -> Response:  # noqa: ARG002
        """Return the page for an HTTP error."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        detail = error.detail if isinstance(error, HTTPException) else str(error)
        return self._page("problem.html", status, page="", title=f"{status}", message=detail)

    def _source(self, request: Request) -> tuple[int, Source]:
        number: int = request.path_params["number"]
        if number >= len(self._sources):
            raise HTTPException(404, f"there are {len(self._sources)} sources, numbered from 0")
        return number, self._sources[number]

    def _pair(self, request: Request) -> tuple[int, int, str]:
        """Return the numbers of the two sources to compare, and the name of the set."""
        numbers = [_number(request.query_params.get(name, ""), i) for i, name in enumerate("ab")]
        if max(numbers) >= len(self._sources):
            raise HTTPException(
                404, "a comparison needs two sources; open both: mondegreen view ONE OTHER"
            )
        sets = self._sources[numbers[0]].sets()
        chosen = request.query_params.get("set") or sets[0]
        if chosen not in sets:
            raise HTTPException(404, f"there is no set {chosen!r}")
        return numbers[0], numbers[1], chosen

    def _found(self, source: Source, key: Mapping[str, str]) -> dict[str, Any]:
        try:
            return source.utterance(key)
        except DataError as error:
            raise HTTPException(404, str(error)) from None

    def _address(
        self, number: int, row: Mapping[str, Any], query: Query | None = None, at: int | None = None
    ) -> str:
        """Return the address of an utterance, with its query and its position in the list."""
        values = {name: row[name] for name in self._sources[number].key}
        if query is not None and at is not None:
            values |= {**_values(query), "at": at}
        return f"/s/{number}/utterance?{urlencode(values)}"

    def _neighbours(
        self, number: int, source: Source, query: Query, at: str
    ) -> tuple[str | None, str | None]:
        """Return the addresses of the previous and the next utterance in the list."""
        if not at.isdecimal():
            return None, None
        position = _number(at, 0)

        def address(i: int) -> str | None:
            one = msgspec.structs.replace(query, size=1, page=i + 1)
            rows = source.page(one).rows if i >= 0 else []
            return self._address(number, rows[0], query, i) if rows else None

        return address(position - 1), address(position + 1)

    def _audio_address(self, found: Mapping[str, Any]) -> str:
        for id in (found["id"], found.get("parent", "")):
            if self._audio is not None and self._audio.find(id) is not None:
                return f"/audio?{urlencode({'id': id})}"
        return ""

    def _no_audio(self, id: str) -> str:
        if self._audio is None:
            return "There is no audio folder; start the viewer with --audio DIR to hear utterances."
        return f"The audio folder has no file for {id}."

    def _page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        filled = {"downloads": (), "number": None, "sources": self._sources, **values}
        return HTMLResponse(environment().get_template(template).render(filled), status)


class _Sparse(dict[str, Any]):
    """The fields of an utterance; a missing field is ``None``."""

    def __missing__(self, key: str) -> None:
        return None


def _query(parameters: Mapping[str, str]) -> Query:
    return Query(
        text=parameters.get("q", ""),
        filters={k[2:]: v for k, v in parameters.items() if k.startswith("f.") and v},
        wrong=parameters.get("wrong") == "1",
        flipped=parameters.get("flipped") == "1",
        sort=parameters.get("sort", ""),
        descending={"asc": False, "desc": True}.get(parameters.get("order", "")),
        page=max(_number(parameters.get("page", ""), 1), 1),
    )


def _number(text: str, default: int) -> int:
    return min(int(text[:12]), _LAST_PAGE) if text.isascii() and text.isdecimal() else default


def _values(query: Query) -> dict[str, str]:
    """Return the parameters of a query in an address, without those that have defaults."""
    values = {f"f.{key}": value for key, value in query.filters.items()}
    if query.text:
        values["q"] = query.text
    values |= {name: "1" for name in ("wrong", "flipped") if getattr(query, name)}
    if query.sort:
        values["sort"] = query.sort
    if query.descending is not None:
        values["order"] = "desc" if query.descending else "asc"
    return values


def _link(path: str, query: Query) -> str:
    values = _values(query) | ({"page": str(query.page)} if query.page > 1 else {})
    return f"{path}?{urlencode(values)}" if values else path


class _Download(StreamingResponse):
    """Rows as they are read; they are closed at the end, also if the client goes away."""

    def __init__(self, rows: Rows, pieces: Iterator[str | bytes], media_type: str) -> None:
        super().__init__(pieces, media_type=media_type)
        self._rows = rows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._rows.close()


def _json(content: Any) -> Response:
    return Response(msgspec.json.encode(content), media_type="application/json")


def _csv(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
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


def _json_list(rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a JSON list in pieces, as it is read."""
    sep = b"["
    for row in rows:
        yield sep + msgspec.json.encode(row)
        sep = b",\n"
    yield b"[]" if sep == b"[" else b"]"
