"""The manifest of a suite: what its sets were made from and how, with the hash of each set."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Sequence
from pathlib import Path, PurePath

import msgspec

from mondegreen import __version__
from mondegreen.errors import DataError
from mondegreen.operators import group_of, signature
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import UNLEARNT, protection_parts
from mondegreen.perturbation.suite_recipe import SuiteEngine, SuiteRecipe
from mondegreen.provenance.manifest import File, operators_of, resource_files

NAME = "manifest.json"
_FORMAT = 1  # of the manifest; a reader refuses a newer one
_DIGITS = 16


class SetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One set of a suite.

    ``operators`` counts the changed utterances by the operator that changed them; ``draw`` numbers
    the random sets. ``failed_over`` counts the edits of another class of words than the name of
    their operator promises, such as a noun replaced by ``synonyms.adjective``.
    """

    name: str
    kind: str
    file: File
    n: int
    changed: int
    edits: int
    operator: str = ""
    amount: str = ""
    draw: int = 0
    operators: dict[str, int] = {}
    failed_over: int = 0


class SuiteManifest(msgspec.Struct, frozen=True, kw_only=True):
    """How a suite was made."""

    signature: str
    version: str
    source: File
    operators: tuple[str, ...]
    seed: int
    random: int
    severities: tuple[float, ...]
    sets: tuple[SetEntry, ...]
    hard: str = ""
    resources: tuple[File, ...] = ()
    phrases: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    every_slot: bool = False
    codes: bool = False
    suite: int = _FORMAT

    @property
    def sha(self) -> str:
        """One hash for all sets: suites with equal hashes hold the same utterances."""
        return sha_of(self.sets)


def make_suite_manifest(
    engine: SuiteEngine, sets: Sequence[SetEntry], folder: Path, *, source: File, hard: str
) -> SuiteManifest:
    """Describe how a suite in ``folder`` was made."""
    recipe = engine.recipe
    protection = recipe.protection
    return SuiteManifest(
        signature=suite_signature(recipe, hard=hard, sha=sha_of(sets)),
        version=__version__,
        source=source,
        operators=tuple(map(signature, recipe.operators)),
        seed=recipe.seed,
        random=recipe.random,
        severities=recipe.severities,
        sets=tuple(sets),
        hard=hard,
        resources=resource_files(engine.resources, folder),
        phrases=protection.phrase_texts,
        slots=tuple(sorted(protection.labels)),
        every_slot=protection.every_slot,
        codes=protection.codes,
    )


def suite_recipe_of(manifest: SuiteManifest, folder: Path, *, trust: bool = False) -> SuiteRecipe:
    """Build the recipe of a suite in ``folder`` again; ``trust`` allows it to import code.

    Raises:
        OperatorError: if an operator is unknown.
    """
    return SuiteRecipe(
        tuple(operators_of(manifest.operators, manifest.resources, folder, trust=trust)),
        manifest.seed,
        manifest.random,
        manifest.severities,
        Protection.of(
            manifest.phrases, slots=manifest.every_slot or manifest.slots, codes=manifest.codes
        ),
    )


def file_name(name: str) -> str:
    """Return the file name of a set; ``severity-0.1/typing`` is in a folder of its own."""
    return f"{name}.jsonl"


def sha_of(sets: Sequence[SetEntry]) -> str:
    """Return the hash of sets: of their names and of their files' content."""
    listed = "".join(f"{entry.name}\0{entry.file.sha256}\n" for entry in sets)
    return hashlib.sha256(listed.encode()).hexdigest()


def suite_signature(recipe: SuiteRecipe, *, hard: str, sha: str) -> str:
    """Return the recipe of a suite in one line.

    >>> from mondegreen.operators import parse_all
    >>> recipe = SuiteRecipe(tuple(parse_all("nature")), seed=7)
    >>> suite_signature(recipe, hard="", sha="1f0c" * 16)
    'mondegreen|suite|ops:nature|random:10|seed:7|sha:1f0c1f0c1f0c1f0c|v:0.3.0'
    """
    short = (signature(operator, short=True) for operator in recipe.operators)
    operators = group_of(recipe.operators) or "+".join(short)
    parts = ["mondegreen|suite", f"ops:{operators}", f"random:{recipe.random}"]
    if recipe.severities:
        parts.append(f"severity:{','.join(map(repr, recipe.severities))}")
    parts += protection_parts(recipe.protection)
    if any(operator.can_learn for operator in recipe.operators):
        parts.append(UNLEARNT)
    if hard:
        parts.append(f"hard:{hard.replace('|', ',')}")
    return "|".join((*parts, f"seed:{recipe.seed}", f"sha:{sha[:_DIGITS]}", f"v:{__version__}"))


def is_suite(path: Path) -> bool:
    """Return whether a folder is a suite, whole or damaged."""
    try:
        found = msgspec.json.decode((path / NAME).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(found, dict) and "suite" in found


class _Format(msgspec.Struct):
    suite: int


def read_suite_manifest(folder: Path) -> SuiteManifest:
    """Read the manifest of a suite.

    Raises:
        DataError: if the folder has no manifest, or one of a newer format.
    """
    place = folder / NAME
    try:
        content = place.read_bytes()
        format = msgspec.json.decode(content, type=_Format).suite
        if format > _FORMAT:
            raise DataError(
                f"{place}: a suite of format {format}, and this version reads format {_FORMAT}; "
                "install the mondegreen that made it, or a newer one"
            )
        manifest = msgspec.json.decode(content, type=SuiteManifest)
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            f"{folder}: not a suite, there is no {NAME} in it; make one with: mondegreen suite "
            "DATA -o DIR"
        ) from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{place}: not the manifest of a suite: {error}") from None
    for entry in manifest.sets:
        path = PurePath(entry.file.path)
        if path.is_absolute() or ".." in path.parts:
            raise DataError(
                f"{place}: the set {entry.name!r:.60} is in the file {entry.file.path!r:.80}; sets "
                "are inside the folder of their suite"
            )
    if not 0 <= manifest.random <= len(manifest.sets):
        raise DataError(
            f"{place}: {manifest.random} random sets in a suite of {len(manifest.sets)} sets; the "
            "file has been changed, make the suite again"
        )
    if _numbers(manifest.version) > _numbers(__version__):
        warnings.warn(
            f"{place}: made by mondegreen {manifest.version}, this is {__version__}; its operators "
            "may differ",
            stacklevel=2,
        )
    return manifest


def _numbers(version: str) -> list[int]:
    """Return the numbers that a version begins with."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]
