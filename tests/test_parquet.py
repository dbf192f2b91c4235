"""Parquet from Parquet: the columns of the source are kept, and ours have fixed types."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.formats import parquet
from mondegreen.data.formats.format import Target
from mondegreen.data.formats.parquet_columns import own_types
from mondegreen.data.layout import PLAIN
from mondegreen.operators import parse_all
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.variants.work import Making, Output, VariantWork
from test_columnar import needs_kernel

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS: dict[str, Any] = {
    "utt_id": ["a", "b", "c"],
    "Utterance": ["play some jazz now", "stop it", "go  to Boston now"],
    "tags": [["O", "O", "B-genre", "O"], ["O", "O"], ["O", "O", "B-city", "O"]],
    "intent": ["play", None, "travel"],
    "n": [1, 2, 3],
}


def made(folder: Path, table: Any, operator: str, *more: str) -> Any:
    """Return the table that the command makes of a table, which it also verifies."""
    pq.write_table(table, folder / "in.parquet")
    out = folder / f"{operator}.parquet"
    command = ["perturb", f"{folder}/in.parquet", "-o", str(out), "--op", operator, "-q", *more]
    assert main([*command, "--force"]) == 0
    assert main(["verify", str(out)]) == 0
    return pq.read_table(out)


def test_columns_keep_their_names_types_and_order(tmp_path: Path) -> None:
    table = pa.table(ROWS).set_column(3, "intent", pa.array(ROWS["intent"]).dictionary_encode())
    found = made(tmp_path, table, "typo")
    assert found.column_names[:5] == table.column_names
    for name in ("utt_id", "Utterance", "intent", "n"):
        assert found.schema.field(name).type == table.schema.field(name).type, name
    assert found["utt_id"].to_pylist() == ["a/typo/0", "b/typo/0", "c/typo/0"]
    assert found["parent"].to_pylist() == ["a", "b", "c"]
    assert found["intent"].to_pylist() == ROWS["intent"]
    again = mg.read(tmp_path / "typo.parquet")
    source = mg.read(tmp_path / "in.parquet")
    for read, variant in zip(again, mg.perturb(source, "typo"), strict=True):
        utterance = variant.utterance
        assert (read.text, read.tokens) == (utterance.text, utterance.tokens)
        assert (read.slots, read.label) == (utterance.slots, utterance.label)


def test_outputs_of_all_operators_are_one_data_set(tmp_path: Path) -> None:
    tables = [made(tmp_path, pa.table(ROWS), name) for name in ("fillers", "typo", "repairs")]
    assert len({str(table.schema) for table in tables}) == 1
    assert pa.concat_tables(tables).num_rows == 3 * len(ROWS["n"])


def test_a_column_that_is_empty_in_the_first_rows_is_filled_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP", 2)
    said = [mg.Utterance.of(str(at), "go to the station") for at in range(5)]
    said.append(mg.Utterance.of("6", "go to Boston", [mg.Slot("city", 2, 3)], "go"))
    mg.write(mg.perturb(said, ["fillers", "typo"]), tmp_path / "a.parquet")
    found = pq.read_table(tmp_path / "a.parquet")
    assert found["label"].to_pylist() == [None] * 10 + ["go"] * 2
    assert found["edits"].to_pylist()[-1][-1]["before"]
    assert not any(pa.types.is_null(kind) for kind in found.schema.types)


def test_columns_that_the_user_names_keep_their_names(tmp_path: Path) -> None:
    table = pa.table({"query": ["play some jazz"], "text": ["kept"], "class": ["music"]})
    found = made(tmp_path, table, "fillers", "--map", "text=query,label=class")
    assert found.column_names == ["query", "text", "class", "id", "tokens", "parent", "edits"]
    assert found["text"].to_pylist() == ["kept"]
    assert found["class"].to_pylist() == ["music"]
    assert found["query"].to_pylist() != ["play some jazz"]


def test_classes_keep_their_numbers(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        {
            "id": datasets.Value("int64"),
            "tokens": datasets.Sequence(datasets.Value("string")),
            "ner_tags": datasets.Sequence(datasets.ClassLabel(names=["O", "B-city", "I-city"])),
            "pos": datasets.Sequence(datasets.ClassLabel(names=["VERB", "NOUN"])),
        }
    )
    rows = {"id": [7], "tokens": [["see", "new", "york"]], "ner_tags": [[0, 1, 2]]}
    source = datasets.Dataset.from_dict({**rows, "pos": [[0, 1, 1]]}, features=features)
    source.to_parquet(tmp_path / "hf.parquet")
    found = made(tmp_path, pq.read_table(tmp_path / "hf.parquet"), "typo")
    (row,) = found.to_pylist()
    assert (row["id"], row["ner_tags"], row["pos"]) == ("7/typo/0", [0, 1, 2], [0, 1, 1])
    cache = str(tmp_path / "cache")
    again = datasets.Dataset.from_parquet(str(tmp_path / "typo.parquet"), cache_dir=cache)
    assert again.features["ner_tags"] == source.features["ner_tags"]


def test_slots_by_tokens_move(tmp_path: Path) -> None:
    slots = [[{"label": "genre", "start": 2, "end": 3}]]
    table = pa.table({"id": ["1"], "text": ["play some jazz"], "slots": slots})
    (row,) = made(tmp_path, table, "fillers").to_pylist()
    at = row["tokens"].index("jazz")
    assert row["slots"] == [{"label": "genre", "start": at, "end": at + 1}]
    assert row["tags"][at] == "B-genre"


def test_rows_of_lines_with_another_column_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP", 1)
    lines = ['{"text": "play jazz"}', '{"text": "stop it", "speaker": "ann"}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    with pytest.raises(mg.MondegreenError, match=r"rows near utterance '2' .*speaker"):
        mg.write(mg.read(tmp_path / "a.jsonl"), tmp_path / "a.parquet")


WORDS = st.sampled_from(
    [
        "play",
        "Jazz",
        "the",
        "don't",
        "café",
        "7",
        "pm",
        '"big',
        'boss"',
        "слово",
        "播放",
        "a\u00a0b",
        "…",
    ]
)
TAGS = st.sampled_from(["O", "O", "B-city", "I-city", "S-x", "E-x"])


@st.composite
def tables(draw: st.DrawFn) -> Any:
    """Draw a table, some rows of which are out of the ordinary."""
    n = draw(st.integers(1, 6))
    words = [draw(st.lists(WORDS, max_size=6)) for _ in range(n)]
    gap = draw(st.sampled_from([" ", " ", "  "]))
    columns: dict[str, Any] = {"text": [gap.join(one) for one in words]}
    splits = [one.split() for one in columns["text"]]
    if draw(st.booleans()):
        columns["tokens"] = splits
    if draw(st.booleans()):
        columns["tags"] = [draw(st.lists(TAGS, min_size=len(s), max_size=len(s))) for s in splits]
    if "tokens" in columns and draw(st.booleans()):
        del columns["text"]
    if draw(st.booleans()):
        columns["utt_id"] = draw(st.sampled_from([list(range(n)), [f"ü{i}" for i in range(n)]]))
    columns["intent"] = [draw(st.sampled_from(["a", "b", None])) for _ in range(n)]
    columns["n"] = draw(st.lists(st.none() | st.floats(width=32), min_size=n, max_size=n))
    for name in draw(st.sampled_from([(), ("values",), ("values", "states", "taken_back")])):
        columns[name] = [None] * n
    types = {"intent": pa.string(), "n": pa.float32(), **own_types(pa), "utt_id": None}
    names = draw(st.permutations(list(columns)))
    return pa.table({name: pa.array(columns[name], types.get(name)) for name in names})


@needs_kernel
@pytest.mark.filterwarnings("ignore:not read")
@given(tables(), st.sampled_from(["fillers", "typo", "keyboard", "speako"]), st.booleans())
def test_rows_are_those_of_objects(table: Any, operator: str, slots: bool) -> None:  # noqa: FBT001
    with TemporaryDirectory() as folder:
        source = Path(folder) / "in.parquet"
        pq.write_table(table, source)
        protection = Protection.of(slots=slots)
        recipe = Recipe(tuple(parse_all(operator)), seed=3, protection=protection)
        target = Target(Path(folder) / "out.parquet", like=(source, PLAIN))
        making = Making(recipe, (Output(target, "parquet"),))
        work = VariantWork((making,), "parquet", ledger=True)
        (part,) = parquet.row_parts(source, None, 100)
        fast, slow = work.by_kernel(part), work.by_objects(part)
        assert fast is not None
        files = []
        for made in (fast, slow):
            file = io.BytesIO()
            sink = parquet.ParquetSink(file, target)
            sink.write(made.outputs[0].table)
            sink.close()
            files.append(file.getvalue())
        assert files[0] == files[1]
        assert (fast.ids, fast.ledger, fast.read) == (slow.ids, slow.ledger, slow.read)
        assert fast.outputs[0].tally == slow.outputs[0].tally
