"""Entities, punctuation and hallucinations counted in one pass with WER, compared with WER alone.

    .venv/bin/python bench/extras.py

Needs the real data sets beside the project (../shared/data). Processor time on one thread.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import mondegreen as mg
from perturb import DATA
from timing import machine

LINES = 40_000
RUNS = 9
KEYWORDS = {"revenue": "finance", "third quarter": "date", "million": "number", "China": "place",
            "EBITDA": "finance"}  # fmt: skip


def pairs() -> tuple[list[str], list[str]]:
    """Return lines of calls with their punctuation and case, with 10 % of the words replaced."""
    rng = random.Random(0)
    lines = (DATA / "text" / "earnings22.txt").read_text(encoding="utf-8").splitlines()
    refs = [line for line in lines if line.strip()][:LINES]
    vocabulary = sorted({word for ref in refs for word in ref.split()})
    hyps = [
        " ".join(w if rng.random() > 0.1 else rng.choice(vocabulary) for w in ref.split())
        for ref in refs
    ]
    return refs, hyps


def times(ways: Sequence[Callable[[], object]]) -> list[float]:
    """Return the least processor time of each way; they take turns, so that load hits all."""
    found = [float("inf")] * len(ways)
    for _ in range(RUNS):
        for at, way in enumerate(ways):
            began = time.process_time()
            way()
            found[at] = min(found[at], time.process_time() - began)
    return found


def main() -> None:
    """Print the cost of each count as a multiple of WER alone."""
    refs, hyps = pairs()
    tags = [
        [("name", at, at + 1) for at, word in enumerate(ref.split()) if at and _is_name(word)]
        for ref in refs
    ]
    unmarked = [[*map(_plain, side)] for side in (refs, hyps)]
    options: dict[str, dict[str, Any]] = {
        "WER alone": {},
        "`hallucinations`": {"hallucinations": True},
        "`keywords` (five)": {"keywords": KEYWORDS},
        f"`entities` ({sum(map(len, tags)):,} names)": {"entities": tags},
        "`punctuation`": {"punctuation": True},
        "keywords, punctuation, hallucinations": {
            "keywords": KEYWORDS, "punctuation": True, "hallucinations": True,
        },
        "entities, punctuation, hallucinations": {
            "entities": tags, "punctuation": True, "hallucinations": True,
        },
    }  # fmt: skip
    gc.freeze()
    print(machine("mondegreen"))
    words = sum(len(ref.split()) for ref in refs)
    print(f"\n{len(refs):,} lines of {words / len(refs):.1f} words")
    for what, sides in {"with punctuation and case": (refs, hyps), "without": unmarked}.items():
        found = times([partial(mg.score.words, *sides, **more) for more in options.values()])
        print(f"\n| {what} | ms | times WER |\n|---|---:|---:|")
        for name, seconds in zip(options, found, strict=True):
            print(f"| {name} | {1000 * seconds:.0f} | {seconds / found[0]:.2f} |", flush=True)


def _is_name(word: str) -> bool:
    return word.istitle() and len(word) > 1


def _plain(text: str) -> str:
    return " ".join(word.strip(".,?!").lower() for word in text.split())


if __name__ == "__main__":
    main()
