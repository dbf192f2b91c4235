"""Files that grow, refer to themselves, or lie."""

from __future__ import annotations

import bz2
import gc
import gzip
import json
import lzma
import os
import random
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mondegreen as mg
from commands import COMMAND, fails
from mondegreen.cli.main import main
from mondegreen.data.files import compression
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, MondegreenError, OperatorError
from mondegreen.kernel import Draw
from mondegreen.language.simulation.profile import read_recogniser
from mondegreen.metrics.normalisation.normalise import basic, normaliser
from mondegreen.metrics.normalisation.rules import read_rules, without_brackets
from mondegreen.models.callable import CallableModel
from mondegreen.operators import parse
from mondegreen.runs.blame import blame

PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


def test_a_profile_that_grows_without_end_is_an_error(tmp_path: Path) -> None:
    bomb = tmp_path / "p.json.gz"
    bomb.write_bytes(gzip.compress(b'{"version": 6, "source": "' + b"a" * (30 << 20)))
    for name in ("recogniser", "disfluencies"):
        with pytest.raises(MondegreenError, match=r"more than 200 times its size, or to more than"):
            parse(f"{name}(profile='{bomb}')")


@pytest.mark.parametrize("suffix", PACKED)
def test_documents_and_lines_that_grow_are_errors(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "_SUSPICIOUS", 1 << 20)
    monkeypatch.setattr("mondegreen.data.formats.documents.MOST_WHOLE", 1 << 20)
    bomb = tmp_path / f"a.json{suffix}"
    bomb.write_bytes(PACKED[suffix](b"[" + b" " * (8 << 20) + b"]"))
    with pytest.raises(DataError, match="grows to more than"):
        list(mg.read(bomb, "json"))
    lines = tmp_path / f"a.jsonl{suffix}"
    lines.write_bytes(PACKED[suffix](b'{"id": "1", "text": "a"}' + b" " * (8 << 20) + b"\n"))
    with pytest.raises(DataError, match=r"200 times its size, or to more than 1,048,576 MiB"):
        list(mg.read(lines))


def test_lhotse_files_are_limited_as_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "_SUSPICIOUS", 1 << 20)
    bomb = tmp_path / "a.jsonl.gz"
    bomb.write_bytes(gzip.compress(b'{"id": "1", "text": "a"}' + b" " * (8 << 20)))
    with pytest.raises(DataError, match="grows to more than"):
        list(mg.read(bomb, "lhotse"))


@pytest.mark.parametrize("name", ["recogniser", "disfluencies", "repairs"])
@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b\x08\x00" + b"\xff" * 50, b"[" * 100_000, b"\xff\xfe", b'{"version": 6}'],
)
def test_files_that_are_no_profiles_are_errors(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(content)
    with pytest.raises(MondegreenError, match=r"p\.json"):
        parse(f"{name}(profile='{path}')")
    with pytest.raises(MondegreenError, match="is neither a file nor a folder but a device"):
        parse(f"{name}(profile='/dev/zero')")


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 9)}]\n"
    for old, new in zip("abcdefghij", "bcdefghijk", strict=True)
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"{LAUGHS}nlu: *k\n", "aliases stand for more than 100 times"),
        ("nlu: &a [*a]\n", "line 1: a part contains itself"),
        ("nlu: [[]]\n", "a part of nlu needs an intent"),
        ("nlu: [1]\n", "a part of nlu needs an intent"),
        ("nlu: yes\n", "nlu is a list of intents"),
        ("? [a]\n: b\nnlu: []\n", "not YAML"),
        ("nlu:\n- intent: [a]\n  examples: ['b']\n", "the name of an intent is a text"),
        ("nlu:\n- intent: a\n  examples: [{id: 1}]\n", "an example needs a text"),
        ("nlu:\n- intent: a\n  examples: [[b]]\n", "an example needs a text"),
        ("nlu:\n- intent: a\n  examples: 7\n", "the examples of an intent are lines"),
        ("nlu: " + "[" * 5_000 + "]" * 5_000, "not YAML"),
        ("rasa_nlu_data: []\n", "rasa_nlu_data is an object"),
        ("rasa_nlu_data: {common_examples: [{a: b}]}\n", "an example needs a text"),
    ],
)
def test_odd_yaml_is_an_error_with_its_place(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "nlu.yml"
    path.write_text(content)
    with pytest.raises(DataError) as raised:
        list(mg.read(path, "rasa"))
    assert message in str(raised.value)
    assert "nlu.yml" in str(raised.value)


def test_aliases_of_ordinary_size_are_read(tmp_path: Path) -> None:
    path = tmp_path / "nlu.yml"
    path.write_text("nlu:\n- intent: a\n  examples: &e [x, y]\n- {intent: b, examples: *e}\n")
    assert [one.label for one in mg.read(path)] == ["a", "a", "b", "b"]


def test_many_brackets_are_quick() -> None:
    assert basic("<" * 100_000 + "a") == "a"
    assert basic("<" * 100_000 + "> a") == "a"
    assert without_brackets("[" * 100_000) == "[" * 100_000


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ('regex = [{ pattern = 7, with = "a" }]', "the pattern and the with are texts"),
        ('regex = [{ pattern = "a", with = ["b"] }]', "the pattern and the with are texts"),
        ("regex = 7", "rule 1 needs a pattern"),
        ('regex = [{ pattern = "(", with = "" }]', "not a regular expression"),
        ('regex = [{ pattern = "a", with = "\\\\1" }]', "not a regular expression"),
        ("case = []", "one of lower"),
        ("unicode = {}", "one of NFC"),
        ("punctuation = [1]", "one of space"),
        ("equivalent = [[1, 2]]", "a list of two words"),
        ("a = " + "[" * 2_000, "not TOML"),
    ],
)
def test_odd_rules_are_errors(rules: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text(rules)
    with pytest.raises(DataError, match=message):
        read_rules(str(path))


def test_flags_of_patterns_and_the_long_s_are_read(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text(
        'regex = [{ pattern = "(?i)colour(s?)", with = "color\\\\1" }]\n'
        'equivalent = [["street", "st"], ["kelvin", "k"]]\n'
    )
    rules = read_rules(str(path))
    assert rules("COLOURs of \u017ft \u212a") == "colors of street kelvin"
    assert rules.offering("\u017ft") == "{ \u017ft / street }"


def test_a_catastrophic_pattern_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('regex = [{ pattern = "(a+)+$", with = "b" }]\n')
    (tmp_path / "a.txt").write_text("a" * 60 + "!\n")
    sides = ["--ref", "a.txt", "--hyp", "a.txt", "--normalise", "r.toml"]
    done = subprocess.run(
        [*COMMAND, "score", "words", *sides],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    assert "r.toml: the pattern '(a+)+$' takes longer than 2 s on the text" in done.stderr


def sent(tmp_path: Path, *rows: object) -> str:
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_blame_pairs_by_ids_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {"a": "play", "b": "stop", "c": "call"}
    gold = sent(tmp_path, *({"id": i, "text": "x", "label": v} for i, v in labels.items()))
    good = sent(tmp_path, *({"id": i, "text": "x", "label": v} for i, v in labels.items()))
    odd = {"c": "call", "b": "stop", "A": "play"}
    bad = sent(tmp_path, *({"id": i, "text": "x", "label": v} for i, v in odd.items()))
    command = ["blame", "--ref", gold, "--stage", f"one={good}", "--stage"]
    fails([*command, f"two={bad}"], "the id 'A' is not in the gold labels (1 such)", capsys)
    plain = sent(tmp_path, *({"text": "x", "label": v} for v in labels.values()))
    assert main([*command, f"two={plain}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0
    few = sent(tmp_path, {"id": "a", "text": "x", "label": "play"})
    with pytest.warns(UserWarning, match="2 of 3 utterances have no prediction"):
        blame({"one": Path(few), "two": Path(few)}, Path(gold))


SLURP = {
    "slurp_id": 1,
    "scenario": "play",
    "action": "music",
    "tokens": [{"surface": "play"}, {"surface": "jazz"}],
    "entities": [{"type": "genre", "span": [1]}],
    "recordings": [{"file": "a.flac"}],
}
DAMAGED = [
    {"tokens": 7}, {"tokens": [7]}, {"tokens": [{}]}, {"entities": [7]}, {"entities": [{}]},
    {"entities": [{"type": "a", "span": [9]}]}, {"entities": [{"type": "a", "span": 7}]},
    {"entities": [{"type": "a", "span": ["x"]}]}, {"recordings": 7}, {"recordings": [{}]},
    {"recordings": [7]},
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_slurp_files_are_errors(damage: dict[str, Any], tmp_path: Path) -> None:
    gold = Path(sent(tmp_path, SLURP, SLURP | {"slurp_id": 2} | damage))
    answer = {"slurp_id": 1, "scenario": "play", "action": "music", "entities": []}
    stage = Path(sent(tmp_path, answer))
    with pytest.raises(DataError, match="record 2: not as SLURP writes it"):
        blame({"a": stage, "b": stage}, gold)
    odd = Path(sent(tmp_path, answer, {"scenario": "a", "action": "b", "entities": [7]}))
    with pytest.raises(DataError, match="record 2: not as SLURP writes it"):
        blame({"a": odd, "b": odd}, Path(sent(tmp_path, SLURP)))


PLUGIN = """
import sys
from dataclasses import dataclass
from typing import ClassVar
from mondegreen import Edit, Operator
from mondegreen.operators.amounts import Once

@dataclass(frozen=True)
class Odd(Operator):
    name: ClassVar[str] = "odd"
    default: ClassVar = Once()
    def sites(self, utterance):
        return range(len(utterance.tokens))
    def propose(self, utterance, site, draw):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.exit(0)", "SystemExit: 0"),
        ("raise KeyError('nothing')", "odd: failed at utterance '1': KeyError: 'nothing'"),
        ("return 'text'", "odd: failed at utterance '1'"),
        ("return ['text']", "odd: failed at utterance '1'"),
        ("return (Edit(0.0, 1.0, ('a',), 'odd', 'odd'),)", "odd"),
        ("return (Edit(0, 1, (7,), 'odd', 'odd'),)", "odd"),
        ("return (Edit(5, 9, ('a',), 'odd', 'odd'),)", "utterance '1'"),
        ("return (Edit(-1, 1, ('a',), 'odd', 'odd'),)", "utterance '1'"),
        ("return 7", "odd: failed at utterance '1'"),
    ],
)
@pytest.mark.parametrize("engine", ["local", "processes"])
def test_plugins_that_fail_are_named(
    body: str, message: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    if engine == "processes" and not body.startswith(("sys", "raise")):
        pytest.skip("two of them are enough")
    name = f"mg_plugin_{abs(hash((body, engine)))}"
    (tmp_path / f"{name}.py").write_text(PLUGIN.replace("{body}", body))
    (tmp_path / "a.txt").write_text("play jazz\nstop it\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    arguments = ["perturb", "a.txt", "-o", "b.txt", "--op", f"python:{name}:Odd", "-q"]
    fails([*arguments, "--engine", engine, "--workers", "2"], message, capsys)
    assert not Path("b.txt").exists()
    with pytest.raises((OperatorError, MondegreenError, SystemExit)):
        list(mg.perturb(["play jazz"], f"python:{name}:Odd"))


LEAVES = ("words", "gaps", "kinds", "choices", "nearness", "shifts", "levels", "offsets", "bigrams")
WRONG: tuple[Any, ...] = (
    0,
    -1,
    10**9,
    1e308,
    -1e308,
    10**30,
    "",
    "x",
    [],
    {},
    None,
    [[]],
    [0.0] * 3,
    {"a": {"b": -5}},
)


def changed(value: Any, rng: random.Random) -> Any:
    """Return a value in which one thing is otherwise."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        new = dict(value)
        if rng.random() < 0.2:
            new[rng.choice(["", " ", "\x00", "a" * 5_000, "<s>"])] = new.pop(key)
        else:
            new[key] = changed(value[key], rng)
        return new
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        if rng.random() < 0.3:
            return value[:at] if rng.random() < 0.5 else value + value[at:]
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    return rng.choice(WRONG)


@pytest.mark.timeout(300)
def test_profiles_that_lie_are_errors_or_work(tmp_path: Path) -> None:
    honest = msgspec.to_builtins(read_recogniser(""))
    rng = random.Random(34)
    texts = ["what is the weather forecast for the week", "play some jazz", "wake me at 7:30", "a"]
    names = list(honest)
    for number in range(120):
        name = rng.choice(LEAVES) if number % 3 else rng.choice(names)
        lying = honest | {name: changed(honest[name], rng)}
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(lying))
        try:
            list(mg.perturb(texts, f"recogniser(profile='{path}', wer=0.4)", seed=number))
        except MondegreenError:
            pass
        except Exception as error:
            raise AssertionError(f"{name}: {lying[name]!r:.300}") from error
        path.unlink()


DIGITS = "1" * 4_400


@pytest.mark.parametrize("op", ["mondegreen", "disfluencies", "repairs", "spoken", "speako"])
@pytest.mark.parametrize(
    "text", [f"play {DIGITS} now", f"$1,{'000,' * 2_000}000.50 at {DIGITS}:30"]
)
def test_endless_numbers_are_words(op: str, text: str) -> None:
    assert list(mg.perturb([text], op, seed=1))


def test_endless_numbers_can_be_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text(f"play {DIGITS} now\n")
    (tmp_path / "b.txt").write_text("play one now\n")
    sides = ["--ref", str(tmp_path / "a.txt"), "--hyp", str(tmp_path / "b.txt")]
    assert main(["score", "words", *sides, "--format-equal", "en"]) == 0
    capsys.readouterr()
    with pytest.warns(UserWarning, match="for English"):
        whisper = normaliser("whisper")
    assert whisper is not None
    with pytest.raises(DataError, match="the whisper normaliser cannot read"):
        whisper(f"play {DIGITS} now")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("op", ["speako", "recogniser", "mondegreen", "partials"])
def test_endless_words_are_quick(op: str) -> None:
    assert list(mg.perturb(["play " + "a-" * 15_000, "b" * 100_000], op, seed=1))


def sharded(tmp_path: Path, *more: str) -> list[str]:
    for number in range(3):
        (tmp_path / f"in-{number}.txt").write_text("play some jazz\nstop it now\n" * 20)
    pattern, out = str(tmp_path / "in-*.txt"), str(tmp_path / "out.txt")
    return ["perturb", pattern, "-o", out, "--op", "typo", "-q", *more]


def killed(tmp_path: Path) -> list[str]:
    """Begin a job over shards, and let it fail at the third."""
    command = sharded(tmp_path)
    (tmp_path / "in-2.txt").write_bytes(b"\xff\n")
    assert main(command) == 1
    (tmp_path / "in-2.txt").write_text("play some jazz\n")
    assert (tmp_path / ".out.txt.journal").exists()
    return command


@pytest.mark.filterwarnings("default")
def test_a_changed_byte_is_noticed_when_a_job_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = killed(tmp_path)
    begun = tmp_path / ".out.txt.begun"
    content = begun.read_bytes()
    begun.write_bytes(b"X" + content[1:])
    assert main(command) == 0
    assert "has changed; all shards are worked on again" in capsys.readouterr().err
    assert (tmp_path / "out.txt").read_bytes().startswith(content)


def test_a_command_without_shards_clears_what_a_killed_job_left(tmp_path: Path) -> None:
    killed(tmp_path)
    out = str(tmp_path / "out.txt")
    assert main(["perturb", str(tmp_path / "in-0.txt"), "-o", out, "--op", "typo", "-q"]) == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("op", ["typo", "repairs"])
@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_arrow_keeps_nulls_and_types(op: str, kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    texts = ["play some jazz now", None, "wake me at seven", None]
    plain = pa.array(texts, pa.string())
    given = plain.dictionary_encode() if kind == "dictionary" else plain.cast(getattr(pa, kind)())
    try:
        found = mg.arrow.Perturb(op, seed=3, language="en").texts(given)
    except MondegreenError:
        return
    assert found.type == given.type
    assert [one is None for one in found.to_pylist()] == [False, True, False, True]


def test_a_kept_column_is_not_overwritten() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"ref": ["a"], "hyp": ["b"], "hits": ["mine"]})
    with pytest.raises(DataError, match="the column hits to keep has the name of a count"):
        mg.arrow.Counts("words", keep=["hits"])(table)


def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("play some jazz\n" * 20_000)
    call = " ".join([*COMMAND, "perturb", "a.txt", "--op", "typo", "-q"])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{call} | head -1"], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


def test_34_05_a_killed_run_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite adds what a killed writer left beside a file to whatever has its name next."""
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text("play jazz\nstop it\n")
    Path("h.txt").write_text("play jaws\nstop it\n")
    connection = sqlite3.connect("old.db")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE items (number)")
    connection.execute("PRAGMA wal_checkpoint")
    connection.executemany("INSERT INTO items VALUES (?)", [(n,) for n in range(2000)])
    connection.commit()
    for ending in ("", "-wal", "-shm"):  # as after a kill
        Path(f"x.run{ending}").write_bytes(Path(f"old.db{ending}").read_bytes())
    Path(".x.run.lock").touch()
    connection.close()
    assert main(["score", "words", "--ref", "r.txt", "--hyp", "h.txt", *_TO_RUN]) == 0
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith((".x", "x.run-"))]
    with mg.open_run("x.run") as run:
        assert len(list(run.items())) == 2


_TO_RUN = ("--items", "x.run", "--force")


def test_34_05_the_lock_of_a_killed_training_is_removed(tmp_path: Path) -> None:
    mg.write(list(sample("train"))[:40], tmp_path / "d.jsonl")
    command = ["train", "linear", str(tmp_path / "d.jsonl"), "-o", str(tmp_path / "out"), "-q"]
    assert main(command) == 0
    (tmp_path / ".out.lock").touch()  # killed after its last step
    assert main(command) == 1
    assert not (tmp_path / ".out.lock").exists()


def test_34_20_odd_names_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("play jazz\n")
    odd = os.fsdecode(b"b\xff.txt")
    Path(odd).write_text("play jazz\n")
    for source, target, message in (
        ("a.txt", "x" * 300, "the name is too long"),
        ("a.txt", odd.replace("b", "c"), "the name is not UTF-8"),
        (odd, "c.txt", "is not UTF-8"),
        ("y" * 300, "c.txt", "File name too long"),
    ):
        assert main(["perturb", source, "--op", "typo", "-o", target, "-q"]) == 1
        assert message in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", odd}


def test_34_20_many_columns_are_quick(tmp_path: Path) -> None:
    names = ",".join(f"c{n}" for n in range(100_000))
    path = tmp_path / "a.csv"
    path.write_text(f"id,text,{names}\n1,play jazz,{names}\n")
    begin = time.process_time()
    assert next(iter(mg.read(path))).text == "play jazz"
    assert time.process_time() - begin < 10


def test_34_06_columns_that_are_no_texts_are_errors() -> None:
    pa = pytest.importorskip("pyarrow")
    offsets, content = b"\0\0\0\0\3\0\0\0\5\0\0\0", b"\xff\xfe a\xed"
    ends = pa.array([2], pa.int32())
    for column in (
        pa.array([1, 2]),
        pa.RunEndEncodedArray.from_arrays(ends, pa.array(["play jazz"])),
        pa.StringArray.from_buffers(2, pa.py_buffer(offsets), pa.py_buffer(content)),
        pa.StringArray.from_buffers(  # leads out of its memory
            2, pa.py_buffer(b"\0\0\0\0\x7f\xff\xff\x7f\5\0\0\0"), pa.py_buffer(b"hello")
        ),
    ):
        with pytest.raises(DataError):
            mg.arrow.Perturb("typo")(pa.table({"text": column}))


def test_34_20_arrow_keeps_views_and_metadata() -> None:
    pa = pytest.importorskip("pyarrow")
    perturb = mg.arrow.Perturb("typo")
    texts = pa.array(["play some jazz", None, "stop it now"], pa.string_view())
    assert perturb.texts(texts).type == pa.string_view()
    assert perturb.texts(texts).to_pylist()[1] is None
    table = pa.table({"text": texts[:1], "n": [1]}).replace_schema_metadata({"a": "b"})
    for operator in ("typo", "mondegreen"):
        made = mg.arrow.Perturb(operator)(table)
        assert made.column("n").to_pylist() == [1]
        assert made.schema.metadata == {b"a": b"b"}


def test_34_a_token_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    record = {
        "slurp_id": 1, "sentence": "stop it", "sentence_annotation": "stop it", "intent": "stop",
        "tokens": [{"surface": 7}], "entities": [],
    }  # fmt: skip
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(mg.MondegreenError, match="must be texts"):
        list(mg.read(tmp_path / "a.jsonl", "slurp"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"messages": [0]}, "messages must be a list of objects"),
        ({"messages": [{}]}, "messages has no turn of the user"),
        ({"messages": [{"role": "user", "content": "x"}], "turn": 7}, "turn must be the place"),
        ({"messages": [{"role": "user", "content": "x"}], "turn": [0]}, "turn must be the place"),
    ],
)
def test_messages_that_are_none_are_errors_with_their_line(
    more: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"id": "a", "text": "x"}, {"id": "b", "text": "x", **more}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    fails(["perturb", str(path), "--op", "typo", "-q"], f"{path}, line 2: {message}", capsys)


def test_rows_that_are_left_after_the_run_is_closed_print_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.jsonl"
    mg.write(list(sample())[:9], source)
    suite = mg.suite(source, tmp_path / "s", "typo", random=0)
    model = CallableModel(lambda batch: [{"label": "x"} for _ in batch], "x")
    run = mg.evaluate(suite, model, tmp_path / "a.run")
    rows = run.rows("SELECT name FROM sqlite_master")
    next(rows)
    run.close()
    del rows
    gc.collect()
    assert capfd.readouterr().err == ""


def test_a_table_without_rows_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = tmp_path / "ref.tsv", tmp_path / "hyp.tsv"
    ref.write_text("utterance_id\ttranscript\n")
    hyp.write_text("utterance_id\tasr_transcript\n")
    sides = ["--ref", str(ref), "--hyp", str(hyp)]
    fails(["score", "phonemes", *sides], f"{ref}: there is no utterance to score", capsys)


def test_34_18_endless_words_and_scales_are_compared_quickly() -> None:
    for language, text in (
        ("en", "a.b.c." * 4_000), ("en", "111," * 5_000), ("de", ".1" * 9_000),
        ("en", "million " * 4_000), ("zh", "亿" * 4_000), ("en", "zero point " + "one " * 5_000),
        ("en", "1" * 10_000), ("en", "e" + "\u0301" * 20_000), ("zh", "１" * 20_000),
    ):  # fmt: skip
        assert mg.same([text], [text + " "], language=language) == [True]
        assert mg.same([text], ["five"], language=language) == [False]
        mg.score.words([text], ["five " + text[:-2]], format_equal=language)


def test_34_18_an_endless_word_says_nothing_but_itself() -> None:
    long = "eight " * 300  # words are counted, not letters
    assert mg.same([long + "8:55"], [long + "eight fifty-five"]) == [True]
    assert mg.same(["8:55 " + "x" * 1_001], ["eight fifty-five " + "x" * 1_001]) == [False]


class Looked(list[str]):
    """Tokens that count how often somebody goes through them."""

    times = 0

    def __iter__(self) -> Iterator[str]:
        self.times += 1
        return super().__iter__()


def test_34_18_partials_go_through_an_utterance_once() -> None:
    tokens = Looked(["一"] * 100)
    operator: Any = parse("partials")
    draw = Draw(1, 1)
    for at in range(100):
        operator._broken(tokens, at, draw)  # noqa: SLF001 (what asks)
    assert tokens.times == 1
