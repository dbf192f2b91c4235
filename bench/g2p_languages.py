"""Phoneme error of the kind of CRF that gruut ships, on words of its lexicons kept apart.

The CRFs that ship have seen the whole lexicon, so this trains the same kind of model, with the same
features, on a part of the aligned words, and judges it on others: no word, and none of its forms
with the same first six letters, is in both parts.

    python bench/g2p_languages.py de it nl [--words 20000]
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import zlib
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path

import pycrfsuite
from rapidfuzz.distance import Levenshtein

from mondegreen.language.sounds.tongues import features_of, plain_sound

STEM = 6
SHARE = 10


def aligned(code: str) -> list[tuple[str, list[str]]]:
    """Return words with the phonemes of each letter."""
    spec = find_spec(f"gruut_lang_{code}")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).with_name("lexicon.db")
    found = []
    with sqlite3.connect(path) as lexicon:
        rows = lexicon.execute("SELECT alignment FROM g2p_alignments").fetchall()
    for (text,) in rows:
        letters, sounds = [], []
        for part in text.split():
            written, said = part.split("}", maxsplit=1)
            for letter, sound in zip_longest(written.split("|"), [said]):
                letters.append((letter or "").lower())
                sounds.append(sound or "_")
        word = "".join(letters)
        if len(word) == len(letters) > 1 and word.isalpha():
            found.append((word, [plain(one) for one in sounds]))
    return found


def plain(sound: str) -> str:
    """Return sounds without stress."""
    return "|".join(plain_sound(one) for one in sound.split("|"))


def spoken(sounds: list[str]) -> list[str]:
    """Return the phonemes of a word."""
    return [one for sound in sounds for one in sound.split("|") if one != "_"]


def main() -> None:
    """Train, judge and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("codes", nargs="+")
    parser.add_argument("--words", type=int, default=20_000)
    given = parser.parse_args()
    for code in given.codes:
        words = aligned(code)
        part = [zlib.crc32(word[:STEM].encode()) % SHARE for word, _ in words]
        apart = [one for one, n in zip(words, part, strict=True) if n == 0]
        apart = apart[:: max(1, len(apart) // 3000)]  # spread over the alphabet
        rest = [one for one, n in zip(words, part, strict=True) if n]
        step = max(1, len(rest) // given.words)
        trainer = pycrfsuite.Trainer(algorithm="ap", verbose=False)
        for word, sounds in rest[::step]:
            trainer.append(features_of(word), sounds)
        trainer.set_params({"max_iterations": 12})
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/model.crf"
            trainer.train(path)
            tagger = pycrfsuite.Tagger()
            tagger.open(path)
            errors = total = 0
            for word, sounds in apart:
                said, made = spoken(sounds), spoken(tagger.tag(features_of(word)))
                errors += Levenshtein.distance(said, made)
                total += len(said)
        print(
            code, f"{len(rest[::step])} words", f"apart {len(apart)}", f"PER {errors / total:.4f}"
        )


if __name__ == "__main__":
    main()
