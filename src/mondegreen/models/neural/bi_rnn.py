"""Bi-model RNN with decoders (Wang et al. 2018): two BiLSTMs that read each other's states."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from mondegreen.models.neural.corpus import Batch
from mondegreen.models.neural.encoders import WORDS, Pretrained, Words
from mondegreen.models.neural.layers import BiLstm, Decoder, Network, Scores, forced
from mondegreen.models.neural.model import Neural
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.recipe import Recipe

_MEMORY = 32
"""Width of what the tag decoder remembers of the tag before."""


class BiRnnNetwork(Network):
    """One network for the label, one for the tags, each with a BiLSTM and a decoder of its own.

    Each decoder reads the states of both BiLSTMs, but the loss of one task does not reach the
    other's: they are trained apart, as in the paper.
    """

    def __init__(self, names: Names, recipe: Recipe, pretrained: Pretrained | None) -> None:
        super().__init__()
        self.encoder = pretrained or Words(names, recipe.width)
        self.other = None if pretrained else Words(names, recipe.width)
        hidden, width = recipe.hidden, self.encoder.width
        self.dropout = nn.Dropout(recipe.dropout)
        self.tag_reader = BiLstm(width, hidden)
        self.label_reader = BiLstm(width, hidden)
        self.tag_decoder = Decoder(
            2 * hidden, hidden // 2, len(names.tags), _MEMORY, recipe.dropout
        )
        self.label_decoder = nn.LSTM(2 * hidden, hidden // 2, batch_first=True)
        self.label = nn.Linear(hidden // 2, len(names.labels) or 1)

    def forward(self, batch: Batch, *, told: bool) -> Scores:
        """Score a batch."""
        first = self.encoder(batch).tokens
        second = self.other(batch).tokens if self.other is not None else first
        of_tags = self.dropout(self.tag_reader(self.dropout(first), batch.lengths))
        of_label = self.dropout(self.label_reader(self.dropout(second), batch.lengths))
        said, _ = self.label_decoder(torch.cat([of_label, of_tags.detach()], -1))
        last = (batch.lengths - 1).to(said.device)[:, None, None].expand(-1, 1, said.shape[-1])
        label = self.label(self.dropout(said.gather(1, last)[:, 0]))
        gold = forced(batch.tags, told=told, training=self.training)
        tags = self.tag_decoder(torch.cat([of_tags, of_label.detach()], -1), gold)
        return Scores(label.log_softmax(-1), tags)


class BiRnn(Neural):
    """The bi-model on embeddings of its own, as in the paper, or on any local encoder."""

    kind: ClassVar[str] = "bi-rnn"
    defaults: ClassVar[Recipe] = Recipe(
        encoder=WORDS, epochs=40, patience=6, batch=32, width=300, hidden=400
    )

    @classmethod
    def build(cls, names: Names, recipe: Recipe, pretrained: Pretrained | None) -> Network:
        """Make the network."""
        return BiRnnNetwork(names, recipe, pretrained)
