"""Clean-up: what an application for dictation kept, dropped, lost, invented, and left stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mondegreen.align import INSERTION, MATCH, Alignment
from mondegreen.language.disfluency.lexicon import ENGLISH
from mondegreen.metrics.metric import Ratio
from mondegreen.metrics.scores.score import Counts
from mondegreen.text.items import Item, words_of

COLUMNS = ("reparanda", "stale")
_NOT_REPAIRED = frozenset(("F", "D", "E", "A", "FR", "filler", "discourse", "partial", "repeat"))
"""Tags of words that nothing replaces: fillers, markers, editing terms, asides, fragments."""

_TERMS = tuple(tuple(term.split()) for term in (*ENGLISH.terms, *ENGLISH.markers))
_FILLERS = frozenset(("ah", "eh", "er", "erm", "hm", "hmm", "mhm", "mm", "uh", "um"))


FLUENT = "fluent_copies fluent_substitutions fluent_deletions"
"""The counts that sum to the fluent words of the references."""
DISFLUENT = "disfluent_copies disfluent_substitutions disfluent_deletions"
_INVENTED = "fluent_insertions disfluent_insertions fluent_substitutions disfluent_substitutions"
RATES = (
    Ratio.of("kept_rate", "fluent_copies", FLUENT, columns=COLUMNS),
    Ratio.of("dropped_rate", "disfluent_deletions", DISFLUENT, columns=COLUMNS),
    *(
        Ratio.of(name, over, under, lower_is_better=True, columns=COLUMNS)
        for name, over, under in (
            ("lost_rate", "fluent_substitutions fluent_deletions", FLUENT),
            ("invented_rate", _INVENTED, f"{_INVENTED} fluent_copies disfluent_copies"),
            ("stale_rate", "stale", "reparanda"),
        )
    ),
)


def reparanda(flags: Sequence[bool], tags: Sequence[str]) -> Iterator[tuple[range, range]]:
    """Yield what was taken back, and the fluent words that replace it: positions of words.

    A reparandum is a run of disfluent words; fillers, markers and fragments are not part of it, but
    may stand between it and the repair. The repair is as long as the reparandum at most.

    >>> list(reparanda([True, True, True, False, False, False], ["RM", "RM", "E", "O", "O", "O"]))
    [(range(0, 2), range(3, 5))]
    """
    at = 0
    while at < len(flags):
        if not _is_reparandum(flags, tags, at):
            at += 1
            continue
        end = at
        while end < len(flags) and _is_reparandum(flags, tags, end):
            end += 1
        start = end
        while start < len(flags) and flags[start]:
            start += 1
        stop = start
        while stop < len(flags) and not flags[stop] and stop - start < end - at:
            stop += 1
        if stop > start:
            yield range(at, end), range(start, stop)
        at = end


def _is_reparandum(flags: Sequence[bool], tags: Sequence[str], at: int) -> bool:
    return bool(flags[at]) and tags[at] not in _NOT_REPAIRED


def is_stale(words: Sequence[str], kept: Sequence[int], old: range, new: range) -> bool:
    """Return whether a word that was taken back is kept, and its repair is not.

    Words that the repair repeats do not count.

    >>> is_stale(["to", "boston", "to", "denver"], [1, 1, 0, 0], range(2), range(2, 4))
    True
    """
    repair = {words[at] for at in new}
    stale = any(kept[at] and words[at] not in repair for at in old)
    before = {words[at] for at in old}
    replacing = [kept[at] for at in new if words[at] not in before]
    return stale and not any(replacing)


def _kinds(words: Sequence[str]) -> list[str]:
    """Return the tags of words that have none: fillers, and editing terms such as "I mean"."""
    kinds = ["F" if word in _FILLERS else "" for word in words]
    for phrase in _TERMS:
        for at in range(len(words) - len(phrase) + 1):
            if tuple(words[at : at + len(phrase)]) == phrase:
                kinds[at : at + len(phrase)] = ["E"] * len(phrase)
    return kinds


def count_stale(
    refs: Sequence[Item],
    flags: Sequence[bytes],
    tags: Sequence[Sequence[str]] | None,
    alignment: Alignment,
) -> Counts:
    """Count the words taken back that have a repair, and those of them that are stale."""
    table = np.zeros((len(refs), len(COLUMNS)), np.int64)
    for item, row in enumerate(flags):
        if not any(row):
            continue
        words = [word.lower() for word in words_of(refs[item])]
        kept = [step == MATCH for step in alignment.of(item).tolist() if step != INSERTION]
        kinds = tags[item] if tags is not None else _kinds(words)
        pairs = list(reparanda([*map(bool, row)], kinds))
        table[item] = len(pairs), sum(is_stale(words, kept, *pair) for pair in pairs)
    return table
