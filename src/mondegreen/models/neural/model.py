"""A neural reference model: a network, its vocabulary, and the folder that stores them."""

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
from mondegreen.models.neural.layers import Network, Scores, losses_of
from mondegreen.models.neural.names import Names
from mondegreen.models.neural.pieces import PieceSplitter
from mondegreen.models.neural.settings import NeuralSettings
from mondegreen.models.neural.training import Checkpoint, Training
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.models.reference import CHECKPOINT, signature_of
from mondegreen.types import Prediction, Slot, Utterance, slots_of_tags

UNSEEN = 20.0
"""The loss of a gold tag or label that is not in the training data, in nats."""
_WEIGHTS = "weights.safetensors"
_ENCODER = "encoder"
_ABOUT = "network.json"


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a model, stored in its folder beside the weights."""

    kind: str
    names: Names
    settings: NeuralSettings = msgspec.field(name="recipe")
    seed: int
    losses: list[float]
    scores: list[float]


class Neural(Trainable):
    """The base of all neural reference models; each one builds its own network."""

    defaults: ClassVar[NeuralSettings]
    batch = 256

    def __init__(
        self, network: Network, pieces: PieceSplitter | None, about: About, signature: str
    ) -> None:
        self.network = network.eval()
        self.pieces = pieces
        self.about = about
        self.signature = signature

    @classmethod
    def build(
        cls, names: Names, settings: NeuralSettings, pretrained: Pretrained | None
    ) -> Network:
        """Build the network; ``pretrained`` is ``None`` if it learns its own embeddings."""
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
        """Train a model and write it to a folder.

        Interrupted training resumes from the checkpoint in the folder. The epoch with the best
        frame accuracy on ``dev`` is used; without ``dev``, the last epoch.

        Raises:
            DataError: if a setting is wrong, or if the encoder cannot be read.
        """
        settings = cls.defaults.with_options(options)
        device = device_of(settings.device)
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            torch.manual_seed(seed)
            names = Names.of(data)
            encoder, pieces = _load_encoder(settings)
            network = cls.build(names, settings, encoder).to(device)
            about = About(
                kind=cls.kind, names=names, settings=settings, seed=seed, losses=[], scores=[]
            )
            model = cls(network, pieces, about, "untrained")
            state = folder / CHECKPOINT / "state.pt"
            training = Training(
                network=network,
                corpus=Corpus(data, names, pieces, device, gold=True),
                settings=settings,
                seed=seed,
                score=(lambda: model.frame_accuracy(dev)) if dev else None,
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
            encoders.save_encoder(encoder, self.pieces, folder / _ENCODER)
        weights = self.network.state_dict().items()
        save_file({name: w.cpu().contiguous() for name, w in weights}, folder / _WEIGHTS)
        (folder / _ABOUT).write_bytes(msgspec.json.encode(self.about))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model from its folder.

        Raises:
            DataError: if the folder does not contain a complete model of this kind.
        """
        about = _read_about(folder, cls.kind)
        encoder, pieces = None, None
        try:
            if (folder / _ENCODER).is_dir():
                encoder, pieces = encoders.load_untrained(folder / _ENCODER)
            network = cls.build(about.names, about.settings, encoder)
            network.load_state_dict(load_file(folder / _WEIGHTS))
        except DataError:
            raise
        except Exception as error:
            raise DataError(
                f"{folder}: the model cannot be read: {_first_line(error)}; train it again"
            ) from error
        return cls(network.to(device_of("auto")), pieces, about, signature_of(cls.kind, folder))

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return one prediction per utterance, in order."""
        found: list[Prediction | None] = [None] * len(batch)
        for rows, read, scores in self._scores(batch, gold=False):
            tags = scores.tags.argmax(-1).tolist()
            lengths = read.mask.sum(1).tolist()
            for i, row, length, probabilities in zip(
                rows, tags, lengths, scores.labels.exp().tolist(), strict=True
            ):
                found[i] = self._prediction(batch[i].id, row[:length], probabilities)
        return [prediction for prediction in found if prediction is not None]

    def losses(self, batch: Sequence[Utterance]) -> list[float]:
        """Return the loss of each gold frame, in nats."""
        found = [0.0] * len(batch)
        for rows, read, scores in self._scores(batch, gold=True):
            each = losses_of(scores, read)
            for i, nats in zip(rows, (each.labels + each.tags).tolist(), strict=True):
                found[i] = nats + UNSEEN * self._count_unseen(batch[i])
        return found

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]] | None:
        """Return the attention between tokens, per utterance; ``None`` if the network has none."""
        found: list[list[list[float]]] = [[] for _ in batch]
        for rows, read in self._batches(batch, gold=False):
            with torch.inference_mode():
                weights = self.network.attention(read)
            if weights is None:
                return None
            for i, table, length in zip(
                rows, weights.tolist(), read.mask.sum(1).tolist(), strict=True
            ):
                found[i] = [row[:length] for row in table[:length]]
        return found

    def frame_accuracy(self, data: Sequence[Utterance]) -> float:
        """Return the share of utterances whose label and slots are all correct."""
        right = sum(
            found.label == utterance.label and found.slots == utterance.slots
            for utterance, found in zip(data, self.predict(data), strict=True)
        )
        return right / len(data)

    def _prediction(
        self, id: str, tags: Sequence[int], probabilities: Sequence[float]
    ) -> Prediction:
        names = self.about.names
        slots: tuple[Slot, ...] = slots_of_tags([names.tags[tag] for tag in tags])
        if not names.labels:
            return Prediction(id, slots)
        scores = dict(zip(names.labels, probabilities, strict=True))
        return Prediction(id, slots, max(scores, key=scores.__getitem__), scores)

    def _count_unseen(self, utterance: Utterance) -> int:
        names = self.about.names
        tags = sum(tag not in names.tags for tag in utterance.tags)
        return tags + (utterance.label is not None and utterance.label not in names.labels)

    def _scores(
        self, data: Sequence[Utterance], *, gold: bool
    ) -> Iterator[tuple[list[int], Batch, Scores]]:
        for rows, read in self._batches(data, gold=gold):
            with torch.inference_mode():
                scores = self.network(read, teacher_forcing=gold)
            yield rows, read, scores

    def _batches(
        self, data: Sequence[Utterance], *, gold: bool
    ) -> Iterator[tuple[list[int], Batch]]:
        device = next(self.network.parameters()).device
        corpus = Corpus(data, self.about.names, self.pieces, device, gold=gold)
        for rows in corpus.by_length(self.batch):
            yield rows.tolist(), corpus.batch(rows)


def _load_encoder(settings: NeuralSettings) -> tuple[Pretrained | None, PieceSplitter | None]:
    if settings.encoder == encoders.WORDS:
        return None, None
    return encoders.load_encoder(encoders.source_of(settings.encoder))


def _read_about(folder: Path, kind: str) -> About:
    try:
        about = msgspec.json.decode((folder / _ABOUT).read_bytes(), type=About)
    except OSError:
        raise DataError(f"{folder}: not a model: it contains no {_ABOUT}") from None
    except msgspec.DecodeError as error:
        raise DataError(f"{folder / _ABOUT}: is damaged: {error}; train the model again") from None
    if about.kind != kind:
        raise DataError(f"{folder}: contains a model of kind {about.kind!r}, not {kind!r}")
    return about


def device_of(name: str) -> Any:
    """Return a device by its name; ``auto`` is a GPU if there is one.

    Raises:
        DataError: if there is no such device.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise DataError("there is no CUDA device; give device=cpu or device=auto")
    try:
        return torch.device(name)
    except RuntimeError:
        raise DataError(f"no device named {name!r}; give auto, cpu or cuda") from None


def _hash(kind: str, about: About, data: Sequence[Utterance], dev: Sequence[Utterance]) -> str:
    content = msgspec.json.encode((kind, about.settings, about.seed, data, dev))
    return hashlib.sha256(content).hexdigest()


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
