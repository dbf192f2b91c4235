"""Progress bars on standard error, if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mondegreen.data.files.compression import is_compressed
from mondegreen.data.files.lines import Meter
from mondegreen.data.files.shards import is_pattern, shards_of

_LONG = 2_000_000  # bytes; smaller files are read too fast for a bar


@contextmanager
def bytes_progress(path: Path, *, quiet: bool) -> Iterator[Meter | None]:
    """Yield a meter that shows how much of a file or folder is read; ``None`` if it is small."""
    size = _size(path)
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
        known = not any(map(is_compressed, _files(path)))  # of others, the size is not known
        task = progress.add_task(path.name, total=size if known else None)
        unshown = 0

        def advance(read: int) -> None:
            nonlocal unshown
            unshown += read
            if unshown > _LONG // 20:
                progress.advance(task, unshown)
                unshown = 0

        yield advance


def _files(path: Path) -> list[Path]:
    if is_pattern(path):
        return shards_of(path)
    return [path / "seq.in" if path.is_dir() else path]


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in _files(path) if file.is_file())


@contextmanager
def count_progress(description: str, *, quiet: bool) -> Iterator[Callable[[int], object] | None]:
    """Yield a function that shows the number of items done; ``None`` without a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.completed:,.0f} " + description),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done: progress.advance(task, done)


@contextmanager
def total_progress(
    description: str, *, quiet: bool
) -> Iterator[Callable[[int, int], object] | None]:
    """Yield a function that shows the items done, and all; ``None`` without a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def stage_progress(*, quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows the progress of each stage."""
    if quiet or not sys.stderr.isatty():
        yield lambda description, done, total: None  # noqa: ARG005 (there is no terminal)
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def show(description: str, done: int, total: int) -> None:
            if description not in tasks:
                tasks[description] = progress.add_task(description, total=total)
            progress.update(tasks[description], completed=done, total=total)

        yield show
