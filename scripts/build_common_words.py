"""Build the package's list of English words from SymSpell's frequency dictionary.

    pip download --no-deps symspellpy && unzip symspellpy-*.whl
    python scripts/build_common_words.py symspellpy/frequency_dictionary_en_82_765.txt \
        /usr/share/wordnet src/mondegreen/resources/languages/en/common.txt.gz

Keeps the most frequent words of two letters or more, without coarse words and words that are only
names in WordNet.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from build_thesaurus import is_coarse, synsets

SIZE = 60_000


def names_only(wordnet: Path) -> set[str]:
    """Return, in lower case, the words that WordNet only has with a capital."""
    lemmas = {
        lemma
        for part in ("noun", "verb", "adj", "adv")
        for synset in synsets(wordnet / f"data.{part}")
        for lemma in synset
    }
    return {lemma.lower() for lemma in lemmas if lemma[:1].isupper()} - lemmas


def main() -> None:
    """Write the list: one word per line, the most frequent first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frequencies", type=Path)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    names = names_only(arguments.wordnet)
    lines = arguments.frequencies.read_text(encoding="utf-8-sig").splitlines()
    counts = {word: int(count) for word, count in map(str.split, lines)}
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    words = [w for w in ranked if w.isalpha() and len(w) > 1 and w not in names]
    words = [w for w in words if not is_coarse(w)][:SIZE]
    arguments.output.write_bytes(gzip.compress("\n".join(words).encode(), 9, mtime=0))
    print(f"{len(words):,} words, {arguments.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
