"""The items of a run that are asked about and stored together."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from mondegreen.data.answers.conversations import context_of
from mondegreen.models.batching import Answer
from mondegreen.suites.reading import Case
from mondegreen.types import Utterance

_ENCODER = msgspec.json.Encoder()


class Item(NamedTuple):
    """A case that is to be stored in the run."""

    number: int
    set_number: int
    set_name: str
    position: int
    case: Case
    said_key: int
    gold_key: int

    def request(self) -> Utterance:
        """Return the utterance for the model, with an id that is unique in the suite."""
        one = self.case.utterance
        id = f"{self.set_name}/{one.id}"
        extra = (("set", self.set_name), *context_of(one))
        return Utterance(id, one.tokens, one.slots, one.label, one.raw, extra)


@dataclass
class Window:
    """Items that are stored together.

    ``new`` are the items to ask the model about; ``known`` has the answers to the texts, with the
    keys of their gold frames. The first ``answered`` items have answers, for which the model was
    asked about ``asked`` texts.
    """

    items: list[Item] = field(default_factory=list)
    new: dict[tuple[int, str], Item] = field(default_factory=dict)
    known: dict[tuple[int, str], tuple[Answer, int]] = field(default_factory=dict)
    answered: int = 0
    asked: int = 0


def said_key(utterance: Utterance, attempt: int) -> int:
    """Return the key of what the model is asked: the words, their conversation, which attempt."""
    context = context_of(utterance)
    more = (context, attempt) if context or attempt else ()
    return key_of(utterance.tokens, utterance.raw, *more)


def key_of(*parts: object) -> int:
    """Return a number that identifies some values."""
    digest = hashlib.blake2b(_ENCODER.encode(parts), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
