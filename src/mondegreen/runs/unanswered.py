"""Texts without an answer: what is stored for them, and how many there are."""

from __future__ import annotations

import msgspec

from mondegreen.models.batching import Answer
from mondegreen.types import Prediction

KEY = "unanswered"
"""The metadata of a run that names the utterances without an answer."""
_NAMED = 1_000


def no_answer(id: str, shape: str) -> Answer:
    """Return the empty answer that counts as wrong, with the parts that other answers have.

    >>> no_answer("u1", "slots+label").prediction
    Prediction(id='u1', slots=(), label='')
    """
    empty = {"slots": (), "label": "", "values": {}, "calls": ()}
    parts = {name: empty[name] for name in shape.split("+") if name in empty}
    return Answer(Prediction(id, **parts), None)  # type: ignore[arg-type] # by its name


def added(known: str | None, ids: list[str]) -> str:
    """Return the metadata with further ids; of very many, the first ones are named."""
    n, names = msgspec.json.decode(known, type=tuple[int, list[str]]) if known else (0, [])
    return msgspec.json.encode((n + len(ids), [*names, *ids][:_NAMED])).decode()


def note_on(known: str | None) -> str:
    """Return the note on texts without an answer; empty if there are none.

    >>> note_on(added(None, ["u1", "u2"]))
    "2 texts have no answer and count as wrong: 'u1', 'u2'; start over with --force to ask again"
    """
    if not known:
        return ""
    n, names = msgspec.json.decode(known, type=tuple[int, list[str]])
    first = ", ".join(map(repr, names[:3])) + (", …" if n > 3 else "")  # noqa: PLR2004 (shown)
    texts = "1 text has" if n == 1 else f"{n:,} texts have"
    count = "counts" if n == 1 else "count"
    return f"{texts} no answer and {count} as wrong: {first}; start over with --force to ask again"
