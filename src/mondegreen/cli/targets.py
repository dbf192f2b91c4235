"""Where the outputs of several operators go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from mondegreen.data import Format, target_format
from mondegreen.data.lines import STANDARD_STREAM

_PLACE = "{op}"


class Place(NamedTuple):
    """An output and its format; ``folder`` is to be made for the outputs of several operators."""

    path: Path
    format: Format
    folder: Path | None = None


def places(output: Path, names: Sequence[str], kind: str | None, as_source: Format) -> list[Place]:
    """Return one output for each name: by the ``{op}`` in it, or in a folder of that name.

    Raises:
        UsageError: if one output is named for several operators.
    """
    folder = None
    if _PLACE in str(output):
        paths = [Path(str(output).replace(_PLACE, name)) for name in names]
    elif len(names) == 1:
        paths = [output]
    elif output == STANDARD_STREAM or output.suffix:
        example = "noisy-{op}.jsonl" if output == STANDARD_STREAM else _with_place(output)
        raise click.UsageError(
            f"several operators need several outputs: --output '{example}'; or --mix for one"
        )
    else:
        ending = (target_format(Path(), kind, otherwise=as_source).suffixes or ("",))[0]
        paths = [output / f"{name}{ending}" for name in names]
        folder = output
    plain = Path(str(output).replace(_PLACE, "op"))  # operators' names have dots of their own
    format = target_format(plain, kind, otherwise=as_source)
    found = [Place(path, format, folder) for path in paths]
    if output == STANDARD_STREAM and found[0].format.name in ("folder", "parquet", "dataset"):
        raise click.UsageError(
            f"the format {found[0].format.name} needs --output; or choose another one: --to jsonl"
        )
    return found


def _with_place(output: Path) -> str:
    return str(output.with_name(f"{output.stem}-{_PLACE}{output.suffix}"))
