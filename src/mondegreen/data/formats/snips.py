"""The JSON files of SNIPS: by intent, each utterance in pieces of text with their slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from mondegreen.data.formats.documents import DocumentFormat, by_label, joined, pieces_of
from mondegreen.errors import DataError
from mondegreen.types import Utterance


def _is_snips(document: Any) -> bool:
    if not isinstance(document, Mapping):
        return False
    if isinstance(intents := document.get("intents"), Mapping):
        return all(isinstance(one, Mapping) and "utterances" in one for one in intents.values())
    lists = list(document.values())
    return bool(lists) and all(isinstance(one, list) and _has_pieces(one) for one in lists)


def _has_pieces(utterances: list[Any]) -> bool:
    return all(isinstance(one, Mapping) and isinstance(one.get("data"), list) for one in utterances)


def _parse(document: Any, path: Path) -> Iterator[Utterance]:  # noqa: ARG001
    if not _is_snips(document):
        raise DataError('expected {"intent": [{"data": [{"text": "play "}, …]}]}')
    intents = document.get("intents", document)
    numbers = count(1)
    for label, utterances in intents.items():
        for one in utterances["utterances"] if isinstance(utterances, Mapping) else utterances:
            pieces = [(p["text"], p.get("slot_name") or p.get("entity")) for p in one["data"]]
            yield joined(str(next(numbers)), pieces, label)


def _render(utterances: Sequence[Utterance]) -> dict[str, Any]:
    return {
        label: [{"data": _pieces(utterance)} for utterance in of_label]
        for label, of_label in by_label(utterances).items()
    }


def _pieces(utterance: Utterance) -> list[dict[str, str]]:
    return [
        {"text": text}
        if span is None
        else {"text": text, "entity": span.label, "slot_name": span.label}
        for text, span in pieces_of(utterance)
    ]


class Snips(DocumentFormat):
    """the JSON of SNIPS."""

    name = "snips"
    holds = "the JSON of SNIPS, by intent, each utterance in pieces with their slots"
    examples = staticmethod(_parse)
    document = staticmethod(_render)
    recognises = staticmethod(_is_snips)


SNIPS = Snips()
