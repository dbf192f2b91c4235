"""Layers that several networks share, and what every network answers."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import nn

from mondegreen.models.neural.corpus import IGNORED, Batch, Tensor

FORCING = 0.9
"""How often a decoder is told the gold label of the token before while it is trained."""


class Scores(NamedTuple):
    """Log-probabilities."""

    labels: Tensor
    """B x labels."""
    tags: Tensor
    """B x T x tags."""
    votes: Tensor | None = None
    """B x T x labels, where each token has a say of its own in the label."""


class Surprise(NamedTuple):
    """How surprised a network is by the gold frames, in nats: B each."""

    labels: Tensor
    tags: Tensor


class Network(nn.Module):
    """Reads a batch and scores labels and tags."""

    encoder: nn.Module

    def forward(self, batch: Batch, *, told: bool) -> Scores:
        """Score a batch; ``told`` says that decoders may read the gold label of a token before."""
        raise NotImplementedError

    def attention(self, batch: Batch) -> Tensor | None:
        """Return B x T x T: how much each token looks at each; ``None`` if the network does not."""
        return self.encoder.attention(batch) if hasattr(self.encoder, "attention") else None


class BiLstm(nn.Module):
    """A bidirectional LSTM that does not see padding."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, hidden // 2, bidirectional=True, batch_first=True)

    def forward(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Return B x T x hidden."""
        packed = nn.utils.rnn.pack_padded_sequence(
            states, lengths, batch_first=True, enforce_sorted=False
        )
        out, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=states.shape[1]
        )
        return out


class Decoder(nn.Module):
    """An LSTM that names one token after the other and is told what it named the one before.

    In training it is told the gold name instead, for nine batches in ten, which lets all tokens
    be read in one call; left to itself it goes token by token.
    """

    def __init__(self, width: int, hidden: int, names: int, memory: int, dropout: float) -> None:
        super().__init__()
        self.start = names
        self.before = nn.Embedding(names + 1, memory)
        self.lstm = nn.LSTM(width + memory, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Dropout(dropout), nn.Linear(hidden, names))

    def forward(self, states: Tensor, gold: Tensor | None) -> Tensor:
        """Return log-probabilities, B x T x names."""
        return self._alone(states) if gold is None else self._told(states, gold)

    def _told(self, states: Tensor, gold: Tensor) -> Tensor:
        known = gold.masked_fill(gold == IGNORED, self.start)
        before = torch.cat([torch.full_like(known[:, :1], self.start), known[:, :-1]], 1)
        hidden, _ = self.lstm(torch.cat([states, self.before(before)], -1))
        return self.out(hidden).log_softmax(-1)

    def _alone(self, states: Tensor) -> Tensor:
        before = torch.full(states.shape[:1], self.start, device=states.device)
        memory: Any = None
        found = []
        for i in range(states.shape[1]):
            step = torch.cat([states[:, i], self.before(before)], -1)
            hidden, memory = self.lstm(step[:, None], memory)
            found.append(self.out(hidden[:, 0]).log_softmax(-1))
            before = found[-1].argmax(-1)
        return torch.stack(found, 1)


def forced(gold: Tensor, *, told: bool, training: bool) -> Tensor | None:
    """Return the gold names if the decoder is to be told them in this batch."""
    if told and training:
        return gold if float(torch.rand(())) < FORCING else None
    return gold if told else None


def surprise(scores: Scores, batch: Batch) -> Surprise:
    """Return the negative log-probability of what gold there is."""
    nll = nn.functional.nll_loss
    tags = nll(scores.tags.transpose(1, 2), batch.tags, ignore_index=IGNORED, reduction="none")
    if scores.votes is None:
        labels = nll(scores.labels, batch.labels, ignore_index=IGNORED, reduction="none")
    else:
        each = batch.labels[:, None].expand_as(batch.tags).masked_fill(~batch.mask, IGNORED)
        votes = nll(scores.votes.transpose(1, 2), each, ignore_index=IGNORED, reduction="none")
        labels = votes.sum(1) / batch.mask.sum(1).clamp(min=1)
    return Surprise(labels, tags.sum(1))


def loss_of(scores: Scores, batch: Batch) -> Tensor:
    """Return what training makes smaller: the surprise a label plus the surprise a tag."""
    found = surprise(scores, batch)
    many_labels = (batch.labels != IGNORED).sum().clamp(min=1)
    many_tags = (batch.tags != IGNORED).sum().clamp(min=1)
    return found.labels.sum() / many_labels + found.tags.sum() / many_tags
