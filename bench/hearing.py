"""Speakos and mondegreens: how near they sound, how many cross a boundary, and how fast.

    .venv/bin/python bench/hearing.py

Needs the real data sets beside the project (../shared/data). Seconds are of the processor, on one
core. Distances are in phonemes for each phoneme said, by phonological features.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import mondegreen as mg
from mondegreen.language.alike import sound_alikes
from mondegreen.language.hearing import mishear, spoken_phonemes
from mondegreen.language.ngram import END, START
from mondegreen.language.pronunciations import prepare, pronounced
from mondegreen.types import Edit, Utterance, Variant
from timing import best, machine

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "slu"
SETS = ("snips", "atis", "nlued")
FIRST = """
import time, mondegreen as mg
list(mg.perturb(["play some jazz"], "{}"))
print(time.process_time())
"""
Stretch = tuple[list[str], tuple[str, ...], tuple[str, ...]]


def cores(said: Utterance) -> list[str]:
    """The words of an utterance without punctuation."""
    return [token.strip(",.!?:;\"'()").lower() or token for token in said.tokens]


def stretch(said: Utterance, edit: Edit) -> Stretch:
    """The words that an edit replaces, and those on both sides."""
    words = cores(said)
    before, after = (START, *words[: edit.start])[-2:], (*words[edit.end :], END)[:2]
    return words[edit.start : edit.end], before, after


def mondegreens(name: str, data: list[Utterance]) -> None:
    """Print how near mondegreens sound and how many cross a boundary."""
    spent, variants = best(partial(perturbed, data, "mondegreen"), runs=1, clock=time.process_time)
    edits = [(v.parent, edit) for v in variants for edit in v.edits]
    distances, crossings = [], 0
    for said, edit in edits:
        words, before, after = stretch(said, edit)
        heard = tuple(token.strip(",.!?:;\"'()").lower() for token in edit.tokens)
        found = mishear(words, before=before, after=after, n=8)
        match = next((one for one in found if one.words == heard), None)
        if match is not None:
            distances.append(match.distance)
            crossings += match.crosses(spoken_phonemes(words)[1])
    print(
        f"| mondegreen | {name} | {len(data)} | {changed(variants):.1%} | {slots(variants):.1%} | "
        f"{statistics.median(distances):.3f} | {crossings / len(distances):.0%} | "
        f"{len(data) / spent:,.0f} |"
    )


def speakos(name: str, data: list[Utterance]) -> None:
    """Print how near speakos sound and how fast they are made, once the words are known."""
    variants = perturbed(data, "speako")
    spent, _ = best(partial(perturbed, data, "speako"), clock=time.process_time)
    distances = []
    for variant in variants:
        for edit in variant.edits:
            source = cores(variant.parent)[edit.start]
            found = sound_alikes(source, 5, among="spoken")
            near = {one.word: one.distance for one in found}
            heard = edit.tokens[0].strip(",.!?:;\"'()").lower()
            if heard in near:
                distances.append(near[heard] / 24 / len(pronounced(source).pronunciations[0]))
    print(
        f"| speako | {name} | {len(data)} | {changed(variants):.1%} | {slots(variants):.1%} | "
        f"{statistics.median(distances):.3f} | – | {len(data) / spent:,.0f} |"  # noqa: RUF001
    )


def perturbed(data: list[Utterance], operator: str) -> list[Variant]:
    """Return one variant of each utterance."""
    return list(mg.perturb(data, operator, seed=1))


def changed(variants: list[Variant]) -> float:
    """Return the share of utterances with exactly one edit."""
    return sum(len(variant.edits) == 1 for variant in variants) / len(variants)


def slots(variants: list[Variant]) -> float:
    """Return the share of utterances with an edit within a slot; all of them keep their slots."""
    inside = 0
    for variant in variants:
        assert len(variant.utterance.slots) == len(variant.parent.slots)
        inside += any(
            slot.start <= edit.start < slot.end
            for slot in variant.parent.slots
            for edit in variant.edits
        )
    return inside / len(variants)


def phrases(data: list[Utterance]) -> None:
    """Print how many phrases are heard a second: eight hearings of each."""
    found: list[Stretch] = []
    for said in data:
        for start in range(0, len(said.tokens) - 3, 3):
            found.append(stretch(said, Edit(start, start + 1 + len(found) % 4, (), "", "")))

    def hear_all() -> int:
        return sum(len(mishear(words, before=b, after=a)) for words, b, a in found)

    hear_all()
    spent, _ = best(hear_all, clock=time.process_time)
    print(f"\nphrases of one to four words, the eight best: {len(found) / spent:,.0f} a second")


def main() -> None:
    """Print all figures."""
    print(machine("pocketsphinx", "numpy") + "\n")
    print(
        "| operator | data | utterances | changed once | within a slot | distance | crossing | /s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in SETS:
        data = list(mg.read(DATA / name / "test"))
        prepare(token for said in data for token in said.tokens)
        mondegreens(name, data)
        speakos(name, data)
    phrases(list(mg.read(DATA / "snips" / "test")))
    for operator in ("speako", "mondegreen"):
        program = [sys.executable, "-c", FIRST.format(operator)]
        spent = subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()
        print(f"{operator}: first utterance out {float(spent):.2f} s after Python's start")


if __name__ == "__main__":
    main()
