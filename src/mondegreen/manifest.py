"""The manifest of a perturbed set: what it was made from and how, so that it can be proved."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from mondegreen import __version__
from mondegreen.amounts import Amount, Chance, Once, Rate, Severity
from mondegreen.augmentation import Augmenter
from mondegreen.engine import Engine
from mondegreen.errors import DataError
from mondegreen.operators import Operator, parse, signature
from mondegreen.protect import Protection
from mondegreen.types import Utterance, Variant

SUFFIX = ".manifest.json"
_DIGITS = 16


class File(msgspec.Struct, frozen=True):
    """A file or folder, by the hash of what it holds.

    ``path`` is relative to the manifest; ``named`` is how an operator's signature names it.
    """

    path: str
    sha256: str
    format: str = ""
    named: str = ""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """How an output was made."""

    signature: str
    version: str
    source: File
    output: File
    operators: tuple[str, ...]
    amount: str
    seed: int
    variants: int
    mix: bool
    command: str = "perturb"
    skip: bool = False
    left_out: int = 0
    phrases: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    every_slot: bool = False
    resources: tuple[File, ...] = ()
    ledger: File | None = None


def signature_of(engine: Engine, command: str = "perturb") -> str:
    """Return the recipe of a perturbed set in one line.

    >>> signature_of(Engine([parse("fillers")], seed=7, amount=Rate(0.1)))
    'mondegreen|perturb|ops:fillers|amount:rate:0.1|seed:7|v:0.1.0'
    """
    parts = [
        f"mondegreen|{command}",
        f"ops:{'+'.join(map(signature, engine.operators))}",
        f"amount:{engine.amount or 'default'}",
        f"seed:{engine.seed}",
    ]
    if engine.variants > 1:
        parts.append(f"variants:{engine.variants}")
    if engine.mix:
        parts.append("mix")
    if engine.skip:
        parts.append("skip-unchangeable")
    if engine.protection is not None:
        parts.append(f"protect:{_digest(repr(_sorted(engine.protection)).encode())}")
    return "|".join((*parts, f"v:{__version__}"))


def _sorted(protection: Protection) -> tuple[object, ...]:
    return sorted(protection.phrases), sorted(protection.labels), protection.every_slot


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


def file_of(path: Path, folder: Path, format: str = "", named: str = "") -> File:
    """Describe a file, or a folder by all files in it, for a manifest in ``folder``."""
    return File(os.path.relpath(path, folder), hash_of(path), format, named)


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of a folder's files with their names.

    Raises:
        DataError: if there is no such file or folder.
    """
    total = hashlib.sha256()
    for part in _files(path):
        with part.open("rb") as file:
            found = hashlib.file_digest(file, "sha256")
        if part == path:
            return found.hexdigest()
        total.update(f"{part.relative_to(path)}\0{found.hexdigest()}\n".encode())
    return total.hexdigest()


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return sorted(part for part in path.rglob("*") if part.is_file())
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder")
    return (path,)


def make_manifest(
    engine: Engine,
    folder: Path,
    *,
    source: File,
    output: File,
    ledger: File | None = None,
    command: str = "perturb",
    left_out: int = 0,
) -> Manifest:
    """Say how a command made an output from a source, for a manifest in ``folder``."""
    protection = engine.protection or Protection()
    return Manifest(
        signature=signature_of(engine, command),
        version=__version__,
        source=source,
        output=output,
        operators=tuple(map(signature, engine.operators)),
        amount=str(engine.amount or ""),
        seed=engine.seed,
        variants=engine.variants,
        mix=engine.mix,
        command=command,
        skip=engine.skip,
        left_out=left_out,
        phrases=tuple(sorted(" ".join(phrase) for phrase in protection.phrases)),
        slots=tuple(sorted(protection.labels)),
        every_slot=protection.every_slot,
        resources=tuple(
            file_of(path, folder, named=str(path))
            for op in engine.operators
            for path in op.resources()
        ),
        ledger=ledger,
    )


def operators_of(
    signatures: Iterable[str], resources: Iterable[File], folder: Path
) -> list[Operator]:
    """Build operators again, with the files that they read where a manifest in ``folder`` says."""
    texts = list(signatures)
    for file in resources:
        here = repr(str(folder / file.path))
        texts = [text.replace(repr(file.named), here) for text in texts]
    return [parse(text) for text in texts]


def engine_of(manifest: Manifest, folder: Path) -> Engine:
    """Build the engine again that a manifest in ``folder`` tells of."""
    return Engine(
        operators_of(manifest.operators, manifest.resources, folder),
        seed=manifest.seed,
        amount=_amount(manifest.amount),
        variants=manifest.variants,
        mix=manifest.mix,
        protection=Protection.of(manifest.phrases, slots=manifest.every_slot or manifest.slots),
        skip=manifest.skip,
    )


def runner_of(
    manifest: Manifest, folder: Path
) -> Callable[[Iterable[Utterance]], Iterator[Variant]]:
    """Return what makes the output of a manifest in ``folder`` again, given its source.

    Raises:
        DataError: if the command that made it is unknown.
    """
    engine = engine_of(manifest, folder)
    if manifest.command == "augment":
        return Augmenter(engine).run
    if manifest.command == "perturb":
        return engine.run
    raise DataError(f"the manifest's command {manifest.command!r} is none")


def _amount(text: str) -> Amount | None:
    name, _, value = text.partition(":")
    try:
        if name == "rate":
            return Rate(float(value))
        if name == "chance":
            return Chance(float(value))
        if name == "severity":
            return Severity(float(value))
    except ValueError:
        raise DataError(f"the manifest's amount {text!r} is none") from None
    return Once() if name == "once" else None


def manifest_path(output: Path) -> Path:
    """Return where the manifest of an output lies: beside it."""
    return output.with_name(output.name + SUFFIX)


def manifest_of(path: Path) -> Path:
    """Return a manifest's path, from its own or from that of its output."""
    here = path.absolute()
    return path if path.name.endswith(SUFFIX) else manifest_path(here if not path.name else path)


def read_manifest(path: Path) -> Manifest:
    """Read a manifest, by its own path or by that of its output.

    Raises:
        DataError: if there is none, or if it is not one.
    """
    place = manifest_of(path)
    try:
        return msgspec.json.decode(place.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise DataError(
            f"{place}: there is no such file, so nothing says how it was made"
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise DataError(f"{place}: not a manifest: {error}") from None
