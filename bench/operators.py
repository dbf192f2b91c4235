"""Utterances per second of each operator, by processor time; to be run with each version's Python.

    .venv/bin/python bench/operators.py
    .venv/bin/python bench/operators.py repairs disfluencies

Needs the real data sets beside the project (../shared/data). For each operator it prints the speed
of the first pass over the utterances, and of the best of three.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from pathlib import Path

import mondegreen as mg

DATA = Path(os.environ.get("SLU_DATA") or Path(__file__).parents[2] / "shared" / "data" / "slu")
UTTERANCES, WARM_UP, PASSES = 6000, 300, 3
OPERATORS = (
    *("fillers", "fillers.bos", "fillers.preverb", "fillers.postverb", "fillers.eos"),
    *(f"synonyms.{kind}" for kind in ("verb", "adjective", "adverb", "any", "stopword")),
    *("spelling", "keyboard", "typo", "typing"),
    *("repeats", "partials", "repairs", "restarts", "discourse", "disfluencies"),
)


def utterances() -> list[mg.Utterance]:
    """Return utterances of ATIS and SNIPS in random order."""
    found = [data for name in ("atis", "snips") for data in mg.read(DATA / name / "train")]
    random.Random(1).shuffle(found)
    return found[:UTTERANCES]


def seconds(data: list[mg.Utterance], operator: str, seed: int) -> float:
    """Return the processor time of one pass."""
    start = time.process_time()
    assert sum(1 for _ in mg.perturb(data, operator, seed=seed)) == len(data)
    return time.process_time() - start


def main() -> None:
    """Print one line per operator: its name, the first pass, the best pass."""
    data = utterances()
    gc.freeze()
    for operator in sys.argv[1:] or OPERATORS:
        seconds(data[:WARM_UP], operator, 9)
        times = [seconds(data, operator, seed) for seed in range(1, PASSES + 1)]
        print(operator, *(round(len(data) / each) for each in (times[0], min(times))), sep="\t")


if __name__ == "__main__":
    main()
