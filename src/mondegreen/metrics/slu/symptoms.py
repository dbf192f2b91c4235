"""What is wrong with a predicted frame: the intent, and how each slot differs from the gold."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mondegreen.types import Prediction, Slot, Utterance

WRONG_INTENT = "the intent is wrong"
GROWS = "a slot grows into the edit"
NEW_ON_EDIT = "the edit is taken for a slot"
LOST = "a slot is lost"
CUT = "a slot loses words"
LONGER = "a slot takes in other words"
RELABELLED = "a slot gets another label"
NEW = "a slot appears elsewhere"


def slu_symptoms(
    utterance: Utterance, prediction: Prediction, edited: Collection[int]
) -> list[str]:
    """Return what is wrong, each kind of error once.

    Args:
        utterance: the utterance with its gold frame.
        prediction: the predicted frame.
        edited: the positions of inserted and replaced tokens.

    >>> gold = Utterance.of("1", "play jazz right now", [Slot("genre", 1, 2)], "play")
    >>> slu_symptoms(gold, Prediction("1", (Slot("genre", 1, 4),), "play"), {2, 3})
    ['a slot grows into the edit']
    """
    found: dict[str, None] = {}
    if None not in (utterance.label, prediction.label) and utterance.label != prediction.label:
        found[WRONG_INTENT] = None
    if prediction.slots is not None:
        found |= dict.fromkeys(_slots(utterance.slots, prediction.slots, frozenset(edited)))
    return list(found)


def _slots(
    gold: tuple[Slot, ...], given: tuple[Slot, ...], edited: frozenset[int]
) -> Iterator[str]:
    wrong = [slot for slot in given if slot not in gold]
    for slot in gold:
        if slot not in given:
            touching = [one for one in wrong if one.start < slot.end and slot.start < one.end]
            yield _of_gold(slot, touching, edited)
    for slot in wrong:
        if not any(slot.start < one.end and one.start < slot.end for one in gold):
            yield NEW_ON_EDIT if edited & set(range(slot.start, slot.end)) else NEW


def _of_gold(slot: Slot, touching: list[Slot], edited: frozenset[int]) -> str:
    """Return what became of a gold slot that was not found."""
    if not touching:
        return LOST
    alike = [one for one in touching if one.label == slot.label]
    if not alike:
        return RELABELLED
    one = alike[0]
    more = set(range(one.start, one.end)) - set(range(slot.start, slot.end))
    if not more:
        return CUT
    return GROWS if edited & more else LONGER
