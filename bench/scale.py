"""Large corpora: time and memory of scoring, perturbing and evaluating, at several sizes.

Run: python bench/scale.py [LARGEST]        # 1,000,000 by default; 10000000 for the whole table

Every command runs in a process of its own; of several runs the fastest counts, so that the load of
the machine matters less. Utterances are those of SNIPS and ATIS, repeated.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable
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


def ran(
    *arguments: object, program: Iterable[str] = COMMAND, runs: int = RUNS
) -> tuple[float, float]:
    """Return the least seconds and the most megabytes of a command."""
    seconds, memory = [], 0.0
    for _ in range(runs):
        start = time.perf_counter()
        words = [*program, *map(str, arguments)]
        actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        process = os.posix_spawn(words[0], words, os.environ, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        assert status == 0, words
        seconds.append(time.perf_counter() - start)
        memory = max(memory, usage.ru_maxrss / 1024)
    return min(seconds), memory


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
    """Time one process, two and Ray."""
    ref, hyp = write_corpus(folder, n)
    jobs = {
        "perturb, fillers to JSONL": ("perturb", ref, "-o", folder / "out.jsonl", "--force", "-q",
                                      "--format", "txt", "--op", "fillers"),
        "score words": ("score", "words", "--ref", ref, "--hyp", hyp, "--format", "txt"),
    }  # fmt: skip
    print(f"\n| {n:,} utterances | 1 process | 2 processes | faster by | Ray, 2 workers |")
    print("|---|---|---|---|---|")
    for what, job in jobs.items():
        one, _ = ran(*job, "--engine", "processes", "--workers", 1, runs=2)
        two, _ = ran(*job, "--engine", "processes", "--workers", 2, runs=2)
        there = ran(*job, "--engine", "ray", "--workers", 2, runs=1)[0] if _has_ray() else None
        shown = "-" if there is None else f"{there:.1f} s"
        print(f"| {what} | {one:.1f} s | {two:.1f} s | {one / two:.2f} | {shown} |")


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


def peers(folder: Path, n: int) -> None:
    """Time sclite and texterrors on the same pairs."""
    ref, hyp = write_corpus(folder, n)
    ours, _ = ran("score", "words", "--ref", ref, "--hyp", hyp, "--format", "txt")
    print(f"\n| {n:,} pairs | seconds | ours is faster by |\n|---|---|---|")
    print(f"| mondegreen score words | {ours:.2f} | |")
    sclite = shutil.which("sclite")
    if sclite:
        files = [folder / f"{side}.trn" for side in ("ref", "hyp")]
        for source, target in zip((ref, hyp), files, strict=True):
            lines = source.read_text().splitlines()
            target.write_text("".join(f"{line} (u{i})\n" for i, line in enumerate(lines)))
        options = ("-r", files[0], "trn", "-h", files[1], "trn", "-i", "rm", "-o", "sum", "stdout")
        there, _ = ran(*options, program=[sclite], runs=1)
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
