"""The viewer of pssteval, matched: nested audio, PER and FER in the list, old analyses, matrix."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from mondegreen.cli.main import main
from mondegreen.compat.pssteval import evaluate_asr
from mondegreen.errors import DataError
from mondegreen.report.opening import open_source
from mondegreen.report.source import ShownRun
from mondegreen.viewer.audio import AudioFolder
from mondegreen.viewer.server import app

HERE = "http://127.0.0.1:8000"
REFERENCE = """utterance_id\ttranscript\tcorrectness\tfilename
u1\tHH AW S\tTrue\taudio/valid/a/u1.wav
u2\tK AO L\tFalse\taudio/valid/b/other-name.wav
u3\tB EH N CH\tTrue\telsewhere/u3.wav
"""
OUTPUT = "utterance_id\tasr_transcript\nu1\tHH AW S\nu2\tK OW L Z\nu3\tB EH N\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "valid.tsv").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "valid-asr.tsv").write_text(OUTPUT, encoding="utf-8")
    for name in ("a/u1.wav", "b/other-name.wav", "c/u3.wav"):
        path = tmp_path / "root" / "audio" / "valid" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    evaluate_asr(tmp_path / "valid-asr.tsv", tmp_path / "valid.tsv").save(
        tmp_path / "valid-asr-analysis.json"
    )
    files = [tmp_path / "valid.tsv", tmp_path / "valid-asr.tsv", tmp_path / "rows.jsonl"]
    arguments = ["score", "phonemes", "--ref", files[0], "--hyp", files[1], "--items", files[2]]
    assert main(list(map(str, arguments))) == 0
    return tmp_path


@pytest.fixture
def sources(folder: Path) -> Iterator[list[ShownRun]]:
    names = ("rows.jsonl", "valid-asr-analysis.json")
    opened = [open_source(folder / name) for name in names]
    yield opened
    for source in opened:
        source.close()


@pytest.fixture
def client(folder: Path, sources: list[ShownRun]) -> TestClient:
    return TestClient(app(sources, AudioFolder(folder / "root")), base_url=HERE)


@pytest.mark.parametrize(
    ("id", "name"),
    [("u1", b"a/u1.wav"), ("u2", b"b/other-name.wav"), ("u3", b"c/u3.wav")],
)
def test_audio_in_nested_folders_is_found_by_the_column_filename(
    client: TestClient, id: str, name: bytes
) -> None:
    page = client.get(f"/s/0/utterance?id={id}").text
    address = page.split('<audio controls preload="metadata" src="')[1].split('"')[0]
    assert client.get(address.replace("&amp;", "&")).content == name


def test_names_outside_the_folder_and_names_that_occur_twice_are_not_found(folder: Path) -> None:
    audio = AudioFolder(folder / "root" / "audio")
    assert audio.find("x/u3.wav") == folder / "root" / "audio" / "valid" / "c" / "u3.wav"
    assert audio.find("../valid.tsv") is None
    assert audio.find("valid/c/u3.txt") is None
    (folder / "root" / "audio" / "u3.wav").write_bytes(b"")
    assert AudioFolder(folder / "root" / "audio").find("x/u3.wav") is None


def test_the_list_shows_both_error_rates_with_errors_and_length(client: TestClient) -> None:
    for number in (0, 1):
        page = client.get(f"/s/{number}/utterances").text
        first = page.split("<tbody>")[1].split("</tr>")[0]
        assert "utterance?id=u2" in first  # the highest feature error rate comes first
        assert "66.7 % <small>2/3</small>" in first
        assert "31.2 % <small>22.5/72</small>" in first
        assert "phoneme error rate" in page


def test_an_old_analysis_opens(client: TestClient, sources: list[ShownRun], folder: Path) -> None:
    analysis = json.loads((folder / "valid-asr-analysis.json").read_text(encoding="utf-8"))
    assert sources[1].name == "valid-asr-analysis"
    total = {one.name: one.value for one in sources[1].overview().sets[0].rates}
    assert total["phoneme_error_rate"] == analysis["per"]
    assert total["feature_error_rate"] == analysis["fer"]
    assert "Feature trace" in client.get("/s/1/utterance?id=u2").text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"per": 0, "fer": 0, "items": {}}', "has no utterances"),
        ('{"per": 0, "fer": 0, "items": 3}', "not an analysis of pssteval"),
        ('{"per": 0, "fer": 0, "items": {"u1": {}}}', "has no phonemes"),
    ],
)
def test_a_faulty_analysis_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "x-analysis.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        open_source(path)


def test_the_matrix_names_its_sides_and_has_totals(client: TestClient) -> None:
    page = client.get("/s/0/").text
    assert "Rows: reference. Columns: hypothesis." in page
    matrix = page.split('class="heat matrix"')[1].split("</table>")[0]
    assert matrix.count(">total</th>") == 2
    assert matrix.rstrip().endswith('<td class="total">3</td></tr></tbody>')


def test_the_legend_says_phoneme(client: TestClient) -> None:
    page = client.get("/s/0/utterance?id=u2").text
    assert "another phoneme" in page
    assert "another word" not in page


def test_the_printed_confusion_matrix_has_totals(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hyp = folder / "predictions.tsv"
    hyp.write_text("utterance_id\tprediction\nu1\tTrue\nu2\tTrue\nu3\tFalse\n", encoding="utf-8")
    assert (
        main(["score", "correctness", "--ref", str(folder / "valid.tsv"), "--hyp", str(hyp)]) == 0
    )
    said = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in said if line.startswith(("actual", "total"))]
    assert rows == [
        ["actual", "True", "1", "1", "2"],
        ["actual", "False", "1", "0", "1"],
        ["total", "2", "1", "3"],
    ]
