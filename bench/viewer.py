"""The viewer on a million utterances: the time of each page, and the memory.

Makes a run and a score in build/, serves each as a user would, and requests pages over
HTTP. Takes some minutes, most of them to make the files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from mondegreen.metrics.slu.metric import SLU
from mondegreen.perturbation.suite_recipe import OPERATOR, ORIGINAL
from mondegreen.runs.store import Store, item_columns
from timing import machine

_N, _SETS = 100_000, 10
_WORDS = "play some jazz in the kitchen by miles davis add this tune to my party list"
_INTENTS = [f"intent_{number}" for number in range(40)]
_PAGES = {
    "overview": "/s/0/",
    "first page": "/s/0/utterances",
    "last page": "/s/0/utterances?page=20000",
    "sort by loss": "/s/0/utterances?sort=loss",
    "sort by slot errors": "/s/0/utterances?sort=slot_errors&order=asc",
    "sort by intent": "/s/0/utterances?sort=label",
    "wrong only": "/s/0/utterances?wrong=1",
    "flipped only": "/s/0/utterances?flipped=1",
    "one set": "/s/0/utterances?f.set=set-7",
    "one intent, wrong": "/s/0/utterances?f.label=intent_7&wrong=1",
    "search a word": "/s/0/utterances?q=kitchen",
    "search a rare word": "/s/0/utterances?q=word99999",
    "utterance": "/s/0/utterance?number=777777",
}


_ROW_PAGES = {
    "first page": "/s/0/utterances",
    "sort by id": "/s/0/utterances?sort=id&order=asc",
    "wrong only": "/s/0/utterances?wrong=1",
    "one speaker": "/s/0/utterances?f.column+speaker=s3",
    "search a word": "/s/0/utterances?q=kitchen",
    "utterance": "/s/0/utterance?id=u777777",
    "overview": "/s/0/",
}


def main() -> None:
    """Make the run and the score, serve them, request pages, and print the times."""
    run, rows = Path("build/million.sqlite"), Path("build/million-words.run")
    print(machine("starlette", "uvicorn"))
    make_run(run)
    measure("a run", run, _PAGES)
    make_rows(rows)
    measure("a score", rows, _ROW_PAGES)


def measure(name: str, path: Path, pages: Mapping[str, str]) -> None:
    """Serve a file, request pages, and print the times."""
    start = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "mondegreen", "view", str(path), "--no-open"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    address = server.stdout.readline().strip().rstrip("/")
    loaded, used = time.perf_counter() - start, _cpu(server.pid)
    print(f"\n{name} of {path.stat().st_size / 1e6:,.0f} MB")
    print(f"{'open':22} {loaded:7.3f} s, {used:.2f} s of CPU, imports included")
    try:
        for title, page in pages.items():
            print(f"{title:22} {_time_request(address + page):7.3f} s")
        print(f"memory {_memory(server.pid):,.0f} MB")
    finally:
        server.terminate()
        server.wait()


def _time_request(address: str) -> float:
    deadline = time.perf_counter() + 20
    while True:
        start = time.perf_counter()
        try:
            with urlopen(address) as answer:  # noqa: S310 (a local server)
                assert answer.status == 200
                answer.read()
            return time.perf_counter() - start
        except URLError:  # the server is not up yet
            if time.perf_counter() > deadline:
                raise
            time.sleep(0.05)


def _cpu(pid: int) -> float:
    """Return the CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """Return the peak memory of a process, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1000
    raise AssertionError


def make_rows(path: Path) -> None:
    """Score a million pairs, of which two fifths have an error, and write a run of one set."""
    random, words = Random(0), _WORDS.split()
    ref, hyp = path.with_name("million-ref.jsonl"), path.with_name("million-hyp.jsonl")
    with ref.open("w") as refs, hyp.open("w") as hyps:
        for number in range(_N * _SETS):
            said = random.choices(words, k=8)
            heard = list(said)
            if random.random() < 0.4:
                heard[random.randrange(8)] = random.choice(words)
            line = {"id": f"u{number}", "text": " ".join(said), "speaker": f"s{number % 20}"}
            refs.write(json.dumps(line) + "\n")
            hyps.write(json.dumps({"id": line["id"], "text": " ".join(heard)}) + "\n")
    command = [sys.executable, "-m", "mondegreen", "score", "words", "--ref", str(ref)]
    command += ["--hyp", str(hyp), "--items", str(path), "--no-intervals"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def make_run(path: Path) -> None:
    """Write a run like ``evaluate``, of a model that is wrong in a fifth of the items."""
    meta = {
        "suite": "made up", "suite_sha": "0" * 64, "model": "made up", "model_spec": "made up",
        "version": "0.1.0", "started": "now", "state": "running",
    }  # fmt: skip
    sets: list[tuple[Any, ...]] = [
        (i, f"set-{i}" if i else ORIGINAL, OPERATOR if i else ORIGINAL, "", "", 0, _N, _N, i * _N)
        for i in range(_SETS)
    ]
    with Store.open(path, SLU, meta, sets, force=True) as store:
        rows: list[tuple[Any, ...]] = []
        for row in items():
            rows.append(row)
            if len(rows) == 10_000:
                store.add(rows, len(rows))
                rows = []
        names = ("e2e_accuracy", "intent_accuracy", "slot_f1", "slot_precision", "slot_recall")
        scores = [
            (row[1], name, 0.8, 0.7, 0.9, 80.0, 100.0, None, None, 0)
            for row in sets
            for name in names
        ]
        store.finish(scores, {"finished": "now"})


def items() -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a million items."""
    random, words = Random(0), _WORDS.split()
    for number in range(_N * _SETS):
        set_number, position = divmod(number, _N)
        tokens = [*random.choices(words, k=7), f"word{position}"]
        wrong, label = random.random() < 0.2, random.choice(_INTENTS)
        values: dict[str, Any] = dict.fromkeys(item_columns(SLU), 0) | {
            "number": number,
            "set_number": set_number,
            "position": position,
            "id": f"u{position}" + (f"/set-{set_number}/0" if set_number else ""),
            "parent": f"u{position}",
            "operator": f"set-{set_number}" if set_number else "",
            "text": " ".join(tokens),
            "label": label,
            "predicted": random.choice(_INTENTS) if wrong else label,
            "utterance": json.dumps({"tokens": tokens, "tags": ["O"] * 8, "label": label}),
            "edits": "[]",
            "prediction": json.dumps({"id": "", "slots": [], "label": label}),
            "wrong": int(wrong),
            "slots_said": 3,
            "slots_found": 3,
            "slots_right": random.randrange(4) if wrong else 3,
            "loss": random.expovariate(1),
            "flip": random.choice((0, 0, -1)) if wrong and set_number else 0,
            "said_key": random.getrandbits(62),
            "gold_key": random.getrandbits(62),
        }
        yield tuple(values[name] for name in item_columns(SLU))


if __name__ == "__main__":
    main()
