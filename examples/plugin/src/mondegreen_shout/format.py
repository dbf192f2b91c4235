"""A format: ``id;text`` per line."""

from __future__ import annotations

from mondegreen import Utterance
from mondegreen.data.formats.format import Item, LineFormat, utterance_in
from mondegreen.errors import DataError


class Semicolons(LineFormat):
    """The id, a semicolon, the text."""

    name = "semicolons"
    holds = "the id, a semicolon, the text"
    suffixes = (".semi",)

    def parse(self, number: int, line: str) -> Utterance:  # noqa: ARG002
        """Read a line."""
        id, semicolon, text = line.partition(";")
        if not semicolon:
            raise DataError("an id and a text with a semicolon between them are expected")
        return Utterance.of(id, text)

    def render(self, item: Item) -> str:
        """Write a line."""
        utterance = utterance_in(item)
        return f"{utterance.id};{utterance.text}"


SEMICOLONS = Semicolons()
