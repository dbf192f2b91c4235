"""Utterances and edits for property tests: odd spacing, scripts, marks and emoji included."""

from __future__ import annotations

import random
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
def edits_for(draw: st.DrawFn, said: Utterance, *, delete: bool = True) -> list[Edit]:
    """Edits that may be made: disjoint, within or outside slots, erasing none."""
    found: list[Edit] = []
    at, touched = 0, False
    n = len(said.tokens)
    while at <= n:
        action = draw(st.sampled_from(["keep", "keep", "insert", "replace", "delete"]))
        end = _reach(said, at, draw(st.integers(1, 2)))
        new = tuple(draw(st.lists(WORDS, min_size=1, max_size=2)))
        if action == "insert" and not touched:
            found.append(Edit(at, at, new, "test", "filler"))
            touched = True
            continue
        if action == "replace" and at < n:
            found.append(Edit(at, end, new, "test", "swap"))
            at, touched = end, False
            continue
        if action == "delete" and at < n and not touched and delete and _leaves(said, at, end):
            found.append(Edit(at, end, (), "test", "cut"))
            at, touched = end, True
            continue
        at, touched = at + 1, False
    return found


def _reach(said: Utterance, at: int, length: int) -> int:
    """The end of an edit of that length from there, short of the next edge of a slot."""
    edges = [edge for slot in said.slots for edge in (slot.start, slot.end) if edge > at]
    return min([at + length, len(said.tokens), *edges])


def _leaves(said: Utterance, at: int, end: int) -> bool:
    """Whether a deletion leaves the first word of every slot, so that none is erased."""
    return not any(at <= slot.start < end for slot in said.slots)


def pairs(n: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """References, and hypotheses with some words wrong."""
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(30)]
    refs = [" ".join(rng.choices(words, k=rng.randint(1, 15))) for _ in range(n)]
    hyps = [
        " ".join(
            w if rng.random() < 0.8 else rng.choice(words) for w in r.split() if rng.random() < 0.9
        )
        for r in refs
    ]
    return refs, hyps
