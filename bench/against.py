"""Time the same jobs with this version and with another one, in turn, and print the ratios.

    python bench/against.py /path/to/other/.venv/bin/python

Each job runs in a new process, in both versions alternately; the best of five counts. The
answers of both versions are compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
ROUNDS = 5
JOBS = {
    "perturb fillers, jsonl": ("perturb", "fillers"),
    "perturb typing, jsonl": ("perturb", "typing"),
    "perturb speako, jsonl": ("perturb", "speako"),
    "perturb synonyms.verb, jsonl": ("perturb", "synonyms.verb"),
    "score words": ("words", ""),
    "score fluency": ("fluency", ""),
    "score slu": ("slu", ""),
    "evaluate": ("evaluate", ""),
}

PROGRAM = r"""
import hashlib, io, json, random, resource, sys, tempfile, time
from contextlib import redirect_stdout
from pathlib import Path
import mondegreen as mg
from mondegreen.cli.main import main
job, argument, shared = sys.argv[1:4]
folder = Path(tempfile.mkdtemp())
data = [u for name in ("atis", "snips") for u in mg.read(Path(shared) / f"slu/{name}/train")]
data = [mg.Utterance(str(i), u.tokens, u.slots, u.label) for i, u in enumerate(data)]
rng = random.Random(1)
words = [u.text for u in data]
noisy = [" ".join(w for w in t.split() if rng.random() > 0.1) for t in words]
warm = 0.0
if job == "perturb":
    mg.write(data, folder / "a.jsonl")
    list(mg.perturb(data[:50], argument, seed=1))
    start = time.perf_counter()
    paths = [str(folder / "a.jsonl"), "-o", str(folder / "b.jsonl")]
    main(["perturb", *paths, "--op", argument, "-q"])
    seconds = time.perf_counter() - start
    answer = hashlib.sha256((folder / "b.jsonl").read_bytes()).hexdigest()
elif job in ("words", "fluency"):
    score = getattr(mg.score, job)
    refs = words * 5 if job == "words" else [t.replace("the", "THE") for t in words] * 5
    score(refs[:100], (noisy * 5)[:100])
    start = time.perf_counter()
    found = score(refs, noisy * 5)
    value = [found[name].value for name in found]
    seconds = time.perf_counter() - start
    answer = json.dumps(value)
elif job == "slu":
    tags = [u.tags for u in data]
    other = [tuple("O" if rng.random() < 0.05 else t for t in row) for row in tags]
    mg.score.slu(tags[:100], other[:100])
    start = time.perf_counter()
    answer = str(mg.score.slu(tags, other)["slot_f1"].value)
    seconds = time.perf_counter() - start
else:
    mg.write(data[:5000], folder / "a.jsonl")
    mg.suite(folder / "a.jsonl", folder / "s", ["typo", "fillers"], random=2)
    class Constant(mg.Model):
        signature = "constant"
        def predict(self, batch):
            return [mg.Prediction(u.id, (), "flight") for u in batch]
    start = time.perf_counter()
    with mg.evaluate(folder / "s", Constant(), folder / "a.run") as run:
        answer = str(run.score("typo")["intent_accuracy"].value)
    seconds = time.perf_counter() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
print(json.dumps({"seconds": seconds, "memory": memory, "answer": answer}))
"""


def once(python: str, job: str) -> dict[str, float | str]:
    """Run a job in a new process."""
    command = [python, "-c", PROGRAM, *JOBS[job], str(SHARED)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float | str] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print one row per job."""
    other = sys.argv[1]
    print("| job | other, s | this, s | ratio | other, MB | this, MB | same answer |")
    print("|---|---|---|---|---|---|---|")
    for job in JOBS:
        runs: dict[str, list[dict[str, float | str]]] = {other: [], sys.executable: []}
        for _ in range(ROUNDS):
            for python, found in runs.items():
                found.append(once(python, job))
        best = {p: min(float(one["seconds"]) for one in found) for p, found in runs.items()}
        memory = {p: min(float(one["memory"]) for one in found) for p, found in runs.items()}
        same = len({one["answer"] for found in runs.values() for one in found}) == 1
        old, new = best[other], best[sys.executable]
        print(
            f"| {job} | {old:.3f} | {new:.3f} | {new / old:.2f} | {memory[other]:.0f} | "
            f"{memory[sys.executable]:.0f} | {same} |"
        )


if __name__ == "__main__":
    main()
