"""The command line: output, exit codes, and files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from commands import COMMAND, files
from mondegreen import __version__
from mondegreen.cli.main import main
from mondegreen.cli.operators import doc_of
from mondegreen.data import FORMATS, read, write
from mondegreen.data.sample import sample
from mondegreen.operators import OPERATORS
from mondegreen.operators.groups import GROUPS
from mondegreen.provenance.ledger import read_ledger, rebuild_text, rebuild_tokens


def test_perturb_keeps_labels_and_writes_a_manifest(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "noisy.jsonl"
    assert main(["perturb", str(data), "-o", str(out), "--op", "fillers", "--seed", "7", "-q"]) == 0
    for utterance, variant in zip(read(data), read(out), strict=True):
        assert variant.id == f"{utterance.id}/fillers/0"
        assert variant.label == utterance.label
        assert [slot.label for slot in variant.slots] == [slot.label for slot in utterance.slots]
    manifest = json.loads((tmp_path / "noisy.jsonl.manifest.json").read_text())
    assert manifest["signature"] == (
        f"mondegreen|perturb|ops:fillers@2|amount:default|seed:7|v:{__version__}"
    )
    assert files(tmp_path) == {"data.jsonl", "noisy.jsonl", "noisy.jsonl.manifest.json"}


@pytest.mark.parametrize(
    "target",
    sorted(n for n in FORMATS if FORMATS[n].writes and n not in ("psst", "calls", "turns")),
)
def test_the_output_may_be_any_format(target: str, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["perturb", str(data), "-o", str(out), "--to", target, "--op", "typo", "-q"]) == 0
    assert len(list(read(out, target))) == len(list(read(data)))


@pytest.mark.parametrize("name", [*OPERATORS, "fillers(punctuate=True)"])
@pytest.mark.parametrize("suffix", [".jsonl", ".txt", ""])
def test_the_source_is_rebuilt_from_the_ledger(
    name: str, suffix: str, data: Path, tmp_path: Path
) -> None:
    out, ledger = tmp_path / f"out{suffix}", tmp_path / "ledger.jsonl"
    arguments = ["--op", name, "--severity", "0.6", "--variants", "2", "--to", "folder"]
    arguments = arguments if not suffix else arguments[:-2]
    assert main(["perturb", str(data), "-o", str(out), "--ledger", str(ledger), *arguments]) == 0
    book = read_ledger(ledger)
    source = [utterance for utterance in read(data) for _ in range(2)]
    for i, (utterance, variant) in enumerate(zip(source, read(out), strict=True)):
        found = book.get(f"{utterance.id}/{name.partition('(')[0]}/{i % 2}", [])
        assert bool(found) is (variant.tokens != utterance.tokens)
        assert rebuild_tokens(variant.tokens, found) == utterance.tokens
        assert rebuild_text(variant.text, found) == utterance.text
        for entry in found:
            assert variant.text[slice(*entry.target_chars)] == entry.after_text
            assert utterance.text[slice(*entry.source_chars)] == entry.before_text
            assert variant.tokens[slice(*entry.target)] == entry.after
            assert utterance.tokens[slice(*entry.source)] == entry.before
    assert main(["verify", str(out)]) == 0


def test_each_operator_has_its_output(data: Path, tmp_path: Path) -> None:
    ops = ["--op", "fillers", "--op", "typo", "-q"]
    assert main(["perturb", str(data), "-o", str(tmp_path / "x-{op}.txt"), *ops]) == 0
    assert {"x-fillers.txt", "x-typo.txt"} <= files(tmp_path)
    assert main(["perturb", str(data), "-o", str(tmp_path / "sets"), *ops]) == 0
    assert files(tmp_path / "sets") == {
        "fillers.jsonl",
        "fillers.jsonl.manifest.json",
        "typo.jsonl",
        "typo.jsonl.manifest.json",
    }
    assert main(["perturb", str(data), "-o", str(tmp_path / "mix.jsonl"), "--mix", *ops]) == 0
    mixed = [utterance.id.split("/")[1] for utterance in read(tmp_path / "mix.jsonl")]
    assert set(mixed) == {"fillers", "typo"}
    for out in ("sets/typo.jsonl", "mix.jsonl"):
        assert main(["verify", str(tmp_path / out)]) == 0


def test_perturb_reads_standard_input_and_writes_standard_output() -> None:
    done = subprocess.run(
        [*COMMAND, "perturb", "-", "--op", "fillers(words=[uh])"],
        input="of course\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "of uh course\n"
    assert "1 variants, 1 edits" in done.stderr


def test_line_ends_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"play jazz\r\nstop it\r\n")
    assert (
        main(["perturb", str(tmp_path / "a.txt"), "-o", str(tmp_path / "b.txt"), "--op", "typo"])
        == 0
    )
    assert (tmp_path / "b.txt").read_bytes().count(b"\r\n") == 2


def test_the_number_of_unchanged_utterances_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("a\nplay\n5\n")
    assert (
        main(["perturb", str(tmp_path / "a.txt"), "-o", str(tmp_path / "b.txt"), "--op", "typo"])
        == 0
    )
    assert "typo: 2 could not be changed and are kept unchanged" in capsys.readouterr().err


def test_phrases_in_a_file_are_protected(tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text("# names\nmiles davis\n")
    (tmp_path / "a.txt").write_text("play miles davis now\n")
    assert (
        main(
            [
                "perturb",
                str(tmp_path / "a.txt"),
                "-o",
                str(tmp_path / "b.txt"),
                "--op",
                "typo",
                "--severity",
                "1",
                "--protect",
                str(tmp_path / "keep.txt"),
            ]
        )
        == 0
    )
    variant = (tmp_path / "b.txt").read_text().split()
    assert variant[1:3] == ["miles", "davis"]
    assert variant[0] != "play"
    assert main(["verify", str(tmp_path / "b.txt")]) == 0


def test_slots_are_protected(data: Path, tmp_path: Path) -> None:
    for i, flags in enumerate(
        (["--protect-slots"], ["--protect-slot", "time", "--protect-slot", "date"])
    ):
        out = tmp_path / f"{i}.jsonl"
        more = ["--op", "typing", "--severity", "1", *flags, "-q"]
        assert main(["perturb", str(data), "-o", str(out), *more]) == 0
        for utterance, variant in zip(read(data), read(out), strict=True):
            for before, after in zip(utterance.slots, variant.slots, strict=True):
                if i == 0 or before.label in ("time", "date"):
                    assert (
                        utterance.tokens[before.start : before.end]
                        == variant.tokens[after.start : after.end]
                    )
        assert main(["verify", str(out)]) == 0


def test_fit_words_writes_common_words(data: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    assert main(["fit", "words", str(data), "-o", str(words), "--size", "50"]) == 0
    assert len(words.read_text().split()) == 50
    out = tmp_path / "noisy.jsonl"
    op = f"autocorrect(common={str(words)!r})"
    assert main(["perturb", str(data), "-o", str(out), "--op", op, "-q"]) == 0
    assert main(["verify", str(out)]) == 0
    words.write_text("other\nwords\n")
    assert main(["verify", str(out)]) == 1


def test_verify_names_the_file_that_has_changed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, ledger = tmp_path / "noisy.txt", tmp_path / "ledger.jsonl"
    run = ["perturb", str(data), "-o", str(out), "--op", "fillers", "--ledger", str(ledger), "-q"]
    assert main(run) == 0
    assert main(["verify", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "made again from the source: the same, byte for byte" in printed
    assert "source rebuilt from output and ledger: all 182" in printed
    out.write_text(out.read_text().replace("uh", "um"))
    assert main(["verify", str(out)]) == 1
    assert "noisy.txt has changed" in capsys.readouterr().out
    assert main([*run, "--force"]) == 0
    data.write_text(data.read_text().replace("play", "plays"))
    assert main(["verify", str(out)]) == 1
    assert "data.jsonl has changed" in capsys.readouterr().out


def test_operators_are_listed_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["operators"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in OPERATORS)
    assert main(["operators", "keyboard(layout=azerty)"]) == 0
    assert "keyboard(layout='azerty')" in capsys.readouterr().out
    assert main(["operators", "--json"]) == 0
    assert [op["name"] for op in json.loads(capsys.readouterr().out)] == list(OPERATORS)


def test_groups_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["operators"]) == 0
    printed = capsys.readouterr().out
    assert main(["operators", "nature"]) == 0
    shown = capsys.readouterr().out
    assert main(["operators", "nature", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert tuple(op["name"] for op in records) == GROUPS["nature"]
    for group, members in GROUPS.items():
        assert re.search(rf"{group} +{re.escape(', '.join(members))}", printed)
    assert all(f"{name} " in shown for name in GROUPS["nature"])
    assert "typo " not in shown


@pytest.mark.parametrize("name", OPERATORS)
def test_every_parameter_is_documented(name: str) -> None:
    doc = doc_of(OPERATORS[name])
    for field in fields(OPERATORS[name]):  # type: ignore[arg-type]  # a dataclass
        assert f"\n    {field.name}: " in doc


@pytest.mark.parametrize(
    "command", [[], ["perturb"], ["operators"], ["demo"], ["verify"], ["fit", "words"]]
)
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Usage: mondegreen")
    if command and command != ["demo"]:
        assert "Example" in printed


def test_verify_reads_the_files_beside_the_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    (one / "a.txt").write_text("play some jazz\nstop it now\n")
    (one / "w.txt").write_text("player\nsoap\njam\n")
    monkeypatch.chdir(one)
    run = ["perturb", "a.txt", "-o", "n.txt", "--op", "typing(common='w.txt')", "-q"]
    assert main([*run, "--ledger", "l.jsonl"]) == 0
    shutil.copytree(one, two)
    assert main(["verify", "../two/n.txt"]) == 0
    (two / "n.txt").write_text("tampered\n")
    assert main(["verify", "../two/n.txt"]) == 1
    assert main(["verify", "n.txt"]) == 0
    shutil.rmtree(one / ".." / "two")
    shutil.copytree(one, two)
    monkeypatch.chdir(tmp_path)
    shutil.rmtree(one)
    assert main(["verify", "two/n.txt"]) == 0


def test_a_set_without_any_edit_is_verified(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("7:30\n")
    out = ["-o", str(tmp_path / "b.txt"), "--ledger", str(tmp_path / "l.jsonl"), "-q"]
    assert main(["perturb", str(tmp_path / "a.txt"), "--op", "typo", *out]) == 0
    assert main(["verify", str(tmp_path / "b.txt")]) == 0


def test_an_output_of_a_part_has_no_manifest(data: Path, tmp_path: Path) -> None:
    out = ["-o", str(tmp_path / "b.jsonl"), "--op", "typo", "-q"]
    assert main(["perturb", str(data), *out]) == 0
    assert main(["perturb", str(data), *out, "--limit", "2", "--force"]) == 0
    assert "b.jsonl.manifest.json" not in files(tmp_path)


def test_operators_with_a_dot_in_their_name_have_output_paths(data: Path, tmp_path: Path) -> None:
    write(sample(), tmp_path / "folder", "folder")
    ops = ["--op", "synonym.naive", "--op", "typo", "-q"]
    assert main(["perturb", str(tmp_path / "folder"), "-o", str(tmp_path / "sets"), *ops]) == 0
    assert {"synonym.naive", "typo"} <= files(tmp_path / "sets")
    assert main(["perturb", str(data), "-o", str(tmp_path / "x-{op}.jsonl"), *ops]) == 0
    assert "x-synonym.naive.jsonl" in files(tmp_path)
