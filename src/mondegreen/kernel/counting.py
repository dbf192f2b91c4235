"""What is counted beside the steps of pairs, in plain Python: entities, hallucinations, surface."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mondegreen.kernel.alignment import (
    DELETION,
    INSERTION,
    MATCH,
    SUBSTITUTION,
    Times,
    align_pair,
    distances,
    pair_times,
)
from mondegreen.text.items import Item, words_of

Words = Sequence[str]
Span = tuple[str, int, int]
"""The class of an entity, its first word, and the word after its last."""
Keywords = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Words of phrases, with their classes."""
Parts = tuple[str, str, str]
"""A token without punctuation in lower case, the same with its case, and the punctuation."""
Classes = list[tuple[str, tuple[int, ...]]]

ENTITY_WIDTH = 6
_UNIT = [0, 1, 1, 1] * 2


def align_and_count(
    refs: list[Item],
    hyps: list[Item],
    costs: Sequence[int],
    threads: int,  # noqa: ARG001 (the kernel's signature)
    keywords: Keywords | None,
    spans: Sequence[Sequence[Span]] | None,
    hallucinations: bool,  # noqa: FBT001 (the kernel's signature)
    written: tuple[list[Item], list[Item]] | None,
    take_apart: Callable[[str], Parts],
    times: tuple[Times, Times] | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64], Classes]:
    """Align pairs, and count what else is asked for.

    Args:
        refs: the references.
        hyps: the hypotheses, one per reference.
        costs: the costs of a copy, a substitution, a deletion and an insertion.
        threads: how many threads to use.
        keywords: phrases that are entities wherever a reference has them, and mentions wherever a
            hypothesis does; ``None`` for none.
        spans: the entities of each reference; their words are mentions, too.
        hallucinations: count those.
        written: both sides with their punctuation and case, to count errors of these.
        take_apart: the function of that name.
        times: the times of the words of both sides, which then add to the costs.

    Returns:
        The steps; where those of each pair end; a row of counts per pair; and the counts of each
        class of entities. The columns are match, substitution, deletion, insertion, those of the
        three counts that are asked for, whether any word is wrong, and 1.
    """
    sides = [[words_of(item) for item in side] for side in (refs, hyps)]
    steps: list[int] = []
    ends: list[int] = []
    rows: list[list[int]] = []
    classes: dict[str, list[int]] = {}
    entities = None
    if keywords is not None or spans is not None:
        entities = _Entities(sides[0], keywords or (), spans)
    pairs = pair_times(times, *sides)
    for item, (ref, hyp) in enumerate(zip(*sides, strict=True)):
        found = align_pair(ref, hyp, [*costs, *costs], [0] * len(ref), pairs[item])
        steps += found
        ends.append(len(steps))
        row = [found.count(step) for step in range(4)]
        if entities is not None:
            row += entities.count(item, ref, hyp, found, classes)
        if hallucinations:
            row += _count_hallucinations(ref, hyp, found)
        if written is not None:
            row += count_surface(written[0][item], written[1][item], take_apart)
        rows.append([*row, int(any(row[1:4])), 1])
    width = (
        6 + ENTITY_WIDTH * (entities is not None) + 5 * hallucinations + 4 * (written is not None)
    )
    return (
        np.array(steps, np.uint8),
        np.array(ends, np.int64),
        np.array(rows, np.int64).reshape(-1, width),
        [(label, tuple(counts)) for label, counts in classes.items()],
    )


class _Entities:
    """The entities of references, and the phrases that are mentions of them."""

    def __init__(
        self, refs: Sequence[Words], keywords: Keywords, spans: Sequence[Sequence[Span]] | None
    ) -> None:
        self.keywords = {tuple(words): tuple(labels) for words, labels in keywords}
        self.spans = [
            [(label, max(0, start), min(end, len(ref))) for label, start, end in row]
            for ref, row in zip(
                refs, spans if spans is not None else [[] for _ in refs], strict=True
            )
        ]
        tagged: dict[tuple[str, ...], dict[str, None]] = {}
        for ref, row in zip(refs, self.spans, strict=True):
            for label, start, end in row:
                if end > start:
                    tagged.setdefault(tuple(ref[start:end]), {})[label] = None
        self.phrases = self.keywords | {phrase: tuple(names) for phrase, names in tagged.items()}

    def count(
        self,
        item: int,
        ref: Words,
        hyp: Words,
        steps: Sequence[int],
        classes: dict[str, list[int]],
    ) -> list[int]:
        """Count entities of a reference and mentions in its hypothesis.

        An insertion within an entity is an error of it. A mention is right if all its words match
        words of the reference that stand together. Entities of one stretch count once.
        """
        row = [0] * ENTITY_WIDTH
        ref_steps, hyp_steps, errors = _positions(steps)
        counted: dict[tuple[int, int], list[int]] = {}
        for label, start, end in (*occurrences(ref, self.keywords), *self.spans[item]):
            if end > start:
                wrong = errors[ref_steps[end - 1] + 1] - errors[ref_steps[start]]
                counted[start, end] = [1, int(not wrong), end - start, wrong, 0, 0]
                _add(classes.setdefault(label, [0] * ENTITY_WIDTH), counted[start, end])
        mentions: dict[int, list[int]] = {}
        for label, start, end in occurrences(hyp, self.phrases):
            right = errors[hyp_steps[end - 1] + 1] == errors[hyp_steps[start]]
            mentions[start] = [0, 0, 0, 0, 1, int(right)]
            _add(classes.setdefault(label, [0] * ENTITY_WIDTH), mentions[start])
        for counts in (*counted.values(), *mentions.values()):
            _add(row, counts)
        return row


def _add(sums: list[int], counts: Sequence[int]) -> None:
    sums[:] = [a + b for a, b in zip(sums, counts, strict=True)]


def occurrences(words: Words, phrases: Mapping[tuple[str, ...], Sequence[str]]) -> Iterator[Span]:
    """Yield where phrases occur, the longest first at each place, without overlaps."""
    at = 0
    longest = max(map(len, phrases), default=0)
    while at < len(words):
        for size in range(min(longest, len(words) - at), 0, -1):
            labels = phrases.get(tuple(words[at : at + size]))
            if labels is not None:
                yield from ((label, at, at + size) for label in labels)
                at += size - 1
                break
        at += 1


def _positions(steps: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Return the steps of the words of both sides, and how many errors precede each step."""
    ref_steps = [at for at, step in enumerate(steps) if step != INSERTION]
    hyp_steps = [at for at, step in enumerate(steps) if step != DELETION]
    errors = [0]
    for step in steps:
        errors.append(errors[-1] + (step != MATCH))
    return ref_steps, hyp_steps, errors


LOOP, SILENCE, STRAY = "loop", "silence", "stray"
_TIMES = 4  # repetitions in a row that make a loop
_LONGEST = 12  # words of what is repeated
_RUN = 5  # words of a run that may be invented
_SURPLUS = 3  # words that a run must have more than the reference has there
_FAR = 0.6  # share of the letters of the run that differ from those of the reference


class Hallucination(NamedTuple):
    """What is invented in an utterance: ``loop``, ``silence`` or ``stray``, and the words."""

    kind: str
    start: int
    end: int


def loops(words: Words) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and times of what is repeated four times or more in a row.

    >>> list(loops("so thank you thank you thank you thank you".split()))
    [(1, 9, 4)]
    """
    at = 0
    while at < len(words):
        best = (0, 0)
        for size in range(1, min(_LONGEST, (len(words) - at) // _TIMES) + 1):
            times = 1
            unit = words[at : at + size]
            while words[at + times * size : at + (times + 1) * size] == unit:
                times += 1
            if times >= _TIMES and times * size > best[0]:
                best = (times * size, times)
        if best[0]:
            yield at, at + best[0], best[1]
            at += best[0]
        else:
            at += 1


def hallucinations(ref: Words, hyp: Words, steps: Sequence[int]) -> list[Hallucination]:
    """Return what a hypothesis invents; only one with three wrong words in a row, or for silence.

    >>> hallucinations([], ["thank", "you"], [3, 3])
    [Hallucination(kind='silence', start=0, end=2)]
    """
    if not ref:
        return [Hallucination(SILENCE, 0, len(hyp))] if hyp else []
    if not _three_wrong(steps):
        return []
    said = max((times for _, _, times in loops(ref)), default=1)
    found = [Hallucination(LOOP, a, b) for a, b, times in loops(hyp) if times > said]
    taken = {at for one in found for at in range(one.start, one.end)}
    for (a, b), (c, d) in _error_runs(steps):
        if d - c >= _RUN and d - c - (b - a) >= _SURPLUS and not taken & set(range(c, d)):
            letters, apart = _letters(ref[max(0, a - 1) : b + 1], hyp[c:d])
            if apart >= _FAR * letters:
                found.append(Hallucination(STRAY, c, d))
    return found


def _three_wrong(steps: Sequence[int]) -> bool:
    wrong = [step in (SUBSTITUTION, INSERTION) for step in steps]
    return any(all(wrong[at : at + 3]) for at in range(len(wrong) - 2))


def _error_runs(steps: Sequence[int]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the stretches without a match: the words of both sides."""
    i = j = a = c = 0
    for step in [*steps, MATCH]:
        if step == MATCH:
            if j > c or i > a:
                yield (a, i), (c, j)
            i, j = i + 1, j + 1
            a, c = i, j
            continue
        i += step != INSERTION
        j += step != DELETION


def _letters(ref: Words, hyp: Words) -> tuple[int, int]:
    """Return how many letters a run has, and how many of them are not in the reference."""
    ((letters, apart),) = distances([" ".join(hyp)], [" ".join(ref)], 1).tolist()
    return letters, apart


def _count_hallucinations(ref: Words, hyp: Words, steps: Sequence[int]) -> list[int]:
    found = hallucinations(ref, hyp, steps)
    kinds = [one.kind for one in found]
    words = sum(one.end - one.start for one in found)
    return [int(bool(found)), *(int(kind in kinds) for kind in (LOOP, SILENCE, STRAY)), words]


_WITHIN = "'’-"  # noqa: RUF001 (the typographic apostrophe)


@cache
def take_apart(token: str) -> Parts:
    """Split a token into what is compared, the word, and its punctuation.

    >>> take_apart("Don't!")
    ("don't", "Don't", '!')
    """
    if token.isalnum():
        return token.lower(), token, ""
    word = "".join(c for i, c in enumerate(token) if not _is_mark(token, i))
    marks = "".join(c for i, c in enumerate(token) if _is_mark(token, i))
    return word.lower(), word, marks


def _is_mark(token: str, i: int) -> bool:
    char = token[i]
    if char in _WITHIN and 0 < i < len(token) - 1:
        return False
    return unicodedata.category(char).startswith("P")


def count_surface(
    ref_item: Item, hyp_item: Item, take_apart: Callable[[str], Parts] = take_apart
) -> list[int]:
    """Count marks and their errors, and words that match, and those with another case.

    The words are aligned without punctuation and case. A word of both sides is then compared for
    the marks around it; a word that only one side has brings its marks as deletions or insertions.

    >>> count_surface("Play jazz, please.", "play jazz please")
    [2, 2, 3, 1]
    """
    ref, hyp = (_without_marks(item, take_apart) for item in (ref_item, hyp_item))
    keys = [[word[0] for word in side] for side in (ref, hyp)]
    errors = same = other_case = i = j = 0
    for step in align_pair(keys[0], keys[1], _UNIT, [0] * len(ref)):
        if step == DELETION:
            errors += len(ref[i][2])
        elif step == INSERTION:
            errors += len(hyp[j][2])
        else:
            errors += _distance(ref[i][2], hyp[j][2])
            same += step == MATCH
            other_case += step == MATCH and ref[i][1] != hyp[j][1]
        i += step != INSERTION
        j += step != DELETION
    return [sum(len(word[2]) for word in ref), errors, same, other_case]


def _without_marks(item: Item, take_apart: Callable[[str], Parts]) -> list[Parts]:
    """Return the words of a text; a mark that stands alone belongs to the word before it."""
    found: list[Parts] = []
    for token in words_of(item):
        word = take_apart(token)
        if word[0]:
            found.append(word)
        elif found:
            key, before, marks = found[-1]
            found[-1] = key, before, marks + word[2]
    return found


def _distance(ref: str, hyp: str) -> int:
    """Return the edit distance of the marks at one place, of which there are hardly ever two."""
    common = sum(min(ref.count(char), hyp.count(char)) for char in set(ref))
    return max(len(ref), len(hyp)) - common
