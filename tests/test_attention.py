"""The attention of a model is stored in the run, drawn and shown."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from html import escape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from commands import fails
from mondegreen.cli.main import main
from mondegreen.errors import DataError, ModelError
from mondegreen.models.protocol import Model
from mondegreen.report.opening import open_source
from mondegreen.runs.attention import attend
from mondegreen.runs.evaluation import evaluate
from mondegreen.runs.reading import open_run
from mondegreen.suites.build import suite
from mondegreen.types import Prediction, Utterance
from mondegreen.viewer.server import app
from showing import Shown


class AttendsToFirst(Model):
    """Is always wrong; every token attends to the first one."""

    signature = "attends-to-first"

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        return [Prediction(utterance.id, (), "nothing") for utterance in batch]

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]]:
        return [
            [[1.0, *[0.0] * (len(utterance.tokens) - 1)]] * len(utterance.tokens)
            for utterance in batch
        ]


@pytest.fixture
def run(tmp_path: Path, data: Path) -> Path:
    suite(data, tmp_path / "suite", ["fillers.bos"], random=0)
    evaluate(tmp_path / "suite", AttendsToFirst(), tmp_path / "a.run").close()
    return tmp_path / "a.run"


def test_attention_is_stored_and_shown(run: Path) -> None:
    found = list(attend(run, AttendsToFirst(), n=70))
    assert len(found) == 70
    assert all(sum(row) == 1 for row in found[0].weights)
    with open_run(run) as opened:
        text = opened.item(found[0].number).text
    with closing(open_source(run)) as source:
        client = TestClient(app([source]), base_url="http://localhost")
        page = client.get(f"/s/0/utterance?number={found[0].number}").text
    first = escape(text.split()[0])
    assert f"{first} attends to {first}: 1.00" in page
    assert len(list(attend(run, AttendsToFirst(), n=70))) == 70  # a second call changes nothing


def test_a_model_without_attention_raises_an_error(
    shown: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(["attention", str(shown.run)], "use joint-bert or stack-prop", capsys)


def test_another_model_raises_an_error(shown: Shown, run: Path) -> None:
    with pytest.raises(DataError, match="not of attends-to-first"):
        list(attend(shown.run, AttendsToFirst()))
    other = Model()
    other.signature = "attends-to-first"
    with pytest.raises(ModelError, match="has no attention"):
        list(attend(run, other))


def test_heat_maps_are_written_as_svg_files(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mondegreen.runs.attention.load_model", lambda _: AttendsToFirst())
    assert (
        main(["attention", str(run), "-o", str(tmp_path / "maps"), "--n", "3", "--model", "m"]) == 0
    )
    files = sorted((tmp_path / "maps").iterdir())
    assert len(files) == 3
    assert ET.parse(files[0]).getroot().tag.endswith("svg")  # noqa: S314 (our own)
