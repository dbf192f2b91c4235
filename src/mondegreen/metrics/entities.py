"""Entities and keywords: recall, precision (false mentions) and the error rate of their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mondegreen.align import INSERTION, MATCH, Alignment
from mondegreen.data.lines import read_lines
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Rate
from mondegreen.metrics.score import Counts

COLUMNS = (
    "entities",
    "entities_right",
    "entity_words",
    "entity_errors",
    "mentions",
    "mentions_right",
)
RATES = (
    Rate(
        "entity_error_rate",
        lambda s: (s["entity_errors"], s["entity_words"]),
        lower_is_better=True,
        columns=COLUMNS,
    ),
    Rate("entity_recall", lambda s: (s["entities_right"], s["entities"]), columns=COLUMNS),
    Rate("entity_precision", lambda s: (s["mentions_right"], s["mentions"]), columns=COLUMNS),
)
KEYWORD = "keyword"

Words = Sequence[str]
Phrases = Mapping[tuple[str, ...], Sequence[str]]
"""The classes of each phrase."""


class Entity(NamedTuple):
    """A stretch of the words of a reference, from ``start`` to before ``end``, with its class."""

    label: str
    start: int
    end: int


class EntityClass(NamedTuple):
    """The counts of one class of entities; see :data:`COLUMNS`."""

    entities: int = 0
    entities_right: int = 0
    entity_words: int = 0
    entity_errors: int = 0
    mentions: int = 0
    mentions_right: int = 0

    def plus(self, *counts: int) -> EntityClass:
        """Return the sums with further counts."""
        return EntityClass(*(a + b for a, b in zip(self, counts, strict=True)))

    @property
    def error_rate(self) -> float | None:
        """Errors per word of these entities."""
        return self.entity_errors / self.entity_words if self.entity_words else None

    @property
    def recall(self) -> float | None:
        """The share of the entities whose words are all right."""
        return self.entities_right / self.entities if self.entities else None

    @property
    def precision(self) -> float | None:
        """The share of the mentions in the hypotheses that were said."""
        return self.mentions_right / self.mentions if self.mentions else None

    def record(self) -> dict[str, Any]:
        """Return rates and counts as plain values, for JSON."""
        rates = {
            "entity_error_rate": self.error_rate,
            "entity_recall": self.recall,
            "entity_precision": self.precision,
        }
        return {**rates, **self._asdict()}


class Found(NamedTuple):
    """The counts of each utterance, and of each class."""

    table: Counts
    classes: dict[str, EntityClass]


def tally_of(classes: Mapping[str, EntityClass]) -> Counter[tuple[str, str]]:
    """Return the counts of classes by class and column, which add up over parts of a corpus."""
    return Counter(
        {
            (label, column): n
            for label, one in classes.items()
            for column, n in one._asdict().items()
        }
    )


def classes_of(tally: Mapping[tuple[str, str], int]) -> dict[str, EntityClass]:
    """Return the classes whose counts were tallied."""
    labels = sorted({label for label, _ in tally})
    return {label: EntityClass(*(tally[label, name] for name in COLUMNS)) for label in labels}


def read_keywords(path: Path) -> dict[str, str]:
    """Read keywords and phrases with their classes: one per line, a class after a tab.

    Raises:
        DataError: if a line has no keyword, or if there is none.
    """
    found: dict[str, str] = {}
    for number, line in read_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        phrase, _, label = line.partition("\t")
        if not phrase.strip():
            raise DataError.at(path, number, "a keyword or phrase is expected before the tab")
        found[" ".join(phrase.split())] = label.strip() or KEYWORD
    if not found:
        raise DataError(f"{path}: there is no keyword in this file; write one per line")
    return found


def occurrences(words: Words, phrases: Phrases, starts: Mapping[str, int]) -> Iterator[Entity]:
    """Yield where phrases occur, the longest first at each place, without overlaps.

    Args:
        words: the words of a text.
        phrases: the phrases, with their classes.
        starts: for each first word of a phrase, the length of the longest phrase.
    """
    at = 0
    while at < len(words):
        for size in range(min(starts.get(words[at], 0), len(words) - at), 0, -1):
            labels = phrases.get(tuple(words[at : at + size]))
            if labels is not None:
                yield from (Entity(label, at, at + size) for label in labels)
                at += size - 1
                break
        at += 1


def first_words(phrases: Phrases) -> dict[str, int]:
    """Return for each first word of a phrase the length of the longest phrase."""
    found: dict[str, int] = {}
    for phrase in phrases:
        found[phrase[0]] = max(len(phrase), found.get(phrase[0], 0))
    return found


def phrases_of(refs: Sequence[Words], entities: Sequence[Sequence[Entity]]) -> Phrases:
    """Return the words of all entities of the references, with their classes."""
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for words, row in zip(refs, entities, strict=True):
        for label, start, end in row:
            if end > start:
                found.setdefault(tuple(words[start:end]), {})[label] = None
    return {phrase: tuple(labels) for phrase, labels in found.items()}


def count_entities(
    refs: Sequence[Words],
    hyps: Sequence[Words],
    alignment: Alignment,
    entities: Sequence[Sequence[Entity]],
    phrases: Phrases,
) -> Found:
    """Count entities of the references and mentions in the hypotheses.

    An insertion within an entity is an error of it. A mention is right if all its words match
    words of the reference that stand together.

    Args:
        refs: the words of the references, as they were aligned.
        hyps: the words of the hypotheses.
        alignment: the alignment of both.
        entities: the entities of each reference.
        phrases: what counts as a mention.
    """
    table = np.zeros((len(refs), len(COLUMNS)), np.int64)
    classes: dict[str, EntityClass] = {}
    starts = first_words(phrases)
    for item, (words, row) in enumerate(zip(hyps, entities, strict=True)):
        mentions = list(occurrences(words, phrases, starts))
        if not row and not mentions:
            continue
        ref_steps, hyp_steps, errors = _positions(alignment.of(item).tolist())
        seen: dict[tuple[int, int], tuple[int, ...]] = {}
        for label, start, end in row:
            if end <= start:
                continue
            first, last = ref_steps[start], ref_steps[end - 1]
            wrong = errors[last + 1] - errors[first]
            counts = (1, int(not wrong), end - start, wrong, 0, 0)
            seen[start, end] = counts
            classes[label] = classes.get(label, EntityClass()).plus(*counts)
        table[item] += np.sum([*seen.values(), [0] * len(COLUMNS)], axis=0)
        heard: dict[int, tuple[int, ...]] = {}
        for label, start, end in mentions:
            first, last = hyp_steps[start], hyp_steps[end - 1]
            right = int(errors[last + 1] == errors[first])
            heard[start] = (0, 0, 0, 0, 1, right)
            classes[label] = classes.get(label, EntityClass()).plus(*heard[start])
        table[item] += np.sum([*heard.values(), [0] * len(COLUMNS)], axis=0)
    return Found(table, dict(sorted(classes.items())))


def _positions(steps: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the steps of the words of both sides, and how many errors precede each step."""
    ref_steps: list[int] = []
    hyp_steps: list[int] = []
    errors = [0]
    for at, step in enumerate(steps):
        if step != INSERTION:
            ref_steps.append(at)
        if step in (MATCH, 1, INSERTION):
            hyp_steps.append(at)
        errors.append(errors[-1] + (step != MATCH))
    return ref_steps, hyp_steps, errors
