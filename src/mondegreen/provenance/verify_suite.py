"""Verifying that a suite is what its manifest says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from mondegreen import __version__
from mondegreen.data import Item, read
from mondegreen.data.formats.jsonl import json_line
from mondegreen.errors import MondegreenError
from mondegreen.perturbation.suite_recipe import HARD, OPERATOR, SuiteEngine, SuiteRecipe
from mondegreen.provenance.checks import Check, check_hash, other_version, path_of, require_trust
from mondegreen.provenance.suite_manifest import (
    SetEntry,
    SuiteManifest,
    read_suite_manifest,
    suite_recipe_of,
)


def verify_suite(folder: Path, *, trust: bool = False) -> Iterator[Check]:
    """Yield the checks: hashes, sets made again, and the lines of the hard set found.

    Raises:
        DataError: if there is no manifest, or if it names code and ``trust`` is not set.
    """
    manifest = read_suite_manifest(folder)
    if not trust:
        require_trust(folder, manifest.operators, [manifest.source.format])
    yield _signed(manifest)
    intact = set()
    for entry in manifest.sets:
        check = check_hash(entry.name, entry.file, folder)
        yield check
        if not check.problem:
            intact.add(entry.name)
    for resource in manifest.resources:
        yield check_hash(f"resource {resource.path}", resource, folder)
    source = check_hash("source", manifest.source, folder)
    yield source
    if not source.problem:
        yield from _made_again(manifest, folder, intact, trust=trust)
    for entry in manifest.sets:
        if entry.kind == HARD and entry.name in intact:
            yield _found(manifest, entry, folder)


def _signed(manifest: SuiteManifest) -> Check:
    if f"|sha:{manifest.sha[:16]}|" in manifest.signature:
        return Check("signature: matches the sets")
    return Check("signature", "does not match the hashes of the sets; the manifest was changed")


def _made_again(
    manifest: SuiteManifest, folder: Path, intact: set[str], *, trust: bool
) -> Iterator[Check]:
    """Make every set from the source once more, except the hard one, and compare the hashes."""
    name = "made again from the source"
    if skipped := other_version(manifest.version, __version__, name):
        yield skipped
        return
    try:
        recipe = suite_recipe_of(manifest, folder, trust=trust)
        found = _hashes(recipe, manifest, folder)
    except MondegreenError as error:
        yield Check(name, str(error))
        return
    wanted = {entry.name for entry in manifest.sets if entry.kind != HARD}
    if wanted != set(found):
        other = ", ".join(sorted(wanted ^ set(found)))
        yield Check(name, f"the recipe makes other sets: {other}")
    for entry in manifest.sets:
        if entry.name not in found:
            continue
        if entry.name in intact and found[entry.name] == entry.file.sha256:
            yield Check(f"{entry.name}: {name}: the same, byte for byte")
        else:
            problem = "the recipe makes something else than the file that is there"
            yield Check(f"{entry.name}: {name}", problem)


def _hashes(recipe: SuiteRecipe, manifest: SuiteManifest, folder: Path) -> dict[str, str]:
    """Return the hash of each set, made again from the source in one pass."""
    digests = {plan.name: hashlib.sha256() for plan in recipe.plans()}
    source = manifest.source
    for utterance, variants in SuiteEngine(recipe).run(
        read(path_of(source, folder), source.format)
    ):
        items: list[Item] = [utterance, *variants]
        for digest, item in zip(digests.values(), items, strict=True):
            digest.update(json_line(item).encode() + b"\n")
    return {name: digest.hexdigest() for name, digest in digests.items()}


def _found(manifest: SuiteManifest, hard: SetEntry, folder: Path) -> Check:
    """Look for each line of the hard set among the lines of the operators' sets."""
    name = f"{hard.name}: each line is a line of an operator's set"
    entries = [entry for entry in manifest.sets if entry.kind == OPERATOR]
    try:
        others = [_lines(folder / entry.file.path) for entry in entries]
        for number, line in enumerate(_lines(folder / hard.file.path), start=1):
            if line not in [next(other, b"") for other in others]:
                return Check(name, f"line {number} is in none of them")
    except OSError as error:
        return Check(name, f"{error.filename}: {error.strerror}")
    return Check(f"{name}: all {hard.n:,}")


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
