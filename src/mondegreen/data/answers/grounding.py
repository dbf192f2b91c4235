"""Grounding: where the values of expected arguments occur in the words of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mondegreen.data.answers.conversations import Call
from mondegreen.data.formats.offsets import Span
from mondegreen.text.dates import date_of, dates_in
from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.counting import number_at, number_in

_WORD = lazy_pattern(
    r"[$£€]?(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:st|nd|rd|th)?%?(?!\w)|[^\W\d_]+"
)
_TOKEN = lazy_pattern(r"\S+")
_PARTS = lazy_pattern(r"[^\W_]+")
_Range = tuple[int, int]
SEPARATOR = "#"
"""Between an argument and the number of its call, from the second call on."""


class Leaf(NamedTuple):
    """A single value of an argument, and the texts and numbers that may stand for it."""

    path: str
    answers: tuple[Any, ...]


def leaves_of(call: Call) -> Iterator[Leaf]:
    """Yield the single values of the arguments of a call.

    >>> list(leaves_of(Call("f", {"to": ["Orlando", "MCO"], "days": [[1, 2]]})))
    [Leaf(path='to', answers=('Orlando', 'MCO')), Leaf(path='days', answers=(1,)), Leaf(path='days', answers=(2,))]
    """  # noqa: E501 (the output of an example)
    for name, possible in call.arguments.items():
        yield from _leaves(name, possible)


def _leaves(path: str, possible: Sequence[Any]) -> Iterator[Leaf]:
    plain = tuple(one for one in possible if isinstance(one, str | int | float) and one != "")
    if plain:
        yield Leaf(path, plain)
        return
    for one in possible:
        if isinstance(one, list):
            for item in one:
                yield from _leaves(path, [item])
            return
        if isinstance(one, dict):
            for key, value in one.items():
                yield from _leaves(f"{path}.{key}", value if isinstance(value, list) else [value])
            return


def ground(text: str, calls: Sequence[Call]) -> list[Span]:
    """Return where the values of calls occur in a text: in words or digits, any case, plural.

    A value that stands nowhere is left out; of several places the first free one counts. A span
    covers whole tokens, with the signs around the value, unless two values share a token. The label
    is the argument; from the second call on with ``#`` and the number of the call.

    >>> ground("Fly two people to orlando!", [Call("fly", {"to": ["Orlando"], "guests": [2]})])
    [Span(start=18, end=26, label='to', value='Orlando'), Span(start=4, end=7, label='guests', value='2')]
    """  # noqa: E501 (the output of an example)
    found: list[tuple[_Range, str, str]] = []
    for number, call in enumerate(calls, start=1):
        suffix = "" if number == 1 else f"{SEPARATOR}{number}"
        for leaf in leaves_of(call):
            place = _find(text, leaf, [taken for taken, _, _ in found])
            if place is not None:
                found.append((place[0], leaf.path + suffix, str(place[1])))
    wider = _whole_tokens(text, [taken for taken, _, _ in found])
    return [
        Span(start, end, label, None if text[start:end] == value else value)
        for (start, end), (_, label, value) in zip(wider, found, strict=True)
    ]


def _whole_tokens(text: str, ranges: list[_Range]) -> list[_Range]:
    """Widen ranges to the tokens in which they stand; a token of two ranges is left divided."""
    wider = list(ranges)
    for token in _TOKEN.finditer(text):
        inside = [i for i, (a, b) in enumerate(ranges) if a < token.end() and b > token.start()]
        if len(inside) == 1:
            start, end = wider[inside[0]]
            wider[inside[0]] = min(start, token.start()), max(end, token.end())
    return wider


def _find(text: str, leaf: Leaf, taken: list[_Range]) -> tuple[_Range, Any] | None:
    for answer in leaf.answers:
        for start, end in _places(text, answer):
            if all(end <= a or start >= b for a, b in taken):
                return (start, end), answer
    return None


def _places(text: str, answer: Any) -> Iterator[_Range]:
    if isinstance(answer, bool):
        return
    if isinstance(answer, int | float):
        yield from _numbers(text, answer)
        return
    yield from _texts(text, answer)
    date = date_of(answer)
    if date is not None:
        yield from ((one.start, one.end) for one in dates_in(text) if one.date.same(date))
    value = number_in(answer)
    if value is not None:
        yield from _numbers(text, value)


def _texts(text: str, answer: str) -> Iterator[_Range]:
    """Find a text as it is, then by its words: in any case, with other signs between, plural."""
    at = text.find(answer) if answer.strip() else -1
    if at >= 0 and _whole(text, at, at + len(answer)):
        yield at, at + len(answer)
    words = _PARTS.findall(answer)
    if not words:
        return
    *first, last = words
    singular = last[:-1] if last.lower().endswith("s") and len(last) > 3 else last  # noqa: PLR2004
    parts = [*map(re.escape, first), re.escape(singular) + r"(?:s|es)?"]
    between = r"[\W_]+".join(parts)
    pattern = re.compile(rf"(?<!\w){between}(?!\w)", re.IGNORECASE)
    yield from (match.span() for match in pattern.finditer(text))


def _whole(text: str, start: int, end: int) -> bool:
    """Return whether a part of a text neither begins nor ends inside a word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _numbers(text: str, wanted: float) -> Iterator[_Range]:
    """Find a number in digits or words; a share such as 0.05 also as "5%"."""
    matches = list(_WORD.finditer(text))
    words = [match[0].lower() for match in matches]
    for at in range(len(words)):
        found = number_at([word.removesuffix("%") for word in words], at)
        if found is None:
            continue
        percent = words[found.end - 1].endswith("%") or words[found.end : found.end + 1] in (
            ["percent"],
            ["%"],
        )
        if found.value == wanted or (percent and abs(found.value / 100 - wanted) < 1e-9):  # noqa: PLR2004
            yield matches[at].start(), matches[found.end - 1].end()
