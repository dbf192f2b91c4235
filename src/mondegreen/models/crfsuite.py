"""Conditional random fields by CRFsuite, trained in a separate process.

CRFsuite's perceptron shuffles with C's global ``rand``. In a new process ``rand`` always starts the
same way, so the same data gives the same model. A separate process can also be interrupted.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pycrfsuite

from mondegreen.errors import DataError, OutputError
from mondegreen.models.crfsuite_file import is_complete

Items = list[list[str]]
"""The features of each item of a sequence."""

LEAST = 1e-300
"""The minimum probability of labels, also of labels that the model does not know."""

_ITERATION = "***** Iteration #"
_END = b"end\n"  # after the last sequence
_DEATH_SIGNAL = 1  # of prctl on Linux


class TrainingJob(msgspec.Struct):
    """The settings of a training process. The sequences follow it, one per line."""

    path: str
    algorithm: str
    settings: dict[str, Any]


def fit(
    sequences: Iterable[tuple[Items, Sequence[str]]],
    job: TrainingJob,
    progress: Callable[[int], None],
) -> None:
    """Train on sequences of items and labels; call ``progress`` with the iterations done.

    Raises:
        OutputError: if training fails, for example for lack of memory or disk space.
    """
    command = [sys.executable, "-P", "-m", __name__]
    with subprocess.Popen(  # noqa: S603 (runs this file)
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        try:
            _feed(process, job, sequences)
            for line in process.stdout or ():
                progress(int(line))
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise OutputError(f"{job.path}: training ended with status {process.returncode}")
    if not is_complete(Path(job.path).read_bytes()):
        raise OutputError(f"{job.path}: the weights were not written in full; is the disk full?")


def _feed(
    process: subprocess.Popen[bytes],
    job: TrainingJob,
    sequences: Iterable[tuple[Items, Sequence[str]]],
) -> None:
    """Send the job and the sequences. If the process has died, its status shows it later."""
    encoder = msgspec.json.Encoder()
    with suppress(BrokenPipeError), process.stdin or BytesIO() as stream:
        stream.write(encoder.encode(job) + b"\n")
        for sequence in sequences:
            stream.write(encoder.encode(sequence) + b"\n")
        stream.write(_END)


class _Trainer(pycrfsuite.BaseTrainer):  # type: ignore[misc]
    """Prints the number of each iteration when it is done."""

    def message(self, message: str) -> None:
        if message.startswith(_ITERATION):
            number = message.removeprefix(_ITERATION).split()[0]
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


def main() -> None:
    """Train the job on standard input."""
    lines = sys.stdin.buffer
    job = msgspec.json.decode(lines.readline(), type=TrainingJob)
    trainer = _Trainer()
    trainer.select(job.algorithm)
    for name, value in job.settings.items():
        trainer.set(name, value)
    decoder = msgspec.json.Decoder(tuple[Items, list[str]])
    _end_with_parent()
    for line in lines:
        if line == _END:
            trainer.train(job.path)
            return
        trainer.append(*decoder.decode(line))
    sys.exit(1)  # whoever sent the sequences is no more


def _end_with_parent() -> None:
    """Have the system end this process with the one that waits for it, where it can."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


class CrfTagger:
    """A trained conditional random field."""

    def __init__(self, path: Path) -> None:
        self._content = path.read_bytes()  # CRFsuite reads from it without keeping it alive
        self._tagger = pycrfsuite.Tagger()
        if not is_complete(self._content):
            raise DataError(f"{path}: not a CRFsuite model, or a damaged one; train it again")
        try:
            self._tagger.open_inmemory(self._content)
            self.labels: tuple[str, ...] = tuple(sorted(self._tagger.labels()))
            self.probabilities([["?"]])  # every label is found by its name
        except (ValueError, OSError, RuntimeError):
            raise DataError(f"{path}: not a CRFsuite model; train it again") from None
        self._known = frozenset(self.labels)

    def tag(self, items: Items) -> list[str]:
        """Return the most likely labels."""
        found: list[str] = self._tagger.tag(items)
        return found

    def loss(self, items: Items, labels: Sequence[str]) -> float:
        """Return the negative log-likelihood of labels, in nats."""
        if not self._known.issuperset(labels):
            return -math.log(LEAST)
        self._tagger.set(items)
        probability = self._tagger.probability(list(labels))
        return -math.log(max(LEAST, probability))  # in this order, NaN gives LEAST

    def probabilities(self, items: Items) -> dict[str, float]:
        """Return the probability of each label for the first item."""
        self._tagger.set(items)
        return {label: self._tagger.marginal(label, 0) for label in self.labels}


if __name__ == "__main__":
    main()
