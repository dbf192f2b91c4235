"""Large corpora: time and memory of scoring, perturbing and evaluating, at several sizes.

Run: python bench/scale.py [LARGEST]        # 1,000,000 by default; 10000000 for the whole table

Every command runs in a process of its own; of several runs the fastest counts, so that the load of
the machine matters less. Utterances are those of SNIPS and ATIS, repeated.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import mondegreen as mg
from mondegreen.operators import parse_all
from mondegreen.perturbation.columnar import rewrite_lines
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from timing import machine

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "slu"
COMMAND = [sys.executable, "-m", "mondegreen"]
RUNS = 3
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""Installed packages come with their bytecode."""
MEASURE = """
import os, sys, time
start = time.perf_counter()
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(process, 0)
print(time.perf_counter() - start, usage.ru_maxrss)
sys.exit(status != 0)
"""
"""Runs a command from a small process: on Linux a child begins with the memory of its parent."""


def ran(
    *arguments: object, program: Iterable[str] = COMMAND, runs: int = RUNS
) -> tuple[float, float]:
    """Return the least seconds and the most megabytes of a command."""
    words = [sys.executable, "-S", "-c", MEASURE, *program, *map(str, arguments)]
    seconds, memory = [], 0.0
    for _ in range(runs):
        made = subprocess.run(words, stdout=subprocess.PIPE, env=ENVIRONMENT, check=True)
        took, kilobytes = map(float, made.stdout.split())
        seconds.append(took)
        memory = max(memory, kilobytes / 1024)
    return min(seconds), memory


def largest_worker(*arguments: object) -> float:
    """Return the most megabytes of one of the processes that a command starts."""
    words = [*COMMAND, *map(str, arguments)]
    most = 0.0
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, env=ENVIRONMENT) as process:
        while process.poll() is None:
            most = max([most, *map(_megabytes, _descendants(process.pid))])
            time.sleep(0.05)
    return most


def _descendants(process: int) -> Iterator[int]:
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, path.read_text().split()):
                yield child
                yield from _descendants(child)


def _megabytes(process: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def write_corpus(folder: Path, n: int) -> tuple[Path, Path]:
    """Write n references, and hypotheses with a typo in each; return both paths."""
    found = [one for name in ("atis", "snips") for one in mg.read(SHARED / name / "train")]
    refs = [one.text for one in found]
    hyps = [made.utterance.text for made in mg.perturb(refs, "typo", severity=0.1)]
    paths = folder / f"ref-{n}.txt", folder / f"hyp-{n}.txt"
    for path, texts in zip(paths, (refs, hyps), strict=True):
        with path.open("w") as file:
            file.writelines(text + "\n" for text in islice(cycle(texts), n))
    return paths


def scoring(folder: Path, sizes: Iterable[int]) -> None:
    """Time score words."""
    print(
        "\n| `score words` | seconds | µs per pair | intervals add, s | MB |\n|---|---|---|---|---|"
    )
    for n in sizes:
        ref, hyp = write_corpus(folder, n)
        files = ("score", "words", "--ref", ref, "--hyp", hyp, "--format", "txt")
        runs = 1 if n > 1_000_000 else RUNS
        bare, _ = ran(*files, "--no-intervals", runs=runs)
        full, memory = ran(*files, runs=runs)
        print(f"| {n:,} | {full:.2f} | {full / n * 1e6:.2f} | {full - bare:.2f} | {memory:.0f} |")


def engines(folder: Path, n: int) -> None:
    """Time one process, two and Ray, and what Ray costs per utterance beyond its start."""
    print(f"\n| {n:,} utterances | local | 1 worker | 2 workers | 1 / 2 | MB per worker | Ray, 2 |")
    print("|---|---|---|---|---|---|---|")
    slower = {}
    for what in _jobs(folder, n):
        job, small = _jobs(folder, n)[what], _jobs(folder, n // 10)[what]
        local, one, two = (
            ran(*job, *engine, runs=2)[0]
            for engine in ((), _workers("processes", 1), _workers("processes", 2))
        )
        memory = largest_worker(*job, *_workers("processes", 2))
        shown = "-"
        if _has_ray():
            ray = ran(*job, *_workers("ray", 2), runs=2)[0]
            shown = f"{ray:.1f} s"
            slower[what] = (ray - ran(*small, *_workers("ray", 2), runs=2)[0]) / (
                two - ran(*small, *_workers("processes", 2), runs=2)[0]
            )
        print(
            f"| {what} | {local:.1f} s | {one:.1f} s | {two:.1f} s | {one / two:.2f} | "
            f"{memory:.0f} | {shown} |"
        )
    for what, ratio in slower.items():
        print(f"\n{what}: Ray beyond its start takes {ratio:.2f} times as long as two processes")


def _workers(engine: str, n: int) -> tuple[object, ...]:
    return "--engine", engine, "--workers", n


def _jobs(folder: Path, n: int) -> dict[str, tuple[object, ...]]:
    ref, hyp = write_corpus(folder, n)
    return {
        "perturb, fillers to JSONL": ("perturb", ref, "-o", folder / "out.jsonl", "--force", "-q",
                                      "--format", "txt", "--op", "fillers"),
        "score words": ("score", "words", "--ref", ref, "--hyp", hyp, "--format", "txt"),
    }  # fmt: skip


def _has_ray() -> bool:
    try:
        import ray  # noqa: F401
    except ImportError:
        return False
    return True


def columns(folder: Path, n: int) -> None:
    """Time plain text to plain text in the kernel, on one core."""
    raw = write_corpus(folder, n)[0].read_bytes()
    print("\n| plain text to plain text, one core | utterances per second |\n|---|---|")
    for name in ("fillers", "typo", "keyboard", "typing", "speako"):
        engine = Engine(Recipe(tuple(parse_all(name)), seed=1))
        rewrite_lines(engine, raw[: 1 << 20].rpartition(b"\n")[0] + b"\n")  # words known
        print(f"| {name} | {n / min(_seconds(engine, raw) for _ in range(RUNS)):,.0f} |")


def _seconds(engine: Engine, raw: bytes) -> float:
    """Return the seconds of this core: others may use the machine, too."""
    start = time.process_time()
    rewrite_lines(engine, raw)
    return time.process_time() - start


def starts(folder: Path) -> None:
    """Time the start of the command and of the library."""
    ref, hyp = write_corpus(folder, 100)
    score, _ = ran("score", "words", "--ref", ref, "--hyp", hyp, "--format", "txt", runs=9)
    library, _ = ran("-c", "import mondegreen as mg; mg.score", program=[sys.executable], runs=9)
    print("\n| start | seconds |\n|---|---|")
    print(f"| `mondegreen score words`, 100 lines | {score:.2f} |")
    print(f"| `import mondegreen as mg; mg.score` | {library:.2f} |")


def _sclite() -> list[str]:
    """Return how to call sclite; Debian's package has it behind ``sctk``."""
    for name, more in (("sclite", ()), ("sctk", ("sclite",))):
        if path := shutil.which(name):
            return [path, *more]
    return []


def peers(folder: Path, n: int) -> None:
    """Time sclite and texterrors on the same pairs."""
    ref, hyp = write_corpus(folder, n)
    ours, _ = ran("score", "words", "--ref", ref, "--hyp", hyp, "--format", "txt")
    print(f"\n| {n:,} pairs | seconds | ours is faster by |\n|---|---|---|")
    print(f"| mondegreen score words | {ours:.2f} | |")
    sclite = _sclite()
    if sclite:
        files = [folder / f"{side}.trn" for side in ("ref", "hyp")]
        for source, target in zip((ref, hyp), files, strict=True):
            lines = source.read_text().splitlines()
            target.write_text("".join(f"{line} (s_{i})\n" for i, line in enumerate(lines)))
        options = (
            "-r",
            files[0],
            "trn",
            "-h",
            files[1],
            "trn",
            "-i",
            "spu_id",
            "-o",
            "sum",
            "stdout",
        )
        there, _ = ran(*options, program=sclite, runs=1)
        print(f"| sclite | {there:.1f} | {there / ours:.0f} |")
    texterrors = Path(sys.executable).with_name("texterrors")
    if texterrors.exists():
        there, _ = ran(ref, hyp, program=[str(texterrors)], runs=1)
        print(f"| texterrors | {there:.1f} | {there / ours:.0f} |")


def main() -> None:
    """Print all tables."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(machine("numpy"))
    sizes = [n for n in (10_000, 100_000, 1_000_000, 10_000_000) if n <= largest]
    with TemporaryDirectory() as place:
        folder = Path(place)
        starts(folder)
        columns(folder, min(200_000, largest))
        scoring(folder, sizes)
        engines(folder, min(1_000_000, largest))
        peers(folder, min(1_000_000, largest))
    print("\nRuns: python bench/evaluate.py 10000, 100000, 1000000")


if __name__ == "__main__":
    main()
