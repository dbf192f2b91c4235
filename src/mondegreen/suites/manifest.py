"""The manifest of a suite: what its sets were made from and how, with the hash of each."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mondegreen import __version__
from mondegreen.errors import DataError
from mondegreen.manifest import File

NAME = "manifest.json"
ORIGINAL, OPERATOR, RANDOM, HARD, SEVERITY = "original", "operator", "random", "hard", "severity"
_FORMAT = 1  # of the manifest; a reader refuses a newer one
_DIGITS = 16


class SetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One set of a suite.

    ``operators`` counts the utterances by the operator that made them (none where ``changed`` says
    that they stand as they were); ``draw`` numbers the random sets.
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
    suite: int = _FORMAT

    @property
    def sha(self) -> str:
        """One hash for all sets: suites with the same hold the same."""
        return sha_of(self.sets)


def file_name(name: str) -> str:
    """Return the name of a set's file; ``severity-0.1/typing`` lies in a folder of its own."""
    return f"{name}.jsonl"


def sha_of(sets: Sequence[SetEntry]) -> str:
    """Return the hash of sets: of their names and what their files hold."""
    listed = "".join(f"{entry.name}\0{entry.file.sha256}\n" for entry in sets)
    return hashlib.sha256(listed.encode()).hexdigest()


def signature_of(
    operators: str, *, random: int, severities: Sequence[float], hard: str, seed: int, sha: str
) -> str:
    """Return the recipe of a suite in one line.

    >>> signature_of("nature", random=10, severities=(), hard="", seed=7, sha="1f0c" * 16)
    'mondegreen|suite|ops:nature|random:10|seed:7|sha:1f0c1f0c1f0c1f0c|v:0.1.0'
    """
    parts = ["mondegreen|suite", f"ops:{operators}", f"random:{random}"]
    if severities:
        parts.append(f"severity:{','.join(map(repr, severities))}")
    if hard:
        parts.append(f"hard:{hard.replace('|', ',')}")
    return "|".join((*parts, f"seed:{seed}", f"sha:{sha[:_DIGITS]}", f"v:{__version__}"))


def is_suite(path: Path) -> bool:
    """Tell a suite, whole or damaged, from another folder or file."""
    try:
        found = msgspec.json.decode((path / NAME).read_bytes())
    except (OSError, msgspec.DecodeError):
        return False
    return isinstance(found, dict) and "suite" in found


class _Format(msgspec.Struct):
    suite: int


def read_suite_manifest(folder: Path) -> SuiteManifest:
    """Read the manifest of a suite.

    Raises:
        DataError: if the folder holds none, or a newer one than is known here.
    """
    place = folder / NAME
    try:
        content = place.read_bytes()
        format = msgspec.json.decode(content, type=_Format).suite
        if format > _FORMAT:
            raise DataError(
                f"{place}: a suite of format {format}, and only {_FORMAT} is known here; "
                "install the mondegreen that made it, or a newer one"
            )
        manifest = msgspec.json.decode(content, type=SuiteManifest)
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(
            f"{folder}: not a suite, there is no {NAME} in it; make one with: mondegreen suite "
            "DATA -o DIR"
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise DataError(f"{place}: not the manifest of a suite: {error}") from None
    if _numbers(manifest.version) > _numbers(__version__):
        warnings.warn(
            f"{place}: made by mondegreen {manifest.version}, this is {__version__}; its operators "
            "may differ",
            stacklevel=2,
        )
    return manifest


def _numbers(version: str) -> list[int]:
    """The numbers that a version begins with."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]
