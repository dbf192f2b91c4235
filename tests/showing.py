"""Files to test the report and the viewer on: runs of two models, and rows of scores."""

from __future__ import annotations

import json
import math
import struct
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from chat_server import serving
from mondegreen.cli.main import main
from mondegreen.data import write
from mondegreen.data.sample import sample
from mondegreen.models.reference import train
from mondegreen.runs.evaluation import evaluate
from mondegreen.suites.build import suite
from mondegreen.types import Slot, Utterance

HOSTILE = "<script>document.title='owned'</script>"
"""Text that pages must escape."""


@dataclass(frozen=True)
class Shown:
    """The files."""

    run: Path
    other: Path
    words: Path
    other_words: Path
    fluency: Path
    phonemes: Path
    audio: Path
    calls: Path


def make_shown(folder: Path) -> Shown:
    """Make the files in a folder."""
    shown = Shown(
        folder / "run.sqlite",
        folder / "other.sqlite",
        folder / "words.jsonl",
        folder / "other-words.jsonl",
        folder / "fluency.jsonl",
        folder / "phonemes.jsonl",
        folder / "audio",
        folder / "calls.run",
    )
    _runs(folder, shown)
    _scores(folder, shown)
    _calls(folder, shown)
    shown.audio.mkdir()
    _tone(shown.audio / "u1.wav")
    (shown.audio / "outside.wav").symlink_to(folder / "words.jsonl")
    return shown


def _runs(folder: Path, shown: Shown) -> None:
    hostile = Utterance(HOSTILE, ("play", HOSTILE), (Slot(HOSTILE, 1, 2),), HOSTILE)
    utterances = [
        replace(one, extra=(("speaker", "ann" if number % 2 else "bob"),))
        for number, one in enumerate([*list(sample())[:60], hostile])
    ]
    write(utterances, folder / "test.jsonl")
    training_data = [*list(sample("train"))[:150], hostile]
    train("crf", training_data, folder / "full")
    train("crf", training_data[60:], folder / "part")
    operators = ["fillers.bos", "typo"]
    suite(folder / "test.jsonl", folder / "suite", operators, random=2, severities=(0.3, 0.9))
    for model, path in (("full", shown.run), ("part", shown.other)):
        evaluate(folder / "suite", folder / model, path).close()


def _scores(folder: Path, shown: Shown) -> None:
    rows = [
        ("u1", "play some jazz", "play sum jazz", "ann"),
        ("u2", "stop", "stop", "bob"),
        (HOSTILE, f"say {HOSTILE}", f"say {HOSTILE}", HOSTILE),
    ]
    lines = [{"id": id, "text": text, "speaker": who} for id, text, _, who in rows]
    _lines(folder / "ref.jsonl", lines)
    _lines(folder / "hyp.jsonl", [{"id": id, "text": text} for id, _, text, _ in rows])
    _lines(folder / "bad.jsonl", [{"id": id, "text": "what"} for id, *_ in rows])
    _score("words", folder / "ref.jsonl", folder / "hyp.jsonl", shown.words)
    _score("words", folder / "ref.jsonl", folder / "bad.jsonl", shown.other_words)
    _lines(folder / "marked.jsonl", [{"id": "u1", "text": "UH play PLAY some jazz"}])
    _lines(folder / "clean.jsonl", [{"id": "u1", "text": "uh play some"}])
    _score("fluency", folder / "marked.jsonl", folder / "clean.jsonl", shown.fluency)
    ref, hyp = folder / "ref.tsv", folder / "hyp.tsv"
    ref.write_text("utterance_id\ttranscript\nu1\tK AE T\nu2\tHH AW S\nu3\tT UW TH\n")
    hyp.write_text("utterance_id\tasr_transcript\nu1\tG AE T\nu2\tHH AW S\nu3\tT UW\n")
    _score("phonemes", ref, hyp, shown.phonemes)


def _calls(folder: Path, shown: Shown) -> None:
    """Evaluate a model that calls a tool with the first city that it hears."""
    tool = {"name": "book", "parameters": {"properties": {"city": {"type": "string"}}}}
    texts = {"Orlando": "Fly me to Orlando.", "Denver": "I go to Denver.", "Boston": "Go to Boston"}
    cases = [
        {
            "id": city,
            "messages": [{"role": "system", "content": HOSTILE}, {"role": "user", "content": text}],
            "tools": [tool],
            "expected": [{"name": "book", "arguments": {"city": [city]}}],
        }
        for city, text in texts.items()
    ]
    lost = {"expected": [{"name": HOSTILE, "arguments": {HOSTILE: [HOSTILE]}}], "id": "hostile"}
    hostile = cases[0] | lost | {"tools": [{"name": HOSTILE, "parameters": {}}, tool]}
    _lines(folder / "cases.jsonl", [*cases, hostile])
    values = folder / "values.json"
    assert main(["fit", "values", str(folder / "cases.jsonl"), "-o", str(values), "-q"]) == 0
    operator = f"repairs(values={str(values)!r},slots=True)"
    suite(folder / "cases.jsonl", folder / "call-suite", [operator, "typo"], random=0)
    with serving() as (url, _):
        evaluate(folder / "call-suite", f"openai:{url}#m", shown.calls).close()


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _score(metric: str, ref: Path, hyp: Path, items: Path) -> None:
    sides = ["--ref", str(ref), "--hyp", str(hyp)]
    assert main(["score", metric, *sides, "--items", str(items), "--no-intervals"]) == 0


def _tone(path: Path) -> None:
    """Write four seconds of a tone."""
    rate = 8000
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        tone = (int(8000 * math.sin(i / 5)) for i in range(4 * rate))
        file.writeframes(b"".join(struct.pack("<h", value) for value in tone))
