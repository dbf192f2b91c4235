"""The rows of scores as the viewer reads them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from mondegreen.errors import DataError
from mondegreen.report.opening import open_source
from mondegreen.report.source import Query
from showing import Shown


def test_rows_of_any_score_are_json(shown: Shown) -> None:
    for path in (shown.words, shown.fluency, shown.phonemes):
        for line in path.read_text().splitlines():
            assert {"id", "ref", "hyp", "signature"} <= json.loads(line).keys()


@pytest.mark.parametrize("change", [{"hits": "many"}, {"hits": -1}, {"hits": None}, {"ref": ["a"]}])
def test_a_row_with_a_value_of_another_kind_is_named(
    shown: Shown, tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "rows.jsonl"
    first, second, *_ = map(json.loads, shown.words.read_text().splitlines())
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second | change)}\n")
    with pytest.raises(DataError, match="line 2: not a row of a score"):
        open_source(path)


def test_a_damaged_row_far_into_a_file_is_named_by_its_line(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    row = shown.words.read_text().splitlines()[0]
    path.write_text(f"{row}\n" * 4_000 + '{"id": 1, "hits": "many"}\n' + f"{row}\n" * 4_000)
    assert path.stat().st_size > 2_000_000  # it is read in several parts
    with pytest.raises(DataError, match="line 4001: not a row of a score"):
        open_source(path)


def test_rates_that_the_database_computes_are_those_of_the_rows(shown: Shown) -> None:
    rows = {row["id"]: row for row in map(json.loads, shown.words.read_text().splitlines())}
    with closing(open_source(shown.words)) as source:
        for found in source.rows(Query()):
            for rate in ("wer", "mer", "wil", "cer", "ser"):
                assert found[rate] == pytest.approx(rows[found["id"]][rate]), rate


@pytest.fixture
def many(shown: Shown, tmp_path: Path) -> Path:
    """Write some thousand rows, with a blank line in between."""
    row = json.loads(shown.words.read_text().splitlines()[0])
    lines = [json.dumps(row | {"id": f"u{number}", "hits": number}) for number in range(3_000)]
    lines[1_000:1_000] = [""]
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_rows_with_a_blank_line_are_read_in_order(many: Path) -> None:
    with closing(open_source(many)) as source:
        rows = list(source.rows(Query(sort="id", descending=False)))
        assert len(rows) == 3_000
        assert source.utterance({"id": "u2999"})["counts"]["hits"] == 2_999


def test_a_damaged_row_after_a_blank_line_is_named(many: Path) -> None:
    with many.open("a") as file:
        file.write('\n{"id": 7, "hits": "many"}\n')
    with pytest.raises(DataError, match="line 3002: not a row of a score"):
        open_source(many)
