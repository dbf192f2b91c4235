"""Errors on the command line: one line, an exit code, no partial files."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import COMMAND, fails, files
from mondegreen.cli.main import main


def test_several_operators_need_several_outputs(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = ["perturb", str(data), "--op", "fillers", "--op", "typo"]
    fails([*two, "-o", "x.txt"], "--output 'x-{op}.txt'; or --mix", capsys, 2)
    fails(two, "--output 'noisy-{op}.jsonl'; or --mix", capsys, 2)
    fails(["perturb", str(data), "--op", "typo", "--op", "typo"], "have the same name", capsys)


def test_verify_needs_a_manifest(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fails(["verify", str(data)], "so nothing says how", capsys)


def test_wrong_usage_exits_with_2(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fails(["perturb", str(data)], "Missing option '--op'", capsys, 2)
    fails(["pertrub"], "No such command", capsys, 2)


BAD = [
    (["--op", "filers"], "No operator named 'filers'. Did you mean 'fillers'?"),
    (["--op", "typing", "--severity", "0"], "severity must be above 0 and at most 1, got 0.0"),
    (["--op", "typing", "--severity", "1.5"], "severity must be above 0 and at most 1, got 1.5"),
    (["--op", "typing", "--rate", "nan"], "rate must be above 0 and at most 1, got nan"),
    (["--op", "typo", "--once", "--rate", "0.5"], "exclude each other; got once and rate:0.5"),
    (["--op", "typo", "--variants", "0"], "variants must be 1 or more"),
    (["--op", "typo", "--format", "jsnl"], "Did you mean 'jsonl'"),
    (["--op", "typo", "--protect", "nowhere.txt"], "nowhere.txt: there is no such file"),
    (["--op", "typo(common='x')"], "typo: No parameter named 'common'"),
    (["--op", "autocorrect(common='nowhere')"], "nowhere: there is no such file"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_wrong_input_exits_with_1_and_writes_no_files(
    arguments: list[str],
    message: str,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fails(["perturb", str(data), "-o", str(tmp_path / "out.jsonl"), *arguments], message, capsys)
    assert files(tmp_path) == {"data.jsonl"}


@pytest.mark.parametrize(
    ("command", "out", "operators"),
    [
        ("perturb", "no/out.txt", ["typo"]),
        ("perturb", "no/{op}.txt", ["typo", "fillers"]),
        ("perturb", "no/folder", ["typo", "fillers"]),
        ("augment", "no/out.txt", ["typo", "fillers"]),
    ],
)
def test_a_missing_folder_is_not_created(
    command: str,
    out: str,
    operators: list[str],
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = [part for name in operators for part in ("--op", name)]
    fails([command, str(data), "-o", str(tmp_path / out), *named], "; make it first", capsys)
    assert files(tmp_path) == {"data.jsonl"}


def test_an_error_in_the_middle_of_a_file_leaves_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["play some jazz\n"] * 5000 + ["\udc80\n"]
    (tmp_path / "a.txt").write_bytes("".join(lines).encode(errors="surrogateescape"))
    out = ["-o", str(tmp_path / "out.txt"), "--ledger", str(tmp_path / "ledger.jsonl")]
    fails(
        ["perturb", str(tmp_path / "a.txt"), *out, "--op", "typo"],
        "a.txt, line 5001: byte 1",
        capsys,
    )
    assert files(tmp_path) == {"a.txt"}


def test_an_output_that_exists_needs_force(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    run = ["perturb", str(data), "-o", str(out), "--op", "typo"]
    fails(run, "out.jsonl: exists already; give another name, or --force", capsys)
    assert out.read_text() == "mine"
    assert main([*run, "--force", "-q"]) == 0
    assert out.read_text() != "mine"


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


@pytest.mark.parametrize("target", ["out.txt", "out", "out.parquet"])
def test_a_full_disk_leaves_no_output(target: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"play some jazz number {i}\n" for i in range(40_000)))
    done = subprocess.run(
        [
            *COMMAND,
            "perturb",
            "a.txt",
            "-o",
            target,
            "--to",
            {"out": "folder"}.get(target, target[4:]),
            "--op",
            "typo",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        preexec_fn=limit_file_size,
    )
    assert done.returncode == 1
    assert "cannot be written: " in done.stderr
    assert "File too large; nothing was written" in done.stderr
    assert "Traceback" not in done.stderr
    assert files(tmp_path) == {"a.txt"}


def _heed_interrupts() -> None:
    """Enable interrupts, which shells disable for background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt_leaves_no_output(tmp_path: Path) -> None:
    fifo = tmp_path / "in.txt"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [*COMMAND, "perturb", str(fifo), "-o", str(tmp_path / "out.txt"), "--op", "typo"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 (no threads here)
    )
    feed = os.open(fifo, os.O_RDWR)  # also open for reading, so that nothing blocks
    try:
        os.write(feed, b"play some jazz\n" * 100)
        for _ in range(200):
            if any(".part" in name for name in files(tmp_path)):
                break
            time.sleep(0.05)
        assert any(".part" in name for name in files(tmp_path))
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=30)
    finally:
        process.kill()
        os.close(feed)
    assert process.returncode == 130
    assert "Traceback" not in printed
    assert "interrupted" in printed
    assert files(tmp_path) == {"in.txt"}


def test_a_closed_pipe_is_not_an_error(data: Path) -> None:
    done = subprocess.run(  # noqa: S602 (a pipe is the point)
        f"{' '.join(COMMAND)} perturb {data} --op typo --variants 200 | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_outputs_need_different_paths(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "b.jsonl")
    base = ["perturb", str(data), "--op", "typo", "-o"]
    fails([*base, str(data), "--force"], "is the source; give the output another name", capsys, 2)
    fails(
        [*base, out, "--ledger", out],
        "outputs, --ledger and --marked need different names",
        capsys,
        2,
    )
    fails(
        [*base, out, "--ledger", "-"],
        "--ledger and --marked need files, not standard output",
        capsys,
        2,
    )
    fails([*base, "/dev/null", "--force", "--to", "txt"], "is neither a file nor a folder", capsys)
    fails([*base, out, "--limit", "0"], "Invalid value for '--limit'", capsys, 2)
    assert files(tmp_path) == {"data.jsonl"}


def test_termination_leaves_no_output(tmp_path: Path) -> None:
    fifo = tmp_path / "in.txt"
    os.mkfifo(fifo)
    command = [*COMMAND, "perturb", str(fifo), "-o", str(tmp_path / "out.txt"), "--op", "typo"]
    process = subprocess.Popen(command)
    feed = os.open(fifo, os.O_RDWR)
    try:
        os.write(feed, b"play some jazz\n" * 100)
        for _ in range(200):
            if any(".part" in name for name in files(tmp_path)):
                break
            time.sleep(0.05)
        process.terminate()
        assert process.wait(timeout=30) == 143
    finally:
        process.kill()
        os.close(feed)
    assert files(tmp_path) == {"in.txt"}


def test_a_reader_that_goes_away_is_no_failure() -> None:
    command = [sys.executable, "-m", "mondegreen", "operators", "typo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
