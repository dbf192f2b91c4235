"""Utterances and edits for property tests: odd spacing, scripts, marks and emoji included.

Needs hypothesis.
"""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from mondegreen.types import Edit, Slot, Utterance

WORDS = st.one_of(
    st.sampled_from(["play", "Miles", "DAVIS", "jazz,", "a", "don't", "2010", "mp3", "uh", "{x}"]),
    st.sampled_from(
        ["äh", "été", "e\u0301t", "你", "好", "ไป", "きょ", "שלום", "مرحبا", "👩‍👩‍👧", "музыка"]
    ),
    st.text("abcdefgXYZ'-", min_size=1, max_size=8),
)
GAPS = st.sampled_from([" ", " ", " ", "  ", "\t", " \n", "\r\n", "\u00a0", "\u3000"])
ENDS = st.sampled_from(["", "", "", " ", "  ", "\t", "\r\n", "\n"])


@st.composite
def slots_over(draw: st.DrawFn, n: int) -> tuple[Slot, ...]:
    """Draw slots over ``n`` tokens."""
    cuts = sorted(draw(st.sets(st.integers(0, n), max_size=6)))
    spans = list(pairwise(cuts))
    kept = draw(st.lists(st.booleans(), min_size=len(spans), max_size=len(spans)))
    labels = st.sampled_from(["artist", "song", "room"])
    return tuple(
        Slot(draw(labels), start, end)
        for (start, end), keep in zip(spans, kept, strict=True)
        if keep
    )


@st.composite
def utterances(draw: st.DrawFn, *, min_size: int = 0, max_size: int = 12) -> Utterance:
    """Draw an utterance with slots and, sometimes, a label."""
    tokens = draw(st.lists(WORDS, min_size=min_size, max_size=max_size))
    text = draw(ENDS)
    for i, token in enumerate(tokens):
        text += (draw(GAPS) if i else "") + token
    text += draw(ENDS)
    label = draw(st.sampled_from([None, "play_music", "set_alarm"]))
    return Utterance.of(
        draw(st.sampled_from(["u1", "7"])),
        text,
        draw(slots_over(len(tokens))),
        label,
        tokens=tokens,
    )


@st.composite
def edits_for(draw: st.DrawFn, utterance: Utterance, *, delete: bool = True) -> list[Edit]:
    """Draw edits that can be applied: disjoint, within or outside slots, erasing no slot."""
    found: list[Edit] = []
    at, touched = 0, False
    n = len(utterance.tokens)
    while at <= n:
        action = draw(st.sampled_from(["keep", "keep", "insert", "replace", "delete"]))
        end = _reach(utterance, at, draw(st.integers(1, 2)))
        new = tuple(draw(st.lists(WORDS, min_size=1, max_size=2)))
        if action == "insert" and not touched:
            found.append(Edit(at, at, new, "test", "filler"))
            touched = True
            continue
        if action == "replace" and at < n:
            found.append(Edit(at, end, new, "test", "swap"))
            at, touched = end, False
            continue
        if action == "delete" and at < n and not touched and delete and _leaves(utterance, at, end):
            found.append(Edit(at, end, (), "test", "cut"))
            at, touched = end, True
            continue
        at, touched = at + 1, False
    return found


def _reach(utterance: Utterance, at: int, length: int) -> int:
    """Return the end of an edit of that length, short of the next edge of a slot."""
    edges = [edge for slot in utterance.slots for edge in (slot.start, slot.end) if edge > at]
    return min([at + length, len(utterance.tokens), *edges])


def _leaves(utterance: Utterance, at: int, end: int) -> bool:
    """Return whether a deletion leaves the first word of every slot."""
    return not any(at <= slot.start < end for slot in utterance.slots)
