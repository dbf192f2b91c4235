"""Masked language models in torch: utterances per second and the utilisation of the GPU.

    pip install 'mondegreen[neural]' nvidia-ml-py
    python bench/masked.py [MODEL] [--count 20000]

MODEL is a folder or hub:NAME; by default the weights of the package's own model beside the project
(../shared/models/small-mlm). Utterances are made from words of the package, so no other data is
needed. The utilisation is the share of time in which a kernel runs, as measured by the driver.
"""

from __future__ import annotations

import argparse
import random
import threading
import time
from pathlib import Path
from typing import Self

import torch

from mondegreen.data.sample import sample
from mondegreen.language.vocabulary.common import common_words
from mondegreen.language.vocabulary.masked import MaskedWords
from mondegreen.language.vocabulary.masked_hub import BATCH, HubModel
from mondegreen.language.vocabulary.substitutes import WordPlace
from timing import machine

AHEAD = 16 * BATCH
MODEL = Path(__file__).resolve().parents[2] / "shared" / "models" / "small-mlm"


def places(count: int) -> list[WordPlace]:
    """Return masked places in random variants of the sample, each with one changed word."""
    rng = random.Random(1)
    utterances, words = list(sample()), common_words().words
    found = []
    for _ in range(count):
        tokens = list(rng.choice(utterances).tokens)
        tokens[rng.randrange(len(tokens))] = rng.choice(words)
        found.append(WordPlace(tuple(tokens), rng.randrange(len(tokens)), ""))
    return found


class Watch:
    """Polls the driver for the utilisation of the GPU."""

    def __init__(self) -> None:
        self._readings: list[int] = []
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._poll)

    def _poll(self) -> None:
        while not self._stopped.wait(0.02):
            self._readings.append(torch.cuda.utilization())

    def __enter__(self) -> Self:
        if torch.cuda.is_available():
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def __str__(self) -> str:
        if not self._readings:
            return "no GPU"
        return f"GPU busy {sum(self._readings) / len(self._readings):.0f} % of the time"


def main() -> None:
    """Print the speed and the utilisation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--count", type=int, default=20_000)
    arguments = parser.parse_args()
    print(machine("mondegreen", "torch", "transformers"))
    model = HubModel(arguments.model)
    print(f"{arguments.model} on {model._device}")  # noqa: SLF001 (there is no public name)
    questions = places(arguments.count)
    MaskedWords(model).prepare(questions[:BATCH])  # the first batch includes the start-up
    source = MaskedWords(model)
    start = time.perf_counter()
    with Watch() as watch:
        for first in range(0, len(questions), AHEAD):
            source.prepare(questions[first : first + AHEAD])
    seconds = time.perf_counter() - start
    assert all(source.ranked(place) for place in questions[-BATCH:])
    print(f"batch {BATCH}: {len(questions) / seconds:,.0f} utterances/s, {watch}")


if __name__ == "__main__":
    main()
