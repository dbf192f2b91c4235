"""Joint BERT (Chen et al. 2019): the label from the first special piece, a tag per token."""

from __future__ import annotations

from typing import ClassVar

from torch import nn

from mondegreen.errors import DataError
from mondegreen.models.neural.corpus import Batch
from mondegreen.models.neural.encoders import Pretrained
from mondegreen.models.neural.layers import Network, Scores
from mondegreen.models.neural.model import Neural
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.settings import NeuralSettings


class JointBertNetwork(Network):
    """A pretrained encoder with two linear heads."""

    def __init__(self, encoder: Pretrained, names: Names, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.width
        self.label = nn.Sequential(
            nn.Linear(width, width),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(width, len(names.labels) or 1),
        )
        self.tag = nn.Sequential(nn.Dropout(dropout), nn.Linear(width, len(names.tags)))

    def forward(self, batch: Batch, *, teacher_forcing: bool) -> Scores:  # noqa: ARG002 (no decoder)
        """Score a batch."""
        read = self.encoder(batch)
        return Scores(
            self.label(read.sentence).log_softmax(-1), self.tag(read.tokens).log_softmax(-1)
        )


class JointBert(Neural):
    """Joint BERT on a pretrained encoder."""

    kind: ClassVar[str] = "joint-bert"
    defaults: ClassVar[NeuralSettings] = NeuralSettings(epochs=20, patience=4, dropout=0.1)

    @classmethod
    def build(
        cls, names: Names, settings: NeuralSettings, pretrained: Pretrained | None
    ) -> Network:
        """Build the network.

        Raises:
            DataError: if there is no pretrained encoder.
        """
        if pretrained is None:
            raise DataError("joint-bert needs a pretrained encoder; give encoder=FOLDER")
        return JointBertNetwork(pretrained, names, settings.dropout)
