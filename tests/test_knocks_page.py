"""The page on security names tests that exist; and a request that asks for much ends."""

from __future__ import annotations

import ast
import re
import signal
import subprocess
import time
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from commands import COMMAND
from mondegreen.errors import TimeLimitError
from mondegreen.limits import Limit, alarm, look

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_named_test_and_script_exists() -> None:
    named = re.findall(r"`((?:tests|scripts)/\w+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) >= 30
    for path, test in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert not test or test in functions, f"{path}::{test}"


def test_every_promise_has_a_test() -> None:
    table = PAGE.partition("## What is not trusted")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 20
    for row in rows:
        assert re.search(r"`(?:tests|scripts)/\w+\.py", row.split("|")[3]), row


def test_a_limit_ends_work_that_looks() -> None:
    limit = Limit(0.05, "do less")
    with limit.begun():
        time.sleep(0.1)
        with pytest.raises(TimeLimitError, match=r"longer than 0\.05 s; do less"):
            look()
    look()  # outside, there is no limit
    limit.cancel()
    with limit.begun(), pytest.raises(TimeLimitError, match="nobody waits"):
        look()


def test_an_alarm_of_somebody_else_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with alarm(5):
        pass
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_request_that_asks_for_much_ends() -> None:
    server = subprocess.Popen([*COMMAND, "play", "--no-open"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    base = server.stdout.readline().strip().removesuffix("/try")
    much = urlencode({"text": "1 " * 2_000, "op": "mondegreen", "variants": 5})

    def ask() -> bytes:
        with urlopen(f"{base}/try.json?{much}", timeout=120) as answer:  # noqa: S310 (our own)
            content: bytes = answer.read()
            return content

    def ask_in_vain() -> None:
        try:
            ask()
        except OSError:
            return

    try:
        assert b"this takes longer than 5 s" in ask()
        for _ in range(50):
            Thread(target=ask_in_vain, daemon=True).start()
        time.sleep(1)
        with urlopen(f"{base}/static/app.js", timeout=30) as answer:  # noqa: S310 (our own)
            assert answer.status == 200
    finally:
        server.terminate()
        server.stdout.close()
        assert server.wait(15) is not None
