"""Common words: counted in texts, read from a file, or the package's English list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path

from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.lines import read_lines
from mondegreen.data.files.output import write_lines
from mondegreen.errors import DataError
from mondegreen.kernel import Nearest
from mondegreen.resources import read_resource
from mondegreen.text.segment import split
from mondegreen.text.words import word_of

SIZE = 4_000
_PREFIXES = (5, 4, 3)


class CommonWords:
    """The most common words of a collection of texts in lower case, the most frequent first."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)

    @classmethod
    def fit(cls, texts: Iterable[str], size: int = SIZE) -> CommonWords:
        """Count the words of two letters or more in texts, and take the ``size`` most frequent.

        >>> CommonWords.fit(["Play jazz!", "play rock"], size=2).words
        ('play', 'jazz')
        """
        tokens = Counter(chain.from_iterable(map(split, texts)))
        counts: Counter[str] = Counter()
        for token, count in tokens.items():
            word = word_of(token)
            if word is not None:
                counts[word.core.lower()] += count
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return cls(word for word, _ in ranked[:size])

    @classmethod
    def load(cls, path: Path | str) -> CommonWords:
        """Read a file with one word per line, the most frequent first.

        Raises:
            DataError: if a line is empty or has more than one word.
        """
        words = []
        for number, line in read_lines(Path(path)):
            if len(line.split()) != 1:
                raise DataError.at(path, number, f"one word per line is expected, got {line!r}")
            words.append(line.strip())
        return cls(words)

    def save(self, path: Path | str, *, force: bool = False) -> None:
        """Write the words, one per line; ``force`` replaces an existing file."""
        write_lines(Path(path), self.words, force=force)

    def nearest(self, word: str, n: int = 5) -> list[tuple[str, int]]:
        """Return the ``n`` other words with the smallest Levenshtein distance; ties by frequency.

        >>> CommonWords(["play", "plan", "clay", "banana"]).nearest("play", 2)
        [('plan', 1), ('clay', 1)]
        """
        hits = self._nearest.find(word, n + 1)
        return [(self.words[i], distance) for i, distance in hits if distance][:n]

    def completions(self, word: str) -> tuple[str, ...]:
        """Return the other words with the same first five letters; if none, four; if none, three.

        >>> CommonWords(["player", "plan", "plate"]).completions("playing")
        ('player',)
        """
        for length in _PREFIXES:
            if len(word) >= length:
                found = self._starts.get(word[:length], ())
                if word in self:
                    found = tuple(other for other in found if other != word)
                if found:
                    return found
        return ()

    def __contains__(self, word: object) -> bool:
        return word in self._set

    @cached_property
    def _nearest(self) -> Nearest:
        return Nearest(self.words)

    @cached_property
    def _starts(self) -> dict[str, tuple[str, ...]]:
        starts: dict[str, list[str]] = {}
        for word in self.words:
            for length in _PREFIXES:
                if len(word) >= length:
                    starts.setdefault(word[:length], []).append(word)
        return {start: tuple(words) for start, words in starts.items()}

    @cached_property
    def _set(self) -> frozenset[str]:
        return frozenset(self.words)


@by_content
def common_words(path: str = "") -> CommonWords:
    """Return the words of a file, or the package's English words; each file is read once.

    >>> common_words().words[:3]
    ('the', 'of', 'and')
    """
    if path:
        return CommonWords.load(path)
    return CommonWords(read_resource("languages/en/common.txt.gz").decode().split()[:SIZE])
