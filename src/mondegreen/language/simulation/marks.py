"""Marks that recognisers and transcribers write, which are no words: ``<unk>``, ``[noise]``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern

UNHEARD = "ʘ"
"""Stands for a word that the recogniser heard but does not know; it is never written."""

_MARK = lazy_pattern(
    r"<\s*/?\s*(?P<a>[a-z][\w-]*)[^<>]{0,20}>"  # <unk>, < unk >, <noise/>
    r"|\[\s*(?P<b>[^\[\]]{1,40}?)\s*\]"  # [noise], [inaudible 00:12]
    r"|\{\s*(?P<c>[^{}]{1,40}?)\s*\}"  # {laugh}
    r"|@@(?P<d>\w+)@@"
    r"|(?<!\S)%(?P<e>[a-z]+)"  # %hesitation
    r"|(?<!\S)\+\+?(?P<f>[a-z]+)\+\+?(?!\S)"  # ++noise++
    r"|\(\s*(?P<g>unk|unknown|unintelligible|inaudible|indiscernible|crosstalk|noise|music|silence"
    r"|laugh(?:s|ter|ing)?|applause|cough(?:s|ing)?|breath(?:ing)?|pause)\s*\)"
    r"|(?<!\S)\*{2,}(?!\S)"
)
_OF_UNKNOWN_WORDS = {"unk", "unknown", "oov", "unintelligible", "inaudible", "indiscernible"}
_BARE = {"unk": UNHEARD, "oov": UNHEARD, "spn": "", "nsn": ""}


class Unmarked(NamedTuple):
    """Texts without marks, and how often they had each."""

    refs: list[str]
    hyps: list[str]
    marks: Counter[str]


def unmarked(refs: Iterable[str], hyps: Iterable[str]) -> Unmarked:
    """Leave the marks out of references and hypotheses.

    In a hypothesis, :data:`UNHEARD` takes the place of marks that stand for an unknown word, so
    that there still is an error. A mark without brackets, such as ``unk``, is one if no reference
    has it.

    >>> unmarked(["play jazz now"], ["[noise] play < unk > now"]).hyps
    ['play ʘ now']
    """
    marks = Counter[str]()
    found = Unmarked([_cleared(ref, marks, "") for ref in refs], [], marks)
    said = {word for ref in found.refs for word in ref.lower().split()}
    bare = {mark: left for mark, left in _BARE.items() if mark not in said}
    for hyp in hyps:
        words = _cleared(hyp, marks, UNHEARD).split()
        marks.update(word for word in map(str.lower, words) if word in bare)
        found.hyps.append(" ".join(filter(None, (bare.get(w.lower(), w) for w in words))))
    return found


def _cleared(text: str, marks: Counter[str], unheard: str) -> str:
    """Return a text without marks by form, and count them."""
    lower = text.lower()
    if len(lower) != len(text) or not any(sign in lower for sign in "<[{@%+(*"):
        return text
    parts, at = [], 0
    for match in _MARK.finditer(lower):
        name = next(filter(None, match.groups()), "")
        marks["".join(match.group().split())] += 1
        parts += [text[at : match.start()], unheard if name in _OF_UNKNOWN_WORDS else ""]
        at = match.end()
    return " ".join(" ".join([*parts, text[at:]]).split()) if parts else text


def named(marks: Counter[str], most: int = 5) -> str:
    """Return the most frequent marks in words.

    >>> named(Counter({"<unk>": 256, "[noise]": 1}))
    "'<unk>' 256 times, '[noise]' once"
    """
    ranked: Sequence[tuple[str, int]] = sorted(marks.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{mark!r} {f'{n:,} times' if n > 1 else 'once'}" for mark, n in ranked[:most]]
    return ", ".join(shown) + (f" and {len(ranked) - most:,} more" if len(ranked) > most else "")
