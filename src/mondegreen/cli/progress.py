"""A progress bar on standard error, where somebody is looking and the work is long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mondegreen.data.lines import Meter

_LONG = 2_000_000  # bytes; less is read before a bar could be drawn


@contextmanager
def metered(path: Path, *, quiet: bool) -> Iterator[Meter | None]:
    """Give a meter that draws how much of a file or folder has been read."""
    file = path / "seq.in" if path.is_dir() else path
    size = file.stat().st_size if file.is_file() else 0
    if quiet or size < _LONG or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(path.name, total=size)
        waiting = 0

        def advance(read: int) -> None:
            nonlocal waiting
            waiting += read
            if waiting > _LONG // 20:
                progress.advance(task, waiting)
                waiting = 0

        yield advance


@contextmanager
def counted(what: str, *, quiet: bool) -> Iterator[Callable[[int], object] | None]:
    """Give a function that draws how many are done, where nobody knows of how many."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.completed:,.0f} " + what), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done: progress.advance(task, done)


@contextmanager
def gauged(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], object] | None]:
    """Give a function that draws how many are done, of how many."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def staged(*, quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that draws what is being done, and how much of it is."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, done, total: None  # noqa: ARG005 (nobody looks)
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total)

        yield show
