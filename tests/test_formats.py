"""Reading and writing: every format gives back what was put in, and faults have an address."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen.data import FORMATS, format_of, from_dataset, read, to_dataset, write
from mondegreen.data.files.lines import LONGEST_LINE
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, MissingExtraError, OutputError
from mondegreen.testing.strategies import utterances
from mondegreen.types import Slot, Utterance
from mondegreen.variants import perturb

NAMES = {
    "txt": "a.txt",
    "jsonl": "a.jsonl",
    "csv": "a.csv",
    "tsv": "a.tsv",
    "parquet": "a.parquet",
    "folder": "folder",
    "conll": "a.conll",
    "kaldi": "text",
    "trn": "a.trn",
    "psst": "b.tsv",
    "dataset": "ds",
    "annotated": "a.txt",
    "massive": "m.jsonl",
    "slurp": "s.jsonl",
    "spacy": "a.spacy",
    "rasa": "a.yml",
    "snips": "snips.json",
    "dialogflow": "d.json",
    "labelstudio": "l.json",
    "json": "a.json",
}
FULL = [name for name in NAMES if name not in ("txt", "kaldi", "trn", "psst", "annotated")]
GROUPED = ("rasa", "snips", "dialogflow")  # by label


def renumbered(said: Utterance, number: int) -> Utterance:
    return Utterance(str(number), said.tokens, said.slots, said.label, said.raw)


def test_every_format_is_tried() -> None:
    as_json_lines = {"calls", "turns"}  # tests/test_agents.py
    assert set(NAMES) | as_json_lines == {name for name in FORMATS if FORMATS[name].writes}


@pytest.mark.parametrize("name", FULL)
def test_the_sample_comes_back_from(name: str, tmp_path: Path) -> None:
    path = tmp_path / NAMES[name]
    data = list(sample())
    write(data, path, name)
    assert format_of(path).name == name
    back = list(read(path))
    if name in GROUPED:
        labels = list(dict.fromkeys(one.label for one in data))
        data.sort(key=lambda one: labels.index(one.label))
    if not FORMATS[name].has_ids:
        data = [renumbered(said, i) for i, said in enumerate(data, start=1)]
    assert back == data


@pytest.mark.parametrize("name", ["txt", "kaldi", "trn", "psst"])
def test_the_words_come_back_from(name: str, tmp_path: Path) -> None:
    path = tmp_path / NAMES[name]
    data = list(sample())
    write(data, path, name)
    back = list(read(path))
    assert [said.text for said in back] == [said.text for said in data]
    if name != "txt":
        assert [said.id for said in back] == [said.id for said in data]


@pytest.mark.parametrize("name", ["jsonl", "conll", "folder"])
@given(st.lists(utterances(max_size=5), min_size=1, max_size=4))
@settings(max_examples=60)
def test_odd_utterances_come_back(name: str, tmp_path: Path, said: list[Utterance]) -> None:
    path = tmp_path / NAMES[name]
    data = [renumbered(one, i) for i, one in enumerate(said, start=1)]
    write(data, path, name, force=True)
    back = list(read(path, name))
    if name == "folder":  # three files of lines: spacing that is no part of a line is not kept
        assert [(b.id, b.tokens, b.slots, b.label) for b in back] == [
            (d.id, d.tokens, d.slots, d.label) for d in data
        ]
    else:
        assert back == data


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])), min_size=1
    )
)
@settings(max_examples=60)
def test_lines_of_text_come_back_byte_for_byte(tmp_path: Path, texts: list[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("".join(text + "\n" for text in texts).encode())
    write(read(path, "txt"), tmp_path / "b.txt", force=True)
    before, after = (
        (tmp_path / name).read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        for name in ("a.txt", "b.txt")
    )
    assert before == after


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("a", '{"text": "play jazz"}\n', "jsonl"),
        ("a", "id\ttext\n1\tplay\n", "tsv"),
        ("a", "id,text\n1,play\n", "csv"),
        ("a", "utterance_id\tasr_transcript\n1\tHH AW S\n", "psst"),
        ("a.tsv", "utterance_id\tprediction\n1\tTrue\n", "psst"),
        ("text_ref", "4320211\tGood morning\n4330115\tGood day\n", "kaldi"),
        ("text_ref", "1089-134686-0000 he hoped\n1089-134686-0001 stuff it\n", "kaldi"),
        ("a", "play jazz (u1)\n(u2)\n", "trn"),
        ("a", "play O\njazz B-genre\n\nstop O\n", "conll"),
        ("a", "# id = 1\nplay\tO\n", "conll"),
        ("text", "u1 play jazz\n", "kaldi"),
        ("a.trn", "play (u1)\n", "trn"),
    ],
)
def test_the_format_is_told_by_name_or_look(
    file: str, content: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.write_text(content)
    assert format_of(path).name == name
    assert list(read(path))


def test_parquet_is_told_by_its_look(tmp_path: Path) -> None:
    write(sample(), tmp_path / "a.parquet")
    (tmp_path / "a.parquet").rename(tmp_path / "a")
    assert format_of(tmp_path / "a").name == "parquet"


def test_a_blank_line_is_an_empty_utterance(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("play\n\nstop\n")
    assert [said.tokens for said in read(path)] == [("play",), (), ("stop",)]


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfplay\r\nstop\r\n")
    assert [said.text for said in read(path)] == ["play", "stop"]


def test_extra_columns_go_along(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 3, "text": "play jazz", "speaker": "ann", "age": 41, "n": {"a": [1]}}\n'
    )
    (said,) = read(path)
    assert said.id == "3"
    assert dict(said.extra) == {"speaker": "ann", "age": 41, "n": {"a": [1]}}
    write(perturb([said], "fillers"), tmp_path / "b.jsonl")
    (heard,) = read(tmp_path / "b.jsonl")
    assert heard.extra == said.extra


def test_a_variant_is_written_with_its_parent_and_edits(tmp_path: Path) -> None:
    import msgspec

    said = Utterance.of("u1", "play miles davis", [Slot("artist", 1, 3)], "play_music")
    write(perturb([said], "typo", seed=1), tmp_path / "a.jsonl")
    record = msgspec.json.decode((tmp_path / "a.jsonl").read_bytes())
    assert list(record) == [
        "id", "text", "tokens", "tags", "values", "label", "parent", "edits", "states",
    ]  # fmt: skip
    assert record["id"] == "u1/typo/0"
    assert record["parent"] == "u1"
    (edit,) = record["edits"]
    assert edit["before"] == [said.tokens[edit["start"]]]
    assert edit["tokens"] == [record["tokens"][edit["start"]]]


def test_slots_may_be_given_instead_of_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "play jazz", "slots": [{"label": "genre", "start": 1, "end": 2}]}\n')
    assert next(read(path)).slots == (Slot("genre", 1, 2),)


def test_datasets_in_and_out() -> None:
    data = list(sample())
    assert list(from_dataset(to_dataset(data))) == data


def test_an_alternation_in_trn_is_one_token(tmp_path: Path) -> None:
    path = tmp_path / "a.trn"
    path.write_text("THE { INDUSTRY'S / INDUSTRY } SLIDE (4T0C0203)\n")
    (said,) = read(path)
    assert said.tokens == ("THE", "{ INDUSTRY'S / INDUSTRY }", "SLIDE")
    (variant,) = perturb([said], "typo", severity=1.0)
    assert variant.utterance.tokens[1] == said.tokens[1]


FAULTS = [
    # name        content                                          message
    ("a.txt", b"", "the file is empty"),
    ("a.txt", b"play\nj\xe4zz\n", r"a.txt, line 2: byte 2 \(0xe4\) is not UTF-8; convert"),
    ("a.txt", b"play\n\0\n", "a.txt, line 2: a NUL byte"),
    ("a.txt", b"x" * (LONGEST_LINE + 1), "a.txt, line 1: longer than 8 MiB"),
    ("a.jsonl", b'{"text": "a"}\n{"text": \n', "a.jsonl, line 2: not JSON"),
    ("a.jsonl", b"[1]\n", "line 1: an object with named columns is expected"),
    (
        "a.jsonl",
        b'{"wrds": "a"}\n',
        r"line 1: there is no column text or tokens .the columns: wrds",
    ),
    ("a.jsonl", b'{"text": 1.5}\n', "the column text must be text, got 1.5"),
    ("a.jsonl", b'{"tokens": ["a", 1]}\n', r"Expected `str`, got `int` - at `\$.tokens\[1\]`"),
    ("a.jsonl", b'{"tokens": ["a b"]}\n', "the token 'a b' is empty or holds white space"),
    ("a.jsonl", b'{"tokens": ["a"], "tags": ["O", "O"]}\n', "line 1: 2 tags for 1 tokens"),
    ("a.jsonl", b'{"tokens": ["a"], "tags": ["X-y"]}\n', "tag 0 is 'X-y'; write O, B-label"),
    ("a.jsonl", b'{"text": "b", "tokens": ["a"]}\n', r"token 0 \('a'\) is not in the text"),
    (
        "a.jsonl",
        b'{"text": "a b"}\n{"id": "x", "text": "play jazz", "tokens": ["play"]}\n',
        "line 2: utterance 'x': 'jazz' of the text is in no token",
    ),
    ("a.jsonl", b'{"text": "a, b", "tokens": ["a", "b"]}\n', "',' of the text is in no token"),
    ("a.jsonl", b'{"text": "\xc2\xbfa b", "tokens": ["a", "b"]}\n', "'\xbf' of the text is in no"),
    ("a.conll", b'# text = "a b"\na O\n', "'b' of the text is in no token"),
    (
        "a.jsonl",
        b'{"id": "x", "text": "a"}\n{"id": "x", "text": "b"}\n',
        r"line 2: the id 'x' occurs twice \(first on line 1\)",
    ),
    (
        "a.jsonl",
        b'{"text": "a", "slots": [{"label": "x", "start": 0, "end": 2}]}\n',
        "slot 'x' covers tokens 0 to 2",
    ),
    ("text", b"u1 play\nu1 stop\n", "line 2: the id 'u1' occurs twice"),
    ("text", b"u1 play\n\n", "line 2: an id is expected first"),
    ("a.trn", b"play jazz\n", "line 1: the id is expected at the end"),
    ("a.trn", b"play { a / b (u1)\n", "line 1: the braces of an alternation do not match"),
    ("a.csv", b'text,id\n"play\n', "a.csv, line 2: a quote opens here and is not closed"),
    (
        "a.csv",
        b"a,b\n1,2\n",
        "line 1: the header needs a column text or tokens, got: a, b",
    ),
    ("a.csv", b"text,text\n1,2\n", "line 1: two columns are named 'text'"),
    ("a.csv", b"id,text\n1,a,b\n", "line 2: 3 fields for the 2 columns"),
    ("a.csv", b"id,text\n1,a\n1,b\n", "line 3: the id '1' occurs twice"),
    ("a.conll", b"play O\njazz\n", "line 2: a token and its tag are expected, got 'jazz'"),
    ("a.conll", b"play Q-x\n", "line 1: in the utterance from here: tag 0 is 'Q-x'"),
    ("a.conll", b"# id = 1\na O\n\n# id = 1\nb O\n", "line 4: the id '1' occurs twice"),
    ("a.parquet", b"no parquet", "not a Parquet file"),
]


@pytest.mark.parametrize(("file", "content", "message"), FAULTS)
def test_faults_have_an_address_and_a_remedy(
    file: str, content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as error:
        list(read(path))
    assert file in str(error.value)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"seq.in": "a b\n"}, "seq.out is missing"),
        ({"seq.out": "O O\n"}, "seq.in is missing"),
        ({"seq.in": "a b\n", "seq.out": "O\n"}, "seq.out, line 1: 1 tags for 2 tokens"),
        ({"seq.in": "a\nb\n", "seq.out": "O\n"}, "seq.out: ends at line 1"),
        ({"seq.in": "a\n", "seq.out": "O\nO\n"}, "seq.in: ends at line 1"),
        ({"seq.in": "a\n", "seq.out": "O\n", "label": "x\ny\n"}, "seq.in: ends at line 1"),
        ({"seq.in": "a\n", "seq.out": "Q\n"}, "seq.out, line 1: tag 0 is 'Q'"),
        ({"readme": "a\n"}, "a folder of files; name them by a pattern"),
    ],
)
def test_faults_of_a_folder(files: dict[str, str], message: str, tmp_path: Path) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=message):
        list(read(tmp_path))


def test_a_folder_of_parts_names_them(tmp_path: Path) -> None:
    write(sample(), tmp_path / "test", "folder")
    with pytest.raises(DataError, match="name one of its parts: test"):
        read(tmp_path)


def test_a_missing_file_and_an_unknown_format() -> None:
    with pytest.raises(DataError, match="there is no such file"):
        list(read("nowhere.txt"))
    with pytest.raises(DataError, match="there is no such file or folder"):
        list(read("nowhere"))
    with pytest.raises(DataError, match=r"No format named 'jsnl'\. Did you mean 'jsonl'"):
        read("nowhere", "jsnl")


@pytest.mark.parametrize(
    ("name", "said", "message"),
    [
        (
            "a.txt",
            Utterance.of("1", "a\nb"),
            "holds a line break, which the format txt cannot keep",
        ),
        ("a.tsv", Utterance.of("1", "a\tb"), "holds a tab or line break"),
        ("a.conll", Utterance("1", ("a b",)), "holds white space, which CoNLL cannot keep"),
        ("folder", Utterance("1", ("a b",)), "has a token with white space"),
        ("folder", Utterance("1", ("a",), label="x\ny"), "has a line break in its label"),
        ("folder", Utterance("1", ("a",), label="x\r"), "has a line break in its label"),
        ("folder", Utterance("1", ("a",), (Slot("x y", 0, 1),)), "a slot whose label holds white"),
        ("a.xyz", Utterance.of("1", "a"), "no format is known by the ending .xyz"),
        ("no/where.txt", Utterance.of("1", "a"), "there is no folder"),
    ],
)
def test_what_a_format_cannot_keep_is_refused_and_nothing_is_left(
    name: str, said: Utterance, message: str, tmp_path: Path
) -> None:
    with pytest.raises(OutputError, match=message):
        write([said], tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_columns_that_change_are_refused(tmp_path: Path) -> None:
    two = [Utterance.of("1", "a"), Utterance.of("2", "a", label="x")]
    with pytest.raises(
        OutputError, match="the columns id, text, tags, label, the first one id, text"
    ):
        write(two, tmp_path / "a.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_exists_stays_unless_forced(tmp_path: Path) -> None:
    first, second = (Utterance.of("1", text, label="greet") for text in ("first", "second"))
    for name in NAMES.values():
        path = tmp_path / name
        write([first], path, force=True)
        with pytest.raises(OutputError, match="exists already; give another name, or --force"):
            write([second], path)
        assert next(iter(read(path))).text == "first"
        write([second], path, force=True)
        assert next(iter(read(path))).text == "second"


@pytest.mark.parametrize("package", ["pyarrow", "datasets"])
def test_a_missing_extra_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.split(".", maxsplit=1)[0] == package:
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    data = list(sample())
    use: dict[str, Callable[[], object]] = {
        "pyarrow": lambda: write(data, "never.parquet"),
        "datasets": lambda: to_dataset(data),
    }
    with pytest.raises(MissingExtraError, match=r"pip install 'mondegreen\[datasets\]'"):
        use[package]()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.trn", Utterance.of("two words", "play jazz")),
        ("a.trn", Utterance.of("(x)", "play jazz")),
        ("a.trn", Utterance.of("1", "play { jazz")),
        ("a.conll", Utterance.of("1", "play", label="x\ny")),
        ("a.conll", Utterance.of("1", "-DOCSTART-")),
        ("a.txt", Utterance.of("1", "play\r")),
        ("a.txt", Utterance.of("1", "\ufeffplay")),
        ("text", Utterance.of("two words", "play")),
        ("a.jsonl", Utterance.of("1", "\ud800")),
    ],
)
def test_what_would_not_read_back_is_refused(name: str, said: Utterance, tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write([said], tmp_path / name, "kaldi" if name == "text" else None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["play\njazz", "play\rjazz", 'say "hi", you', " play  jazz "])
def test_csv_quotes_what_it_must(text: str, tmp_path: Path) -> None:
    write([Utterance.of("1", text), Utterance.of("2", "stop")], tmp_path / "a.csv")
    assert [said.text for said in read(tmp_path / "a.csv")] == [text, "stop"]


@pytest.mark.parametrize("name", ["a.trn", "text"])
@pytest.mark.parametrize("text", [" play jazz", "play  jazz ", ""])
def test_spacing_at_the_ends_is_kept(name: str, text: str, tmp_path: Path) -> None:
    write([Utterance.of("u1", text)], tmp_path / name, "kaldi" if name == "text" else None)
    assert next(iter(read(tmp_path / name))).text == text


def test_other_columns_of_any_kind_in_csv(tmp_path: Path) -> None:
    said = Utterance.of("1", "a", extra=(("n", None), ("o", {"a": [1]}), ("b", True)))
    write([said], tmp_path / "a.csv")
    assert dict(next(iter(read(tmp_path / "a.csv"))).extra) == {
        "n": "",
        "o": '{"a":[1]}',
        "b": "true",
    }


def test_blank_csv_and_deep_json(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\n\n")
    with pytest.raises(DataError, match="the header needs a column"):
        list(read(tmp_path / "a.csv"))
    (tmp_path / "a.jsonl").write_text("[" * 5000 + "\n")
    with pytest.raises(DataError, match="line 1"):
        list(read(tmp_path / "a.jsonl"))
