"""A call that a model writes as code of Java or JavaScript: ``[area.of(width=5L, name="x")]``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mondegreen.text.patterns import lazy_pattern

_NAME = lazy_pattern(r"([\w$.]+)\s*\(")
_ARGUMENT = lazy_pattern(r"(?s)([\w$]+)\s*=(?!=)\s*(.+)")
_OPENING, _CLOSING, _QUOTES = "([{", ")]}", "\"'`"


def code_calls(text: str) -> list[dict[str, Any]]:
    """Read the call of a text; every argument stays a text of code, a quoted one without quotes.

    As BFCL does, the first and the last letter are taken for brackets; a text that is no call, or
    that gives an argument twice, is no call.

    >>> code_calls("[Area.of(width=5L, name='a, b', sides=new int[]{1, 2})]")[0]["arguments"]
    {'width': '5L', 'name': 'a, b', 'sides': 'new int[]{1, 2}'}
    """
    code = text[1:-1].strip().removesuffix(";").rstrip()
    found = _NAME.match(code)
    if found is None or not code.endswith(")"):
        return []
    arguments: dict[str, str] = {}
    last = ""
    for piece in _pieces(code[found.end() : -1]):
        named = _ARGUMENT.match(piece or "")
        if named is not None and named[1] not in arguments:
            last = named[1]
            arguments[last] = named[2]
        elif piece and named is None and arguments:  # a comma between < and >
            arguments[last] += f", {piece}"
        elif piece is None or named is not None or piece:
            return []
    arguments = {name: _unquoted(value) for name, value in arguments.items()}
    return [{"name": found[1], "arguments": arguments}]


def _pieces(code: str) -> Iterator[str | None]:
    """Yield what stands between the commas that are in no brackets; ``None`` for code that ends."""
    open: list[str] = []
    quote, begin, escaped = "", 0, False
    for at, letter in enumerate(code):
        if quote:
            quote = "" if letter == quote and not escaped else quote
            escaped = letter == "\\" and not escaped
        elif letter in _QUOTES:
            quote, escaped = letter, False
        elif letter in _OPENING:
            open.append(_CLOSING[_OPENING.index(letter)])
        elif letter in _CLOSING:
            if not open or open.pop() != letter:
                yield None
                return
        elif letter == "," and not open:
            yield code[begin:at].strip()
            begin = at + 1
    yield None if quote or open else code[begin:].strip()


def _unquoted(code: str) -> str:
    quoted = len(code) > 1 and code[0] == code[-1] and code[0] in "\"'"
    return code[1:-1] if quoted else code
