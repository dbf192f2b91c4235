"""Layers that several networks share, the output of a network, and its losses."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import nn

from mondegreen.models.neural.corpus import IGNORED, Batch, Tensor

FORCING_RATE = 0.9
"""The share of training batches with teacher forcing: the decoder reads the previous gold tag."""


class Scores(NamedTuple):
    """The output of a network, as log-probabilities."""

    labels: Tensor
    """B x labels."""
    tags: Tensor
    """B x T x tags."""
    votes: Tensor | None = None
    """B x T x labels, for networks in which each token votes on the label; otherwise ``None``."""


class Losses(NamedTuple):
    """The negative log-likelihoods of the gold labels and tags in nats, B each."""

    labels: Tensor
    tags: Tensor


class Network(nn.Module):
    """A network that scores the labels and tags of a batch."""

    encoder: nn.Module

    def forward(self, batch: Batch, *, teacher_forcing: bool) -> Scores:
        """Score a batch; with ``teacher_forcing`` decoders may read the previous gold tag."""
        raise NotImplementedError

    def attention(self, batch: Batch) -> Tensor | None:
        """Return the attention between tokens, B x T x T; ``None`` if the network has none."""
        return self.encoder.attention(batch) if hasattr(self.encoder, "attention") else None


class BiLstm(nn.Module):
    """A bidirectional LSTM that does not see padding."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden // 2, bidirectional=True, batch_first=True)

    def forward(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Return B x T x hidden; 0 for padding."""
        return self._packed(states, lengths) if states.is_cuda else self._padded(states, lengths)

    def _packed(self, states: Tensor, lengths: Tensor) -> Tensor:
        packed = nn.utils.rnn.pack_padded_sequence(
            states, lengths, batch_first=True, enforce_sorted=False
        )
        out, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=states.shape[1]
        )
        return out

    def _padded(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Do the same without packing, which on a CPU costs more than reading the padding."""
        places = torch.arange(states.shape[1])[None, :]
        real = places < lengths[:, None]
        turned = torch.where(real, lengths[:, None] - 1 - places, places)[:, :, None]
        ahead = self._read(states, "")
        back = self._read(_reordered(states, turned), "_reverse")
        return torch.cat([ahead, _reordered(back, turned)], -1) * real[:, :, None]

    def _read(self, states: Tensor, direction: str) -> Tensor:
        names = (
            f"{kind}_l0{direction}" for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        start = states.new_zeros(1, len(states), self.lstm.hidden_size)
        weights = [getattr(self.lstm, name) for name in names]
        options = (True, 1, 0.0, self.training, False, True)  # biases, layers, …, batch first
        return torch.lstm(states, (start, start), weights, *options)[0]


def _reordered(states: Tensor, order: Tensor) -> Tensor:
    return states.gather(1, order.expand(-1, -1, states.shape[-1]))


class Decoder(nn.Module):
    """An LSTM that classifies tokens from left to right and reads its previous decision.

    In training it reads the previous gold class instead, for nine batches in ten. Then one call
    reads all tokens; without gold classes it decodes token by token.
    """

    def __init__(self, width: int, hidden: int, classes: int, memory: int, dropout: float) -> None:
        super().__init__()
        self.start = classes
        self.before = nn.Embedding(classes + 1, memory)
        self.lstm = nn.LSTM(width + memory, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Dropout(dropout), nn.Linear(hidden, classes))

    def forward(self, states: Tensor, gold: Tensor | None) -> Tensor:
        """Return log-probabilities, B x T x classes; ``gold`` is for teacher forcing."""
        return self._step_by_step(states) if gold is None else self._with_gold(states, gold)

    def _with_gold(self, states: Tensor, gold: Tensor) -> Tensor:
        known = gold.masked_fill(gold == IGNORED, self.start)
        before = torch.cat([torch.full_like(known[:, :1], self.start), known[:, :-1]], 1)
        hidden, _ = self.lstm(torch.cat([states, self.before(before)], -1))
        return self.out(hidden).log_softmax(-1)

    def _step_by_step(self, states: Tensor) -> Tensor:
        before = torch.full(states.shape[:1], self.start, device=states.device)
        memory: Any = None
        found = []
        for i in range(states.shape[1]):
            step = torch.cat([states[:, i], self.before(before)], -1)
            hidden, memory = self.lstm(step[:, None], memory)
            found.append(self.out(hidden[:, 0]).log_softmax(-1))
            before = found[-1].argmax(-1)
        return torch.stack(found, 1)


def decoder_gold(gold: Tensor, *, teacher_forcing: bool, training: bool) -> Tensor | None:
    """Return the gold classes if the decoder is to read them in this batch, else ``None``."""
    if teacher_forcing and training:
        return gold if float(torch.rand(())) < FORCING_RATE else None
    return gold if teacher_forcing else None


def losses_of(scores: Scores, batch: Batch) -> Losses:
    """Return the negative log-likelihoods of the gold labels and tags; 0 if there is no gold."""
    nll = nn.functional.nll_loss
    tags = nll(scores.tags.transpose(1, 2), batch.tags, ignore_index=IGNORED, reduction="none")
    if scores.votes is None:
        labels = nll(scores.labels, batch.labels, ignore_index=IGNORED, reduction="none")
    else:
        each = batch.labels[:, None].expand_as(batch.tags).masked_fill(~batch.mask, IGNORED)
        votes = nll(scores.votes.transpose(1, 2), each, ignore_index=IGNORED, reduction="none")
        labels = votes.sum(1) / batch.mask.sum(1).clamp(min=1)
    return Losses(labels, tags.sum(1))


def training_loss(scores: Scores, batch: Batch) -> Tensor:
    """Return the training loss: the mean loss per label plus the mean loss per tag."""
    found = losses_of(scores, batch)
    label_count = (batch.labels != IGNORED).sum().clamp(min=1)
    tag_count = (batch.tags != IGNORED).sum().clamp(min=1)
    return found.labels.sum() / label_count + found.tags.sum() / tag_count
