"""How disfluent SNIPS becomes beside the corpus it was fitted to, and how fast.

    .venv/bin/python bench/disfluency.py

Needs the real data sets beside the project (../shared/data). The corpus is measured anew, by the
same function as the perturbed set.
"""

from __future__ import annotations

import time
from pathlib import Path

import mondegreen as mg
from mondegreen.language.disfluency import REPARANDA, TYPES, marked_by_edits
from mondegreen.language.profile import Profile, profile_of, read_marked
from timing import machine

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
OPERATORS = ("repeats", "partials", "repairs", "restarts", "discourse", "disfluencies")


def figures(profile: Profile) -> dict[str, float]:
    """Return all that is compared, by its name."""
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
    return [said for part in parts for said in mg.read(DATA / "slu" / "snips" / part)]


def main() -> None:
    """Print both tables."""
    said = snips()
    corpus = profile_of(read_marked(DATA / "disfluency" / "switchboard_sample" / "turns.tsv"))
    made = profile_of(map(marked_by_edits, mg.perturb(said, "disfluencies", seed=0)))
    print(machine("mondegreen", "numpy"))
    print("\n| figure | Switchboard sample | perturbed SNIPS | ratio |\n|---|---|---|---|")
    for (name, wanted), got in zip(figures(corpus).items(), figures(made).values(), strict=True):
        print(f"| {name} | {wanted:.2f} | {got:.2f} | {got / wanted:.2f} |")
    print("\n| operator | utterances/s |\n|---|---|")
    for name in OPERATORS:
        print(f"| {name} | {min(speed(said, name, seed) for seed in (1, 2, 3)):,.0f} |")


def speed(said: list[mg.Utterance], name: str, seed: int) -> float:
    """Return utterances for each second of processor time."""
    began = time.process_time()
    count = sum(1 for _ in mg.perturb(said, name, seed=seed))
    return count / (time.process_time() - began)


if __name__ == "__main__":
    main()
