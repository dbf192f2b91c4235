"""Functions from Arrow to Arrow, and the engines of others that call them."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from mondegreen.errors import DataError
from random_pairs import pairs

pa = pytest.importorskip("pyarrow")
TEXTS = [f"play some jazz number {i} and then stop" for i in range(30)]
TABLE = pa.table(
    {"id": [f"u{i}" for i in range(30)], "text": TEXTS, "speaker": ["ann", "bob"] * 15}
)
EXPECTED = [variant.utterance.text for variant in mg.perturb(TEXTS, "typo", seed=3)]
PERTURB = mg.arrow.Perturb("typo", seed=3)


def batches(table: Any, n: int) -> list[Any]:
    """Return a table in n record batches."""
    size = -(-table.num_rows // n)
    return list(table.combine_chunks().to_batches(max_chunksize=size))


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_any_partition_gives_the_same_rows(n: int) -> None:
    made = [pickle.loads(pickle.dumps(PERTURB))(batch) for batch in batches(TABLE, n)]  # noqa: S301
    assert all(isinstance(batch, pa.RecordBatch) for batch in made)
    found = pa.Table.from_batches(made)
    assert found.schema == TABLE.schema
    assert found["text"].to_pylist() == EXPECTED
    assert found["speaker"] == TABLE["speaker"]
    assert found["id"].to_pylist()[0] == "u0/typo/0"


def test_labels_follow_and_edits_are_there() -> None:
    table = pa.table(
        {"tokens": [["play", "miles", "davis"]], "tags": [["O", "B-artist", "I-artist"]]}
    )
    noisy = mg.arrow.Perturb("fillers", variants=2, edits=True)(table)
    assert noisy.num_rows == 2
    for row in noisy.to_pylist():
        assert len(row["tokens"]) == len(row["tags"]) == 4
        assert row["tags"].count("B-artist") == 1
        assert "filler" in row["edits"]
    mapped = mg.arrow.Perturb("typo", seed=3, map="text=query")(pa.table({"query": TEXTS}))
    assert mapped["query"].to_pylist() == EXPECTED
    assert PERTURB({"text": TEXTS})["text"] == EXPECTED
    with pytest.raises(DataError, match="row 1 of a batch: there is no column text"):
        PERTURB(pa.table({"x": [1]}))


ODD = ["", "stop", "two  spaces ", "播放爵士乐", "café au lait please", "call me at 7 pm", "a\tb c"]


@pytest.mark.parametrize("operator", ["fillers", "typo", "speako", "repeats"])
@pytest.mark.parametrize("more", [[], ["a line\nbreak in it"], ["old\r\nline"]])
@pytest.mark.parametrize("text_type", [pa.string(), pa.large_string()])
def test_columns_are_made_as_rows_are(operator: str, more: list[str], text_type: Any) -> None:
    texts = pa.array([*ODD, *TEXTS, *more], text_type)
    table = pa.table({"id": [f"u{i}" for i in range(len(texts))], "text": texts, "n": texts})
    by_columns = mg.arrow.Perturb(operator, seed=2)
    by_rows = mg.arrow.Perturb(operator, seed=2, edits=True)  # edits need an object per row
    found = by_columns(table)
    assert found.equals(by_rows(table).drop_columns(["edits"]))
    assert found.schema == table.schema
    assert by_columns.texts(texts).equals(found["text"].combine_chunks())
    assert by_columns(table.slice(3, 2)).equals(found.slice(3, 2))
    chunked = pa.concat_tables([table.slice(0, 4), table.slice(4)])
    assert by_columns(chunked).to_pylist() == found.to_pylist()


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_counts_add_up_over_partitions(n: int) -> None:
    refs, hyps = pairs(40)
    table = pa.table({"ref": refs, "hyp": hyps, "speaker": ["a", "b"] * 20})
    counts = mg.arrow.Counts("words", keep=["speaker"])
    found = pa.Table.from_batches([counts(batch) for batch in batches(table, n)])
    sums = {name: sum(found[name].to_pylist()) for name in found.column_names if name != "speaker"}
    whole = mg.score.words(refs, hyps)
    assert sums == {name: whole.sums()[name] for name in whole.all_columns()}
    assert counts.rates(sums) == {name: whole[name].value for name in whole}
    with pytest.raises(DataError, match="there is no column hyp"):
        counts(pa.table({"ref": refs}))


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.from_arrow(TABLE)
    noisy = frame.lazy().map_batches(lambda part: pl.from_arrow(PERTURB(part.to_arrow()))).collect()
    assert noisy["text"].to_list() == EXPECTED


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.create_function("noisy", PERTURB.texts, ["VARCHAR"], "VARCHAR", type="arrow")
        connection.register("utterances", TABLE)
        found = connection.execute("SELECT noisy(text) FROM utterances").fetchall()
    assert [row[0] for row in found] == EXPECTED


def test_hugging_face_map_has_a_stable_fingerprint() -> None:
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset(TABLE)
    made = [
        dataset.map(mg.arrow.Perturb("typo", seed=3), batched=True, batch_size=7) for _ in range(2)
    ]
    assert made[0]["text"][:] == EXPECTED
    assert made[0]._fingerprint == made[1]._fingerprint  # noqa: SLF001 (there is no public name)
    hasher = datasets.fingerprint.Hasher
    used = mg.arrow.Perturb("typo", seed=3)
    before = hasher.hash(used)
    used(TABLE)
    assert hasher.hash(used) == before
    assert hasher.hash(mg.arrow.Perturb("typo", seed=4)) != before


@pytest.mark.filterwarnings("ignore")  # of Ray's own
@pytest.mark.timeout(300)
def test_ray_data_over_shards(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    import pyarrow.parquet as pq

    for at, batch in enumerate(batches(TABLE, 3)):
        pq.write_table(pa.Table.from_batches([batch]), tmp_path / f"part-{at}.parquet")
    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        data = ray.data.read_parquet(str(tmp_path))
        noisy = data.map_batches(PERTURB, batch_format="pyarrow", batch_size=7)
        found = {row["id"]: row["text"] for row in noisy.take_all()}
    finally:
        ray.shutdown()
    assert found == {f"u{i}/typo/0": text for i, text in enumerate(EXPECTED)}


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")  # of Spark's own
@pytest.mark.timeout(300)
def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    sql = pytest.importorskip("pyspark.sql")
    spark = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    try:
        frame = spark.createDataFrame(
            [tuple(row.values()) for row in TABLE.to_pylist()], TABLE.column_names
        )
        perturb = PERTURB
        noisy = frame.repartition(3).mapInArrow(lambda parts: map(perturb, parts), frame.schema)
        found = {row["id"]: row["text"] for row in noisy.collect()}
    finally:
        spark.stop()
    assert found == {f"u{i}/typo/0": text for i, text in enumerate(EXPECTED)}


@pytest.mark.engines
@pytest.mark.timeout(300)
def test_dask() -> None:
    frames = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")

    def noisy(part: Any) -> Any:
        table = pa.Table.from_pandas(part, schema=TABLE.schema, preserve_index=False)
        return PERTURB(table).to_pandas().set_index(part.index)

    frame = frames.from_pandas(pandas.DataFrame(TABLE.to_pydict()), npartitions=3)
    found = frame.map_partitions(noisy, meta=frame._meta).compute()  # noqa: SLF001 (its own idiom)
    assert found["text"].tolist() == EXPECTED
