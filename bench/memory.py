"""Peak memory of the command line on a file of five million lines.

    python bench/memory.py [LINES]

Prints the peak memory of the process for 1 % of the lines and for all lines.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from mondegreen.data.sample import sample


def run(folder: Path, name: str, lines: int, *more: str) -> tuple[float, float]:
    """Perturb a file with this number of lines; return the peak memory in MB, and the seconds."""
    texts = [(utterance.id, utterance.text) for utterance in sample("train")]
    source = folder / name
    with source.open("w", encoding="utf-8") as file:
        for i in range(lines):
            id, text = texts[i % len(texts)]
            if name.endswith(".jsonl"):
                file.write(f'{{"id": "{id}-{i}", "text": "{text}"}}\n')
            else:
                file.write(f"{text} {i}\n")
    target = folder / f"out-{name}"
    start = time.perf_counter()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "mondegreen",
            "perturb",
            str(source),
            "-o",
            str(target),
            "--op",
            "fillers",
            "-q",
            *more,
        ],
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    assert status == 0
    with target.open("rb") as made:
        assert sum(1 for _ in made) == lines
    source.unlink()
    target.unlink()
    Path(f"{target}.manifest.json").unlink()
    return usage.ru_maxrss / 1024, seconds


def main() -> None:
    """Measure plain lines, which have no ids to remember, and JSON lines, which have."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    print("| source | lines | greatest memory, MB | seconds | lines/s |\n|---|---|---|---|---|")
    with TemporaryDirectory(dir="build") as folder:
        for name in ("lines.txt", "lines.jsonl"):
            for count in (lines // 100, lines):
                memory, seconds = run(Path(folder), name, count)
                speed = f"{seconds:.1f} | {count / seconds:,.0f}"
                print(f"| {name} | {count:,} | {memory:.0f} | {speed} |", flush=True)


if __name__ == "__main__":
    main()
