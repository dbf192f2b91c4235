"""Perturbation compared with other tools, on 100,000 sentences and 2,000 movie reviews.

    make bench

Needs the real data sets beside the project (../shared/data) and the other tools (dependency group
bench). Every result is checked.
"""

from __future__ import annotations

import gc
import itertools
import json
import logging
import random
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import mondegreen as mg
from mondegreen.language.vocabulary.common import CommonWords, common_words
from mondegreen.language.vocabulary.thesaurus import synonyms
from mondegreen.perturbation import engine
from mondegreen.text.words import word_of
from timing import best, machine, row

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILLERS = ("um", "uh", "erm", "ah", "er")
HEADER = "| what | ours | theirs | unit | ratio | wanted | |\n|---|---|---|---|---|---|---|"


def sentences(n: int) -> list[mg.Utterance]:
    """Return ``n`` utterances of ATIS and SNIPS, repeated if necessary."""
    parts = [f"{name}/{part}" for name in ("atis", "snips") for part in ("train", "valid", "test")]
    once = [utterance for part in parts for utterance in mg.read(DATA / "slu" / part)]
    return list(itertools.islice(itertools.cycle(once), n))


def reviews() -> list[str]:
    """Return the movie reviews."""
    with (DATA / "text" / "movie_reviews.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def disfluency(text: str, rate: float = 0.2, *, seeded: bool = True) -> str:
    """Perturb plain text like NL-Augmenter's SpeechDisfluencyPerturbation.

    The package can no longer be installed; this is written from its description. The generator is
    seeded per sentence, so that positions depend only on its length, and gaps are drawn until there
    is one. ``seeded=False`` leaves out the seeding, which takes most of the time.
    """
    if seeded:
        random.seed(0)
    words = text.split()
    gaps: list[int] = []
    while not gaps and len(words) > 1:
        gaps = [at for at in range(1, len(words)) if random.random() < rate]
    for at in reversed(gaps):
        words.insert(at, random.choice(FILLERS))
    return " ".join(words)


def perturbed(data: list[mg.Utterance], operator: str, **amount: float) -> list[mg.Variant]:
    """Perturb with a cold cache."""
    engine._rewriter.cache_clear()  # noqa: SLF001 (a cold start is what is timed)
    return list(mg.perturb(data, operator, seed=1, **amount))  # type: ignore[arg-type]  # amounts


def check_labels(made: list[mg.Variant]) -> None:
    """Check that slots and labels are kept, and that there is one tag per token."""
    for variant in made:
        source, utterance = variant.parent, variant.utterance
        assert [slot.label for slot in source.slots] == [slot.label for slot in utterance.slots]
        assert len(utterance.tags) == len(utterance.tokens)
        assert utterance.label == source.label
        assert variant.edits


def against_nl_augmenter(data: list[mg.Utterance]) -> list[str]:
    """Compare fillers with labels to NL-Augmenter, which has no labels."""
    texts = [utterance.text for utterance in data]
    ours, made = best(lambda: perturbed(data, "fillers"), runs=5)
    check_labels(made)
    for variant in made:
        pairs = zip(variant.utterance.tokens, variant.origin, strict=True)
        assert (
            tuple(token for token, origin in pairs if origin is not None) == variant.parent.tokens
        )
    theirs, _ = best(lambda: [disfluency(text) for text in texts], runs=5)
    unseeded, _ = best(lambda: [disfluency(text, seeded=False) for text in texts], runs=5)
    n, unit = len(data), "utterances/s"
    return [
        row("fillers, labels kept / NL-Augmenter, text only", n / ours, n / theirs, unit, 1.5),
        row("the same / that loop without its seeding", n / ours, n / unseeded, unit, 1),
    ]


def against_corrupted_text(data: list[mg.Utterance]) -> list[str]:
    """Compare typing and fit words with corrupted-text, which gets our thesaurus."""
    import corrupted_text

    class Corruptor(corrupted_text.TextCorruptor):  # type: ignore[misc]  # untyped
        def load_bad_translations(self) -> dict[str, list[str]]:
            return {w: list(synonyms(w)) for w in _types(data) if synonyms(w)}

    texts = [utterance.text for utterance in data]
    logging.disable()
    fit_ours, common = best(lambda: CommonWords.fit(texts))
    fit_theirs, corruptor = best(lambda: Corruptor(texts, cache_dir=None), runs=1)
    assert len(common.words) == len(corruptor.common_words) == 4000
    path = Path("build/bench-words.txt")
    path.parent.mkdir(exist_ok=True)
    common.save(path, force=True)
    common_words.clear()
    ours, made = best(lambda: perturbed(data, f"typing(common={str(path)!r})", severity=0.5))
    check_labels(made)
    for variant in made[:1000]:
        can = sum(word_of(token) is not None for token in variant.parent.tokens)
        share = int(0.5 * len(variant.parent.tokens) + 0.5)
        assert len(variant.edits) == min(can, max(1, share))
    few = texts[:10_000]
    theirs, _ = best(lambda: corruptor.corrupt(few, severity=0.5, seed=1), runs=1)
    return [
        row(
            "typing, severity 0.5 / corrupted-text",
            len(data) / ours,
            len(few) / theirs,
            "utterances/s",
            30,
        ),
        row(
            "fit of 4,000 common words / corrupted-text",
            len(data) / fit_ours,
            len(data) / fit_theirs,
            "texts/s",
            10,
        ),
    ]


def _types(data: list[mg.Utterance]) -> set[str]:
    return {token for utterance in data for token in utterance.tokens}


def against_nlpaug(data: list[mg.Utterance]) -> list[str]:
    """Compare one keyboard error, or one replaced letter, per utterance with nlpaug."""
    import nlpaug.augmenter.char as nac

    few = [utterance.text for utterance in data[:10_000]]
    rows = []
    for operator, augmenter in (
        ("keyboard", nac.KeyboardAug(aug_char_max=1, aug_word_max=1)),
        ("typo", nac.RandomCharAug(action="substitute", aug_char_max=1, aug_word_max=1)),
    ):
        ours, made = best(partial(perturbed, data, operator))
        check_labels(made)
        theirs, found = best(partial(_augmented, augmenter, few))
        assert sum(a[0] != b for a, b in zip(found, few, strict=True)) > len(few) * 0.9
        rows.append(
            row(f"{operator} / nlpaug", len(data) / ours, len(few) / theirs, "utterances/s", 8)
        )
    return rows


def _augmented(augmenter: Any, texts: list[str]) -> list[list[str]]:
    return [augmenter.augment(text) for text in texts]


def reviews_table() -> list[str]:
    """Return words per second on long texts, compared with Python's split and join."""
    texts = reviews()
    words = sum(len(text.split()) for text in texts)
    plain, _ = best(lambda: [" ".join(text.split()) for text in texts], runs=5)
    lines = [
        "| what | words/s | seconds | times split and join | |",
        "|---|---|---|---|---|",
        f"| Python's split and join | {words / plain:,.0f} | {plain:.3f} | 1 | |",
    ]
    for operator in ("fillers", "keyboard", "typo", "typing"):
        for warm in (False, True):
            if warm and operator != "typing":
                continue
            seconds = _time_reviews(texts, operator, warm=warm)
            ratio = seconds / plain
            note = " (words known)" if warm else ""
            lines.append(
                f"| {operator}{note} | {words / seconds:,.0f} | {seconds:.3f} | "
                f"{ratio:.1f} | {'met' if ratio < 5 else 'short'} |"
            )
    return lines


def _time_reviews(texts: list[str], operator: str, *, warm: bool) -> float:
    def cold() -> int:
        if not warm:
            engine._rewriter.cache_clear()  # noqa: SLF001 (a cold start is what is timed)
        return sum(len(v.utterance.text) for v in mg.perturb(texts, operator, seed=1))

    if warm:
        cold()
    seconds, letters = best(cold)
    assert letters > 0
    return seconds


def main() -> None:
    """Run all benchmarks and print Markdown."""
    warnings.simplefilter("ignore")
    data = sentences(100_000)
    gc.freeze()
    print(machine("mondegreen", "corrupted-text", "nlpaug", "numpy"))
    print(f"\n100,000 sentences, {sum(len(s.tokens) for s in data) / len(data):.1f} words each\n")
    print(HEADER)
    for compare in (against_nl_augmenter, against_corrupted_text, against_nlpaug):
        print("\n".join(compare(data)), flush=True)
    print("\n2,000 movie reviews, text in, text out\n")
    print("\n".join(reviews_table()))


if __name__ == "__main__":
    main()
