"""The manifest of a perturbed set: what it was made from and how, so that it can be verified."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from mondegreen import __version__
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.output import whole_file
from mondegreen.errors import DataError, OutputError
from mondegreen.operators import Operator, parse
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe, RecipeRecord

SUFFIX = ".manifest.json"


class File(msgspec.Struct, frozen=True):
    """A file or folder, identified by the hash of its content.

    ``path`` is relative to the manifest; ``named`` is how an operator's signature names it.
    """

    path: str
    sha256: str
    format: str = ""
    named: str = ""


class Manifest(RecipeRecord, frozen=True, kw_only=True):
    """The recipe of an output, with the hashes of the output and of everything it depends on."""

    signature: str
    version: str
    source: File
    output: File
    left_out: int = 0
    resources: tuple[File, ...] = ()
    ledger: File | None = None
    learnt_from: File | None = None


def file_of(
    path: Path, folder: Path, format: str = "", named: str = "", at: Path | None = None
) -> File:
    """Describe a file, or a folder by all files in it, for a manifest in ``folder``.

    Args:
        path: what is described.
        folder: where the manifest lies.
        format: the name of its format.
        named: as the user has named it.
        at: where it lies, if it has not got its name yet.
    """
    return File(os.path.relpath(path, folder), hash_of(at or path), format, named)


def resource_files(hashes: Mapping[Path, str], folder: Path) -> tuple[File, ...]:
    """Describe the users' files that variants depend on, for a manifest in ``folder``."""
    return tuple(
        File(os.path.relpath(path, folder), sha256, named=str(path))
        for path, sha256 in hashes.items()
    )


def make_manifest(
    engine: Engine,
    folder: Path,
    *,
    source: File,
    output: File,
    ledger: File | None = None,
    learnt_from: File | None = None,
    left_out: int = 0,
) -> Manifest:
    """Describe how an engine made an output from a source, for a manifest in ``folder``.

    ``learnt_from`` is what operators have learnt from, if that is not the source; what they have
    learnt is in the recipe.
    """
    recipe = engine.recipe
    return Manifest(
        **msgspec.structs.asdict(recipe.record()),
        signature=recipe.signature,
        version=__version__,
        source=source,
        output=output,
        left_out=left_out,
        resources=resource_files(engine.resources, folder),
        ledger=ledger,
        learnt_from=learnt_from,
    )


def write_manifest(path: Path, manifest: msgspec.Struct) -> None:
    """Write a manifest as JSON; an earlier one is replaced.

    Raises:
        OutputError: if it cannot be written, or if the name of a file is not UTF-8.
    """
    try:
        content = msgspec.json.format(msgspec.json.encode(manifest)) + b"\n"
    except UnicodeEncodeError:
        raise OutputError(
            f"{path}: cannot be written: the name of a file that it records is not UTF-8; rename it"
        ) from None
    with whole_file(path, force=True) as file:
        file.write(content)


def operators_of(
    signatures: Iterable[str], resources: Iterable[File], folder: Path, *, trust: bool = False
) -> list[Operator]:
    """Build operators again, with their files where a manifest in ``folder`` says they are.

    Args:
        signatures: the operators.
        resources: their files.
        folder: where the manifest lies.
        trust: whether operators that are named by their place may be imported.
    """
    texts = list(signatures)
    for file in resources:
        here = repr(str(folder / file.path))
        texts = [text.replace(repr(file.named), here) for text in texts]
    return [parse(text, trust=trust) for text in texts]


def recipe_of(manifest: Manifest, folder: Path, *, trust: bool = False) -> Recipe:
    """Build the recipe of a manifest in ``folder`` again; ``trust`` allows it to import code.

    Raises:
        DataError: if the command that made the output is unknown.
        OperatorError: if an operator or the amount is unknown.
    """
    operators = operators_of(manifest.operators, manifest.resources, folder, trust=trust)
    return Recipe.of_record(manifest, operators)


def manifest_path(output: Path) -> Path:
    """Return where the manifest of an output is: beside it."""
    return output.with_name(output.name + SUFFIX)


def manifest_of(path: Path) -> Path:
    """Return the path of a manifest, given that path or the path of its output."""
    here = path.absolute()
    return path if path.name.endswith(SUFFIX) else manifest_path(here if not path.name else path)


def read_manifest(path: Path) -> Manifest:
    """Read a manifest, given its path or the path of its output.

    Raises:
        DataError: if there is no manifest, or if the file is not a manifest.
    """
    place = manifest_of(path)
    try:
        return msgspec.json.decode(place.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise DataError(
            f"{place}: there is no such file, so nothing says how {path} was made"
        ) from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{place}: not a manifest: {error}") from None
