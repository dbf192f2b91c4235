"""Error rates of the words of references: by how frequent they are, and by how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from mondegreen.metrics.metric import Table

_FREQUENT = ((100, "100 times or more"), (10, "10 to 99 times"), (2, "2 to 9 times"), (1, "once"))
_LENGTHS = ((3, "1 to 3 letters"), (6, "4 to 6 letters"), (9, "7 to 9 letters"))
_LONG = "10 letters or more"
_LEAST = 20  # words: fewer have no rate worth showing


def word_tables(found: Iterable[tuple[str, bool]]) -> Iterator[Table]:
    """Yield the tables of words, each given with whether it is wrong.

    >>> words = [("play", False)] * 15 + [("tchaikovsky", True)] * 5
    >>> by_frequency, by_length = word_tables(words)
    >>> by_length.rows
    (('4 to 6 letters', 15, 0, 0.0), ('10 letters or more', 5, 5, 1.0))
    """
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for word, is_wrong in found:
        counts[word] += 1
        wrong[word] += is_wrong
    if counts.total() < _LEAST:
        return
    frequency = {word: _frequency(n) for word, n in counts.items()}
    names = [name for _, name in _FREQUENT]
    yield _table("Errors by frequency of the word", names, frequency, counts, wrong)
    length = {word: _length(word) for word in counts}
    names = [*(name for _, name in _LENGTHS), _LONG]
    yield _table("Errors by length of the word", names, length, counts, wrong)


def _table(
    title: str,
    names: list[str],
    of: dict[str, str],
    counts: Counter[str],
    wrong: Counter[str],
) -> Table:
    rows = []
    for name in names:
        words = [word for word, group in of.items() if group == name]
        n, errors = sum(counts[word] for word in words), sum(wrong[word] for word in words)
        if n:
            rows.append((name, n, errors, errors / n))
    return Table(title, ("in the references", "words", "wrong", "share"), tuple(rows), "shares")


def _frequency(n: int) -> str:
    return next(name for least, name in _FREQUENT if n >= least)


def _length(word: str) -> str:
    return next((name for most, name in _LENGTHS if len(word) <= most), _LONG)
