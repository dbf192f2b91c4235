"""Compare perturbed SNIPS with the corpus of the profile, and measure the speed.

    .venv/bin/python bench/disfluency.py

Needs the real data sets beside the project (../shared/data). The corpus is measured by the
same function as the perturbed set.
"""

from __future__ import annotations

import time
from pathlib import Path

import mondegreen as mg
from mondegreen.language.disfluency.lexicon import REPARANDA, TYPES
from mondegreen.language.disfluency.marked import marked_by_edits
from mondegreen.language.disfluency.profile import DisfluencyProfile, profile_of, read_marked
from timing import machine

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
OPERATORS = ("repeats", "partials", "repairs", "restarts", "discourse", "disfluencies")


def figures(profile: DisfluencyProfile) -> dict[str, float]:
    """Return the figures to compare, by name."""
    found = {
        "disfluencies in 100 fluent words": 100 * profile.total / profile.words,
        "disfluent words in 100 fluent words": 100 * profile.disfluent_words / profile.words,
    }
    for kind in TYPES:
        found[f"{kind}: in 100 fluent words"] = 100 * profile.rate(kind)
    for kind in TYPES:
        found[f"{kind}: share of all, %"] = 100 * profile.count(kind) / profile.total
    for kind in REPARANDA:
        seen = profile.reparanda[kind]
        found[f"{kind}: words of the reparandum"] = seen.mean or 0.0
        found[f"{kind}: of one word, %"] = 100 * seen.lengths[0] / seen.count
        found[f"{kind}: with pause or editing term, %"] = (
            100 * (seen.pauses + seen.terms) / seen.count
        )
    return found


def snips() -> list[mg.Utterance]:
    """Return all utterances of SNIPS."""
    parts = ("train", "valid", "test")
    return [data for part in parts for data in mg.read(DATA / "slu" / "snips" / part)]


def main() -> None:
    """Print both tables."""
    data = snips()
    corpus = profile_of(read_marked(DATA / "disfluency" / "switchboard_sample" / "turns.tsv"))
    made = profile_of(
        map(marked_by_edits, mg.perturb(data, "disfluencies(profile=conversation)", seed=0))
    )
    print(machine("mondegreen", "numpy"))
    print("\n| figure | Switchboard sample | perturbed SNIPS | ratio |\n|---|---|---|---|")
    for (name, expected), found in zip(
        figures(corpus).items(), figures(made).values(), strict=True
    ):
        print(f"| {name} | {expected:.2f} | {found:.2f} | {found / expected:.2f} |")
    print("\n| operator | utterances/s |\n|---|---|")
    for name in OPERATORS:
        print(f"| {name} | {min(speed(data, name, seed) for seed in (1, 2, 3)):,.0f} |")


def speed(data: list[mg.Utterance], name: str, seed: int) -> float:
    """Return utterances per second of processor time."""
    start = time.process_time()
    count = sum(1 for _ in mg.perturb(data, name, seed=seed))
    return count / (time.process_time() - start)


if __name__ == "__main__":
    main()
