"""Masked language models through torch: utterances a second and the share of time a GPU is busy.

    pip install 'mondegreen[neural]' nvidia-ml-py
    python bench/masked.py [MODEL] [--count 20000]

MODEL is a folder or hub:NAME; by default the weights of the package's own model, where
they lie beside the project (../shared/models/small-mlm). Utterances are made of words of the
package, so that nothing else is needed. The GPU's share is measured by the driver, as the share of
moments at which a kernel was running; without a GPU the processor is timed alone.
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
from mondegreen.language.common import common_words
from mondegreen.language.masked import MaskedWords
from mondegreen.language.masked_hub import BATCH, HubModel
from mondegreen.language.substitutes import Place
from timing import machine

AHEAD = 16 * BATCH
MODEL = Path(__file__).resolve().parents[2] / "shared" / "models" / "small-mlm"


def places(count: int) -> list[Place]:
    """Return masked places in utterances that are all different: the sample with a word changed."""
    rng = random.Random(1)
    said, words = list(sample()), common_words().words
    found = []
    for _ in range(count):
        tokens = list(rng.choice(said).tokens)
        tokens[rng.randrange(len(tokens))] = rng.choice(words)
        found.append(Place(tuple(tokens), rng.randrange(len(tokens)), ""))
    return found


class Watch:
    """Asks the driver again and again whether the GPU is at work."""

    def __init__(self) -> None:
        self._readings: list[int] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._over.wait(0.02):
            self._readings.append(torch.cuda.utilization())

    def __enter__(self) -> Self:
        if torch.cuda.is_available():
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def __str__(self) -> str:
        if not self._readings:
            return "no GPU"
        return f"GPU busy {sum(self._readings) / len(self._readings):.0f} % of the time"


def main() -> None:
    """Print the speed and the share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default=str(MODEL))
    parser.add_argument("--count", type=int, default=20_000)
    arguments = parser.parse_args()
    print(machine("mondegreen", "torch", "transformers"))
    model = HubModel(arguments.model)
    print(f"{arguments.model} on {model._device}")  # noqa: SLF001 (where it runs)
    asked = places(arguments.count)
    MaskedWords(model).prepare(asked[:BATCH])  # the first batch pays for starting
    source = MaskedWords(model)
    began = time.perf_counter()
    with Watch() as watch:
        for start in range(0, len(asked), AHEAD):
            source.prepare(asked[start : start + AHEAD])
    seconds = time.perf_counter() - began
    assert all(source.ranked(place) for place in asked[-BATCH:])
    print(f"batch {BATCH}: {len(asked) / seconds:,.0f} utterances/s, {watch}")


if __name__ == "__main__":
    main()
