"""Fit the built-in profiles of recognisers other than SLURP's.

    python scripts/fit_recognisers.py ../shared [moonshine] [google] [amazon]

They begin with no other profile. What was seen once only is left out of the long tables, so that
no utterance can be put together again, and files stay small.
Writes src/mondegreen/resources/recogniser.*.en.json.gz.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import msgspec

from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.profile import BUILT_IN, RecogniserProfile
from mondegreen.language.simulation.starts import NONE

ROOT = Path(__file__).parents[1]
RESOURCES = ROOT / "src" / "mondegreen" / "resources"
NAMES = ("moonshine", "google", "amazon")
sys.path.insert(0, str(ROOT / "bench"))


def fitted(shared: Path, name: str) -> RecogniserProfile:
    """Return the profile of the pairs that ``bench/realism.py`` measures."""
    from realism import TABLES, earnings21, heard

    cases = [c for c in (heard if name in TABLES else earnings21)(shared, name) if c.ref]
    refs, hyps = ([" ".join(case[side]) for case in cases] for side in (1, 2))
    return fit_recogniser(refs, hyps, source=f"{name}.tsv", begin_with=NONE)


def smaller(profile: RecogniserProfile) -> RecogniserProfile:
    """Return a profile without what was seen once only."""
    often = {two: n for two, n in profile.hyp_bigrams.items() if n > 1}
    return msgspec.structs.replace(
        profile,
        offsets={
            word: found
            for word, found in profile.offsets.items()
            if profile.ref_words.get(word) != 1
        },
        bigrams={two: found for two, found in profile.bigrams.items() if two in often},
        hyp_bigrams=often,
        kinds_before={two: n for two, n in profile.kinds_before.items() if sum(n) > 1},
    )


def main() -> None:
    """Fit and write the profiles."""
    for name in sys.argv[2:] or NAMES:
        profile = smaller(fitted(Path(sys.argv[1]), name))
        data = gzip.compress(msgspec.json.encode(profile), 9, mtime=0)
        (RESOURCES / BUILT_IN[name]).write_bytes(data)
        print(f"{name}: {profile.pairs:,} pairs, {len(data):,} bytes")


if __name__ == "__main__":
    main()
