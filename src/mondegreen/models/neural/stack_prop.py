"""Stack-propagation (Qin et al. 2019): each token votes on the label; tags depend on the votes."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

import torch
from torch import nn

from mondegreen.models.neural.corpus import Batch, Tensor
from mondegreen.models.neural.encoders import Pretrained, WordEmbeddings
from mondegreen.models.neural.layers import BiLstm, Decoder, Network, Scores, decoder_gold
from mondegreen.models.neural.model import Neural
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.settings import NeuralSettings

_KEY_WIDTH, _VALUE_WIDTH = 1024, 128
"""Widths of the keys and values of the self-attention."""
_LABEL_MEMORY, _TAG_MEMORY = 8, 32
"""Widths of the embeddings of a decoder's previous decision."""


class SelfAttentive(nn.Module):
    """The encoder of the paper: a BiLSTM and self-attention over the same embeddings."""

    def __init__(self, names: Names, settings: NeuralSettings) -> None:
        super().__init__()
        self.words = WordEmbeddings(names, settings.width)
        self.width = settings.hidden + _VALUE_WIDTH
        self.dropout = nn.Dropout(settings.dropout)
        self.reader = BiLstm(settings.width, settings.hidden)
        self.query = nn.Linear(settings.width, _KEY_WIDTH)
        self.key = nn.Linear(settings.width, _KEY_WIDTH)
        self.value = nn.Linear(settings.width, _VALUE_WIDTH)

    def forward(self, batch: Batch) -> Tensor:
        """Return B x T x width."""
        states = self.dropout(self.words(batch).tokens)
        attended = self._attention_weights(states, batch) @ self.value(states)
        return torch.cat([self.reader(states, batch.lengths), self.dropout(attended)], -1)

    def attention(self, batch: Batch) -> Tensor:
        """Return the attention between tokens, B x T x T."""
        return self._attention_weights(self.words(batch).tokens, batch)

    def _attention_weights(self, states: Tensor, batch: Batch) -> Tensor:
        scores = self.query(states) @ self.key(states).transpose(1, 2) / sqrt(_KEY_WIDTH)
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(~batch.mask[:, None, :], lowest).softmax(-1)


class StackPropNetwork(Network):
    """An encoder, a decoder of the label at each token, and a decoder of tags that reads both.

    Only the tag decoder uses teacher forcing (see Decoder). The gold label is the same for all
    tokens, so a label decoder that reads the previous one would only learn to repeat it.
    """

    def __init__(
        self, names: Names, settings: NeuralSettings, pretrained: Pretrained | None
    ) -> None:
        super().__init__()
        self.encoder = pretrained or SelfAttentive(names, settings)
        self.dropout = nn.Dropout(settings.dropout)
        width, hidden, labels = self.encoder.width, settings.hidden, len(names.labels) or 1
        self.label_decoder = Decoder(width, hidden, labels, _LABEL_MEMORY, settings.dropout)
        self.tag_decoder = Decoder(
            width + labels, hidden, len(names.tags), _TAG_MEMORY, settings.dropout
        )

    def forward(self, batch: Batch, *, teacher_forcing: bool) -> Scores:
        """Score a batch."""
        read = self.encoder(batch)
        states = self.dropout(read.tokens if isinstance(self.encoder, Pretrained) else read)
        votes = self.label_decoder(states, None)
        tags = self.tag_decoder(
            torch.cat([states, votes.exp()], -1),
            decoder_gold(batch.tags, teacher_forcing=teacher_forcing, training=self.training),
        )
        return Scores(_average(votes, batch.mask), tags, votes)


class StackProp(Neural):
    """Stack-propagation on a pretrained encoder, or on the paper's with ``encoder=words``."""

    kind: ClassVar[str] = "stack-prop"
    defaults: ClassVar[NeuralSettings] = NeuralSettings(epochs=25, patience=5, dropout=0.2)

    @classmethod
    def build(
        cls, names: Names, settings: NeuralSettings, pretrained: Pretrained | None
    ) -> Network:
        """Build the network."""
        return StackPropNetwork(names, settings, pretrained)


def _average(votes: Tensor, mask: Tensor) -> Tensor:
    """Return the log of the mean probability over the tokens; of the padding if there are none."""
    counted = torch.cat([mask[:, :1] | ~mask.any(1, keepdim=True), mask[:, 1:]], 1)
    total = votes.masked_fill(~counted[:, :, None], float("-inf")).logsumexp(1)
    return total - counted.sum(1, keepdim=True).log()
