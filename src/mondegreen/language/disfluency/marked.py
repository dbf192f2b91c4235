"""Disfluencies of marked words, classified by type.

A *reparandum* is what a speaker takes back: "THE the dog". It is a ``partial`` if it ends in a word
that is broken off ("fi-"), a ``repeat`` if the same words follow, a ``repair`` if other words
follow in its place, and a ``restart`` if the speaker drops it (docs/disfluency.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.language.disfluency.fillers import filler_lists
from mondegreen.language.disfluency.lexicon import ENGLISH, REPARANDA
from mondegreen.language.vocabulary.word_classes import family, head
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Variant

EDITED = "+editing"
"""The suffix of kinds of edits that insert words between a reparandum and its repair."""

_PARTIAL = "partial"
_FLUENT = frozenset(("O", "C", ""))
_ROLES = {
    **dict.fromkeys(("RM", *REPARANDA), "RM"),
    **dict.fromkeys(("F", "filler"), "F"),
    **dict.fromkeys(("D", "discourse"), "D"),
    **dict.fromkeys(("E", "editing"), "E"),
    "A": "A",
}
_REACH = 2  # how many words longer than its reparandum a repair may be
_DRAWN_OUT = lazy_pattern(r"[aeiouäöü]*h*m{2,}h*|[aeuäö]+h{2,}m*|[uäö]+h*m+|e+h*m+|a+h+m+")


class Marked(NamedTuple):
    """Words with their roles.

    A role is RM (reparandum), F (filler), D (discourse marker), E (editing term), A (aside) or O
    (fluent).
    """

    words: Sequence[str]
    roles: Sequence[str]


class Disfluency(NamedTuple):
    """One disfluency: its type, its words, and whether it opens the turn.

    ``term`` describes the words between a reparandum and its repair: ``editing`` for an editing
    term, ``pause`` for filled pauses only, empty if there are no such words.
    """

    kind: str
    words: tuple[str, ...]
    opens: bool
    term: str = ""


def marked_by_tags(words: Sequence[str], tags: Sequence[str]) -> Marked:
    """Return the roles of words from the tags of a corpus (RM F D E A C O) or the kinds of edits.

    A word that is broken off gets a dash, by which it is recognised later.

    >>> marked_by_tags(["rock", "no", "wait", "jazz"], ["repair+editing"] * 3 + ["O"]).roles
    ['RM', 'E', 'E', 'O']

    Raises:
        DataError: if a tag is unknown.
    """
    roles: list[str] = []
    kinds = _split_terms(words, tags)
    words = [
        word.rstrip("-") + "-" if kind == _PARTIAL and kinds[at + 1 : at + 2] != [kind] else word
        for at, (word, kind) in enumerate(zip(words, kinds, strict=True))
    ]
    for at, tag in enumerate(kinds):
        role = "O" if tag in _FLUENT else _ROLES.get(tag)
        if role is None:
            known = ", ".join((*_ROLES, "C", "O"))
            raise DataError(f"word {at} has the tag {tag!r}; known tags of disfluencies: {known}")
        roles.append(role)
    return Marked(words, roles)


def _split_terms(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Split edits of several parts: ``filler+repair+editing`` into its three kinds."""
    found = list(tags)
    for start, end in _runs(tags):
        *before, kind = tags[start].removesuffix(EDITED).split("+")
        found[start:end] = [kind] * (end - start)
        at = start
        while before and at < end - 1:
            size, role = _term_at_start(words[at : end - 1])
            found[at : at + size] = ["filler" if role == "F" else "discourse"] * size
            at += size or end
        if tags[start].endswith(EDITED):
            inside = range(min(at, end) + 1, end)
            found[start:end] = [
                "filler" if place in inside and is_pause(words[place]) else found[place]
                for place in range(start, end)
            ]
            first, term = _term_at_end(words, start + 1, end)
            found[first:end] = [term] * (end - first)
    return found


def marked_by_case(text: str, keep: Collection[str] = ()) -> Marked:
    """Return the roles of the words of a text whose disfluent words are in UPPERCASE.

    Known phrases are fillers, discourse markers or editing terms; other words are reparanda. Words
    in ``keep`` are fluent in upper case, too.

    >>> marked_by_case("UH play ROCK I MEAN jazz").roles
    ['F', 'O', 'RM', 'E', 'E', 'O']
    """
    words = text.split()
    disfluent = [word.isupper() and word not in keep for word in words]
    lower = [word.lower() if flag else word for word, flag in zip(words, disfluent, strict=True)]
    roles = ["RM" if flag else "O" for flag in disfluent]
    for start, end in _runs(disfluent):
        at = start
        while disfluent[start] and at < end:
            size, role = _term_at_start(lower[at:end])
            roles[at : at + size] = [role] * size
            at += size or 1
    return Marked(lower, roles)


def marked_by_edits(variant: Variant) -> Marked:
    """Return the roles of a variant's words, from the kinds of its edits."""
    return marked_by_tags(variant.utterance.tokens, kinds_of(variant))


def kinds_of(variant: Variant) -> list[str]:
    """Return, per word, the kind of the edit that inserted it; ``O`` for all other words.

    Words after a reparandum are ``editing``, or ``filler`` if they are filled pauses only.
    """
    tags = ["O"] * len(variant.utterance.tokens)
    shift = 0
    for edit in variant.edits:
        grows = len(edit.tokens) - (edit.end - edit.start)
        if edit.start == edit.end:
            tags[edit.start + shift : edit.start + shift + grows] = [edit.kind] * grows
        shift += grows
    return _split_terms(variant.utterance.tokens, tags)


def uppercased(variant: Variant) -> str:
    """Return the text as a reference for ``score fluency``: inserted words are in UPPERCASE.

    >>> from mondegreen.variants import perturb
    >>> [uppercased(variant) for variant in perturb(["Play some jazz"], "fillers", seed=7)]
    ['play ERM some jazz']

    Raises:
        DataError: if an inserted word has no upper case.
    """
    words = []
    utterance = variant.utterance
    for word, origin in zip(utterance.tokens, variant.origin, strict=True):
        if origin is None and not word.upper().isupper():
            raise DataError(
                f"utterance {utterance.id!r}: {word!r} has no upper case to mark it by; name the "
                "file .tsv to write a column of tags"
            )
        words.append(word.upper() if origin is None else word.lower())
    return " ".join(words)


def tagged_line(variant: Variant) -> str:
    r"""Return id, words and the kind of each word, tab-separated, as ``score fluency`` reads them.

    >>> from mondegreen.variants import perturb
    >>> [tagged_line(variant) for variant in perturb(["play some jazz"], "fillers", seed=7)]
    ['1/fillers/0\tplay um some jazz\tO filler O O']
    """
    utterance = variant.utterance
    return "\t".join((utterance.id, " ".join(utterance.tokens), " ".join(kinds_of(variant))))


def disfluencies(turn: Marked) -> Iterator[Disfluency]:
    """Yield the disfluencies of a turn in order.

    >>> turn = marked_by_case("WELL THE UH the black TO- tongue ROCK I MEAN jazz")
    >>> [(one.kind, " ".join(one.words), one.term) for one in disfluencies(turn)]
    [('discourse', 'well', ''), ('repeat', 'the', 'pause'), ('partial', 'to-', ''), \
('repair', 'rock', 'editing')]
    """
    spoken = [at for at, role in enumerate(turn.roles) if role in "RMO"]
    bare = [turn.words[at].lower() for at in spoken]
    after_reparandum: set[int] = set()
    found: list[tuple[int, Disfluency]] = []
    for start, end in _runs([turn.roles[at] for at in spoken]):
        if turn.roles[spoken[start]] != "RM":
            continue
        for kind, begin, stop in units(bare, start, end):
            last = spoken[stop - 1] + 1
            following = spoken[stop] if stop < len(spoken) else len(turn.words)
            between = set(turn.roles[last:following])
            after_reparandum.update(range(last, following))
            term = "editing" if between & {"E", "D"} else "pause" if "F" in between else ""
            words = tuple(bare[begin:stop])
            found.append((spoken[begin], Disfluency(kind, words, begin == 0, term)))
    first = spoken[0] if spoken else len(turn.words)
    for start, end in _runs(turn.roles):
        role = turn.roles[start]
        if role in "FDE" and start not in after_reparandum:
            words = tuple(word.lower() for word in turn.words[start:end])
            kind = "filler" if role == "F" else "discourse"
            found.append((start, Disfluency(kind, words, start < first)))
    return (one for _, one in sorted(found, key=lambda pair: pair[0]))


def units(words: Sequence[str], start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield type, start and end of each reparandum of adjacent ones.

    "i i'm i" of "i i'm i am" are three.
    """
    while start < end:
        for stop in range(start + 1, end + 1):
            if words[stop - 1].endswith("-"):
                kind = "partial"
            elif words[start:stop] == words[stop : 2 * stop - start]:
                kind = "repeat"
            else:
                continue
            break
        else:
            stop = end
            kind = "repair" if is_repair(words[start:stop], words[stop:]) else "restart"
        yield kind, start, stop
        start = stop


def is_repair(unit: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether a unit is repaired: a word recurs, or a word of the same family follows."""
    following = {head(word) for word in rest[: len(unit) + _REACH]}
    if any(head(word) in following for word in unit):
        return True
    return bool(rest) and family(unit[0]) == family(rest[0])


def _runs(items: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of equal items."""
    start = 0
    for at in range(1, len(items) + 1):
        if at == len(items) or items[at] != items[start]:
            yield start, at
            start = at


@lru_cache(maxsize=10_000)
def is_pause(word: str) -> bool:
    """Return whether an inserted word is a filled pause of any language, also drawn out.

    >>> [is_pause(word) for word in ("uh", "ummm", "äh", "jazz")]
    [True, True, True, False]
    """
    word = word.lower()
    if word in ENGLISH.pauses or _DRAWN_OUT.fullmatch(word):
        return True
    return any(word in one.fillers for one in filler_lists().values())


def _term_at_start(words: Sequence[str]) -> tuple[int, str]:
    """Return length and role of the known phrase that words begin with; 0 if no phrase is known."""
    size, role = ENGLISH.phrase_at_start(tuple(words))
    return (1, "F") if not size and words and is_pause(words[0]) else (size, role)


def _term_at_end(words: Sequence[str], start: int, end: int) -> tuple[int, str]:
    """Return start and kind of the editing term or the pauses ("uh uh") that end a span."""
    for first in range(max(start, end - ENGLISH.longest), end):
        if ENGLISH.phrases.get(tuple(words[first:end]), "F") != "F":
            return first, "editing"
    first = end
    while first > start and is_pause(words[first - 1]):
        first -= 1
    return first, "filler"
