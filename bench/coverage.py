"""How often 95 % intervals hold the true rate, by simulation: a table per kind of rate.

    .venv/bin/python bench/coverage.py [--samples 4000] [--write docs/metrics/statistics.md]

Every cell draws many samples of a known rate and asks the function that every score uses for the
interval. A cell must be within 93 to 97 %, or most of its samples must be reported as too small;
otherwise the exit status is 1. With --write, the tables replace those of the page.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.statistics.intervals import rate_interval

RATES = (0.02, 0.05, 0.1, 0.2, 0.5)
UTTERANCES = (20, 50, 100, 200, 500, 1000)
BLOCKS = (5, 10, 20, 50)
LOW, HIGH = 0.93, 0.97
COLUMNS = ("errors", "units")
ALIKE = 0.15
"""How alike the errors of an utterance are: the correlation between its words."""
SPEAKER = 0.05
"""How alike the utterances of a block are."""
Draw = Callable[[np.random.Generator, float, int], np.ndarray]


def _chances(rng: np.random.Generator, rate: float, alike: float, size: int) -> np.ndarray:
    """Return chances of an error that vary around a rate."""
    scale = (1 - alike) / alike
    return rng.beta(rate * scale, (1 - rate) * scale, size)


def shares(rng: np.random.Generator, rate: float, n: int) -> np.ndarray:
    """Return utterances that are right or wrong: errors and 1."""
    return np.column_stack([rng.random(n) < rate, np.ones(n, np.int64)])


def words(rng: np.random.Generator, rate: float, n: int) -> np.ndarray:
    """Return utterances of 3 to 15 words: errors and words."""
    lengths = rng.integers(3, 16, n)
    return np.column_stack([rng.binomial(lengths, _chances(rng, rate, ALIKE, n)), lengths])


def _blocked(rng: np.random.Generator, rate: float, n: int, draw: Draw) -> np.ndarray:
    """Return blocks of 10 to 30 utterances each, whose rates differ."""
    own = np.clip(_chances(rng, rate, SPEAKER, n), 1e-6, 1 - 1e-6)
    return np.array([draw(rng, one, int(rng.integers(10, 31))).sum(axis=0) for one in own])


def share_blocks(rng: np.random.Generator, rate: float, n: int) -> np.ndarray:
    """Return blocks of right and wrong utterances."""
    return _blocked(rng, rate, n, shares)


def word_blocks(rng: np.random.Generator, rate: float, n: int) -> np.ndarray:
    """Return blocks of utterances with errors in words."""
    return _blocked(rng, rate, n, words)


TABLES: dict[str, tuple[str, Draw, tuple[int, ...]]] = {
    "Accuracy: a share of utterances": ("utterances", shares, UTTERANCES),
    "Word error rate": ("utterances", words, UTTERANCES),
    "Accuracy with --blocks": ("blocks", share_blocks, BLOCKS),
    "Word error rate with --blocks": ("blocks", word_blocks, BLOCKS),
}


class Cell(NamedTuple):
    """How often the interval held the rate, and how often the sample was called too small."""

    covered: float
    small: float

    @property
    def holds(self) -> bool:
        """Whether the interval holds, or the output says that it may not."""
        return LOW <= self.covered <= HIGH or self.small > 1 / 2

    def __str__(self) -> str:
        text = f"{100 * self.covered:.1f}"
        return f"({text})" if self.small > 1 / 2 else text


def cell(draw: Draw, rate: float, n: int, samples: int) -> Cell:
    """Simulate one cell."""
    rng = np.random.default_rng([round(1000 * rate), n, samples])
    covered = small = 0
    for _ in range(samples):
        units = Tally(draw(rng, rate, n).astype(np.int64))
        interval, few = rate_interval(lambda s: (s["errors"], s["units"]), COLUMNS, units)
        covered += interval is not None and interval.low <= rate <= interval.high
        small += few
    return Cell(covered / samples, small / samples)


def tables(samples: int) -> Iterator[tuple[str, str, dict[int, list[Cell]]]]:
    """Yield each table: its title, what its rows count, and its cells."""
    for title, (unit, draw, sizes) in TABLES.items():
        yield title, unit, {n: [cell(draw, rate, n, samples) for rate in RATES] for n in sizes}


def markdown(title: str, unit: str, rows: dict[int, list[Cell]]) -> str:
    """Return a table for the page."""
    head = f"| {title}, {unit} | " + " | ".join(f"{100 * rate:g} %" for rate in RATES) + " |"
    lines = [head, "|---|" + "---|" * len(RATES)]
    lines += [f"| {n:,} | " + " | ".join(map(str, cells)) + " |" for n, cells in rows.items()]
    return "\n".join(lines)


def main() -> int:
    """Print the tables; 1 if a cell does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=4000, help="samples per cell")
    parser.add_argument("--write", type=Path, help="the page whose tables to replace")
    options = parser.parse_args()
    texts, wrong = [], []
    for title, unit, rows in tables(options.samples):
        texts.append(markdown(title, unit, rows))
        print(texts[-1], end="\n\n", flush=True)
        wrong += [
            f"{title}, {n} {unit}, {100 * rate:g} %: {one.covered:.1%}, too small: {one.small:.0%}"
            for n, cells in rows.items()
            for rate, one in zip(RATES, cells, strict=True)
            if not one.holds
        ]
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        block = "<!-- coverage -->\n" + "\n\n".join(texts) + "\n<!-- end -->"
        page = re.sub(r"<!-- coverage -->\n.*?<!-- end -->", lambda _: block, page, flags=re.DOTALL)
        options.write.write_text(page, encoding="utf-8")
    print("\n".join(wrong) or "every cell holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
