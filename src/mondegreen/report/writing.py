"""A report of runs and scores: its content, as one HTML page or as plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data.files.output import whole_file
from mondegreen.errors import DataError
from mondegreen.report.compare import Compared, comparable, compared
from mondegreen.report.opening import open_source
from mondegreen.report.pages import ReportPart, page_of, record
from mondegreen.report.source import ShownRun
from mondegreen.report.waterfall import TITLE, Waterfall, make_chain
from mondegreen.runs.blame import blame


class Report(NamedTuple):
    """A report: its parts, the comparison of two of them, and where requests are lost."""

    title: str
    parts: tuple[ReportPart, ...]
    compared: Compared | None = None
    chain: Waterfall | None = None

    @property
    def html(self) -> str:
        """The report as one HTML page, without scripts and links to other files."""
        return page_of(self.parts, self.title, self.compared, self.chain)

    def record(self) -> dict[str, Any]:
        """Return the content as plain values: what ``mondegreen report --json`` prints."""
        return record(self.parts, self.compared, self.chain)

    def write(self, path: Path | str, *, force: bool = False) -> Path:
        """Write the page to a file; return its path.

        Raises:
            OutputError: if the file exists and ``force`` is false, or if it cannot be written.
        """
        place = Path(path)
        with whole_file(place, force=force) as file:
            file.write(self.html.encode())
        return place


def report(
    *sources: Path | str,
    stages: Mapping[str, Path | str] | None = None,
    refs: Path | str | None = None,
    title: str | None = None,
    open_one: Callable[[Path], ShownRun] = open_source,
) -> Report:
    """Make the report of runs and scores, as ``mondegreen report`` does.

    Two runs of one suite, or two scores of the same references, are also compared.

    Args:
        sources: runs (``evaluate … -o RUN``) and scores (``score … --items FILE``).
        stages: the stages of a chain, for a waterfall of where requests are lost.
        refs: the gold labels, if stages are predictions.
        title: the title; by default the names of the sources.
        open_one: opens a source.

    Raises:
        DataError: if there is nothing to show, or if a source cannot be read.
    """
    if not (sources or stages):
        raise DataError("give a run, the rows of a score, or stages of a chain (--stage)")
    with ExitStack() as stack:
        opened = [stack.enter_context(closing(open_one(Path(path)))) for path in sources]
        parts = tuple(ReportPart(source.overview(), source.causes()) for source in opened)
        both = compared(*opened) if comparable(opened) else None
        chain = None
        if stages:
            named = {name: Path(path) for name, path in stages.items()}
            chain = make_chain(blame(named, refs), named, opened)
        names = ", ".join(source.name for source in opened)
    return Report(title or names or TITLE, parts, both, chain)
