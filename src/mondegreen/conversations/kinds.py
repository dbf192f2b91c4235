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
        r"\b(?:who(?:m|se|'s|ever)?|(?:any|some)(?:one|body)"
        r"|(?:your|a|his|her|their|full|last|first|the|(?:what|which)(?: is the)?) name(?! of)"
        r"|(?:which|what) (?:person|child|patient|customer|client|doctor|teacher|student|pupil"
        r"|guest|artist|singer|stylist|dentist|colleague))\b"
    ),
    WHEN: lazy_pattern(
        r"\b(?:when|(?:what|which) (?:\w+ )?(?:time|day|date|month|year|hour|week|weekday"
        r"|evening|night|morning|afternoon)|day|date"
        r"|how (?:soon|early|late)|o'?clock|any ?time|by when|what hour|time of (?:the )?day)\b"
    ),
    WHERE: lazy_pattern(
        r"\b(?:where(?:abouts)?|(?:any|some)where|address|in (?:what|which) place"
        r"|(?:starting|end|meeting|pick-?up) point|(?:what|which)(?: \w+)? (?:room|street|building"
        r"|city|town|country|place|location|branch|site|shop|store|office|station|airport|port"
        r"|harbour|district|area|region|part of (?:the |your )?"
        r"(?:house|home|town|city)|centre|center|clinic|hospital|gym|club|depot|garage))\b"
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
_DIGITS = words_of("zero oh one two three four five six seven eight nine 0 1 2 3 4 5 6 7 8 9")
_CODE = 3  # digits that are said one by one, at least
_UNITS = words_of("""
dollar dollars euro euros pound pounds cent cents kilo kilos kilogram kilograms gram grams litre
litres liter liters mile miles metre metres meter meters degree degrees percent people persons
""")
_ORDINAL = (
    r"first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|\w+teen|twentie|thirtie)th"
    r"|\d+(?:st|nd|rd|th)"
)
_TIME = lazy_pattern(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|june|july"
    r"|august|september|october|november|december|today|tonight|tomorrow|yesterday|weekends?|weekdays?"
    r"|morning|afternoon|evening|night|noon|midday|midnight|dawn|sunset|christmas|easter|spring|summer"
    r"|autumn|winter|o'?clock|[ap]\.?m\.?|half past|quarter (?:to|past)|next (?:week|month|year)"
    r"|last (?:week|month|year)|asap|now|of may|may (?:\d+|\w+(?:st|nd|rd|th)))\b"
    r"|^may$|\b\d{1,2}:\d\d\b"
    rf"|^(?:the )?(?:\w+[- ])?(?:{_ORDINAL})(?: of \w+)?$"
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
        found = found | {WHEN}
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
    if found:
        return frozenset(found)
    possible = {WHAT, *(_OF_CLASS.get(one, WHAT) for one in classes)}
    return frozenset(possible - {MANY} if forms and not number else possible)


@lru_cache(maxsize=4096)
def kinds_of_words(forms: tuple[str, ...]) -> frozenset[str]:
    """Return the kinds of what can be said for a value, by its words alone."""
    found = {kind for form in forms for kind in _kinds_of_form(form.lower().strip())}
    return frozenset(found - {MANY} if any(map(_is_code, forms)) else found)


def _is_code(form: str) -> bool:
    """Return whether a value is said digit by digit, or in groups of digits."""
    words = form.lower().split()
    return (len(words) >= _CODE and _DIGITS.issuperset(words)) or (
        len(words) > 1 and all(word.isdigit() for word in words)
    )


def _kinds_of_form(form: str) -> Iterable[str]:
    words = re.findall(r"[a-z']+|\d+", form)
    counts = any(w.isdigit() or w in _NUMBER - {"a", "and"} for w in words)
    if (counts and all(w.isdigit() or w in _NUMBER or w in _UNITS for w in words)) or (
        any(w in _NUMBER - {"a", "and"} for w in words[:2]) and not _PLACE.search(form)
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
    likely = WHAT in kinds or not asked or (WHEN in asked and LONG in kinds)
    return POSSIBLE if likely else UNLIKELY


_FINER = {
    "clock": lazy_pattern(
        r"\b(?:what|which|whose) (?:\w+ )?(?:time|hour)s?(?! of (?:the )?(?:day|year))\b"
        r"|\bo'?clock\b"
        r"|\b(?:a|the|your|preferred) time\b(?! of (?:the )?day)|\bhour\b"
    ),
    "day": lazy_pattern(
        r"\b(?:what|which|whose|any|a|the|on|good) (?:other |first |last |\w+ing )?"
        r"(?:day|date|month|weekday|year)s?\b|\b(?:what|which) (?:evening|night)"
        r"|\bdate\b|\bday of the (?:week|month)"
    ),
    "part": lazy_pattern(
        r"\b(?:time|part|half) of (?:the )?day\b|\b(?:morning|afternoon|early or late|lunch)\b"
    ),
    "birth": lazy_pattern(r"\bborn\b|\bbirth|\bhow old\b|\bdob\b"),
    "age": lazy_pattern(r"\bhow old\b|\bage\b|\byears old"),
    "weight": lazy_pattern(r"\bhow heavy|\bweigh|\bkilos?\b|\bkilograms?"),
    "money": lazy_pattern(
        r"\bhow (?:much(?! (?:time|room|space|does (?:he|she|it) weigh|do you weigh))|expensive)\b"
        r"|\b(?:costs?|price|sum|euros|dollars|pounds|amount)\b"
    ),
    "people": lazy_pattern(
        r"\bhow many (?:of you|people|persons|guests|passengers|adults|kids|children|riders)"
        r"|\bhow many (?:are you|will (?:you|there) be)|\bparty\b|\balone\b"
    ),
    "length": lazy_pattern(
        r"\bhow long\b(?! is your)"
        r"|\bhow (?:many|much) (?:time|minutes|hours|days|nights|weeks|months)"
    ),
    "space": lazy_pattern(r"\bhow (?:big|large|much (?:room|space))\b|\bsquare\b"),
    "height": lazy_pattern(r"\bhow (?:high|tall)\b|\bheight\b"),
    "width": lazy_pattern(r"\bhow (?:wide|broad)\b|\bwidth\b"),
    "heat": lazy_pattern(r"\bhow (?:hot|warm|cold)\b|\btemperature|\bdegrees"),
    "loud": lazy_pattern(r"\bhow loud\b|\bvolume\b"),
    "bright": lazy_pattern(r"\bhow bright\b|\bbrightness\b"),
    "distance": lazy_pattern(r"\bhow far\b|\bdistance\b"),
}
"""How one asks for finer kinds than "when" and "how many"."""
_TOLD = {
    "age": r"age|years old",
    "weight": r"weight|kilos?|kilograms?|grams?|kg",
    "money": r"price|costs?|sum|money|budget|fee|rent|wage|income|salary|estimate|dollars|euros"
    r"|pounds|amount|total|limit|payment|deposit|cent",
    "people": r"people|persons?|guests?|passengers?|adults?|kids?|child(?:ren)?|riders?|attendees?"
    r"|party|travell?ers|diners|servings",
    "length": r"length|duration|minutes|hours|days|nights|weeks|months|years|term",
    "space": r"size|square|area|space",
    "height": r"height",
    "width": r"width",
    "heat": r"temperature|degrees|heat",
    "loud": r"volume|loudness",
    "bright": r"brightness",
    "distance": r"distance|miles|kilomet(?:er|re)s|radius",
}
_TOLD_AS = {kind: lazy_pattern(rf"\b(?:{words})\b") for kind, words in _TOLD.items()}
_CLOCK = lazy_pattern(
    r"\b(?:half past|quarter|noon|midday|midnight|[ap]\.?m|o'?clock|dawn|sunset)\b|\d:\d\d"
)
_BIRTH = lazy_pattern(r"\b(?:birth\w*|born|dob)\b")
_PART = lazy_pattern(r"\b(?:morning|afternoon|evening|night)\b")
_DAY = lazy_pattern(
    r"day\b|\b(?:tomorrow|tonight|weekend|last|next|this)\b|\d|\b(?:" + _ORDINAL + r")\b"
)
_CLOCK_TIME = lazy_pattern(r"\b(?:time|hour|clock|showtime|at)\b")


def finer_asked(text: str) -> frozenset[str]:
    """Return the finer kinds that a question asks for, such as "age"; none for most questions.

    >>> sorted(finer_asked("how old is she?")), sorted(finer_asked("when?"))
    (['age', 'birth'], [])
    """
    return frozenset(kind for kind, pattern in _FINER.items() if pattern.search(text))


@lru_cache(maxsize=4096)
def finer_of(told: str, forms: tuple[str, ...], unit: str, kinds: frozenset[str]) -> frozenset[str]:
    """Return the finer kinds of a value; none if they cannot be told.

    Args:
        told: the name of its argument, and after a line break the description.
        forms: what can be said for it.
        unit: what it counts in the caller's turn.
        kinds: its kinds.

    >>> sorted(finer_of("slot time", ("ten",), "", frozenset({"when"})))
    ['clock']
    """
    if _BIRTH.search(told):
        return frozenset({"birth"})
    if WHEN in kinds:
        words = " ".join(forms).lower()
        if _CLOCK.search(words):
            return frozenset({"clock"})
        if _TIME.search(words):
            return frozenset(
                {"part"} if _PART.search(words) and not _DAY.search(words) else {"day"}
            )
        return frozenset({"clock"} if _CLOCK_TIME.search(told) else ())
    if MANY not in kinds and LONG not in kinds:
        return frozenset()
    name, _, description = told.partition("\n")
    for words in (unit, name, description):
        found = {kind for kind, pattern in _TOLD_AS.items() if pattern.search(words)}
        if found:
            return frozenset(found)
    return frozenset()
