"""Disfluencies learnt from pairs of a fluent and a disfluent text, and the profile of requests."""

from __future__ import annotations

import random
import re
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from fit_disfluency import requests_profile
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.disfluency.lexicon import ENGLISH
from mondegreen.language.disfluency.pairs import inserted, lexicon_of, marked_by_pairs
from mondegreen.language.disfluency.profile import (
    named_profile,
    profile_languages,
    profile_of_pairs,
    read_profile,
)

CASES = [
    # fluent, disfluent, roles of the words
    ("play jazz", "play uh jazz", "O F O"),
    ("send a text", "send a a text", "O RM O O"),
    ("send a text", "send a te text", "O O RM O"),
    ("get my ETA.", "Get my, um, my ETA.", "O RM F O O"),
    ("to boston", "to denver I mean to boston", "RM RM E E O O"),
    ("Sal at 5", "Sal at 6, actually 5", "O O RM D O"),
]


@pytest.mark.parametrize(("fluent", "disfluent", "roles"), CASES)
def test_the_words_of_a_pair_have_roles(fluent: str, disfluent: str, roles: str) -> None:
    [turn] = marked_by_pairs([(fluent, disfluent)], ENGLISH)
    assert " ".join(turn.roles) == roles


@given(st.lists(st.sampled_from("abc"), max_size=6), st.data())
def test_what_was_inserted_can_be_taken_out(fluent: list[str], data: st.DataObject) -> None:
    disfluent = list(fluent)
    for _ in range(data.draw(st.integers(0, 4))):
        disfluent.insert(
            data.draw(st.integers(0, len(disfluent))), data.draw(st.sampled_from("abx"))
        )
    flags = inserted(fluent, disfluent)
    assert flags is not None
    kept = [word for word, flag in zip(disfluent, flags, strict=True) if not flag]
    assert kept == fluent


def test_pauses_and_terms_are_learnt() -> None:
    said = [("spiel musik", f"spiel {word} musik") for word in ("öhö", "öhö", "öhö", "eins")]
    assert "öhö" in lexicon_of(said, ENGLISH).pauses
    assert "eins" not in lexicon_of(said, ENGLISH).interjections


@pytest.mark.parametrize("language", sorted(profile_languages("assistant")))
def test_the_profile_of_requests_is_fitted_to_the_pairs(language: str, shared: Path) -> None:
    profile = requests_profile(shared / "data", language)
    assert profile == named_profile("assistant", language)
    assert profile.gaps is not None
    longest = max(len(key.split()) for key in profile.gaps.pairs)
    assert longest == 2  # no sentence is stored, only single words and pairs of them


def test_fit_learns_from_a_table_of_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "mine.json"
    pairs.write_text("id\tfluent\tdisfluent\n1\tplay jazz\tplay uh jazz\n2\tstop\tst stop\n")
    assert main(["fit", "disfluency", str(pairs), "-o", str(out)]) == 0
    assert "filler" in capsys.readouterr().err
    profile = read_profile(str(out))
    assert (profile.count("filler"), profile.count("partial"), profile.cuts) == (1, 1, (0, 1))
    pairs.write_text('{"fluent": "stop", "disfluent": "uh stop"}\n{"fluent": "stop"}\n')
    assert (
        main(["fit", "disfluency", str(pairs), "-o", str(out), "--format", "jsonl", "--force"]) == 1
    )
    assert "there is no 'disfluent'" in capsys.readouterr().err


def test_pairs_without_insertions_are_an_error() -> None:
    with pytest.raises(DataError, match="no pair has words that were inserted"):
        profile_of_pairs([("play jazz", "play rock")])


@pytest.mark.parametrize("language", ["de", "fr", "hi"])
def test_other_languages_get_their_own_words(language: str, shared: Path) -> None:
    table = shared / "data" / "disco" / f"{language}.tsv"
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()][:300]
    texts = [row[1] for row in rows if len(row[1].split()) > 1]
    variants = list(mg.perturb(texts, "disfluencies", seed=1, language=language))
    assert sum(bool(variant.edits) for variant in variants) > 0.98 * len(texts)
    lexicon = named_profile("assistant", language).words_of_speech
    english = {"i", "mean", "sorry", "well", "no"} - set(lexicon.interjections)
    said = {
        word
        for variant in variants
        for edit in variant.edits
        if edit.kind != "partial"
        for word in edit.tokens
    }
    assert not said & english
    with pytest.raises(OperatorError, match="no profile was fitted to Swedish"):
        mg.operator("disfluencies(language=sv)")


def test_words_break_off_as_in_requests() -> None:
    for variant in mg.perturb(sample("train"), "partials", seed=2, once=True):
        assert all("-" not in token or "-" in variant.parent.text for edit in variant.edits
                   for token in edit.tokens)  # fmt: skip
    old = list(mg.perturb(sample("train"), "partials(profile=conversation)", seed=2, once=True))
    assert any(token.endswith("-") for v in old for edit in v.edits for token in edit.tokens)


def _features(fluent: list[str], disfluent: list[str]) -> set[str]:
    """Return what a classifier sees: the words around and in what was added."""
    found = set()
    for tag, a, b, c, d in SequenceMatcher(None, fluent, disfluent, autojunk=False).get_opcodes():
        if tag != "equal":
            found |= {f"+{word}" for word in disfluent[c:d]}
            found |= {f"<{fluent[a - 1] if a else ''}", f">{fluent[b] if b < len(fluent) else ''}"}
            found.add("_".join(disfluent[c:d]) + f"@{min(d - c, 4)}")
    return found


def test_requests_can_hardly_be_told_from_those_of_people(shared: Path, tmp_path: Path) -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    text = pytest.importorskip("sklearn.feature_extraction.text")
    metrics = pytest.importorskip("sklearn.metrics")
    lines = (shared / "data" / "disco" / "en.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t")[:3] for line in lines]
    texts = sorted({row[1] for row in rows})
    random.Random(1).shuffle(texts)
    fitted = set(texts[: len(texts) // 2])
    profile = tmp_path / "half.json"
    profile_of_pairs([(row[1], row[2]) for row in rows if row[1] in fitted]).save(profile)
    others = [row for row in rows if row[1] not in fitted and len(row[1].split()) > 2]
    data = [mg.Utterance.of(id, fluent) for id, fluent, _ in others]
    op = f"disfluencies(profile={str(profile)!r})"
    made = {v.parent.id: v.utterance.text for v in mg.perturb(data, op, seed=1)}
    bare = [[re.sub(r"[^\w\s'’-]", " ", one.lower()).split() for one in (f, d, made[id])]
            for id, f, d in others]  # fmt: skip
    bare = [row for row in bare if row[0] not in (row[1], row[2])]
    documents = [_features(f, d) for f, d, _ in bare] + [_features(f, m) for f, _, m in bare]
    x = text.CountVectorizer(analyzer=lambda one: one, min_df=2).fit_transform(documents)
    y = np.r_[np.ones(len(bare)), np.zeros(len(bare))]
    train = np.tile(np.arange(len(bare)) % 2 == 0, 2)
    model = linear.LogisticRegression(C=0.3, max_iter=1000).fit(x[train], y[train])
    auc = metrics.roc_auc_score(y[~train], model.predict_proba(x[~train])[:, 1])
    assert auc < 0.66
