"""How the user names the format of a file and its columns; apart from what perturbs, for speed."""

from __future__ import annotations

from mondegreen.data.layout import ROLES

FORMAT_HELP = "Format of the source, if it is not recognised by name and content"
MAP_HELP = (
    "Columns of a table that have other names than ours, such as text=Query,id=uid,label=Intent. "
    f"The parts of an utterance are {', '.join(ROLES)}. Names for a column of numbers follow it: "
    "label=Intent:stop|go."
)
