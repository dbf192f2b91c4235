"""What every model is: something that answers a batch of utterances with predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from mondegreen.types import Prediction, Utterance

Progress = Callable[[str, int, int], None]
"""Called as training goes on: what is done, how far, of how much."""


def silent(what: str, done: int, total: int) -> None:
    """Show nothing."""


class Model:
    """Answers batches. A model never sees gold slots or labels but in :meth:`losses`."""

    signature: str
    """What it is, down to the hash of its weights: equal signatures give equal answers."""
    batch: int = 64
    """How many utterances per batch it answers best."""
    batch_is_set: bool = False
    """Whether the number of utterances per batch follows from how the model was made."""
    unread: frozenset[str] = frozenset()
    """The keys of its last answers that nothing is made of, where its answers have keys."""

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction an utterance, in order."""
        raise NotImplementedError

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:  # noqa: ARG002
        """Return how surprised the model is by the gold frames, in nats; ``None`` if unknown."""
        return None

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]] | None:  # noqa: ARG002
        """Return for each utterance how much each token looks at each, rows summing to 1."""
        return None

    def close(self) -> None:
        """Let go of processes and connections."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Trainable(Model):
    """A reference model: trained on labelled utterances, kept in a folder."""

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
        """Train on data and keep the model in a folder, whole or not at all."""
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model from its folder."""
        raise NotImplementedError
