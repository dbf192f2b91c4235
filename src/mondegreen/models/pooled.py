"""A model that answers on several workers at once: each of them loads it by its name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from mondegreen.engines import Workers
from mondegreen.engines.calls import Portable
from mondegreen.models.loading import Reach, load_model
from mondegreen.models.protocol import Model
from mondegreen.types import Prediction, Utterance

_BATCHES = 2  # per worker, in one batch of all


@dataclass(frozen=True)
class _Ask(Portable):
    """Calls a method of a model that is loaded on first use."""

    spec: str
    reach: Reach

    @cached_property
    def _model(self) -> Model:
        return load_model(self.spec, **self.reach._asdict())

    def __call__(self, part: tuple[str, list[Utterance]]) -> tuple[Any, frozenset[str]]:
        method, batch = part
        return getattr(self._model, method)(batch), self._model.unread


class PooledModel(Model):
    """Shares out its batches between workers.

    Args:
        spec: the name of the model; see :func:`mondegreen.load_model`.
        reach: how to reach a model outside this process.
        workers: where it runs.
        n: how many workers there are.
    """

    def __init__(self, spec: str | Path, reach: Reach, workers: Workers, n: int) -> None:
        with load_model(spec, **reach._asdict()) as model:  # also says what is wrong with it
            self.signature = model.signature
            self._size = model.batch
        self.batch = self._size * n * _BATCHES
        self._stack = ExitStack()
        self._map = self._stack.enter_context(workers.start(_Ask(str(spec), reach)))

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction per utterance, in order."""
        return list(chain.from_iterable(self._ask("predict", batch)))

    def losses(self, batch: Sequence[Utterance]) -> list[float] | None:
        """Return the loss of each gold frame; ``None`` if the model has no losses."""
        found = self._ask("losses", batch)
        return None if None in found else list(chain.from_iterable(found))

    def _ask(self, method: str, batch: Sequence[Utterance]) -> list[Any]:
        size = self._size
        parts = [(method, list(batch[at : at + size])) for at in range(0, len(batch), size)]
        found = []
        for answers, unread in self._map(parts):
            found.append(answers)
            self.unread |= unread
        return found

    def close(self) -> None:
        """End the workers."""
        self._stack.close()
