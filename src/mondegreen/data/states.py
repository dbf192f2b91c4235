"""What became of each slot of a variant: kept, split, corrected or lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mondegreen.types import Edit, Slot, Utterance, Variant

KEPT, SPLIT, CORRECTED, LOST = STATES = ("kept", "split", "corrected", "lost")
"""From the mildest to the worst: the words are there; something was inserted between them; the
speaker said other words first and corrected them; words were replaced or deleted."""
COLUMNS = ("states", "taken_back")
"""The columns of a record that carry the states, in the order of the slots."""
SAME_VALUE = frozenset(("case", "spoken"))
"""The kinds of edits that write the same value in other letters, so that it is not lost."""


class SlotState(NamedTuple):
    """The state of a slot, and the words that the speaker said first and took back, if any."""

    state: str = KEPT
    taken_back: str | None = None


_KEPT = SlotState()


def states_of(item: Utterance | Variant) -> list[SlotState]:
    """Return the state of each slot, in order.

    The states of an utterance that was read from a file are those of its columns, and a variant
    never has a milder state than its source.

    >>> from mondegreen.edits import apply_edits
    >>> said = Utterance.of("1", "fly to denver", [Slot("city", 2, 3)])
    >>> repair = Edit(2, 2, ("boston", "no", "wait"), "repairs", "repair", taken_back=1)
    >>> states_of(apply_edits(said, [repair], id="1/0"))
    [SlotState(state='corrected', taken_back='boston')]
    """
    if not isinstance(item, Variant):
        return _written(item)
    parent = item.parent
    wrong = [_wrong_at(parent, edit) for edit in item.edits]
    found = [_state(parent, slot, item.edits, wrong) for slot in parent.slots]
    if parent.extra:
        found = list(map(_worst, _written(parent), found))
    left = [slot.label for slot in item.utterance.slots]
    return found if len(left) == len(found) else list(_of_those_left(parent.slots, found, left))


def _of_those_left(
    slots: Sequence[Slot], states: Sequence[SlotState], left: Sequence[str]
) -> Iterator[SlotState]:
    """Yield the states of the slots of which something was heard, given their labels."""
    pairs = iter(zip(slots, states, strict=True))
    for label in left:
        yield next((state for slot, state in pairs if slot.label == label), _KEPT)


def worst_state(states: list[SlotState]) -> str:
    """Return the worst of some states; empty if there are none.

    >>> worst_state([SlotState("split"), SlotState("kept")])
    'split'
    """
    return max((one.state for one in states), key=STATES.index, default="")


def state_columns(item: Utterance | Variant) -> Iterator[tuple[str, list[str | None]]]:
    """Yield the columns that carry the states of a variant; those that say nothing are left out."""
    found = states_of(item)
    states, taken_back = map(list, zip(*found, strict=True)) if found else ([], [])
    if states.count(KEPT) < len(states):
        yield COLUMNS[0], states
    if taken_back.count(None) < len(taken_back):
        yield COLUMNS[1], taken_back


def _written(utterance: Utterance) -> list[SlotState]:
    """Return the states that the columns of an utterance carry; kept where they carry none."""
    n = len(utterance.slots)
    if not utterance.extra:
        return [_KEPT] * n
    extra = dict(utterance.extra)
    if extra.keys().isdisjoint(COLUMNS):
        return [_KEPT] * n
    states, taken_back = (_of_length(extra.get(name), n) for name in COLUMNS)
    return [
        SlotState(state if state in STATES else KEPT, words if isinstance(words, str) else None)
        for state, words in zip(states, taken_back, strict=True)
    ]


def _of_length(column: object, n: int) -> list[object]:
    return column if isinstance(column, list) and len(column) == n else [None] * n


def _worst(old: SlotState, new: SlotState) -> SlotState:
    state = max(old.state, new.state, key=STATES.index)
    return SlotState(state, old.taken_back if new.taken_back is None else new.taken_back)


def _state(
    parent: Utterance, slot: Slot, edits: tuple[Edit, ...], wrong: Sequence[int]
) -> SlotState:
    state, taken_back = _KEPT
    for edit, at in zip(edits, wrong, strict=True):
        if edit.start == edit.end:
            if slot.start <= at < slot.end:
                said = edit.tokens[at - edit.start : edit.taken_back]
                taken_back = " ".join((*parent.tokens[slot.start : at], *said))
                found = CORRECTED
            else:
                found = SPLIT if slot.start < edit.start < slot.end else KEPT
        elif edit.start < slot.end and edit.end > slot.start and edit.kind not in SAME_VALUE:
            found = LOST
        else:
            continue
        if found != state:
            state = max(state, found, key=STATES.index)
    return SlotState(state, taken_back) if state != KEPT else _KEPT


def _wrong_at(parent: Utterance, edit: Edit) -> int:
    """Return which word an insertion says wrong first; -1 if it does not correct any.

    The words that are taken back begin as those that follow them; the first that differs is wrong.
    """
    said = edit.tokens[: edit.taken_back]
    for at, word in enumerate(said, edit.start):
        if at >= len(parent.tokens) or word != parent.tokens[at]:
            return at
    return -1
