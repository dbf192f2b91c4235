"""Addresses: what a query is in an address, and which addresses are behind figures."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from mondegreen.report.content import ListLine
from mondegreen.report.pages import Links
from mondegreen.report.source import Query, ShownRun

_LAST_PAGE = 10**9  # more pages than any list has


class LiveLinks(Links):
    """The addresses behind the figures of a source."""

    def __init__(self, number: int, source: ShownRun, other: int | None = None) -> None:
        self._number, self._source, self._other = number, source, other

    def item(self, line: ListLine) -> str:
        """Return the address of an utterance."""
        return f"/s/{self._number}/utterance?{urlencode(line.key)}"

    def items(self, filters: Mapping[str, str]) -> str:
        """Return the address of the list with some filters."""
        facets = [column.key for column in self._source.facets]
        values = {f"f.{key}" if key in facets else key: value for key, value in filters.items()}
        path = f"/s/{self._number}/utterances"
        return f"{path}?{urlencode(values)}" if values else path

    def compare(self, set: str) -> str:
        """Return the address of a comparison on one set."""
        if set not in self._source.sets():
            return ""
        pair = {"a": self._other, "b": self._number, "set": set}
        return f"/compare?{urlencode(pair)}#flips-1"

    def why(self) -> str:
        """Return the address of the slices."""
        return f"/s/{self._number}/why"


def query_of(parameters: Mapping[str, str]) -> Query:
    """Return the query of an address."""
    return Query(
        text=parameters.get("q", ""),
        filters={k[2:]: v for k, v in parameters.items() if k.startswith("f.") and v},
        wrong=parameters.get("wrong") == "1",
        flipped=parameters.get("flipped") == "1",
        slice=parameters.get("slice", ""),
        sort=parameters.get("sort", ""),
        descending={"asc": False, "desc": True}.get(parameters.get("order", "")),
        page=max(number_of(parameters.get("page", ""), 1), 1),
    )


def number_of(text: str, default: int) -> int:
    """Return a whole number of an address."""
    return min(int(text[:12]), _LAST_PAGE) if text.isascii() and text.isdecimal() else default


def values_of(query: Query) -> dict[str, str]:
    """Return the parameters of a query in an address, without those that have defaults."""
    values = {f"f.{key}": value for key, value in query.filters.items()}
    if query.text:
        values["q"] = query.text
    values |= {name: "1" for name in ("wrong", "flipped") if getattr(query, name)}
    if query.slice:
        values["slice"] = query.slice
    if query.sort:
        values["sort"] = query.sort
    if query.descending is not None:
        values["order"] = "desc" if query.descending else "asc"
    return values


def link(path: str, query: Query) -> str:
    """Return the address of a query."""
    values = values_of(query) | ({"page": str(query.page)} if query.page > 1 else {})
    return f"{path}?{urlencode(values)}" if values else path
