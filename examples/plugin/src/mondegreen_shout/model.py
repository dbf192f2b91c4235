"""A model: it answers the first word of each utterance as the intent."""

from __future__ import annotations

from collections.abc import Sequence

from mondegreen import Model, Prediction, Utterance
from mondegreen.models.loading import Reach


class Parrot(Model):
    """Repeats the first word."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.signature = f"parrot|prefix:{prefix}"

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return the first word of each utterance as its label."""
        return [
            Prediction(one.id, (), self.prefix + (one.tokens[0] if one.tokens else ""))
            for one in batch
        ]


def parrot(rest: str, reach: Reach) -> Model:  # noqa: ARG001 (the signature of a factory)
    """Make the model of ``parrot:PREFIX``."""
    return Parrot(rest)
