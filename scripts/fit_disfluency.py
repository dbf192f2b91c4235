"""Fit the built-in profile of disfluencies to NLTK's sample of Switchboard.

    python scripts/fit_disfluency.py ../shared/data/disfluency/switchboard_sample/turns.tsv

Writes src/mondegreen/resources/disfluency.en.json.gz.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import msgspec

from mondegreen.language.disfluency.profile import profile_of, read_marked

TARGET = Path(__file__).parents[1] / "src" / "mondegreen" / "resources" / "disfluency.en.json.gz"


def main() -> None:
    """Write the profile."""
    profile = profile_of(read_marked(Path(sys.argv[1])))
    TARGET.write_bytes(gzip.compress(msgspec.json.encode(profile), 9, mtime=0))


if __name__ == "__main__":
    main()
