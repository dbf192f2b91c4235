"""Files that are damaged, huge, or in another encoding: an error that says what to do."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

import mondegreen as mg
from commands import COMMAND, fails
from mondegreen.cli.main import main
from mondegreen.data.formats import parquet
from mondegreen.errors import DataError
from mondegreen.language.disfluency.profile import read_profile
from mondegreen.report.opening import open_source

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.jsonl", "a.tsv"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id\ttext\rplay jazz\rstop\r", "CR alone"),
        ("id,text\nu1,play".encode("utf-16"), "iconv -f utf-16 -t utf-8"),
        ("id,text\nu1,play".encode("utf-16-be"), "NUL byte"),
        ("id,text\nu1,play".encode("utf-16-le"), "iconv -f utf-16le"),
        ("id,text\nu1,play".encode("utf-32"), "iconv -f utf-32"),
        ("id,text\nu1,café".encode("latin1"), "iconv -f latin1"),
    ],
)
def test_other_encodings_and_line_ends_are_named(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(mg.read(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('id,text\nu1,play\nu2,"stop\nu3,go\nu4,on\n', 3),
        ('id,text\nu1,"play\njazz"\nu2,stop\nu3,"go\nu4,on\n', 5),
        ('id,text\nu1,"play\njazz","stop\nu4,on\n', 3),
        ('id,text\nu1,pl"ay,x"\n', 2),
    ],
)
def test_an_open_quote_is_found_where_it_opens(text: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(DataError, match=f"line {line}: "):
        list(mg.read(tmp_path / "a.csv"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
@pytest.mark.parametrize(
    ("name", "content", "n"),
    [
        ("in", b"play jazz\nstop\n", 2),
        ("in", b'{"id": "a", "text": "play jazz"}\n{"id": "b", "text": "stop"}\n', 2),
        ("in.csv", b"id,text\na,play jazz\nb,stop\n", 2),
    ],
)
def test_a_pipe_is_read_once_and_recognised(
    name: str, content: bytes, n: int, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / name)
    feed = Thread(target=(tmp_path / name).write_bytes, args=(content,))
    feed.start()
    found = list(mg.read(tmp_path / name))
    feed.join()
    assert len(found) == n
    assert found[0].text == "play jazz"


@pytest.mark.parametrize("metric", ["words", "slu"])
def test_standard_input_by_its_device_is_scored(metric: str, tmp_path: Path) -> None:
    text = (
        '{"id": "a", "text": "play jazz", "label": "p"}\n{"id": "b", "text": "go", "label": "g"}\n'
    )
    (tmp_path / "ref.jsonl").write_text(text)
    command = [
        *COMMAND,
        "score",
        metric,
        "--ref",
        str(tmp_path / "ref.jsonl"),
        "--hyp",
        "/dev/stdin",
    ]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"2 utterances" in done.stdout


def test_a_value_of_a_parquet_file_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "LONGEST_LINE", 100_000)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["a" * 100_001] * 50}), path, compression="zstd")
    with pytest.raises(DataError, match="has 100,001 bytes"):
        list(mg.read(path))


def test_a_value_that_a_parquet_file_holds_many_times_is_in_memory_once(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    text = "play " * 2000
    table = pa.table({"text": pa.array([text] * 500).dictionary_encode().cast(pa.string())})
    pq.write_table(table, path, compression="zstd")
    found = [one.raw for one in mg.read(path)]
    assert found == [text] * 500
    assert len({id(one) for one in found}) == 1


@pytest.mark.parametrize("size", [20, 200, 400])
def test_a_damaged_parquet_source_is_not_a_fault_of_the_output(
    size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.parquet", tmp_path / "b.jsonl"
    mg.write([mg.Utterance.of(str(i), f"play jazz {i}") for i in range(50)], source)
    content = bytearray(source.read_bytes())
    content[size : size + 40] = b"\xff" * 40
    source.write_bytes(content)
    arguments = ["perturb", str(source), "-o", str(target), "--op", "typo", "-q"]
    fails(arguments, f"{source}: not a Parquet file", capsys)
    assert not target.exists()


FLIPS_IN_A_FOOTER = """
import sys
from pathlib import Path
import mondegreen as mg
path = Path(sys.argv[1])
content = path.read_bytes()
refused = 0
footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
for at in range(footer, len(content)):
    damaged = bytearray(content)
    damaged[at] ^= 0x10
    path.write_bytes(damaged)
    try:
        list(mg.read(path))
    except mg.MondegreenError:
        refused += 1
print(refused)
"""


def test_no_damage_in_the_footer_of_a_parquet_file_ends_the_interpreter(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = {"text": ["play jazz", "stop"], "tokens": [["play", "jazz"], ["stop"]]}
    pq.write_table(pa.table(rows), path)
    command = [sys.executable, "-W", "ignore", "-c", FLIPS_IN_A_FOOTER, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_bad_utf8_in_parquet_is_an_error(tmp_path: Path) -> None:
    array = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
    )
    pq.write_table(pa.table({"text": array}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="damaged"):
        list(mg.read(tmp_path / "a.parquet"))


def test_a_pipe_is_no_source_of_a_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "in.jsonl")
    arguments = ["suite", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "s")]
    fails(arguments, "a suite needs its source", capsys)


def test_a_repeated_id_in_a_pipe_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "in.jsonl")
    line = b'{"id": "a", "text": "go"}\n'
    feed = Thread(target=(tmp_path / "in.jsonl").write_bytes, args=(line * 2,))
    feed.start()
    with pytest.raises(DataError, match="occurs twice"):
        list(mg.read(tmp_path / "in.jsonl"))
    feed.join()


def test_offsets_that_lead_out_of_a_dataset_are_refused(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    datasets.Dataset.from_dict({"text": ["play jazz", "stop"]}).save_to_disk(str(tmp_path / "d"))
    (file,) = (tmp_path / "d").glob("*.arrow")
    content = file.read_bytes()
    good, bad = (struct.pack("<3i", 0, 9, end) for end in (13, 2_000_000_000))
    assert content.count(good) == 1
    file.write_bytes(content.replace(good, bad))
    with pytest.raises(DataError, match="the dataset is damaged"):
        list(mg.read(tmp_path / "d"))


def test_a_profile_with_contents_that_are_not_listed_is_refused(tmp_path: Path) -> None:
    turns = tmp_path / "turns.txt"
    turns.write_text("play UH some jazz\nUM stop it UH now\n" * 20, encoding="utf-8")
    profile = tmp_path / "profile.json"
    assert main(["fit", "disfluency", str(turns), "-o", str(profile), "-q"]) == 0
    content = json.loads(profile.read_text(encoding="utf-8"))
    content["gaps"]["left"]["play"] = {"999": 1}
    profile.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(DataError, match="not a profile of disfluencies"):
        read_profile(str(profile))


def test_a_damaged_signature_of_items_is_named(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    (tmp_path / "ref.txt").write_text("play jazz\nstop\n")
    (tmp_path / "hyp.txt").write_text("play chess\nstop\n")
    sides = ["--ref", str(tmp_path / "ref.txt"), "--hyp", str(tmp_path / "hyp.txt")]
    assert main(["score", "words", *sides, "--items", str(items), "--no-intervals"]) == 0
    items.write_text(items.read_text().replace("costs:unit", "costs1unit"))
    with closing(open_source(items)) as source, pytest.raises(DataError, match="no 'costs'"):
        source.overview()
