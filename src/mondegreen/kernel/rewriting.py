"""Applying edits in plain Python: the new tokens, the moved slots, the new text.

The compiled kernel does the same for plain text. It leaves everything unusual to this module, so
every error is raised here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from mondegreen.errors import EditError
from mondegreen.text.segment import joint
from mondegreen.types import Edit, Slot, Utterance, token_offsets


def rewrite(
    utterance: Utterance, ordered: Sequence[Edit]
) -> tuple[tuple[str, ...], tuple[Slot, ...], str | None]:
    """Return the tokens, the slots and the raw text of an utterance with edits applied.

    The raw text is ``None`` if it is the tokens joined by single spaces.

    Raises:
        EditError: if edits overlap or lie outside the utterance, or cross or erase a slot.
    """
    _check_types(utterance, ordered)
    _check_order(utterance, ordered)
    tokens: list[str] = []
    at = 0
    for edit in ordered:
        tokens += utterance.tokens[at : edit.start]
        tokens += edit.tokens
        at = edit.end
    tokens += utterance.tokens[at:]
    words = tuple(tokens)
    return words, _move_slots(utterance, ordered, words), _raw(utterance, ordered, words)


def _check_types(utterance: Utterance, ordered: Sequence[Edit]) -> None:
    for edit in ordered:
        parts: Any = (edit.start, edit.end, edit.tokens)  # an edit takes whatever it is given
        whole = all(isinstance(part, int) for part in parts[:2])
        listed = isinstance(parts[2], tuple | list)
        if not (whole and listed and all(isinstance(token, str) for token in parts[2])):
            raise EditError(
                f"utterance {utterance.id!r}: {edit!r:.200} needs whole numbers as positions and "
                "a tuple of texts as tokens"
            )


def _check_order(utterance: Utterance, ordered: Sequence[Edit]) -> None:
    free, touched, lost = 0, -1, False  # the first free token; the end of an insertion or deletion
    for edit in ordered:
        if not free <= edit.start <= edit.end <= len(utterance.tokens):
            raise EditError(
                f"utterance {utterance.id!r}: the edit of tokens {edit.start} to {edit.end} "
                f"overlaps the edit before it or lies outside the {len(utterance.tokens)} tokens"
            )
        inserts, deletes = edit.start == edit.end, not edit.tokens
        touches = edit.start == touched and (inserts or (deletes and not lost))
        if (inserts and deletes) or touches:
            raise EditError(
                f"utterance {utterance.id!r}: the edit at token {edit.start} changes nothing, or "
                "touches an insertion or deletion there; make them one edit"
            )
        free = edit.end
        touched = free if inserts or deletes else -1
        lost = deletes


def _move_slots(
    utterance: Utterance, ordered: Sequence[Edit], words: tuple[str, ...]
) -> tuple[Slot, ...]:
    moved = []
    for slot in utterance.slots:
        start, end, value = slot.start, slot.end, slot.value
        for edit in ordered:
            grows = len(edit.tokens) - (edit.end - edit.start)
            if edit.end <= slot.start:
                start += grows
                end += grows
            elif edit.start < slot.end:
                if edit.start != edit.end and not slot.start <= edit.start <= edit.end <= slot.end:
                    raise EditError(
                        f"utterance {utterance.id!r}: the edit of tokens {edit.start} to "
                        f"{edit.end} crosses the edge of slot {slot.label!r}"
                    )
                end += grows
            else:
                break
        if start == end:
            raise EditError(f"utterance {utterance.id!r}: the edits erase slot {slot.label!r}")
        if value is None and words[start:end] != utterance.tokens[slot.start : slot.end]:
            value = utterance.words_of(slot)  # what was meant, whatever stands there now
        moved.append(Slot(slot.label, start, end, value))
    return tuple(moved)


def _raw(utterance: Utterance, ordered: Sequence[Edit], words: tuple[str, ...]) -> str | None:
    """Return the new text; ``None`` if it is the words joined by single spaces."""
    if utterance.raw is None and all(word.isascii() for edit in ordered for word in edit.tokens):
        return None
    pieces: list[str] = []
    at, source = 0, utterance.text
    for splice in splices(utterance, ordered):
        pieces += (source[at : splice.start], splice.text)
        at = splice.end
    text = "".join(pieces) + source[at:]
    return None if text == " ".join(words) else text


DOCUMENT = "-DOCSTART-"
"""How the first line of a document begins in CoNLL files."""


def block_starts(raw: bytes) -> list[int]:
    r"""Return the first line of each block of a CoNLL file, which has blank lines between.

    >>> block_starts(b"\nplay O\njazz O\n \nstop O")
    [1, 4]
    """
    starts, inside = [], False
    for at, line in enumerate(raw.decode(errors="replace").split("\n")):
        blank = is_blank(line)
        if not blank and not inside:
            starts.append(at)
        inside = not blank
    return starts


def is_blank(line: str) -> bool:
    """Return whether a line is between two blocks."""
    return not line.strip() or line.startswith(DOCUMENT)


class Splice(NamedTuple):
    """One change of a text: characters from ``start`` up to ``end`` are replaced by ``text``."""

    start: int
    end: int
    text: str


def splices(utterance: Utterance, ordered: Sequence[Edit]) -> list[Splice]:
    """Return the changes that edits make to the characters of a text.

    >>> utterance = Utterance.of("u1", "play  jazz now")
    >>> splices(utterance, [Edit(1, 1, ("uh",), "fillers", "filler")])
    [Splice(start=6, end=6, text='uh ')]
    """
    text, offsets = utterance.text, token_offsets(utterance)
    ends = [at + len(word) for at, word in zip(offsets, utterance.tokens, strict=True)]
    tail = _lost_tail(len(utterance.tokens), ordered)
    return [_splice(edit, utterance.tokens, text, (offsets, ends), tail) for edit in ordered]


def _lost_tail(n: int, ordered: Sequence[Edit]) -> int:
    """Return the position from which on all tokens are deleted; ``n`` if the last one stays."""
    for edit in reversed(ordered):
        if edit.end != n or edit.tokens or edit.start == n:
            break
        n = edit.start
    return n


def _splice(
    edit: Edit, words: tuple[str, ...], text: str, spans: tuple[list[int], list[int]], tail: int
) -> Splice:
    start, end, new = edit.start, edit.end, edit.tokens
    offsets, ends = spans
    if start == end:
        return _insertion(edit, words, text, offsets, ends)
    if not new:  # also delete the space after it, or at the end the space before it
        if start > 0 and ends[start - 1] == offsets[start]:  # part of a word: the space stays
            return Splice(offsets[start], ends[end - 1], "")
        if start < tail:
            return Splice(offsets[start], offsets[end], "")
        return Splice(ends[start - 1] if start else offsets[0], ends[end - 1], "")
    if len(new) == end - start:
        gaps = [text[ends[i] : offsets[i + 1]] for i in range(start, end - 1)]
    else:
        gaps = _joints(new)
    return Splice(offsets[start], ends[end - 1], _interleave(new, gaps))


def _insertion(
    edit: Edit, words: tuple[str, ...], text: str, offsets: list[int], ends: list[int]
) -> Splice:
    at, new, last = edit.start, edit.tokens, len(words)
    inserted = _interleave(new, _joints(new))
    if not words:
        return Splice(len(text), len(text), inserted)
    gap = (
        text[ends[at - 1] : offsets[at]] if 0 < at < last else _nearest_gap(text, offsets, ends, at)
    )
    after = "" if at == last else " " if gap else joint(new[-1], words[at])
    if at == last:
        before = " " if gap else joint(words[-1], new[0])
        return Splice(ends[-1], ends[-1], before + inserted)
    before = "" if gap or at == 0 else joint(words[at - 1], new[0])
    return Splice(offsets[at], offsets[at], before + inserted + after)


def _nearest_gap(text: str, offsets: list[int], ends: list[int], at: int) -> str:
    """Return the gap nearest to the start or the end, which shows whether words have spaces."""
    if len(offsets) == 1:
        return ""
    return text[ends[0] : offsets[1]] if at == 0 else text[ends[-2] : offsets[-1]]


def _joints(words: Sequence[str]) -> list[str]:
    return [joint(left, right) for left, right in pairwise(words)]


def _interleave(words: Sequence[str], gaps: Sequence[str]) -> str:
    return words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))
