"""NATURE's ten operators on its three test sets: changed, failed over, slots touched.

    python bench/nature.py ../shared/data > docs/nature.md

Failed over: a verb filler that found no verb and went before a name; a synonym of a word of
another class than the operator's. The others have no class to fail over from.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import mondegreen as mg
from mondegreen.language.vocabulary.verbs import verb_phrase
from mondegreen.operators.groups import GROUPS
from mondegreen.operators.synonyms import Synonyms

SETS = ("atis", "snips", "nlued")
HEAD = """# NATURE's ten operators on its three test sets

How often each operator of the group `nature` changes the utterances of the NATURE test sets, with
one edit per utterance and seed 1 (`python bench/nature.py DATA`). Synonyms come from the thesaurus.

- *changed*: share of the utterances that were changed; *exactly once*: number with one edit.
- *failed over*: a filler beside the verb that found no verb and went before a name, or a synonym
  of a word of another class than the operator's.
- *in a slot*: the edit is inside a slot, which keeps its label.
- *slots kept*: utterances that still have the same slots in the same order, none of them split.

| operator | set | utterances | changed | exactly once | failed over | in a slot | slots kept |
|---|---|---|---|---|---|---|---|"""


def failed_over(variant: mg.Variant) -> bool:
    """Tell whether an operator had to do with something else than what it looks for."""
    said, edit = variant.parent, variant.edits[0]
    if edit.operator in ("fillers.preverb", "fillers.postverb"):
        return verb_phrase(said.tokens, said.slots) is None
    operator = mg.operator(edit.operator)
    return isinstance(operator, Synonyms) and edit.kind not in operator.kinds


def main(data: Path) -> None:
    """Print the page."""
    print(HEAD)
    for operator in GROUPS["nature"]:
        for name in SETS:
            found: Counter[str] = Counter()
            for variant in mg.perturb(mg.read(data / "slu" / name / "test"), operator, seed=1):
                said, heard = variant.parent, variant.utterance
                found["all"] += 1
                found["kept"] += [s.label for s in said.slots] == [s.label for s in heard.slots]
                if variant.edits:
                    edit = variant.edits[0]
                    found["changed"] += 1
                    found["once"] += len(variant.edits) == 1
                    found["over"] += failed_over(variant)
                    found["slot"] += any(
                        slot.start <= edit.start < edit.end <= slot.end for slot in said.slots
                    )
            share = f"{100 * found['changed'] / found['all']:.1f} %"
            counts = " | ".join(f"{found[key]:,}" for key in ("once", "over", "slot", "kept"))
            print(f"| `{operator}` | {name} | {found['all']:,} | {share} | {counts} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
