"""The pages and their addresses; the data of each page is also served as CSV or JSON."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
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
)
from starlette.routing import Route

from mondegreen.errors import DataError, MissingExtraError
from mondegreen.report.pages import STYLE, ReportPart, environment, phone, record
from mondegreen.report.source import Query, ShownColumn, ShownRun
from mondegreen.report.waterfall import Waterfall
from mondegreen.viewer.addresses import LiveLinks, link, number_of, query_of, values_of
from mondegreen.viewer.audio import AudioFolder, can_speak, speak
from mondegreen.viewer.chain_page import ChainPage
from mondegreen.viewer.compare_page import ComparePage
from mondegreen.viewer.downloads import Download, csv_chunks, json_answer, json_chunks
from mondegreen.viewer.guard import Guard
from mondegreen.viewer.playground import Playground
from mondegreen.viewer.waveform import AudioWord, waveform, word_times

_STATIC = {
    "style.css": STYLE,
    "app.js": Path(__file__).parent / "static" / "app.js",
    "icon.svg": Path(__file__).parent / "static" / "icon.svg",
}
_INPUTS = ("q", "wrong", "flipped")  # the fields of the form
_WAIT = 1.5  # seconds that a page waits for the slices
_MOST_SPOKEN = 500  # maximum number of characters that the voice speaks


def app(
    sources: Sequence[ShownRun],
    audio: AudioFolder | None = None,
    token: str = "",
    chain: Waterfall | None = None,
) -> Starlette:
    """Return the web app that shows the sources, and where requests are lost along a chain."""
    pages = Pages(sources, audio, chained=chain is not None)
    playground = Playground(sources, chained=chain is not None)
    lost = ChainPage(sources, chain)
    both = ComparePage(sources, chained=chain is not None)
    first = "/chain" if chain is not None else "/s/0/" if sources else "/try"
    return Starlette(
        routes=[
            Route("/", lambda _: RedirectResponse(first)),
            Route("/static/{name}", pages.static),
            Route("/s/{number:int}/", pages.overview),
            Route("/s/{number:int}/overview.json", pages.overview_json),
            Route("/s/{number:int}/why", pages.why),
            Route("/s/{number:int}/utterances", pages.utterances),
            Route("/s/{number:int}/utterances.csv", pages.utterances_csv),
            Route("/s/{number:int}/utterances.json", pages.utterances_json),
            Route("/s/{number:int}/utterance", pages.utterance),
            Route("/s/{number:int}/utterance.json", pages.utterance_json),
            Route("/s/{number:int}/voice", pages.voice),
            Route("/compare", both.page),
            Route("/compare.json", both.json),
            Route("/audio", pages.audio),
            Route("/chain", lost.page),
            Route("/chain.json", lost.json),
            Route("/try", playground.page),
            Route("/try.json", playground.json),
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

    def __init__(
        self, sources: Sequence[ShownRun], audio: AudioFolder | None, *, chained: bool
    ) -> None:
        self._sources = sources
        self._chained = chained
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
            causes=source.known_causes(_WAIT),
            links=LiveLinks(number, source),
            downloads=[("JSON", f"/s/{number}/overview.json")],
        )

    def overview_json(self, request: Request) -> Response:
        """Return a report as JSON."""
        _, source = self._source(request)
        part = ReportPart(source.overview(), source.causes())
        return json_answer(record([part])["reports"][0])

    def why(self, request: Request) -> Response:
        """Return the part of a page that shows the slices; status 202 until they are known."""
        number, source = self._source(request)
        causes = source.known_causes(_WAIT)
        status = 202 if causes is None else 200
        links = LiveLinks(number, source)
        return self._page("live_why.html", status, page="", causes=causes, links=links)

    def utterances(self, request: Request) -> Response:
        """Return a page of the list of utterances."""
        number, source = self._source(request)
        query = query_of(request.query_params)
        found = source.page(query)
        sort = query.sort or source.default_sort()
        path = f"/s/{number}/utterances"

        def sorted_by(column: ShownColumn) -> str:
            again = column.key == sort
            turned = not source.descends(query) if again else column.worst_first
            return link(path, msgspec.structs.replace(
                query, sort=column.key, descending=turned, page=1
            ))  # fmt: skip

        def filtered(column: ShownColumn, value: str) -> str:
            filters = {k: v for k, v in query.filters.items() if k != column.key}
            filters |= {column.key: value} if value else {}
            return link(path, msgspec.structs.replace(query, filters=filters, page=1))

        shown = [
            one for one in source.columns if one.shown or (one.key == sort and one.worst_first)
        ]
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
            facets=source.offered(query, found.total),
            hidden=[pair for pair in values_of(query).items() if pair[0] not in _INPUTS],
            slice=source.causes().found[int(query.slice)].slice.sentence if query.slice else "",
            without_slice=link(path, msgspec.structs.replace(query, slice="", page=1)),
            columns=shown,
            others=[column for column in source.columns if column.sorts and column not in shown],
            filtered=filtered,
            sorted_by=sorted_by,
            page_at=lambda page: link(path, msgspec.structs.replace(query, page=page)),
            address=lambda row: self._address(number, row, query, positions[id(row)]),
            downloads=[(name.upper(), link(f"{path}.{name}", query)) for name in ("csv", "json")],
        )

    def utterances_csv(self, request: Request) -> Response:
        """Return all utterances that a query finds as CSV."""
        _, source = self._source(request)
        rows = source.rows(query_of(request.query_params))
        return Download(rows, csv_chunks(rows), "text/csv; charset=utf-8")

    def utterances_json(self, request: Request) -> Response:
        """Return all utterances that a query finds as JSON."""
        _, source = self._source(request)
        rows = source.rows(query_of(request.query_params))
        return Download(rows, json_chunks(rows), "application/json")

    def utterance(self, request: Request) -> Response:
        """Return the page of an utterance."""
        number, source = self._source(request)
        key = {name: request.query_params.get(name, "") for name in source.key}
        found = self._found(source, key)
        for one in found.get("variants", ()):
            one["address"] = self._address(number, one)
        query = query_of(request.query_params)
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
            up=link(f"/s/{number}/utterances", query),
            audio=self._audio_address(found),
            waveform=self._waveform(found),
            spoken=self._spoken(found),
            no_audio=self._no_audio(found["id"]),
            voice=f"/s/{number}/voice?{urlencode(key)}" if can_speak() else "",
            downloads=[("JSON", f"/s/{number}/utterance.json?{urlencode(key)}")],
        )

    def utterance_json(self, request: Request) -> Response:
        """Return an utterance as JSON."""
        _, source = self._source(request)
        return json_answer(
            self._found(source, {n: request.query_params.get(n, "") for n in source.key})
        )

    def voice(self, request: Request) -> Response:
        """Return an utterance spoken by a synthetic voice."""
        _, source = self._source(request)
        found = self._found(source, {n: request.query_params.get(n, "") for n in source.key})
        try:
            content = speak(str(found.get("text") or found.get("ref") or "")[:_MOST_SPOKEN])
        except MissingExtraError as error:
            return PlainTextResponse(str(error), 501)
        return Response(content, media_type="audio/wav")

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

    def _source(self, request: Request) -> tuple[int, ShownRun]:
        number: int = request.path_params["number"]
        if number >= len(self._sources):
            raise HTTPException(404, f"there are {len(self._sources)} sources, numbered from 0")
        return number, self._sources[number]

    def _found(self, source: ShownRun, key: Mapping[str, str]) -> dict[str, Any]:
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
            values |= {**values_of(query), "at": at}
        return f"/s/{number}/utterance?{urlencode(values)}"

    def _neighbours(
        self, number: int, source: ShownRun, query: Query, at: str
    ) -> tuple[str | None, str | None]:
        """Return the addresses of the previous and the next utterance in the list."""
        if not at.isdecimal():
            return None, None
        position = number_of(at, 0)

        def address(i: int) -> str | None:
            one = msgspec.structs.replace(query, size=1, page=i + 1)
            rows = source.page(one).rows if i >= 0 else []
            return self._address(number, rows[0], query, i) if rows else None

        return address(position - 1), address(position + 1)

    def _audio_address(self, found: Mapping[str, Any]) -> str:
        for id in _audio_names(found):
            if self._audio is not None and self._audio.find(id) is not None:
                return f"/audio?{urlencode({'id': id})}"
        return ""

    def _waveform(self, found: Mapping[str, Any]) -> Markup:
        path = self._audio_path(found)
        return Markup(waveform(path) if path is not None else "")  # noqa: S704 (only numbers)

    def _spoken(self, found: Mapping[str, Any]) -> list[AudioWord]:
        path = self._audio_path(found)
        return word_times(path) if path is not None else []

    def _audio_path(self, found: Mapping[str, Any]) -> Path | None:
        if self._audio is None:
            return None
        paths = map(self._audio.find, _audio_names(found))
        return next((path for path in paths if path is not None), None)

    def _no_audio(self, id: str) -> str:
        if self._audio is None:
            return "There is no audio folder; start the viewer with --audio DIR to hear utterances."
        return f"The audio folder has no file for {id}."

    def _page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        common = {"sources": self._sources, "chain": self._chained}
        filled = {"downloads": (), "number": None, **common, **values}
        return HTMLResponse(environment().get_template(template).render(filled), status)


def _audio_names(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what the audio of an utterance may be called: its column ``filename``, or its id."""
    columns = found.get("columns") or {}
    return str(columns.get("filename", "")), found["id"], found.get("parent", "")


class _Sparse(dict[str, Any]):
    """The fields of an utterance; a missing field is ``None``."""

    def __missing__(self, key: str) -> None:
        return None
