"""What turns words into vectors: embeddings learnt on the spot, or a pretrained encoder."""

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
from mondegreen.models.neural.pieces import Pieces

WORDS = "words"
"""The name of the encoder that is no encoder: embeddings of the words of the training data."""
DEFAULT = "MONDEGREEN_ENCODER"
"""The environment variable that names the encoder to take where none is named."""
_HUB = "hub:"
_MASKED = 0.5
"""How often, in training, a word that was seen only once is read as the unknown word."""
_BLEND = 1e-12

logging.set_verbosity_error()
logging.disable_progress_bar()


class Encoded(NamedTuple):
    """What an encoder makes of a batch."""

    tokens: Tensor
    """B x T x width."""
    sentence: Tensor
    """B x width: the encoder's own mark at the beginning, or the mean of the tokens."""


class Words(nn.Module):
    """Embeddings, with rare words hidden now and then so that the unknown word means something."""

    def __init__(self, names: Names, width: int) -> None:
        super().__init__()
        self.width = width
        self.first_rare = names.first_rare
        self.table = nn.Embedding(names.word_count, width, padding_idx=PADDING)

    def forward(self, batch: Batch) -> Encoded:
        """Read a batch."""
        words = batch.words
        if self.training:
            hidden = torch.rand(words.shape, device=words.device) < _MASKED
            words = words.masked_fill((words >= self.first_rare) & hidden, UNKNOWN)
        tokens = self.table(words)
        many = batch.mask.sum(1, keepdim=True).clamp(min=1)
        return Encoded(tokens, (tokens * batch.mask[:, :, None]).sum(1) / many)


class Pretrained(nn.Module):
    """A Hugging Face encoder; a token is what becomes of its first piece."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.width = int(model.config.hidden_size)

    def forward(self, batch: Batch) -> Encoded:
        """Read a batch."""
        states = self._read(batch).last_hidden_state.float()
        where = batch.first[:, :, None].expand(-1, -1, states.shape[-1])
        return Encoded(states.gather(1, where), states[:, 0])

    def attention(self, batch: Batch) -> Tensor:
        """Return B x T x T: how much each token looks at each in the last layer, over all heads.

        A token looks as its pieces do on average, and is looked at as its pieces are together;
        what goes to the encoder's marks is left out and the rest scaled to 1.
        """
        usual = self.model.config._attn_implementation  # noqa: SLF001 (there is no other way to ask)
        self.model.set_attn_implementation("eager")
        try:
            last = self._read(batch, output_attentions=True).attentions[-1].float().mean(1)
        finally:
            self.model.set_attn_implementation(usual)
        tokens = torch.arange(batch.mask.shape[1], device=last.device)
        member = (batch.owner[:, None, :] == tokens[None, :, None]).float()
        merged = member @ last @ member.transpose(1, 2)
        return merged / merged.sum(-1, keepdim=True).clamp(min=_BLEND)

    def _read(self, batch: Batch, **options: Any) -> Any:
        attended = (batch.owner > -2).long()  # noqa: PLR2004 (-2 is padding)
        quick = batch.pieces.is_cuda and self.training
        with torch.autocast(batch.pieces.device.type, torch.bfloat16, enabled=quick):
            return self.model(input_ids=batch.pieces, attention_mask=attended, **options)


def source_of(name: str | None) -> str:
    """Tell where an encoder is: a folder, or on the hub if it is named ``hub:…``.

    Raises:
        DataError: if none is named, or if there is no such folder.
    """
    named = name or os.environ.get(DEFAULT)
    if not named:
        raise DataError(
            "no encoder is named; give encoder=FOLDER (a Hugging Face folder such as the small "
            f"BERT), set {DEFAULT} to one, or name hub:MODEL to have one fetched"
        )
    if named.startswith(_HUB):
        return named.removeprefix(_HUB)
    if not (Path(named) / "config.json").is_file():
        raise DataError(
            f"{named}: is no Hugging Face folder (no config.json); for a model of the hub write "
            f"{_HUB}{named}"
        )
    return named


def fetch(source: str) -> tuple[Pretrained, Pieces]:
    """Read an encoder with its weights.

    Raises:
        DataError: if it cannot be read.
    """
    try:
        model = AutoModel.from_pretrained(source, dtype=torch.float32)
    except Exception as error:
        raise DataError(f"{source}: the encoder cannot be read: {error}") from error
    return Pretrained(model), Pieces.read(source, _limit(model.config))


def keep(encoder: Pretrained, pieces: Pieces, folder: Path) -> None:
    """Keep all of an encoder but its weights, which are kept with the network's."""
    encoder.model.config.save_pretrained(folder)
    pieces.tokenizer.save_pretrained(folder)


def outline(folder: Path) -> tuple[Pretrained, Pieces]:
    """Make an encoder as it was kept, its weights yet to be filled in."""
    config = AutoConfig.from_pretrained(folder)
    model = AutoModel.from_config(config, dtype=torch.float32)
    return Pretrained(model), Pieces.read(folder, _limit(config))


def _limit(config: Any) -> int:
    return int(getattr(config, "max_position_embeddings", None) or 512)
