"""What was heard as a variant of what was said: edits, moved slots, and slots that were lost."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mondegreen.edits import apply_edits
from mondegreen.language.simulation.units import units, words_of
from mondegreen.text.words import word_of
from mondegreen.types import Edit, Slot, Utterance, Variant

OPERATOR = "hear"
LOST = "lost slot"
"""Begins the kind of an edit that removes all words of a slot; the label follows."""


def heard_variant(utterance: Utterance, text: str, *, id: str) -> Variant:
    """Return an utterance as it was heard.

    Both sides are compared as words in lower case, without punctuation; words that are the same
    stay as they were written. Two words that are heard as one become it together, unless the edge
    of a slot is between them: then the first becomes it, and the second is lost. A slot of
    which no word was heard is dropped from the variant, and its edit names it.

    >>> said = Utterance.of("u1", "Play jazz!")
    >>> heard_variant(said, "lay jazz", id="u1/hear").utterance.text
    'Lay jazz!'
    """
    owner, words = [], []
    for position, token in enumerate(utterance.tokens):
        for word in words_of(token):
            owner.append(position)
            words.append(word)
    edits = _edits(utterance, tuple(words), owner, words_of(text))
    gone = {at for edit in edits if not edit.tokens for at in range(edit.start, edit.end)}
    lost = [slot for slot in utterance.slots if set(range(slot.start, slot.end)) <= gone]
    marked = [_named(edit, lost) for edit in edits]
    kept = replace(utterance, slots=tuple(slot for slot in utterance.slots if slot not in lost))
    variant = apply_edits(kept, marked, id=id)
    return Variant(variant.utterance, utterance, variant.edits)


def _named(edit: Edit, lost: Sequence[Slot]) -> Edit:
    for slot in lost:
        if not edit.tokens and slot.start <= edit.start < slot.end:
            return replace(edit, kind=f"{LOST}: {slot.label}")
    return edit


def _edits(
    utterance: Utterance, words: tuple[str, ...], owner: list[int], heard: tuple[str, ...]
) -> list[Edit]:
    """Return the edits of tokens that turn what was said into what was heard."""
    made: list[list[str]] = [[word] for word in words]
    added: dict[int, tuple[str, ...]] = {}  # by the token before which words are added
    inner: dict[int, tuple[str, ...]] = {}  # by the word before which words are added
    joined: set[int] = set()  # tokens that are heard together with the next one
    edges = {edge for slot in utterance.slots for edge in (slot.start, slot.end)}
    for start, end, found in units(words, heard):
        if start == end:
            before = owner[start] if start < len(owner) else len(utterance.tokens)
            if 0 < start < len(owner) and owner[start - 1] == owner[start]:
                inner[start] = found  # within a token, such as twenty-one
            else:
                added[before] = found
            continue
        made[start] = list(found)
        for other in range(start + 1, end):
            made[other] = []
            if owner[other] == owner[start] + 1 and owner[other] not in edges:
                joined.add(owner[start])
    outcome: dict[int, list[str]] = {}
    same: dict[int, list[str]] = {}
    for i, (place, word, became) in enumerate(zip(owner, words, made, strict=True)):
        outcome.setdefault(place, []).extend((*inner.get(i, ()), *became))
        same.setdefault(place, []).append(word)
    changed = {place: new for place, new in outcome.items() if new != same[place]}
    return _merged(utterance, changed, added, joined)


def _merged(
    utterance: Utterance,
    changed: dict[int, list[str]],
    added: dict[int, tuple[str, ...]],
    joined: set[int],
) -> list[Edit]:
    """Return edits of which no insertion touches a deletion."""
    edits: list[Edit] = []
    for place in sorted(changed):
        if place - 1 in joined and edits and edits[-1].end == place:
            edits[-1] = replace(edits[-1], end=place + 1, kind="joined")
            continue
        new = list(changed[place])
        if not new and place in added:
            new = list(added.pop(place))
        elif not new and place + 1 in added and place + 1 not in changed:
            new = list(added.pop(place + 1))
        kind = "lost" if not new else "exchanged" if len(new) == 1 else "split"
        edits.append(Edit(place, place + 1, _dressed(utterance, place, new), OPERATOR, kind))
    taken = {edit.start + 1 for edit in edits if edit.end - edit.start > 1}
    lost_ends = {edit.end for edit in edits if not edit.tokens}
    for place, words in added.items():
        if place in taken or place in lost_ends:
            at = next(i for i, one in enumerate(edits) if one.start < place <= one.end)
            edits[at] = replace(edits[at], tokens=(*edits[at].tokens, *words), kind="exchanged")
        else:
            edits.append(Edit(place, place, words, OPERATOR, "added"))
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _dressed(utterance: Utterance, place: int, words: Sequence[str]) -> tuple[str, ...]:
    word = word_of(utterance.tokens[place], 0)
    return word.dressed(tuple(words)) if word is not None and words else tuple(words)
