"""Hugging Face models with a head for sequence or token classification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import torch
from transformers import (
    AutoConfig,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
)

from mondegreen.errors import DataError, ModelError
from mondegreen.models.neural.corpus import IGNORED, Batch, Corpus
from mondegreen.models.neural.encoders import Pretrained
from mondegreen.models.neural.model import UNSEEN, device_of
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.pieces import PieceSplitter
from mondegreen.models.protocol import Model
from mondegreen.models.reference import signature_of
from mondegreen.types import Prediction, Utterance, slots_of_tags

_HEADS = {
    "ForSequenceClassification": AutoModelForSequenceClassification,
    "ForTokenClassification": AutoModelForTokenClassification,
}
_LONGEST = 512


class HuggingFace(Model):
    """Predicts labels or slots, as its head is for sequence or token classification.

    The names of labels and tags come from the folder (``id2label``). The tag of a token is that of
    its first piece. A tag that is not ``O``, ``B-…`` or ``I-…`` is a slot of one token.
    """

    batch = 64

    def __init__(self, model: Any, pieces: PieceSplitter, *, tags: bool, signature: str) -> None:
        self.model = model.eval()
        self.pieces = pieces
        self.tags = tags
        self.signature = signature
        names = {int(i): str(name) for i, name in model.config.id2label.items()}
        self.outputs = tuple(names[i] for i in range(len(names)))

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """Load a model from its folder.

        Raises:
            ModelError: if the model has neither head, or cannot be read.
        """
        place = Path(folder)
        try:
            config = AutoConfig.from_pretrained(place, trust_remote_code=False)
            head = _head(place, config)
            model = _HEADS[head].from_pretrained(
                place, dtype=torch.float32, trust_remote_code=False
            )
            longest = int(getattr(config, "max_position_embeddings", None) or _LONGEST)
            pieces = PieceSplitter.read(place, longest)
        except (ModelError, DataError) as error:
            raise ModelError(str(error)) from error
        except Exception as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise ModelError(f"{place}: the model cannot be read: {reason}") from error
        return cls(
            model.to(device_of("auto")),
            pieces,
            tags=head == "ForTokenClassification",
            signature=signature_of("huggingface", place),
        )

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction per utterance, in order."""
        found: dict[int, Prediction] = {}
        for rows, read, logs in self._log_probabilities(batch):
            if self.tags:
                best = logs.gather(1, _first_pieces(read, logs)).argmax(-1).tolist()
                lengths = read.mask.sum(1).tolist()
                for i, tags, length in zip(rows, best, lengths, strict=True):
                    names = [_tag(self.outputs[tag]) for tag in tags[:length]]
                    found[i] = Prediction(batch[i].id, slots_of_tags(names))
            else:
                for i, row in zip(rows, logs.exp().tolist(), strict=True):
                    scores = dict(zip(self.outputs, row, strict=True))
                    label = max(scores, key=scores.__getitem__)
                    found[i] = Prediction(batch[i].id, label=label, scores=scores)
        return [found[i] for i in range(len(batch))]

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        """Return the loss of the gold label or tags of each utterance, in nats."""
        found = [0.0] * len(batch)
        numbers = {name: i for i, name in enumerate(self.outputs)}
        for rows, read, logs in self._log_probabilities(batch):
            table = (logs.gather(1, _first_pieces(read, logs)) if self.tags else logs).tolist()
            for i, row, length in zip(rows, table, read.mask.sum(1).tolist(), strict=True):
                gold = batch[i].tags[:length] if self.tags else (batch[i].label,)
                for name, scores in zip(gold, row if self.tags else [row], strict=False):
                    number = numbers.get(name or "", IGNORED)
                    found[i] += UNSEEN if number == IGNORED else -scores[number]
        return found

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]]:
        """Return the attention between tokens in the last layer, per utterance."""
        found: list[list[list[float]]] = [[] for _ in batch]
        encoder = Pretrained(self.model.base_model)
        for rows, read in self._batches(batch):
            with torch.inference_mode():
                weights = encoder.attention(read).tolist()
            for i, table, length in zip(rows, weights, read.mask.sum(1).tolist(), strict=True):
                found[i] = [row[:length] for row in table[:length]]
        return found

    def _log_probabilities(
        self, data: Sequence[Utterance]
    ) -> Iterator[tuple[list[int], Batch, Any]]:
        for rows, read in self._batches(data):
            mask = (read.owner > -2).long()  # noqa: PLR2004 (-2 is padding)
            with torch.inference_mode():
                logits = self.model(input_ids=read.pieces, attention_mask=mask).logits
            yield rows, read, logits.float().log_softmax(-1)

    def _batches(self, data: Sequence[Utterance]) -> Iterator[tuple[list[int], Batch]]:
        no_names = Names(words=(), rare=0, tags=(), labels=())
        corpus = Corpus(data, no_names, self.pieces, self.model.device, gold=False)
        for rows in corpus.by_length(self.batch):
            yield rows.tolist(), corpus.batch(rows)


def _head(folder: Path, config: Any) -> str:
    architectures = list(getattr(config, "architectures", None) or ())
    for head in _HEADS:
        if any(name.endswith(head) for name in architectures):
            return head
    raise ModelError(
        f"{folder}: its head is {', '.join(architectures) or 'unknown'}; give a folder with a "
        "model for sequence classification or token classification"
    )


def _first_pieces(read: Batch, logs: Any) -> Any:
    """Return the index of each token's first piece, repeated for each output."""
    return read.first[:, :, None].expand(-1, -1, logs.shape[-1])


def _tag(name: str) -> str:
    return name if name == "O" or name[:2] in ("B-", "I-") else f"B-{name}"
