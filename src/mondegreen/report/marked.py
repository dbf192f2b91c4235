"""Utterances to scan: words with edits and errors marked, frames as chips with what differs."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from mondegreen.metrics.words.steps import Step
from mondegreen.types import Edit, Slot

SAME, MISSED, ADDED = "same", "missed", "added"


class MarkedWord(msgspec.Struct, frozen=True):
    """Words: in both texts, only in the first (``del``) or only in the second (``ins``).

    Of words that a system should leave out, ``s`` are left out and ``mark`` are still there.
    ``note`` says why a word is marked.
    """

    text: str
    mark: str = ""
    note: str = ""


class Chip(msgspec.Struct, frozen=True):
    """A part of a frame: in both frames, missed (only in the gold) or added (only in the other).

    ``label`` is that of a slot; the chip of an intent has none.
    """

    state: str
    text: str
    label: str = ""


class MarkedLine(msgspec.Struct, frozen=True):
    """An utterance in a list: its words, its frame, and other texts if it cannot be aligned."""

    words: tuple[MarkedWord, ...] = ()
    chips: tuple[Chip, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    wrong: bool = False

    @property
    def direction(self) -> str:
        """Where the first letter that has a direction goes: ``rtl`` or ``ltr``, as ``dir=auto``."""
        letters = "".join(word.text for word in self.words) + "".join(t for _, t in self.texts)
        found = (unicodedata.bidirectional(letter) for letter in letters)
        first = next((one for one in found if one in ("L", "R", "AL")), "L")
        return "ltr" if first == "L" else "rtl"

    @property
    def plain(self) -> str:
        """The words in one line; deleted words are in [-…-], inserted ones in {+…+}.

        Words that should be left out are in (-…-) if they are, and in {=…=} if not.
        """
        marks = {"del": "[-{}-]", "ins": "{{+{}+}}", "s": "(-{}-)", "mark": "{{={}=}}"}
        return " ".join(marks.get(word.mark, "{}").format(word.text) for word in self.words)


def edited_words(
    tokens: Sequence[str], edits: Sequence[Edit], before: Sequence[Sequence[str]]
) -> Iterator[MarkedWord]:
    """Yield the words of a variant, with inserted and replaced words marked.

    >>> edit = Edit(1, 2, ("tune",), "synonyms.any", "noun")
    >>> list(edited_words(("this", "tune"), [edit], [("song",)]))[1:]
    ... # doctest: +NORMALIZE_WHITESPACE
    [MarkedWord(text='song', mark='del', note='synonyms.any: noun'),
     MarkedWord(text='tune', mark='ins', note='synonyms.any: noun')]
    """
    done = shift = 0
    for edit, old in zip(edits, before, strict=True):
        start = edit.start + shift
        if done < start:
            yield MarkedWord(" ".join(tokens[done:start]))
        note = f"{edit.operator}: {edit.kind}"
        if old:
            yield MarkedWord(" ".join(old), "del", note)
        if edit.tokens:
            yield MarkedWord(" ".join(edit.tokens), "ins", note)
        done = start + len(edit.tokens)
        shift += len(edit.tokens) - (edit.end - edit.start)
    if done < len(tokens):
        yield MarkedWord(" ".join(tokens[done:]))


def aligned_words(
    steps: Iterable[Step], unwanted: Callable[[str], bool] = lambda _: False
) -> Iterator[MarkedWord]:
    """Yield the words of an alignment: lost, heard instead, and heard in addition.

    Args:
        steps: the steps of the alignment.
        unwanted: whether a word of the reference is one that a system should leave out.

    >>> steps = [Step("deletion", "UH", None, 0, None), Step("match", "play", "play", 1, 0)]
    >>> [(word.text, word.mark) for word in aligned_words(steps, str.isupper)]
    [('UH', 's'), ('play', '')]
    """
    right: list[str] = []
    for step in steps:
        if step.kind == "match" and not unwanted(step.ref or ""):
            right.append(step.ref or "")
            continue
        if right:
            yield MarkedWord(" ".join(right))
            right = []
        yield from _marked_step(step, unwanted)
    if right:
        yield MarkedWord(" ".join(right))


def _marked_step(step: Step, unwanted: Callable[[str], bool]) -> Iterator[MarkedWord]:
    kind, ref, hyp, _, _ = step
    if ref is not None and unwanted(ref) and kind != "substitution":
        note = "left out, as it should be" if kind == "deletion" else "should be left out"
        yield MarkedWord(ref, "s" if kind == "deletion" else "mark", note)
        return
    if ref is not None:
        yield MarkedWord(ref, "del", "deleted" if hyp is None else "in the reference")
    if hyp is not None:
        yield MarkedWord(hyp, "ins", "inserted" if ref is None else "heard instead")


def frame_chips(
    tokens: Sequence[str],
    gold: tuple[str | None, Sequence[Slot]],
    given: tuple[str | None, Sequence[Slot] | None],
) -> Iterator[Chip]:
    """Yield the parts of two frames of one utterance, each an intent and slots.

    >>> gold, given = ("play", [Slot("genre", 1, 2)]), ("play", [Slot("song", 1, 2)])
    >>> [(chip.state, chip.label, chip.text) for chip in frame_chips(("play", "jazz"), gold, given)]
    [('same', '', 'play'), ('missed', 'genre', 'jazz'), ('added', 'song', 'jazz')]
    """
    (label, slots), (label_given, slots_given) = gold, given
    if label == label_given or label_given is None:
        if label is not None:
            yield Chip(SAME, label)
    else:
        if label is not None:
            yield Chip(MISSED, label)
        yield Chip(ADDED, label_given)
    answered = slots if slots_given is None else slots_given
    spans = [(slot, SAME if slot in answered else MISSED) for slot in slots]
    spans += [(slot, ADDED) for slot in answered if slot not in slots]
    for slot, state in sorted(spans, key=lambda pair: pair[0].start):
        text = " ".join(tokens[slot.start : slot.end])
        yield Chip(state, text if slot.value is None else f"{text} = {slot.value}", slot.label)
