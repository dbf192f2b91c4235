"""Fit the built-in profiles of disfluencies.

    python scripts/fit_disfluency.py ../shared/data

``conversation`` is fitted to NLTK's sample of Switchboard, ``assistant`` to requests that people
made disfluent themselves, in four languages. The profiles hold counts and single words only.
Writes src/mondegreen/resources/languages/*/disfluency.*.json.gz.
"""

from __future__ import annotations

import dataclasses
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
NO_TERMS = {"hi": frozenset(("स्टॉप", "शामिल"))}
"""Words that the fit takes for editing terms, and that readers of the language refuse."""


def read_requests(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of a table without a header: id, fluent text, disfluent text, others."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(fluent, disfluent) for _, fluent, disfluent, *_ in (x.split("\t") for x in lines)]


def without(profile: DisfluencyProfile, words: frozenset[str]) -> DisfluencyProfile:
    """Return a profile in which no editing term is one of the words."""
    if profile.gaps is None or profile.lexicon is None:
        return profile
    kept = [[one for one in said.split() if one not in words] for said in profile.gaps.contents]
    terms = tuple(one for one in profile.lexicon.terms if one not in words)
    return msgspec.structs.replace(
        profile,
        discourse={one: n for one, n in profile.discourse.items() if one not in words},
        gaps=msgspec.structs.replace(profile.gaps, contents=tuple(map(" ".join, kept))),
        lexicon=dataclasses.replace(profile.lexicon, terms=terms),
    )


def requests_profile(data: Path, language: str) -> DisfluencyProfile:
    """Fit the profile of requests of a language."""
    pairs = read_requests(data / "disco" / f"{language}.tsv")
    profile = profile_of_pairs(pairs, language)
    dropped = NO_TERMS.get(language)
    return without(profile, dropped) if dropped else profile


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
        write(language, "assistant", requests_profile(data, language))


if __name__ == "__main__":
    main()
