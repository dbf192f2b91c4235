"""jiwer's ``process_words`` and ``process_characters``: counts, rates and alignments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from mondegreen.align import DELETION, INSERTION, MATCH, SUBSTITUTION, align
from mondegreen.align.costs import UNIT
from mondegreen.compat.jiwer.transformations import cer_default, wer_default

Sentences = str | list[str]
Transform = Callable[[Any], Any]
_TYPES = {MATCH: "equal", SUBSTITUTION: "substitute", DELETION: "delete", INSERTION: "insert"}
_SWAPPED = {SUBSTITUTION: SUBSTITUTION, DELETION: INSERTION, INSERTION: DELETION}
_LATE = [INSERTION, SUBSTITUTION, DELETION]


@dataclass
class AlignmentChunk:
    """A run of steps of one type: ``equal``, ``substitute``, ``delete`` or ``insert``.

    Indices are those of the words or characters of both sides, ends excluded.
    """

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type == "replace":
            self.type = "substitute"
        if self.type not in _TYPES.values():
            raise ValueError(f"the type of a chunk is one of {', '.join(_TYPES.values())}")
        for side in ("ref", "hyp"):
            start, end = getattr(self, f"{side}_start_idx"), getattr(self, f"{side}_end_idx")
            if start > end:
                raise ValueError(f"{side}_start_idx={start} is larger than {side}_end_idx={end}")


@dataclass
class WordOutput:
    """What :func:`process_words` found."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """What :func:`process_characters` found."""

    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Align sentences word by word, and return counts, rates and alignments.

    >>> process_words("play some jazz", "play jaws").deletions
    1

    Raises:
        ValueError: if a transform does not return lists of words, or if the numbers of references
            and hypotheses differ.
    """
    refs = _transformed(reference, reference_transform, "reference")
    hyps = _transformed(hypothesis, hypothesis_transform, "hypothesis")
    if len(refs) != len(hyps):
        raise ValueError(
            "After applying the transforms on the reference and hypothesis sentences, their "
            f"lengths must match. Instead got {len(refs)} reference and {len(hyps)} hypothesis "
            "sentences."
        )
    found = align([hyp[::-1] for hyp in hyps], [ref[::-1] for ref in refs], UNIT)
    hits, substitutions, insertions, deletions = map(int, found.counts.sum(axis=0))
    words, heard = hits + substitutions + deletions, hits + substitutions + insertions
    errors = substitutions + deletions + insertions
    preserved = hits / words * (hits / heard) if words and heard else float(words == heard)
    return WordOutput(
        references=refs,
        hypotheses=hyps,
        alignments=[_chunks(found.of(item).tolist()) for item in range(len(refs))],
        wer=errors / words if words else float(insertions),
        mer=errors / (words + insertions) if words + insertions else 0.0,
        wil=1 - preserved,
        wip=preserved,
        hits=hits,
        substitutions=substitutions,
        insertions=insertions,
        deletions=deletions,
    )


def process_characters(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Align sentences character by character; spaces count.

    >>> process_characters("jazz", "jaws").substitutions
    2
    """
    found = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    return CharacterOutput(
        found.references,
        found.hypotheses,
        found.alignments,
        found.wer,
        found.hits,
        found.substitutions,
        found.insertions,
        found.deletions,
    )


def _transformed(sentences: Sentences, transform: Transform, side: str) -> list[list[str]]:
    found = transform([sentences] if isinstance(sentences, str) else sentences)
    if not isinstance(found, list) or not all(
        isinstance(one, list) and all(isinstance(token, str) for token in one) for one in found
    ):
        raise ValueError(
            f"After applying the transformation, each {side} should be a list of strings, with "
            "each string being a single word or character."
        )
    return found


def _chunks(steps: list[int]) -> list[AlignmentChunk]:
    """Return the runs of steps of an alignment of the reversed hypothesis with the reference.

    Ties are then broken as jiwer breaks them: traced from the start, a diagonal step comes before
    an insertion, and an insertion before a deletion; between two matches, insertions come first
    and deletions last.
    """
    ordered: list[int] = []
    for matched, block in groupby(reversed(steps), key=lambda step: step == MATCH):
        run = list(block)
        ordered += run if matched else sorted(map(_SWAPPED.__getitem__, run), key=_LATE.index)
    chunks = []
    i = j = 0
    for step, same in groupby(ordered):
        size = len(list(same))
        ref_end = i + (size if step != INSERTION else 0)
        hyp_end = j + (size if step != DELETION else 0)
        chunks.append(AlignmentChunk(_TYPES[step], i, ref_end, j, hyp_end))
        i, j = ref_end, hyp_end
    return chunks
