"""Bi-model RNN with decoders (Wang et al. 2018): two BiLSTMs that read each other's states."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import nn

from mondegreen.models.neural.corpus import Batch
from mondegreen.models.neural.encoders import WORDS, Pretrained, WordEmbeddings
from mondegreen.models.neural.layers import BiLstm, Decoder, Network, Scores, decoder_gold
from mondegreen.models.neural.model import Neural
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.settings import NeuralSettings

_MEMORY = 32
"""Width of the embedding of the previous tag."""


class BiRnnNetwork(Network):
    """One network for the label and one for the tags, each with a BiLSTM and a decoder.

    Each decoder reads the states of both BiLSTMs, but the loss of one task does not train the
    BiLSTM of the other, as in the paper.
    """

    def __init__(
        self, names: Names, settings: NeuralSettings, pretrained: Pretrained | None
    ) -> None:
        super().__init__()
        self.encoder = pretrained or WordEmbeddings(names, settings.width)
        self.other = None if pretrained else WordEmbeddings(names, settings.width)
        hidden, width = settings.hidden, self.encoder.width
        self.dropout = nn.Dropout(settings.dropout)
        self.tag_reader = BiLstm(width, hidden)
        self.label_reader = BiLstm(width, hidden)
        self.tag_decoder = Decoder(
            2 * hidden, hidden // 2, len(names.tags), _MEMORY, settings.dropout
        )
        self.label_decoder = nn.LSTM(2 * hidden, hidden // 2, batch_first=True)
        self.label = nn.Linear(hidden // 2, len(names.labels) or 1)

    def forward(self, batch: Batch, *, teacher_forcing: bool) -> Scores:
        """Score a batch."""
        first = self.encoder(batch).tokens
        second = self.other(batch).tokens if self.other is not None else first
        tag_states = self.dropout(self.tag_reader(self.dropout(first), batch.lengths))
        label_states = self.dropout(self.label_reader(self.dropout(second), batch.lengths))
        decoded, _ = self.label_decoder(torch.cat([label_states, tag_states.detach()], -1))
        last = (
            (batch.lengths - 1).to(decoded.device)[:, None, None].expand(-1, 1, decoded.shape[-1])
        )
        label = self.label(self.dropout(decoded.gather(1, last)[:, 0]))
        gold = decoder_gold(batch.tags, teacher_forcing=teacher_forcing, training=self.training)
        tags = self.tag_decoder(torch.cat([tag_states, label_states.detach()], -1), gold)
        return Scores(label.log_softmax(-1), tags)


class BiRnn(Neural):
    """The bi-model on learnt word embeddings, as in the paper, or on a pretrained encoder."""

    kind: ClassVar[str] = "bi-rnn"
    defaults: ClassVar[NeuralSettings] = NeuralSettings(
        encoder=WORDS, epochs=40, patience=6, batch=32, width=300, hidden=400
    )

    @classmethod
    def build(
        cls, names: Names, settings: NeuralSettings, pretrained: Pretrained | None
    ) -> Network:
        """Build the network."""
        return BiRnnNetwork(names, settings, pretrained)
