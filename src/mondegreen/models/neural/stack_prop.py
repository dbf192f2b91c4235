"""Stack-propagation (Qin et al. 2019): every token votes on the label; the tags read the votes."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

import torch
from torch import nn

from mondegreen.models.neural.corpus import Batch, Tensor
from mondegreen.models.neural.encoders import Pretrained, Words
from mondegreen.models.neural.layers import BiLstm, Decoder, Network, Scores, forced
from mondegreen.models.neural.model import Neural
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.recipe import Recipe

_LOOKING, _SEEN = 1024, 128
"""Widths of the self-attention inside and out."""
_LABEL_MEMORY, _TAG_MEMORY = 8, 32
"""Widths of what the decoders remember of the token before."""


class SelfAttentive(nn.Module):
    """The paper's own encoder: a BiLSTM beside self-attention over the same embeddings."""

    def __init__(self, names: Names, recipe: Recipe) -> None:
        super().__init__()
        self.words = Words(names, recipe.width)
        self.width = recipe.hidden + _SEEN
        self.dropout = nn.Dropout(recipe.dropout)
        self.reader = BiLstm(recipe.width, recipe.hidden)
        self.query = nn.Linear(recipe.width, _LOOKING)
        self.key = nn.Linear(recipe.width, _LOOKING)
        self.value = nn.Linear(recipe.width, _SEEN)

    def forward(self, batch: Batch) -> Tensor:
        """Return B x T x width."""
        states = self.dropout(self.words(batch).tokens)
        seen = self._looks(states, batch) @ self.value(states)
        return torch.cat([self.reader(states, batch.lengths), self.dropout(seen)], -1)

    def attention(self, batch: Batch) -> Tensor:
        """Return B x T x T: how much each token looks at each."""
        return self._looks(self.words(batch).tokens, batch)

    def _looks(self, states: Tensor, batch: Batch) -> Tensor:
        scores = self.query(states) @ self.key(states).transpose(1, 2) / sqrt(_LOOKING)
        worst = torch.finfo(scores.dtype).min
        return scores.masked_fill(~batch.mask[:, None, :], worst).softmax(-1)


class StackPropNetwork(Network):
    """An encoder, a decoder of the label at each token, and a decoder of tags that reads both.

    The tag decoder is told gold tags in training (see Decoder); the label decoder never is, for
    the gold label of the token before is that of this one, and it would learn to repeat it.
    """

    def __init__(self, names: Names, recipe: Recipe, pretrained: Pretrained | None) -> None:
        super().__init__()
        self.encoder = pretrained or SelfAttentive(names, recipe)
        self.dropout = nn.Dropout(recipe.dropout)
        width, hidden, labels = self.encoder.width, recipe.hidden, len(names.labels) or 1
        self.label_decoder = Decoder(width, hidden, labels, _LABEL_MEMORY, recipe.dropout)
        self.tag_decoder = Decoder(
            width + labels, hidden, len(names.tags), _TAG_MEMORY, recipe.dropout
        )

    def forward(self, batch: Batch, *, told: bool) -> Scores:
        """Score a batch."""
        read = self.encoder(batch)
        states = self.dropout(read.tokens if isinstance(self.encoder, Pretrained) else read)
        votes = self.label_decoder(states, None)
        tags = self.tag_decoder(
            torch.cat([states, votes.exp()], -1),
            forced(batch.tags, told=told, training=self.training),
        )
        return Scores(_average(votes, batch.mask), tags, votes)


class StackProp(Neural):
    """Stack-propagation on any local encoder, or on its own with ``encoder=words``."""

    kind: ClassVar[str] = "stack-prop"
    defaults: ClassVar[Recipe] = Recipe(epochs=25, patience=5, dropout=0.2)

    @classmethod
    def build(cls, names: Names, recipe: Recipe, pretrained: Pretrained | None) -> Network:
        """Make the network."""
        return StackPropNetwork(names, recipe, pretrained)


def _average(votes: Tensor, mask: Tensor) -> Tensor:
    """Return the log of the mean probability over the tokens; of the first where there is none."""
    counted = torch.cat([mask[:, :1] | ~mask.any(1, keepdim=True), mask[:, 1:]], 1)
    total = votes.masked_fill(~counted[:, :, None], float("-inf")).logsumexp(1)
    return total - counted.sum(1, keepdim=True).log()
