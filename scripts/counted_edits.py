"""Tables of the documentation that count edits on the NATURE test sets (see ``build_docs.py``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from itertools import islice
from pathlib import Path

from mondegreen.data import read
from mondegreen.language.vocabulary.verbs import verb_phrase
from mondegreen.operators import parse
from mondegreen.operators.groups import GROUPS
from mondegreen.operators.place_fillers import PlaceFillers
from mondegreen.operators.synonyms import Synonyms
from mondegreen.types import Utterance, Variant
from mondegreen.variants import perturb

SETS = ("atis", "snips", "nlued")
BESIDE_A_VERB = ("fillers.preverb", "fillers.postverb")
FEW = 100
"""Utterances per set for operators that ask a language model, so that the tests stay fast."""


def failed_over(variant: Variant) -> bool:
    """Return whether the operator changed something other than what it looks for first."""
    utterance, edit = variant.parent, variant.edits[0]
    if edit.operator in BESIDE_A_VERB:
        return verb_phrase(utterance.tokens, utterance.slots) is None
    operator = parse(edit.operator)
    return isinstance(operator, Synonyms) and edit.kind not in operator.kinds


def counted(utterances: Iterable[Utterance], operator: str) -> Counter[str]:
    """Count the edits of an operator with seed 1: all, changed, once, over, slot, kept."""
    found: Counter[str] = Counter()
    for variant in perturb(utterances, operator, seed=1, once=True):
        before, after = variant.parent, variant.utterance
        found["all"] += 1
        found["kept"] += [s.label for s in before.slots] == [s.label for s in after.slots]
        if variant.edits:
            edit = variant.edits[0]
            found["changed"] += 1
            found["once"] += len(variant.edits) == 1
            found["over"] += failed_over(variant)
            found["slot"] += any(
                slot.start <= edit.start < edit.end <= slot.end for slot in before.slots
            )
    return found


def _share(found: Counter[str]) -> str:
    return f"{100 * found['changed'] / found['all']:.1f} %"


def nature_table(data: Path) -> str:
    """Return how often each operator of the group ``nature`` changes each test set."""
    lines = [
        (
            "| operator | set | utterances | changed | exactly once | failed over | in a slot "
            "| slots kept |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for operator in GROUPS["nature"]:
        for name in SETS:
            found = counted(read(data / name / "test"), operator)
            numbers = " | ".join(f"{found[key]:,}" for key in ("once", "over", "slot", "kept"))
            lines.append(
                f"| `{operator}` | {name} | {found['all']:,} | {_share(found)} | {numbers} |"
            )
    return "\n".join(lines)


def synonym_table(data: Path) -> str:
    """Return what both sources of synonyms change in the first utterances of each test set."""
    lines = [
        (
            "| operator | set | thesaurus: changed | failed over | in a slot | mlm: changed "
            "| failed over | in a slot |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in ("verb", "adjective", "adverb", "any", "stopword"):
        for name in SETS:
            cells = []
            for source in ("thesaurus", "mlm"):
                first = islice(read(data / name / "test"), FEW)
                found = counted(first, f"synonyms.{kind}(source={source})")
                cells += [_share(found), str(found["over"]), str(found["slot"])]
            lines.append(f"| `synonyms.{kind}` | {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def defaults(name: str) -> str:
    """Return the default amount and parameters of an operator, and its own list of fillers."""
    operator = parse(name)
    values = ", ".join(
        f"`{field.name}={getattr(operator, field.name)!r}`"
        for field in fields(operator)  # type: ignore[arg-type]  # operators are dataclasses
    )
    line = f"Default amount: `{operator.default}`. Default parameters: {values or 'none'}."
    if isinstance(operator, PlaceFillers):
        line += f" Its fillers: {', '.join(operator.known)}."
    return line
