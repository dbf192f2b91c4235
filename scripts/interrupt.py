"""Kill every command that writes at random moments, run it again, and compare with a quiet run.

    python scripts/interrupt.py --times 50
    python scripts/interrupt.py --times 500 --only evaluate,train,fit
    python scripts/interrupt.py --times 50 --only shards --signals KILL

Each command runs in a process of its own, which is ended by SIGKILL, SIGTERM or SIGINT. The same
command is then run again. What is in the folder must be what a run without interruption writes:
the same files with the same content, and nothing else, hidden files included. What it prints must
be the same, too.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import mondegreen as mg
from mondegreen.cli.main import TERMINATED, main
from mondegreen.data.pairs.parts import shard_line_parts
from mondegreen.data.sample import requests
from mondegreen.variants import sources

SIGNALS = ("KILL", "TERM", "INT")
SHARDS, PART = 6, 100
"""How many shards there are, and how many utterances of them are worked on together."""
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
    "fit values": "fit values data.jsonl -o out.json",
    "fit tfidf": "fit tfidf data.jsonl -o out.tsv",
    "fit recogniser": "fit recogniser refs.txt --hyp hyps.txt -o out.json.gz",
    "experiment": "experiment data.jsonl --test data.jsonl --model linear --op typo --augment typo "
    "--random 1 -o out",
    "survey": "survey suite -o out.csv --n 20",
    "blame": "blame --stage written=old.run --stage heard=old.run#typo --html out.html",
    "hear": "hear data.jsonl -o out.jsonl --limit 2 --ledger ledger.jsonl",
    "converse": "converse cases.jsonl --agent python:answers:Agent -o out.run --op fillers",
    "converse over another": "converse cases.jsonl -o talks.run --agent python:answers:Agent "
    "--force",
    "export": "export cases.jsonl --to pipecat -o out.yaml",
    "fit disfluency": "fit disfluency pairs.tsv -o out.json.gz",
    "shards: perturb": "perturb shard-?.jsonl --op typing -o out.jsonl --ledger ledger.jsonl",
    "shards: perturb, two": "perturb shard-?.jsonl --op typing --op fillers -o out-{op}.jsonl.gz",
    "shards: perturb, processes": "perturb shard-?.jsonl --op typing -o out.txt --engine processes",
    "shards: perturb over another": "perturb shard-?.jsonl --op typing -o old.jsonl --force",
    "shards: augment": "augment shard-?.jsonl --op typo -o out.jsonl",
    "shards: suite": "suite shard-?.jsonl --op typo --op fillers --random 2 -o out",
    "shards: suite over another": "suite shard-?.jsonl --op typo --random 1 -o suite --force",
    "shards: score": "score words --ref ref-?.txt --hyp hyp-?.txt --json",
    "shards: score items": "score words --ref ref-?.txt --hyp hyp-?.txt --items out.jsonl",
}
ANSWERS = """
def answer(batch):
    return [{"label": "play", "tags": ["O"] * len(one["tokens"])} for one in batch]

class Agent:
    def __init__(self, tools):
        pass
    def say(self, text):
        return {"text": "Done.", "calls": [{"name": "book", "arguments": {"people": 4}}]}
"""


CASE = {
    "turns": [{"user": "a table for four", "values": {"people": ["four"]}}],
    "tools": [{"name": "book", "parameters": {"type": "object", "properties": {}}}],
    "expected": [{"name": "book", "arguments": {"people": [4]}}],
}


def prepare(folder: Path) -> None:
    """Make what the commands read and replace."""
    data = requests(300, 1)[0]
    mg.write(data, folder / "data.jsonl")
    mg.write(data[:5], folder / "old.jsonl")
    (folder / "answers.py").write_text(ANSWERS)
    (folder / "refs.txt").write_text("\n".join(one.text for one in data))
    (folder / "hyps.txt").write_text("\n".join(one.text[2:] or "a" for one in data))
    prepare_shards(folder)
    made = mg.perturb(data, "disfluencies")
    pairs = [f"{one.utterance.text}\t{source.text}" for one, source in zip(made, data, strict=True)]
    (folder / "pairs.tsv").write_text("disfluent\tfluent\n" + "\n".join(pairs) + "\n")
    cases = [{**CASE, "id": str(number)} for number in range(40)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases))
    for command in (
        "suite data.jsonl --op typo --random 0 -o suite",
        "evaluate suite --model python:answers:answer -o old.run",
        "train linear data.jsonl -o model",
        "converse cases.jsonl --agent python:answers:Agent -o talks.run",
    ):
        if run(command, folder) != 0:
            sys.exit(f"{command}: failed")


def prepare_shards(folder: Path) -> None:
    """Make shards of utterances, of references and of hypotheses."""
    many = requests(SHARDS * 2 * PART, 1)[0]
    for at in range(SHARDS):
        own = many[at * 2 * PART : (at + 1) * 2 * PART]
        mg.write(own, folder / f"shard-{at}.jsonl")
        mg.write(own, folder / f"ref-{at}.txt")
        mg.write(
            (made.utterance for made in mg.perturb(own, "typo", seed=at)), folder / f"hyp-{at}.txt"
        )


def start(command: str, folder: Path) -> int:
    """Start a command in a process of its own, with everything imported already."""
    process = os.fork()
    if process:
        return process
    code = 1
    with contextlib.suppress(BaseException):
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = str(folder)
        os.dup2(os.open(printed(folder), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stdout = os.fdopen(1, "w")
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.path.insert(0, str(folder))
        code = main(command.split())
    os._exit(code)


def printed(folder: Path) -> Path:
    """Return the file of what the last command has printed: beside the folder."""
    return folder.with_name("printed.txt")


def run(command: str, folder: Path) -> int:
    """Run a command to its end; return its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(start(command, folder), 0)[1])


def content(folder: Path) -> dict[str, str]:
    """Return a digest of each file and of what was printed.

    That of a run is that of its answers and scores.
    """
    found = {"printed": _digest(printed(folder).read_bytes())}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            name = str(path.relative_to(folder))
            found[name] = _run_digest(path) if path.suffix == ".run" else _digest(path.read_bytes())
    return found


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _run_digest(path: Path) -> str:
    try:
        return _digest_of_tables(path)
    except sqlite3.OperationalError:  # its tables are not made yet
        return ""


def _digest_of_tables(path: Path) -> str:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608
            for table in ("items", "scores", "sets")
        ]
        state = connection.execute("SELECT value FROM meta WHERE key = 'state'").fetchall()
    return _digest(repr((rows, state)).encode())


def trial(command: str, source: Path, wanted: dict[str, str], wait: float, name: str) -> str:
    """Interrupt a command by a signal and run it again; return what differs, or nothing."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "work"  # of the same name as in the quiet run
        shutil.copytree(source, folder)
        printed(folder).touch()
        process = start(command, folder)
        time.sleep(wait)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, getattr(signal, f"SIG{name}"))
        first = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if content(folder) == wanted:
            return ""  # it was done
        again = run(command, folder)
        found = content(folder)
        if found == wanted:  # it may have been done all but for its last step
            return ""
        names = sorted(found.keys() ^ wanted.keys()) or [n for n in found if found[n] != wanted[n]]
        return f"exit codes {first} and {again}, differs: {', '.join(names)[:200]}"


def interrupt(times: int, only: set[str], seed: int, signals: Sequence[str] = SIGNALS) -> int:
    """Interrupt all commands; print the counts and return 1 if something differed."""
    rng = random.Random(seed)
    failed: Counter[str] = Counter()
    sources.PART = PART  # so that shards have several parts
    shard_line_parts.__defaults__ = (None, PART)
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "source"
        source.mkdir()
        prepare(source)
        for name, command in COMMANDS.items():
            if only and name.split()[0].strip(":") not in only:
                continue
            whole = Path(place) / name / "work"
            shutil.copytree(source, whole)
            begin = time.monotonic()
            if run(command, whole) != 0:
                sys.exit(f"{command}: failed without interruption")
            seconds, wanted = time.monotonic() - begin, content(whole)
            for _ in range(times):
                wait, how = rng.uniform(0, 1.1 * seconds), rng.choice(signals)
                problem = trial(command, source, wanted, wait, how)
                if problem:
                    failed[name] += 1
                    print(f"{name}: {how} after {wait:.3f} s: {problem}", flush=True)
            print(
                f"{name:30} {times} interruptions, {failed[name]} with another result", flush=True
            )
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--only", default="", help="first words of commands, separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--signals", default=",".join(SIGNALS), help="separated by commas")
    options = parser.parse_args()
    chosen = set(filter(None, options.only.split(",")))
    sys.exit(interrupt(options.times, chosen, options.seed, options.signals.split(",")))
