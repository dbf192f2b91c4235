"""Kinds of answers: which kind a question word asks for, and of which kind a value is.

"When" asks for a time, "who" for a person, "how many" for a number. The kind of a value comes from
the class of its argument (see ``cues.py``), the type in its schema, and its own words: "friday" is
a time whatever its argument is called. A value without any of these is a thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from mondegreen.conversations.cues import words_of
from mondegreen.text.patterns import lazy_pattern

WHO, WHEN, WHERE, LONG, MANY, OFTEN, WHY, WHAT = (
    "who", "when", "where", "how long", "how many", "how often", "why", "what",
)  # fmt: skip
LIKELY, POSSIBLE, UNLIKELY = 2, 1, 0
"""How well a value fits the kind of a question."""

_ASKED = {
    WHO: lazy_pattern(
        r"\b(?:who(?:m|se|'s|ever)?|(?:any|some)(?:one|body)|(?:your|a|full|last|first) name)\b"
    ),
    WHEN: lazy_pattern(
        r"\b(?:when|(?:what|which) (?:\w+ )?(?:time|day|date|month|year|hour|week|weekday)|day|date"
        r"|how (?:soon|early|late)|o'?clock|any ?time|by when|what hour|time of (?:the )?day)\b"
    ),
    WHERE: lazy_pattern(
        r"\b(?:where(?:abouts)?|(?:any|some)where|address|in (?:what|which) place)\b"
    ),
    LONG: lazy_pattern(
        r"\b(?:how long|for how many|how much time|duration|how many (?:minute|hour|day|night|week"
        r"|month|year)s|(?:what|which) (?:term|period|length))\b"
    ),
    MANY: lazy_pattern(
        r"\bhow (?:many|much(?! time)|big|large|small|heavy|high|tall|wide|old|far|hot|warm|cold"
        r"|loud)\b|\b(?:amount|quantity|number of|what (?:number|sum|size)|headcount|alone"
        r"|(?:just|only) you|yourself)\b"
    ),
    OFTEN: lazy_pattern(
        r"\b(?:how (?:often|frequently|regularly)|frequency|recurring|one-off|just once"
        r"|every (?:day|week|month))\b"
    ),
    WHY: lazy_pattern(r"\b(?:why|reason|how come|what happened)\b|\bwhat\b.*(?<!looking) for\W*$"),
}
_SINCE = lazy_pattern(r"\bhow long .*\b(?:been|have|has|had|ago)\b|\bsince when\b")
"""How one asks for the beginning of something that goes on."""
_OF_CLASS: Mapping[str, str] = {
    **dict.fromkeys(("people", "count", "money", "heat", "loud", "size", "age", "weight"), MANY),
    "distance": MANY,
    **dict.fromkeys(("time", "date", "start", "end", "part"), WHEN),
    **dict.fromkeys(("place", "origin", "target", "address", "room"), WHERE),
    **dict.fromkeys(("person", "name", "recipient", "guest", "doctor", "artist", "company"), WHO),
    "length": LONG,
    "reason": WHY,
}
_NUMBER = words_of("""
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
hundred thousand million dozen couple half point and a
""")
_UNITS = words_of("""
dollar dollars euro euros pound pounds cent cents kilo kilos kilogram kilograms gram grams litre
litres liter liters mile miles metre metres meter meters degree degrees percent people persons
""")
_TIME = lazy_pattern(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july"
    r"|august|september|october|november|december|today|tonight|tomorrow|yesterday|weekends?|weekdays?"
    r"|morning|afternoon|evening|night|noon|midday|midnight|dawn|sunset|christmas|easter|spring|summer"
    r"|autumn|winter|o'?clock|[ap]\.?m\.?|half past|quarter (?:to|past)|next (?:week|month|year)"
    r"|last (?:week|month|year)|asap|now)\b|\b\d{1,2}:\d\d\b"
    r"|^(?:the )?\w*(?:first|second|third|\w+th|\d(?:st|nd|rd|th))(?: of \w+)?$"
    r"|^in \w+ (?:minute|hour|day|week)s?$"
)
_LENGTH = lazy_pattern(
    r"^(?:for |about )?(?:an?|half an?|[\w-]+)(?: and a half)? (?:minute|hour|day|night|week|month"
    r"|year)s?$"
)
_SPANS = lazy_pattern(r"(?:\b|_)(?:second|minute|hour|day|night|week|month|year)s\b")
_OFTEN = lazy_pattern(
    r"\b(?:every|daily|weekly|monthly|yearly|once|twice|weekdays|weekends|annually)\b"
)
_PLACE = lazy_pattern(
    r"\b(?:street|road|lane|avenue|drive|square|boulevard|st|rd|ave|floor|gate|platform)\b"
)
_PERSON = lazy_pattern(
    r"^(?:mr|mrs|ms|miss|dr|doctor|professor|my (?:\w+ )?(?:mother|father|mum|mom|dad|aunt|uncle"
    r"|brother|sister|wife|husband|son|daughter|friend|boss|neighbour|colleague|grand\w+|cousin"
    r"|partner))\b"
)


def kinds_asked(text: str) -> frozenset[str]:
    """Return the kinds of answers that a question in lower case asks for; none for "what".

    >>> sorted(kinds_asked("for how many nights, and from when?"))
    ['how long', 'how many', 'when']
    """
    found = {kind for kind, pattern in _ASKED.items() if pattern.search(text)}
    if _SINCE.search(text):
        found = found - {LONG} | {WHEN}
    return frozenset(found)


@lru_cache(maxsize=4096)
def kinds_of(
    sure: frozenset[str], classes: frozenset[str], number: str, forms: tuple[str, ...]
) -> frozenset[str]:
    """Return the kinds of a value.

    They come from the classes that are sure; else from the value's own words; else from the
    classes that its argument may be of. ``number`` is what a schema says of a number, such as
    "Length in minutes"; it is empty for others.

    >>> sorted(kinds_of(frozenset(), frozenset(), "", ("half past two",)))
    ['how many', 'when']
    >>> sorted(kinds_of(frozenset(), frozenset(["date"]), "months of the contract", ("six",)))
    ['how long', 'how many']
    """
    found = {_OF_CLASS.get(one, WHAT) for one in sure}
    if number:
        found = found - {WHAT} | {MANY}
        if _SPANS.search(number):
            found = found - {WHEN} | {LONG}
    of_words = kinds_of_words(forms)
    if MANY in found and not number and forms and MANY not in of_words:
        found = found - {MANY} | ({WHAT} if len(found) == 1 else set())  # "size": "large"
    if WHERE in found and WHEN in of_words:
        found = found - {WHERE} | {WHEN}  # "arrival": "on friday"
    found = found or set(of_words)
    return frozenset(found or {WHAT, *(_OF_CLASS.get(one, WHAT) for one in classes)})


@lru_cache(maxsize=4096)
def kinds_of_words(forms: tuple[str, ...]) -> frozenset[str]:
    """Return the kinds of what can be said for a value, by its words alone."""
    return frozenset(kind for form in forms for kind in _kinds_of_form(form.lower().strip()))


def _kinds_of_form(form: str) -> Iterable[str]:
    words = re.findall(r"[a-z']+|\d+", form)
    if (words and all(w.isdigit() or w in _NUMBER or w in _UNITS for w in words)) or any(
        w in _NUMBER - {"a", "and"} for w in words[:2]
    ):
        yield MANY
    for kind, pattern in (
        (LONG, _LENGTH), (WHEN, _TIME), (OFTEN, _OFTEN), (WHERE, _PLACE), (WHO, _PERSON)
    ):  # fmt: skip
        if pattern.search(form):
            yield kind


def fits_kind(asked: frozenset[str], kinds: frozenset[str]) -> int:
    """Return how well a value of some kinds fits a question for some kinds.

    >>> (
    ...     fits_kind(frozenset({"when"}), frozenset({"when"})),
    ...     fits_kind(frozenset(), frozenset({"what"})),
    ... )
    (2, 2)
    """
    if asked & kinds or (not asked and WHAT in kinds):
        return LIKELY
    return POSSIBLE if WHAT in kinds or not asked else UNLIKELY
