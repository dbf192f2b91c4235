"""Formats of plain words: ``.txt``, Kaldi's ``text``, and ``.trn``."""

from __future__ import annotations

import re
from collections.abc import Callable

from mondegreen.data.formats import Item, line_format, said_of
from mondegreen.errors import DataError, OutputError
from mondegreen.types import Utterance

_TRN = re.compile(r"(.*?)[ \t]?\(([^()\s]*)\)[ \t]*", re.DOTALL)
_KALDI = re.compile(r"(\S+)(?:[ \t](.*))?", re.DOTALL)
_TRN_TOKEN = re.compile(r"\{[^{}]*\}|[^\s{}]+")


def _parse_txt(number: int, line: str) -> Utterance:
    return Utterance.of(str(number), line)


def _render_txt(item: Item) -> str:
    text = said_of(item).text
    if text.endswith("\r") or text.startswith("\ufeff"):
        raise _lossy("txt", said_of(item))
    return text


def _lossy(name: str, said: Utterance) -> OutputError:
    return OutputError(
        f"utterance {said.id!r}: the format {name} cannot keep its id or text as they are; write "
        ".jsonl"
    )


def _kept(name: str, said: Utterance, line: str, parse: Callable[[int, str], Utterance]) -> str:
    """The line, if it reads back as the same utterance."""
    try:
        back = parse(0, line)
    except DataError:
        raise _lossy(name, said) from None
    if (back.id, back.text) != (said.id, said.text):
        raise _lossy(name, said)
    return line


def _parse_kaldi(_number: int, line: str) -> Utterance:
    match = _KALDI.fullmatch(line)
    if match is None:
        raise DataError("an id is expected first, then the words: id word word …")
    return Utterance.of(match[1], match[2] or "")


def _render_kaldi(item: Item) -> str:
    said = said_of(item)
    line = f"{said.id} {said.text}" if said.text else said.id
    return _kept("kaldi", said, line, _parse_kaldi)


def _parse_trn(_number: int, line: str) -> Utterance:
    match = _TRN.fullmatch(line)
    if match is None:
        raise DataError("the id is expected at the end, in brackets: word word … (id)")
    words, id = match[1], match[2]
    if len(words.split()) != len(" ".join(_TRN_TOKEN.findall(words)).split()):
        raise DataError("the braces of an alternation do not match; write { one / other / @ }")
    return Utterance.of(id, words, tokens=_TRN_TOKEN.findall(words))


def _render_trn(item: Item) -> str:
    said = said_of(item)
    line = f"{said.text} ({said.id})" if said.text else f"({said.id})"
    return _kept("trn", said, line, _parse_trn)


TXT = line_format("txt", "a line an utterance", (".txt",), _parse_txt, _render_txt, has_ids=False)
KALDI = line_format(
    "kaldi", "Kaldi's text: id, words", (".kaldi",), _parse_kaldi, _render_kaldi, has_ids=True
)
TRN = line_format(
    "trn",
    "words, (id); { a / b / @ } is one token",
    (".trn",),
    _parse_trn,
    _render_trn,
    has_ids=True,
)
