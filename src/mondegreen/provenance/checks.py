"""One check of a verification, and the check that a file is the one that a manifest names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mondegreen.data.files.hashing import hash_of
from mondegreen.errors import DataError
from mondegreen.operators.registry import HUB, split_chain
from mondegreen.plugins import PYTHON
from mondegreen.provenance.manifest import File


class Check(NamedTuple):
    """One check; ``problem`` is empty where it passed."""

    name: str
    problem: str = ""
    skipped: bool = False


def path_of(file: File, folder: Path) -> Path:
    """Find a file of a manifest in ``folder``: at its path, or directly beside the manifest.

    Raises:
        DataError: if the manifest does not name a file.
    """
    named = folder / file.path
    beside = folder / named.name
    try:
        return beside if beside.exists() and not named.exists() else named
    except OSError as error:
        raise DataError(f"{file.path!r:.60}: cannot be a file: {error.strerror}") from None


def check_hash(name: str, file: File, folder: Path) -> Check:
    """Check that a file is the one that a manifest in ``folder`` describes."""
    try:
        found = hash_of(path_of(file, folder))
    except DataError as error:
        return Check(f"{name}: is there", str(error))
    if found != file.sha256:
        return Check(f"{name}: hash", f"{file.path} has changed: {found[:12]}…")
    return Check(f"{name}: hash {found[:12]}…")


def require_trust(place: Path, operators: Iterable[str], formats: Iterable[str]) -> None:
    """Refuse a manifest that names code, or a model of the hub: a stranger may have written it.

    Raises:
        DataError: naming the first of them.
    """
    named = [one for one in formats if one.startswith(PYTHON)]
    links = (link for one in operators for link in split_chain(one))
    named += [link for link in links if link.startswith(PYTHON) or HUB in link]
    if named:
        raise DataError(
            f"{place}: names {named[0]!r:.80}, so verifying it runs code or downloads a model that "
            "the file has chosen; if you know who made the file, verify it with --trust"
        )


def other_version(made_by: str, version: str, name: str) -> Check | None:
    """Skip a check of something that another version made."""
    if made_by == version:
        return None
    return Check(f"{name}: not tried, made by version {made_by}, this is {version}", skipped=True)
