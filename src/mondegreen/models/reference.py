"""Reference models: train one by its name, write it to a folder, load it again."""

from __future__ import annotations

import hashlib
import shutil
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mondegreen import __version__
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.output import check_target
from mondegreen.data.files.places import locked, put, real_target, remove_stale_lock
from mondegreen.errors import DataError, OutputError, PluginError, renamed, unknown
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.plugins import Registry
from mondegreen.types import Utterance

KINDS: Registry[type[Trainable]] = Registry(
    "model",
    "mondegreen.trainable",
    {
        "crf": "mondegreen.models.crf:Crf",
        "linear": "mondegreen.models.linear:Linear",
        "bi-rnn": "mondegreen.models.neural.bi_rnn:BiRnn",
        "joint-bert": "mondegreen.models.neural.joint_bert:JointBert",
        "stack-prop": "mondegreen.models.neural.stack_prop:StackProp",
    },
)
"""The kinds of models that can be trained; plugins add others under ``mondegreen.trainable``."""
CARD = "model.json"
CHECKPOINT = "checkpoint"
"""The subfolder in which a model stores its checkpoint while it trains, to resume from."""

S = TypeVar("S", bound=msgspec.Struct)


class Card(msgspec.Struct, frozen=True):
    """The description of a model in its folder: how to train it again."""

    kind: str
    version: str
    seed: int
    options: dict[str, Any]
    data: str
    """The SHA-256 of the training data."""
    utterances: int
    files: dict[str, str] = {}
    """The SHA-256 of each file; empty in folders that earlier versions wrote."""


def kind_of(name: str) -> type[Trainable]:
    """Return the class of a kind of model.

    >>> kind_of("crf").kind
    'crf'

    Raises:
        DataError: if there is no such kind of model.
        MissingExtraError: if the model needs a package that is not installed.
    """
    try:
        return KINDS.named(name)
    except PluginError as error:
        raise DataError(str(error)) from None


@renamed(progress="on_progress")
def train(
    kind: str,
    data: Sequence[Utterance],
    folder: Path | str,
    *,
    dev: Sequence[Utterance] = (),
    seed: int = 0,
    on_progress: Progress = silent,
    force: bool = False,
    **options: Any,
) -> Trainable:
    """Train a model on labelled utterances and write it to a folder.

    The folder appears only when training is complete.

    Args:
        kind: ``crf``, ``linear``, ``bi-rnn``, ``joint-bert`` or ``stack-prop``.
        data: utterances with slots, labels or both.
        folder: the folder to write.
        dev: development data, for models that choose their best epoch.
        seed: another seed gives another model; the same seed gives the same model.
        on_progress: called during training.
        force: replace an existing folder.
        options: settings of this kind of model.

    Raises:
        DataError: if the data has neither slots nor labels, or if an option is wrong.
        OutputError: if the folder exists and ``force`` is false, or if it cannot be written.
    """
    folder = Path(folder)
    found = kind_of(kind)
    folder = real_target(folder)
    remove_stale_lock(folder)
    check_target(folder, force=force, ours=is_model)
    check_labelled(data)
    card = Card(kind, __version__, seed, options, data_sha(data), len(data))
    with locked(folder, "training this model"):
        check_target(folder, force=force, ours=is_model)  # it may have appeared meanwhile
        _train(found, card, data, folder, dev=dev, progress=on_progress)
    return load_folder(folder)


def _train(
    kind: type[Trainable],
    card: Card,
    data: Sequence[Utterance],
    folder: Path,
    *,
    dev: Sequence[Utterance],
    progress: Progress,
) -> None:
    """Train in a folder beside the target, which takes its place when it is complete."""
    work = folder.with_name(f".{folder.name}.training")
    try:
        _clear(work)  # files of interrupted training
        work.mkdir(exist_ok=True)
        kind.train(data, work, dev=dev, seed=card.seed, progress=progress, **card.options)
        shutil.rmtree(work / CHECKPOINT, ignore_errors=True)
        card = msgspec.structs.replace(card, files=_hashes(work))
        (work / CARD).write_bytes(
            msgspec.json.format(msgspec.json.encode(card, enc_hook=str)) + b"\n"
        )
        put(work, folder)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from None
    finally:
        _clear(work)


def _hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a model."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hash_of(path) for path in files}


def _clear(work: Path) -> None:
    """Remove the folder of unfinished training, unless it has a checkpoint to resume from."""
    if not (work / CHECKPOINT).exists():
        shutil.rmtree(work, ignore_errors=True)


def is_model(folder: Path) -> bool:
    """Return whether a folder contains a trained model."""
    try:
        read_card(folder)
    except DataError:
        return False
    return True


def read_card(folder: Path) -> Card:
    """Read the description of a model from its folder.

    Raises:
        DataError: if the folder does not contain a model.
    """
    try:
        return msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            f"{folder}: not a model: it contains no {CARD}; train one with: mondegreen train"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(
            f"{folder / CARD}: not a file that mondegreen train wrote: {error}"
        ) from None


def load_folder(folder: Path | str) -> Trainable:
    """Read a trained model from its folder.

    Raises:
        DataError: if the folder does not contain a model, or if a file is missing or has changed.
    """
    folder = Path(folder)
    card = read_card(folder)
    kind = kind_of(card.kind)
    try:
        _check_files(folder, card)
        return kind.load(folder)
    except OSError as error:
        raise DataError(
            f"{folder}: the model is incomplete: {error.filename or 'a file'}: {error.strerror}; "
            "train it again"
        ) from None


def _check_files(folder: Path, card: Card) -> None:
    """Check the weights before a library reads them that trusts every byte."""
    if not card.files:
        warnings.warn(
            f"{folder}: {CARD} has no hashes of the weights, so damage would not be noticed; "
            "train the model again",
            stacklevel=2,
        )
    for name, sha in card.files.items():
        path = folder / name
        if not path.is_file():
            raise DataError(
                f"{folder}: the model is incomplete: there is no {name}; train it again"
            )
        if hash_of(path) != sha:
            raise DataError(
                f"{path}: is not the file that was trained: its hash differs from that in {CARD}; "
                "copy the folder again, or train it again"
            )


def signature_of(kind: str, folder: Path) -> str:
    """Return a model's signature: its kind, a hash of its folder without the card, the version.

    Models with the same weights have the same signature.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != CARD:
            digest.update(path.name.encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{kind}|sha:{digest.hexdigest()[:16]}|v:{__version__}"


def data_sha(data: Sequence[Utterance]) -> str:
    """Return the hash of training data: of its tokens, slots and labels, in order.

    >>> data_sha([Utterance.of("1", "stop")]) == data_sha([Utterance.of("2", "stop")])
    True
    """
    encoder, digest = msgspec.json.Encoder(), hashlib.sha256()
    for utterance in data:
        digest.update(encoder.encode((utterance.tokens, utterance.slots, utterance.label)) + b"\n")
    return digest.hexdigest()


def check_labelled(data: Sequence[Utterance]) -> None:
    """Check that data can be trained on.

    Raises:
        DataError: if there are no utterances, if there are neither slots nor labels, or if only
            some utterances have a label.
    """
    if not data:
        raise DataError("no utterances to train on")
    labelled = sum(utterance.label is not None for utterance in data)
    if not labelled and not any(utterance.slots for utterance in data):
        raise DataError("no utterance has a slot or a label; a model needs labelled data")
    if 0 < labelled < len(data):
        unlabelled = next(utterance.id for utterance in data if utterance.label is None)
        raise DataError(
            f"utterance {unlabelled!r} has no label, but {labelled:,} of {len(data):,} utterances "
            "have one; label all of them or none"
        )


def read_settings(kind: type[S], options: Mapping[str, Any]) -> S:
    """Convert options, which may be text from the command line, to the settings of a model.

    >>> class Settings(msgspec.Struct):
    ...     iterations: int = 15
    >>> read_settings(Settings, {"iterations": "20"}).iterations
    20

    Raises:
        DataError: if there is no such setting, or if its value has the wrong type.
    """
    names = [field.name for field in msgspec.structs.fields(kind)]
    for name in options:
        if name not in names:
            raise DataError(unknown("setting", name, names))
    try:
        return msgspec.convert(dict(options), kind, strict=False)
    except msgspec.ValidationError as error:
        raise DataError(f"a setting of the model is wrong: {error}") from None
