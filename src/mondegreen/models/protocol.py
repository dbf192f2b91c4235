"""The protocol of models: a model answers a batch of utterances with predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from mondegreen.types import Prediction, Utterance

Progress = Callable[[str, int, int], None]
"""Called during training with a description, the steps done, and the total number of steps."""


def silent(what: str, done: int, total: int) -> None:
    """Report no progress."""


class Model:
    """A model that answers batches. It sees gold slots and labels only in :meth:`losses`."""

    signature: str
    """Identifies the model and its weights: models with equal signatures give equal answers."""
    batch: int = 64
    """The preferred number of utterances per batch."""
    batch_is_set: bool = False
    """Whether the constructor sets the batch size; if so, it must not be changed afterwards."""
    unread: frozenset[str] = frozenset()
    """The keys of its last answers that are ignored, for models that answer in JSON objects."""

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction per utterance, in order."""
        raise NotImplementedError

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:  # noqa: ARG002
        """Return the loss of each gold frame, in nats; ``None`` if the model has no losses."""
        return None

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]] | None:  # noqa: ARG002
        """Return the attention from each token to each token, per utterance; rows sum to 1.

        ``None`` if the model has no attention.
        """
        return None

    def take_tokens(self) -> dict[str, int]:
        """Return how many tokens the model has counted since the last call, by kind."""
        return {}

    def finish(self) -> None:
        """Check, after the last batch, that no answer is left over.

        Raises:
            ShiftedError: if there is one, so that answers may belong to other utterances.
        """

    def close(self) -> None:
        """Close processes and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Trainable(Model):
    """A reference model: trained on labelled utterances and stored in a folder."""

    kind: ClassVar[str]

    @classmethod
    def train(
        cls,
        data: Sequence[Utterance],
        folder: Path,
        *,
        dev: Sequence[Utterance] = (),
        seed: int = 0,
        progress: Progress = silent,
        **options: Any,
    ) -> Self:
        """Train a model and write it to a folder."""
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model from its folder."""
        raise NotImplementedError
