"""Rasa's training data: the JSON format and the YAML format, with entities by characters."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data.files.lines import Meter
from mondegreen.data.formats.documents import (
    DocumentFormat,
    by_label,
    json_bytes,
    pieces_of,
    read_json,
)
from mondegreen.data.formats.offsets import Span, spans_in, spans_of, utterance_of_spans
from mondegreen.data.formats.yaml_documents import load_yaml
from mondegreen.errors import DataError, OutputError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Utterance

_YAML = (".yml", ".yaml")
_ENTITY = lazy_pattern(r"\[(?P<text>[^\[\]]+)\](?:\((?P<label>[^()]+)\)|(?P<json>\{[^{}]*\}))")
_LIST = lazy_pattern(r"\[[^\[\]]+\]\[")
_SIMPLE = lazy_pattern(r"[A-Za-z_][\w/+.-]*")
_ROLE, _GROUP = "#", "@"


def is_rasa(document: Any) -> bool:
    """Return whether a document is Rasa's training data."""
    return isinstance(document, Mapping) and ("rasa_nlu_data" in document or "nlu" in document)


def _parse(document: Any, path: Path) -> Iterator[Utterance]:
    if not is_rasa(document):
        raise DataError("a document with rasa_nlu_data or nlu is expected")
    if "rasa_nlu_data" in document:
        return _parse_json(document["rasa_nlu_data"], path)
    return _parse_yaml(document, path)


def _parse_json(data: Mapping[str, Any], path: Path) -> Iterator[Utterance]:
    if not isinstance(data, Mapping):
        raise DataError(f"rasa_nlu_data is an object with common_examples, got {data!r:.60}")
    _warn(path, [key for key, value in data.items() if key != "common_examples" and value])
    for number, example in enumerate(data.get("common_examples", ()), start=1):
        text = _text_of(example)
        entities = [_labelled(entity) for entity in example.get("entities") or ()]
        label = example.get("intent") or None
        yield utterance_of_spans(str(number), text, spans_in(text, entities), label)


def _text_of(example: Any) -> str:
    """Return the text of an example.

    Raises:
        DataError: if it has none.
    """
    text = example.get("text") if isinstance(example, Mapping) else None
    if not isinstance(text, str):
        raise DataError(f"an example needs a text, got {example!r:.60}")
    return text


def _labelled(entity: Mapping[str, Any]) -> dict[str, Any]:
    return {**entity, "label": _label_of(entity)}


def _label_of(entity: Mapping[str, Any]) -> str:
    """Return an entity with its role and group as one label: ``city#from``, ``city@1``."""
    role, group = entity.get("role"), entity.get("group")
    label = str(entity["entity"])
    return label + (f"{_ROLE}{role}" if role else "") + (f"{_GROUP}{group}" if group else "")


def _parse_yaml(document: Mapping[str, Any], path: Path) -> Iterator[Utterance]:
    others = [key for key in document if key not in ("version", "nlu")]
    sections = document["nlu"] or ()
    if not isinstance(sections, list):
        raise DataError(f"nlu is a list of intents with their examples, got {sections!r:.60}")
    for section in sections:
        if not isinstance(section, Mapping) or not section:
            raise DataError(f"a part of nlu needs an intent and examples, got {section!r:.60}")
    others += sorted({str(next(iter(part))) for part in sections if "intent" not in part})
    _warn(path, others)
    numbers = count(1)
    for section in sections:
        if "intent" not in section:
            continue
        if not isinstance(section["intent"], str | int | float):
            raise DataError(f"the name of an intent is a text, got {section['intent']!r:.60}")
        for line in _lines(section.get("examples")):
            text, spans = _unmark(line)
            yield utterance_of_spans(str(next(numbers)), text, spans, str(section["intent"]))


def _lines(written: Any) -> Iterator[str]:
    """Yield the examples of an intent: lines that begin with a dash, or a list of texts."""
    if isinstance(written, str):
        for line in written.splitlines():
            if line.strip():
                if not line.lstrip().startswith("- "):
                    raise DataError(f"an example begins with '- ', got {line!r:.60}")
                yield line.lstrip()[2:].strip()
        return
    if written and not isinstance(written, list):
        raise DataError(f"the examples of an intent are lines or a list, got {written!r:.60}")
    for example in written or ():
        text = _text_of(example) if isinstance(example, Mapping | list) else str(example)
        yield text.strip().removeprefix("- ").strip()


def _unmark(line: str) -> tuple[str, list[Span]]:
    """Read the entities of an example: ``[7 a.m.](time)``, ``[me]{"entity": "who"}``."""
    if _LIST.search(line):
        raise DataError(f"a word with several entities in {line!r:.60} cannot be read; keep one")
    text, spans, at = "", [], 0
    for match in _ENTITY.finditer(line):
        text += line[at : match.start()]
        words = match["text"]
        entity = _entity(match)
        value = entity.get("value")
        label = _label_of(entity)
        spans.append(
            Span(len(text), len(text) + len(words), label, None if value is None else str(value))
        )
        text, at = text + words, match.end()
    return text + line[at:], spans


def _entity(match: re.Match[str]) -> dict[str, Any]:
    if match["json"] is None:
        label, _, value = match["label"].partition(":")
        return {"entity": label, "value": value or None}
    try:
        return msgspec.json.decode(match["json"], type=dict)
    except msgspec.DecodeError:
        raise DataError(f"{match[0]!r}: the part in braces is not JSON") from None


def _warn(path: Path, others: Sequence[str]) -> None:
    if others:
        warnings.warn(
            f"{path}: only the examples of intents are read, not: {', '.join(map(str, others))}",
            stacklevel=3,
        )


def _write(utterances: Sequence[Utterance], path: Path) -> bytes:
    if path.suffix in _YAML:
        return _yaml(utterances)
    rows = [
        {
            "text": utterance.text,
            **({"intent": utterance.label} if utterance.label is not None else {}),
            "entities": [_dict_of(utterance, span) for span in spans_of(utterance)],
        }
        for utterance in utterances
    ]
    return json_bytes({"rasa_nlu_data": {"common_examples": rows}})


def _dict_of(utterance: Utterance, span: Span) -> dict[str, Any]:
    words = utterance.text[span.start : span.end]
    return {
        "start": span.start,
        "end": span.end,
        "value": words if span.value is None else span.value,
        **_entity_keys(span.label),
    }


def _entity_keys(label: str) -> dict[str, str]:
    label, _, group = label.partition(_GROUP)
    label, _, role = label.partition(_ROLE)
    keys = {"entity": label, "role": role, "group": group}
    return {key: value for key, value in keys.items() if value}


def _yaml(utterances: Sequence[Utterance]) -> bytes:
    lines = ['version: "3.1"', "", "nlu:"]
    for label, of_label in by_label(utterances).items():
        name = label if _SIMPLE.fullmatch(label) else msgspec.json.encode(label).decode()
        lines += [f"- intent: {name}", "  examples: |"]
        lines += [f"    - {_marked(utterance)}" for utterance in of_label]
    return ("\n".join(lines) + "\n").encode()


def _marked(utterance: Utterance) -> str:
    line = "".join(
        piece if span is None else _mark(piece, span) for piece, span in pieces_of(utterance)
    )
    try:
        same = _unmark(line) == (utterance.text, spans_of(utterance))
    except DataError:
        same = False
    if not same or "\n" in line or line != line.strip():
        raise OutputError(
            f"utterance {utterance.id!r}: its brackets or spaces cannot be kept in Rasa's YAML; "
            "write .json"
        )
    return line


def _mark(words: str, span: Span) -> str:
    keys = _entity_keys(span.label)
    if len(keys) == 1 and span.value is None:
        return f"[{words}]({span.label})"
    value = {} if span.value is None else {"value": span.value}
    return f"[{words}]{msgspec.json.encode(keys | value).decode()}"


class Rasa(DocumentFormat):
    """Rasa's training data."""

    name = "rasa"
    holds = "Rasa's training data, JSON or YAML: examples with an intent and entities"
    suffixes = _YAML
    shares_ending = True
    examples = staticmethod(_parse)
    written = staticmethod(_write)
    recognises = staticmethod(is_rasa)

    def loaded(self, path: Path, meter: Meter | None) -> Iterator[Utterance]:
        """Yield the utterances of a file."""
        document = load_yaml(path, meter) if path.suffix in _YAML else read_json(path, meter)
        return self.examples(document, path)

    def confirms(self, path: Path) -> bool | None:
        """Return whether a YAML file is Rasa's."""
        return is_rasa(load_yaml(path)) if path.suffix in _YAML else None


RASA = Rasa()
