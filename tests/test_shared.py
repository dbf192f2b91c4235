"""On the real data sets: read, write, perturb; skipped where they are not beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from mondegreen.data import read, write
from mondegreen.operators import OPERATORS
from mondegreen.types import Utterance
from mondegreen.variants import perturb

SLU = {"atis/test": 893, "snips/test": 700, "nlued/test": 2543, "atis/valid": 500}


@pytest.mark.parametrize(("part", "count"), SLU.items())
@pytest.mark.parametrize("target", ["again", "again.conll", "again.jsonl", "again.parquet"])
def test_data_sets_come_back(
    shared: Path, part: str, count: int, target: str, tmp_path: Path
) -> None:
    data = list(read(shared / "data/slu" / part))
    assert len(data) == count
    write(data, tmp_path / target)
    assert list(read(tmp_path / target)) == data


@pytest.mark.parametrize("part", ["atis/test", "snips/test", "nlued/test"])
def test_a_folder_comes_back_byte_for_byte(shared: Path, part: str, tmp_path: Path) -> None:
    write(read(shared / "data/slu" / part), tmp_path / "again")
    for name in ("seq.in", "label"):
        assert (tmp_path / "again" / name).read_text() == (
            shared / "data/slu" / part / name
        ).read_text()


LEAST = {
    "disfluencies": 0.3,
    "antonym": 0.4,
    "tfidf": 0.9,
    "recogniser": 0.4,
    "repairs": 0.98,
    "spelling": 0.98,
    "spoken": 0.2,
    "synonyms.verb": 0.55,
    "synonyms.adjective": 0.55,
    "synonyms.adverb": 0.55,
    "synonyms.any": 0.55,
    "synonyms.stopword": 0.55,
}
"""The share that is changed: not every utterance has a disfluency, an opposite, a number, an error
or a word with a fitting substitute."""


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("part", ["atis/test", "snips/test", "nlued/test"])
def test_labels_are_kept(shared: Path, part: str, name: str) -> None:
    changed = total = 0
    for variant in perturb(read(shared / "data/slu" / part), name, seed=1):
        said, heard = variant.parent, variant.utterance
        assert [slot.label for slot in said.slots] == [slot.label for slot in heard.slots]
        for before, after in zip(said.slots, heard.slots, strict=True):
            assert variant.origin[after.start] == before.start
            last = variant.origin[after.end - 1]
            assert last is not None
            assert before.start <= last < before.end  # fewer words may stand for the slot's
        changed += bool(variant.edits)
        total += 1
    assert changed > LEAST.get(name, 0.99) * total


@pytest.mark.parametrize(
    ("file", "count", "first"),
    [
        ("asr/earnings21/ref.tsv", 44, "Good morning ladies"),
        ("asr/sclite/csrnab.ref", 51, "AS COMPETITION IN"),
        ("text/earnings22.txt", 56_643, ""),
        ("text/movie_reviews.jsonl", 2000, "plot : two teen"),
        ("disfluency/switchboard_sample/marked.txt", 3724, ""),
    ],
)
def test_other_files_are_read_as_they_are(shared: Path, file: str, count: int, first: str) -> None:
    data = list(read(shared / "data" / file))
    assert len(data) == count
    assert data[0].text.startswith(first)
    for said in data[:50]:
        assert said.text.split() == [word for token in said.tokens for word in token.split()]


def test_switchboard_turns_have_tags_that_are_no_slots(shared: Path) -> None:
    """Their tags mark disfluencies (RM, F, D …), one a word: not BIO, so read as a plain column."""
    path = shared / "data/disfluency/switchboard_sample/turns.tsv"
    assert path.read_text().startswith("id\twords\ttags\n")


def test_golden_conll_is_read(shared: Path) -> None:
    data = list(read(shared / "golden/slots/well-formed.conll.txt", "conll"))
    assert len(data) == 2000
    assert all(isinstance(said, Utterance) for said in data)
