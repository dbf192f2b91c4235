"""Slot F1 compared with seqeval, and the scores and training times of reference models.

    make bench

Needs the real data sets beside the project (../shared/data) and seqeval of the dependency group
bench. Every result is checked.
"""

from __future__ import annotations

import random
import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from seqeval.metrics import f1_score

import mondegreen as mg
from mondegreen.models.protocol import Trainable
from mondegreen.models.reference import train
from perturb import DATA, HEADER
from timing import best, machine, row

N = 100_000
WRONG = 0.1  # of the tags
FOLDS = 5


def tags() -> tuple[list[list[str]], list[list[str]]]:
    """Return the tags of sentences, and the same tags with random errors."""
    rng = random.Random(0)
    known = [
        utterance.tags
        for name in ("atis", "snips")
        for utterance in mg.read(DATA / f"slu/{name}/train")
    ]
    names = sorted({tag for row in known for tag in row})
    refs = [list(rng.choice(known)) for _ in range(N)]
    hyps = [[rng.choice(names) if rng.random() < WRONG else tag for tag in ref] for ref in refs]
    return refs, hyps


def compare_f1() -> None:
    """Print the speed of this package and of seqeval."""
    refs, hyps = tags()
    ours, score = best(lambda: mg.score.slu(refs, hyps)["slot_f1"].value, runs=5)
    theirs, expected = best(lambda: f1_score(refs, hyps))
    assert score is not None
    assert abs(score - expected) < 1e-12
    print(HEADER)
    print(row("slot F1 / seqeval", N / ours, N / theirs, "sentences/s", 5))


def seconds() -> float:
    """Return the processor time of this process and its children."""
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + child.ru_utime + child.ru_stime


def trained(kind: str, data: list[mg.Utterance]) -> tuple[Trainable, float]:
    """Return a trained model and the processor time of its training."""
    with TemporaryDirectory() as folder:
        start = seconds()
        return train(kind, data, Path(folder) / "model"), seconds() - start


def crf() -> None:
    """Print the scores of crf on the test sets."""
    print("\n| data | slot F1 | intent accuracy | end-to-end | training, s of one core |")
    print("|---|---|---|---|---|")
    for name in ("snips", "atis", "nlued"):
        model, time_used = trained("crf", list(mg.read(DATA / f"slu/{name}/train")))
        test = list(mg.read(DATA / f"slu/{name}/test"))
        score = mg.score.slu(test, model.predict(test))
        rates = (score[rate].value or 0 for rate in ("slot_f1", "intent_accuracy", "e2e_accuracy"))
        print(f"| {name} | {' | '.join(f'{100 * rate:.2f}' for rate in rates)} | {time_used:.1f} |")


def linear() -> None:
    """Print the accuracy of linear on held-out reviews."""
    data = list(mg.read(DATA / "text/movie_reviews.jsonl"))
    order = np.random.default_rng(0).permutation(len(data)).tolist()
    found = []
    time_used = 0.0
    for fold in range(FOLDS):
        held_out = set(order[fold::FOLDS])
        model, fold_time = trained(
            "linear", [utterance for i, utterance in enumerate(data) if i not in held_out]
        )
        test = [data[i] for i in sorted(held_out)]
        found.append(mg.score.slu(test, model.predict(test))["intent_accuracy"].value or 0)
        time_used += fold_time / FOLDS
    shown = ", ".join(f"{100 * rate:.1f}" for rate in found)
    mean = 100 * sum(found) / FOLDS
    print(
        f"\nlinear, {FOLDS} folds: {mean:.1f} % ({shown}); {time_used:.1f} s of one core to train"
    )


if __name__ == "__main__":
    print(machine("seqeval", "numpy", "python-crfsuite"))
    compare_f1()
    crf()
    linear()
