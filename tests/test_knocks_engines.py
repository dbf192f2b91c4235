"""Workers that die at bad moments."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mondegreen.engines import open_workers
from mondegreen.errors import EngineError
from worker_jobs import end, many_bytes, slow_pid

STOPPED = """
import os, sys
sys.path.insert(0, {folder!r})
from mondegreen.engines import open_workers
from worker_jobs import tell_and_send
try:
    for found in open_workers("processes", 2).map(tell_and_send, [{notes!r}] * 8):
        pass
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_worker_that_dies_in_the_middle_of_a_message_is_noticed(tmp_path: Path) -> None:
    """The parent is stopped, so that the pipe is full; then the worker dies."""
    notes = tmp_path / "pids"
    notes.mkdir()
    code = STOPPED.format(folder=str(Path(__file__).parent), notes=str(notes))
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    while not list(notes.iterdir()):
        time.sleep(0.05)
    parent.send_signal(signal.SIGSTOP)
    time.sleep(1.0)  # the worker fills the pipe
    os.kill(int(next(notes.iterdir()).name), signal.SIGKILL)
    parent.send_signal(signal.SIGCONT)
    printed, _ = parent.communicate(timeout=60)
    assert printed.startswith("EngineError a worker process died while it worked on part")


def test_large_results_arrive_whole() -> None:
    found = list(open_workers("processes", 2).map(many_bytes, range(6)))
    assert [(len(one), one[0]) for one in found] == [(3_000_000, n) for n in range(6)]


def test_work_that_exits_is_an_error_and_not_the_end() -> None:
    with pytest.raises(EngineError, match="the work ended its process: SystemExit"):
        list(open_workers("processes", 2).map(end, range(3)))


def test_a_long_folder_for_temporary_files_is_no_problem(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 120)
    long.mkdir()
    code = (
        "from mondegreen.engines import open_workers\n"
        "if __name__ == '__main__':\n"
        "    print(list(open_workers('processes', 2).map(abs, [-1, -2])))\n"
    )
    (tmp_path / "run.py").write_text(code)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "run.py")],
        env={**os.environ, "TMPDIR": str(long)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "[1, 2]\n", done.stderr


def test_workers_end_when_the_rest_is_not_wanted() -> None:
    apply = open_workers("processes", 2).map(slow_pid, range(10_000))
    pid = next(apply)
    apply.close()  # type: ignore[attr-defined]  # it is a generator
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
