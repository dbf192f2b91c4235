"""Random references and hypotheses."""

from __future__ import annotations

import random


def pairs(n: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Return references, and hypotheses with some words wrong."""
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(30)]
    refs = [" ".join(rng.choices(words, k=rng.randint(1, 15))) for _ in range(n)]
    hyps = [
        " ".join(
            w if rng.random() < 0.8 else rng.choice(words) for w in r.split() if rng.random() < 0.9
        )
        for r in refs
    ]
    return refs, hyps
