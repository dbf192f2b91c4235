"""Synonyms: utterances per second on one core, by the thesaurus and by the masked model.

    OMP_NUM_THREADS=1 python bench/synonyms.py

Needs the real data sets beside the project (../shared/data). The thesaurus is timed on new
utterances of known words, and on the same utterances again; the model on new utterances.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import mondegreen as mg
from mondegreen.language.vocabulary.masked import masked_words
from timing import machine

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "slu"
OPERATORS = tuple(f"synonyms.{kind}" for kind in ("verb", "adjective", "adverb", "any", "stopword"))
FIRST_USE = "import mondegreen as mg; next(iter(mg.perturb(['book a table'], 'synonyms.verb')))"


def utterances() -> list[mg.Utterance]:
    """Return every distinct utterance of the three sets, shuffled."""
    found = {
        utterance.text: utterance
        for name in ("atis", "snips", "nlued")
        for part in ("train", "valid", "test")
        for utterance in mg.read(DATA / name / part)
    }
    shuffled = [found[text] for text in sorted(found)]
    random.Random(1).shuffle(shuffled)
    return shuffled


def speed(data: list[mg.Utterance], operator: str) -> float:
    """Return utterances per second of processor time; check that they are changed."""
    start = time.process_time()
    made = list(mg.perturb(data, operator, seed=1))
    seconds = time.process_time() - start
    assert sum(bool(variant.edits) for variant in made) > 0.98 * len(data)
    return len(data) / seconds


def main() -> None:
    """Print a table."""
    print(machine("mondegreen", "onnxruntime", "tokenizers"))
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", FIRST_USE], check=True)
    print(f"first use, from the start of Python: {time.perf_counter() - start:.2f} s")
    data = utterances()
    known, for_model = data[:20_000], data[-1_000:]
    words = {token for utterance in known for token in utterance.tokens}
    new = [utterance for utterance in data[20_000:-1_000] if words.issuperset(utterance.tokens)]
    print(f"{len(new):,} new utterances of known words")
    print("| operator | words known, utterances new | seen before | mlm |\n|---|---|---|---|")
    for operator in OPERATORS:
        list(mg.perturb(known, operator, seed=1))
        unseen, again = speed(new, operator), speed(new, operator)
        masked_words()._cache.clear()  # noqa: SLF001 (a cold start is what is timed)
        model = speed(for_model, f"{operator}(source=mlm)")
        print(f"| {operator} | {unseen:,.0f} | {again:,.0f} | {model:,.0f} |")


if __name__ == "__main__":
    main()
