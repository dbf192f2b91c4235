"""What commands do can be done from Python, with the same results; one spelling of each name."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from mondegreen import score as metrics
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OutputError
from showing import Shown

CITIES = ["Austin", "Boston", "Kyoto", "Tokyo"]


def _json(command: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main([*command, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def test_report(shown: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = mg.report(shown.run, str(shown.other), title="Both")
    assert _plain(found.record()) == _json(["report", str(shown.run), str(shown.other)], capsys)
    page = tmp_path / "python.html"
    assert found.write(page) == page
    command = ["report", str(shown.run), str(shown.other), "--title", "Both"]
    assert main([*command, "-o", str(tmp_path / "command.html")]) == 0
    assert page.read_bytes() == (tmp_path / "command.html").read_bytes()
    with pytest.raises(OutputError, match="exists already"):
        found.write(page)
    with pytest.raises(DataError, match="give a run"):
        mg.report()
    stages = {"written": str(shown.run), "typed": f"{shown.run}#typo"}
    lost = mg.report(stages=stages).record()["chain"]
    named = [f"--stage={name}={path}" for name, path in stages.items()]
    assert _plain(lost) == _json(["report", *named], capsys)["chain"]


def test_blame(shown: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    stages = {"written": str(shown.run), "typed": f"{shown.run}#typo"}
    named = [f"--stage={name}={path}" for name, path in stages.items()]
    assert _plain(mg.blame(stages).record()) == _json(["blame", *named], capsys)


def test_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text("play some jazz\nstop it\n")
    out = tmp_path / "out.txt"
    assert main(["perturb", str(tmp_path / "in.txt"), "-o", str(out), "--op", "typo", "-q"]) == 0
    capsys.readouterr()
    assert main(["verify", str(out)]) == 0
    printed = capsys.readouterr().out.splitlines()[1:]
    assert [f"ok    {check.name}" for check in mg.verify(str(out))] == printed
    out.write_text("another text\nstop it\n")
    assert any(check.problem for check in mg.verify(out))


def test_collide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cities.txt"
    path.write_text("\n".join(CITIES) + "\n")
    record = _json(["collide", str(path)], capsys)["groups"]
    for source in (path, str(path), CITIES, {"names": CITIES}):
        found = mg.collide(source)
        assert {name: [one._asdict() for one in pairs] for name, pairs in found.items()} == record


def test_realism(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs = [one.text for one in sample()][:60]
    real = [f"uh {text}" for text in refs]
    made = [text.partition(" ")[2] for text in refs]
    for name, hyps in (("real.tsv", real), ("made.tsv", made)):
        rows = [f"{n}\t{ref}\t{hyp}" for n, (ref, hyp) in enumerate(zip(refs, hyps, strict=True))]
        (tmp_path / name).write_text("\n".join(["id\tref\thyp", *rows]) + "\n")
    files = tmp_path / "real.tsv", tmp_path / "made.tsv"
    record = _json(["realism", *map(str, files)], capsys)
    assert _plain(mg.realism(*files).record()) == record
    assert _plain(mg.realism((refs, real), made).record()) == record
    assert _plain(mg.realism(files[0], made).record()) == record


def test_export(shown: Shown, tmp_path: Path) -> None:
    suite = shown.calls.with_name("call-suite")
    files = mg.export(str(suite), "bfcl", tmp_path / "python")
    assert main(["export", str(suite), "--to", "bfcl", "-o", str(tmp_path / "command"), "-q"]) == 0
    assert files
    for path in files:
        there = tmp_path / "command" / path.relative_to(tmp_path / "python")
        assert path.read_bytes() == there.read_bytes()


def test_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = list(sample("train"))[:60]
    for name, part in (("train.jsonl", data[:40]), ("test.jsonl", data[40:])):
        mg.write(part, tmp_path / name)
    options: dict[str, Any] = {"operators": "typo", "augmenters": "typo", "random": 0}
    found = mg.experiment(
        tmp_path / "train.jsonl", tmp_path / "test.jsonl", tmp_path / "a", hard=False, **options
    )
    command = ["experiment", str(tmp_path / "train.jsonl"), "--test", str(tmp_path / "test.jsonl")]
    command += ["-o", str(tmp_path / "a"), "--op", "typo", "--augment", "typo", "--random", "0"]
    record = _json([*command, "--no-hard", "-q"], capsys)  # the same folder: nothing is made again
    assert _plain(mg.compare(*found).record()) == record


TYPES = ("Comparison", "Format", "Metric", "Recipe", "Run", "Score", "Suite")


@pytest.mark.parametrize("name", TYPES)
def test_types_are_exported(name: str) -> None:
    assert inspect.isclass(getattr(mg, name))


def test_names_of_values() -> None:
    score = mg.score.words(["play jazz"], ["play jaws"])
    assert isinstance(score, mg.Score)
    assert isinstance(score.metric, mg.Metric)
    assert isinstance(score.compare(score), mg.Comparison)


def test_report_stays_callable_whatever_is_imported_first() -> None:
    program = (
        "import mondegreen.report.pages, mondegreen as mg; assert callable(mg.report); "
        "import mondegreen.report.opening; assert callable(mg.report)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_every_parameter_has_one_spelling() -> None:
    old = {"ref", "hyp", "norm", "normalize", "progress"}
    functions = {name: getattr(mg, name) for name in mg.__all__}
    functions |= {f"score.{name}": getattr(metrics, name) for name in metrics.__all__}
    wrong = {
        f"{name}({parameter})"
        for name, function in functions.items()
        if inspect.isfunction(function)
        for parameter in inspect.signature(function).parameters.keys() & old
    }
    assert not wrong


def test_old_spellings_warn_for_one_release(shown: Shown, tmp_path: Path) -> None:
    with pytest.warns(DeprecationWarning, match="words: the parameter norm is called normalise"):
        old = mg.score.words(["OK"], ["ok"], norm=str.lower)  # type: ignore[call-arg]
    assert old == mg.score.words(["OK"], ["ok"], normalise=str.lower)
    data = list(sample("train"))[:20]
    with pytest.warns(DeprecationWarning, match="train: the parameter progress is called"):
        mg.train("crf", data, tmp_path / "m", progress=lambda *_: None)
    stages = {"a": shown.run, "b": shown.other}
    with pytest.warns(DeprecationWarning, match="blame: the parameter ref is called refs"):
        mg.blame(stages, ref=None)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="both norm and normalise"):
        mg.score.words(["a"], ["a"], norm=str.lower, normalise="none")  # type: ignore[call-arg]
