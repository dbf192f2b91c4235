"""Build the package's list of misspellings from nlpaug's spelling dictionary.

    pip download --no-deps nlpaug==1.1.11 && unzip nlpaug-*.whl
    python scripts/build_misspellings.py nlpaug/res/word/spelling/spelling_en.txt \
        src/mondegreen/resources/languages/en/misspellings.txt.gz

The dictionary was collected from real texts, many of them by learners, and many of its entries are
other words, not misspellings. An entry is kept if it consists of letters, is a slip of people and
not coarse. Another English word is only kept if it sounds the same ("by" and "buy").

A slip drops, doubles or swaps letters, hits a neighbouring key, or writes a sound with another
letter. What is left ("is" as "ir", "they" as "ther") has no cause that we can name and is left out.
The shares of the slips are printed; docs/operators/spelling.md cites them.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz.distance import OSA, Prefix

from build_thesaurus import is_coarse
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.language.vocabulary.keyboards import neighbours
from mondegreen.resources import read_resource

_LEAST_LETTERS = 2
_LONG = 5  # letters of a word that may have two slips; shorter words may have one
_MIDDLING = 4  # letters of a word that may get another vowel by its sound
_VOWELS = frozenset("aeiouy")
_ALIKE = ("ckqs", "sz", "gj", "dt", "mn", "fv", "vw")  # consonants that are written for each other
_SILENT = frozenset("hk'")
_SOUNDS = str.maketrans("cqz", "kks")
_TWO = 2  # slips in a long word


def pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each word with each of its misspellings, in lower case."""
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *others = line.lower().split()
        for other in others:
            yield word, other


def is_slip(word: str, other: str, known: frozenset[str]) -> bool:
    """Return whether ``other`` is a misspelling of ``word``."""
    if "'" in other and "'" not in word and not other.endswith("'s"):
        return False  # "ar'e"
    if not (_is_plain(word) and _is_plain(other)) or is_coarse(other):
        return False
    return bool(slip(word, other)) and (other not in known or sounds_same(word, other))


def slip(word: str, other: str) -> str:
    """Return which slip makes ``other`` of ``word``; empty if it is none that people make.

    >>> slip("still", "stil"), slip("fifty", "fifyt"), slip("for", "fot"), slip("music", "musik")
    ('halved', 'swapped', 'key', 'sound')
    >>> slip("is", "ir"), slip("absolutely", "absulutly"), slip("please", "flease")
    ('', 'sound', '')
    """
    edits = OSA.distance(word, other)
    if not edits or (word[0] != other[0] and word[:2] != other[1::-1]):
        return ""
    if edits > 1:
        return "sound" if edits == _TWO and len(word) >= _LONG and _same_frame(word, other) else ""
    at = Prefix.similarity(word, other)
    if len(other) == len(word):
        return _replaced(word, word[at], other[at], swapped=word[at + 1 :] != other[at + 1 :])
    if len(other) < len(word):
        return "halved" if word[at] == word[at - 1] else "dropped"
    return _added(word, at, other[at])


def _replaced(word: str, old: str, new: str, *, swapped: bool) -> str:
    if swapped:
        return "swapped"
    if new in neighbours("qwerty").get(old, ""):
        return "key"
    vowels = len(word) >= _MIDDLING and {old, new} <= _VOWELS
    return "sound" if vowels or any(old in group and new in group for group in _ALIKE) else ""


def _added(word: str, at: int, new: str) -> str:
    beside = word[at - 1 : at + 1]
    if new in beside:
        return "doubled"
    if any(new in neighbours("qwerty").get(letter, "") for letter in beside):
        return "key"
    return "sound" if new in _SILENT or (len(word) >= _MIDDLING and new in _VOWELS) else ""


def _same_frame(word: str, other: str) -> bool:
    """Return whether two spellings differ in vowels, doubled and silent letters only."""
    return _frame(word) == _frame(other)


def _frame(word: str) -> str:
    kept = re.sub("[aeiouyh']", "", word.replace("ph", "f")[1:]).translate(_SOUNDS)
    return re.sub(r"(.)\1+", r"\1", kept)


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
    known = frozenset(
        (*read_resource("languages/en/common.txt.gz").decode().split(), *dictionary())
    )
    table: defaultdict[str, set[str]] = defaultdict(set)
    for word, other in pairs(arguments.spelling):
        if is_slip(word, other, known):
            table[word].add(other)
    lines = [" ".join((word, *sorted(table[word]))) for word in sorted(table)]
    packed = gzip.compress("\n".join(lines).encode(), 9, mtime=0)
    arguments.output.write_bytes(packed)
    count = sum(map(len, table.values()))
    kinds = Counter(slip(word, other) for word, others in table.items() for other in others)
    print(", ".join(f"{kind} {n / count:.1%}" for kind, n in kinds.most_common()))
    print(f"{len(lines):,} words, {count:,} misspellings, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
