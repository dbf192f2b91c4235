"""Spelling: codes, addresses and phone numbers, letter by letter and digit by digit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.numbers import NumberReader
from mondegreen.values.text import Text

ADDRESS = lazy_pattern(
    r"\S*@\S*|\S*://\S*|\S*www\.\S*|\S*[^\W\d_]\S*\.[^\W\d_][\w-]\S*|\S*\w\.[^\W_]\w+(?:/\S*)?"
    r"|\S*\w/[^\W\d_]\S*|\S*\\\S*|\d+(?:\.\d+){3}\S*",
)
_TIGHT = frozenset("-.:_,/")
_PHONE = 7


class Spelled(NamedTuple):
    """Tokens that are spelled: their characters; a word that may only be meant so is a guess."""

    start: int
    end: int
    chars: tuple[str, ...]
    guess: bool = False


class Chunk(NamedTuple):
    """What stands between two spaces: an address, a code, and whether its signs say nothing."""

    address: bool
    code: bool
    loose: bool


_WORD = Chunk(address=False, code=False, loose=True)


def chunks(text: Text) -> list[Chunk]:
    """Return the chunk of each token."""
    found: list[Chunk] = []
    known: dict[tuple[int, int], Chunk] = {}
    spans = [(match.start(), match.end()) for match in _SPACED.finditer(text.text)]
    at = 0
    for token in text.tokens:
        while at < len(spans) and spans[at][1] <= token.start:
            at += 1
        span = spans[min(at, len(spans) - 1)]
        if span not in known:
            known[span] = _chunk(text.text[span[0] : span[1]])
        found.append(known[span])
    return found


_SPACED = lazy_pattern(r"\S+")


def _chunk(source: str) -> Chunk:
    if source.isalpha():
        return _WORD
    bare = source.rstrip(".,;:!?\"')")
    digits = sum(map(str.isdecimal, bare))
    letters = sum(map(str.isalpha, bare))
    address = bool(ADDRESS.fullmatch(bare)) and "..." not in bare
    several = bare.count("-") + bare.count(".") > 1
    loose = not address and (bool(letters) or digits >= _PHONE or several)
    if digits >= _PHONE and not letters:
        loose = True
    return Chunk(address, bool(digits and letters), loose)


def spelled(text: Text, reader: NumberReader) -> Iterator[Spelled]:
    """Yield what is spelled for certain: digits, single letters, signs, codes and addresses."""
    parts = chunks(text)
    starts = set(reader.starts())
    has_digits = any(token.text.isdecimal() for token in text.tokens)
    for at, token in enumerate(text.tokens):
        if (
            token.text.isdecimal()
            or not token.text[0].isalnum()
            or _is_spelled(text, parts, at, has_digits=has_digits)
        ):
            yield from _joined(text, parts, at, tuple(token.text))
        if reader.meanings(at):
            yield from _said(text, reader, at, number=at in starts)
        if "as in" in reader.kinds:
            for letter, end in list(_letters(text, reader, at))[1:]:
                yield Spelled(at, end, (letter,))


def spelled_words(text: Text) -> Iterator[Spelled]:
    """Yield words letter by letter: they agree with what is spelled, not with other words."""
    parts = chunks(text)
    for at, token in enumerate(text.tokens):
        if len(token.text) > 1 and token.text[0].isalpha():
            for found in _joined(text, parts, at, tuple(token.text)):
                yield found._replace(guess=True)


def _is_spelled(text: Text, parts: list[Chunk], at: int, *, has_digits: bool) -> bool:
    token = text.tokens[at]
    if len(token.text) == 1 or parts[at].address or parts[at].code:
        return True
    return has_digits and text.text[token.start : token.end].isupper()


def _joined(text: Text, parts: list[Chunk], at: int, chars: tuple[str, ...]) -> Iterator[Spelled]:
    """Yield a token with the sign before it, and without it where the sign says nothing."""
    gap = text.gaps[at]
    if len(gap) == 1 and gap in _TIGHT and at:
        yield Spelled(at, at + 1, (gap, *chars))
        if parts[at].loose:
            yield Spelled(at, at + 1, chars)
        return
    yield Spelled(at, at + 1, chars)
    if text.tokens[at].text == "." and parts[at].loose and at + 1 < len(text.tokens):
        yield Spelled(at, at + 2, tuple(text.tokens[at + 1].text))


def _said(text: Text, reader: NumberReader, at: int, *, number: bool) -> Iterator[Spelled]:
    number = number and not text.tokens[at].text.isdecimal() and not _scales(reader, at)
    whole = reader.whole(at) if number else None
    if whole is not None and isinstance(whole.value, int):
        yield Spelled(at, whole.end, tuple(str(whole.value)))
        if reader.rounds(at, whole.end):
            yield Spelled(at, at + 2, (str(reader.digit(at)), "0", "0"))
    for meaning, end in reader.meanings(at):
        if meaning.kind in ("char", "sign") or meaning.kind == "name":
            yield Spelled(at, end, tuple(meaning.value))
        elif meaning.kind == "zero":
            yield Spelled(at, end, ("0",))
        elif meaning.kind == "spelling" and _is_beside_letters(text, reader, at, end):
            yield Spelled(at, end, (meaning.value,))
        elif meaning.kind == "times":
            yield from _doubled(text, reader, at, end, meaning.value)


def _scales(reader: NumberReader, at: int) -> bool:
    """Return whether a token multiplies the number before it, as "hundred" in "two hundred"."""
    if not at or not any(meaning.kind == "mul" for meaning, _ in reader.meanings(at)):
        return False
    kinds = {meaning.kind for meaning, _ in reader.meanings(at - 1)}
    return bool(kinds & {"add", "mul"}) or reader.tokens[at - 1].text.isdecimal()


def _letter(text: Text, reader: NumberReader, at: int) -> tuple[str, int] | None:
    """Return the letter or digit that is said at a position, and where it ends."""
    if at >= len(text.tokens):
        return None
    token = text.tokens[at]
    if len(token.text) == 1 and token.text.isalnum():
        return token.text, at + 1
    for meaning, end in reader.meanings(at):
        if meaning.kind == "char":
            return meaning.value, end
        if meaning.kind == "spelling":
            return meaning.value, end
    digit = reader.digit(at)
    return None if digit is None else (str(digit), at + 1)


def _doubled(
    text: Text, reader: NumberReader, at: int, start: int, times: int
) -> Iterator[Spelled]:
    for letter, end in _letters(text, reader, start):
        yield Spelled(at, end, (letter,) * times)


def _is_beside_letters(text: Text, reader: NumberReader, at: int, end: int) -> bool:
    """Return whether a word of the spelling alphabet stands among letters or digits."""
    if _letter(text, reader, end) is not None:
        return True
    before = text.tokens[at - 1].text if at else ""
    if not before:
        return False
    single = len(before) == 1 and before.isalnum()
    return single or before.isdecimal() or _letter(text, reader, at - 1) is not None


def _letters(text: Text, reader: NumberReader, at: int) -> Iterator[tuple[str, int]]:
    """Yield the letter that is said at a position, alone and as in "b as in bravo"."""
    letter = _letter(text, reader, at)
    if letter is None:
        return
    yield letter
    for meaning, end in reader.meanings(letter[1]):
        word = text.tokens[end].text if end < len(text.tokens) else ""
        if meaning.kind == "as in" and word.startswith(letter[0]):
            yield letter[0], end + 1
