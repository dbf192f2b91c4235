"""The page that compares two sources, and the page on which they are chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mondegreen.report.compare import (
    Compared,
    comparable_groups,
    compared,
    flipped,
)
from mondegreen.report.pages import environment
from mondegreen.report.source import ShownRun
from mondegreen.viewer.addresses import LiveLinks, number_of
from mondegreen.viewer.downloads import json_answer

_PAIR = 2


class ComparePage:
    """The page ``/compare``, and its content as JSON."""

    def __init__(self, sources: Sequence[ShownRun], *, chained: bool) -> None:
        self._sources = sources
        self._chained = chained
        self._compared: dict[tuple[int, int], Compared] = {}

    def page(self, request: Request) -> Response:
        """Return the page that compares two sources, or that asks which two."""
        groups = comparable_groups(self._sources)
        named = {"a", "b"} & request.query_params.keys()
        if not named and len(self._sources) > _PAIR and [len(one) for _, one in groups] != [_PAIR]:
            return self._render("choose.html", title="Compare two results", groups=groups)
        first, second, chosen = self._pair(request, groups)
        a, b = self._sources[first], self._sources[second]
        both = self._comparison(first, second)
        links = LiveLinks(first, a, second), LiveLinks(second, b, first)
        better, worse = flipped(both.found, a, b, chosen)
        ways = [one.better for one in both.found.flips if chosen in ("", one.set_name)]
        return self._render(
            "compare.html",
            title=f"{b.name} against {a.name}",
            a=first,
            b=second,
            group=next((one for _, one in groups if first in one), [first, second]),
            set=chosen,
            sets=a.sets(),
            both=both,
            found=both.found,
            test=both.tests(chosen),
            first_links=links[0],
            second_links=links[1],
            flips=[
                (f"Right only in {b.name}", better, ways.count(True), links[0]),
                (f"Right only in {a.name}", worse, ways.count(False), links[1]),
            ],
            downloads=[("JSON", f"/compare.json?{request.query_params}")],
        )

    def json(self, request: Request) -> Response:
        """Return the comparison of two sources as JSON: on one set, and on all sets."""
        first, second, chosen = self._pair(request, comparable_groups(self._sources))
        a, b = self._sources[first], self._sources[second]
        both = self._comparison(first, second)
        better, worse = flipped(both.found, a, b, chosen)
        return json_answer({
            **both.tests(chosen).record(),
            "only_second_right": better,
            "only_first_right": worse,
            "all_sets": both.record(),
        })  # fmt: skip

    def _comparison(self, first: int, second: int) -> Compared:
        """Return the comparison of two sources on all sets; computed once."""
        if (first, second) not in self._compared:
            pair = self._sources[first], self._sources[second]
            self._compared[first, second] = compared(*pair)
        return self._compared[first, second]

    def _pair(
        self, request: Request, groups: Sequence[tuple[str, Sequence[int]]]
    ) -> tuple[int, int, str]:
        """Return the numbers of the two sources to compare, and the name of the set."""
        usual = groups[0][1] if groups else range(_PAIR)
        texts = [request.query_params.get(name, "") for name in "ab"]
        first, second = (number_of(text, usual[at]) for at, text in enumerate(texts))
        if max(first, second) >= len(self._sources):
            raise HTTPException(
                404, "a comparison needs two sources; open both: mondegreen view ONE OTHER"
            )
        sets = self._sources[first].sets()
        chosen = request.query_params.get("set", "")
        if chosen and chosen not in sets:
            raise HTTPException(404, f"there is no set {chosen!r}")
        return first, second, chosen

    def _render(self, template: str, **values: Any) -> HTMLResponse:
        common = {"page": "compare", "number": None, "downloads": ()}
        page = environment().get_template(template)
        return HTMLResponse(
            page.render(common | values, sources=self._sources, chain=self._chained)
        )
