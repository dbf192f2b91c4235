"""Values show themselves in notebooks."""

from __future__ import annotations

import mondegreen as mg
from showing import HOSTILE, Shown


def test_a_variant_shows_its_edits_and_slots() -> None:
    utterance = mg.Utterance.of("1", f"play {HOSTILE}", [mg.Slot("song", 1, 2)], "play")
    [variant] = mg.perturb([utterance], "fillers", seed=3, once=True)
    shown = variant._repr_html_()
    [new] = [token for token in variant.utterance.tokens if token not in utterance.tokens]
    assert f">{new}</ins>" in shown
    assert '<span class="chip-label">song</span>' in shown
    assert HOSTILE not in shown


def test_a_score_and_a_comparison_show_their_rates() -> None:
    refs = ["play some jazz"] * 10
    score = mg.score.words(refs, ["play sum jazz"] * 10)
    assert "WER 33.3 %" in score._repr_html_()
    shown = score.compare(mg.score.words(refs, refs))._repr_html_()
    assert "\N{MINUS SIGN}33.33" in shown
    assert "10 utterances are right only in the second" in shown


def test_a_run_and_a_comparison_of_runs_show_their_sets(shown: Shown) -> None:
    with mg.open_run(shown.run) as run:
        drawn = run._repr_html_()
    assert "as written" in drawn
    assert "fillers.<wbr>bos" in drawn
    both = mg.compare(shown.run, shown.other)._repr_html_()
    assert "other against run" in both


def test_the_style_stays_inside(shown: Shown) -> None:
    with mg.open_run(shown.run) as run:
        style = run._repr_html_().partition("<style>")[2].partition("</style>")[0]
    assert style.startswith(".mondegreen {")
    assert ":root" not in style
    assert style.count("{") == style.count("}")
