"""Proving that a perturbed set or a suite is the one its manifest says: by hash, by rebuilding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mondegreen import __version__
from mondegreen.data import open_sink, read
from mondegreen.data.lines import newline_of
from mondegreen.errors import DataError, MondegreenError
from mondegreen.ledger import read_ledger, rebuild_text, rebuild_tokens
from mondegreen.manifest import File, Manifest, hash_of, manifest_of, read_manifest, runner_of
from mondegreen.suites.manifest import is_suite, read_suite_manifest


class Check(NamedTuple):
    """One thing that was looked at; ``problem`` is empty where it holds."""

    name: str
    problem: str = ""
    skipped: bool = False


def verify(path: Path) -> Iterator[Check]:
    """Yield one check after the other, of a perturbed set or of a suite.

    Raises:
        DataError: if there is no manifest.
    """
    if is_suite(path):
        from mondegreen.suites.proof import verify_suite

        yield from verify_suite(path)
        return
    manifest = read_manifest(path)
    folder = manifest_of(path).parent
    yield hash_check("output", manifest.output, folder)
    for resource in manifest.resources:
        yield hash_check(f"resource {resource.path}", resource, folder)
    source = hash_check("source", manifest.source, folder)
    yield source
    if manifest.ledger is not None:
        ledger = hash_check("ledger", manifest.ledger, folder)
        yield ledger
        if not ledger.problem and not source.problem:
            yield _rebuilt(manifest, folder)
    if not source.problem:
        yield _made_again(manifest, folder)


def place_of(file: File, folder: Path) -> Path:
    """Find a file: named from where the manifest lies; a source may also lie right beside it."""
    named = folder / file.path
    beside = folder / named.name
    return beside if beside.exists() and not named.exists() else named


def signature_at(path: Path) -> str:
    """Return the signature of a perturbed set or of a suite.

    Raises:
        DataError: if there is no manifest.
    """
    return read_suite_manifest(path).signature if is_suite(path) else read_manifest(path).signature


def hash_check(name: str, file: File, folder: Path) -> Check:
    """Look whether a file is the one that a manifest in ``folder`` tells of."""
    try:
        found = hash_of(place_of(file, folder))
    except DataError as error:
        return Check(f"{name}: is there", str(error))
    if found != file.sha256:
        return Check(f"{name}: hash", f"{file.path} has changed: {found[:12]}…")
    return Check(f"{name}: hash {found[:12]}…")


def _made_again(manifest: Manifest, folder: Path) -> Check:
    """Run the recipe on the source once more and compare byte for byte."""
    name = "made again from the source"
    if manifest.version != __version__:
        why = f"made by version {manifest.version}, this is {__version__}"
        return Check(f"{name}: not tried, {why}", skipped=True)
    source = place_of(manifest.source, folder)
    try:
        run = runner_of(manifest, folder)
        with TemporaryDirectory() as scratch:
            again = Path(scratch) / Path(manifest.output.path).name
            newline = newline_of(source)
            with open_sink(again, manifest.output.format, newline=newline) as sink:
                for variant in run(read(source, manifest.source.format)):
                    sink(variant)
            if hash_of(again) == manifest.output.sha256:
                return Check(f"{name}: the same, byte for byte")
    except MondegreenError as error:
        return Check(name, str(error))
    return Check(name, "the recipe gives something else; the output is not what it says")


def _rebuilt(manifest: Manifest, folder: Path) -> Check:
    """Undo every edit of the ledger and compare with the source."""
    name = "source rebuilt from output and ledger"
    ledger = read_ledger(place_of(manifest.ledger or manifest.output, folder))
    output = read(place_of(manifest.output, folder), manifest.output.format)
    try:
        run = runner_of(manifest, folder)
    except MondegreenError as error:
        return Check(name, str(error))
    source = run(read(place_of(manifest.source, folder), manifest.source.format))
    count = 0
    for heard, variant in zip_longest(output, source):
        if heard is None or variant is None:
            return Check(name, "the output has not as many utterances as the source gives")
        found = ledger.get(variant.utterance.id, [])
        try:
            same = (
                rebuild_tokens(heard.tokens, found) == variant.parent.tokens
                if manifest.output.format == "folder"  # keeps the tokens, not the spacing
                else rebuild_text(heard.text, found) == variant.parent.text
            )
        except DataError as error:
            return Check(name, str(error))
        if not same:
            return Check(name, f"{variant.utterance.id!r} gives another source")
        count += 1
    return Check(f"{name}: all {count:,}")
