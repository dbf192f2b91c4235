"""Tune the weight of surprisal against sound on the errors of real recognisers.

The phrases of one to four words that a recogniser of earnings21 got wrong, and that sound like the
words it wrote, are collected from the alignments. Prints, per weight, how often the recogniser's
words are the first mishearing, and how often they are among the first eight or sixteen.

    python scripts/tune_hearing.py FOLDER_OF_EARNINGS21
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mondegreen.align import align
from mondegreen.align.costs import UNIT
from mondegreen.kernel.hearing import SearchLimits
from mondegreen.language.sounds.hearing import LIMITS, PHONEME, mishear, spoken_phonemes
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.pronunciations import dictionary, prepare

SYSTEMS = ("google", "amazon", "rev_kaldi")
LONGEST = 4
FARTHEST = 0.15  # the largest distance in sound of a mishearing
SAMPLE = 1_000
WEIGHTS = (25, 50, 100, 150, 200, 250, 300, 400, 600)


class Misheard(NamedTuple):
    """Words that were said, the words that a recogniser wrote, and two words on either side."""

    said: tuple[str, ...]
    heard: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


def _read(path: Path) -> dict[str, list[str]]:
    rows = (line.split("\t", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {id: text.lower().split() for id, text in rows}


def misheard(folder: Path) -> Iterator[Misheard]:
    """Yield the mishearings of all recognisers."""
    refs = _read(folder / "ref.tsv")
    for system in SYSTEMS:
        hyps = _read(folder / f"{system}.tsv")
        for id, ref in refs.items():
            steps = align([ref], [hyps[id]], UNIT).of(0).tolist()
            yield from _misheard_phrases(ref, hyps[id], steps)


def _misheard_phrases(ref: list[str], hyp: list[str], steps: list[int]) -> Iterator[Misheard]:
    i = j = start_ref = start_hyp = 0
    for step in steps:
        if step == 0:
            said, heard = tuple(ref[start_ref:i]), tuple(hyp[start_hyp:j])
            if 0 < len(said) <= LONGEST and heard and _near(said, heard):
                before = tuple(ref[max(0, start_ref - 2) : start_ref])
                yield Misheard(said, heard, before, tuple(ref[i : i + 2]))
        i += step in (0, 1, 2)
        j += step in (0, 1, 3)
        if step == 0:
            start_ref, start_hyp = i, j


@cache
def _near(said: tuple[str, ...], heard: tuple[str, ...]) -> bool:
    known = dictionary()
    if "".join(said) == "".join(heard) or any(w not in known for w in (*said, *heard)):
        return False
    return not set(said) & set(heard) and distance(said, heard) <= FARTHEST


def distance(said: tuple[str, ...], heard: tuple[str, ...]) -> float:
    """Return the distance in sound of two word sequences, in phonemes per phoneme said."""
    system = feature_system("hayes-arpabet")
    (ref, _), (hyp, _) = spoken_phonemes(said), spoken_phonemes(heard)
    row = [0]
    for phoneme in hyp:
        row.append(row[-1] + system.indel(phoneme))
    for a in ref:
        above, row = row, [row[0] + system.indel(a)]
        for j, b in enumerate(hyp):
            swap = above[j] + system.substitution(a, b)
            row.append(min(swap, above[j + 1] + system.indel(a), row[j] + system.indel(b)))
    return row[-1] / PHONEME / len(ref)


def main() -> None:
    """Print one row per weight."""
    found = sorted(set(misheard(Path(sys.argv[1]))))
    random.Random(1).shuffle(found)  # noqa: S311 (a sample, not a secret)
    chosen = found[:SAMPLE]
    prepare(word for item in chosen for word in item.said)
    print(f"{len(found)} phrases misheard, {len(chosen)} sampled")
    for weight in WEIGHTS:
        _row(chosen, LIMITS._replace(surprise=weight))


def _row(chosen: list[Misheard], limits: SearchLimits) -> None:
    start = time.process_time()
    ranks = []
    for item in chosen:
        found = mishear(item.said, before=item.before, after=item.after, n=16, limits=limits)
        words = [heard.words for heard in found]
        ranks.append(words.index(item.heard) if item.heard in words else len(words) + 16)
    spent = time.process_time() - start
    shares = " ".join(f"{sum(r < n for r in ranks) / len(ranks):6.1%}" for n in (1, 8, 16))
    print(f"{limits}: first, in 8, in 16: {shares}; {len(chosen) / spent:,.0f} per second")


if __name__ == "__main__":
    main()
