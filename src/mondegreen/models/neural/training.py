"""The training loop: seeded epochs, the best of which is used, and checkpoints to resume from."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from mondegreen.models.neural.corpus import Corpus
from mondegreen.models.neural.encoders import Pretrained
from mondegreen.models.neural.layers import Network, training_loss
from mondegreen.models.neural.settings import NeuralSettings
from mondegreen.models.protocol import Progress

SPACING = 30.0
"""Minimum time between two checkpoints in seconds, so that short epochs are not slowed down."""
_CLIP = 1.0
_DECAY = 0.01

Weights = dict[str, Any]


@dataclass
class History:
    """The training so far: the losses of its epochs, and their scores on development data."""

    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    @property
    def epochs(self) -> int:
        """How many epochs are done."""
        return len(self.losses)

    @property
    def best(self) -> int:
        """The number of the best epoch, from 1; the first of equals, or the last without scores.

        >>> History([2.0, 1.0, 0.5], [0.7, 0.8, 0.8]).best
        2
        """
        if not self.scores:
            return self.epochs
        return int(np.argmax(self.scores)) + 1

    def is_over(self, settings: NeuralSettings) -> bool:
        """Return whether the training is over."""
        stalled = bool(self.scores) and self.epochs - self.best >= settings.patience
        return stalled or self.epochs >= settings.epochs


@dataclass(frozen=True)
class Checkpoint:
    """A file with the state of the training."""

    path: Path
    data_hash: str
    """The hash of data and settings; training resumes only if it is the same."""

    def write(self, state: dict[str, Any]) -> None:
        """Write a state; an interrupted write leaves the previous one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".part")
        torch.save({"of": self.data_hash, **state}, temporary)
        temporary.replace(self.path)

    def read(self) -> dict[str, Any] | None:
        """Return the state to resume from; ``None`` without one for this data and settings."""
        try:
            state: dict[str, Any] = torch.load(self.path, map_location="cpu", weights_only=True)
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError):
            return None
        return state if state.get("of") == self.data_hash else None


@dataclass
class Training:
    """The training of one network."""

    network: Network
    corpus: Corpus
    settings: NeuralSettings
    seed: int
    score: Callable[[], float] | None
    """Returns the score on the development data; ``None`` if there is no such data."""
    progress: Progress
    checkpoint: Checkpoint

    def __post_init__(self) -> None:
        self.history = History()
        self.best: Weights = {}
        self.optimizer = _optimizer(self.network, self.settings)
        self.rates = [group["lr"] for group in self.optimizer.param_groups]
        self.steps = ceil(len(self.corpus) / self.settings.batch)

    def run(self) -> History:
        """Train to the end, load the best weights into the network, and return the history."""
        self._resume()
        last_write = time.monotonic()
        while not self.history.is_over(self.settings):
            self._epoch(self.history.epochs)
            if self.history.best == self.history.epochs:
                self.best = _copy(self.network.state_dict())
            if time.monotonic() - last_write >= SPACING:
                self.checkpoint.write(self._state())
                last_write = time.monotonic()
        self.network.load_state_dict(self.best)
        return self.history

    def _epoch(self, epoch: int) -> None:
        torch.manual_seed(self.seed * 1_000_003 + epoch + 1)
        rows = self.corpus.shuffled(self.settings.batch, np.random.default_rng([self.seed, epoch]))
        total: Any = 0.0
        self.network.train()
        for step, chosen in enumerate(rows, start=epoch * self.steps):
            self._set_rates(step)
            batch = self.corpus.batch(chosen)
            self.optimizer.zero_grad(set_to_none=True)
            loss = training_loss(self.network(batch, teacher_forcing=True), batch)
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
            self.optimizer.step()
            total = total + loss.detach()
            self.progress(self._description(), step + 1, self.settings.epochs * self.steps)
        self.network.eval()
        self.history.losses.append(float(total) / self.steps)
        if self.score is not None:
            self.history.scores.append(self.score())

    def _set_rates(self, step: int) -> None:
        done = (step + 1) / (self.settings.epochs * self.steps)
        warm = self.settings.warm
        share = done / warm if done < warm else (1 - done) / (1 - warm)
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * share

    def _description(self) -> str:
        description = f"epoch {self.history.epochs + 1} of at most {self.settings.epochs}"
        if not self.history.scores:
            return description
        return f"{description}, best {max(self.history.scores):.1%} right on dev"

    def _state(self) -> dict[str, Any]:
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "best": self.best,
            "losses": self.history.losses,
            "scores": self.history.scores,
        }

    def _resume(self) -> None:
        state = self.checkpoint.read()
        if state is not None:
            self.network.load_state_dict(state["network"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.best = state["best"]
            self.history = History(state["losses"], state["scores"])


def _optimizer(network: Network, settings: NeuralSettings) -> Any:
    pretrained = {
        id(weight)
        for part in network.modules()
        if isinstance(part, Pretrained)
        for weight in part.parameters()
    }
    weights = list(network.parameters())
    groups = [
        {"params": [w for w in weights if id(w) not in pretrained], "lr": settings.rate},
        {"params": [w for w in weights if id(w) in pretrained], "lr": settings.encoder_rate},
    ]
    return torch.optim.AdamW(
        [group for group in groups if group["params"]],
        weight_decay=_DECAY,
        fused=weights[0].is_cuda,
    )


def _copy(weights: Weights) -> Weights:
    return {name: weight.detach().clone() for name, weight in weights.items()}
