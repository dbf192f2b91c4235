"""Slots by characters: how Rasa, spaCy, Label Studio and others mark entities in a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from mondegreen.errors import DataError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Slot, Utterance, token_offsets

_LABELS = ("label", "entity", "type", "entity_type", "entity_group", "slot", "tag", "labels")
_TRIPLE = 3
_BRACKETS = lazy_pattern(r"\[\s*([^\[\]:]*?)\s*:\s*([^\[\]]*?)\s*\]")


class Span(NamedTuple):
    """A labelled part of a text, by characters; ``value`` is what was meant, if not the words."""

    start: int
    end: int
    label: str
    value: str | None = None


def utterance_of_spans(
    id: str,
    text: str,
    spans: Iterable[Span],
    label: str | None = None,
    extra: tuple[tuple[str, object], ...] = (),
) -> Utterance:
    """Make an utterance of a text with spans. A span that ends inside a word splits the word.

    >>> utterance = utterance_of_spans("1", "Wake me at 7 a.m., please", [Span(11, 17, "time")])
    >>> utterance.tokens, utterance.slots
    (('Wake', 'me', 'at', '7', 'a.m.', ',', 'please'), (Slot(label='time', start=3, end=5),))

    Raises:
        DataError: if a span lies outside the text, is empty, or overlaps another.
    """
    marked = sorted(_trimmed(text, span) for span in spans)
    for first, second in pairwise(marked):
        if first.end > second.start:
            raise DataError(
                f"the entities {text[first.start : first.end]!r} ({first.label}) and "
                f"{text[second.start : second.end]!r} ({second.label}) overlap; keep one of them"
            )
    whole = Utterance.of(id, text)
    edges = {edge for span in marked for edge in (span.start, span.end)}
    bounds = _bounds(whole, edges)
    starts = {start: i for i, (start, _) in enumerate(bounds)}
    ends = {end: i + 1 for i, (_, end) in enumerate(bounds)}
    slots = [Slot(s.label, starts[s.start], ends[s.end], s.value) for s in marked]
    tokens = [text[start:end] for start, end in bounds]
    return Utterance.of(id, text, slots, label, tokens=tokens, extra=extra)


def _trimmed(text: str, span: Span) -> Span:
    """Check a span, and leave out white space at its edges."""
    if not 0 <= span.start < span.end <= len(text):
        raise DataError(
            f"the entity {span.label!r} covers characters {span.start} to {span.end} of a text of "
            f"{len(text)}; offsets count characters, not bytes, from 0"
        )
    words = text[span.start : span.end]
    if not words.strip():
        raise DataError(f"the entity {span.label!r} at character {span.start} covers only spaces")
    start = span.start + len(words) - len(words.lstrip())
    value = span.value if span.value != words.strip() else None
    return Span(start, start + len(words.strip()), span.label, value)


def _bounds(utterance: Utterance, edges: set[int]) -> list[tuple[int, int]]:
    """Return where each token starts and ends, once words are split at the edges."""
    bounds: list[tuple[int, int]] = []
    for start, token in zip(token_offsets(utterance), utterance.tokens, strict=True):
        end = start + len(token)
        cuts = [start, *sorted(edge for edge in edges if start < edge < end), end]
        bounds += pairwise(cuts)
    return bounds


def spans_of(utterance: Utterance) -> list[Span]:
    """Return the slots of an utterance by characters of its text.

    >>> spans_of(Utterance.of("1", "play  miles davis", [Slot("artist", 1, 3)]))
    [Span(start=6, end=17, label='artist', value=None)]
    """
    if not utterance.slots:
        return []
    starts = token_offsets(utterance)
    return [
        Span(
            starts[slot.start],
            starts[slot.end - 1] + len(utterance.tokens[slot.end - 1]),
            slot.label,
            slot.value,
        )
        for slot in utterance.slots
    ]


def spans_in(text: str, entities: Sequence[Any]) -> list[Span]:
    """Read entities: ``{"start", "end", "label"}`` or ``[start, end, label]``, by characters.

    The label may have another usual name (entity, type, …). The words of the entity, where they
    are given under ``text`` or ``word``, must be those of the text; a ``value`` that differs is
    what was meant.

    Raises:
        DataError: if an entity is of another form, or its words are not where it says.
    """
    return [_span(text, entity) for entity in entities]


def _span(text: str, entity: Any) -> Span:
    if isinstance(entity, Sequence) and len(entity) == _TRIPLE and not isinstance(entity, str):
        start, end, label = entity
        entity = {"start": start, "end": end, "label": label}
    start, end, label = _edges(entity)
    words = text[start:end] if 0 <= start <= end else ""
    for name in ("text", "word"):
        given = entity.get(name)
        if isinstance(given, str) and given.strip() != words.strip():
            raise DataError(
                f"the entity {label!r} says {given!r}, but characters {start} to {end} of the text "
                f"are {words!r}; are its offsets counted in bytes or tokens?"
            )
    value = entity.get("value")
    return Span(start, end, label, value if isinstance(value, str) else None)


def _edges(entity: object) -> tuple[int, int, str]:
    if isinstance(entity, Mapping):
        start, end = entity.get("start"), entity.get("end")
        label = next((entity[name] for name in _LABELS if entity.get(name)), None)
        if isinstance(label, list) and len(label) == 1:
            label = label[0]
        if type(start) is int and type(end) is int and isinstance(label, str):
            return start, end, label
    raise DataError(
        f"an entity needs start, end (characters) and a label, got {entity!r:.80}; write "
        '{"start": 5, "end": 9, "label": "genre"} or [5, 9, "genre"]'
    )


def parse_brackets(annotated: str) -> tuple[str, list[Span]]:
    """Read a text with slots in brackets, as MASSIVE and SLURP write them.

    >>> parse_brackets("wake me at [time : seven am]")
    ('wake me at seven am', [Span(start=11, end=19, label='time', value=None)])
    """
    pieces: list[str] = []
    spans = []
    at = length = 0
    for match in _BRACKETS.finditer(annotated):
        before = annotated[at : match.start()]
        start = length + len(before)
        pieces += (before, match[2])
        if not match[1] or not match[2]:
            raise DataError(f"{match[0]!r} needs a label and words: [time : seven am]")
        spans.append(Span(start, start + len(match[2]), match[1]))
        length, at = start + len(match[2]), match.end()
    return "".join(pieces) + annotated[at:], spans


def write_brackets(utterance: Utterance) -> str:
    """Return the text with its slots in brackets.

    >>> write_brackets(Utterance.of("1", "wake me at seven", [Slot("time", 3, 4)]))
    'wake me at [time : seven]'
    """
    text, at = utterance.text, 0
    pieces: list[str] = []
    for span in spans_of(utterance):
        pieces += (text[at : span.start], f"[{span.label} : {text[span.start : span.end]}]")
        at = span.end
    return "".join(pieces) + text[at:]


def place_spans(text: str, other: str, spans: Sequence[Span]) -> list[Span]:
    """Move spans from one text to another that differs only in its white space.

    Raises:
        DataError: if the texts differ in more than white space.
    """
    if text == other:
        return list(spans)
    here = [i for i, c in enumerate(text) if not c.isspace()]
    there = [i for i, c in enumerate(other) if not c.isspace()]
    if [text[i] for i in here] != [other[i] for i in there]:
        raise DataError(f"the annotated text {text!r:.60} is not the text {other!r:.60}")
    moved = dict(zip(here, there, strict=True))
    inside = [[i for i in range(s.start, s.end) if i in moved] for s in spans]
    return [
        Span(moved[found[0]], moved[found[-1]] + 1, span.label, span.value)
        for span, found in zip(spans, inside, strict=True)
        if found
    ]
