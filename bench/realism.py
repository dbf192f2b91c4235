"""How well can a classifier tell the simulator's errors from those of a real recogniser?

    python bench/realism.py [slurp] [moonshine] [google] [amazon] [--shared SHARED]
    python bench/realism.py moonshine --pairs 100 --draws 2

The profile is fitted to four fifths of the references and judged on the other fifth, five folds,
at the word error rate of the real hypotheses. The judge is the reference judge
(``tools/realism_heard.py``; needs scikit-learn). Prints a row of AUC and two of error rates each.
``google`` and ``amazon`` are recognisers of Earnings21; its other ones have names as well.

With --pairs, the profile is fitted to so many pairs, drawn by reference, and judged on 1,500
others. The fit begins with the nearest of the built-in profiles that know neither the recogniser
nor the recordings, or with none (--from none).
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
from mondegreen.language.simulation.profile import BUILT_IN
from mondegreen.language.simulation.simulator import Simulator
from mondegreen.language.simulation.starts import NONE
from mondegreen.language.simulation.units import Words, words_of

TABLES = ("slurp", "moonshine")
SHORTEST, LONGEST = 6, 22  # words of a piece of a call
PIECES = 6000
JUDGED = 1500  # pairs on which a fit to few others is judged
RECORDINGS = {"slurp": "slurp", "moonshine": "voices", "google": "calls", "amazon": "calls"}


Judge = Callable[[Any, Any], dict[str, Any]]


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
    return made_of([cases[i] for i in new], [cases[i] for i in known], NONE)


def made_of(some: Sequence[Case], others: Sequence[Case], begin_with: str) -> list[Case]:
    """Return what the simulator makes of some cases, fitted to others."""
    refs, hyps = ([" ".join(case[side]) for case in others] for side in (1, 2))
    profile = fit_recogniser(refs, hyps, begin_with=begin_with)
    simulator = Simulator(profile)
    rate = sum(Levenshtein.distance(c.ref, c.hyp) for c in some) / sum(len(c.ref) for c in some)
    level = simulator.level([case.ref for case in some], rate)
    keys = (key(b"1", case.id + " ".join(case.ref)) for case in some)
    return [
        case._replace(hyp=simulator.hypothesis(case.ref, one, rate, level))
        for case, one in zip(some, keys, strict=True)
    ]


def few(cases: Sequence[Case], pairs: int, seed: int) -> tuple[list[Case], list[Case]]:
    """Draw some pairs by reference, and others to judge on."""
    by_ref: dict[Words, list[Case]] = {}
    for case in cases:
        by_ref.setdefault(case.ref, []).append(case)
    refs = sorted(by_ref)
    random.Random(seed).shuffle(refs)
    known: list[Case] = []
    while len(known) < pairs:
        known += by_ref[refs.pop(0)]
    return known[:pairs], [case for ref in refs for case in by_ref[ref]][-JUDGED:]


def others_than(name: str) -> str:
    """Return the built-in profiles that know neither a recogniser nor its recordings."""
    return ",".join(one for one in BUILT_IN if RECORDINGS[one] != RECORDINGS[name])


def rates(cases: Sequence[Case]) -> str:
    """Return substitutions, deletions, insertions and all errors per word."""
    steps = Counter(step.tag for case in cases for step in Levenshtein.editops(case.ref, case.hyp))
    words = sum(len(case.ref) for case in cases)
    counts = [steps[tag] for tag in ("replace", "delete", "insert")]
    return " | ".join(f"{n / words:.4f}" for n in (*counts, sum(counts)))


def judge_of(shared: Path) -> Judge:
    """Load the reference judge."""
    spec = importlib.util.spec_from_file_location("judge", shared / "tools/realism_heard.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{shared}: there is no judge at tools/realism_heard.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Judge = module.auc
    return found


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*TABLES, "google", "amazon"])
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--from", dest="start", default="")
    options = parser.parse_args()
    judge = judge_of(options.shared)
    for name in options.names:
        cases = (heard if name in TABLES else earnings21)(options.shared, name)
        real = [case for case in cases if case.ref]
        if not options.pairs:
            made = by_folds([case.ref for case in real], partial(simulated, real))
            show(judge, name, real, made)
        for seed in range(1, options.draws + 1) if options.pairs else ():
            known, new = few(real, options.pairs, seed)
            made = made_of(new, known, options.start or others_than(name))
            show(judge, f"{name}, {options.pairs} pairs, draw {seed}", new, made)


def show(judge: Judge, name: str, real: Sequence[Case], made: Sequence[Case]) -> None:
    """Print the rows of real and simulated cases."""
    found = judge(
        {case.id: (list(case.ref), list(case.hyp)) for case in real if UNHEARD not in case.hyp},
        {case.id: (list(case.ref), list(case.hyp)) for case in made},
    )
    auc = " | ".join(f"{found[column]:.3f}" for column in ("words+counts", "counts", "both"))
    print(f"| {name} | {len(real):,} | {auc} |")
    print(f"| {name}, real | {rates(real)} |\n| {name}, simulated | {rates(made)} |", flush=True)


if __name__ == "__main__":
    main()
