"""A score as a Python object: alignments, frames, sums, pickles, numbers and notebooks."""

from __future__ import annotations

import math
import pickle

import pytest

import mondegreen as mg
from mondegreen.errors import DataError
from mondegreen.metrics.scores.score import Score

REFS = ["play some jazz", "stop", "turn <it> off"]
HYPS = ["play jaws", "stop now", "turn <it> off"]


@pytest.fixture
def score() -> Score:
    return mg.score.words(REFS, HYPS)


def test_steps_have_words_and_positions(score: Score) -> None:
    assert [tuple(step) for step in score.alignments[0]] == [
        ("match", "play", "play", 0, 0),
        ("deletion", "some", None, 1, None),
        ("substitution", "jazz", "jaws", 2, 1),
    ]
    assert len(score.alignments) == 3
    assert score.alignments[-1][0].ref == "turn"
    assert [len(steps) for steps in score.alignments[1:]] == [2, 3]
    with pytest.raises(IndexError):
        score.alignments[3]


def test_confusions(score: Score) -> None:
    assert score.confusions == {
        "substitutions": {("jazz", "jaws"): 1},
        "deletions": {("some",): 1},
        "insertions": {("now",): 1},
    }


def test_sums_keep_counts_only(score: Score) -> None:
    total = sum([score, score])
    assert isinstance(total, Score)
    assert total["wer"].value == score["wer"].value
    assert len(total) == 6
    with pytest.raises(DataError, match="has no alignments"):
        _ = total.alignments


@pytest.mark.parametrize(
    "score",
    [
        mg.score.words(REFS, HYPS),
        mg.score.fluency(["UH play"], ["play"]),
        mg.score.phonemes(["P L EY"], ["P L IY"]),
        mg.score.slu([["B-a", "O"]], [["B-a", "B-b"]]),
        mg.score.correctness([True, False], [True, True]),
    ],
    ids=lambda score: score.metric.name,
)
def test_scores_survive_pickling(score: Score) -> None:
    back = pickle.loads(pickle.dumps(score))  # noqa: S301 (our own bytes)
    assert back == score
    assert back.asdict() == score.asdict()
    assert list(back.items) == list(score.items)
    assert "<table" in back._repr_html_()


def test_alignments_survive_pickling(score: Score) -> None:
    back = pickle.loads(pickle.dumps(score))  # noqa: S301
    assert list(back.alignments) == list(score.alignments)
    assert float(pickle.loads(pickle.dumps(score["wer"]))) == 3 / 7  # noqa: S301


def test_a_measure_is_a_number(score: Score) -> None:
    wer = score["wer"]
    assert float(wer) == 3 / 7
    assert 0.4 < wer < 0.5
    assert wer == 3 / 7
    assert wer != 0.5
    assert f"{wer:.1%}" == "42.9%"
    assert max(score["cer"], wer) is not None
    nothing = mg.score.words([""], ["uh"])["wer"]
    assert math.isnan(float(nothing))
    assert not nothing < 1
    assert repr(nothing) == "<wer denominator is 0, 1 / 0>"


def test_frames_have_one_row_per_utterance(score: Score) -> None:
    for frame in (score.to_pandas(), score.to_polars(), score.to_arrow().to_pandas()):
        assert frame.shape[0] == 3
        assert list(frame["ref"]) == REFS
        assert list(frame["substitutions"]) == [1, 0, 0]


def test_types_of_slots_and_tags() -> None:
    slots = mg.score.slu([["B-city", "O"]], [["B-city", "B-day"]])
    assert slots.by_type["city"].f1 == 1
    tagged = mg.score.fluency(["uh play"], ["play"], tags=[["F", "O"]])
    assert tagged.by_type == {"F": {"dropped": 1}, "O": {"kept": 1}}


def test_a_notebook_shows_rates_and_the_worst_lines(score: Score) -> None:
    page = score._repr_html_().partition("</style>")[2]
    assert "WER 42.9 %" in page
    assert ">jazz</del> <ins" in page
    assert "Most errors" in page
    worst = page.partition("Most errors")[2]
    assert worst.index("jazz") < worst.index("jaws")
    assert worst.index("some") < worst.index("now")
