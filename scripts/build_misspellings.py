"""Build the package's list of misspellings from nlpaug's spelling dictionary.

    pip download --no-deps nlpaug==1.1.11 && unzip nlpaug-*.whl
    python scripts/build_misspellings.py nlpaug/res/word/spelling/spelling_en.txt \
        src/mondegreen/resources/misspellings.en.txt.gz

The dictionary was collected from real texts, many of them by learners, and many of its entries are
other words, not misspellings. An entry is kept if it consists of letters, is close to the word and
not coarse. Another English word is only kept if it sounds the same ("by" and "buy").
"""

from __future__ import annotations

import argparse
import gzip
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz.distance import OSA

from build_thesaurus import is_coarse
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.resources import read_resource

_LEAST_LETTERS = 2
_LONG = 5  # letters of a word that may have two slips; shorter words may have one


def pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each word with each of its misspellings, in lower case."""
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *others = line.lower().split()
        for other in others:
            yield word, other


def is_slip(word: str, other: str, known: frozenset[str]) -> bool:
    """Return whether ``other`` is a misspelling of ``word``."""
    if not (_is_plain(word) and _is_plain(other)) or is_coarse(other):
        return False
    slips = OSA.distance(word, other)
    if not 0 < slips <= (2 if len(word) >= _LONG else 1):
        return False
    return other not in known or sounds_same(word, other)


def sounds_same(word: str, other: str) -> bool:
    """Return whether two words have a pronunciation in common in the dictionary."""
    known = dictionary()
    return not set(known.get(word, ())).isdisjoint(known.get(other, ()))


def _is_plain(word: str) -> bool:
    parts = word.split("'")
    return word.isascii() and all(map(str.isalpha, parts)) and len(word) >= _LEAST_LETTERS


def main() -> None:
    """Write the table: one line per word, the word and its misspellings, separated by spaces."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spelling", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    known = frozenset((*read_resource("common.en.txt.gz").decode().split(), *dictionary()))
    table: defaultdict[str, set[str]] = defaultdict(set)
    for word, other in pairs(arguments.spelling):
        if is_slip(word, other, known):
            table[word].add(other)
    lines = [" ".join((word, *sorted(table[word]))) for word in sorted(table)]
    packed = gzip.compress("\n".join(lines).encode(), 9, mtime=0)
    arguments.output.write_bytes(packed)
    count = sum(map(len, table.values()))
    print(f"{len(lines):,} words, {count:,} misspellings, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
