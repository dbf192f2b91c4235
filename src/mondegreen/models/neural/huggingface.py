"""A Hugging Face folder with a head for labels or for tags, as a model."""

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
from mondegreen.models.neural.model import UNSEEN, chosen_device
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.pieces import Pieces
from mondegreen.models.protocol import Model
from mondegreen.models.reference import signature_of
from mondegreen.types import Prediction, Utterance, slots_of_tags

_HEADS = {
    "ForSequenceClassification": AutoModelForSequenceClassification,
    "ForTokenClassification": AutoModelForTokenClassification,
}
_LONGEST = 512


class HuggingFace(Model):
    """Answers with labels or with slots, whichever its head is for.

    Label names are the folder's own (``id2label``). A tag is that of a token's first piece; tags
    that are neither ``O`` nor begin with ``B-`` or ``I-`` name slots of one token each.
    """

    batch = 64

    def __init__(self, model: Any, pieces: Pieces, *, tags: bool, signature: str) -> None:
        self.model = model.eval()
        self.pieces = pieces
        self.tags = tags
        self.signature = signature
        names = {int(i): str(name) for i, name in model.config.id2label.items()}
        self.outputs = tuple(names[i] for i in range(len(names)))

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """Read a folder.

        Raises:
            ModelError: if it has no such head, or cannot be read.
        """
        place = Path(folder)
        try:
            config = AutoConfig.from_pretrained(place)
            head = _head(place, config)
            model = _HEADS[head].from_pretrained(place, dtype=torch.float32)
            longest = int(getattr(config, "max_position_embeddings", None) or _LONGEST)
            pieces = Pieces.read(place, longest)
        except (ModelError, DataError) as error:
            raise ModelError(str(error)) from error
        except Exception as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise ModelError(f"{place}: the model cannot be read: {reason}") from error
        return cls(
            model.to(chosen_device("auto")),
            pieces,
            tags=head == "ForTokenClassification",
            signature=signature_of("huggingface", place),
        )

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction an utterance, in order."""
        found: dict[int, Prediction] = {}
        for rows, read, chances in self._asked(batch):
            if self.tags:
                best = chances.gather(1, _spread(read, chances)).argmax(-1).tolist()
                lengths = read.mask.sum(1).tolist()
                for i, tags, length in zip(rows, best, lengths, strict=True):
                    names = [_tag(self.outputs[tag]) for tag in tags[:length]]
                    found[i] = Prediction(batch[i].id, slots_of_tags(names))
            else:
                for i, row in zip(rows, chances.exp().tolist(), strict=True):
                    scores = dict(zip(self.outputs, row, strict=True))
                    label = max(scores, key=scores.__getitem__)
                    found[i] = Prediction(batch[i].id, label=label, scores=scores)
        return [found[i] for i in range(len(batch))]

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        """Return how surprised the model is by the gold labels or tags, in nats."""
        found = [0.0] * len(batch)
        numbers = {name: i for i, name in enumerate(self.outputs)}
        for rows, read, chances in self._asked(batch):
            table = (chances.gather(1, _spread(read, chances)) if self.tags else chances).tolist()
            for i, row, length in zip(rows, table, read.mask.sum(1).tolist(), strict=True):
                gold = batch[i].tags[:length] if self.tags else (batch[i].label,)
                for said, near in zip(gold, row if self.tags else [row], strict=False):
                    number = numbers.get(said or "", IGNORED)
                    found[i] += UNSEEN if number == IGNORED else -near[number]
        return found

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]]:
        """Return for each utterance how much each token looks at each, in the last layer."""
        found: list[list[list[float]]] = [[] for _ in batch]
        encoder = Pretrained(self.model.base_model)
        for rows, read in self._batches(batch):
            with torch.inference_mode():
                looks = encoder.attention(read).tolist()
            for i, table, length in zip(rows, looks, read.mask.sum(1).tolist(), strict=True):
                found[i] = [row[:length] for row in table[:length]]
        return found

    def _asked(self, data: Sequence[Utterance]) -> Iterator[tuple[list[int], Batch, Any]]:
        for rows, read in self._batches(data):
            attended = (read.owner > -2).long()  # noqa: PLR2004 (-2 is padding)
            with torch.inference_mode():
                logits = self.model(input_ids=read.pieces, attention_mask=attended).logits
            yield rows, read, logits.float().log_softmax(-1)

    def _batches(self, data: Sequence[Utterance]) -> Iterator[tuple[list[int], Batch]]:
        nothing = Names(words=(), rare=0, tags=(), labels=())
        corpus = Corpus(data, nothing, self.pieces, self.model.device, gold=False)
        for rows in corpus.by_length(self.batch):
            yield rows.tolist(), corpus.batch(rows)


def _head(folder: Path, config: Any) -> str:
    built = list(getattr(config, "architectures", None) or ())
    for head in _HEADS:
        if any(name.endswith(head) for name in built):
            return head
    raise ModelError(
        f"{folder}: its head is {', '.join(built) or 'not named'}; a model is asked for labels or "
        "tags, so give a folder made for sequence or token classification"
    )


def _spread(read: Batch, chances: Any) -> Any:
    return read.first[:, :, None].expand(-1, -1, chances.shape[-1])


def _tag(name: str) -> str:
    return name if name == "O" or name[:2] in ("B-", "I-") else f"B-{name}"
