"""Files and answers as others write them: NLU++, xSID, tables of pairs, spans by characters."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.answers.predictions import predictions_of
from mondegreen.errors import DataError, ModelError
from mondegreen.models.predictions_file import PredictionsFile
from mondegreen.types import Slot, Utterance

SAID = Utterance.of("1", "Play some jazz by Miles Davis, please")

SPANS: list[dict[str, object]] = [
    {"entities": [{"start": 10, "end": 14, "label": "genre"},
                  {"start": 18, "end": 29, "label": "artist"}]},  # spaCy: doc.to_json()
    {"entities": [{"entity": "artist", "start": 18, "end": 29, "value": "Miles Davis"},
                  {"entity": "genre", "start": 10, "end": 14}],
     "intent": {"name": "play", "confidence": 0.9}},  # Rasa
    {"entities": [{"entity_group": "genre", "word": "jazz", "start": 10, "end": 14, "score": 1},
                  {"entity_group": "artist", "word": "miles davis", "start": 18, "end": 29}]},
    {"spans": [[10, 14, "genre"], [18, 29, "artist"]]},
]  # fmt: skip


@pytest.mark.parametrize("answer", SPANS)
def test_27_19_models_may_answer_spans_by_characters(answer: dict[str, object]) -> None:
    (found,) = predictions_of([answer], [SAID])
    assert found.slots == (Slot("genre", 2, 3), Slot("artist", 4, 6))
    if "intent" in answer:
        assert found.label == "play"


@pytest.mark.parametrize("answer", SPANS)
@pytest.mark.parametrize("more", [{}, {"text": SAID.text}])
def test_27_19_files_may_answer_spans_by_characters(
    answer: dict[str, object],
    more: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl"
    said = Utterance("1", SAID.tokens, (Slot("genre", 2, 3), Slot("artist", 4, 6)), "play")
    mg.write([said], ref)
    hyp.write_text(json.dumps({"id": "1", **more, **answer}) + "\n")
    labelled = "intent" in answer
    assert main(["score", "slu", "--ref", str(ref), "--hyp", str(hyp), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert scores["slot_f1"]["value"] == 1
    assert not labelled or scores["intent_accuracy"]["value"] == 1
    (found,) = PredictionsFile.read(hyp).predict([said])
    assert found.slots == said.slots
    assert found.label == ("play" if labelled else None)


def test_27_19_a_span_where_there_is_no_word_is_an_error() -> None:
    with pytest.raises(ModelError, match="utterance '1': the entity 'genre' covers"):
        predictions_of([{"entities": [[40, 44, "genre"]]}], [SAID])


NLUPP = [
    {
        "text": "how much can I spend today",
        "intents": ["limits", "how_much"],
        "slots": {"date": {"text": "today", "span": [21, 26], "value": {"day": 1}}},
    },
    {"text": "stop it", "intents": ["cancel"], "slots": {}},
]


def test_27_19_several_intents_are_one_label_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "banking.json"
    path.write_text(json.dumps(NLUPP))
    data = list(mg.read(path))
    assert [one.label for one in data] == ["how_much+limits", "cancel"]
    assert [data[0].words_of(slot) for slot in data[0].slots] == ["today"]
    answers = [{"intents": ["how_much", "limits"]}, {"intents": ["limits"]}]
    score = mg.score.slu(data, predictions_of(answers, data))
    assert score["intent_accuracy"].value == 0.5


def test_27_20_xsid_s_comments_are_not_words(tmp_path: Path) -> None:
    path = tmp_path / "en.test.conll"
    path.write_text(
        "# id: 7\n# text: Is it sunny today?\n# intent: weather/find\n# slots: 6:11:weather\n"
        "1\tIs\tweather/find\tO\n2\tit\tweather/find\tO\n3\tsunny\tweather/find\tB-weather\n"
        "4\ttoday\tweather/find\tB-datetime\n5\t?\tweather/find\tO\n\n"
    )
    (found,) = mg.read(path)
    assert (found.id, found.label) == ("7", "weather/find")
    assert found.tokens == ("Is", "it", "sunny", "today", "?")
    assert [slot.label for slot in found.slots] == ["weather", "datetime"]


def test_27_20_all_of_xsid_is_read(shared: Path) -> None:
    files = sorted((shared / "data" / "xsid").glob("*.conll"))
    if not files:
        pytest.skip("xSID is not there")
    refused = []
    for path in files:
        try:
            found = list(mg.read(path))
        except DataError as error:  # slips of xSID: an id that occurs twice, an empty token
            refused.append(str(error))
            continue
        assert all(one.label for one in found), path
        assert any(one.slots for one in found), path
    assert len(refused) < len(files) / 3
    assert all(re.search("line .*(occurs twice|is empty)", one) for one in refused)


def test_27_20_a_table_of_pairs_is_clear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("id\tref\thyp\n1\tplay jazz\tplay jaws\n")
    assert main(["score", "words", "--pairs", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["wer"]["value"] == 0.5


def test_27_20_hints_name_the_right_part_and_the_nearest_layout(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "play jazz", "category": "music"}\n')
    with pytest.warns(UserWarning, match="--map label=category"):
        list(mg.read(path))
    path.write_text('{"messages": [{"role": "user", "content": "hi"}], "tools": []}\n')
    with pytest.raises(DataError, match=r"a.jsonl, line 1: there are messages, but no key exp"):
        list(mg.read(path))
    path.write_text('{"text": "a b", "slots": [{"name": "x"}]}\n')
    with pytest.raises(DataError, match=r"a.jsonl, line 1: .*the nearest layout is JSON lines"):
        list(mg.read(path))


def test_xsid_numbers_a_double_space_as_a_token(tmp_path: Path) -> None:
    path = tmp_path / "zh.conll"
    rows = ("1\tThe\tFind\tB-name", "2\tSecret\tFind\tI-name", "3\t\tFind\tO", "4\t的\tFind\tO")
    path.write_text("\n".join(("# id = 257", "# intent = Find", *rows)) + "\n\n", encoding="utf-8")
    (utterance,) = mg.read(path)
    assert utterance.tokens == ("The", "Secret", "的")
    assert utterance.tags == ("B-name", "I-name", "O")
    assert utterance.label == "Find"
