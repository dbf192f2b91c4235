"""Fit the built-in profiles of disfluencies.

    python scripts/fit_disfluency.py ../shared/data

``conversation`` is fitted to NLTK's sample of Switchboard, ``assistant`` to requests that people
made disfluent themselves, in four languages. The profiles hold counts and single words only.
Writes src/mondegreen/resources/languages/*/disfluency.*.json.gz.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import msgspec

from mondegreen.language.disfluency.profile import (
    DisfluencyProfile,
    profile_of,
    profile_of_pairs,
    read_marked,
)

RESOURCES = Path(__file__).parents[1] / "src" / "mondegreen" / "resources"
LANGUAGES = ("en", "de", "fr", "hi")


def read_requests(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of a table without a header: id, fluent text, disfluent text, others."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(fluent, disfluent) for _, fluent, disfluent, *_ in (x.split("\t") for x in lines)]


def write(language: str, name: str, profile: DisfluencyProfile) -> None:
    """Write a resource."""
    data = gzip.compress(msgspec.json.encode(profile), 9, mtime=0)
    (RESOURCES / "languages" / language / f"disfluency.{name}.json.gz").write_bytes(data)
    print(f"{language} {name} {len(data):,} bytes")


def main() -> None:
    """Write the profiles."""
    data = Path(sys.argv[1])
    turns = data / "disfluency" / "switchboard_sample" / "turns.tsv"
    write("en", "conversation", profile_of(read_marked(turns)))
    for language in LANGUAGES:
        pairs = read_requests(data / "disco" / f"{language}.tsv")
        write(language, "assistant", profile_of_pairs(pairs, language))


if __name__ == "__main__":
    main()
