"""The ledger: every edit with its place on both sides, from which the source can be rebuilt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from mondegreen.data.files.lines import Meter, read_lines
from mondegreen.data.pairs.tagged import FLUENT
from mondegreen.data.states import states_of
from mondegreen.errors import DataError
from mondegreen.kernel.rewriting import splices
from mondegreen.types import Variant

Span = tuple[int, int]


class SlotEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A slot of a variant: where it is, what was meant, and what became of it.

    ``taken_back`` are the words that the speaker said first and corrected.
    """

    label: str
    target: Span
    value: str
    state: str
    taken_back: str | None = None


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One edit: what stood at ``source`` in the parent, and what stands at ``target`` now.

    Spans are half-open; ``source`` and ``target`` count tokens, the ``_chars`` ones characters.
    The first entry of a variant has all of its slots.
    """

    id: str
    parent: str
    operator: str
    kind: str
    source: Span
    target: Span
    before: tuple[str, ...]
    after: tuple[str, ...]
    source_chars: Span
    target_chars: Span
    before_text: str
    after_text: str
    taken_back: int = 0
    slots: tuple[SlotEntry, ...] = ()


def entries(variant: Variant) -> list[Entry]:
    """Return the ledger's entries of a variant, in the order of the text.

    >>> from mondegreen.edits import apply_edits
    >>> from mondegreen.types import Edit, Utterance
    >>> said = Utterance.of("u1", "play  jazz")
    >>> heard = apply_edits(said, [Edit(1, 1, ("uh",), "fillers", "filler")], id="u1/0")
    >>> (entry,) = entries(heard)
    >>> entry.source, entry.target, entry.before_text, entry.after_text
    ((1, 1), (1, 2), '', 'uh ')
    """
    found: list[Entry] = []
    parent, heard = variant.parent, variant.utterance
    text, shift, moved = parent.text, 0, 0
    for edit, splice in zip(variant.edits, splices(parent, variant.edits), strict=True):
        target = edit.start + shift
        at = splice.start + moved
        found.append(
            Entry(
                id=heard.id,
                parent=parent.id,
                operator=edit.operator,
                kind=edit.kind,
                source=(edit.start, edit.end),
                target=(target, target + len(edit.tokens)),
                before=parent.tokens[edit.start : edit.end],
                after=edit.tokens,
                source_chars=(splice.start, splice.end),
                target_chars=(at, at + len(splice.text)),
                before_text=text[splice.start : splice.end],
                after_text=splice.text,
                taken_back=edit.taken_back,
                slots=() if found else _slot_entries(variant),
            )
        )
        shift += len(edit.tokens) - (edit.end - edit.start)
        moved += len(splice.text) - (splice.end - splice.start)
    return found


def _slot_entries(variant: Variant) -> tuple[SlotEntry, ...]:
    heard = variant.utterance
    return tuple(
        SlotEntry(
            slot.label,
            (slot.start, slot.end),
            heard.words_of(slot) if slot.value is None else slot.value,
            *state,
        )
        for slot, state in zip(heard.slots, states_of(variant), strict=True)
    )


def rebuild_text(text: str, found: Sequence[Entry]) -> str:
    """Return the source's text from the variant's text and its entries.

    Raises:
        DataError: if the entries are not those of the text.
    """
    pieces: list[str] = []
    at = 0
    for entry in found:
        start, end = entry.target_chars
        if text[start:end] != entry.after_text or start < at:
            raise DataError(
                f"utterance {entry.id!r}: the ledger has {entry.after_text!r} at characters "
                f"{start} to {end}, the text has {text[start:end]!r}; they are not of one run"
            )
        pieces += (text[at:start], entry.before_text)
        at = end
    return "".join(pieces) + text[at:]


def rebuild_tokens(tokens: Sequence[str], found: Iterable[Entry]) -> tuple[str, ...]:
    """Return the source's tokens from the variant's tokens and its entries."""
    words: list[str] = []
    at = 0
    for entry in found:
        words += (*tokens[at : entry.target[0]], *entry.before)
        at = entry.target[1]
    return (*words, *tokens[at:])


_DECODER = msgspec.json.Decoder(Entry)
_ENCODER = msgspec.json.Encoder()


def lines_of(variant: Variant) -> bytes:
    """Return the entries of a variant as JSON lines."""
    return _ENCODER.encode_lines(entries(variant))


def read_ledger(path: Path | str, meter: Meter | None = None) -> dict[str, list[Entry]]:
    """Read a ledger; the entries by the id of the variant.

    Raises:
        DataError: naming the line that is not an entry.
    """
    found: dict[str, list[Entry]] = {}
    if Path(path).is_file() and Path(path).stat().st_size == 0:
        return found  # nothing was changed
    for number, line in read_lines(Path(path), meter):
        try:
            entry = _DECODER.decode(line)
        except msgspec.DecodeError as error:
            raise DataError.at(path, number, f"not an entry of a ledger: {error}") from None
        found.setdefault(entry.id, []).append(entry)
    return found


def fluency_tags(words: Sequence[str], found: Iterable[Entry]) -> list[str]:
    """Return the kind of the edit for each inserted word of a variant, and ``O`` for all others."""
    tags = [FLUENT] * len(words)
    for entry in found:
        if not entry.before:
            start, end = entry.target
            tags[start:end] = [entry.kind] * (end - start)
    return tags
