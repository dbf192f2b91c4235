"""The output paths of one or more operators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mondegreen.data import Format, target_format
from mondegreen.data.files.lines import STANDARD_STREAM
from mondegreen.errors import OutputNameError

_OPERATOR = "{op}"


class OutputPath(NamedTuple):
    """An output and its format; ``folder`` is the folder to make for several outputs, if any."""

    path: Path
    format: Format
    folder: Path | None = None


def output_paths(
    output: Path, names: Sequence[str], format: str | None, as_source: Format
) -> list[OutputPath]:
    """Return one output per operator: ``{op}`` is replaced, or the outputs are in a folder.

    Raises:
        OutputNameError: if there is one output for several operators.
    """
    as_source = as_source.plain
    folder = None
    if _OPERATOR in str(output):
        paths = [Path(str(output).replace(_OPERATOR, name)) for name in names]
    elif len(names) == 1:
        paths = [output]
    elif output == STANDARD_STREAM or output.suffix:
        example = "noisy-{op}.jsonl" if output == STANDARD_STREAM else _with_operator(output)
        raise OutputNameError(
            f"several operators need several outputs: --output '{example}'; or --mix for one"
        )
    else:
        suffix = (target_format(Path(), format, otherwise=as_source).suffixes or ("",))[0]
        paths = [output / f"{name}{suffix}" for name in names]
        folder = output
    plain = Path(
        str(output).replace(_OPERATOR, "op")
    )  # a dot in an operator's name is not a suffix
    found = target_format(plain, format, otherwise=as_source)
    if output == STANDARD_STREAM and not found.streams:
        raise OutputNameError(
            f"the format {found.name} needs --output; or choose another format: --to jsonl"
        )
    return [OutputPath(path, found, folder) for path in paths]


def _with_operator(output: Path) -> str:
    return str(output.with_name(f"{output.stem}-{_OPERATOR}{output.suffix}"))
