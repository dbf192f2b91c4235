"""Where a model looked is kept in the run, drawn, and shown."""

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


class LooksLeft(Model):
    """Is always wrong, and always looks at the first token."""

    signature = "looks-left"

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        return [Prediction(said.id, (), "nothing") for said in batch]

    def attention(self, batch: Sequence[Utterance]) -> list[list[list[float]]]:
        return [[[1.0, *[0.0] * (len(said.tokens) - 1)]] * len(said.tokens) for said in batch]


@pytest.fixture
def run(tmp_path: Path, data: Path) -> Path:
    suite(data, tmp_path / "suite", ["fillers.bos"], random=0)
    evaluate(tmp_path / "suite", LooksLeft(), tmp_path / "a.run").close()
    return tmp_path / "a.run"


def test_looks_are_kept_and_shown(run: Path) -> None:
    looks = list(attend(run, LooksLeft(), n=70))
    assert len(looks) == 70
    assert all(sum(row) == 1 for row in looks[0].weights)
    with open_run(run) as opened:
        text = opened.item(looks[0].number).text
    with closing(open_source(run)) as source:
        client = TestClient(app([source]), base_url="http://localhost")
        page = client.get(f"/s/0/utterance?number={looks[0].number}").text
    first = escape(text.split()[0])
    assert f"{first} looks at {first}: 1.00" in page
    assert len(list(attend(run, LooksLeft(), n=70))) == 70  # once more changes nothing


def test_a_model_without_attention_is_told(
    shown: Shown, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(["attention", str(shown.run)], "joint-bert and stack-prop do", capsys)


def test_another_model_is_refused(shown: Shown, run: Path) -> None:
    with pytest.raises(DataError, match="not of looks-left"):
        list(attend(shown.run, LooksLeft()))
    blind = Model()
    blind.signature = "looks-left"
    with pytest.raises(ModelError, match="gives no attention"):
        list(attend(run, blind))


def test_heat_maps_are_files_of_their_own(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mondegreen.runs.attention.load_model", lambda _: LooksLeft())
    assert main(["attention", str(run), "-o", str(tmp_path / "maps"), "--n", "3"]) == 0
    files = sorted((tmp_path / "maps").iterdir())
    assert len(files) == 3
    assert ET.parse(files[0]).getroot().tag.endswith("svg")  # noqa: S314 (our own)
