"""The models that can be trained here: by name, into a folder, and back from it."""

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
"""What a kind keeps in its folder under this name while it trains lets the next training go on."""

S = TypeVar("S", bound=msgspec.Struct)


class Card(msgspec.Struct, frozen=True):
    """What a model's folder says of it: how to make it again."""

    kind: str
    version: str
    seed: int
    options: dict[str, Any]
    data: str
    """sha256 of the training data."""
    utterances: int


def kind_of(name: str) -> type[Trainable]:
    """Return the class of a kind of model.

    >>> kind_of("crf").kind
    'crf'

    Raises:
        DataError: if there is no such kind.
        MissingExtraError: if it needs a package that is not installed.
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
    """Train a model on labelled utterances and keep it in a folder, whole or not at all.

    Args:
        kind: ``crf``, ``linear``, ``bi-rnn``, ``joint-bert`` or ``stack-prop``.
        data: utterances with slots, labels or both.
        folder: where the model is kept.
        dev: utterances to choose by, for kinds that look at them.
        seed: another seed, another model; the same, the same.
        progress: called as training goes on.
        force: replace a folder that exists.
        options: settings of the kind.

    Raises:
        DataError: if the data has nothing to learn from, or an option is wrong.
        OutputError: if the folder exists and is not to be replaced, or cannot be written.
    """
    folder = Path(folder)
    found = kind_of(kind)
    check_target(folder, force=force, ours=is_model)
    check_labelled(data)
    card = Card(kind, __version__, seed, options, data_sha(data), len(data))
    work = folder.with_name(f".{folder.name}.training")
    try:
        _clear(work)  # what a killed training left
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
    """Remove an unfinished training, unless it can go on."""
    if not (work / CHECKPOINT).exists():
        shutil.rmtree(work, ignore_errors=True)


def _put(work: Path, folder: Path) -> None:
    """Rename the finished folder; the one that it replaces goes when it is in place."""
    old = folder.with_name(f".{folder.name}.old")
    if folder.exists():
        folder.replace(old)
    work.replace(folder)
    shutil.rmtree(old, ignore_errors=True)


def is_model(folder: Path) -> bool:
    """Tell a model's folder from another."""
    try:
        read_card(folder)
    except DataError:
        return False
    return True


def read_card(folder: Path) -> Card:
    """Read what a model's folder says of it.

    Raises:
        DataError: if it is no model's folder.
    """
    try:
        return msgspec.json.decode((folder / CARD).read_bytes(), type=Card)
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            f"{folder}: no model; there is no {CARD} in it (make one: mondegreen train)"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{folder / CARD}: not what mondegreen train writes: {error}") from None


def load_folder(folder: Path | str) -> Trainable:
    """Read a trained model from its folder.

    Raises:
        DataError: if it is no model's folder, or a part of it is missing.
    """
    folder = Path(folder)
    kind = kind_of(read_card(folder).kind)
    try:
        return kind.load(folder)
    except OSError as error:
        raise DataError(
            f"{folder}: the model is not whole: {error.filename or 'a file'}: {error.strerror}; "
            "train it again"
        ) from None


def signature_of(kind: str, folder: Path) -> str:
    """Return a model's signature: its kind, and the hash of everything in its folder but the card.

    Two trainings that end with the same weights have the same signature; what answers with them is
    told by its version.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != CARD:
            digest.update(path.name.encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{kind}|sha:{digest.hexdigest()[:16]}|v:{__version__}"


def data_sha(data: Sequence[Utterance]) -> str:
    """Return the hash of what is learnt from: words, slots and labels, in their order.

    >>> data_sha([Utterance.of("1", "stop")]) == data_sha([Utterance.of("2", "stop")])
    True
    """
    encoder, digest = msgspec.json.Encoder(), hashlib.sha256()
    for said in data:
        digest.update(encoder.encode((said.tokens, said.slots, said.label)) + b"\n")
    return digest.hexdigest()


def check_labelled(data: Sequence[Utterance]) -> None:
    """Refuse data that nothing can be learnt from.

    Raises:
        DataError: if there is no utterance, no slot and no label, or only some have a label.
    """
    if not data:
        raise DataError("no utterances to train on")
    labelled = sum(said.label is not None for said in data)
    if not labelled and not any(said.slots for said in data):
        raise DataError("no utterance has a slot or a label; a model needs labelled data")
    if 0 < labelled < len(data):
        bare = next(said.id for said in data if said.label is None)
        raise DataError(
            f"utterance {bare!r} has no label, {labelled:,} others have; label all or none"
        )


def read_settings(kind: type[S], options: Mapping[str, Any]) -> S:
    """Make a kind's settings of options, which may be text as on the command line.

    >>> class Settings(msgspec.Struct):
    ...     iterations: int = 15
    >>> read_settings(Settings, {"iterations": "20"}).iterations
    20

    Raises:
        DataError: if there is no such setting, or if it cannot be that.
    """
    names = [field.name for field in msgspec.structs.fields(kind)]
    for name in options:
        if name not in names:
            raise DataError(unknown("setting", name, names))
    try:
        return msgspec.convert(dict(options), kind, strict=False)
    except msgspec.ValidationError as error:
        raise DataError(f"a setting of the model is wrong: {error}") from None
