"""The speed of augmentation: each operator, all together, and nlpaug on the same texts.

    make bench

Times are processor seconds, for both. Needs the real data sets beside the project
(../shared/data) and nlpaug (dependency group bench).
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import mondegreen as mg
from mondegreen.language.vocabulary.masked import masked_words
from perturb import HEADER, check_labels, sentences
from timing import best as best_by
from timing import machine, row

OPERATORS = ("keyboard", "spelling", "synonym.naive", "antonym", "tfidf")
TARGET = 20_000
MODEL_TARGET = 400
FEW = 2_000

best = partial(best_by, clock=process_time)  # one core, independent of other load


def perturbed(data: list[mg.Utterance], operator: str) -> list[mg.Variant]:
    """Perturb with the default amount of nlpaug: three words of ten."""
    return list(mg.perturb(data, operator, seed=1, severity=0.3))


def speeds(data: list[mg.Utterance]) -> list[str]:
    """Return utterances per second of each operator with a warm cache, and of the mixture."""
    lines = ["| what | utterances/s | changed | wanted | |", "|---|---|---|---|---|"]
    for operator in OPERATORS:
        perturbed(data, operator)
        seconds, made = best(partial(perturbed, data, operator))
        check_labels([variant for variant in made if variant.edits])
        changed = sum(bool(variant.edits) for variant in made) / len(made)
        lines.append(_speed(operator, len(data) / seconds, f"{changed:.1%}"))
    seconds, doubled = best(lambda: list(mg.augment(data, OPERATORS, seed=1)))
    copies = [variant for variant in doubled if variant.edits]
    check_labels(copies)
    lines.append(_speed("augment, all five", len(data) / seconds, f"{len(copies) / len(data):.1%}"))
    return lines


def contextual(data: list[mg.Utterance]) -> list[str]:
    """Return utterances per second with the package's masked language model and a cold cache."""
    few = data[:FEW]
    lines = []
    for what, once in (("once", True), ("three words of ten", False)):
        masked_words()._cache.clear()  # noqa: SLF001 (a cold start is what is timed)
        severity = None if once else 0.3
        work = partial(mg.perturb, few, "contextual", seed=1, once=once, severity=severity)
        seconds, made = best(partial(_all, work), runs=1)
        changed = sum(bool(variant.edits) for variant in made) / len(made)
        target = MODEL_TARGET if once else 0
        lines.append(_speed(f"contextual, {what}", FEW / seconds, f"{changed:.1%}", target))
    return lines


def _all(work: Callable[[], Iterable[mg.Variant]]) -> list[mg.Variant]:
    return list(work())


def _speed(what: str, speed: float, changed: str, target: int = TARGET) -> str:
    verdict = "" if not target else "met" if speed >= target else "short"
    return f"| {what} | {speed:,.0f} | {changed} | {f'{target:,}' if target else ''} | {verdict} |"


def against_nlpaug(data: list[mg.Utterance]) -> list[str]:
    """Compare with the three augmenters of nlpaug that need no download, with its defaults."""
    import nlpaug.augmenter.char as nac
    import nlpaug.augmenter.word as naw

    few = [utterance.text for utterance in data[:FEW]]
    rows = []
    with TemporaryDirectory() as folder:
        _fit(few, folder)
        for operator, augmenter in (
            ("keyboard", nac.KeyboardAug(aug_char_max=1)),
            ("spelling", naw.SpellingAug()),
            ("tfidf", naw.TfIdfAug(model_path=folder)),
        ):
            ours, made = best(partial(perturbed, data, operator))
            assert len(made) == len(data)
            theirs, augmented = best(partial(_augmented, augmenter, few), runs=2)
            assert sum(a != b for a, b in zip(augmented, few, strict=True)) > len(few) * 0.8
            speed = len(few) / theirs
            rows.append(row(f"{operator} / nlpaug", len(data) / ours, speed, "utterances/s", 1))
    return rows


def _fit(texts: list[str], folder: str) -> None:
    import nlpaug.model.word_stats as nmw

    model = nmw.TfIdf()
    model.train([text.split() for text in texts])
    model.save(folder)


def _augmented(augmenter: Any, texts: list[str]) -> list[str]:
    return [augmenter.augment(text)[0] for text in texts]


def main() -> None:
    """Run all benchmarks and print Markdown."""
    warnings.simplefilter("ignore")
    data = sentences(50_000)
    gc.freeze()
    print(machine("mondegreen", "nlpaug"))
    print("\n".join(speeds(data) + contextual(data)), flush=True)
    print(f"\n{HEADER}")
    print("\n".join(against_nlpaug(data)))


if __name__ == "__main__":
    main()
