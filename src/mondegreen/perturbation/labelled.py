"""Labelled text in and out: variants without a Python object per utterance.

For recipes of one operator that the kernel knows, and JSON lines, CoNLL and folders. The result is
that of the engine; utterances that are out of the ordinary are left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from mondegreen.data.formats.text_part import TextPart
from mondegreen.data.layout import ReadOptions, layout_of
from mondegreen.data.states import COLUMNS as STATE_COLUMNS
from mondegreen.perturbation.engine import Engine
from mondegreen.types import Variant

_ROLES = ("id", "text", "label", "tokens", "tags")
_EXTRA, _IGNORED = 5, 6
_LEFT = frozenset((*STATE_COLUMNS, "messages"))
"""Further columns that the edits of an utterance may change."""
Roles = list[tuple[int, str]]
Made = tuple[
    Sequence[bytes],
    bytes,
    list[str | None],
    list[tuple[int, tuple[int, ...], int]],
    int,
    dict[str, int],
]
"""What the kernel returns; the utterances that it leaves have places in the texts and ledger."""
Enter = Callable[[Variant], bytes]
"""Returns the lines of the ledger of a variant."""


class RowsMade(NamedTuple):
    """The texts of variants, one per file, with their ledger, the ids of their sources and counts.

    ``kinds`` counts the edits of each kind.
    """

    texts: list[bytes]
    ledger: bytes
    ids: list[str]
    changed: int
    kinds: dict[str, int]


class Left(NamedTuple):
    """How an utterance that is left to the engine is read, written and entered into the ledger."""

    variant: Callable[[int], Variant]
    texts_of: Callable[[Variant], Sequence[bytes]]
    enter: Enter


class Written(NamedTuple):
    """How variants are written: what the kernel calls the format, and how lines end."""

    form: str
    newline: str
    ledger: bool


def roles_of(reading: ReadOptions, keys: tuple[str, ...]) -> Roles | None:
    """Return what the keys of a JSON object hold; ``None`` if Python has to read it.

    >>> roles_of(ReadOptions(), ("id", "sentence", "speaker", "edits"))
    [(0, 'id'), (1, 'text'), (5, 'speaker'), (6, 'edits')]
    >>> roles_of(ReadOptions(), ("text", "entities"))
    """
    mapped = {column: role for role, column in reading.columns}
    if reading.scheme or reading.classes or not mapped.keys() <= set(keys):
        return None
    taken = set(mapped.values())
    names = [mapped.get(key, f"original_{key}" if key.lower() in taken else key) for key in keys]
    if len(set(names)) < len(names):
        return None
    layout = layout_of(tuple(names))
    roles = (layout.ids, layout.texts, layout.labels, layout.tokens, layout.tags)
    marks = (*layout.slots, *layout.entities, *layout.annotated, *layout.values)
    unread = [name for name in layout.unread if name not in reading.other]
    if marks or unread or max(map(len, roles)) > 1 or not _LEFT.isdisjoint(layout.extra):
        return None
    places = {name: at for at, found in enumerate(roles) for name in found}
    places |= dict.fromkeys(layout.extra, _EXTRA)
    return [
        (at, _ROLES[at] if at < _EXTRA else name)
        for name, at in ((name, places.get(name, _IGNORED)) for name in names)
    ]


def rewrite_json(
    engine: Engine, raw: bytes, first: int, reading: ReadOptions, written: Written, left: Left
) -> RowsMade | None:
    """Return the variants of JSON lines.

    ``None`` if the recipe needs the engine: several variants, protected phrases, or an operator
    that the kernel does not know.

    Args:
        engine: makes the variants.
        raw: the lines, as valid UTF-8.
        first: the number of the first line, which is its id if it has none.
        reading: how to read columns and tags.
        written: how to write the variants.
        left: what to do with a line that the kernel does not read, given its place.
    """
    plan = engine.row_plan
    if plan is None or reading.scheme:
        return None
    rewriter, rows = plan
    roles = partial(roles_of, reading)
    return _completed(rewriter.rewrite_json(raw, roles, rows, first, *written), written, left)


def rewrite_text(engine: Engine, part: TextPart, written: Written, left: Left) -> RowsMade | None:
    """Return the variants of a part of a text file; ``None`` if it needs the engine."""
    plan, texts = engine.row_plan, part.texts
    if plan is None or texts is None:
        return None
    rewriter, rows = plan
    made = part.rewritten(rewriter, texts, rows, *written)
    return _completed(made, written, left)


def _completed(made: Made, written: Written, left: Left) -> RowsMade:
    """Add the variants of utterances that are left to the engine."""
    texts, entered, ids, places, changed, kinds = made
    if not places:
        return RowsMade(list(texts), entered, ids, changed, kinds)  # type: ignore[arg-type]  # no id is missing
    files, log = list(map(Splicer, texts)), Splicer(entered)
    for number, starts, entry in places:
        variant = left.variant(number)
        ids[number] = variant.parent.id
        for file, place, text in zip(files, starts, left.texts_of(variant), strict=True):
            file.add(place, text)
        if written.ledger:
            log.add(entry, left.enter(variant))
        changed += bool(variant.edits)
        for edit in variant.edits:
            kinds[edit.kind] = kinds.get(edit.kind, 0) + 1
    joined = [file.joined() for file in files]
    return RowsMade(joined, log.joined(), ids, changed, kinds)  # type: ignore[arg-type]  # no id is missing


class Splicer:
    """Puts pieces into a text, each at a place of it, in order."""

    def __init__(self, text: bytes) -> None:
        self._text, self._done = text, 0
        self._pieces: list[bytes] = []

    def add(self, place: int, piece: bytes) -> None:
        """Put a piece before a place."""
        self._pieces += [self._text[self._done : place], piece]
        self._done = place

    def joined(self) -> bytes:
        """Return the text with all pieces."""
        return b"".join([*self._pieces, self._text[self._done :]])
