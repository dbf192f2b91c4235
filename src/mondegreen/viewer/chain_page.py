"""The page that shows where requests are lost along a chain of stages."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mondegreen.report.pages import Links, environment
from mondegreen.report.source import ShownRun
from mondegreen.report.waterfall import Waterfall
from mondegreen.viewer.addresses import LiveLinks
from mondegreen.viewer.downloads import json_answer


class ChainPage:
    """The page of a chain, whose lost utterances lead to the pages of their runs."""

    def __init__(self, sources: Sequence[ShownRun], chain: Waterfall | None) -> None:
        self._sources = sources
        self._chain = chain
        self._links = {
            str(source.path): LiveLinks(number, source) for number, source in enumerate(sources)
        }

    def page(self, request: Request) -> Response:  # noqa: ARG002 (there is one chain)
        """Return the page."""
        page = environment().get_template("live_chain.html")
        return HTMLResponse(
            page.render(
                page="chain",
                number=None,
                title="Where requests are lost",
                sources=self._sources,
                found=self._found(),
                chain=True,
                links=lambda run: self._links.get(run, Links()),
                downloads=[("JSON", "/chain.json")],
            )
        )

    def json(self, request: Request) -> Response:  # noqa: ARG002
        """Return the chain as JSON."""
        return json_answer(self._found())

    def _found(self) -> Waterfall:
        if self._chain is None:
            raise HTTPException(
                404, "there is no chain; open one with: mondegreen view --stage NAME=RUN …"
            )
        return self._chain
