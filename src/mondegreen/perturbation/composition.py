"""Edits of edits: two variants, one made of the other, as one variant of the first source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mondegreen.edits import apply_edits
from mondegreen.errors import EditError
from mondegreen.types import Edit, Slot, Utterance, Variant


class _Gap(NamedTuple):
    """Changed tokens between two that neither variant has changed, of the source and the result.

    No gap crosses the edge of a slot.
    """

    start: int
    end: int
    made_start: int
    made_end: int


def composed(first: Variant, second: Variant, id: str) -> Variant:
    """Return the variant of the first source that has the tokens and slots of the second variant.

    Edits of different places are kept as they are. Those that touch become one edit.

    >>> said = Utterance.of("1", "play some jazz")
    >>> typo = apply_edits(said, [Edit(2, 3, ("jaz",), "typo", "typo")], id="2")
    >>> filler = Edit(2, 2, ("um",), "fillers", "filler")
    >>> made = composed(typo, apply_edits(typo.utterance, [filler], id="3"), "1/0")
    >>> made.utterance.text, [(edit.start, edit.end, edit.kind) for edit in made.edits]
    ('play some um jaz', [(2, 2, 'filler'), (2, 3, 'typo')])
    """
    if not (first.edits and second.edits):
        return apply_edits(first.parent, first.edits or second.edits, id=id)
    for compose in (_apart, _merged):
        try:
            made = apply_edits(first.parent, compose(first, second), id=id)
        except EditError:
            continue  # they touch: each gap becomes one edit
        if _same(made.utterance, second.utterance):
            return made
    raise EditError(f"utterance {first.parent.id!r}: the edits of a chain cannot be made at once")


def _same(one: Utterance, other: Utterance) -> bool:
    places = ([(s.label, s.start, s.end) for s in said.slots] for said in (one, other))
    return one.tokens == other.tokens and next(places) == next(places)


def _apart(first: Variant, second: Variant) -> list[Edit]:
    """Return all edits, if no edit of the second changes what the first has made; else too few."""
    pairs = list(zip(first.edits, _spans(first.edits), strict=True))
    moved = []
    for edit in second.edits:
        if any(edit.start < end and edit.end > start for _, (start, end) in pairs):
            return []
        start = edit.start - sum(_growth(one) for one, (_, end) in pairs if end <= edit.start)
        end = edit.end - sum(_growth(one) for one, (begin, _) in pairs if begin < edit.end)
        end = start if edit.start == edit.end else end
        moved.append(Edit(start, end, edit.tokens, edit.operator, edit.kind, edit.taken_back))
    return [*first.edits, *moved]


def _merged(first: Variant, second: Variant) -> list[Edit]:
    """Return one edit per gap; a deletion that touches another gap takes a neighbour in."""
    parent, tokens = first.parent, second.utterance.tokens
    gaps = list(_gaps(first, second))
    spans = list(zip(second.edits, _spans(second.edits), strict=True))
    edits = []
    for at, gap in enumerate(gaps):
        start, end, made_start, made_end = gap
        if made_start == made_end and _touches(gaps, at):
            if _joined_left(parent, gaps, at):
                start, made_start = start - 1, made_start - 1
            else:
                end, made_end = end + 1, made_end + 1
        ours = [one for one in first.edits if gap.start <= one.start and one.end <= gap.end]
        ours += [
            one for one, (low, high) in spans if gap.made_start <= low and high <= gap.made_end
        ]
        new = tokens[made_start:made_end]
        if new != parent.tokens[start:end]:
            edits.append(_one(start, end, new, ours))
    return edits


def _touches(gaps: Sequence[_Gap], at: int) -> bool:
    """Return whether an insertion is directly before or after a gap."""
    gap = gaps[at]
    return any(
        other.start == other.end and (other.end == gap.start or other.start == gap.end)
        for other in gaps[max(0, at - 1) : at + 2]
        if other is not gap
    )


def _joined_left(parent: Utterance, gaps: Sequence[_Gap], at: int) -> bool:
    """Return whether the token before a gap is unchanged, and on the same side of all edges."""
    gap = gaps[at]
    edges = {edge for slot in parent.slots for edge in (slot.start, slot.end)}
    return gap.start > 0 and gap.start not in edges and (at == 0 or gaps[at - 1].end < gap.start)


def _one(start: int, end: int, tokens: tuple[str, ...], involved: Sequence[Edit]) -> Edit:
    operators = dict.fromkeys(edit.operator for edit in involved)
    kinds = dict.fromkeys(edit.kind for edit in involved)
    taken_back = max((_taken_back(tokens, edit) for edit in involved), default=0)
    return Edit(start, end, tokens, " > ".join(operators), "+".join(kinds), taken_back)


def _taken_back(tokens: tuple[str, ...], edit: Edit) -> int:
    """Return up to where tokens are taken back, if an edit takes some of them back."""
    words = edit.tokens[: edit.taken_back]
    places = range(len(tokens) if words else 0)
    return next((at + len(words) for at in places if tokens[at : at + len(words)] == words), 0)


def _gaps(first: Variant, second: Variant) -> Iterator[_Gap]:
    """Yield the changed places, cut at the edges of slots."""
    middle = _unchanged(first)
    origin = [None if at is None else middle[at] for at in _unchanged(second)]
    kept = [(at, made) for made, at in enumerate(origin) if at is not None]
    ends = (len(first.parent.tokens), len(origin))
    for (at, made), (next_at, next_made) in pairwise([(-1, -1), *kept, ends]):
        yield from _cut(
            _Gap(at + 1, next_at, made + 1, next_made),
            list(zip(first.parent.slots, second.utterance.slots, strict=True)),
        )


def _cut(gap: _Gap, slots: Sequence[tuple[Slot, Slot]]) -> Iterator[_Gap]:
    start, end, made_start, made_end = gap
    for before, after in slots:
        for edge, made_edge in ((before.start, after.start), (before.end, after.end)):
            if start <= edge <= end and made_start <= made_edge <= made_end:
                if edge > start or made_edge > made_start:
                    yield _Gap(start, edge, made_start, made_edge)
                start, made_start = edge, made_edge
    if end > start or made_end > made_start:
        yield _Gap(start, end, made_start, made_end)


def _unchanged(variant: Variant) -> list[int | None]:
    """Return the place of each token in the source; ``None`` if an edit has made it."""
    found: list[int | None] = []
    at = 0
    for edit in variant.edits:
        found += [*range(at, edit.start), *[None] * len(edit.tokens)]
        at = edit.end
    return [*found, *range(at, len(variant.parent.tokens))]


def _spans(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Return where the tokens of edits are in the result."""
    spans, shift = [], 0
    for edit in edits:
        start = edit.start + shift
        spans.append((start, start + len(edit.tokens)))
        shift += _growth(edit)
    return spans


def _growth(edit: Edit) -> int:
    return len(edit.tokens) - (edit.end - edit.start)
