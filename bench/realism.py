"""How well can a classifier tell the simulator's errors from those of a real recogniser?

    python bench/realism.py [slurp] [moonshine] [google] [amazon] [--shared SHARED]

The profile is fitted to four fifths of the references and judged on the other fifth, five folds,
at the word error rate of the real hypotheses. The judge is the reference judge
(``tools/realism_heard.py``; needs scikit-learn). Prints a row of AUC and two of error rates each.
``google`` and ``amazon`` are recognisers of Earnings21; its other ones have names as well.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rapidfuzz.distance import Levenshtein

from heard import SHARED, by_folds, table
from mondegreen.kernel import key
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.marks import UNHEARD, unmarked
from mondegreen.language.simulation.simulator import Simulator
from mondegreen.language.simulation.units import Words, words_of

TABLES = ("slurp", "moonshine")
SHORTEST, LONGEST = 6, 22  # words of a piece of a call
PIECES = 6000


class Case(NamedTuple):
    """A reference and what was heard, as words."""

    id: str
    ref: Words
    hyp: Words


def heard(shared: Path, name: str) -> list[Case]:
    """Return the pairs of a table of what was heard."""
    rows = table(shared / "data/heard" / f"{name}.tsv")
    refs, hyps, _ = unmarked([row["ref"] for row in rows], [row["hyp"] for row in rows])
    texts = zip(rows, map(words_of, refs), map(words_of, hyps), strict=True)
    return [Case(row["id"], ref, hyp) for row, ref, hyp in texts]


def earnings21(shared: Path, recogniser: str) -> list[Case]:
    """Return pieces of calls as a recogniser heard them, divided where both sides agree."""
    sides = [shared / "data/asr/earnings21" / f"{name}.tsv" for name in ("ref", recogniser)]
    refs, hyps = (
        dict(line.split("\t") for line in path.read_text("utf-8").splitlines()) for path in sides
    )
    rng = random.Random(0)
    said, heard_as, _ = unmarked(refs.values(), [hyps[id] for id in refs])
    found = [
        piece
        for id, ref, hyp in zip(refs, said, heard_as, strict=True)
        for piece in pieces(id, words_of(ref), words_of(hyp), rng)
    ]
    return random.Random(5).sample(found, PIECES)


def pieces(id: str, ref: Words, hyp: Words, rng: random.Random) -> Iterator[Case]:
    """Divide a call between two words that were both heard right."""
    blocks = [block for block in Levenshtein.opcodes(ref, hyp) if block.tag == "equal"]
    start = left = 0
    length = rng.randint(SHORTEST, LONGEST)
    for block in blocks:
        for at in range(block.src_start + 1, block.src_end):
            if at - start >= length:
                right = at - block.src_start + block.dest_start
                yield Case(f"{id}-{start}", ref[start:at], hyp[left:right])
                start, left = at, right
                length = rng.randint(SHORTEST, LONGEST)
    yield Case(f"{id}-{start}", ref[start:], hyp[left:])


def simulated(cases: Sequence[Case], new: list[int], known: list[int]) -> list[Case]:
    """Return what the simulator makes of new cases, fitted to those that are known."""
    some, others = [cases[i] for i in new], [cases[i] for i in known]
    profile = fit_recogniser([" ".join(c.ref) for c in others], [" ".join(c.hyp) for c in others])
    simulator = Simulator(profile)
    rate = sum(Levenshtein.distance(c.ref, c.hyp) for c in some) / sum(len(c.ref) for c in some)
    level = simulator.level([case.ref for case in some], rate)
    keys = (key(b"1", case.id + " ".join(case.ref)) for case in some)
    return [
        case._replace(hyp=simulator.hypothesis(case.ref, one, rate, level))
        for case, one in zip(some, keys, strict=True)
    ]


def rates(cases: Sequence[Case]) -> str:
    """Return substitutions, deletions, insertions and all errors per word."""
    steps = Counter(step.tag for case in cases for step in Levenshtein.editops(case.ref, case.hyp))
    words = sum(len(case.ref) for case in cases)
    counts = [steps[tag] for tag in ("replace", "delete", "insert")]
    return " | ".join(f"{n / words:.4f}" for n in (*counts, sum(counts)))


def judge_of(shared: Path) -> Callable[[Any, Any], dict[str, Any]]:
    """Load the reference judge."""
    spec = importlib.util.spec_from_file_location("judge", shared / "tools/realism_heard.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{shared}: there is no judge at tools/realism_heard.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[Any, Any], dict[str, Any]] = module.auc
    return found


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*TABLES, "google", "amazon"])
    parser.add_argument("--shared", type=Path, default=SHARED)
    options = parser.parse_args()
    judge = judge_of(options.shared)
    for name in options.names:
        cases = (heard if name in TABLES else earnings21)(options.shared, name)
        real = [case for case in cases if case.ref]
        made = by_folds([case.ref for case in real], partial(simulated, real))
        found = judge(
            {case.id: (list(case.ref), list(case.hyp)) for case in real if UNHEARD not in case.hyp},
            {case.id: (list(case.ref), list(case.hyp)) for case in made},
        )
        auc = " | ".join(f"{found[column]:.3f}" for column in ("words+counts", "counts", "both"))
        print(f"| {name} | {len(real):,} | {auc} |")
        print(
            f"| {name}, real | {rates(real)} |\n| {name}, simulated | {rates(made)} |", flush=True
        )


if __name__ == "__main__":
    main()
