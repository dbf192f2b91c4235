"""Engines: the same bytes and numbers in this process, on its cores and on a Ray cluster."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from commands import COMMAND, files
from mondegreen.cli.main import main
from mondegreen.cli.parts import engine_options
from mondegreen.data import write
from mondegreen.data.pairs import parts
from mondegreen.data.sample import sample
from mondegreen.engines import open_workers
from mondegreen.engines.driver import GoneError, ObjectLine
from mondegreen.errors import EngineError
from mondegreen.suites import build
from mondegreen.variants import sources
from worker_jobs import die, fail, fail_oddly, slow_pid

JOBS = {
    "perturb": ["perturb", "{in}", "-o", "{out}/noisy.jsonl", "--op", "fillers", "--ledger",
                "{out}/ledger.jsonl", "--marked", "{out}/marked.tsv"],
    "several": ["perturb", "{in}", "-o", "{out}/noisy", "--op", "typo", "--op", "repeats", "--to",
                "txt"],
    "augment": ["augment", "{in}", "-o", "{out}/more.csv", "--op", "keyboard", "--op", "fillers"],
    "suite": ["suite", "{in}", "-o", "{out}/suite", "--op", "fillers", "--op", "typo", "--random",
              "2"],
    "score": ["score", "words", "--ref", "{ref}", "--hyp", "{hyp}", "--json", "--items",
              "{out}/items.jsonl", "--confusions", "5"],
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A labelled file of 200 utterances, and a transcript of it with errors."""
    folder = tmp_path_factory.mktemp("data")
    utterances = list(sample())[:200]
    write(utterances, folder / "in.jsonl")
    write(utterances, folder / "ref.txt")
    noisy = mg.perturb(utterances, "typo", severity=0.3)
    write((variant.utterance for variant in noisy), folder / "hyp.txt")
    return {name: str(folder / file) for name, file in
            (("in", "in.jsonl"), ("ref", "ref.txt"), ("hyp", "hyp.txt"))}  # fmt: skip


def result(
    job: str, data: dict[str, str], out: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> dict[str, bytes]:
    """Run a job; return what it printed and all files that it wrote."""
    out.mkdir()
    names = data | {"out": str(out)}
    arguments = [argument.format(**names) for argument in JOBS[job]]
    assert main([*arguments, *more]) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out.encode()
    written = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    return written | {"printed": printed}


class Elsewhere:
    """Workers that get and return everything by pickle, as those of other processes do."""

    def map(self, function: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
        packed = pickle.dumps(function)
        for part in parts:
            there = pickle.loads(packed)  # noqa: S301 (our own)
            yield pickle.loads(pickle.dumps(there(pickle.loads(pickle.dumps(part)))))  # noqa: S301


@pytest.mark.parametrize("job", list(JOBS))
def test_any_partition_gives_the_same_bytes(
    job: str,
    data: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = result(job, data, tmp_path / "whole", capsys)
    here: Callable[..., Any] = lambda *_: Elsewhere()  # noqa: E731
    monkeypatch.setattr(engine_options, "open_workers", here)
    monkeypatch.setattr(build, "open_workers", here)
    for n in (1, 2, 3, 7):
        size = -(-200 // n)
        monkeypatch.setattr(sources, "PART", size)
        monkeypatch.setattr(parts.line_parts, "__defaults__", (None, size))
        assert result(job, data, tmp_path / str(n), capsys) == expected


@pytest.mark.parametrize("job", list(JOBS))
def test_processes_give_the_same_bytes(
    job: str,
    data: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = result(job, data, tmp_path / "local", capsys)
    monkeypatch.setattr(sources, "PART", 70)
    monkeypatch.setattr(parts.line_parts, "__defaults__", (None, 70))
    more = ["--engine", "processes", "--workers", "2"]
    assert result(job, data, tmp_path / "processes", capsys, *more) == expected


def _scores(run: Path) -> Any:
    with mg.open_run(run) as opened:
        return opened.scores(), list(opened.page(limit=30))


def test_models_answer_on_workers(data: dict[str, str], tmp_path: Path) -> None:
    mg.suite(data["in"], tmp_path / "suite", "typo", random=0)
    model = "python:worker_jobs:constant"
    for engine in ("local", "processes"):
        mg.evaluate(
            tmp_path / "suite",
            model,
            tmp_path / f"{engine}.run",
            engine=engine,
            batch=16,
            workers=2,
        ).close()
    assert _scores(tmp_path / "local.run") == _scores(tmp_path / "processes.run")


def test_the_library_has_the_same_switch() -> None:
    texts = [f"play some jazz number {i}" for i in range(50)]
    for make in (mg.perturb, mg.augment):
        here = list(make(texts, "typo", seed=3))
        assert list(make(texts, "typo", seed=3, engine="processes", workers=2)) == here
    with pytest.raises(
        EngineError, match=r"No engine named 'procesess'\. Did you mean 'processes'"
    ):
        list(mg.perturb(texts, "typo", engine="procesess"))
    with pytest.raises(EngineError, match="at least one worker"):
        open_workers("processes", 0)


def test_a_worker_that_dies_is_named() -> None:
    with pytest.raises(EngineError, match="a worker process died while it worked on"):
        list(open_workers("processes", 2).map(die, range(8)))


def test_errors_and_warnings_of_workers_reach_the_user() -> None:
    found: list[int] = []
    with (
        pytest.warns(UserWarning, match="part 1 is odd"),
        pytest.raises(mg.MondegreenError, match="part 2 is wrong"),
    ):
        found.extend(open_workers("processes", 2).map(fail, range(5)))


def test_a_forked_process_starts_workers_of_its_own() -> None:
    """Its parent has started some already; a forked process cannot use what starts them."""
    assert list(open_workers("processes", 2).map(abs, [-1])) == [1]
    process = os.fork()
    if not process:
        with suppress(BaseException):
            os._exit(sum(open_workers("processes", 2).map(abs, [-1, -2])))
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 3


def test_bad_lines_are_named_by_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "PART", 10)
    rows = [{"id": str(i), "text": "play jazz"} for i in range(40)]
    lines = [json.dumps(row) for row in rows]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    command = ["perturb", str(source), "-o", str(out), "--op", "typo", "--engine", "processes"]
    for bad, message in (
        ("{", "in.jsonl, line 31: not JSON"),
        (lines[2], "the id '2' occurs twice"),
    ):
        source.write_text("\n".join([*lines[:30], bad, *lines[31:]]))
        assert main([*command, "--workers", "2"]) == 1
        assert message in capsys.readouterr().err
        assert not out.exists()


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A Ray cluster of two nodes on this machine."""
    ray: Any = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    patch = pytest.MonkeyPatch()
    patch.setenv("PYTHONPATH", str(Path(__file__).parent))  # for what workers do in tests
    found: Any = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    found.add_node(num_cpus=1)
    yield found.address
    ray.shutdown()
    found.shutdown()
    patch.undo()


@pytest.mark.timeout(300)
def test_a_ray_cluster_gives_the_same_bytes(
    cluster: str,
    data: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = {job: result(job, data, tmp_path / job, capsys) for job in JOBS}
    monkeypatch.setattr(sources, "PART", 70)
    monkeypatch.setattr(parts.line_parts, "__defaults__", (None, 70))
    more = ["--engine", "ray", "--ray-address", cluster]
    for job in JOBS:
        assert result(job, data, tmp_path / f"{job}-ray", capsys, *more) == expected[job]


@pytest.mark.timeout(300)
def test_models_answer_on_a_ray_cluster(cluster: str, data: dict[str, str], tmp_path: Path) -> None:
    mg.suite(data["in"], tmp_path / "suite", "typo", random=0)
    for engine in ("local", "ray"):
        mg.evaluate(
            tmp_path / "suite",
            "python:worker_jobs:constant",
            tmp_path / f"{engine}.run",
            batch=16,
            engine=engine,
            workers=2,
            address=cluster,
        ).close()
    assert _scores(tmp_path / "local.run") == _scores(tmp_path / "ray.run")


@pytest.mark.timeout(300)
def test_a_ray_worker_that_dies_is_named(cluster: str) -> None:
    # It dies on its second part, perhaps before the result of its first has left it.
    with pytest.raises(EngineError, match=r"Ray worker died while it worked on part [24] or a"):
        list(open_workers("ray", 2, cluster).map(die, range(8)))


@pytest.mark.timeout(300)
def test_a_program_that_is_connected_with_a_cluster_uses_it(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray: Any = pytest.importorskip("ray")
    ray.init(address=cluster, log_to_driver=False, logging_level="ERROR")
    monkeypatch.setattr(subprocess, "Popen", None)  # no other process is needed
    try:
        workers = open_workers("ray", 2)
        assert list(workers.map(abs, [-1, -2, 3])) == [1, 2, 3]
        with pytest.warns(match="part 1 is odd"), pytest.raises(mg.MondegreenError, match="part 2"):
            list(workers.map(fail, range(5)))
        with pytest.raises(EngineError, match=r"Ray worker died while it worked on part [24] or a"):
            list(workers.map(die, range(8)))
    finally:
        ray.shutdown()


@pytest.mark.timeout(300)
def test_errors_and_warnings_come_from_a_cluster(cluster: str) -> None:
    workers = open_workers("ray", 2, cluster)
    with pytest.warns(match="part 1 is odd"), pytest.raises(mg.MondegreenError, match="part 2"):
        list(workers.map(fail, range(5)))
    with pytest.raises(ZeroDivisionError) as caught:
        list(workers.map(lambda part: 1 / part, range(5)))
    assert "in <lambda>" in caught.value.__notes__[0]
    with pytest.raises(EngineError, match="part 0 is odd"):
        list(workers.map(fail_oddly, range(5)))


@pytest.mark.timeout(300)
def test_work_on_a_cluster_may_be_given_up(cluster: str) -> None:
    results = open_workers("ray", 2, cluster).map(slow_pid, range(10_000))
    first = next(results)
    assert isinstance(results, Generator)
    results.close()
    with suppress(ProcessLookupError):
        for _ in range(200):
            os.kill(first, 0)
            time.sleep(0.1)
        pytest.fail("the worker goes on")


@pytest.mark.parametrize("sent", [0, 20, 5000])
def test_an_object_that_is_cut_off_means_that_the_other_process_has_ended(sent: int) -> None:
    packed = pickle.dumps(b"x" * 10_000)
    with pytest.raises(GoneError):
        ObjectLine(io.BytesIO(packed[:sent]), io.BytesIO()).receive()
    assert ObjectLine(io.BytesIO(packed), io.BytesIO()).receive() == b"x" * 10_000


@pytest.mark.timeout(300)
def test_a_process_that_ray_ends_without_a_word_is_an_error(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Ray does with the one that speaks with the cluster, often, when the cluster goes away."""
    started = []
    popen = subprocess.Popen

    def start(*command: Any, **options: Any) -> Any:
        started.append(popen(*command, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    results = open_workers("ray", 2, cluster).map(slow_pid, range(10_000))
    next(results)
    started[0].kill()
    with pytest.raises(EngineError, match=r"worked on part \d+ or .*cannot be reached any more"):
        list(results)


@pytest.mark.timeout(300)
def test_a_cluster_that_goes_away_is_an_error(tmp_path: Path) -> None:
    """The command ends by itself, and leaves nothing."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    text = "".join(f"play song {i} by the band that i like\n" for i in range(200_000))
    (tmp_path / "in.txt").write_text(text)
    cluster: Any = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    job = ["perturb", "in.txt", "-o", "out.jsonl", "--op", "repairs", "--engine", "ray"]
    command = [*COMMAND, *job, "--ray-address", cluster.address]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        try:
            while not any(path.stat().st_size for path in tmp_path.glob(".out.jsonl.*.part")):
                assert process.poll() is None
                time.sleep(0.05)
        finally:
            cluster.shutdown()
        printed = process.communicate(timeout=200)[1]
    assert process.returncode == 1
    assert "mondegreen: a Ray worker died while it worked on part" in printed
    assert files(tmp_path) == {"in.txt"}


def test_a_cluster_that_is_not_there_is_named(
    data: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ray = pytest.importorskip("ray")
    if ray.is_initialized():
        ray.shutdown()
    more = ["--engine", "ray", "--ray-address", "127.0.0.1:1"]
    out = tmp_path / "out.txt"
    assert main(["perturb", data["ref"], "-o", str(out), "--op", "typo", *more]) == 1
    assert "there is no Ray cluster at 127.0.0.1:1" in capsys.readouterr().err
    assert not out.exists()
