"""Formats of plain words: ``.txt``, Kaldi's ``text``, and ``.trn``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mondegreen.data.formats.format import Item, LineFormat, utterance_in
from mondegreen.errors import DataError, OutputError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Utterance

_TRN = lazy_pattern(r"(.*?)[ \t]?\(([^()\s]*)\)[ \t]*", re.DOTALL)
_TRN_LINE = lazy_pattern(r".*\([^()\s]+\)\s*")
_KALDI = lazy_pattern(r"(\S+)(?:[ \t](.*))?", re.DOTALL)
_KALDI_ID = lazy_pattern(r"(?=.*\d)(?=.*[A-Za-z_-])[\w.#-]+")
_TRN_PIECE = lazy_pattern(r"[{}]|[^\s{}]+")
_TRN_COMMENT = ";;"


def _parse_txt(number: int, line: str) -> Utterance:
    return Utterance.of(str(number), line)


def _render_txt(item: Item) -> str:
    text = utterance_in(item).text
    if text.endswith("\r") or text.startswith("\ufeff"):
        raise _lossy("txt", utterance_in(item))
    return text


def _lossy(name: str, utterance: Utterance) -> OutputError:
    return OutputError(
        f"utterance {utterance.id!r}: the format {name} cannot keep its id or text as they are; "
        "write .jsonl"
    )


def _kept(
    name: str, utterance: Utterance, line: str, parse: Callable[[int, str], Utterance | None]
) -> str:
    """Return the line, if it reads back as the same utterance."""
    try:
        back = parse(0, line)
    except DataError:
        raise _lossy(name, utterance) from None
    if back is None or (back.id, back.text) != (utterance.id, utterance.text):
        raise _lossy(name, utterance)
    return line


def _parse_kaldi(number: int, line: str) -> Utterance:  # noqa: ARG001
    match = _KALDI.fullmatch(line)
    if match is None:
        raise DataError("an id is expected first, then the words: id word word …")
    return Utterance.of(match[1], match[2] or "")


def _render_kaldi(item: Item) -> str:
    utterance = utterance_in(item)
    line = f"{utterance.id} {utterance.text}" if utterance.text else utterance.id
    return _kept("kaldi", utterance, line, _parse_kaldi)


def _parse_trn(number: int, line: str) -> Utterance | None:  # noqa: ARG001
    if line.startswith(_TRN_COMMENT) or not line.strip():
        return None
    match = _TRN.fullmatch(line)
    if match is None:
        raise DataError("the id is expected at the end, in brackets: word word … (id)")
    words, id = match[1], match[2]
    return Utterance.of(id, words, tokens=_trn_tokens(words))


def _trn_tokens(words: str) -> list[str]:
    """Split words; an alternation is one token, with the alternations inside it."""
    tokens: list[str] = []
    depth = start = 0
    for piece in _TRN_PIECE.finditer(words):
        if piece[0] == "{":
            start = start if depth else piece.start()
            depth += 1
        elif piece[0] == "}":
            depth -= 1
            if depth < 0:
                break
            if not depth:
                tokens.append(words[start : piece.end()])
        elif not depth:
            tokens.append(piece[0])
    if depth:
        raise DataError("the braces of an alternation do not match; write { one / other / @ }")
    return tokens


def _render_trn(item: Item) -> str:
    utterance = utterance_in(item)
    line = f"{utterance.text} ({utterance.id})" if utterance.text else f"({utterance.id})"
    return _kept("trn", utterance, line, _parse_trn)


def _looks_like_trn(lines: Sequence[str]) -> bool:
    plain = [line for line in lines if not line.startswith(_TRN_COMMENT)]
    return bool(plain) and all(_TRN_LINE.fullmatch(line) for line in plain)


def _looks_like_kaldi(lines: Sequence[str]) -> bool:
    """Return whether each line is an id and words, with a tab between or ids that look like ids."""
    if all(line.count("\t") == 1 and line.split("\t")[0].strip() for line in lines):
        return True
    ids = [line.split(maxsplit=1)[0] for line in lines]
    return 1 < len(ids) == len(set(ids)) and all(map(_KALDI_ID.fullmatch, ids))


class Txt(LineFormat):
    """Plain text."""

    name = "txt"
    holds = "plain text, one utterance per line"
    suffixes = (".txt",)
    has_ids = False
    plain_text = True
    parse = staticmethod(_parse_txt)
    render = staticmethod(_render_txt)


class Kaldi(LineFormat):
    """Kaldi's text."""

    name = "kaldi"
    holds = "Kaldi's text: the id, then the words"
    suffixes = (".kaldi",)
    file_names = ("text",)
    guessed = True
    parse = staticmethod(_parse_kaldi)
    render = staticmethod(_render_kaldi)
    looks_like = staticmethod(_looks_like_kaldi)


class Trn(LineFormat):
    """NIST's trn."""

    name = "trn"
    holds = (
        "NIST's trn: the words, then the id in brackets; { a / b / @ } is one token; ;; is a "
        "comment"
    )
    suffixes = (".trn",)
    alternatives = True
    parse = staticmethod(_parse_trn)
    render = staticmethod(_render_trn)
    looks_like = staticmethod(_looks_like_trn)


TXT, KALDI, TRN = Txt(), Kaldi(), Trn()
