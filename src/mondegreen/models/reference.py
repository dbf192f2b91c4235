"""Reference models: train one by its name, write it to a folder, load it again."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mondegreen import __version__
from mondegreen.data.output import check_target
from mondegreen.errors import DataError, OutputError, unknown
from mondegreen.models.protocol import Progress, Trainable, silent
from mondegreen.types import Utterance

KINDS = {
    "crf": "mondegreen.models.crf:Crf",
    "linear": "mondegreen.models.linear:Linear",
    "bi-rnn": "mondegreen.models.neural.bi_rnn:BiRnn",
    "joint-bert": "mondegreen.models.neural.joint_bert:JointBert",
    "stack-prop": "mondegreen.models.neural.stack_prop:StackProp",
}
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


def kind_of(name: str) -> type[Trainable]:
    """Return the class of a kind of model.

    >>> kind_of("crf").kind
    'crf'

    Raises:
        DataError: if there is no such kind of model.
        MissingExtraError: if the model needs a package that is not installed.
    """
    if name not in KINDS:
        raise DataError(unknown("model", name, KINDS))
    module, _, attribute = KINDS[name].partition(":")
    found: type[Trainable] = getattr(import_module(module), attribute)
    return found


def train(
    kind: str,
    data: Sequence[Utterance],
    folder: Path | str,
    *,
    dev: Sequence[Utterance] = (),
    seed: int = 0,
    progress: Progress = silent,
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
        progress: called during training.
        force: replace an existing folder.
        options: settings of this kind of model.

    Raises:
        DataError: if the data has neither slots nor labels, or if an option is wrong.
        OutputError: if the folder exists and ``force`` is false, or if it cannot be written.
    """
    folder = Path(folder)
    found = kind_of(kind)
    check_target(folder, force=force, ours=is_model)
    check_labelled(data)
    card = Card(kind, __version__, seed, options, data_sha(data), len(data))
    work = folder.with_name(f".{folder.name}.training")
    try:
        _clear(work)  # files of interrupted training
        work.mkdir(exist_ok=True)
        found.train(data, work, dev=dev, seed=seed, progress=progress, **options)
        shutil.rmtree(work / CHECKPOINT, ignore_errors=True)
        (work / CARD).write_bytes(
            msgspec.json.format(msgspec.json.encode(card, enc_hook=str)) + b"\n"
        )
        _put(work, folder)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {error.strerror}") from None
    finally:
        _clear(work)
    return load_folder(folder)


def _clear(work: Path) -> None:
    """Remove the folder of unfinished training, unless it has a checkpoint to resume from."""
    if not (work / CHECKPOINT).exists():
        shutil.rmtree(work, ignore_errors=True)


def _put(work: Path, folder: Path) -> None:
    """Move the finished folder into place, then remove the folder that it replaces."""
    old = folder.with_name(f".{folder.name}.old")
    if folder.exists():
        folder.replace(old)
    work.replace(folder)
    shutil.rmtree(old, ignore_errors=True)


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
        DataError: if the folder does not contain a model, or if a file is missing.
    """
    folder = Path(folder)
    kind = kind_of(read_card(folder).kind)
    try:
        return kind.load(folder)
    except OSError as error:
        raise DataError(
            f"{folder}: the model is incomplete: {error.filename or 'a file'}: {error.strerror}; "
            "train it again"
        ) from None


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
