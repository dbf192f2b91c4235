"""The cost of a run without its model: 100,000 utterances and a model that takes no time.

Run: python bench/evaluate.py [UTTERANCES]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mondegreen.data import read, write
from mondegreen.models.protocol import Model
from mondegreen.runs import Filter, evaluate
from mondegreen.suites import suite
from mondegreen.types import Prediction, Utterance
from timing import machine

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "slu"


class Constant(Model):
    """Gives the same answer to every utterance, in no time."""

    signature = "constant"

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Return the same label and no slots for every utterance."""
        return [Prediction(utterance.id, (), "AddToPlaylist") for utterance in batch]


def utterances(n: int) -> list[Utterance]:
    """Return real utterances, repeated with a number so that all are distinct."""
    found = [utterance for name in ("atis", "snips") for utterance in read(SHARED / name / "train")]
    return [
        Utterance(str(i), (*utterance.tokens, str(i)), utterance.slots, utterance.label)
        for i, utterance in ((i, found[i % len(found)]) for i in range(n))
    ]


def timed(what: str, work: Callable[[], object]) -> None:
    """Print the time of some work."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    wall, used = time.perf_counter() - start, time.process_time() - cpu
    print(f"| {what} | {wall:.2f} | {used:.2f} |")


def main() -> None:
    """Make a suite with one operator, evaluate it, and read pages of the run."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(machine("msgspec", "numpy"))
    print("| what | seconds | CPU seconds |\n|---|---|---|")
    with TemporaryDirectory() as place:
        folder = Path(place)
        write(utterances(n // 2), folder / "data.jsonl")
        made = suite(folder / "data.jsonl", folder / "suite", "typo", random=0)
        timed(f"run over {n:,} utterances", lambda: evaluate(made, Constant(), folder / "a.run"))
        run = evaluate(made, Constant(), folder / "a.run")
        for what, which, order in (
            ("first page", Filter(set="typo"), "position"),
            ("wrong ones by slot errors", Filter(set="typo", wrong=True), "slot_errors"),
            ("search for two words", Filter(search="new york"), "position"),
            ("one intent by text", Filter(set="typo", label="atis_flight"), "text"),
        ):
            timed(what, lambda w=which, o=order: run.page(w, order=o, descending=True))  # type: ignore[misc]
        run.close()


if __name__ == "__main__":
    main()
