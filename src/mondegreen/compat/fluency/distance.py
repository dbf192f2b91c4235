"""The alignment of one sentence, printed as the published evaluator prints it."""

from __future__ import annotations

from collections.abc import Sequence

from mondegreen.errors import DataError
from mondegreen.metrics.fluency.metric import fluency
from mondegreen.metrics.words.scoring import words
from mondegreen.metrics.words.steps import Step

RULE = "-" * 50
_LETTERS = {"match": " ", "substitution": "S", "deletion": "D", "insertion": "I"}
_INDEL, _SUBSTITUTION = 3, 4


class MinDistance:
    """The minimum edit distance between a reference, with disfluencies in UPPERCASE, and an output.

    Args:
        Ref: the reference.
        Hyp: what the system returned.
        modified_weights: whether disfluent words cost 1e-7 more or less, so that repeated words are
            matched with the fluent ones.
        ins_weight: cost of an insertion; only the published 3.
        del_weight: cost of a deletion; only the published 3.
        sub_weight: cost of a substitution; only the published 4.
    """

    def __init__(
        self,
        *,
        Ref: str,  # noqa: N803 (as in the evaluator)
        Hyp: str,  # noqa: N803
        modified_weights: bool = False,
        ins_weight: int = _INDEL,
        del_weight: int = _INDEL,
        sub_weight: int = _SUBSTITUTION,
    ) -> None:
        if (ins_weight, del_weight, sub_weight) != (_INDEL, _INDEL, _SUBSTITUTION):
            raise DataError(
                f"the costs are {_INDEL}, {_INDEL} and {_SUBSTITUTION} for insertions, deletions "
                "and substitutions, as published; for other costs see mondegreen.score.words"
            )
        self.ref, self.hyp = Ref.split(), Hyp.split()
        self.modified_weights = modified_weights

    def align(self) -> tuple[str, list[int]]:
        """Return the alignment as text, and its scores.

        The scores are copies, substitutions, deletions, insertions and words of the reference; with
        modified weights, first of the fluent and then of the disfluent words.
        """
        if self.modified_weights:
            score = fluency([self.ref], [self.hyp])
            counts: list[int] = score.counts[0].tolist()
            steps = score.alignments[0]
            fluent, disfluent = counts[:4], counts[4:8]
            lines = [
                f"Fluent:    (#C #S #D #I) {' '.join(map(str, fluent))} ",
                f"Disfluent: (#C #S #D #I) {' '.join(map(str, disfluent))}",
            ]
            scores = [*fluent, sum(fluent[:3]), *disfluent, sum(disfluent[:3])]
        else:
            lowered = [word.lower() for word in self.ref]
            score = words([lowered], [self.hyp], costs="sclite")
            found = score.sums()
            names = ("hits", "substitutions", "deletions", "insertions")
            fluent = [int(found[name]) for name in names]
            steps = _as_written(score.alignments[0], self.ref)
            lines = [f"Scores: (#C #S #D #I) {' '.join(map(str, fluent))}"]
            scores = [*fluent, sum(fluent[:3]), sum(word.isupper() for word in self.ref)]
        return "\n".join([*_three_lines(steps), *lines, ""]), scores

    def __str__(self) -> str:
        return self.align()[0]


def _as_written(steps: Sequence[Step], ref: Sequence[str]) -> list[Step]:
    """Return the steps with the words of the reference as they are written."""
    left = iter(ref)
    return [step if step.ref is None else step._replace(ref=next(left)) for step in steps]


def _three_lines(steps: Sequence[Step]) -> list[str]:
    refs, hyps, letters = [], [], ""
    for kind, ref, hyp, _, _ in steps:
        width = max(len(ref or ""), len(hyp or ""))
        refs.append((ref or "*" * width).ljust(width))
        hyps.append((hyp or "*" * width).ljust(width))
        letters += _LETTERS[kind] + " " * width
    return [f"REF: \t{' '.join(refs)}", f"HYP: \t{' '.join(hyps)}", f"Eval: \t{letters}"]


def numbered(number: int, text: str) -> str:
    """Return an alignment under the number of its sentence."""
    return f"{RULE} \nSent #{number} \n{RULE} \n{text}"


class Test:
    """The evaluator's own thirteen sentences, aligned with modified weights."""

    __test__ = False  # not a test of pytest

    ref = (
        "THE THE THE the sad part about here is that winter starts in",
        "THEY YOU KNOW THEY they wouldn't have been given access to the friend or foe codes",
        "IT'S BEEN it's been lucratim for him",
        "I I i guess he was RIGH-",
        "YEAH yeah THEY THEY THEY they will check for alcohol",
        "makes you wanna stick around",
        "yeah",
        "right well I i'm on the benefits committee here",
        "yeah I i totally agree I i think it's kind of appalling",
        "they're pretty fun THEY'RE they're good kids",
        (
            "I i mean i don't really know WHAT THEY CAN how they can really enforce the laws any "
            "better"
        ),
        (
            "I THINK i think IT WAS IT WAS THERE WERE there were a lot more demographic related "
            "interestts"
        ),
        "I MEAN i mean it's great",
    )
    hyp = (
        "the sad part about here is that winter starts in",
        "they wouldn't have been given access to the friend or foe codes",
        "it's been lucri for em",
        "i guess he was wrong",
        "yeah i mean they check for alcohol",
        "makes you want to stick around",
        "",
        "right well i'm not i'm not the benefits committee here",
        "yeah i i i totally agree i think it's it's kind of a pollen",
        "they are pretty fun they were good kids",
        "i mean i don't really know they can really impose the laws any better",
        "i think there was a lot more geographic related interests",
        "i mean i i i mean it is great",
    )

    def __str__(self) -> str:
        pairs = enumerate(zip(self.ref, self.hyp, strict=True), start=1)
        return "\n".join(
            numbered(n, str(MinDistance(Ref=ref, Hyp=hyp, modified_weights=True)))
            for n, (ref, hyp) in pairs
        )
