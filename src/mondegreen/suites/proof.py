"""Proving that a suite is the one its manifest says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from mondegreen import __version__
from mondegreen.data import open_sink, read
from mondegreen.errors import MondegreenError
from mondegreen.manifest import hash_of, operators_of
from mondegreen.suites.manifest import HARD, OPERATOR, SetEntry, SuiteManifest
from mondegreen.suites.reading import Suite, open_suite
from mondegreen.suites.recipe import Make, Recipe
from mondegreen.verify import Check, hash_check, place_of


def verify_suite(folder: Path) -> Iterator[Check]:
    """Yield one check after the other: hashes, sets made again, hard lines found.

    Raises:
        DataError: if there is no manifest.
    """
    suite = open_suite(folder)
    manifest = suite.manifest
    yield _signed(manifest)
    intact = set()
    for entry in manifest.sets:
        check = hash_check(entry.name, entry.file, folder)
        yield check
        if not check.problem:
            intact.add(entry.name)
    for resource in manifest.resources:
        yield hash_check(f"resource {resource.path}", resource, folder)
    source = hash_check("source", manifest.source, folder)
    yield source
    if not source.problem:
        yield from _made_again(suite)
    for entry in manifest.sets:
        if entry.kind == HARD and entry.name in intact:
            yield _found(suite, entry)


def _signed(manifest: SuiteManifest) -> Check:
    """Look whether the signature is that of the hashes."""
    if f"|sha:{manifest.sha[:16]}|" in manifest.signature:
        return Check("signature: fits the sets")
    return Check("signature", "is not that of the sets' hashes; the manifest was changed")


def _made_again(suite: Suite) -> Iterator[Check]:
    """Make every set from the source once more, but for the hard one, and compare hashes."""
    manifest, name = suite.manifest, "made again from the source"
    if manifest.version != __version__:
        why = f"made by version {manifest.version}, this is {__version__}"
        yield Check(f"{name}: not tried, {why}", skipped=True)
        return
    try:
        operators = operators_of(manifest.operators, manifest.resources, suite.folder)
        recipe = Recipe(operators, manifest.seed, manifest.random, manifest.severities)
        makes = {plan.name: make for plan, make in recipe.plans().items()}
    except MondegreenError as error:
        yield Check(name, str(error))
        return
    wanted = {entry.name for entry in manifest.sets if entry.kind != HARD}
    if wanted != set(makes):
        yield Check(name, f"the recipe gives other sets: {', '.join(sorted(wanted ^ set(makes)))}")
    for entry in manifest.sets:
        if entry.name in makes:
            yield _same(suite, entry, makes[entry.name])


def _same(suite: Suite, entry: SetEntry, make: Make) -> Check:
    name = f"{entry.name}: made again from the source"
    source = suite.manifest.source
    try:
        with TemporaryDirectory() as scratch:
            again = Path(scratch) / "again.jsonl"
            with open_sink(again) as sink:
                for said in read(place_of(source, suite.folder), source.format):
                    sink(make(said))
            if hash_of(again) == entry.file.sha256:
                return Check(f"{name}: the same, byte for byte")
    except MondegreenError as error:
        return Check(name, str(error))
    return Check(name, "the recipe gives something else; the set is not what it says")


def _found(suite: Suite, hard: SetEntry) -> Check:
    """Look for each line of the hard set among the lines of the operators' sets."""
    name = f"{hard.name}: each line is one of the operators'"
    entries = [entry for entry in suite.manifest.sets if entry.kind == OPERATOR]
    try:
        others = [_lines(suite, entry) for entry in entries]
        for number, line in enumerate(_lines(suite, hard), start=1):
            if line not in [next(other, b"") for other in others]:
                return Check(name, f"line {number} is none of them")
    except OSError as error:
        return Check(name, f"{error.filename}: {error.strerror}")
    return Check(f"{name}: all {hard.n:,}")


def _lines(suite: Suite, entry: SetEntry) -> Iterator[bytes]:
    with suite.path(entry).open("rb") as file:
        yield from file
