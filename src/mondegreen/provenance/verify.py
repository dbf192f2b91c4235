"""Verifying that a perturbed set or a suite is what its manifest says: by hash, by remaking it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from mondegreen import __version__
from mondegreen.data import FORMATS, format_of, open_sink, read, target_format
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.lines import newline_of
from mondegreen.data.formats.format import like_source
from mondegreen.errors import DataError, MondegreenError
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.provenance.checks import Check, check_hash, other_version, path_of, require_trust
from mondegreen.provenance.ledger import read_ledger, rebuild_text, rebuild_tokens
from mondegreen.provenance.manifest import Manifest, manifest_of, read_manifest, recipe_of
from mondegreen.provenance.suite_manifest import is_suite, read_suite_manifest
from mondegreen.provenance.verify_suite import verify_suite


def verify(output: Path | str, *, trust: bool = False) -> list[Check]:
    """Verify the output of perturb, augment or suite against its manifest; return the checks.

    A check whose ``problem`` is empty has passed.

    Args:
        output: the output, or the folder of the suite.
        trust: whether code that the manifest names (``python:…``) may be imported.

    Raises:
        DataError: if there is no manifest, or if it names code and ``trust`` is not set.
    """
    return list(checks(Path(output), trust=trust))


def checks(path: Path, *, trust: bool = False) -> Iterator[Check]:
    """Yield the checks of a perturbed set or of a suite, one after the other.

    Args:
        path: the output, or the folder of the suite.
        trust: whether code that the manifest names (``python:…``) may be imported.

    Raises:
        DataError: if there is no manifest, or if it names code and ``trust`` is not set.
    """
    if is_suite(path):
        return verify_suite(path, trust=trust)
    return _verify_output(path, trust=trust)


def signature_at(path: Path) -> str:
    """Return the signature of a perturbed set or of a suite.

    Raises:
        DataError: if there is no manifest.
    """
    return read_suite_manifest(path).signature if is_suite(path) else read_manifest(path).signature


def _verify_output(path: Path, *, trust: bool) -> Iterator[Check]:
    manifest = read_manifest(path)
    folder = manifest_of(path).parent
    if not trust:
        formats = (manifest.source.format, manifest.output.format)
        require_trust(manifest_of(path), manifest.operators, formats)
    output = check_hash("output", manifest.output, folder)
    yield output
    for resource in manifest.resources:
        yield check_hash(f"resource {resource.path}", resource, folder)
    source = check_hash("source", manifest.source, folder)
    yield source
    if manifest.ledger is not None:
        ledger = check_hash("ledger", manifest.ledger, folder)
        yield ledger
        if not ledger.problem and not source.problem:
            yield _source_rebuilt(manifest, folder, trust=trust)
    if not source.problem:
        yield _made_again(manifest, folder, intact=not output.problem, trust=trust)


def _made_again(manifest: Manifest, folder: Path, *, intact: bool, trust: bool) -> Check:
    """Run the recipe on the source once more and compare byte for byte."""
    name = "made again from the source"
    if skipped := other_version(manifest.version, __version__, name):
        return skipped
    source = path_of(manifest.source, folder)
    try:
        engine = engine_of(recipe_of(manifest, folder, trust=trust))
        with TemporaryDirectory() as scratch:
            again = Path(scratch) / Path(manifest.output.path).name
            newline = newline_of(source)
            read_as = format_of(source, manifest.source.format)
            written_as = target_format(again, manifest.output.format)
            like = like_source(source, read_as, written_as)
            with open_sink(again, manifest.output.format, newline=newline, like=like) as sink:
                for variant in engine.run(read(source, manifest.source.format)):
                    sink(variant)
            if intact and hash_of(again) == manifest.output.sha256:
                return Check(f"{name}: the same, byte for byte")
    except MondegreenError as error:
        return Check(name, str(error))
    return Check(name, "the recipe makes something else than the file that is there")


def _source_rebuilt(manifest: Manifest, folder: Path, *, trust: bool) -> Check:
    """Undo every edit of the ledger and compare with the source."""
    name = "source rebuilt from output and ledger"
    ledger = read_ledger(path_of(manifest.ledger or manifest.output, folder))
    output = read(path_of(manifest.output, folder), manifest.output.format)
    try:
        engine = engine_of(recipe_of(manifest, folder, trust=trust))
    except MondegreenError as error:
        return Check(name, str(error))
    source = engine.run(read(path_of(manifest.source, folder), manifest.source.format))
    keeps_spacing = FORMATS[manifest.output.format].keeps_spacing
    count = 0
    for heard, variant in zip_longest(output, source):
        if heard is None or variant is None:
            return Check(
                name, "the output and the remade source differ in the number of utterances"
            )
        found = ledger.get(variant.utterance.id, [])
        try:
            same = (
                rebuild_text(heard.text, found) == variant.parent.text
                if keeps_spacing
                else rebuild_tokens(heard.tokens, found) == variant.parent.tokens
            )
        except DataError as error:
            return Check(name, str(error))
        if not same:
            return Check(name, f"{variant.utterance.id!r} gives another source")
        count += 1
    return Check(f"{name}: all {count:,}")
