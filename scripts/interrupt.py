"""Kill every command that writes at random moments, run it again, and compare with a quiet run.

    python scripts/interrupt.py --times 50
    python scripts/interrupt.py --times 500 --only evaluate,train

Each command runs in a process of its own, which is ended by SIGKILL, SIGTERM or SIGINT. The same
command is then run again. What is in the folder must be what a run without interruption writes:
the same files with the same content, and nothing else, hidden files included.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import mondegreen as mg
from mondegreen.cli.main import TERMINATED, main
from mondegreen.data.sample import requests

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
COMMANDS = {
    "perturb": "perturb data.jsonl --op typing -o out.jsonl --ledger ledger.jsonl",
    "perturb by two operators": "perturb data.jsonl --op typing --op fillers -o out-{op}.jsonl",
    "perturb over another": "perturb data.jsonl --op typing -o old.jsonl --force",
    "perturb to a folder": "perturb data.jsonl --op typing -o out --to folder",
    "augment": "augment data.jsonl --op typo -o out.jsonl",
    "suite": "suite data.jsonl --op typo --op fillers --random 2 -o out",
    "suite over another": "suite data.jsonl --op typo --random 1 -o suite --force",
    "evaluate": "evaluate suite --model python:answers:answer -o out.run --batch 16",
    "evaluate over another": "evaluate suite --model python:answers:answer -o old.run --force",
    "train linear": "train linear data.jsonl -o out",
    "train crf": "train crf data.jsonl -o out --set iterations=3 --set label_iterations=5",
    "train over another": "train linear data.jsonl -o model --force",
    "score": "score words --ref refs.txt --hyp hyps.txt --items out.jsonl --no-intervals",
    "report": "report old.run -o out.html",
    "fit words": "fit words data.jsonl -o out.txt",
}
ANSWERS = """
def answer(batch):
    return [{"label": "play", "tags": ["O"] * len(one["tokens"])} for one in batch]
"""


def prepare(folder: Path) -> None:
    """Make what the commands read and replace."""
    data = requests(300, 1)[0]
    mg.write(data, folder / "data.jsonl")
    mg.write(data[:5], folder / "old.jsonl")
    (folder / "answers.py").write_text(ANSWERS)
    (folder / "refs.txt").write_text("\n".join(one.text for one in data))
    (folder / "hyps.txt").write_text("\n".join(one.text[2:] or "a" for one in data))
    for command in (
        "suite data.jsonl --op typo --random 0 -o suite",
        "evaluate suite --model python:answers:answer -o old.run",
        "train linear data.jsonl -o model",
    ):
        if run(command, folder) != 0:
            sys.exit(f"{command}: failed")


def start(command: str, folder: Path) -> int:
    """Start a command in a process of its own, with everything imported already."""
    process = os.fork()
    if process:
        return process
    code = 1
    with contextlib.suppress(BaseException):
        os.chdir(folder)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.path.insert(0, str(folder))
        code = main(command.split())
    os._exit(code)


def run(command: str, folder: Path) -> int:
    """Run a command to its end; return its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(start(command, folder), 0)[1])


def content(folder: Path) -> dict[str, str]:
    """Return a digest of each file; that of a run is that of its answers and scores."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            name = str(path.relative_to(folder))
            found[name] = _run_digest(path) if path.suffix == ".run" else _digest(path.read_bytes())
    return found


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _run_digest(path: Path) -> str:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608
            for table in ("items", "scores", "sets")
        ]
        state = connection.execute("SELECT value FROM meta WHERE key = 'state'").fetchall()
    return _digest(repr((rows, state)).encode())


def trial(command: str, source: Path, wanted: dict[str, str], wait: float, number: int) -> str:
    """Interrupt a command and run it again; return what differs, or nothing."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "work"  # of the same name as in the quiet run
        shutil.copytree(source, folder)
        process = start(command, folder)
        time.sleep(wait)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
        first = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        again = run(command, folder)
        found = content(folder)
        if found == wanted and (again == 0 or first == 0):
            return ""
        names = sorted(found.keys() ^ wanted.keys()) or [n for n in found if found[n] != wanted[n]]
        return f"exit codes {first} and {again}, differs: {', '.join(names)[:200]}"


def interrupt(times: int, only: set[str], seed: int) -> int:
    """Interrupt all commands; print the counts and return 1 if something differed."""
    rng = random.Random(seed)
    failed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "source"
        source.mkdir()
        prepare(source)
        for name, command in COMMANDS.items():
            if only and name.split()[0] not in only:
                continue
            whole = Path(place) / name / "work"
            shutil.copytree(source, whole)
            begin = time.monotonic()
            if run(command, whole) != 0:
                sys.exit(f"{command}: failed without interruption")
            seconds, wanted = time.monotonic() - begin, content(whole)
            for _ in range(times):
                wait, number = rng.uniform(0, 1.1 * seconds), rng.choice(SIGNALS)
                problem = trial(command, source, wanted, wait, number)
                if problem:
                    failed[name] += 1
                    print(f"{name}: {number.name} after {wait:.3f} s: {problem}", flush=True)
            print(
                f"{name:24} {times} interruptions, {failed[name]} with another result", flush=True
            )
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--only", default="", help="first words of commands, separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sys.exit(interrupt(options.times, set(filter(None, options.only.split(","))), options.seed))
