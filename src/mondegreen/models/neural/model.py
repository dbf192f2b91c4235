"""A neural reference model: a network, what its numbers stand for, and the folder they live in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import torch
from safetensors.torch import load_file, save_file

from mondegreen.errors import DataError
from mondegreen.models.neural import encoders
from mondegreen.models.neural.corpus import Batch, Corpus
from mondegreen.models.neural.encoders import Pretrained
from mondegreen.models.neural.layers import Network, Scores, surprise
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.pieces import Pieces
from mondegreen.models.neural.recipe import Recipe
from mondegreen.models.neural.training import Checkpoint, Training
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.models.reference import CHECKPOINT, signature_of
from mondegreen.types import Prediction, Slot, Utterance, slots_of_tags

UNSEEN = 20.0
"""The surprise of a gold tag or label that was not in the training data, in nats."""
_WEIGHTS = "weights.safetensors"
_ENCODER = "encoder"
_ABOUT = "network.json"


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in a model's folder beside its weights."""

    kind: str
    names: Names
    recipe: Recipe
    seed: int
    losses: list[float]
    scores: list[float]


class Neural(Trainable):
    """What all neural reference models do alike; a model says how its network is built."""

    defaults: ClassVar[Recipe]
    batch = 256

    def __init__(
        self, network: Network, pieces: Pieces | None, about: About, signature: str
    ) -> None:
        self.network = network.eval()
        self.pieces = pieces
        self.about = about
        self.signature = signature

    @classmethod
    def build(cls, names: Names, recipe: Recipe, pretrained: Pretrained | None) -> Network:
        """Make the network; ``pretrained`` is its encoder, ``None`` for embeddings of its own."""
        raise NotImplementedError

    @classmethod
    def train(
        cls,
        data: Sequence[Utterance],
        folder: Path,
        *,
        dev: Sequence[Utterance] = (),
        seed: int = 0,
        progress: Progress = silent,
        **options: Any,
    ) -> Self:
        """Train on data and keep the model in a folder.

        A training that was cut short goes on from the checkpoint in its folder. The epoch kept
        is the one with most frames right on ``dev``; without it the last.

        Raises:
            DataError: if a setting is wrong, or the encoder cannot be read.
        """
        recipe = cls.defaults.having(options)
        device = chosen_device(recipe.device)
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            names = Names.of(data)
            encoder, pieces = _fetched(recipe)
            network = cls.build(names, recipe, encoder).to(device)
            about = About(
                kind=cls.kind, names=names, recipe=recipe, seed=seed, losses=[], scores=[]
            )
            model = cls(network, pieces, about, "untrained")
            state = folder / CHECKPOINT / "state.pt"
            training = Training(
                network=network,
                corpus=Corpus(data, names, pieces, device, gold=True),
                recipe=recipe,
                seed=seed,
                score=(lambda: model.share_right(dev)) if dev else None,
                progress=progress,
                checkpoint=Checkpoint(state, _hash(cls.kind, about, data, dev)),
            )
            history = training.run()
        done = msgspec.structs.replace(about, losses=history.losses, scores=history.scores)
        cls(network, pieces, done, "").save(folder)
        return cls.load(folder)

    def save(self, folder: Path) -> None:
        """Write the model's files into its folder."""
        folder.mkdir(exist_ok=True)
        encoder = next((p for p in self.network.modules() if isinstance(p, Pretrained)), None)
        if encoder is not None and self.pieces is not None:
            encoders.keep(encoder, self.pieces, folder / _ENCODER)
        weights = self.network.state_dict().items()
        save_file({name: w.cpu().contiguous() for name, w in weights}, folder / _WEIGHTS)
        (folder / _ABOUT).write_bytes(msgspec.json.encode(self.about))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model from its folder.

        Raises:
            DataError: if the folder does not hold such a model, whole.
        """
        about = _read_about(folder, cls.kind)
        encoder, pieces = None, None
        try:
            if (folder / _ENCODER).is_dir():
                encoder, pieces = encoders.outline(folder / _ENCODER)
            network = cls.build(about.names, about.recipe, encoder)
            network.load_state_dict(load_file(folder / _WEIGHTS))
        except DataError:
            raise
        except Exception as error:
            raise DataError(
                f"{folder}: the model cannot be read: {_first_line(error)}; train it again"
            ) from error
        return cls(network.to(chosen_device("auto")), pieces, about, signature_of(cls.kind, folder))

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction an utterance, in order."""
        found: list[Prediction | None] = [None] * len(batch)
        for rows, read, scores in self._scored(batch, gold=False):
            tags = scores.tags.argmax(-1).tolist()
            lengths = read.mask.sum(1).tolist()
            for i, row, length, chances in zip(
                rows, tags, lengths, scores.labels.exp().tolist(), strict=True
            ):
                found[i] = self._prediction(batch[i].id, row[:length], chances)
        return [prediction for prediction in found if prediction is not None]

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        """Return how surprised the model is by the gold frames, in nats."""
        found = [0.0] * len(batch)
        for rows, read, scores in self._scored(batch, gold=True):
            each = surprise(scores, read)
            for i, nats in zip(rows, (each.labels + each.tags).tolist(), strict=True):
                found[i] = nats + UNSEEN * self._unseen(batch[i])
        return found

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]] | None:
        """Return for each utterance how much each token looks at each; ``None`` if it does not."""
        found: list[list[list[float]]] = [[] for _ in batch]
        for rows, read in self._batches(batch, gold=False):
            with torch.inference_mode():
                looks = self.network.attention(read)
            if looks is None:
                return None
            for i, table, length in zip(
                rows, looks.tolist(), read.mask.sum(1).tolist(), strict=True
            ):
                found[i] = [row[:length] for row in table[:length]]
        return found

    def share_right(self, data: Sequence[Utterance]) -> float:
        """Return the share of utterances whose label and slots are all right."""
        right = sum(
            found.label == said.label and found.slots == said.slots
            for said, found in zip(data, self.predict(data), strict=True)
        )
        return right / len(data)

    def _prediction(self, id: str, tags: Sequence[int], chances: Sequence[float]) -> Prediction:
        names = self.about.names
        slots: tuple[Slot, ...] = slots_of_tags([names.tags[tag] for tag in tags])
        if not names.labels:
            return Prediction(id, slots)
        scores = dict(zip(names.labels, chances, strict=True))
        return Prediction(id, slots, max(scores, key=scores.__getitem__), scores)

    def _unseen(self, said: Utterance) -> int:
        names = self.about.names
        tags = sum(tag not in names.tags for tag in said.tags)
        return tags + (said.label is not None and said.label not in names.labels)

    def _scored(
        self, data: Sequence[Utterance], *, gold: bool
    ) -> Iterator[tuple[list[int], Batch, Scores]]:
        for rows, read in self._batches(data, gold=gold):
            with torch.inference_mode():
                scores = self.network(read, told=gold)
            yield rows, read, scores

    def _batches(
        self, data: Sequence[Utterance], *, gold: bool
    ) -> Iterator[tuple[list[int], Batch]]:
        device = next(self.network.parameters()).device
        corpus = Corpus(data, self.about.names, self.pieces, device, gold=gold)
        for rows in corpus.by_length(self.batch):
            yield rows.tolist(), corpus.batch(rows)


def _fetched(recipe: Recipe) -> tuple[Pretrained | None, Pieces | None]:
    if recipe.encoder == encoders.WORDS:
        return None, None
    return encoders.fetch(encoders.source_of(recipe.encoder))


def _read_about(folder: Path, kind: str) -> About:
    try:
        about = msgspec.json.decode((folder / _ABOUT).read_bytes(), type=About)
    except OSError:
        raise DataError(f"{folder}: is no model's folder: it holds no {_ABOUT}") from None
    except msgspec.DecodeError as error:
        raise DataError(f"{folder / _ABOUT}: is damaged: {error}; train the model again") from None
    if about.kind != kind:
        raise DataError(f"{folder}: holds a model of kind {about.kind!r}, not {kind!r}")
    return about


def chosen_device(name: str) -> Any:
    """Return the device of a name: ``auto`` is a GPU where there is one.

    Raises:
        DataError: if there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise DataError("there is no CUDA device here; give device=cpu or device=auto")
    try:
        return torch.device(name)
    except RuntimeError:
        raise DataError(f"no device named {name!r}; give auto, cpu or cuda") from None


def _hash(kind: str, about: About, data: Sequence[Utterance], dev: Sequence[Utterance]) -> str:
    whole = msgspec.json.encode((kind, about.recipe, about.seed, data, dev))
    return hashlib.sha256(whole).hexdigest()


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
