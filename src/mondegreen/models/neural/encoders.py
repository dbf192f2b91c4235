"""Encoders turn tokens into vectors: learnt word embeddings, or a pretrained encoder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from transformers import AutoConfig, AutoModel
from transformers.utils import logging

from mondegreen.errors import DataError
from mondegreen.models.neural.corpus import Batch, Tensor
from mondegreen.models.neural.names import PADDING, UNKNOWN, Names
from mondegreen.models.neural.pieces import PieceSplitter

WORDS = "words"
"""The name for no pretrained encoder: embeddings of the training data's words are learnt."""
DEFAULT = "MONDEGREEN_ENCODER"
"""The environment variable with the default encoder."""
_HUB = "hub:"
_MASKED = 0.5
"""The share of words seen only once that are read as the unknown word in training."""
_LEAST = 1e-12  # avoids a division by 0

logging.set_verbosity_error()
logging.disable_progress_bar()


class Encoded(NamedTuple):
    """The vectors of a batch."""

    tokens: Tensor
    """B x T x width."""
    sentence: Tensor
    """B x width: the vector of the first special piece, or the mean over the tokens."""


class WordEmbeddings(nn.Module):
    """Word embeddings. Rare words are masked at random, so that the unknown word is learnt."""

    def __init__(self, names: Names, width: int) -> None:
        super().__init__()
        self.width = width
        self.first_rare = names.first_rare
        self.table = nn.Embedding(names.word_count, width, padding_idx=PADDING)

    def forward(self, batch: Batch) -> Encoded:
        """Encode a batch."""
        words = batch.words
        if self.training:
            hidden = torch.rand(words.shape, device=words.device) < _MASKED
            words = words.masked_fill((words >= self.first_rare) & hidden, UNKNOWN)
        tokens = self.table(words)
        counts = batch.mask.sum(1, keepdim=True).clamp(min=1)
        return Encoded(tokens, (tokens * batch.mask[:, :, None]).sum(1) / counts)


class Pretrained(nn.Module):
    """A Hugging Face encoder; the vector of a token is that of its first piece."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.width = int(model.config.hidden_size)

    def forward(self, batch: Batch) -> Encoded:
        """Encode a batch."""
        states = self._read(batch).last_hidden_state.float()
        index = batch.first[:, :, None].expand(-1, -1, states.shape[-1])
        return Encoded(states.gather(1, index), states[:, 0])

    def attention(self, batch: Batch) -> Tensor:
        """Return the attention between tokens in the last layer, averaged over heads, B x T x T.

        Attention from a token is the mean over its pieces, attention to a token the sum over its
        pieces. Special pieces are left out, and each row is scaled to sum to 1.
        """
        implementation = self.model.config._attn_implementation  # noqa: SLF001 (no public way)
        self.model.set_attn_implementation("eager")
        try:
            last = self._read(batch, output_attentions=True).attentions[-1].float().mean(1)
        finally:
            self.model.set_attn_implementation(implementation)
        tokens = torch.arange(batch.mask.shape[1], device=last.device)
        member = (batch.owner[:, None, :] == tokens[None, :, None]).float()
        merged = member @ last @ member.transpose(1, 2)
        return merged / merged.sum(-1, keepdim=True).clamp(min=_LEAST)

    def _read(self, batch: Batch, **options: Any) -> Any:
        mask = (batch.owner > -2).long()  # noqa: PLR2004 (-2 is padding)
        mixed_precision = batch.pieces.is_cuda and self.training
        with torch.autocast(batch.pieces.device.type, torch.bfloat16, enabled=mixed_precision):
            return self.model(input_ids=batch.pieces, attention_mask=mask, **options)


def source_of(name: str | None) -> str:
    """Return the folder of an encoder, or its name on the hub if it is given as ``hub:NAME``.

    Raises:
        DataError: if no encoder is given, or if there is no such folder.
    """
    chosen = name or os.environ.get(DEFAULT)
    if not chosen:
        raise DataError(
            "no encoder is given; give encoder=FOLDER (a Hugging Face folder, such as a small "
            f"BERT), set {DEFAULT} to a folder, or give encoder=hub:NAME to download one"
        )
    if chosen.startswith(_HUB):
        return chosen.removeprefix(_HUB)
    if not (Path(chosen) / "config.json").is_file():
        raise DataError(
            f"{chosen}: not a Hugging Face folder (no config.json); for a model on the hub write "
            f"{_HUB}{chosen}"
        )
    return chosen


def load_encoder(source: str) -> tuple[Pretrained, PieceSplitter]:
    """Load an encoder with its weights.

    Raises:
        DataError: if it cannot be read.
    """
    try:
        model = AutoModel.from_pretrained(source, dtype=torch.float32, trust_remote_code=False)
    except Exception as error:
        raise DataError(f"{source}: the encoder cannot be read: {error}") from error
    return Pretrained(model), PieceSplitter.read(source, _limit(model.config))


def save_encoder(encoder: Pretrained, pieces: PieceSplitter, folder: Path) -> None:
    """Write an encoder's configuration and tokenizer; its weights are stored with the network's."""
    encoder.model.config.save_pretrained(folder)
    pieces.tokenizer.save_pretrained(folder)


def load_untrained(folder: Path) -> tuple[Pretrained, PieceSplitter]:
    """Build an encoder from its stored configuration; the caller loads the weights."""
    config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    model = AutoModel.from_config(config, dtype=torch.float32)
    return Pretrained(model), PieceSplitter.read(folder, _limit(config))


def _limit(config: Any) -> int:
    return int(getattr(config, "max_position_embeddings", None) or 512)
