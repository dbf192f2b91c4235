"""Write docstrings and signatures as Markdown, for the reference of the Python names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

_WIDTH = 90  # letters of a signature that stays in one line
_SECTION = re.compile(r"^(Args|Raises|Returns|Yields|Attributes):$")
_TITLES = {"Args": "Arguments"}
_ENTRY = re.compile(r"^    (\S[^:]*): (.*)$")


def documented(name: str, value: Callable[..., object]) -> str:
    """Return the signature and the docstring of a name as Markdown."""
    text = "\n\n".join(_parts((inspect.getdoc(value) or "").splitlines()))
    return f"```python\n{name}{_signature(value)}\n```\n\n{text}"


def _signature(value: Callable[..., object]) -> str:
    try:
        found = inspect.signature(value)
    except ValueError:
        return "(…)"
    text = _plain(str(found))
    if len(text) <= _WIDTH:
        return text
    lines: list[str] = []
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and "*" not in lines:
            lines.append("*")
        lines.append(_plain(str(one)))
    returned = text.rpartition(") -> ")[2]
    return "(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {returned}"


def _plain(signature: str) -> str:
    """Return a signature without quotes around types and without addresses of functions."""
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", signature)
    signature = re.sub(r"\{('[^{}]*')\}", _sorted, signature)
    return re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", signature)


def _sorted(match: re.Match[str]) -> str:
    """Return the elements of a set in order: they have none of their own."""
    return "{" + ", ".join(sorted(match[1].split(", "))) + "}"


def _parts(lines: Sequence[str]) -> Iterator[str]:
    """Yield the paragraphs, examples and sections of a docstring."""
    for blank, group in groupby(lines, key=lambda line: not line.strip()):
        part = list(group)
        if blank:
            continue
        section = _SECTION.match(part[0])
        if section:
            yield f"**{_TITLES.get(section[1], section[1])}**\n\n" + "\n".join(_entries(part[1:]))
        elif part[0].startswith(">>> "):
            yield "```python\n" + "\n".join(part) + "\n```"
        else:
            yield _code(" ".join(line.strip() for line in part))


def _entries(lines: Sequence[str]) -> Iterator[str]:
    """Yield the names of a section with what is said of them, as a list."""
    entries: list[str] = []
    for line in lines:
        entry = _ENTRY.match(line)
        if entry:
            entries.append(f"- `{entry[1]}`: {entry[2]}")
        elif entries:
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line.strip())
    yield from map(_code, entries)


def _code(text: str) -> str:
    return text.replace("``", "`")
