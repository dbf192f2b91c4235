"""Format-equal scoring: a difference in writing is forgiven, a difference in value is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mondegreen.align import align
from mondegreen.align.costs import UNIT
from mondegreen.text.items import Item, words_of
from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.alignment import regions, same_stretches, trigger
from mondegreen.values.grammar import grammar
from mondegreen.values.speaking import spoken_word

_UNSPACED = frozenset({"zh", "ja"})
_SIGN = lazy_pattern(r"\s*(?:[\u3005-\u30ff\u4e00-\u9fff]|[^\s\u3005-\u30ff\u4e00-\u9fff]+)")
_MOST = 80  # words of a part with errors that is searched for stretches
_MARKS = frozenset("{}")


class Forgiven(NamedTuple):
    """What was written in another way: the number of the pair, and both of its sides."""

    item: int
    ref: str
    hyp: str


class Equal(NamedTuple):
    """Both sides with values in one writing, and what was forgiven."""

    refs: list[Item]
    hyps: list[Item]
    forgiven: tuple[Forgiven, ...]


def in_one_writing(
    refs: Sequence[Item], hyps: Sequence[Item], language: str, *, keep: bool = False
) -> Equal:
    """Return both sides with the values that they share as the reference writes them.

    Where values differ, both are said in words, so that the words that differ count; not with
    ``keep``, which leaves the words of the references alone.

    >>> in_one_writing(["it cost $5 or $6"], ["it cost five dollars or $7"], "en")[:2]
    (['it cost $5 or six dollars'], ['it cost $5 or seven dollars'])
    """
    grammar(language)
    may = trigger(language)
    left, right = list(refs), list(hyps)
    items = [
        at
        for at, (ref, hyp) in enumerate(zip(refs, hyps, strict=True))
        if ref != hyp and (may.search(_text(ref)) or may.search(_text(hyp)))
    ]
    pairs = [(_units(left[at], language), _units(right[at], language)) for at in items]
    folded = [[[one.casefold().strip() for one in side] for side in pair] for pair in pairs]
    found = align([p[0] for p in folded], [p[1] for p in folded], UNIT)
    forgiven: list[Forgiven] = []
    for number, at in enumerate(items):
        ref, hyp = pairs[number]
        edited = _Pair(ref, hyp, language, keep=keep)
        for span, beside in regions(found.of(number).tolist()):
            edited.forgive(span, beside)
        left[at], right[at] = edited.sides()
        forgiven += [Forgiven(at, *pair) for pair in edited.forgiven]
    return Equal(left, right, tuple(forgiven))


def in_all_writings(classes: Mapping[str, str], language: str) -> Iterator[tuple[str, str]]:
    """Yield keywords with their classes, as they are written and, with a language, as said.

    >>> list(in_all_writings({"$5 fee": "cost"}, "en"))
    [('$5 fee', 'cost'), ('five dollars fee', 'cost')]
    """
    for phrase, label in classes.items():
        yield phrase, label
        if language:
            words = [spoken_word(word, language) or [word] for word in phrase.split()]
            said = " ".join(word for part in words for word in part)
            if said != phrase:
                yield said, label


def _text(item: Item) -> str:
    return item if isinstance(item, str) else " ".join(item)


def _units(item: Item, language: str) -> list[str]:
    """Return the words of a text; the characters of a script without spaces, with those before."""
    if language in _UNSPACED:
        return _SIGN.findall(_text(item))
    return list(words_of(item))


class _Pair:
    """The words of one pair, and what they are replaced by."""

    def __init__(self, ref: list[str], hyp: list[str], language: str, *, keep: bool) -> None:
        self.ref, self.hyp, self.language = ref, hyp, language
        self.new_ref: list[list[str]] = [[word] for word in ref]
        self.new_hyp: list[list[str]] = [[word] for word in hyp]
        self.keep = keep
        self.may = trigger(language)
        self.forgiven: list[tuple[str, str]] = []

    def forgive(self, span: tuple[int, int], beside: tuple[int, int]) -> None:
        """Look for stretches that say the same; say other values in words."""
        ref, hyp = self.ref[slice(*span)], self.hyp[slice(*beside)]
        if len(ref) > _MOST or len(hyp) > _MOST or _MARKS & set("".join((*ref, *hyp))):
            return
        if not self.may.search(" ".join((*ref, *hyp))):
            return
        stretches = same_stretches(
            [w.strip() for w in ref], [w.strip() for w in hyp], self.language
        )
        lefts: set[int] = set()
        rights: set[int] = set()
        for one in stretches:
            start, end = (span[0] + place for place in one.ref)
            first, last = (beside[0] + place for place in one.hyp)
            lefts.update(range(start, end))
            rights.update(range(first, last))
            self.new_hyp[first:last] = [self.ref[start:end], *[[]] * (last - first - 1)]
            joint = "" if self.language in _UNSPACED else " "
            pair = (joint.join(self.ref[start:end]), joint.join(self.hyp[first:last]))
            self.forgiven.append((pair[0].strip(), pair[1].strip()))
        if self.keep:
            return
        shared = {w.casefold() for w in ref} & {w.casefold() for w in hyp}
        for at in set(range(*span)) - lefts:
            self._say(self.new_ref, at, shared)
        for at in set(range(*beside)) - rights:
            self._say(self.new_hyp, at, shared)

    def _say(self, words: list[list[str]], at: int, shared: set[str]) -> None:
        word = words[at][0]
        if word.casefold() not in shared and any(map(str.isdecimal, word)):
            words[at] = spoken_word(word, self.language) or [word]

    def sides(self) -> tuple[Item, Item]:
        """Return both sides as texts."""
        joint = "" if self.language in _UNSPACED else " "
        ref, hyp = (
            joint.join(word for words in side for word in words)
            for side in (self.new_ref, self.new_hyp)
        )
        return ref, hyp
