"""Patterns: the expressions that find written values of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from mondegreen.values.grammar import Grammar, grammar
from mondegreen.values.tables import named

_THOUSAND = 1000
_AFTER = ("元", "円", "원", "đ", "₫")  # signs that stand only after a number
FRACTION = re.compile(
    r"(?<![\d/.,])(?:(?P<w>\d+)[ ])?(?P<root>√?)(?P<n>\d+)[ ]?/[ ]?"
    r"(?P<d>\d[\d,.]*(?<![,.]))(?:th|rd|nd|s|TH|RD|ND)?(?![\d/])"
)


def any_of(words: Iterable[str]) -> str:
    """Return the expression of any of some words, the longest first; they share their beginnings.

    >>> any_of(["usd", "us", "€"])
    '(?:€|us(?:d|))'
    """
    begins: dict[str, list[str]] = {}
    for word in sorted(set(words), reverse=True):
        begins.setdefault(word[:1], []).append(word[1:])
    ways = []
    for first, rests in begins.items():
        rest = any_of(rests) if rests != [""] else ""
        ways.append(re.escape(first) + rest if first else "")
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def number_source(decimal: str, *, both: bool) -> str:
    """Return the expression of a number in digits.

    Args:
        decimal: the sign before decimals.
        both: whether points and commas are used for decimals and for thousands alike.
    """
    if decimal == "." and not both:
        return (
            r"(?<![\d.,])(?:\d{1,3}(?:,\d{2,4})*,\d{3,4}(?!\d)|\d+)(?:\.\d+)?(?![\d]|\.\d)"
            r"|(?<![\d.,])\.\d+"
        )
    return (
        r"(?<![\d.,])(?:\d{1,3}(?:[.,]\d{3})+(?!\d)|\d{1,3}(?: \d{3})+(?!\d)|\d+)"
        r"(?:[.,]\d{3} \d{1,3}(?!\d)|[.,]\d+)?(?![\d]|[.,]\d)|(?<![\d.,])[.,]\d+"
    )


def time_patterns(tables: Mapping[str, Any]) -> list[re.Pattern[str]]:
    """Return the expressions of 8:55 and of 8h55; words such as "Uhr" may follow."""
    signs = re.escape(str(tables.get("time_signs", ":")))
    after = str(tables.get("time_after", ""))
    suffix = rf"(?:[ ]?(?:{after})(?!\w))?" if after else ""
    edge, hour, stop = r"(?<![\d.,:/])", r"(?P<h>[0-2]?\d)", r"(?![\d]|[.,:]\d)"
    clock = rf"{edge}{hour}[{signs}](?P<m>\d\d)(?:[:.](?P<s>\d\d))?(?!\d|[.,:]\d){suffix}"
    found = [clock]
    if after:
        minutes = r"(?:[ ]?(?P<m>\d\d?)[ ]?(?:min|mn|m|p|분)?(?:[ ]?(?P<s>\d\d?)[ ]?s)?)?"
        found.append(rf"{edge}{hour}[ ]?(?:{after}){minutes}(?!\w){stop}")
    return [re.compile(source, re.IGNORECASE) for source in found]


def date_patterns(
    tables: Mapping[str, Any], months: list[str]
) -> list[tuple[re.Pattern[str], bool]]:
    """Return the expressions of dates; those whose order is a guess are marked."""
    dates = tables.get("dates", {})
    order = str(tables.get("date_order", "dmy"))
    year, day, month = r"(?P<y>\d{4})", r"(?P<d>\d{1,2})", r"(?P<M>\d{1,2})"
    short = r"(?P<y>\d{4}|\d{2})"
    edge, stop = r"(?<![\d/.-])", r"(?![\d/]|[.-]\d)"
    orders = {"dmy": rf"{day}[-/.]{month}[-/.]{short}", "mdy": rf"{month}[-/.]{day}[-/.]{short}"}
    other = "mdy" if order != "mdy" else "dmy"
    found = [
        (rf"{edge}{year}[-/.]{month}[-/.]{day}{stop}", False),
        (rf"{edge}{year}[-/.]{month}{stop}", False),
        (rf"{edge}{orders[order if order in orders else 'dmy']}{stop}", True),
        *([] if order == "dmy" else [(rf"{edge}{orders[other]}{stop}", True)]),
        (
            rf"{edge}{month}[-/]{day}{stop}"
            if order == "mdy"
            else rf"{edge}{day}[-/.]{month}{stop}",
            True,
        ),
    ]
    if months:
        name = rf"(?P<name>{any_of(map(str.casefold, months))})\.?"
        joins = "|".join(str(dates.get("joins", "of")).split("|"))
        ending = r"(?:st|nd|rd|th|er|º|\.|:a|:e|ᵉʳ|1º)?"
        join = rf"(?:[ ,-]+(?:(?:{joins})[ ])?|(?<=\.))"
        found += [
            (rf"(?<![\w.,/]){day}{ending}{join}{name}(?:,?{join}{year})?(?!\w)", False),
            (rf"(?<!\w){name}{join}{day}{ending}(?:,?{join}{year})?(?![\w:])", False),
            (rf"(?<!\w){name},?{join}{year}(?!\w)", False),
        ]
    return [(re.compile(source, re.IGNORECASE), kind) for source, kind in found]


@cache
def money_signs(language: str) -> dict[str, tuple[str, ...]]:
    """Return the currencies that each sign of a language may mean."""
    common = grammar(language).common["currencies"]
    own = grammar(language).tables.get("money", {}).get("signs", {})
    known = grammar(language).tables.get("money", {}).get("currencies", {})
    found: dict[str, tuple[str, ...]] = {}
    for code, signs in (*common.items(), *own.items()):
        if code in known:
            for sign in signs.split("|"):
                others = () if code in own else found.get(sign, ())  # its own sign means one
                found[sign] = (*others, code)
    return found


def money_patterns(language: Grammar, number: str) -> list[re.Pattern[str]]:
    """Return the expressions of amounts: the sign before the number, and after it."""
    signs = money_signs(language.language)
    if not signs:
        return []
    sign = rf"(?P<sign>{any_of(signs)})"
    before = [one for one in signs if one not in _AFTER]
    first = rf"(?P<sign>{any_of(before)})"
    words = scales(language)
    scale = rf"(?:[ ]?(?P<scale>{any_of(words)})(?!\w))?" if words else "(?P<scale>)"
    digits = rf"(?P<n>{number})"
    free = digits.replace(r"(?<![\d.,])", "")
    return [
        re.compile(
            rf"(?<![^\W\d\u2e80-\uffff])(?P<minus>(?<!\w)-|){first}[ ]?{free}{scale}", re.IGNORECASE
        ),
        re.compile(rf"(?P<minus>(?<!\w)-|){digits}{scale}[ ]?{sign}(?!\w)", re.IGNORECASE),
    ]


def scales(language: Grammar) -> dict[str, int]:
    """Return the words and signs of thousands and more."""
    found: dict[str, int] = {}
    for value, words in language.numbers.get("multipliers", {}).items():
        if int(value) >= _THOUSAND:
            found |= {word.casefold(): int(value) for word in words.replace("_", " ").split("|")}
    for value, names in named(language.numbers.get("short", "")):
        found |= {name.casefold(): int(value) for name in names}
    return found
