"""Options that say where the work runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar

import click

from mondegreen.cli.parts.typed import LAST, option
from mondegreen.engines import ENGINES, LOCAL, Workers, open_workers
from mondegreen.kernel import CORES


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where the work runs."""

    heading: ClassVar[str] = LAST

    engine: str = option(
        default=LOCAL,
        help="Where the work runs: in this process, in one process per core, or on a Ray cluster. "
        "The output is the same.",
        type=click.Choice(ENGINES),
    )
    workers: int | None = option(
        default=None,
        help="Number of processes or Ray workers; with local, of threads.  [default: all cores]",
        type=click.IntRange(min=1),
        metavar="N",
    )
    ray_address: str | None = option(
        default=None,
        help="Address of a Ray cluster, such as auto or ray://host:10001.  [default: one is "
        "started on this machine]",
        metavar="ADDRESS",
    )

    def open_workers(self) -> Workers:
        """Return the workers."""
        if self.engine == LOCAL and self.workers is not None:
            os.environ[CORES] = str(self.workers)
        return open_workers(self.engine, self.workers, self.ray_address)
