"""Shard to shard: each shard of a source becomes a file of its own, with its own manifest.

A shard whose file is there, made by the same recipe from the same bytes, is not worked on again:
so a command that was killed continues from there.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from mondegreen import __version__
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.shards import shards_of
from mondegreen.errors import DataError, OutputNameError
from mondegreen.perturbation.recipe import Recipe, RecipeRecord
from mondegreen.provenance.manifest import File, manifest_path, read_manifest

EACH = "*"
"""In the name of an output, it stands for what is different in the names of the shards."""


def shard_names(pattern: Path) -> list[tuple[Path, str]]:
    """Return the shards of a pattern, each with what is different in its name.

    Raises:
        OutputNameError: if the names of two shards differ only in their folders.
    """
    text = pattern.name
    magic = [at for at, letter in enumerate(text) if glob.has_magic(letter) or letter == "]"]
    start, end = (magic[0], len(text) - magic[-1] - 1) if magic else (0, len(pattern.suffix))
    found = [(one, one.name[start : len(one.name) - end]) for one in shards_of(pattern)]
    if len({name for _, name in found}) < len(found):
        raise OutputNameError(
            f"{pattern}: two shards have the same name in different folders, so that * in the "
            "name of the output does not tell them apart"
        )
    return found


def named(path: Path, name: str) -> Path:
    """Return the path of the output for one shard.

    >>> named(Path("noisy-*.parquet"), "07").name
    'noisy-07.parquet'
    """
    return Path(str(path).replace(EACH, name))


def is_made(outputs: Sequence[tuple[Path, Recipe]], source: Path, ledger: Path | None) -> bool:
    """Return whether outputs are those of recipes and a source, as their manifests say."""
    return all(
        all(_holds(output, recipe, source, ledger)) if output.is_file() else False
        for output, recipe in outputs
    )


def _holds(output: Path, recipe: Recipe, source: Path, ledger: Path | None) -> Iterator[bool]:
    try:
        manifest = read_manifest(manifest_path(output))
    except DataError:
        yield False
        return
    names = RecipeRecord.__struct_fields__
    wanted = msgspec.to_builtins(recipe.record())
    yield manifest.version == __version__ and manifest.signature == recipe.signature
    yield {name: msgspec.to_builtins(getattr(manifest, name)) for name in names} == wanted
    files: list[tuple[File | None, Path | None]] = [
        (manifest.source, source),
        (manifest.output, output),
        (manifest.ledger, ledger),
    ]
    for known, path in files:
        if known is None or path is None:
            yield known is None and path is None
        else:
            yield path.is_file() and hash_of(path) == known.sha256
