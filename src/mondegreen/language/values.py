"""What the slots of a data set hold, by label: other values for a speaker to say by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from mondegreen.data.by_content import by_content
from mondegreen.data.output import whole_file
from mondegreen.errors import DataError
from mondegreen.types import Utterance

Values = Mapping[str, tuple[str, ...]]


def values_of(data: Iterable[Utterance]) -> Values:
    """Return the values of every slot label, in order.

    >>> from mondegreen.types import Slot
    >>> values_of([Utterance("1", ("play", "smooth", "jazz"), (Slot("genre", 1, 3),))])
    {'genre': ('smooth jazz',)}
    """
    found: dict[str, set[str]] = {}
    for said in data:
        for slot in said.slots:
            value = " ".join(said.tokens[slot.start : slot.end])
            found.setdefault(slot.label, set()).add(value)
    return {label: tuple(sorted(values)) for label, values in sorted(found.items())}


def save_values(values: Values, path: Path, *, force: bool = False) -> None:
    """Write values as JSON."""
    with whole_file(path, force=force) as file:
        file.write(msgspec.json.format(msgspec.json.encode(values)) + b"\n")


@by_content
def read_values(path: str) -> Values:
    """Read values that ``mondegreen fit values`` has written.

    Raises:
        DataError: if there are none, or if they are not such.
    """
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=dict[str, tuple[str, ...]])
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file; see: mondegreen fit values") from None
    except (OSError, msgspec.DecodeError) as error:
        raise DataError(
            f"{path}: not values of slots ({error}); see: mondegreen fit values"
        ) from None
