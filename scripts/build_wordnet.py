"""Build the package's lists of neighbours and antonyms from WordNet 3.0.

    apt-get install wordnet-base
    cd src/mondegreen/resources
    python ../../../scripts/build_wordnet.py /usr/share/wordnet \
        languages/en/common.txt.gz languages/en/wordnet.txt.gz

Every frequent lemma gets, by part of speech, the frequent single words near it with their distances
in half bits. A distance is the improbability of the senses of both words, plus the distance of
their synsets (the same synset, a similar one, a verb group, one step up or down). The probability
of a sense comes from the counts in WordNet's sense-tagged texts.
"""

from __future__ import annotations

import argparse
import gzip
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from build_thesaurus import _MARKER, is_coarse

FREQUENT = 20_000  # lemmas that get an entry
USABLE = 12_000  # words that may be neighbours or antonyms
NEIGHBOURS = 20
FARTHEST = 17  # half bits
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_IRREGULAR = frozenset(
    ["better", "best", "worse", "worst", "elder", "eldest", "less", "least", "more", "most"]
)
_STEPS = {"&": 3.0, "$": 1.0, "@": 5.0, "~": 3.5}  # bits: similar, verb group, wider, narrower


class Pointer(NamedTuple):
    """A relation of a synset, or of one of its words if ``source`` and ``target`` are above 0."""

    symbol: str
    part: str
    offset: int
    source: int
    target: int


class Synset(NamedTuple):
    """The words of one meaning, and its relations."""

    lemmas: list[str]
    pointers: list[Pointer]


Synsets = dict[tuple[str, int], Synset]


def read_synsets(wordnet: Path) -> Synsets:
    """Read the data files (see wndb(5WN))."""
    found = {}
    for name, part in PARTS.items():
        for line in _lines(wordnet / f"data.{name}"):
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            lemmas = [_MARKER.sub("", lemma) for lemma in fields[4 : 4 + 2 * count : 2]]
            found[part, int(fields[0])] = Synset(lemmas, list(_pointers(fields[5 + 2 * count :])))
    return found


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith("  "))  # without the licence


def _pointers(fields: Sequence[str]) -> Iterator[Pointer]:
    while len(fields) >= 4 and not fields[0].isdigit():  # noqa: PLR2004 (the fields of a pointer)
        symbol, offset, part, ends = fields[:4]
        part = "a" if part == "s" else part
        yield Pointer(symbol, part, int(offset), int(ends[:2], 16), int(ends, 16) % 256)
        fields = fields[4:]


def read_senses(wordnet: Path) -> dict[tuple[str, str], dict[int, float]]:
    """Return, per lemma and part of speech, the improbability of each synset in bits."""
    counts: defaultdict[tuple[str, str, int], int] = defaultdict(int)
    for line in (wordnet / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, sense, count = line.split()
        lemma, _, rest = key.partition("%")
        counts[lemma, _TYPES[rest[0]], int(sense)] += int(count)
    senses = {}
    for name, part in PARTS.items():
        for line in _lines(wordnet / f"index.{name}"):
            fields = line.split()
            lemma, offsets = fields[0], fields[-int(fields[2]) :]
            weights = [counts[lemma, part, i] + 1 / i for i in range(1, len(offsets) + 1)]
            bits = [math.log2(sum(weights) / weight) for weight in weights]
            senses[lemma, part] = {int(o): b for o, b in zip(offsets, bits, strict=True)}
    return senses


def neighbours(
    lemma: str, part: str, synsets: Synsets, senses: dict[tuple[str, str], dict[int, float]]
) -> dict[str, float]:
    """Return the words that share a meaning or a near one with a lemma, and their distances."""
    found: defaultdict[str, float] = defaultdict(lambda: math.inf)
    for offset, bits in senses[lemma, part].items():
        near = [(offset, 0.0)]
        near += [
            (pointer.offset, _STEPS[pointer.symbol])
            for pointer in synsets[part, offset].pointers
            if pointer.symbol in _STEPS and pointer.part == part
        ]
        for place, step in near:
            for other in synsets[part, place].lemmas:
                back = senses.get((other.lower(), part), {}).get(place, math.inf)
                found[other] = min(found[other], bits + step + back)
    found.pop(lemma, None)
    return found


def antonyms(lemma: str, part: str, synsets: Synsets, offsets: Sequence[int]) -> list[str]:
    """Return the antonyms of a lemma, those of its most common sense first.

    The antonyms of an adjective include those of similar adjectives.
    """
    direct: list[str] = []
    indirect: list[str] = []
    for offset in offsets:
        synset = synsets[part, offset]
        direct += _opposites(synset, lemma, synsets)
        for pointer in synset.pointers:
            if pointer.symbol == "&":
                indirect += _opposites(synsets[pointer.part, pointer.offset], None, synsets)
    return list(dict.fromkeys(direct + indirect))


def _opposites(synset: Synset, lemma: str | None, synsets: Synsets) -> Iterator[str]:
    for pointer in synset.pointers:
        if pointer.symbol == "!" and (
            lemma is None or synset.lemmas[pointer.source - 1].lower() == lemma
        ):
            yield synsets[pointer.part, pointer.offset].lemmas[pointer.target - 1]


def compared(word: str, adjectives: AbstractSet[str]) -> bool:
    """Return whether an adjective is a comparative or superlative, such as "bigger"."""
    for suffix in ("er", "est"):
        stem = word.removesuffix(suffix)
        if stem != word and not adjectives.isdisjoint(
            (stem, stem + "e", stem[:-1], stem[:-1] + "y")
        ):
            return True
    return word in _IRREGULAR


def listed(near: Mapping[str, float], frequent: AbstractSet[str]) -> str:
    """Return the nearest frequent words as text, each with its distance in half bits."""
    halves = {word: 2 * bits for word, bits in near.items() if word in frequent}
    halves = {word: round(half_bits) for word, half_bits in halves.items() if half_bits < FARTHEST}
    ranked = sorted(halves, key=lambda word: (halves[word], word))
    return " ".join(f"{word} {halves[word]}" for word in ranked[:NEIGHBOURS])


def main() -> None:
    """Write the table: sorted lines ``lemma<TAB>part<TAB>word distance …<TAB>antonym …``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("common", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    ranked = gzip.decompress(arguments.common.read_bytes()).decode().split()
    synsets, senses = read_synsets(arguments.wordnet), read_senses(arguments.wordnet)
    frequent = {word for word in ranked[:FREQUENT] if not is_coarse(word)}
    usable = frequent.intersection(ranked[:USABLE])
    adjectives = {lemma for lemma, part in senses if part == "a"}
    degrees = {word for word in adjectives if compared(word, adjectives)}
    lines = []
    for lemma, part in sorted(senses):
        if lemma not in frequent or (part == "a" and lemma in degrees):
            continue
        words = usable - degrees if part == "a" else usable
        near = listed(neighbours(lemma, part, synsets, senses), words)
        opposite = antonyms(lemma, part, synsets, list(senses[lemma, part]))
        lines.append(f"{lemma}\t{part}\t{near}\t{' '.join(w for w in opposite if w in words)}")
    packed = gzip.compress("\n".join(lines).encode(), compresslevel=9, mtime=0)
    arguments.output.write_bytes(packed)
    print(f"{len(lines):,} entries, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
