"""spaCy's training data: ``.spacy`` files (DocBin), and ``[text, {"entities": …}]`` in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import Meter
from mondegreen.data.formats.documents import DocumentFormat, json_bytes, read_bytes
from mondegreen.data.formats.offsets import Span, spans_in, spans_of, utterance_of_spans
from mondegreen.errors import DataError, MissingExtraError
from mondegreen.types import Utterance, token_offsets

_SUFFIX = ".spacy"
_COMPRESSED = b"x\x9c"  # how zlib begins, and so a DocBin
_PAIR = 2


def _spacy() -> Any:
    try:
        import spacy
        import spacy.tokens
    except ImportError:
        raise MissingExtraError.of("spacy", "spaCy's .spacy files") from None
    return spacy


def _read(path: Path, meter: Meter | None) -> Iterator[Utterance]:
    content = read_bytes(path, meter)
    if content.startswith(_COMPRESSED):
        return _from_docs(_docs(content, path), path)
    try:
        document = msgspec.json.decode(content)
    except msgspec.DecodeError:
        document = [_line(path, n, line) for n, line in enumerate(content.splitlines(), start=1)]
    return _from_pairs(document, path)


def _line(path: Path, number: int, line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise DataError.at(path, number, f"not JSON: {error}") from None


def _docs(content: bytes, path: Path) -> Iterator[Any]:
    spacy = _spacy()
    try:
        found = spacy.tokens.DocBin().from_bytes(content)
        yield from found.get_docs(spacy.blank("xx").vocab)
    except Exception as error:  # noqa: BLE001 (spaCy has no error of its own for this)
        raise DataError(f"{path}: not a file of spaCy: {error}") from None


def _from_docs(docs: Any, _: Path) -> Iterator[Utterance]:
    for number, doc in enumerate(docs, start=1):
        spans = [Span(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]
        yield utterance_of_spans(str(number), doc.text, spans, _label(doc.cats))


def _from_pairs(document: Any, _: Path) -> Iterator[Utterance]:
    for number, pair in enumerate(document, start=1):
        if not _is_pair(pair):
            raise DataError(f'expected [text, {{"entities": [[5, 9, "genre"]]}}], got {pair!r:.60}')
        text, about = pair
        spans = spans_in(text, about.get("entities") or ())
        yield utterance_of_spans(str(number), text, spans, _label(about.get("cats") or {}))


def _label(cats: Mapping[str, float]) -> str | None:
    """Return the category with the highest score; ``None`` if all are 0."""
    best = max(cats, key=lambda name: cats[name], default=None)
    return best if best is not None and cats[best] > 0 else None


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == _PAIR
        and isinstance(value[0], str)
        and isinstance(value[1], Mapping)
    )


def _recognises(document: Any) -> bool:
    return isinstance(document, list) and bool(document) and all(map(_is_pair, document))


def _looks_like(lines: Sequence[str]) -> bool:
    """Return whether each line is a pair of a text and its entities."""
    try:
        return all(_is_pair(msgspec.json.decode(line)) for line in lines)
    except (msgspec.DecodeError, RecursionError):
        return False


def _write(utterances: Sequence[Utterance], path: Path) -> bytes:
    labels = sorted({one.label for one in utterances if one.label is not None})
    if path.suffix != _SUFFIX:
        return json_bytes([[one.text, _about(one, labels)] for one in utterances])
    spacy = _spacy()
    vocab = spacy.blank("xx").vocab
    docs = spacy.tokens.DocBin()
    for utterance in utterances:
        doc = _doc(spacy, vocab, utterance)
        doc.cats = _cats(utterance, labels)
        docs.add(doc)
    content: bytes = docs.to_bytes()
    return content


def _about(utterance: Utterance, labels: Sequence[str]) -> dict[str, Any]:
    about: dict[str, Any] = {"entities": [span[:3] for span in spans_of(utterance)]}
    return about | ({"cats": _cats(utterance, labels)} if labels else {})


def _cats(utterance: Utterance, labels: Sequence[str]) -> dict[str, float]:
    return {label: float(label == utterance.label) for label in labels}


def _doc(spacy: Any, vocab: Any, utterance: Utterance) -> Any:
    """Make a doc whose text is the utterance's, white space included."""
    text = utterance.text
    words: list[str] = []
    spaces: list[bool] = []
    offsets = token_offsets(utterance)
    ends = [0, *(at + len(token) for at, token in zip(offsets, utterance.tokens, strict=True))]
    for i, (end, start) in enumerate(zip(ends, [*offsets, len(text)], strict=True)):
        gap = text[end:start]
        if words and gap.startswith(" "):
            spaces[-1] = True
            gap = gap[1:]
        if gap:
            words.append(gap)
            spaces.append(False)
        if i < len(utterance.tokens):
            words.append(utterance.tokens[i])
            spaces.append(False)
    doc = spacy.tokens.Doc(vocab, words=words, spaces=spaces)
    doc.set_ents([doc.char_span(s.start, s.end, label=s.label) for s in spans_of(utterance)])
    return doc


class Spacy(DocumentFormat):
    """spaCy's training data."""

    name = "spacy"
    holds = 'spaCy\'s training data: .spacy files, or [text, {"entities": …}] in JSON'
    suffixes = (_SUFFIX,)
    magic = _COMPRESSED
    json_lines = True
    loaded = staticmethod(_read)
    written = staticmethod(_write)
    looks_like = staticmethod(_looks_like)
    recognises = staticmethod(_recognises)


SPACY = Spacy()
