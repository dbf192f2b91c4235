"""Disfluencies told apart by type, from words that are marked as disfluent.

A *reparandum* is what a speaker takes back: "THE the dog". It is a ``partial`` where it ends in a
word broken off ("fi-"), a ``repeat`` where the same words follow, a ``repair`` where others follow
in its place, a ``restart`` where nothing of it comes back (docs/disfluency.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.language.fillers import filler_list
from mondegreen.language.word_classes import family, head
from mondegreen.types import Variant

REPARANDA = ("repeat", "partial", "repair", "restart")
TYPES = (*REPARANDA, "discourse", "filler")
EDITED = "+editing"
"""Ends the kind of an edit that puts in words between a reparandum and what follows it."""

PAUSES = (*filler_list("en").fillers, "oh", "huh", "uh-huh", "mm")
MARKERS = ("you know", "well", "like", "so", "now", "see", "say", "anyway", "actually", "you see")
TERMS = ("i mean", "no wait", "sorry", "or rather", "no", "wait", "or", "make that", "i meant")
"""What speakers say between an error and its repair; :data:`PAUSES` and :data:`MARKERS` as well."""

_FLUENT = frozenset(("O", "C", ""))
_ROLES = {
    **dict.fromkeys(("RM", *REPARANDA), "RM"),
    **dict.fromkeys(("F", "filler"), "F"),
    **dict.fromkeys(("D", "discourse"), "D"),
    **dict.fromkeys(("E", "editing"), "E"),
    "A": "A",
}
_REACH = 2  # a repair may be longer than what it replaces by as many words


class Marked(NamedTuple):
    """Words, each with the role it has: RM, F, D, E, A (an aside), or O where it is fluent."""

    words: Sequence[str]
    roles: Sequence[str]


class Disfluency(NamedTuple):
    """One disfluency: its type, its words, whether it opens the turn, and what follows on it.

    ``term`` tells what stands between a reparandum and what follows: ``editing`` for words,
    ``pause`` for a filled pause alone.
    """

    kind: str
    words: tuple[str, ...]
    opens: bool
    term: str = ""


def marked_by_tags(words: Sequence[str], tags: Sequence[str]) -> Marked:
    """Read the tags of a corpus (RM F D E A C O), or the kinds of edits.

    >>> marked_by_tags(["rock", "no", "wait", "jazz"], ["repair+editing"] * 3 + ["O"]).roles
    ['RM', 'E', 'E', 'O']

    Raises:
        DataError: if a tag is none of these.
    """
    roles = []
    for at, tag in enumerate(_parted(words, tags)):
        role = "O" if tag in _FLUENT else _ROLES.get(tag)
        if role is None:
            known = ", ".join((*_ROLES, "C", "O"))
            raise DataError(f"word {at} has the tag {tag!r}; known for disfluencies: {known}")
        roles.append(role)
    return Marked(words, roles)


def _parted(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Part the kind of an edit with a term: the reparandum's own, then editing or filler."""
    found = [tag.removesuffix(EDITED) for tag in tags]
    for start, end in _runs(tags):
        if tags[start].endswith(EDITED):
            first, kind = _term_at_end(words, start + 1, end)
            found[first:end] = [kind] * (end - first)
    return found


def marked_by_case(text: str, keep: Collection[str] = ()) -> Marked:
    """Read a text whose disfluent words are in UPPERCASE; what they are, their look tells.

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
    """Read what the operators put in: the kind of each edit is the type of its words."""
    return marked_by_tags(variant.utterance.tokens, kinds_of(variant))


def kinds_of(variant: Variant) -> list[str]:
    """Return for each word the kind of the edit that put it in; ``O`` for all others.

    What is said after a reparandum is ``editing``, or ``filler`` where it is a pause alone.
    """
    tags = ["O"] * len(variant.utterance.tokens)
    shift = 0
    for edit in variant.edits:
        grows = len(edit.tokens) - (edit.end - edit.start)
        if edit.start == edit.end:
            tags[edit.start + shift : edit.start + shift + grows] = [edit.kind] * grows
        shift += grows
    return _parted(variant.utterance.tokens, tags)


def uppercased(variant: Variant) -> str:
    """Return the text as a reference for ``score fluency``: words put in are in UPPERCASE.

    >>> from mondegreen.perturbation.engine import perturb
    >>> [uppercased(heard) for heard in perturb(["Play some jazz"], "fillers", seed=7)]
    ['play ERM some jazz']

    Raises:
        DataError: if a word that was put in has no upper case.
    """
    words = []
    heard = variant.utterance
    for word, origin in zip(heard.tokens, variant.origin, strict=True):
        if origin is None and not word.upper().isupper():
            raise DataError(
                f"utterance {heard.id!r}: {word!r} has no upper case to mark it by; name the "
                "file .tsv, to have a column of tags"
            )
        words.append(word.upper() if origin is None else word.lower())
    return " ".join(words)


def tagged_line(variant: Variant) -> str:
    r"""Return id, words and the kind of each, tab-separated, as ``score fluency`` reads them.

    >>> from mondegreen.perturbation.engine import perturb
    >>> [tagged_line(heard) for heard in perturb(["play some jazz"], "fillers", seed=7)]
    ['1/fillers/0\tplay um some jazz\tO filler O O']
    """
    heard = variant.utterance
    return "\t".join((heard.id, " ".join(heard.tokens), " ".join(kinds_of(variant))))


def disfluencies(said: Marked) -> Iterator[Disfluency]:
    """Yield the disfluencies of a turn, each told by its type.

    >>> turn = marked_by_case("WELL THE UH the black TO- tongue ROCK I MEAN jazz")
    >>> [(one.kind, " ".join(one.words), one.term) for one in disfluencies(turn)]
    [('discourse', 'well', ''), ('repeat', 'the', 'pause'), ('partial', 'to-', ''), \
('repair', 'rock', 'editing')]
    """
    spoken = [at for at, role in enumerate(said.roles) if role in "RMO"]
    bare = [said.words[at].lower() for at in spoken]
    after_reparandum: set[int] = set()
    found: list[tuple[int, Disfluency]] = []
    for start, end in _runs([said.roles[at] for at in spoken]):
        if said.roles[spoken[start]] != "RM":
            continue
        for kind, begin, stop in _units(bare, start, end):
            last = spoken[stop - 1] + 1
            following = spoken[stop] if stop < len(spoken) else len(said.words)
            between = set(said.roles[last:following])
            after_reparandum.update(range(last, following))
            term = "editing" if between & {"E", "D"} else "pause" if "F" in between else ""
            words = tuple(bare[begin:stop])
            found.append((spoken[begin], Disfluency(kind, words, begin == 0, term)))
    first = spoken[0] if spoken else len(said.words)
    for start, end in _runs(said.roles):
        role = said.roles[start]
        if role in "FDE" and start not in after_reparandum:
            words = tuple(word.lower() for word in said.words[start:end])
            kind = "filler" if role == "F" else "discourse"
            found.append((start, Disfluency(kind, words, start < first)))
    return (one for _, one in sorted(found, key=lambda pair: pair[0]))


def _units(words: Sequence[str], start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Take a stretch of reparanda apart: "i i'm i" of "i i'm i am" are three."""
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
            kind = "repair" if _comes_back(words[start:stop], words[stop:]) else "restart"
        yield kind, start, stop
        start = stop


def _comes_back(unit: Sequence[str], rest: Sequence[str]) -> bool:
    """Tell a repair: a word of it follows again, or what follows begins with a word of its kind."""
    following = {head(word) for word in rest[: len(unit) + _REACH]}
    if any(head(word) in following for word in unit):
        return True
    return bool(rest) and family(unit[0]) == family(rest[0])


def _runs(items: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of equal items."""
    start = 0
    for at in range(1, len(items) + 1):
        if at == len(items) or items[at] != items[start]:
            yield start, at
            start = at


def _lexicon() -> Iterable[tuple[tuple[str, ...], str]]:
    for role, phrases in (("E", TERMS), ("D", MARKERS), ("F", PAUSES)):
        yield from ((tuple(phrase.split()), role) for phrase in phrases)


_PHRASES = dict(_lexicon())
_LONGEST = max(map(len, _PHRASES))


def _term_at_start(words: Sequence[str]) -> tuple[int, str]:
    """How many words make up a phrase that speakers put in, and what role it has."""
    for size in range(min(_LONGEST, len(words)), 0, -1):
        phrase = tuple(words[:size])
        if phrase in _PHRASES:
            return size, _PHRASES[phrase]
    return 0, ""


def _term_at_end(words: Sequence[str], start: int, end: int) -> tuple[int, str]:
    """Where the term or the pauses ("uh uh") begin that end a stretch, and their kind."""
    for first in range(max(start, end - _LONGEST), end):
        phrase = tuple(words[first:end])
        if phrase in _PHRASES and _PHRASES[phrase] != "F":
            return first, "editing"
    first = end
    while first > start and words[first - 1] in PAUSES:
        first -= 1
    return first, "filler"
