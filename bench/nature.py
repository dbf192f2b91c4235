"""NATURE's ten operators on its three test sets: changed utterances, failed over, slots.

    python bench/nature.py ../shared/data > docs/nature.md

Failed over: a verb filler that found no verb and was put before a name; a synonym of a word of
another word class than the operator's. The other operators do not depend on word classes.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import mondegreen as mg
from mondegreen.language.verbs import verb_phrase
from mondegreen.operators.groups import GROUPS
from mondegreen.operators.synonyms import Synonyms

SETS = ("atis", "snips", "nlued")
HEAD = """# NATURE's ten operators on its three test sets

`python bench/nature.py DATA`, seed 1, one edit per utterance. *Failed over*: a verb filler that
found no verb and was put before a name, or a synonym of a word of another word class than the
operator's. *In a slot*: the edit is inside a slot, which keeps its label. *Slots kept*: utterances
with the same slots in the same order. Synonyms are from the thesaurus.

| operator | set | utterances | changed | exactly once | failed over | in a slot | slots kept |
|---|---|---|---|---|---|---|---|"""


def failed_over(variant: mg.Variant) -> bool:
    """Return whether an operator failed over to another word class."""
    source, edit = variant.parent, variant.edits[0]
    if edit.operator in ("fillers.preverb", "fillers.postverb"):
        return verb_phrase(source.tokens, source.slots) is None
    operator = mg.operator(edit.operator)
    return isinstance(operator, Synonyms) and edit.kind not in operator.kinds


def main(data: Path) -> None:
    """Print the page."""
    print(HEAD)
    for operator in GROUPS["nature"]:
        for name in SETS:
            found: Counter[str] = Counter()
            for variant in mg.perturb(mg.read(data / "slu" / name / "test"), operator, seed=1):
                source, utterance = variant.parent, variant.utterance
                found["all"] += 1
                found["kept"] += [s.label for s in source.slots] == [
                    s.label for s in utterance.slots
                ]
                if variant.edits:
                    edit = variant.edits[0]
                    found["changed"] += 1
                    found["once"] += len(variant.edits) == 1
                    found["over"] += failed_over(variant)
                    found["slot"] += any(
                        slot.start <= edit.start < edit.end <= slot.end for slot in source.slots
                    )
            share = f"{100 * found['changed'] / found['all']:.1f} %"
            counts = " | ".join(f"{found[key]:,}" for key in ("once", "over", "slot", "kept"))
            print(f"| `{operator}` | {name} | {found['all']:,} | {share} | {counts} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
