"""Pronunciations: the dictionary, reading aloud, the model, and distances in sound."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import DataError
from mondegreen.kernel import Alike
from mondegreen.kernel import search as twin
from mondegreen.language.reading import spoken
from mondegreen.language.sounds.g2p import G2p
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.pronunciations import dictionary, pronounced
from mondegreen.metrics.words.phonetic import substitutions, transcripts, word_distance
from mondegreen.metrics.words.steps import confusions
from mondegreen.resources import read_resource

READ = [
    ("7:30", "seven thirty"), ("12:00", "twelve o'clock"), ("9:05", "nine oh five"),
    ("21:00", "twenty one hundred"), ("60s", "sixties"), ("1980s", "nineteen eighties"),
    ("1st", "first"), ("22nd", "twenty second"), ("12th", "twelfth"), ("30th", "thirtieth"),
    ("mp3", "mp three"), ("3.5", "three point five"), ("$1", "one dollar"),
    ("£20", "twenty pounds"),
    ("1,204", "one thousand two hundred four"), ("2007", "two thousand seven"),
    ("1999", "nineteen ninety nine"), ("1905", "nineteen oh five"), ("1900", "nineteen hundred"),
    ("007", "oh oh seven"), ("50%", "fifty percent"), ("0", "zero"), ("1000000", "one million"),
    ("110", "one hundred ten"), ("b&b", "b and b"),
]  # fmt: skip


@pytest.mark.parametrize(("token", "words"), READ)
def test_reading_aloud(token: str, words: str) -> None:
    assert " ".join(spoken(token)) == words


def test_the_dictionary_comes_first_with_all_alternatives() -> None:
    tomato = pronounced("tomato")
    assert tomato.source == "dictionary"
    assert [" ".join(one) for one in tomato.pronunciations] == ["T AH M EY T OW", "T AH M AA T OW"]
    assert pronounced("Tomato!").pronunciations == tomato.pronunciations
    assert len(dictionary()) > 120_000


@pytest.mark.parametrize(
    ("token", "source", "phonemes"),
    [
        ("sxsw", "aloud", "EH S EH K S EH S D AH B AH L Y UW"),
        ("mp3", "aloud", "EH M P IY TH R IY"),
        ("60s", "aloud", "S IH K S T IY Z"),
        ("7:30", "aloud", "S EH V AH N TH ER T IY"),
        ("tokenizer", "model", "T OW K AH N AY Z ER"),
    ],
)
def test_tokens_that_are_not_in_the_dictionary(token: str, source: str, phonemes: str) -> None:
    found = pronounced(token)
    assert found.source == source
    assert phonemes in [" ".join(one) for one in found.pronunciations]


@pytest.mark.parametrize("token", ["", "👍", "…", "你好", "x" * 100, "naïve", "l'été", "--", "²"])
def test_odd_tokens(token: str) -> None:
    known = set(feature_system("hayes-arpabet").symbols)
    for pronunciation in pronounced(token).pronunciations:
        assert set(pronunciation) <= known


def test_the_model_on_held_out_words() -> None:
    """A sample of the held-out tenth, on which the phoneme error rate is 5.4 %."""

    def held_out(word: str) -> bool:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") % 10 == 0

    words = [w for w in sorted(dictionary()) if w.isalpha() and len(w) > 1 and held_out(w)][::12]
    guesses = G2p.load(read_resource("g2p.npz")).phonemes(words)
    errors = total = 0
    for word, guess in zip(words, guesses, strict=True):
        refs = [phonemes.split() for phonemes in dictionary()[word]]
        distance, length = min((Levenshtein.distance(ref, guess), len(ref)) for ref in refs)
        errors += distance
        total += length
    assert len(words) > 900
    assert errors / total < 0.07


def test_ipa_and_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert mg.pronounce("house", "ipa")[0].pronunciations == (("h", "a͡ʊ", "s"),)
    with pytest.raises(DataError, match="the alphabet must be arpabet or ipa"):
        mg.pronounce("house", "sampa")
    assert main(["pronounce", "play sxsw", "--alphabet", "ipa"]) == 0
    assert "p l e͡ɪ" in capsys.readouterr().out
    assert main(["pronounce", "house", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"token": "house", "pronunciations": [["HH", "AW", "S"]], "source": "dictionary"}
    ]


def test_distances_of_words_by_sound() -> None:
    near, far = word_distance("watch", "which"), word_distance("watch", "banana")
    assert near is not None
    assert far is not None
    assert near < 0.15
    assert far > 0.5
    assert word_distance("decent", "descent") is not None
    assert word_distance("two", "too") == 0
    assert word_distance("play", "👍") is None


def test_scores_of_words_by_sound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score = mg.score.words(["watch this now", "go"], ["which this banana", "go"])
    heard = substitutions(confusions(score)["substitutions"])
    assert [(h.ref, h.hyp) for h in heard] == [("watch", "which"), ("now", "banana")]
    rate = transcripts(score)["feature_error_rate"].value
    assert rate is not None
    assert 0 < rate < 1
    (tmp_path / "r.txt").write_text("watch this\n")
    (tmp_path / "h.txt").write_text("which this\n")
    files = ["--ref", str(tmp_path / "r.txt"), "--hyp", str(tmp_path / "h.txt"), "--phonetic"]
    assert main(["score", "words", *files, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["phonetic"]
    assert found["substitutions"][0]["times"] == 1
    assert main(["score", "words", *files]) == 0
    assert "watch → which" in capsys.readouterr().out


@given(
    st.lists(st.lists(st.integers(0, 39), max_size=5), max_size=25),
    st.lists(st.integers(0, 39), max_size=6),
    st.integers(0, 8),
)
def test_kernel_and_twin_find_the_same_nearest_sequences(
    entries: list[list[int]], query: list[int], n: int
) -> None:
    table, indel = feature_system("hayes-arpabet").costs
    flat = [cost for row in table for cost in row]
    fast, slow = Alike(entries, flat, indel), twin.Alike(entries, flat, indel)
    assert fast.find(query, n) == slow.find(query, n)


def test_sound_alikes() -> None:
    assert mg.sound_alikes("right", 3)[0].distance == 0
    assert {alike.word for alike in mg.sound_alikes("right", 3)} == {"write", "wright", "rite"}
    assert "ship" in {alike.word for alike in mg.sound_alikes("sheep", 3)}
    plain = mg.sound_alikes("sheep", 3, distance="phonemes")
    assert [alike.distance for alike in plain] == [1.0, 1.0, 1.0]
    assert mg.sound_alikes("👍") == []
    with pytest.raises(DataError, match="the distance must be features or phonemes"):
        mg.sound_alikes("right", distance="letters")


def test_sound_alikes_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pronounce", "right", "--alike", "3"]) == 0
    assert "sounds like write (0)" in capsys.readouterr().out
    assert main(["pronounce", "right", "--alike", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["alike"] == [{"word": "write", "distance": 0.0}]
