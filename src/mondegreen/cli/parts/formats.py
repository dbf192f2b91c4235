"""How the user names the format of a file and its columns; apart from what perturbs, for speed."""

from __future__ import annotations

from mondegreen.data.formats.detection import AUTO
from mondegreen.data.layout import ROLES, ReadOptions

FORMAT_HELP = "Format of the source, if it is not recognised by name and content"
MAP_HELP = (
    "Columns of a table that have other names than ours, such as text=Query,id=uid,label=Intent. "
    f"The parts of an utterance are {', '.join(ROLES)}. Names for a column of numbers follow it: "
    "label=Intent:stop|go."
)


def named_format(format: str | None, map: str) -> str | None:
    """Return the name of a format with the columns that the user has named; as given without them.

    >>> named_format("csv", "text=Query"), named_format(None, "text=Query")
    ('csv(text=Query)', 'auto(text=Query)')
    """
    return f"{format or AUTO}({ReadOptions.parse(map)})" if map else format
