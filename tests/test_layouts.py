"""Files as other tools write them: perturbed, written again, and read by those tools.

The checks share no code with our readers: each compares the words under the labels as the other
tool, or a few lines of plain Python, sees them.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import spacy
import yaml
from seqeval.metrics import f1_score
from seqeval.scheme import BILOU, IOB2, IOBES
from spacy.tokens import DocBin

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data import format_of
from mondegreen.errors import DataError

TEXTS = {
    "play Miles Davis, please": [("Miles Davis", "artist")],
    "from Boston to New York.": [("Boston", "from"), ("New York", "to")],
    "wake me at 7 a.m. tomorrow": [("7 a.m.", "time")],
}
Labelled = dict[str, list[tuple[str, str]]]


def spans(text: str) -> list[tuple[int, int, str]]:
    """Return the entities of a text by the places of their characters."""
    return [
        (text.index(words), text.index(words) + len(words), name) for words, name in TEXTS[text]
    ]


def test_spacy_reads_what_we_write(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    docs = []
    for text in TEXTS:
        doc = nlp.make_doc(text)
        found = [doc.char_span(start, end, label=name) for start, end, name in spans(text)]
        doc.ents = [one for one in found if one is not None]
        docs.append(doc)
    DocBin(docs=docs).to_disk(tmp_path / "in.spacy")
    perturb(tmp_path / "in.spacy", tmp_path / "out.spacy")
    made = list(DocBin().from_disk(tmp_path / "out.spacy").get_docs(nlp.vocab))
    assert [[(ent.text, ent.label_) for ent in doc.ents] for doc in made] == [*TEXTS.values()]
    assert [doc.text for doc in made] != [*TEXTS]


def perturb(source: Path, target: Path, *more: str) -> None:
    """Insert fillers outside slots."""
    options = ["--op", "fillers", "--protect-slots", "-q", *more]
    assert main(["perturb", str(source), "-o", str(target), *options]) == 0


def offsets(text: str, entities: list[Any]) -> list[tuple[str, str]]:
    """Return the words under entities that have start, end and a name."""
    return [
        (text[one["start"] : one["end"]], next(one[k] for k in ("entity", "label") if k in one))
        for one in entities
    ]


def rasa(path: Path) -> Labelled:
    examples = json.loads(path.read_text())["rasa_nlu_data"]["common_examples"]
    return {one["text"]: offsets(one["text"], one["entities"]) for one in examples}


def write_rasa(path: Path) -> None:
    examples = [
        {
            "text": text,
            "intent": "ask",
            "entities": [
                {"start": start, "end": end, "value": text[start:end], "entity": name}
                for start, end, name in spans(text)
            ],
        }
        for text in TEXTS
    ]
    path.write_text(json.dumps({"rasa_nlu_data": {"common_examples": examples}}))


def rasa_yaml(path: Path) -> Labelled:
    found = {}
    for block in yaml.safe_load(path.read_text())["nlu"]:
        for line in block["examples"].splitlines():
            marked = line.removeprefix("- ")
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", marked)
            found[text] = re.findall(r"\[([^]]*)\]\(([^)]*)\)", marked)
    return found


def write_rasa_yaml(path: Path) -> None:
    lines = []
    for text, entities in TEXTS.items():
        marked = text
        for words, name in entities:
            marked = marked.replace(words, f"[{words}]({name})")
        lines.append(f"    - {marked}")
    path.write_text(
        'version: "3.1"\nnlu:\n- intent: ask\n  examples: |\n' + "\n".join(lines) + "\n"
    )


def label_studio(path: Path) -> Labelled:
    found = {}
    for task in json.loads(path.read_text()):
        text = task["data"]["text"]
        values = [
            one["value"] for one in task["annotations"][0]["result"] if "labels" in one["value"]
        ]
        found[text] = [(text[one["start"] : one["end"]], one["labels"][0]) for one in values]
    return found


def write_label_studio(path: Path) -> None:
    tasks = [
        {
            "id": number,
            "data": {"text": text},
            "annotations": [
                {
                    "result": [
                        {
                            "type": "labels",
                            "from_name": "label",
                            "to_name": "text",
                            "value": {
                                "start": start,
                                "end": end,
                                "text": text[start:end],
                                "labels": [name],
                            },
                        }
                        for start, end, name in spans(text)
                    ]
                }
            ],
        }
        for number, text in enumerate(TEXTS, start=1)
    ]
    path.write_text(json.dumps(tasks))


def pieces(text: str) -> list[tuple[str, str | None]]:
    """Cut a text at its entities."""
    found: list[tuple[str, str | None]] = []
    at = 0
    for start, end, name in spans(text):
        found += [(text[at:start], None), (text[start:end], name)]
        at = end
    return [one for one in [*found, (text[at:], None)] if one[0]]


def snips(path: Path) -> Labelled:
    (queries,) = json.loads(path.read_text()).values()
    return {
        "".join(part["text"] for part in query["data"]): [
            (part["text"], part["entity"]) for part in query["data"] if "entity" in part
        ]
        for query in queries
    }


def write_snips(path: Path) -> None:
    queries = [
        {
            "data": [
                {"text": words} | ({"entity": name} if name else {}) for words, name in pieces(text)
            ]
        }
        for text in TEXTS
    ]
    path.write_text(json.dumps({"Ask": queries}))


def massive(path: Path) -> Labelled:
    found = {}
    for line in path.read_text().splitlines():
        marked = json.loads(line)["annot_utt"]
        text = re.sub(r"\[[^:]* : ([^]]*)\]", r"\1", marked)
        found[text] = [
            (words, name) for name, words in re.findall(r"\[([^:]*) : ([^]]*)\]", marked)
        ]
    return found


def write_massive(path: Path) -> None:
    records = []
    for number, text in enumerate(TEXTS):
        parts = (f"[{name} : {words}]" if name else words for words, name in pieces(text))
        records.append(
            {
                "id": str(number),
                "locale": "en-US",
                "partition": "test",
                "scenario": "general",
                "intent": "ask",
                "utt": text,
                "annot_utt": "".join(parts),
            }
        )
    path.write_text("".join(json.dumps(one) + "\n" for one in records))


def dialogflow(path: Path) -> Labelled:
    found = {}
    for intent in json.loads(path.read_text())["intents"]:
        for phrase in intent["trainingPhrases"]:
            parts = phrase["parts"]
            text = "".join(part["text"] for part in parts)
            found[text] = [(part["text"], part["alias"]) for part in parts if "alias" in part]
    return found


def write_dialogflow(path: Path) -> None:
    phrases = [
        {
            "type": "EXAMPLE",
            "parts": [
                {"text": words} | ({"alias": name, "entityType": f"@{name}"} if name else {})
                for words, name in pieces(text)
            ],
        }
        for text in TEXTS
    ]
    path.write_text(json.dumps({"intents": [{"displayName": "ask", "trainingPhrases": phrases}]}))


@pytest.mark.parametrize(
    ("name", "make", "look"),
    [
        ("nlu.json", write_rasa, rasa),
        ("nlu.yml", write_rasa_yaml, rasa_yaml),
        ("tasks.json", write_label_studio, label_studio),
        ("ask.json", write_snips, snips),
        ("en-US.jsonl", write_massive, massive),
        ("intents.json", write_dialogflow, dialogflow),
    ],
)
def test_a_file_of_another_tool_is_perturbed_and_written_as_that_tool_writes_it(
    name: str, make: Callable[[Path], None], look: Callable[[Path], Labelled], tmp_path: Path
) -> None:
    source = tmp_path / "in" / name
    target = tmp_path / "out" / name
    for path in (source, target):
        path.parent.mkdir()
    make(source)
    assert look(source) == TEXTS  # the check reads what was put in
    perturb(source, target, "--to", format_of(source).name)
    made = look(target)
    assert list(made.values()) == list(TEXTS.values())
    assert list(made) != list(TEXTS)
    for text, before in zip(made, TEXTS, strict=True):
        letters = iter(text)
        assert all(one in letters for one in before if one != " ")  # case and punctuation are kept


TOKENS = [["play", "Miles", "Davis"], ["stop"], ["from", "Boston"]]
TAGS = [["O", "B-artist", "I-artist"], ["O"], ["O", "B-from"]]
NAMES = ["O", "B-artist", "I-artist", "B-from"]


@pytest.fixture
def conll2003() -> datasets.Dataset:
    """The usual layout of tagged data at Hugging Face."""
    features = datasets.Features(
        {
            "tokens": datasets.Sequence(datasets.Value("string")),
            "ner_tags": datasets.Sequence(datasets.ClassLabel(names=NAMES)),
            "label": datasets.ClassLabel(names=["ask", "stop"]),
        }
    )
    tags = [[NAMES.index(tag) for tag in row] for row in TAGS]
    data = {"tokens": TOKENS, "ner_tags": tags, "label": [0, 1, 0]}
    return datasets.Dataset.from_dict(data, features)


def test_classes_of_a_dataset_become_their_names(
    conll2003: datasets.Dataset, tmp_path: Path
) -> None:
    conll2003.to_parquet(tmp_path / "d.parquet")
    conll2003.save_to_disk(str(tmp_path / "folder"))
    for source in (conll2003, tmp_path / "d.parquet", tmp_path / "folder"):
        read = list(mg.read(source))
        assert [list(one.tags) for one in read] == TAGS
        assert [one.label for one in read] == ["ask", "stop", "ask"]
    assert [list(one.tags) for one in mg.from_dataset(conll2003)] == TAGS


def test_numbers_without_names_are_refused_or_named(
    conll2003: datasets.Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "d.jsonl"
    conll2003.remove_columns("label").to_json(path)
    assert main(["perturb", str(path), "-o", str(tmp_path / "o.jsonl"), "--op", "typo"]) == 1
    assert "numbers without names" in capsys.readouterr().err
    perturb(path, tmp_path / "o.jsonl", "--map", f"tags=ner_tags:{'|'.join(NAMES)}")
    made = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert [[tag for tag in one.get("tags", []) if tag != "O"] for one in made] == [
        [tag for tag in row if tag != "O"] for row in TAGS
    ]


def test_splits_of_a_dataset_are_named(conll2003: datasets.Dataset) -> None:
    with pytest.raises(DataError, match="train, test"):
        list(mg.read(datasets.DatasetDict(train=conll2003, test=conll2003)))


COLUMNS = {"Query": ["play jazz", "stop"], "Intent": ["play", "stop"], "uid": ["a", "b"]}
MAP = "text=Query,label=Intent,id=uid"


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_data_frames_are_read_perturbed_and_made_into_suites(
    make: Callable[[Any], Any], tmp_path: Path
) -> None:
    frame = make(COLUMNS)
    read = list(mg.read(frame, map=MAP))
    assert [(one.id, one.text, one.label) for one in read] == [
        ("a", "play jazz", "play"),
        ("b", "stop", "stop"),
    ]
    plain = make({"text": COLUMNS["Query"], "label": COLUMNS["Intent"]})
    made = [variant.utterance for variant in mg.perturb(plain, "fillers", seed=1)]
    assert [one.label for one in made] == COLUMNS["Intent"]
    for one, source in zip(made, COLUMNS["Query"], strict=True):
        assert set(source.split()) < set(one.text.split())
    built = mg.suite(frame, tmp_path / "suite", "fillers", random=0, map=MAP)
    assert [case.utterance.label for case in built.cases(built.manifest.sets[0])] == [
        "play",
        "stop",
    ]
    assert main(["verify", str(tmp_path / "suite")]) == 0
    score = mg.score.slu(plain, plain)
    assert score["intent_accuracy"].value == 1


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_text_is_named_by_its_row(missing: object) -> None:
    frame = pd.DataFrame({"text": ["play jazz", missing]})
    with pytest.raises(DataError, match="row 2"):
        list(mg.perturb(frame, "fillers"))
    with pytest.raises(DataError, match="row 2"):
        list(mg.perturb(["play jazz", missing], "fillers"))  # type: ignore[list-item]
    with pytest.raises(DataError, match="hypothesis of row 2"):
        mg.score.words(["a", "b"], ["a", missing])  # type: ignore[list-item]


def test_a_table_is_not_a_list_of_texts() -> None:
    for table in (pd.DataFrame(COLUMNS), COLUMNS):
        with pytest.raises(DataError, match="give one of its columns"):
            mg.score.words(table, table)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="not a table"):
        mg.perturb(COLUMNS, "fillers")


def test_series_and_generators_are_lists_of_texts() -> None:
    refs, hyps = pd.Series(["a b", "c"], index=[7, 3]), pl.Series(["a x", "c"])
    for left, right in ((refs, hyps), (iter(refs), (one for one in hyps))):
        assert mg.score.words(left, right)["wer"].numerator == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_are_mapped_at_the_command_line(
    separator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, noisy = tmp_path / "in.csv", tmp_path / "out.csv"
    pd.DataFrame(COLUMNS).to_csv(source, sep=separator, index=False)
    perturb(source, noisy, "--map", MAP)
    made = pd.read_csv(noisy)
    assert list(made["id"]) == ["a/fillers/0", "b/fillers/0"]
    assert list(made["label"]) == ["play", "stop"]
    assert main(["verify", str(noisy)]) == 0
    suite = [
        "suite",
        str(source),
        "-o",
        str(tmp_path / "suite"),
        "--op",
        "fillers",
        "--random",
        "0",
    ]
    assert main([*suite, "--map", MAP, "-q"]) == 0
    assert main(["verify", str(tmp_path / "suite")]) == 0
    train = ["train", "crf", str(source), "-o", str(tmp_path / "crf"), "--map", MAP, "-q"]
    assert main(train) == 0
    capsys.readouterr()
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"key": "b", "guess": "stop"}\n{"key": "a", "guess": "play"}\n')
    score = ["score", "slu", "--ref", str(source), "--hyp", str(answers), "--json"]
    assert main([*score, "--map", MAP, "--hyp-map", "label=guess,id=key"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["intent_accuracy"]["value"] == 1
    assert main([*suite, "--map", "text=Frage", "--force"]) == 1
    assert "No column named 'Frage'" in capsys.readouterr().err


def test_both_sides_of_a_manifest_of_a_recogniser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "manifest.jsonl"
    lines = [
        {"audio_filepath": "a.wav", "duration": 1.5, "text": "play jazz", "pred_text": "play jaws"},
        {"audio_filepath": "b.wav", "duration": 0.5, "text": "stop", "pred_text": "stop"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    score = ["score", "words", "--ref", str(path), "--hyp", str(path), "--json"]
    assert main(score) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["wer"]["numerator"] == 1
    path.write_text("".join(json.dumps({"text": line["text"]}) + "\n" for line in lines))
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(score) == 0
    assert "the same texts of the same file" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["iob2", "iobes", "bilou"])
def test_strict_schemes_are_seqeval_s(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prefixes = {"iob2": "BI", "iobes": "BIES", "bilou": "BILU"}[kind]
    known = {"iob2": IOB2, "iobes": IOBES, "bilou": BILOU}[kind]
    tags = ["O", *(f"{prefix}-{label}" for prefix in prefixes for label in "ab")]
    gold, found = (
        [
            [tags[(7 * i + 3 * j * j + side * i * j) % len(tags)] for j in range(6)]
            for i in range(40)
        ]
        for side in (1, 2)
    )
    wanted = f1_score(gold, found, mode="strict", scheme=known)
    assert wanted > 0
    score = mg.score.slu(gold, found, scheme=kind)
    assert score["slot_f1"].value == pytest.approx(wanted)
    assert f"scheme:{kind}" in score.signature
    assert mg.score.slu(gold, found)["slot_f1"].value != pytest.approx(wanted)
    for name, side in (("ref", gold), ("hyp", found)):
        lines = [
            json.dumps({"id": str(i), "tokens": ["w"] * len(row), "tags": row})
            for i, row in enumerate(side)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    files = ["--ref", str(tmp_path / "ref.jsonl"), "--hyp", str(tmp_path / "hyp.jsonl")]
    assert main(["score", "slu", *files, "--scheme", kind, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["scores"]["slot_f1"]["value"]
    assert value == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("nlu.yml", "key: value\nother: [1, 2]\n"),
        ("thing.xyz", "play some jazz\nstop it\n"),
        ("words", "play some jazz\nstop it\n"),
    ],
)
def test_a_file_of_unknown_format_is_refused(
    name: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(content)
    assert (
        main(["perturb", str(tmp_path / name), "-o", str(tmp_path / "o.txt"), "--op", "typo"]) == 1
    )
    assert "--format" in capsys.readouterr().err
    assert not (tmp_path / "o.txt").exists()


def test_columns_that_look_like_labels_are_never_dropped_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "play jazz", "bio_labels": ["O", "B-genre"]}\n')
    with pytest.warns(UserWarning, match="not read, and copied unchanged: bio_labels"):
        list(mg.read(path))
