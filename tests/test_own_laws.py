"""The laws that plugins are tested by, on the metrics and formats of the package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import dialogues
from mondegreen.data import FORMATS
from mondegreen.data.dialogues.cases import case_of
from mondegreen.data.dialogues.transcripts import Exchange, Transcript
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import References
from mondegreen.testing import format_laws, metric_laws
from mondegreen.testing.formats import FormatLaws
from mondegreen.testing.metrics import MetricLaws
from mondegreen.types import MadeCall, Prediction, Slot, Utterance

TEXTS = ["play some jazz", "stop it", "wake ME me up"]
UTTERANCES = [
    Utterance.of("1", "play jazz", [Slot("genre", 1, 2)], "play"),
    Utterance.of("2", "stop", [], "stop"),
    Utterance.of("3", "wake me", [Slot("who", 1, 2)], "wake"),
]
FRAMES = [
    Prediction("1", (Slot("genre", 1, 2),), "play"),
    Prediction("2", (), "play"),
    Prediction("3", (Slot("time", 0, 1),), "wake"),
]
DIALOGUES = [case_of(record, "") for record in dialogues.cases(3)]
TRANSCRIPTS = [
    Transcript(
        case.id, (Exchange(0, "turn", case.turns[0].user, calls=(MadeCall("book_table", {}),)),)
    )
    for case in DIALOGUES
]
EXAMPLES: dict[str, tuple[Sequence[Any], Sequence[Any]]] = {
    "words": (TEXTS, ["play jaws", "stop it", "wake me up now"]),
    "fluency": (TEXTS, ["play jaws", "stop it", "wake me up now"]),
    "phonemes": (["K AE T", "S IH T", "HH AW S"], ["G AE T", "S IH T", "HH AW"]),
    "correctness": ([True, False, True], [True, True, False]),
    "slu": (UTTERANCES, FRAMES),
    "conversations": (DIALOGUES, TRANSCRIPTS),
}
IDS = ["1", "2", "3"]
LAWS = [name for name in vars(MetricLaws) if name.startswith("test_")]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_metrics_keep_the_laws(name: str, law: str) -> None:
    refs, hyps = EXAMPLES[name]
    file = Transcripts(Path("ref"), has_ids=True, ids=IDS, texts=[str(one) for one in refs])
    tested = metric_laws(METRICS[name], References(file, refs), hyps)()
    getattr(tested, law)()


# formats that keep the tokens and ids of any utterance
KEEPS = ("txt", "jsonl", "json", "csv", "tsv", "parquet", "folder", "conll", "kaldi", "trn")


@pytest.mark.parametrize("law", [name for name in vars(FormatLaws) if name.startswith("test_")])
@pytest.mark.parametrize("name", KEEPS)
def test_formats_keep_the_laws(name: str, law: str, tmp_path: Path) -> None:
    tested = format_laws(FORMATS[name])()
    check = getattr(tested, law)
    check(tmp_path)
