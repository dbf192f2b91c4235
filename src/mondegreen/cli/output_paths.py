"""Where the outputs of several operators go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from mondegreen.data import Format, target_format
from mondegreen.data.lines import STANDARD_STREAM

_PLACE = "{op}"


class OutputPath(NamedTuple):
    """An output and its format; ``folder`` must be made for the outputs of several operators."""

    path: Path
    format: Format
    folder: Path | None = None


def output_paths(
    output: Path, names: Sequence[str], format: str | None, as_source: Format
) -> list[OutputPath]:
    """Return one output per name: by the ``{op}`` in it, or in a folder of that name.

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
        ending = (target_format(Path(), format, otherwise=as_source).suffixes or ("",))[0]
        paths = [output / f"{name}{ending}" for name in names]
        folder = output
    plain = Path(str(output).replace(_PLACE, "op"))  # names of operators have dots of their own
    found = target_format(plain, format, otherwise=as_source)
    if output == STANDARD_STREAM and not found.streams:
        raise click.UsageError(
            f"the format {found.name} needs --output; or choose another one: --to jsonl"
        )
    return [OutputPath(path, found, folder) for path in paths]


def _with_place(output: Path) -> str:
    return str(output.with_name(f"{output.stem}-{_PLACE}{output.suffix}"))
