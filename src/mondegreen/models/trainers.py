"""The user's own trainer: a program or a function that makes a model of a file of data."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.data import write
from mondegreen.data.files.output import whole_file
from mondegreen.errors import ModelError
from mondegreen.models.programs import arguments_of
from mondegreen.models.reference import data_sha
from mondegreen.plugins import load_python, one_line
from mondegreen.types import Utterance

COMMAND, PYTHON = "command:", "python:"
FOLDER = "{folder}"
_LAST = 4_096  # bytes of the log of which a message shows the last line


class Trainer(NamedTuple):
    """How models are trained, and how a trained one is reached.

    Args:
        train: ``command:PROGRAM ARGUMENTS`` with {data}, {folder}, {seed} and, if it is used,
            {dev}; or ``python:package.module:function``, which is called with these as keywords.
        model: the name of the model, in which {folder} is the folder that was written.
    """

    train: str
    model: str = FOLDER

    def check(self) -> None:
        """Check what the user has written, before anything is made.

        Raises:
            ModelError: if it cannot be a trainer, or the model does not depend on the folder.
        """
        if not self.train.startswith((COMMAND, PYTHON)):
            raise ModelError(
                f"{self.train}: not a trainer; give command:PROGRAM ARGUMENTS or "
                "python:package.module:function"
            )
        needed = ("{data}", FOLDER) if self.train.startswith(COMMAND) else ()
        missing = next((name for name in needed if name not in self.train), None)
        if missing is not None:
            raise ModelError(
                f"{self.train}: has no {missing}; write command:PROGRAM {{data}} {{folder}}"
            )
        if FOLDER not in self.model:
            raise ModelError(
                f"{self.model}: the model must be one that the trainer has made; name its folder, "
                f"such as --model 'command:PROGRAM {FOLDER}'"
            )

    def made(
        self, data: Sequence[Utterance], dev: Sequence[Utterance], folder: Path, seed: int
    ) -> None:
        """Train a model, unless it is there; what an interrupted training left is made again.

        Raises:
            ModelError: if the trainer fails, or writes nothing.
        """
        mark = folder.with_name(f"{folder.name}.trained.json")
        said = msgspec.json.encode({"train": self.train, "seed": seed, "data": data_sha(data)})
        if mark.is_file() and mark.read_bytes() == said and folder.exists():
            return
        for old in (mark, folder.with_name(f"{folder.name}.run")):  # what it answered is not known
            old.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
        files = {"data": _written(data, folder, "train"), "dev": _written(dev, folder, "dev")}
        values: dict[str, Any] = {**files, "folder": folder, "seed": seed}
        if self.train.startswith(COMMAND):
            _run(self.train.removeprefix(COMMAND), values, folder)
        else:
            self._call(values)
        if not folder.exists():
            raise ModelError(f"{self.train}: has ended, but there is nothing at {folder}")
        with whole_file(mark) as file:
            file.write(said)

    def _call(self, values: dict[str, Any]) -> None:
        function = load_python(self.train.removeprefix(PYTHON), "trainer")
        try:
            function(**values)
        except (Exception, SystemExit) as error:
            raise ModelError(f"{self.train}: {one_line(error)}") from error


def _written(data: Sequence[Utterance], folder: Path, part: str) -> Path | None:
    if not data:
        return None
    path = folder.with_name(f"{folder.name}.{part}.jsonl")
    write(data, path, force=True)
    return path


def _run(command: str, values: dict[str, Any], folder: Path) -> None:
    """Run a program; what it prints goes to a log, and it is killed with all that it started."""
    log = folder.with_name(f"{folder.name}.log")
    arguments = [_filled(one, values) for one in arguments_of(command)]
    with log.open("wb") as file:
        try:
            process = subprocess.Popen(  # noqa: S603 (the user's own program, no shell)
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ModelError(f"{arguments[0]}: cannot be started: {reason}") from None
        try:
            code = process.wait()
        finally:
            with suppress(OSError, AttributeError):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait()
    if code:
        raise ModelError(f"the trainer exited with code {code}{_last_line(log)}; see {log}")


def _filled(text: str, values: dict[str, Any]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", "" if value is None else str(value))
    return text


def _last_line(log: Path) -> str:
    lines = log.read_bytes()[-_LAST:].decode(errors="replace").strip().splitlines()
    return f" ({lines[-1].strip()})" if lines else ""
