"""Compressed files, patterns of shards and standard streams."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.files import compression, lines
from mondegreen.data.pairs import parts
from mondegreen.errors import DataError

TEXT = "".join(f"play some jazz number {i} please\n" for i in range(300))
PERTURB = ["--op", "typo", "--seed", "3", "-q"]


def _compress(ending: str, data: bytes) -> bytes:
    if ending == ".zst":
        return bytes(pytest.importorskip("zstandard").compress(data))
    packers: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress
    }  # fmt: skip
    return packers[ending](data)


def _decompress(ending: str, data: bytes) -> bytes:
    if ending == ".zst":
        zstandard = pytest.importorskip("zstandard")
        return bytes(zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read())
    return {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}[ending](data)


@pytest.fixture
def plain(tmp_path: Path) -> bytes:
    (tmp_path / "in.txt").write_text(TEXT)
    assert main(["perturb", f"{tmp_path}/in.txt", "-o", f"{tmp_path}/out.txt", *PERTURB]) == 0
    return (tmp_path / "out.txt").read_bytes()


@pytest.mark.parametrize("ending", compression.ENDINGS)
def test_compressed_files_are_read_and_written(ending: str, plain: bytes, tmp_path: Path) -> None:
    source, target = tmp_path / f"in.txt{ending}", tmp_path / f"noisy.txt{ending}"
    source.write_bytes(_compress(ending, TEXT.encode()))
    assert main(["perturb", str(source), "-o", str(target), *PERTURB]) == 0
    assert _decompress(ending, target.read_bytes()) == plain
    assert main(["verify", str(target)]) == 0
    assert [one.text for one in mg.read(source)] == TEXT.splitlines()
    assert main(["score", "words", "--ref", str(source), "--hyp", str(target), "--json"]) == 0
    damaged = tmp_path / f"damaged.txt{ending}"
    damaged.write_bytes(source.read_bytes()[:-20])
    with pytest.raises(mg.MondegreenError, match=f"damaged.txt{ending}: the compressed file is"):
        list(mg.read(damaged))


def test_a_truncated_file_leaves_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in.txt.gz", tmp_path / "out.txt"
    source.write_bytes(gzip.compress(TEXT.encode())[:-9])
    fails(["perturb", str(source), "-o", str(target), *PERTURB], "damaged or incomplete", capsys)
    assert not target.exists()


def test_a_zip_bomb_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "_SUSPICIOUS", 1 << 20)
    source = tmp_path / "bomb.txt.bz2"
    source.write_bytes(bz2.compress(b"play jazz\n" * 1_000_000))
    fails(["perturb", str(source), "-o", f"{tmp_path}/o.txt", *PERTURB], "zip bomb", capsys)


def test_a_very_long_line_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "long.txt.gz"
    source.write_bytes(gzip.compress(b"play jazz\n" + b"x" * (9 * 2**20) + b"\nstop\n"))
    message = "long.txt.gz, line 2: longer than 8 MiB"
    fails(["perturb", str(source), "-o", f"{tmp_path}/o.txt", *PERTURB], message, capsys)


class Endless(io.RawIOBase):
    """A line without an end, of which a reader should take little."""

    taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        view = memoryview(room)
        view[:] = b"x" * len(view)
        Endless.taken += len(view)
        assert Endless.taken < 1 << 28, "too much was read"
        return len(view)


@pytest.mark.parametrize("read", [parts.line_parts, lines.read_lines])
def test_of_a_line_without_an_end_little_is_read(
    read: Callable[[Path], Iterable[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    Endless.taken = 0
    for module in (parts, lines):
        monkeypatch.setattr(module, "open_source", lambda _path: io.BufferedReader(Endless()))
    with pytest.raises(DataError, match=r"a\.txt, line 1: longer than 8 MiB"):
        list(read(Path("a.txt")))


def test_shards_are_one_source(
    plain: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = TEXT.splitlines(keepends=True)
    for at in range(3):
        (tmp_path / f"part-{at}.txt").write_text("".join(lines[at * 100 : (at + 1) * 100]))
    pattern = f"{tmp_path}/part-*.txt"
    assert main(["perturb", pattern, "-o", f"{tmp_path}/all.txt", *PERTURB]) == 0
    assert (tmp_path / "all.txt").read_bytes() == plain
    assert main(["verify", f"{tmp_path}/all.txt"]) == 0
    capsys.readouterr()
    files = ["--hyp", f"{tmp_path}/all.txt", "--json"]
    assert main(["score", "words", "--ref", pattern, *files]) == 0
    by_pattern = capsys.readouterr().out
    assert main(["score", "words", "--ref", f"{tmp_path}/in.txt", *files]) == 0
    assert capsys.readouterr().out == by_pattern
    assert [one.id for one in mg.read(pattern)][-1] == "300"
    fails(["perturb", f"{tmp_path}/none-*.txt", "-o", f"{tmp_path}/x.txt", *PERTURB],
          "none-*.txt: no file has such a name", capsys)  # fmt: skip
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.jsonl").write_text('{"text": "x"}\n')
    fails(["perturb", f"{tmp_path}/folder", "-o", f"{tmp_path}/x.txt", *PERTURB],
          "name them by a pattern", capsys)  # fmt: skip


def test_an_id_in_two_shards_is_refused(tmp_path: Path) -> None:
    for at in range(2):
        (tmp_path / f"{at}.jsonl").write_text('{"id": "u1", "text": "play jazz"}\n')
    with pytest.raises(mg.MondegreenError, match="occurs in an earlier shard"):
        list(mg.read(f"{tmp_path}/*.jsonl"))


@pytest.mark.parametrize("engine", ["local", "processes"])
def test_standard_streams(
    engine: str,
    plain: bytes,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["perturb", "-", *PERTURB, "--engine", engine, "--workers", "2"]) == 0
    assert capfdbinary.readouterr().out == plain
