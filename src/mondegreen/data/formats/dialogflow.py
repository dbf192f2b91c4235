"""Dialogflow's training phrases: exports of agents (ES), and intents as the API has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from mondegreen.data.formats.documents import DocumentFormat, by_label, joined, pieces_of
from mondegreen.errors import DataError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Utterance

_FILE = lazy_pattern(r"(.+)_usersays_[\w-]+")


def _is_export(document: Any) -> bool:
    """Return whether a document has the phrases of one intent, as ``…_usersays_en.json``."""
    return (
        isinstance(document, list)
        and bool(document)
        and all(isinstance(one, Mapping) and isinstance(one.get("data"), list) for one in document)
    )


def _intents(document: Any) -> list[Any]:
    """Return the intents of a document of the API; nothing for any other document."""
    found = document.get("intents", [document]) if isinstance(document, Mapping) else document
    if isinstance(found, list) and all(
        isinstance(one, Mapping) and "trainingPhrases" in one for one in found
    ):
        return found
    return []


def _is_dialogflow(document: Any) -> bool:
    return _is_export(document) or bool(_intents(document))


def _parse(document: Any, path: Path) -> Iterator[Utterance]:
    numbers = count(1)
    if _is_export(document):
        match = _FILE.fullmatch(path.stem)
        if match is None:
            raise DataError(
                "the name of the file must say the intent, as Dialogflow's exports do: "
                "INTENT_usersays_en.json"
            )
        for phrase in document:
            pieces = [(part["text"], part.get("alias")) for part in phrase["data"]]
            yield joined(str(next(numbers)), pieces, match[1])
        return
    if not _intents(document):
        raise DataError('expected {"displayName": "intent", "trainingPhrases": […]}')
    for intent in _intents(document):
        for phrase in intent["trainingPhrases"]:
            pieces = [(part["text"], _label(part)) for part in phrase["parts"]]
            yield joined(str(next(numbers)), pieces, intent.get("displayName"))


def _label(part: Mapping[str, Any]) -> str | None:
    return part.get("alias") or part.get("parameterId") or part.get("entityType") or None


def _render(utterances: Sequence[Utterance]) -> dict[str, Any]:
    return {
        "intents": [
            {"displayName": label, "trainingPhrases": [_phrase(one) for one in of_label]}
            for label, of_label in by_label(utterances).items()
        ]
    }


def _phrase(utterance: Utterance) -> dict[str, Any]:
    parts = [
        {"text": text} if span is None else {"text": text, "alias": span.label, "userDefined": True}
        for text, span in pieces_of(utterance)
    ]
    return {"type": "EXAMPLE", "parts": parts}


class Dialogflow(DocumentFormat):
    """Dialogflow's training phrases."""

    name = "dialogflow"
    holds = "Dialogflow's training phrases: an agent's export, or intents as its API has them"
    examples = staticmethod(_parse)
    document = staticmethod(_render)
    recognises = staticmethod(_is_dialogflow)


DIALOGFLOW = Dialogflow()
