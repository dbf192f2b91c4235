"""Perturbation through files with labels: operators and formats, cost and memory as files grow.

    python bench/files.py [--quick] [--sizes 10000,100000] [--ops fillers,typo] [--before PYTHON]

Each command runs in a process of its own, on one core, with a ledger where the format is one of
lines, and with a manifest. Time is that of the processor; what a run of ten lines takes is
subtracted, so that it is the cost per utterance. ``--before`` is the interpreter of an environment
with an earlier version, which is run in turns. A plain Python loop over the same lines that inserts
fillers at random, without labels, stands for other tools. Needs the data beside the project
(../shared/data).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

import mondegreen as mg

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "slu" / "snips"
FORMATS = {
    "jsonl": "a.jsonl",
    "parquet": "a.parquet",
    "conll": "a.conll",
    "folder": "a",
    "csv": "a.csv",
}
OPERATORS = ("fillers", "typo", "keyboard", "speako")
LEAST = 10  # utterances of the run whose time is subtracted
FILLERS = ("uh", "um", "er", "ah")


def utterances(n: int) -> Iterator[mg.Utterance]:
    """Yield the utterances of SNIPS, repeated, each with its own id."""
    once = [one for part in ("train", "valid", "test") for one in mg.read(DATA / part)]
    for at, one in enumerate(itertools.islice(itertools.cycle(once), n)):
        yield msgspec.structs.replace(one, id=f"u{at}")


def run(source: Path, target: Path, operator: str, before: Path | None) -> tuple[float, float]:
    """Return the time of the processor in seconds, and the memory in megabytes, of a command."""
    command = [
        str(before or sys.executable),
        "-m",
        "mondegreen",
        "perturb",
        str(source),
        "-o",
        str(target),
    ]
    command += ["--op", operator, "-q", "--force", "--seed", "1"]
    if source.suffix == ".jsonl":
        command += ["--ledger", str(target.parent / "ledger.jsonl")]
    one = {"OMP_NUM_THREADS": "1", "MONDEGREEN_CORES": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, env={**os.environ, **one})
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def best(
    source: Path, target: Path, operator: str, before: Path | None, runs: int
) -> tuple[float, float]:
    """Return the shortest time and the largest memory of some runs."""
    found = [run(source, target, operator, before) for _ in range(runs)]
    return min(time for time, _ in found), max(memory for _, memory in found)


def peer(source: Path, target: Path) -> float:
    """Return the seconds that a loop takes that inserts fillers and forgets labels."""
    start, dice = time.process_time(), random.Random(1)
    with source.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as out:
        for line in lines:
            row = json.loads(line)
            words = row["text"].split()
            for at in reversed(range(1, len(words))):
                if dice.random() < 0.1:
                    words.insert(at, dice.choice(FILLERS))
            out.write(json.dumps({"id": row["id"], "text": " ".join(words)}) + "\n")
    return time.process_time() - start


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--ops", default=",".join(OPERATORS))
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--before", type=Path)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="10,000 and 30,000 lines, once")
    given = parser.parse_args()
    sizes = [10_000, 30_000] if given.quick else [int(one) for one in given.sizes.split(",")]
    runs = 1 if given.quick else given.runs
    print(
        "| format | operator | "
        + " | ".join(f"{n:,} lines" for n in sizes)
        + " | memory | before |"
    )
    print("|---|---|" + "---|" * (len(sizes) + 2))
    with tempfile.TemporaryDirectory() as scratch:
        for format in given.formats.split(","):
            sources = {}
            for n in (LEAST, *sizes):
                folder = Path(scratch, f"{format}-{n}")
                folder.mkdir()
                sources[n] = folder / FORMATS[format]
                mg.write(utterances(n), sources[n])
            for operator in given.ops.split(","):
                rate: dict[int, float] = {}
                most, old = 0.0, ""
                for n in sizes:
                    target = sources[n].parent / f"out{sources[n].suffix}"
                    start, _ = best(sources[LEAST], target, operator, None, runs)
                    seconds, memory = best(sources[n], target, operator, None, runs)
                    rate[n], most = n / max(1e-9, seconds - start), max(most, memory)
                    if given.before and n == sizes[0]:
                        start, _ = best(sources[LEAST], target, operator, given.before, 1)
                        seconds, _ = best(sources[n], target, operator, given.before, 1)
                        old = f"{n / (seconds - start):,.0f}/s"
                cells = " | ".join(f"{rate[n]:,.0f}/s" for n in sizes)
                print(f"| {format} | {operator} | {cells} | {most:,.0f} MB | {old} |", flush=True)
            if format == "jsonl":
                seconds = peer(sources[sizes[-1]], Path(scratch, "peer.jsonl"))
                print(
                    f"| jsonl | a loop without labels | {sizes[-1] / seconds:,.0f}/s |", flush=True
                )
    print(f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
