"""Long utterances, code in folders of models, aborted downloads, and the fuzzer itself."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from mondegreen.errors import DataError, MondegreenError
from mondegreen.language.disfluency.profile import CONVERSATION, named_profile, read_profile
from mondegreen.language.vocabulary.tfidf import TfIdf
from mondegreen.operators import disfluent, synonyms
from mondegreen.provenance.suite_manifest import read_suite_manifest

WORDS = ("table", "jazz", "very", "nice", "play", "xqzzt")


def test_synonyms_read_a_long_utterance_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0
    tagger: Any = vars(synonyms)["tagger"]

    def counting(name: str = "") -> Any:
        tag = tagger(name)

        def counted(tokens: tuple[str, ...]) -> tuple[str, ...]:
            nonlocal read
            read += len(tokens)
            return tuple(tag(tokens))

        return counted

    monkeypatch.setattr(synonyms, "tagger", counting)
    n = 3000
    text = " ".join(WORDS[i % len(WORDS)] for i in range(n))
    list(mg.perturb([text], "synonyms.adverb", rate=1.0))
    # Each word is looked at with at most ten candidates, and 128 words around it.
    assert read < 10 * 128 * n / 2


def test_repeats_look_at_each_word_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    family: Any = vars(disfluent)["family"]

    def counting(word: str) -> str:
        nonlocal looked
        looked += 1
        return str(family(word))

    monkeypatch.setattr(disfluent, "family", counting)
    n = 2000
    text = " ".join(f"{WORDS[i % len(WORDS)]}-{i}" for i in range(n))
    list(mg.perturb([text], "repeats", rate=1.0, protect_codes=False))
    assert looked == n


def test_code_in_a_folder_of_a_model_is_never_run(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    config = {
        "model_type": "evil",
        "auto_map": {"AutoConfig": "evil.EvilConfig"},
        "architectures": ["EvilForSequenceClassification"],
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    command = [sys.executable, "-c", f"import mondegreen as m; m.load_model({str(tmp_path)!r})"]
    done = subprocess.run(command, input=b"y\n" * 50, capture_output=True, check=False)
    assert done.returncode != 0
    assert not (tmp_path / "ran").exists()


def test_aborted_downloads_leave_no_descriptor_open(tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("no /proc")
    from mondegreen.report.opening import open_source
    from mondegreen.viewer.server import app

    texts, heard = tmp_path / "texts.txt", tmp_path / "heard.txt"
    for path in (texts, heard):
        path.write_text("play some jazz\n" * 3000)
    from mondegreen.cli.main import main

    sides = ["--ref", str(texts), "--hyp", str(heard)]
    items = tmp_path / "items.jsonl"
    assert main(["score", "words", *sides, "--items", str(items), "--no-intervals"]) == 0
    source = open_source(items)
    served = app([source])

    async def abort(path: str) -> None:
        scope = {
            "type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [
                (b"host", b"127.0.0.1")
            ], "raw_path": path.encode(), "scheme": "http", "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1), "http_version": "1.1", "root_path": "",
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.body":
                raise OSError("the client has gone")

        with suppress(Exception):  # the server reports it as it likes
            await served(scope, receive, send)

    def count_after(times: int) -> int:
        for _ in range(times):
            asyncio.run(abort("/0/utterances.csv"))
            asyncio.run(abort("/0/utterances.json"))
        return len(list(descriptors.iterdir()))

    try:
        before = count_after(1)
        assert count_after(30) <= before + 2
    finally:
        source.close()


def test_odd_profiles_tables_and_manifests_are_errors(tmp_path: Path) -> None:
    named_profile(CONVERSATION).save(tmp_path / "p.json")
    profile = json.loads((tmp_path / "p.json").read_text())
    for text in (json.dumps(profile | {"filler_count": -1}), "[" * 5000, "\udcff"):
        (tmp_path / "p.json").write_bytes(text.encode(errors="surrogateescape"))
        with pytest.raises(DataError):
            read_profile(str(tmp_path / "p.json"))
    for number in ("nan", "inf", "-1"):
        (tmp_path / "t.tsv").write_text(f"play\t{number}\t1\n")
        with pytest.raises(DataError):
            TfIdf.load(tmp_path / "t.tsv")


def test_a_manifest_with_too_many_random_sets_is_an_error_at_once(tmp_path: Path) -> None:
    mg.write([mg.Utterance.of("u", "play jazz", (), "p")], tmp_path / "a.jsonl")
    mg.suite(tmp_path / "a.jsonl", tmp_path / "s", "typo", random=1)
    (path,) = (tmp_path / "s").glob("*manifest*.json")
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"random": 10**15}))
    with pytest.raises(DataError, match="random sets"):
        read_suite_manifest(tmp_path / "s")
    path.write_text(path.read_text().replace("1000000000000000", "1" + "0" * 30))
    with pytest.raises(MondegreenError):
        read_suite_manifest(tmp_path / "s")


def test_a_short_fuzz_finds_nothing() -> None:
    script = Path(__file__).resolve().parents[1] / "scripts" / "fuzz.py"
    command = [sys.executable, str(script), "--inputs", "400", "--seed", "11"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "400 inputs, 0 foreign exceptions" in done.stdout, done.stdout[-1000:] + done.stderr
