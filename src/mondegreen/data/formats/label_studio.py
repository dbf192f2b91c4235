"""Label Studio's exports, JSON and JSON-MIN: labels are slots, a choice is the label."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mondegreen.data.formats.documents import DocumentFormat
from mondegreen.data.formats.offsets import spans_in, spans_of, utterance_of_spans
from mondegreen.errors import DataError
from mondegreen.types import Utterance

_TEXT, _LABELS, _CHOICE, _ID = "text", "label", "intent", "utterance_id"
_ABOUT = frozenset(("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"))


def _is_full(document: Any) -> bool:
    return _is_list(document) and all("annotations" in t and "data" in t for t in document)


def _is_minimal(document: Any) -> bool:
    return _is_list(document) and all("annotation_id" in t or "lead_time" in t for t in document)


def _is_list(document: Any) -> bool:
    return bool(document) and isinstance(document, list) and isinstance(document[0], Mapping)


def _is_label_studio(document: Any) -> bool:
    return _is_full(document) or _is_minimal(document)


def _parse(document: Any, path: Path) -> Iterator[Utterance]:
    if not _is_label_studio(document):
        raise DataError("a list of tasks with data and annotations is expected")
    for number, task in enumerate(document, start=1):
        given = task.get("data", {}).get(_ID) or task.get("id", number)
        id = str(given)
        yield _full(task, id, path) if "annotations" in task else _minimal(task, id)


def _full(task: Mapping[str, Any], id: str, path: Path) -> Utterance:
    done = [one for one in task["annotations"] if not one.get("was_cancelled")]
    if len(done) > 1:
        warnings.warn(f"{path}: task {id} has several annotations; the first is read", stacklevel=2)
    results = done[0]["result"] if done else []
    entities, label = [], None
    for result in results:
        value = result.get("value", {})
        if "labels" in value:
            entities.append(value)
        elif value.get("choices"):
            label = str(value["choices"][0])
        else:
            kind = result.get("type")
            warnings.warn(f"{path}: results of the type {kind} are not read", stacklevel=2)
    text = _text(task["data"], {result.get("to_name", "") for result in results})
    extra = tuple((k, v) for k, v in task["data"].items() if v != text and k != _ID)
    return utterance_of_spans(id, text, spans_in(text, entities), label, extra)


def _minimal(task: Mapping[str, Any], id: str) -> Utterance:
    """Read a task of JSON-MIN, in which each control of the interface is a key."""
    values = {k: v for k, v in task.items() if k not in _ABOUT}
    text = _text(values, {_TEXT})
    entities: list[Any] = next((v for v in values.values() if _is_spans(v)), [])
    choices = {k: v for k, v in values.items() if isinstance(v, str) and v != text}
    if len(choices) > 1 and _CHOICE not in choices:
        raise DataError(f"which is the label: {', '.join(choices)}? Name the key {_CHOICE!r}")
    label = choices.get(_CHOICE) or next(iter(choices.values()), None)
    return utterance_of_spans(id, text, spans_in(text, entities), label)


def _is_spans(value: Any) -> bool:
    return _is_list(value) and "start" in value[0] and "labels" in value[0]


def _text(data: Mapping[str, Any], names: set[str]) -> str:
    """Return the text of a task: what the labels point to, ``text``, or the only text."""
    texts = {k: v for k, v in data.items() if isinstance(v, str)}
    for name in (*sorted(names), _TEXT):
        if name in texts:
            return texts[name]
    if len(texts) == 1:
        return next(iter(texts.values()))
    raise DataError(f"which of the data is the text? It has {', '.join(data) or 'nothing'}")


def _render(utterances: Sequence[Utterance]) -> list[dict[str, Any]]:
    return [
        {
            **({"id": int(utterance.id)} if utterance.id.isdecimal() else {}),
            "data": {_TEXT: utterance.text, **dict(utterance.extra), _ID: utterance.id},
            "annotations": [{"result": _results(utterance)}],
        }
        for utterance in utterances
    ]


def _results(utterance: Utterance) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = [
        {
            "type": "labels",
            "from_name": _LABELS,
            "to_name": _TEXT,
            "value": {
                "start": span.start,
                "end": span.end,
                "text": utterance.text[span.start : span.end],
                "labels": [span.label],
            },
        }
        for span in spans_of(utterance)
    ]
    if utterance.label is not None:
        choice = {"choices": [utterance.label]}
        results.append({"type": "choices", "from_name": _CHOICE, "to_name": _TEXT, "value": choice})
    return results


class LabelStudio(DocumentFormat):
    """Label Studio's export."""

    name = "labelstudio"
    holds = "Label Studio's export, JSON or JSON-MIN: labels are slots, a choice is the label"
    has_ids = True
    examples = staticmethod(_parse)
    document = staticmethod(_render)
    recognises = staticmethod(_is_label_studio)


LABELSTUDIO = LabelStudio()
