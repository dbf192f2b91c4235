"""Build the package's thesaurus from WordNet 3.0.

    apt-get install wordnet-base
    cd src/mondegreen/resources
    python ../../../scripts/build_thesaurus.py /usr/share/wordnet languages/en/thesaurus.txt.xz

Reads data.noun, data.verb, data.adj and data.adv. The synonyms of a lemma are the other lemmas of
its synsets, without coarse words.
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

_MARKER = re.compile(r"\((a|p|ip)\)$")  # adjectives: attributive, predicative, postnominal

# Words that must not appear in a test set by chance; they have synonyms, but are not synonyms.
_COARSE_WORDS = """
fuck fucking fucker fucked shit shitty cunt cock cocks dick prick twat bugger bitch bastard nigger
nigga coon darky darkie chink gook jap kike yid hymie wop spic spick wetback raghead faggot fag dyke
poof nance pansy tranny whore slut cocotte tits boob boobs titty knocker screw bang bonk hump eff
jazz shag wank jerk piss crap ass arse asshole arsehole cum porn porno sexcam milf blowjob handjob
dildo vibrator orgasm bukkake hentai upskirt tgp anal pussy penis vagina nude naked horny erotic
escorts incest rape
"""
COARSE = frozenset(_COARSE_WORDS.split())
_COARSE_PHRASES = re.compile(
    r"fuck|shit|intercourse|have sex|make love|sleep with|sleep together|get laid|roll in the hay"
    r"|have it (off|away)|lie with|be intimate|do it|get it on|have a go at it|make out"
)


def is_coarse(word: str) -> bool:
    """Return whether a word or phrase is too coarse to insert."""
    return word.lower() in COARSE or _COARSE_PHRASES.search(word) is not None


def synsets(path: Path) -> Iterator[list[str]]:
    """Yield the lemmas of each synset of a WordNet data file (see wndb(5WN))."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("  "):  # the licence at the head of the file
                continue
            fields = line.split()
            count = int(fields[3], 16)
            lemmas = fields[4 : 4 + 2 * count : 2]
            yield [_MARKER.sub("", lemma).replace("_", " ") for lemma in lemmas]


def main() -> None:
    """Write the table: sorted, one word per line, ``word<TAB>synonym|synonym``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    table: defaultdict[str, set[str]] = defaultdict(set)
    for part in ("noun", "verb", "adj", "adv"):
        for lemmas in synsets(arguments.wordnet / f"data.{part}"):
            for lemma in lemmas:
                if lemma.isupper():  # "ME" is Maine, "me" is not
                    continue
                head = lemma.lower()
                table[head] |= {o for o in lemmas if o.lower() != head and not is_coarse(o)}
    lines = [f"{word}\t{'|'.join(sorted(table[word]))}" for word in sorted(table) if table[word]]
    packed = lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    arguments.output.write_bytes(packed)
    print(f"{len(lines):,} words with synonyms, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
