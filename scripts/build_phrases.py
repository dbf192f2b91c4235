"""Build the package's list of fixed phrases from WordNet 3.0.

    apt-get install wordnet-base
    cd src/mondegreen/resources
    python ../../../scripts/build_phrases.py /usr/share/wordnet languages/en/phrases.txt.gz

No word of "credit card", "turn on" or "happy hour" has a synonym there. The list has the lemmas of
two and three common words in index.noun, index.verb, index.adj and index.adv, with their forms; not
those that languages/en/substitutes.txt names itself ("search for").
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

from mondegreen.language.vocabulary.inflection import FORMS, inflect
from mondegreen.language.vocabulary.lexicon import named_neighbours
from mondegreen.language.vocabulary.ngram import known, surprise

PARTS = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}
LONGEST = 3  # words
RAREST = 11.6  # nats
LOOSE = frozenset(("a", "an", "it", "one", "some", "the"))  # "buy it" is hardly ever a phrase


def lemmas(path: Path) -> Iterator[list[str]]:
    """Yield the lemmas of several common words of a WordNet index (see wndb(5WN))."""
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split(" ")[0].split("_")
        if 1 < len(words) <= LONGEST and LOOSE.isdisjoint(words) and all(map(is_common, words)):
            yield words


def is_common(word: str) -> bool:
    """Return whether a word is known and not rare."""
    return word.isalpha() and known(word) and surprise(word, ()) <= RAREST


def forms(words: list[str], part: str) -> Iterator[str]:
    """Yield a phrase in its forms: of its first word if it is a verb, of its last if a noun."""
    if part == "VERB":
        firsts = [inflect(words[0], part, form) for form in FORMS[part]]
        yield from (" ".join((first, *words[1:])) for first in firsts if first)
        return
    yield " ".join(words)
    if part == "NOUN" and not words[-1].endswith("s"):
        yield " ".join((*words[:-1], inflect(words[-1], part, "plural") or words[-1]))


def main() -> None:
    """Write the list: sorted, one phrase per line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    found = {
        phrase
        for name, part in PARTS.items()
        for words in lemmas(arguments.wordnet / f"index.{name}")
        for phrase in forms(words, part)
    }
    named = named_neighbours()
    phrases = sorted(phrase for phrase in found if tuple(phrase.split()) not in named)
    packed = gzip.compress("\n".join(phrases).encode(), compresslevel=9, mtime=0)
    arguments.output.write_bytes(packed)
    print(f"{len(phrases):,} phrases, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
