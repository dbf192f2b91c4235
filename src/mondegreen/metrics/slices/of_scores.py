"""Why a system errs: slices of a score, of words (or phonemes) or of whole utterances.

If the metric can align texts again, the units are the words of the references: which words, after
which words, at which place are lost more often than others. Otherwise they are utterances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.metrics.metric import Metric
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.slices.finding import FoundSlice, Observations, find_slices
from mondegreen.metrics.words.steps import Alignments, Step, steps_of
from mondegreen.text.items import words_of

WRONG = "wrong"
_CHUNK = 2_000  # utterances that are aligned at once
_LONG = 8  # letters of a long word
_LENGTHS = ((4, "up to 4 words"), (12, "5 to 12 words"), (25, "13 to 25 words"))
_MANY_WORDS = "more than 25 words"
PHRASES = {
    "word": "“{}”",
    "after": "after “{}”",
    "before": "before “{}”",
    "place": "{}",
    "letters": "{}",
    "length": "in utterances of {}",
    "column": "{}",
}


class Scored(NamedTuple):
    """An utterance of a score: its place, both texts, and columns such as the speaker.

    ``alignment`` has a letter per step, if it is known.
    """

    item: int
    ref: str
    hyp: str
    wrong: bool
    columns: tuple[tuple[str, str], ...] = ()
    alignment: str | None = None


def score_slices(
    metric: Metric, recipe: Mapping[str, str], rows: Iterable[Scored]
) -> tuple[list[FoundSlice], int]:
    """Return the slices of a score, and how many units were looked at.

    Args:
        metric: the metric of the score.
        recipe: the parts of its signature, by which texts are aligned again.
        rows: its utterances.
    """
    unit = "phonemes" if metric.phonemes else "words" if metric.rescores else "utterances"
    seen = Observations(WRONG, unit, PHRASES)
    for row, words in fates(metric, recipe, rows):
        if not metric.rescores:
            _add_utterance(seen, row)
        else:
            _add_words(seen, row, words)
    return find_slices(seen), len(seen)


def fates(
    metric: Metric, recipe: Mapping[str, str], rows: Iterable[Scored]
) -> Iterator[tuple[Scored, list[tuple[str, str]]]]:
    """Yield the words of each reference with what became of them; empty if that is right.

    Only utterances with errors whose alignment is not known are aligned. If the metric cannot align
    texts, words have no fate.
    """
    left = iter(rows)
    while chunk := list(islice(left, _CHUNK)):
        wrong = [row for row in chunk if row.wrong and metric.rescores]
        steps = {row.item: steps_of(row.ref, row.hyp, row.alignment or "") for row in wrong}
        again = [row for row in wrong if steps[row.item] is None]
        sides = [row.ref for row in again], [row.hyp for row in again]
        if again:
            found = Alignments(metric.rescore(*sides, recipe))
            steps |= {row.item: found[at] for at, row in enumerate(again)}
        for row in chunk:
            if known := steps.get(row.item):
                yield row, list(_fates(known, metric.unwanted))
            else:
                yield row, [(word, "") for word in words_of(row.ref)]


def slices_of_score(score: Score) -> list[FoundSlice]:
    """Return the slices of a score that still has its texts; none otherwise."""
    metric = score.metric
    if score.detail is None or not isinstance(metric, Metric):
        return []
    wrong = score.counts[:, score.columns.index("wrong")].tolist()
    texts = map(score.detail.sides, range(len(score)))
    rows = (Scored(item, ref, hyp, bool(wrong[item])) for item, (ref, hyp) in enumerate(texts))
    return score_slices(metric, recipe_of(score.signature), rows)[0]


def recipe_of(signature: str) -> dict[str, str]:
    """Return the parts of a signature by their names.

    >>> recipe_of("mondegreen|words|costs:unit|v:0.3.0")["costs"]
    'unit'
    """
    return _Parts(part.partition(":")[::2] for part in signature.split("|"))


class _Parts(dict[str, str]):
    """The parts of a signature, which may be damaged."""

    def __missing__(self, name: str) -> str:
        raise DataError(f"the signature has no {name!r}; it is damaged: score again")


def _shared_facts(row: Scored, length: int) -> Iterator[tuple[str, str]]:
    yield "length", next((text for most, text in _LENGTHS if length <= most), _MANY_WORDS)
    yield from (("column", f"{name} {value}") for name, value in row.columns)


def _add_utterance(seen: Observations, row: Scored) -> None:
    words = row.ref.split()
    facts = [("word", word) for word in words]
    facts += _shared_facts(row, len(words))
    seen.add(facts, failed=row.wrong, cluster=row.item, item=row.item)


def _add_words(seen: Observations, row: Scored, found: Sequence[tuple[str, str]]) -> None:
    """Add the words of a reference."""
    words = [word for word, _ in found]
    shared = list(_shared_facts(row, len(words)))
    for at, (word, fate) in enumerate(found):
        facts = [("word", word), *shared, ("place", _place(at, len(words)))]
        if at:
            facts.append(("after", words[at - 1]))
        if at + 1 < len(words):
            facts.append(("before", words[at + 1]))
        if len(word) >= _LONG:
            facts.append(("letters", f"words of {_LONG} letters or more"))
        symptoms = [fate] if fate else []
        seen.add(facts, failed=bool(fate), cluster=row.item, item=row.item, symptoms=symptoms)


def _place(at: int, length: int) -> str:
    if at == 0:
        return "at the start"
    return "at the end" if at == length - 1 else "in the middle"


def _fates(steps: Sequence[Step], unwanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield each word of a reference and what became of it; empty if that is right."""
    for kind, ref, hyp, _, _ in steps:
        if ref is None:
            continue
        if unwanted(ref):
            yield ref, "" if kind == "deletion" else "it is not left out"
        elif kind == "match":
            yield ref, ""
        else:
            yield ref, "it is left out" if kind == "deletion" else f"“{hyp}” is heard"
