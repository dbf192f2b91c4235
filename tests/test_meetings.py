"""Meetings: sessions that are missing, who spoke when, and errors by their cause."""

from __future__ import annotations

import builtins
import json
import random
from pathlib import Path
from typing import Any

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import DataError
from mondegreen.metrics.diarization import SCALE, SpeakerTurn, session_times


def segment(session: str, speaker: str, words: str, start: float = 0, end: float = 1) -> Any:
    times = {"start_time": start, "end_time": end}
    return {"session_id": session, "speaker": speaker, "words": words, **times}


REF = [segment("m1", "A", "hello there"), segment("m1", "B", "good day", 1, 2)]
HYP = [segment("m1", "x", "hello their"), segment("m1", "x", "good day", 1, 2)]


def test_27_22_json_needs_no_simplejson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("meeteval")
    load = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "simplejson":
            raise ImportError(name)
        return load(name, *rest)

    paths = [tmp_path / "ref.json", tmp_path / "hyp.json"]
    for path, side in zip(paths, (REF, HYP), strict=True):
        path.write_text(json.dumps(side))
    monkeypatch.setattr(builtins, "__import__", without)
    assert mg.score.meetings(*paths)["wer"].value == 1


def test_27_22_a_session_that_is_missing_is_not_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("meeteval")
    refs = [*REF, segment("m2", "A", "nobody heard this")]
    with pytest.raises(DataError, match="session 'm2' has no hypotheses"):
        mg.score.meetings(refs, HYP)
    assert mg.score.meetings(refs, HYP, missing="empty")["wer"].denominator == 7
    with pytest.warns(UserWarning, match="1 sessions that only one side has are left out"):
        assert mg.score.meetings(refs, HYP, missing="skip")["wer"].denominator == 4
    paths = [tmp_path / "ref.json", tmp_path / "hyp.json"]
    for path, side in zip(paths, (refs, HYP), strict=True):
        path.write_text(json.dumps(side))
    files = ["score", "meetings", "--ref", str(paths[0]), "--hyp", str(paths[1])]
    assert main(files) == 1
    assert "session 'm2' has no hypotheses" in capsys.readouterr().err
    assert main([*files, "--missing", "empty"]) == 0


def test_27_22_errors_are_of_recognition_or_of_attribution() -> None:
    meeteval = pytest.importorskip("meeteval")
    score = mg.score.meetings(REF, HYP, split=True)
    sides = [meeteval.io.asseglst(side) for side in (REF, HYP)]
    assert score["recognition_wer"].numerator == meeteval.wer.orcwer(*sides)["m1"].errors == 1
    both = score["recognition_wer"].numerator + score["attribution_wer"].numerator
    assert both == score["wer"].numerator == meeteval.wer.cpwer(*sides)["m1"].errors
    assert score["attribution_wer"].interval() is not None
    with pytest.raises(DataError, match="only the errors of cp and tcp can be split"):
        mg.score.meetings(REF, HYP, way="orc", split=True)


def test_27_22_who_spoke_when_in_rttm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "SPEAKER m 1 {} {} <NA> <NA> {} <NA> <NA>\n"
    (tmp_path / "r.rttm").write_text(line.format(0, 10, "A") + line.format(12, 8, "B"))
    (tmp_path / "h.rttm").write_text(line.format(2, 11, "x") + line.format(13, 7, "y"))
    files = ["--ref", str(tmp_path / "r.rttm"), "--hyp", str(tmp_path / "h.rttm")]
    assert main(["score", "meetings", *files, "--der", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert found["der"]["value"] == pytest.approx(5 / 18)
    assert main(["score", "meetings", *files]) == 1
    assert "RTTM is for --der" in capsys.readouterr().err
    (tmp_path / "r.rttm").write_text("SPEAKER m 1 zero 10\n")
    assert main(["score", "meetings", *files, "--der"]) == 1
    assert "r.rttm, line 1: a line of RTTM has" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore")
def test_27_22_der_is_pyannotes() -> None:
    core = pytest.importorskip("pyannote.core")
    metrics = pytest.importorskip("pyannote.metrics.diarization")
    rng = random.Random(22)
    for _ in range(60):
        sides = [_random_turns(rng) for _ in range(2)]
        tracks = []
        for side in sides:
            track = core.Annotation()
            for number, turn in enumerate(side):
                track[core.Segment(turn.start, turn.end), number] = turn.speaker
            tracks.append(track)
        whole = core.Timeline([core.Segment(0, 400)])
        theirs = metrics.DiarizationErrorRate()(*tracks, uem=whole)
        times = session_times(*sides)
        ours = (times.missed + times.false_alarm + times.confused) / times.total
        assert ours == pytest.approx(theirs, abs=1e-6)
        assert times.total == pytest.approx(SCALE * sum(t.end - t.start for t in sides[0]), abs=1)


def _random_turns(rng: random.Random) -> list[SpeakerTurn]:
    """Return turns of several speakers, who may speak at the same time, but not with themselves."""
    found = []
    for speaker in range(rng.randint(1, 5)):
        at = 0.0
        for _ in range(rng.randint(1, 6)):
            start = round(at + rng.uniform(0.1, 20), 3)
            at = round(start + rng.uniform(0.1, 15), 3)
            found.append(SpeakerTurn("m", f"s{speaker}", start, at))
    return found
