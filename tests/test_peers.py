"""The drop-in shims under the peers' own tests, and their numbers against the peers themselves."""

from __future__ import annotations

import importlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import jiwer
import pytest
from seqeval.metrics import f1_score as peer_f1
from seqeval.metrics import precision_score as peer_precision

import mondegreen.compat.jiwer as ours
from mondegreen.compat.seqeval.metrics import f1_score, precision_score

PEERS = Path(__file__).resolve().parents[2] / "shared" / "golden" / "peers"
MODULES = {
    "jiwer": ("", "transforms", "transformations", "process", "measures", "alignment"),
    "seqeval": ("", "metrics", "metrics.v1", "metrics.sequence_labeling", "scheme", "reporters"),
}
SLOW = {  # their own loops: a million words, and 600 runs of a Perl script
    "jiwer": "not speed and not vocabulary",
    "seqeval": "not statistical",
}
PASSED = {"jiwer": 60, "seqeval": 490}


def run_with_shim(name: str) -> int:
    """Run a peer's tests in this process, with our package under its name."""
    for module in MODULES[name]:
        suffix = f".{module}" if module else ""
        sys.modules[name + suffix] = importlib.import_module(f"mondegreen.compat.{name}{suffix}")
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "-c", os.devnull, "-k", SLOW[name]]))


@pytest.mark.parametrize("name", MODULES)
def test_the_peers_own_tests_pass(name: str, tmp_path: Path) -> None:
    source = PEERS / name / "tests"
    if not source.is_dir():
        pytest.skip(f"{source} is not there")
    shutil.copytree(source, tmp_path / "tests")
    for path in (tmp_path / "tests", *(tmp_path / "tests").rglob("*")):
        path.chmod(0o755)
    code = f"import sys, test_peers; sys.exit(test_peers.run_with_shim({name!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "tests",
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    passed = int(done.stdout.rsplit(" passed", 1)[0].split()[-1])
    assert passed >= PASSED[name]


def test_rates_equal_jiwers_and_hits_are_never_fewer() -> None:
    random.seed(17)
    for _ in range(2_000):
        ref, hyp = (" ".join(random.choices("abc", k=random.randint(0, 7))) for _ in range(2))
        mine, theirs = ours.process_words(ref, hyp), jiwer.process_words(ref, hyp)
        assert mine.wer == pytest.approx(theirs.wer)
        assert mine.hits >= theirs.hits
        assert ours.cer(ref, hyp) == pytest.approx(jiwer.cer(ref, hyp))
        if mine.hits == theirs.hits:
            assert (mine.mer, mine.wil) == pytest.approx((theirs.mer, theirs.wil))


@pytest.mark.filterwarnings("ignore")
def test_rates_equal_seqevals() -> None:
    random.seed(17)
    tags = ["O", *(f"{prefix}-{label}" for prefix in "BIES" for label in ("a", "b"))]
    for _ in range(300):
        true, pred = ([random.choices(tags, k=6) for _ in range(3)] for _ in range(2))
        for average in ("micro", "macro", "weighted"):
            assert f1_score(true, pred, average=average) == peer_f1(true, pred, average=average)
            assert precision_score(true, pred, average=average) == pytest.approx(
                peer_precision(true, pred, average=average)
            )
