"""Compare random scores with those of the peers that are installed, with a new seed every time.

    python scripts/peers.py [--seconds 60] [--seed N] [--only jiwer,sclite]

Peers: jiwer, kaldialign, sclite (Debian: sctk), seqeval, meeteval and bfcl-eval. One that is not
installed is named and left out. The first difference is printed with its input and the seed, and
the exit status is 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import random
import re
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import mondegreen as mg
from mondegreen.compat import jiwer as shim
from mondegreen.compat.seqeval import metrics as ours_seqeval
from mondegreen.compat.seqeval.scheme import IOB2 as OURS_IOB2
from mondegreen.data.answers.cases import case_of_bfcl
from mondegreen.data.answers.conversations import calls_in, functions_of
from mondegreen.metrics.calls.rules import calls_right
from mondegreen.types import MadeCall

TESTS = Path(__file__).resolve().parents[1] / "tests"
WORDS = ("a", "b", "c", "d", "a'", "b-", "play", "plays", "jazz", "7", "É", "é", "ß", "x")
TAGS = ("O", "B-x", "I-x", "B-y", "I-y", "B-x", "O")
NEAR = 1e-9
CHANGED, LOST, OTHER = 0.25, 0.15, 0.1
"""The chances that a word is another one, that it is lost, and that a text is another one."""
_PAIRS = 50  # of one call of sclite
_COUNTS = re.compile(r"Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)")


class Difference(NamedTuple):
    """What differs: the input, and both results."""

    given: object
    ours: object
    theirs: object


Check = Callable[[random.Random], Difference | None]


def _texts(rng: random.Random, n: int, least: int = 0) -> tuple[list[str], list[str]]:
    """Return references, and hypotheses that are near most of them."""
    refs, hyps = [], []
    for _ in range(n):
        ref = rng.choices(WORDS, k=rng.randint(least, 12))
        hyp = [rng.choice(WORDS) if rng.random() < CHANGED else word for word in ref]
        hyp = [word for word in hyp if rng.random() > LOST]
        for _ in range(rng.choice((0, 0, 1, 3))):
            hyp.insert(rng.randint(0, len(hyp)), rng.choice(WORDS))
        refs.append(" ".join(ref))
        hyps.append(
            " ".join(hyp if rng.random() > OTHER else rng.choices(WORDS, k=rng.randint(0, 9)))
        )
    return refs, hyps


def _apart(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return any(abs((ours[name] or 0) - (theirs[name] or 0)) > NEAR for name in theirs)


def against_jiwer(rng: random.Random) -> Difference | None:
    """Error rates of words and characters, by the shim and by our own function.

    How errors divide into kinds depends on ties (docs/differences.md), which are not compared.
    """
    import jiwer

    refs, hyps = _texts(rng, rng.randint(1, 6), least=1)
    score = mg.score.words(refs, hyps)
    found = [
        {"wer": module.wer(refs, hyps), "cer": module.cer(refs, hyps)} for module in (jiwer, shim)
    ]
    found.append({name: score[name].value for name in ("wer", "cer")})
    theirs, *ours = found
    return next(
        (Difference((refs, hyps), one, theirs) for one in ours if _apart(one, theirs)), None
    )


def against_kaldialign(rng: random.Random) -> Difference | None:
    """The number of errors."""
    import kaldialign

    (ref,), (hyp,) = _texts(rng, 1, least=1)
    theirs = kaldialign.edit_distance(ref.split(), hyp.split())["total"]
    ours = mg.score.words([ref], [hyp])["wer"].numerator
    return Difference((ref, hyp), ours, theirs) if ours != theirs else None


def against_sclite(rng: random.Random) -> Difference | None:
    """The cost of the alignment of each utterance: equal, whatever becomes of ties."""
    refs, hyps = _texts(rng, _PAIRS, least=1)
    plain = [[re.sub(r"[^a-z0-9 ]", "", text) or "a" for text in side] for side in (refs, hyps)]
    with TemporaryDirectory() as folder:
        for name, side in zip(("ref", "hyp"), plain, strict=True):
            lines = "".join(f"{text} (s-{n:03})\n" for n, text in enumerate(side))
            (Path(folder) / name).write_text(lines)
        files = ["-r", f"{folder}/ref", "trn", "-h", f"{folder}/hyp", "trn", "-i", "spu_id"]
        command = ["sctk", "sclite", *files, "-o", "pralign", "-O", folder, "-f", "0", "-n", "out"]
        subprocess.run(command, check=True, capture_output=True)
        report = (Path(folder) / "out.pra").read_text()
    theirs = [_cost(*map(int, found.groups())) for found in _COUNTS.finditer(report)]
    score = mg.score.words(*plain, costs="sclite", ignore_case=True, alternatives=True)
    ours = [_cost(*row[:4]) for row in score.counts.tolist()]
    for ref, hyp, one, other in zip(*plain, ours, theirs, strict=True):
        if one != other:
            return Difference((ref, hyp), one, other)
    return None


def _cost(correct: int, substituted: int, deleted: int, inserted: int) -> tuple[int, int]:
    """Return the words of the reference, and what an alignment costs by sclite's weights."""
    return correct + substituted + deleted, 4 * substituted + 3 * (deleted + inserted)


def against_seqeval(rng: random.Random) -> Difference | None:
    """Precision, recall and F1 of slots, with lenient and with strict reading."""
    from seqeval import metrics
    from seqeval.scheme import IOB2

    lengths = [rng.randint(1, 9) for _ in range(rng.randint(1, 5))]
    gold, found = ([rng.choices(TAGS, k=n) for n in lengths] for _ in range(2))
    strict, average = rng.random() < 1 / 2, rng.choice(("micro", "macro", "weighted"))
    values = []
    for one, scheme in ((ours_seqeval, OURS_IOB2), (metrics, IOB2)):
        named: dict[str, Any] = {"average": average, "zero_division": 0}
        named |= {"mode": "strict", "scheme": scheme} if strict else {}
        names = ("precision_score", "recall_score", "f1_score")
        values.append({name: float(getattr(one, name)(gold, found, **named)) for name in names})
    ours, theirs = values
    given = {"gold": gold, "found": found, "strict": strict, "average": average}
    return Difference(given, ours, theirs) if _apart(ours, theirs) else None


def against_meeteval(rng: random.Random) -> Difference | None:
    """Counts of single utterances, and cpWER of two speakers in any order."""
    import meeteval

    refs, hyps = _texts(rng, 2, least=1)
    theirs = meeteval.wer.wer.cp.cp_word_error_rate(refs, hyps)
    best = min(
        sum(
            mg.score.words([ref], [hyp])["wer"].numerator
            for ref, hyp in zip(refs, side, strict=True)
        )
        for side in (hyps, hyps[::-1])
    )
    if best != theirs.errors:
        return Difference((refs, hyps), best, theirs.errors)
    single = meeteval.wer.wer.siso.siso_word_error_rate(refs[0], hyps[0])
    score = mg.score.words(refs[:1], hyps[:1])
    ours = (score["wer"].numerator, score["wer"].denominator)
    other = (single.errors, single.length)
    return Difference((refs[0], hyps[0]), ours, other) if ours != other else None


def bfcl_check() -> Check:
    """Return the check of calls: BFCL's cases with changed answers, judged by both."""
    sys.path.append(str(TESTS))
    import bfcl

    kinds = (*bfcl.KINDS, *bfcl.CODE_KINDS)
    judge, cases = bfcl.checker(), {kind: bfcl.cases(kind) for kind in kinds}

    def against_bfcl(rng: random.Random) -> Difference | None:
        kind = rng.choice(kinds)
        case = rng.choice(cases[kind])
        (made,) = bfcl.mutations(case, rng, 1)
        if kind in bfcl.CODE_KINDS:
            made = bfcl.in_code(case, made, kind, rng)
        try:
            theirs = judge(case, made, kind)
        except (KeyError, TypeError, AttributeError, IndexError):
            return None  # the checker does not expect such a value
        read = case_of_bfcl(case, {})
        calls = [MadeCall(name, given) for call in made for name, given in call.items()]
        ours = calls_right(functions_of(read["tools"]), calls, calls_in(read["expected"]))
        return Difference((case["id"], made), ours, theirs) if ours != theirs else None

    return against_bfcl


PEERS: dict[str, Callable[[], Check]] = {
    "jiwer": lambda: against_jiwer,
    "kaldialign": lambda: against_kaldialign,
    "sclite": lambda: against_sclite,
    "seqeval": lambda: against_seqeval,
    "meeteval": lambda: against_meeteval,
    "bfcl-eval": bfcl_check,
}


def installed(name: str) -> bool:
    """Return whether a peer is there."""
    if name == "sclite":
        return shutil.which("sctk") is not None
    return importlib.util.find_spec(name.replace("-", "_")) is not None


def compare(name: str, check: Check, seed: int, seconds: float) -> bool:
    """Compare with one peer until the time is over; print the first difference."""
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end or not number:
        found = check(random.Random(f"{name} {seed} {number}"))  # noqa: S311 (not for secrets)
        number += 1
        if found is not None:
            print(
                f"{name}: difference in comparison {number:,} of seed {seed}\n  input: "
                f"{found.given!r}\n  ours: {found.ours}\n  theirs: {found.theirs}"
            )
            return False
    print(f"{name}: {number:,} comparisons, no difference")
    return True


def main() -> int:
    """Compare with every peer; 1 if there is a difference."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60, help="for all peers together")
    parser.add_argument("--seed", type=int, help="by default a new one")
    parser.add_argument("--only", default="", help="peers, separated by commas")
    options = parser.parse_args()
    logging.disable(logging.WARNING)  # meeteval says how it sorts
    warnings.simplefilter("ignore")  # seqeval, of divisions by 0
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    names = [name for name in PEERS if name in (options.only or ",".join(PEERS)).split(",")]
    there = [name for name in names if installed(name)]
    for name in set(names) - set(there):
        print(f"{name}: not installed, left out")
    print(f"seed {seed}")
    share = options.seconds / max(1, len(there))
    same = [compare(name, PEERS[name](), seed, share) for name in there]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
