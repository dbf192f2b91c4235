"""The accuracy of the tagger on the dev parts of treebanks, and its speed.

python bench/tagger.py ../shared/data
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from mondegreen.data import read
from mondegreen.language.vocabulary.tagger import _own, tag
from mondegreen.operators import parse
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from timing import best, machine
from train_tagger import read as read_treebank
from train_tagger import spoken

PLACES = ("fillers.bos", "fillers.eos", "fillers.preverb", "fillers.postverb")
CORPORA = ("atis", "snips", "nlued")


def accuracy(path: Path) -> tuple[float, float]:
    """Return the accuracy of the tags, and the F1 of verbs."""
    pairs: list[tuple[str, str]] = []
    for sentence in map(spoken, read_treebank(path)):
        found = tag(tuple(token.form for token in sentence))
        pairs += zip((token.tag for token in sentence), found, strict=True)
    verbs = sum((gold == "VERB") + (found == "VERB") for gold, found in pairs)
    right = sum(gold == found for gold, found in pairs)
    return right / len(pairs), 2 * pairs.count(("VERB", "VERB")) / verbs


def main() -> None:
    """Print the tables."""
    data = Path(sys.argv[1])
    print(machine("numpy"))
    print("\n| dev part | right, % | verbs' F1, % |\n|---|---|---|")
    for part in ("atis-dev", "ewt-dev"):
        right, verbs = accuracy(data / "pos" / f"{part}.tsv")
        print(f"| {part} | {100 * right:.2f} | {100 * verbs:.2f} |")
    test = {name: list(read(data / "slu" / name / "test")) for name in CORPORA}
    texts = [utterances.tokens for part in test.values() for utterances in part]
    tagger = _own().tag
    seconds, _ = best(lambda: [tagger(tokens) for tokens in texts], clock=time.process_time)
    print(f"\n{sum(map(len, texts)) / seconds:,.0f} words/s")
    print("\n| operator | data | utterances | changed | slots intact | utterances/s |")
    print("|---|---|---|---|---|---|")
    for name in PLACES:
        operator = parse(name)
        engine = Engine(Recipe((operator,), seed=7))
        for corpus, utterances in test.items():
            seconds, made = best(
                lambda: [engine.variant(one, operator) for one in utterances],  # noqa: B023 (run at once)
                clock=time.process_time,
            )
            changed = sum(len(variant.edits) == 1 for variant in made)
            intact = sum(
                [v.parent.tokens[s.start : s.end] for s in v.parent.slots]
                == [v.utterance.tokens[s.start : s.end] for s in v.utterance.slots]
                for v in made
            )
            print(
                f"| {name} | {corpus} | {len(utterances)} | {changed} | {intact} "
                f"| {len(utterances) / seconds:,.0f} |"
            )


if __name__ == "__main__":
    main()
