"""Formats of plain words: ``.txt``, Kaldi's ``text``, and ``.trn``."""

from __future__ import annotations

import re

from mondegreen.data.formats import Item, line_format, said_of
from mondegreen.errors import DataError
from mondegreen.types import Utterance

_TRN = re.compile(r"(.*?)[ \t]*\(([^()]*)\)[ \t]*", re.DOTALL)
_TRN_TOKEN = re.compile(r"\{[^{}]*\}|[^\s{}]+")


def _parse_txt(number: int, line: str) -> Utterance:
    return Utterance.of(str(number), line)


def _render_txt(item: Item) -> str:
    return said_of(item).text


def _parse_kaldi(_number: int, line: str) -> Utterance:
    parts = line.split(maxsplit=1)
    if not parts or line[0].isspace():
        raise DataError("an id is expected first, then the words: id word word …")
    return Utterance.of(parts[0], parts[1] if len(parts) > 1 else "")


def _render_kaldi(item: Item) -> str:
    said = said_of(item)
    if len(said.id.split()) != 1:
        raise DataError(f"the id {said.id!r} holds white space; Kaldi's text cannot keep it")
    return f"{said.id} {said.text}" if said.tokens else said.id


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
    return f"{said.text} ({said.id})" if said.tokens else f"({said.id})"


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
