"""Interrupted and concurrent work: nothing is lost, mixed up, or left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

import mondegreen as mg
from commands import COMMAND, fails, files
from mondegreen.cli.main import main
from mondegreen.data.files import places
from mondegreen.data.files.output import whole_file, whole_path
from mondegreen.data.files.places import locked
from mondegreen.errors import DataError, OutputError
from mondegreen.models.protocol import Model
from mondegreen.models.reference import read_card, train
from mondegreen.runs.experiment import experiment

LABELLED = [
    mg.Utterance.of(str(i), text, [mg.Slot("what", 1, 2)], label)
    for i, (text, label) in enumerate([("play jazz", "play"), ("stop this", "stop")] * 4)
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    mg.write(LABELLED, tmp_path / "test.jsonl")
    return tmp_path / "test.jsonl"


def dead_process() -> int:
    """Return the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def is_ours(folder: Path) -> bool:
    return (folder / "ours").exists()


def write_folder(path: Path, text: str, *, force: bool = True) -> None:
    with whole_path(path, force=force, ours=is_ours) as work:
        work.mkdir()
        (work / "ours").write_text(text)


def test_what_killed_processes_left_is_removed_at_the_next_start(tmp_path: Path) -> None:
    dead, alive = dead_process(), os.getppid()
    (tmp_path / f".a.jsonl.{dead}.part").write_text("half")
    (tmp_path / f".a.jsonl.{dead}0000000000000.part").mkdir()
    kept = {f".a.jsonl.{alive}.part", f".b.jsonl.{dead}.part", ".a.jsonl.x.part"}
    for name in kept:
        (tmp_path / name).write_text("somebody's")
    with whole_file(tmp_path / "a.jsonl") as file:
        file.write(b"all")
    assert files(tmp_path) == kept | {"a.jsonl"}


@pytest.mark.parametrize("steps", [1, 2])
def test_a_folder_is_never_missing_while_it_is_replaced(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if steps > 1:
        monkeypatch.setattr(places, "_exchange", lambda *_: False)
    target = tmp_path / "suite"
    write_folder(target, "0")
    stop, missing = Event(), []

    def watch() -> None:
        while not stop.is_set():
            try:
                (target / "ours").read_text()
            except FileNotFoundError:
                missing.append(time.monotonic())

    watcher = Thread(target=watch)
    watcher.start()
    for number in range(1, 30):
        write_folder(target, str(number))
    stop.set()
    watcher.join()
    assert (target / "ours").read_text() == "29"
    assert files(tmp_path) == {"suite"}
    if steps == 1 and sys.platform == "linux":
        assert not missing


def test_a_folder_that_was_moved_aside_is_put_back(tmp_path: Path) -> None:
    aside = tmp_path / f".suite.{dead_process()}.old"
    aside.mkdir()
    (aside / "ours").write_text("old")
    with pytest.raises(RuntimeError), whole_path(tmp_path / "suite", ours=is_ours):
        raise RuntimeError
    assert (tmp_path / "suite" / "ours").read_text() == "old"


def test_files_are_on_the_disk_before_they_get_their_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[str] = []
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        flushed.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        sync(descriptor)

    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc")
    monkeypatch.setattr(os, "fsync", fsync)
    write_folder(tmp_path / "suite", "new")
    assert flushed == [
        "ours",
        f".suite.{os.getpid()}.part",
        tmp_path.name,
    ]


def test_a_target_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(OutputError, match="exists already"), whole_file(path):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert files(tmp_path) == {"a.txt"}


def test_output_links_are_followed_and_devices_refused(tmp_path: Path, source: Path) -> None:
    real = tmp_path / "far" / "real.jsonl"
    real.parent.mkdir()
    for link in (tmp_path / "link.jsonl", tmp_path / "dangling.jsonl"):
        link.symlink_to(real)
        arguments = ["perturb", str(source), "--op", "typo", "-o", str(link), "-q"]
        assert main([*arguments, "--force"]) == 0
        assert link.is_symlink()
        assert len(real.read_text().splitlines()) == len(LABELLED)
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    with pytest.raises(OutputError), whole_file(circle):
        pass
    for device in ("/dev/stdout", "/dev/null", "/dev/fd/1", "/proc/self/fd/1"):
        with pytest.raises(OutputError), whole_file(Path(device), force=True):
            pass


def test_standard_output_that_is_a_file_is_not_replaced(tmp_path: Path, source: Path) -> None:
    arguments = ["perturb", str(source), "--op", "typo", "-o", "/dev/stdout", "--force"]
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=out, stderr=subprocess.PIPE, check=False
        )
        assert done.returncode == 1
        assert b"but a device" in done.stderr
        assert os.fstat(out.fileno()).st_ino == (tmp_path / "out").stat().st_ino


def test_a_lock_keeps_others_out_and_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    with (
        locked(path, "writing it"),
        pytest.raises(OutputError, match="another process is writing it"),
        locked(path, "writing it"),
    ):
        pass
    with locked(path, "writing it"):
        pass
    assert not files(tmp_path)


class Waiting(Model):
    """A model that answers when it may."""

    signature = "waiting"

    def __init__(self, label: str) -> None:
        self.label, self.asked, self.may = label, Event(), Event()

    def predict(self, batch: object) -> list[mg.Prediction]:
        self.asked.set()
        assert self.may.wait(30)
        return [mg.Prediction(one.id, (), self.label) for one in batch]  # type: ignore[attr-defined]


def test_a_run_that_is_being_written_is_locked(source: Path, tmp_path: Path) -> None:
    mg.suite(source, tmp_path / "suite", "typo", random=0)
    first, run = Waiting("play"), tmp_path / "a.run"
    thread = Thread(target=lambda: mg.evaluate(tmp_path / "suite", first, run).close())
    thread.start()
    assert first.asked.wait(30)
    with pytest.raises(OutputError, match="another process is writing this run"):
        mg.evaluate(tmp_path / "suite", Waiting("stop"), run, force=True)
    first.may.set()
    thread.join()
    with mg.evaluate(tmp_path / "suite", first, run) as found:
        assert found.score("original")["intent_accuracy"].value == 0.5
    assert not (tmp_path / ".a.run.lock").exists()


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0"])
def test_force_replaces_a_run_that_was_killed_early(
    content: bytes, source: Path, tmp_path: Path
) -> None:
    mg.suite(source, tmp_path / "suite", "typo", random=0)
    run, model = tmp_path / "a.run", Waiting("play")
    model.may.set()
    run.write_bytes(content)
    if content:  # killed before the log was merged into the file
        run.unlink()
        script = (
            "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
            "c.execute('PRAGMA journal_mode = WAL'); os._exit(0)"
        )
        subprocess.run([sys.executable, "-c", script, str(run)], check=True)
    mg.evaluate(tmp_path / "suite", model, run, force=True).close()
    (tmp_path / "mine.txt").write_text("my notes")
    with pytest.raises(OutputError, match="is not a run"):
        mg.evaluate(tmp_path / "suite", model, tmp_path / "mine.txt", force=True)


SETTINGS = {"operators": ["typo"], "random": 1, "hard": False}


def test_an_experiment_is_continued_only_with_the_same_settings(
    source: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "e"
    experiment(source, source, folder, **SETTINGS)  # type: ignore[arg-type]
    experiment(source, source, folder, **SETTINGS)  # type: ignore[arg-type]
    other = tmp_path / "other.jsonl"
    mg.write(LABELLED[:2], other)
    for changed, name in (
        ({"operators": ["fillers"]}, "op"),
        ({"random": 2}, "random"),
        ({"hard": True}, "hard"),
        ({"iterations": "2"}, "set"),
        ({"seed": 4}, "seed"),
        ({"augmenters": ["typo"]}, "augment"),
    ):
        with pytest.raises(DataError, match=f"another experiment: {name}"):
            experiment(source, source, folder, **(SETTINGS | changed))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="another experiment: test"):
        experiment(source, other, folder, **SETTINGS)  # type: ignore[arg-type]
    (folder / "experiment.json").write_text("[[[")
    with pytest.raises(DataError, match="not the settings"):
        experiment(source, source, folder, **SETTINGS)  # type: ignore[arg-type]
    (folder / "experiment.json").unlink()
    with pytest.raises(DataError, match="not known"):
        experiment(source, source, folder, **SETTINGS)  # type: ignore[arg-type]


def test_two_trainings_to_one_folder_do_not_mix(tmp_path: Path) -> None:
    folder = tmp_path / "crf"
    refused: list[tuple[str, int, int]] = []

    def second(what: str, done: int, total: int) -> None:
        if not refused:
            with pytest.raises(OutputError, match="another process is training this model"):
                train("crf", LABELLED, folder, iterations=1, force=True)
            refused.append((what, done, total))

    train("crf", LABELLED, folder, iterations=3, on_progress=second)
    assert refused
    assert read_card(folder).options == {"iterations": 3}
    assert files(tmp_path) == {"crf"}


def test_numbers_are_printed_before_the_items_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ref.txt", "hyp.txt"):
        (tmp_path / name).write_text("play jazz\nstop\n")
    items = tmp_path / "items.jsonl"
    sides = ["--ref", str(tmp_path / "ref.txt"), "--hyp", str(tmp_path / "hyp.txt")]
    arguments = ["score", "words", *sides, "--items", str(items)]

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("mondegreen.data.files.output.put", killed)
        assert main([*arguments, "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["n"] == 2
    assert not items.exists()
    assert main(arguments) == 0
    capsys.readouterr()
    fails(arguments, "exists already", capsys)
    assert not capsys.readouterr().out


DIES_WHILE_PLACING = """
import os, sys
from mondegreen.cli.main import main
from mondegreen.data.files import places

place, left = places._place, int(sys.argv.pop(1))
def place_or_die(temporary, path):
    global left
    left -= 1
    if left < 0:
        os._exit(9)
    place(temporary, path)
places._place = place_or_die
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("placed", [0, 1, 2])
@pytest.mark.parametrize("command", ["perturb", "augment"])
def test_a_kill_between_an_output_and_its_manifest(
    source: Path, command: str, placed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [command, "../test.jsonl", "--op", "typo", "-o", "out.jsonl", "-q"]
    folder, expected = source.parent / "made", source.parent / "expected"
    for place in (folder, expected):
        place.mkdir()
    killed = [sys.executable, "-c", DIES_WHILE_PLACING, str(placed), *arguments]
    code = subprocess.run(killed, cwd=folder, check=False).returncode
    assert code == (9 if placed < 2 else 0)
    for place in [expected] if code == 0 else [expected, folder]:
        monkeypatch.chdir(place)
        assert main(arguments) == 0
    assert files(folder) == {"out.jsonl", "out.jsonl.manifest.json"}
    for name in files(folder):
        assert (folder / name).read_bytes() == (expected / name).read_bytes()


def test_the_lock_of_a_finished_run_is_removed(source: Path, tmp_path: Path) -> None:
    """Its writer may be killed after the last answer."""
    mg.suite(source, tmp_path / "suite", "typo", random=0)
    model = train(
        "linear", [mg.Utterance.of(o.id, o.text, (), o.label) for o in LABELLED], tmp_path / "m"
    )
    lock = tmp_path / ".a.run.lock"
    for _ in range(2):
        mg.evaluate(tmp_path / "suite", model, tmp_path / "a.run").close()
        assert not lock.exists()
        lock.touch()
    with locked(tmp_path / "a.run", "writing it"):  # by somebody who is alive
        mg.evaluate(tmp_path / "suite", model, tmp_path / "a.run").close()
        assert lock.exists()


def write_together(*paths: Path) -> None:
    with places.together() as finished:
        for path in paths:
            with whole_file(path) as file:
                file.write(b"all")
            assert finished[path].read_bytes() == b"all"
            assert not path.exists()


def test_several_outputs_get_their_names_in_spite_of_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, interruptions = places._place, iter([KeyboardInterrupt, None, SystemExit])  # noqa: SLF001

    def interrupted(temporary: Path, path: Path) -> None:
        kind = next(interruptions, None)
        if kind is not KeyboardInterrupt:
            place(temporary, path)
        if kind is not None:
            raise kind

    monkeypatch.setattr(places, "_place", interrupted)
    with pytest.raises(SystemExit):
        write_together(tmp_path / "a", tmp_path / "b")
    assert files(tmp_path) == {"a", "b"}


def test_outputs_of_a_block_that_fails_do_not_appear(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_together(tmp_path / "a", tmp_path / "no" / "b")
    assert files(tmp_path) == set()
