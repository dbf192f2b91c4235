"""Entities and keywords: recall, precision (false mentions) and the error rate of their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data.files.lines import read_lines
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Ratio

COLUMNS = (
    "entities",
    "entities_right",
    "entity_words",
    "entity_errors",
    "mentions",
    "mentions_right",
)
RATES = (
    Ratio.of(
        "entity_error_rate",
        "entity_errors",
        "entity_words",
        lower_is_better=True,
        columns=COLUMNS,
    ),
    Ratio.of("entity_recall", "entities_right", "entities", columns=COLUMNS),
    Ratio.of("entity_precision", "mentions_right", "mentions", columns=COLUMNS),
)
KEYWORD = "keyword"


class SpokenEntity(NamedTuple):
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
        DataError: if a line or the whole file has no keyword.
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
