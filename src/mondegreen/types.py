"""The data types: utterances, slots, edits, variants and predictions. All of them are frozen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from mondegreen.errors import DataError, UtteranceError
from mondegreen.notebook import html_of
from mondegreen.text.segment import split


class Slot(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, repr_omit_defaults=True):
    """A labelled span of tokens, from ``start`` up to but not including ``end``.

    ``value`` is what the speaker meant; ``None`` if it is the words of the span.
    """

    label: str
    start: int
    end: int
    value: str | None = None


class Utterance(msgspec.Struct, frozen=True, gc=False):
    """Something that a person said or wrote: tokens, their slots, and a label (intent or class).

    Slots are in order, disjoint, not empty, and within the tokens. ``raw`` is the original text;
    it is ``None`` if the text is the tokens joined by single spaces. Read :attr:`text` instead.
    ``extra`` holds the other columns of a file, which are copied unchanged.

    >>> utterance = Utterance.of("u1", "play miles davis", [Slot("artist", 1, 3)], "play_music")
    >>> utterance.text, utterance.tags
    ('play miles davis', ('O', 'B-artist', 'I-artist'))
    """

    id: str
    tokens: tuple[str, ...]
    slots: tuple[Slot, ...] = ()
    label: str | None = None
    raw: str | None = None
    extra: tuple[tuple[str, object], ...] = ()

    def __post_init__(self) -> None:
        if "" in self.tokens:
            raise DataError(f"utterance {self.id!r}: token {self.tokens.index('')} is empty")
        free = 0
        for slot in self.slots:
            if not free <= slot.start < slot.end <= len(self.tokens):
                raise DataError(
                    f"utterance {self.id!r}: slot {slot.label!r} covers tokens {slot.start} to "
                    f"{slot.end}; slots must be in order, disjoint, not empty, and within the "
                    f"{len(self.tokens)} tokens"
                )
            free = slot.end

    @classmethod
    def of(
        cls,
        id: str,
        text: str,
        slots: Iterable[Slot] = (),
        label: str | None = None,
        *,
        tokens: Sequence[str] | None = None,
        extra: tuple[tuple[str, object], ...] = (),
    ) -> Utterance:
        r"""Make an utterance from its text, which is split into tokens unless they are given.

        >>> Utterance.of("u1", " play\tjazz ").tokens
        ('play', 'jazz')
        >>> Utterance.of("u1", " play\tjazz ").text
        ' play\tjazz '
        """
        words = split(text) if tokens is None else tuple(tokens)
        raw = None if text == " ".join(words) else text
        utterance = cls(id, words, tuple(slots), label, raw, extra)
        if tokens is not None and raw is not None:
            _check_cover(utterance)
        return utterance

    @property
    def text(self) -> str:
        """The text, byte for byte as it was read."""
        return " ".join(self.tokens) if self.raw is None else self.raw

    @property
    def values(self) -> dict[str, list[str]]:
        """What the speaker meant by the slots of each label: their values, or their words.

        >>> Utterance.of("u1", "to uh boston", [Slot("city", 1, 3, "boston")]).values
        {'city': ['boston']}
        """
        found: dict[str, list[str]] = {}
        for slot in self.slots:
            value = self.words_of(slot) if slot.value is None else slot.value
            found.setdefault(slot.label, []).append(value)
        return found

    def words_of(self, slot: Slot) -> str:
        """Return the words of a slot as they are written in the text."""
        if self.raw is None:
            return " ".join(self.tokens[slot.start : slot.end])
        offsets, last = token_offsets(self), slot.end - 1
        return self.raw[offsets[slot.start] : offsets[last] + len(self.tokens[last])]

    @property
    def tags(self) -> tuple[str, ...]:
        """The slots as BIO tags, one per token."""
        tags = ["O"] * len(self.tokens)
        for slot in self.slots:
            start, end = slot.start, slot.end
            tags[start:end] = ["I-" + slot.label] * (end - start)
            tags[start] = "B-" + slot.label
        return tuple(tags)


_ENDING = ("E-", "L-")
_WHOLE = ("S-", "U-", *_ENDING)
_PREFIXES = ("B-", "I-", *_WHOLE)


def slots_of_tags(tags: Sequence[str]) -> tuple[Slot, ...]:
    """Return the slots of tags in any of the schemes IOB1, IOB2, IOE1, IOE2, IOBES and BILOU.

    ``B-`` and ``I-`` are as in conlleval: an ``I-`` that continues no slot starts one. ``E-`` and
    ``L-`` end a slot, ``S-`` and ``U-`` are slots of one token.

    >>> slots_of_tags(["O", "B-artist", "I-artist", "I-song"])
    (Slot(label='artist', start=1, end=3), Slot(label='song', start=3, end=4))
    >>> slots_of_tags(["S-artist", "B-song", "E-song", "E-song"])
    (Slot(label='artist', start=0, end=1), Slot(label='song', start=1, end=3), Slot(label='song', start=3, end=4))

    Raises:
        DataError: if a tag is neither ``O`` nor a prefix and a label.
    """  # noqa: E501 (the output of an example)
    slots: list[Slot] = []
    label, start, inside = "", 0, "O"
    for i, tag in enumerate(tags):
        if tag == inside:  # nothing begins or ends here
            continue
        if tag[:2] in _ENDING and label == tag[2:] and label:
            slots.append(Slot(label, start, i + 1))
            label, inside = "", "O"
            continue
        if label:
            slots.append(Slot(label, start, i))
            label, inside = "", "O"
        if tag != "O":
            if tag[:2] not in _PREFIXES or len(tag) < 3:  # noqa: PLR2004 (prefix and one letter)
                raise DataError(
                    f"tag {i} is {tag!r}; write O, B-label or I-label (IOBES and BILOU are also "
                    "read: S-, E-, U-, L-)"
                )
            if tag[:2] in _WHOLE:
                slots.append(Slot(tag[2:], i, i + 1))
            else:
                label, start = tag[2:], i
                inside = "I-" + label
    if label:
        slots.append(Slot(label, start, len(tags)))
    return tuple(slots)


def token_offsets(utterance: Utterance) -> list[int]:
    r"""Return the position in the text at which each token begins.

    >>> token_offsets(Utterance.of("u1", " play\tjazz"))
    [1, 6]

    Raises:
        UtteranceError: if the text does not contain the tokens in their order.
    """
    offsets, free, text = [], 0, utterance.text
    for i, token in enumerate(utterance.tokens):
        at = text.find(token, free)
        if at < 0:
            raise UtteranceError(
                f"utterance {utterance.id!r}: token {i} ({token!r}) is not in the text after "
                "the token before it; give tokens exactly as they are in the text, or no text"
            )
        offsets.append(at)
        free = at + len(token)
    return offsets


def _check_cover(utterance: Utterance) -> None:
    """Check that all of the text but white space is in a token: the rest could have no slot."""
    text, free = utterance.text, 0
    offsets = token_offsets(utterance)
    spans = [(at, at + len(token)) for at, token in zip(offsets, utterance.tokens, strict=True)]
    for start, end in (*spans, (len(text), len(text))):
        left = text[free:start].strip()
        if left:
            raise UtteranceError(
                f"utterance {utterance.id!r}: {left!r:.60} of the text is in no token; give tokens "
                "that cover the text, or no text"
            )
        free = end


class Edit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, repr_omit_defaults=True):
    """One change: the source's tokens from ``start`` up to ``end`` are replaced by ``tokens``.

    An insertion has ``start == end``; a deletion has no tokens. ``kind`` names the phenomenon
    (``filler``, ``typo``, …), ``operator`` the operator that proposed the edit. ``taken_back`` is
    how many of the tokens, from the first, the speaker corrects at once ("boston" in "boston no
    wait denver").
    """

    start: int
    end: int
    tokens: tuple[str, ...]
    operator: str
    kind: str
    taken_back: int = 0


class Variant(msgspec.Struct, frozen=True, gc=False):
    """An utterance made from another one: ``utterance`` is ``parent`` with the edits applied."""

    utterance: Utterance
    parent: Utterance
    edits: tuple[Edit, ...]

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def origin(self) -> tuple[int | None, ...]:
        """The position in the source of each token; ``None`` for an inserted token.

        A token that replaces another has the position of the token it replaces.

        >>> parent = Utterance.of("u1", "play jazz")
        >>> heard = Utterance.of("u1/0", "play uh jaws")
        >>> uh = Edit(1, 1, ("uh",), "fillers", "filler")
        >>> jaws = Edit(1, 2, ("jaws",), "speako", "speako")
        >>> Variant(heard, parent, (uh, jaws)).origin
        (0, None, 1)
        """
        origin: list[int | None] = []
        at = 0
        for edit in self.edits:
            origin.extend(range(at, edit.start))
            if edit.start == edit.end:
                origin.extend([None] * len(edit.tokens))
            else:
                last = edit.end - 1
                origin.extend(min(edit.start + i, last) for i in range(len(edit.tokens)))
            at = edit.end
        origin.extend(range(at, len(self.parent.tokens)))
        return tuple(origin)


class MadeCall(msgspec.Struct, frozen=True):
    """A call that a model made: the name of a tool, and its arguments."""

    name: str
    arguments: dict[str, Any]


class Prediction(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A model's answer for one utterance.

    ``slots`` are spans of the tokens that the model was given; ``()`` means that the model found
    no slots, ``None`` that it does not predict slots. ``label`` is ``None`` if the model does not
    predict labels. ``scores`` maps labels to probabilities, for as many labels as the model
    reports; it is ``None`` if the model reports none. ``values`` are the values of each slot label
    where the model answers without spans, as generative models do. ``calls`` are the tools that it
    called, ``()`` if it called none; ``text`` is what it said.

    >>> Prediction.of("u1", ["O", "B-artist", "I-artist"], "play_music").slots
    (Slot(label='artist', start=1, end=3),)
    """

    id: str
    slots: tuple[Slot, ...] | None = None
    label: str | None = None
    scores: dict[str, float] | None = None
    values: dict[str, list[str]] | None = None
    calls: tuple[MadeCall, ...] | None = None
    text: str | None = None

    @classmethod
    def of(cls, id: str, tags: Sequence[str], label: str | None = None) -> Prediction:
        """Make a prediction from tags; :func:`slots_of_tags` says how ill-formed ones are read.

        Raises:
            DataError: if a tag is neither ``O`` nor a prefix and a label.
        """
        return cls(id, slots_of_tags(tags), label)
