"""Speakos and mondegreens: their distance in sound, crossed word boundaries, and speed.

    .venv/bin/python bench/hearing.py

Needs the real data sets beside the project (../shared/data). Seconds are processor time on one
core. Distances are phonological, in phonemes per phoneme of the source.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import mondegreen as mg
from mondegreen.language.sounds.alike import sound_alikes
from mondegreen.language.sounds.hearing import mishear, spoken_phonemes
from mondegreen.language.sounds.pronunciations import prepare, pronounced
from mondegreen.language.vocabulary.ngram import END, START
from mondegreen.types import Edit, Utterance, Variant
from timing import best, machine

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "slu"
SETS = ("snips", "atis", "nlued")
FIRST = """
import time, mondegreen as mg
list(mg.perturb(["play some jazz"], "{}"))
print(time.process_time())
"""
Phrase = tuple[list[str], tuple[str, ...], tuple[str, ...]]


def plain_words(utterance: Utterance) -> list[str]:
    """Return the words of an utterance without punctuation."""
    return [token.strip(",.!?:;\"'()").lower() or token for token in utterance.tokens]


def phrase(utterance: Utterance, edit: Edit) -> Phrase:
    """Return the words that an edit replaces, and the words on both sides."""
    words = plain_words(utterance)
    before, after = (START, *words[: edit.start])[-2:], (*words[edit.end :], END)[:2]
    return words[edit.start : edit.end], before, after


def mondegreens(name: str, data: list[Utterance]) -> None:
    """Print the distances of mondegreens and how many cross a word boundary."""
    seconds, variants = best(
        partial(perturbed, data, "mondegreen"), runs=1, clock=time.process_time
    )
    edits = [(v.parent, edit) for v in variants for edit in v.edits]
    distances, crossings = [], 0
    for utterance, edit in edits:
        words, before, after = phrase(utterance, edit)
        heard = tuple(token.strip(",.!?:;\"'()").lower() for token in edit.tokens)
        found = mishear(words, before=before, after=after, n=8)
        match = next((one for one in found if one.words == heard), None)
        if match is not None:
            distances.append(match.distance)
            crossings += match.crosses(spoken_phonemes(words)[1])
    print(
        f"| mondegreen | {name} | {len(data)} | {changed(variants):.1%} | {slots(variants):.1%} | "
        f"{statistics.median(distances):.3f} | {crossings / len(distances):.0%} | "
        f"{len(data) / seconds:,.0f} |"
    )


def speakos(name: str, data: list[Utterance]) -> None:
    """Print the distances of speakos and the speed with a warm cache."""
    variants = perturbed(data, "speako")
    seconds, _ = best(partial(perturbed, data, "speako"), clock=time.process_time)
    distances = []
    for variant in variants:
        for edit in variant.edits:
            source = plain_words(variant.parent)[edit.start]
            found = sound_alikes(source, 5, among="spoken")
            near = {one.word: one.distance for one in found}
            heard = edit.tokens[0].strip(",.!?:;\"'()").lower()
            if heard in near:
                distances.append(near[heard] / 24 / len(pronounced(source).pronunciations[0]))
    print(
        f"| speako | {name} | {len(data)} | {changed(variants):.1%} | {slots(variants):.1%} | "
        f"{statistics.median(distances):.3f} | – | {len(data) / seconds:,.0f} |"  # noqa: RUF001
    )


def perturbed(data: list[Utterance], operator: str) -> list[Variant]:
    """Return one variant per utterance."""
    return list(mg.perturb(data, operator, seed=1))


def changed(variants: list[Variant]) -> float:
    """Return the share of utterances with exactly one edit."""
    return sum(len(variant.edits) == 1 for variant in variants) / len(variants)


def slots(variants: list[Variant]) -> float:
    """Return the share of utterances with an edit inside a slot; check that slots are kept."""
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
    """Print how many phrases are searched per second, with eight results each."""
    found: list[Phrase] = []
    for utterance in data:
        for start in range(0, len(utterance.tokens) - 3, 3):
            found.append(phrase(utterance, Edit(start, start + 1 + len(found) % 4, (), "", "")))

    def hear_all() -> int:
        return sum(len(mishear(words, before=b, after=a)) for words, b, a in found)

    hear_all()
    seconds, _ = best(hear_all, clock=time.process_time)
    speed = len(found) / seconds
    print(f"\nphrases of one to four words, eight results each: {speed:,.0f} per second")


def main() -> None:
    """Print all figures."""
    print(machine("pocketsphinx", "numpy") + "\n")
    print(
        "| operator | data | utterances | changed once | within a slot | distance | crossing | /s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in SETS:
        data = list(mg.read(DATA / name / "test"))
        prepare(token for utterance in data for token in utterance.tokens)
        mondegreens(name, data)
        speakos(name, data)
    phrases(list(mg.read(DATA / "snips" / "test")))
    for operator in ("speako", "mondegreen"):
        program = [sys.executable, "-c", FIRST.format(operator)]
        seconds = subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()
        print(f"{operator}: first utterance {float(seconds):.2f} s after the start of Python")


if __name__ == "__main__":
    main()
