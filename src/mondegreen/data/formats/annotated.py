"""Texts with slots in brackets, ``wake me at [time : seven am]``: plain, MASSIVE and SLURP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mondegreen.data.formats.format import Item, LineFormat, utterance_in
from mondegreen.data.formats.jsonl import decode_json, json_records
from mondegreen.data.formats.offsets import parse_brackets, utterance_of_spans, write_brackets
from mondegreen.data.records import utterance_of
from mondegreen.errors import DataError, OutputError
from mondegreen.types import Slot, Utterance

_SLURP = frozenset(("slurp_id", "sentence", "tokens"))


def _parse_line(number: int, line: str) -> Utterance:
    return utterance_of_spans(str(number), *parse_brackets(line))


def _render_line(item: Item) -> str:
    utterance = utterance_in(item)
    line = write_brackets(utterance)
    back = _parse_line(0, line)
    if (back.text, back.slots) != (utterance.text, tuple(map(_plain, utterance.slots))):
        raise OutputError(
            f"utterance {utterance.id!r}: its brackets cannot be kept beside those of slots; write "
            ".jsonl"
        )
    return line


def _plain(slot: Slot) -> Slot:
    return Slot(slot.label, slot.start, slot.end)


def _parse_massive(number: int, line: str) -> Utterance:
    return utterance_of(decode_json(line), str(number))


def _render_massive(item: Item) -> str:
    utterance = utterance_in(item)
    record = {
        "id": utterance.id,
        "intent": utterance.label,
        "utt": utterance.text,
        "annot_utt": write_brackets(utterance),
    }
    return _json(record, utterance)


def _parse_slurp(number: int, line: str) -> Utterance:  # noqa: ARG001
    record = decode_json(line)
    if not isinstance(record, Mapping) or not record.keys() >= _SLURP:
        raise DataError(f"an object with {', '.join(sorted(_SLURP))} is expected")
    try:
        tokens = [token["surface"] for token in record["tokens"]]
        slots = sorted(
            (
                Slot(entity["type"], min(entity["span"]), max(entity["span"]) + 1)
                for entity in record.get("entities") or ()
            ),
            key=lambda slot: slot.start,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"not a record of SLURP: {type(error).__name__}: {error}") from None
    read = {"slurp_id", "sentence", "sentence_annotation", "tokens", "entities", "intent"}
    extra = tuple((key, value) for key, value in record.items() if key not in read)
    sentence = record["sentence"]
    if not all(isinstance(one, str) for one in (sentence, *tokens)):
        raise DataError("not a record of SLURP: the sentence and its tokens must be texts")
    sentence = sentence if _holds(sentence, tokens) else " ".join(tokens)
    return Utterance.of(
        str(record["slurp_id"]), sentence, slots, _slurp_label(record), tokens=tokens, extra=extra
    )


def _holds(sentence: str, tokens: Sequence[str]) -> bool:
    """Return whether the sentence consists of the tokens, with only spaces between them."""
    for token in tokens:
        sentence = sentence.lstrip()
        if not sentence.startswith(token):
            return False
        sentence = sentence[len(token) :]
    return not sentence.strip()


def _slurp_label(record: Mapping[str, Any]) -> str | None:
    """Return SLURP's intent: its scenario and its action."""
    if record.get("scenario") and record.get("action"):
        return f"{record['scenario']}_{record['action']}"
    return record.get("intent")


def _render_slurp(item: Item) -> str:
    utterance = utterance_in(item)
    record = {
        "slurp_id": int(utterance.id) if utterance.id.isdecimal() else utterance.id,
        "sentence": utterance.text,
        "sentence_annotation": write_brackets(utterance),
        "intent": utterance.label,
        "tokens": [{"surface": t, "id": i} for i, t in enumerate(utterance.tokens)],
        "entities": [
            {"span": list(range(slot.start, slot.end)), "type": slot.label}
            for slot in utterance.slots
        ],
    }
    return _json(record, utterance)


def _json(record: dict[str, Any], utterance: Utterance) -> str:
    try:
        return msgspec.json.encode(record | dict(utterance.extra)).decode()
    except UnicodeEncodeError:
        raise OutputError(
            f"utterance {utterance.id!r} holds a lone surrogate, half of a character, which no "
            "UTF-8 file can keep"
        ) from None


class Annotated(LineFormat):
    """Plain text with slots in brackets."""

    name = "annotated"
    holds = "plain text with slots in brackets: wake me at [time : seven am]"
    has_ids = False
    parse = staticmethod(_parse_line)
    render = staticmethod(_render_line)


class _JsonLines(LineFormat):
    """JSON lines with keys of their own."""

    json_lines = True
    records = staticmethod(json_records)
    keys: frozenset[str]

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Return whether the first object has the keys."""
        try:
            record = decode_json(lines[0])
        except DataError:
            return False
        return isinstance(record, Mapping) and record.keys() >= self.keys


class Massive(_JsonLines):
    """MASSIVE's JSON lines."""

    name = "massive"
    holds = "MASSIVE's JSON lines: id, intent, utt, annot_utt with slots in brackets"
    keys = frozenset(("utt", "annot_utt"))
    parse = staticmethod(_parse_massive)
    render = staticmethod(_render_massive)


class Slurp(_JsonLines):
    """SLURP's JSON lines."""

    name = "slurp"
    holds = "SLURP's JSON lines: slurp_id, sentence, tokens, entities, scenario, action"
    keys = frozenset(_SLURP)
    compares_fillers = True
    parse = staticmethod(_parse_slurp)
    render = staticmethod(_render_slurp)


ANNOTATED, MASSIVE, SLURP = Annotated(), Massive(), Slurp()
