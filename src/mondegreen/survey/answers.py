"""Read and score the answers of raters: the share of reasonable labels, and agreement."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from mondegreen import __version__
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Counting, Ratio
from mondegreen.metrics.scores.score import Score

COLUMNS = (
    "slots_reasonable", "slots_rated", "intents_reasonable", "intents_rated", "natural",
    "natural_rated", "wrong", "utterances",
)  # fmt: skip
RATES = (
    Ratio("slots_reasonable", lambda s: (s["slots_reasonable"], s["slots_rated"])),
    Ratio("intents_reasonable", lambda s: (s["intents_reasonable"], s["intents_rated"])),
    Ratio("natural", lambda s: (s["natural"], s["natural_rated"])),
)


class Survey(Counting):
    """What the answers of a survey count."""

    name = "survey"
    columns = COLUMNS
    rates = RATES
    main = ("slots_reasonable",)


SURVEY = Survey()
PARTS = ("slots", "intent", "natural")
"""The questions; the third is optional, for sheets of earlier versions."""
_WORDS = {"reasonable": True, "yes": True, "1": True, "true": True,
          "natural": True, "unnatural": False,
          "unreasonable": False, "no": False, "0": False, "false": False, "": None}  # fmt: skip


class Key(msgspec.Struct, frozen=True):
    """The key of a sheet, which raters do not see: the origin of each item."""

    items: dict[str, tuple[str, str]]
    """The suite and the operator of each item; the operator is empty for controls."""


class Rating(NamedTuple):
    """One rater's answers to one item; ``None`` for a missing answer."""

    slots: bool | None
    intent: bool | None
    natural: bool | None = None


Ratings = Mapping[str, Rating]


def read_ratings(path: Path, key: Key) -> Ratings:
    """Read one rater's sheet: a CSV with the columns item, slots, intent and natural.

    Raises:
        DataError: naming the line that is wrong.
    """
    found: dict[str, Rating] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [
                name for name in ("item", *PARTS[:2]) if name not in (reader.fieldnames or ())
            ]
            if missing:
                raise DataError(f"{path}: has no column {missing[0]!r}; give a sheet with answers")
            for row in reader:
                item = row["item"]
                if item not in key.items:
                    raise DataError.at(path, reader.line_num, f"the sheet has no item {item!r}")
                if item in found:
                    raise DataError.at(path, reader.line_num, f"item {item!r} is answered twice")
                found[item] = Rating(
                    *(_parse_answer(path, reader.line_num, row.get(n)) for n in PARTS)
                )
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read: {error}") from None
    return found


def _parse_answer(path: Path, line: int, text: str | None) -> bool | None:
    try:
        return _WORDS[(text or "").strip().lower()]
    except KeyError:
        message = f"{text!r} is not an answer; write yes or no, or nothing"
        raise DataError.at(path, line, message) from None


def score_of(key: Key, raters: Sequence[Ratings]) -> Score:
    """Return the score of the answers, with the counts of each item."""
    table = np.zeros((len(key.items), len(COLUMNS)), np.int64)
    table[:, -1] = 1
    for row, item in enumerate(key.items):
        for ratings in raters:
            rating = ratings.get(item, Rating(None, None))
            for column, answer in zip((0, 2, 4), rating, strict=True):
                table[row, column] += answer is True
                table[row, column + 1] += answer is not None
                table[row, -2] |= answer is False
    signature = f"mondegreen|survey|raters:{len(raters)}|v:{__version__}"
    return Score(SURVEY, signature, table, tuple(key.items))


def agreement(raters: Sequence[Ratings], part: str) -> float | None:
    """Return Krippendorff's alpha for one of the questions: 1 is perfect agreement, 0 is chance.

    ``None`` if no item has two answers, or if all answers are the same.

    >>> ann = {"a": Rating(True, None), "b": Rating(False, None), "c": Rating(True, None)}
    >>> bob = {"a": Rating(True, None), "b": Rating(False, None), "c": Rating(False, None)}
    >>> agreement([ann, ann], "slots"), round(agreement([ann, bob], "slots"), 3)
    (1.0, 0.444)
    """
    counts = np.zeros((2, 2))
    for item in dict.fromkeys(item for ratings in raters for item in ratings):
        answers = [getattr(ratings[item], part) for ratings in raters if item in ratings]
        given = [answer for answer in answers if answer is not None]
        yes = sum(given)
        no = len(given) - yes
        if len(given) > 1:
            pairs = [[yes * (yes - 1), yes * no], [no * yes, no * (no - 1)]]
            counts += np.array(pairs) / (len(given) - 1)
    total = counts.sum()
    shares = counts.sum(axis=0)
    by_chance = 2 * shares[0] * shares[1] / (total - 1) if total > 1 else 0
    if not by_chance:
        return None
    return float(1 - 2 * counts[0, 1] / by_chance)
