"""Marks such as <unk> and [noise] are no words: they are named, left out, and never written."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError
from mondegreen.language.simulation.marks import UNHEARD, unmarked
from mondegreen.language.simulation.profile import read_recogniser
from mondegreen.metrics.realism import realism
from mondegreen.variants import perturb

MARKED = (
    ("[noise] play < unk > now", "play ʘ now"),
    ("play @@UNKNOWN@@ %hesitation now", "play ʘ now"),
    ("play unk now ++cough++", "play ʘ now"),
    ("play *** (laughter) now <inaudible>", "play now ʘ"),
    ("play 50 % of c+b+a (maybe) now", "play 50 % of c+b+a (maybe) now"),
)


@pytest.mark.parametrize(("hyp", "left"), MARKED)
def test_marks_are_no_words(hyp: str, left: str) -> None:
    assert unmarked(["play jazz now"], [hyp]).hyps == [left]


def test_a_mark_without_brackets_is_a_word_if_it_is_said() -> None:
    assert unmarked(["unk is a word here"], ["unk is a mark here"]).hyps == ["unk is a mark here"]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("keep", [True, False])
def test_marks_are_named_and_never_written_unless_asked(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    keep: bool,  # noqa: FBT001
) -> None:
    texts = [one.text for one in sample()][:150]
    rng = random.Random(1)
    heard = [
        " ".join(rng.choice(["< unk >", word]) if rng.random() < 0.4 else word for word in words)
        for words in map(str.split, texts)
    ]
    pairs, profile = tmp_path / "pairs.tsv", tmp_path / "p.json"
    rows = "".join(f"{ref}\t{hyp} [noise]\n" for ref, hyp in zip(texts, heard, strict=True))
    pairs.write_text("ref\thyp\n" + rows, encoding="utf-8")
    fit = ["fit", "recogniser", str(pairs), "-o", str(profile), "-q"]
    assert main([*fit, *["--keep-marks"] * keep]) == 0
    assert ("'[noise]' 150 times" in capsys.readouterr().err) != keep
    made = perturb(texts, f"recogniser(profile='{profile}', wer=0.4)", seed=1)
    written = Counter(word for one in made for edit in one.edits for word in edit.tokens)
    assert bool(written["unk"]) == bool(written["noise"]) == keep
    assert written
    assert read_recogniser(str(profile)).rates.deletions == 0  # an unknown word is not a lost one


def test_the_embedded_profile_has_no_marks() -> None:
    profile = read_recogniser("")
    assert not {"unk", "unknown", UNHEARD} & {*profile.hyp_words}
    outcomes = {word for counts in profile.heard.values() for one in counts for word in one.split()}
    assert not {"unk", "unknown", UNHEARD} & outcomes


def test_realism_leaves_out_marks() -> None:
    refs = [one.text for one in sample()]
    heard = [ref.replace("the", "a") for ref in refs]
    marked = [f"{hyp} [noise]" for hyp in heard]
    with_unknown = [hyp.replace(" a ", " <unk> ") for hyp in heard]
    assert realism(refs, marked, heard).auc == realism(refs, heard, heard).auc
    with pytest.raises(DataError, match="utterances have errors"):
        realism(refs, with_unknown, heard)
