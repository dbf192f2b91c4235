"""Dates in English text, in digits or with the name of the month."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
"""The names of the months, in lower case."""
_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS)
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_PATTERNS = tuple(
    lazy_pattern(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})",
        rf"(?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})[-/.]{_YEAR}",
        rf"(?P<day>\d{{1,2}})[-/.](?P<month>\d{{1,2}})[-/.]{_YEAR}",
        rf"(?P<name>{_NAMES})\.? (?:the )?{_DAY}(?:,? {_YEAR})?",
        rf"(?:the )?{_DAY} (?:of )?(?P<name>{_NAMES})\.?(?:,? {_YEAR})?",
    )
)
_LAST_MONTH, _LAST_DAY = 12, 31


class Date(NamedTuple):
    """A date; the year is 0 if it is not said."""

    year: int
    month: int
    day: int

    def same(self, other: Date) -> bool:
        """Return whether two dates may be the same: a year that is not said may be any."""
        years = {self.year, other.year} - {0}
        return self[1:] == other[1:] and len(years) < 2  # noqa: PLR2004 (one year, or none)


class FoundDate(NamedTuple):
    """A date in a text, by characters."""

    start: int
    end: int
    date: Date


def dates_in(text: str) -> Iterator[FoundDate]:
    """Yield the dates of a text; a date such as 5/6/2024 is yielded in both readings.

    >>> [found.date for found in dates_in("from June 15th, 2023 to 2023-06-20")]
    [Date(year=2023, month=6, day=20), Date(year=2023, month=6, day=15)]
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            name = parts.get("name")
            month = (
                int(parts["month"])
                if name is None
                else next(i for i, m in enumerate(MONTHS, 1) if m.startswith(name.lower()[:3]))
            )
            date = Date(int(parts.get("year") or 0), month, int(parts["day"]))
            if 1 <= date.month <= _LAST_MONTH and 1 <= date.day <= _LAST_DAY:
                yield FoundDate(match.start(), match.end(), date)


def date_of(value: str) -> Date | None:
    """Return the date that a text is; ``None`` if it is something else.

    >>> date_of("15 June 2023")
    Date(year=2023, month=6, day=15)
    """
    whole = (0, len(value))
    return next((one.date for one in dates_in(value) if (one.start, one.end) == whole), None)
