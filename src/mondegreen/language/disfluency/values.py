"""The slot values of a data set by label: values that a speaker may say by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from mondegreen.data import read
from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.compression import read_small
from mondegreen.data.files.output import whole_file
from mondegreen.errors import DataError
from mondegreen.types import Utterance

Values = Mapping[str, tuple[str, ...]]
LabelValues = tuple[tuple[str, tuple[str, ...]], ...]
"""The values of slot labels as a parameter of an operator."""


def values_of(data: Iterable[Utterance]) -> Values:
    """Return the sorted values of every slot label: what was meant.

    >>> from mondegreen.types import Slot
    >>> values_of([Utterance("1", ("play", "smooth", "jazz"), (Slot("genre", 1, 3),))])
    {'genre': ('smooth jazz',)}
    """
    found: dict[str, set[str]] = {}
    for utterance in data:
        for slot in utterance.slots:
            value = slot.value or " ".join(utterance.tokens[slot.start : slot.end])
            found.setdefault(slot.label, set()).add(value)
    return {label: tuple(sorted(values)) for label, values in sorted(found.items())}


def save_values(values: Values, path: Path, *, force: bool = False) -> None:
    """Write values as JSON; ``force`` replaces an existing file."""
    with whole_file(path, force=force) as file:
        file.write(msgspec.json.format(msgspec.json.encode(values)) + b"\n")


@by_content
def read_values(path: str) -> Values:
    """Read values that ``mondegreen fit values`` has written, or those of a data set with slots.

    Raises:
        DataError: if there is no such file, or it does not have slot values.
    """
    place = Path(path)
    if not place.exists():
        raise DataError(f"{path}: there is no such file; see: mondegreen fit values")
    try:
        return msgspec.json.decode(read_small(place), type=dict[str, tuple[str, ...]])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # a data set, or neither of them
    try:
        return values_of(read(place))
    except DataError as error:
        raise DataError(
            f"{path}: neither a file of slot values nor a data set with slots ({error}); see: "
            "mondegreen fit values"
        ) from None


def values_in(values: str | LabelValues) -> Values:
    """Return the values that a parameter names: of a file, or the values themselves."""
    if isinstance(values, str):
        return read_values(values) if values else {}
    return dict(values)


def files_in(values: str | LabelValues) -> tuple[Path, ...]:
    """Return the file that a parameter names, if it does."""
    return (Path(values),) if values and isinstance(values, str) else ()
