"""Sums: the parts of one number, added and multiplied as its words come in."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from mondegreen.values.grammar import Meaning

if TYPE_CHECKING:
    from mondegreen.values.numbers import NumberReader

Value = int | Fraction
_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000
_NO_BOUND = 10**60
_FOLLOWS = frozenset({"add", "mul", "ord", "den"})
_ENDS = frozenset({"ord", "den", "plus"})
_ZERO = (0, 1)


class Number(NamedTuple):
    """A number, its kind (number, ``ord`` or ``den``), and the position after its last token."""

    value: Value
    kind: str
    end: int


def shown(value: Value) -> str:
    """Return a number in digits.

    >>> shown(12), shown(Fraction(37, 20)), shown(Fraction(1, 3))
    ('12', '1.85', '1/3')
    """
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    scale = 0
    left = value.denominator
    for factor in (2, 5):
        count = 0
        while left % factor == 0:
            left //= factor
            count += 1
        scale = max(scale, count)
    if left != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**scale // value.denominator).rjust(scale + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-scale]}.{digits[-scale:]}"


class Sum:
    """The state of a number that is read: finished scales, a group of hundreds, what is added."""

    def __init__(self, reader: NumberReader, largest: int = _NO_BOUND) -> None:
        self.reader = reader
        self.largest = largest
        self.scales: list[tuple[Value, int]] = []
        self.group: Value = 0
        self.bound = _NO_BOUND  # what is added next must be smaller
        self.added: Value | None = None
        self.room = _NO_BOUND
        self.filled = False  # a zero stood before what is added last
        self.last = 0  # the multiplier before what is added last
        self.extra: Fraction | None = None
        self.started = False

    def read(self, at: int) -> list[Number]:
        """Return the longest number at a position, and what it is with an ordinal at its end."""
        end = at
        shorter: list[Number] = []
        while not self.started or self.reader.joined(end):
            before = Number(self.total(), "", end) if self._may_end(end) else None
            step = self._step(end)
            if step is None:
                break
            if before and self.reader.prefixes:
                shorter.append(before)
            kind, end = step
            self.started = True
            if kind:
                while self._continues(end, kind):
                    step = self._step(end)
                    if step is None:
                        break
                    end = step[1]
                ordinal = Number(self.total(), kind, end)
                return [before, ordinal] if before else [ordinal]
        if not self.started:
            return []
        found = [Number(self.total(), "", end)]
        marks = [m.value for m, _ in self.reader.meanings(end) if m.kind == "mark"]
        return [*found, *shorter, *(Number(found[0].value, kind, end + 1) for kind in marks)]

    def _may_end(self, at: int) -> bool:
        """Return whether what is read so far is a number, too, although more follows."""
        if not self.started:
            return False
        meanings = self.reader.meanings(at)
        return self.reader.prefixes or any(m.kind in _ENDS for m, _ in meanings)

    def _continues(self, at: int, kind: str) -> bool:
        several = self.reader.grammar.tables.get("ordinals", {}).get("several")
        return bool(several) and any(m.kind == kind for m, _ in self.reader.meanings(at))

    def total(self) -> Value:
        """Return the value of what was read."""
        last: Value = self.added or 0
        if self.extra is not None:
            last += self.extra
        if self.reader.trailing and self._is_trailing(last):
            last = last * self.last // _TEN
        return sum((value for value, _ in self.scales), self.group + last)

    def _is_trailing(self, last: Value) -> bool:
        """Return whether "two hundred five" means 250, as in Chinese."""
        return (
            0 < last < _TEN and isinstance(last, int) and self.last >= _HUNDRED and not self.filled
        )

    def _step(self, at: int) -> tuple[str, int] | None:
        """Read the next word; return what it makes of the number, and where it ends."""
        written = self.reader.written.get(at)
        if written is not None and self.added is None and not self.started:
            self.added, self.room = written.value, 1
            return "", written.end
        for meaning, end in self.reader.meanings(at):
            kind = meaning.kind
            if kind in ("and", "gap"):
                step = self._after_and(end, gap=kind == "gap") if self.started else None
                if step is not None:
                    return step
            elif self._takes(meaning, end):
                return kind if kind in ("ord", "den") else "", end
        return None

    def _takes(self, meaning: Meaning, end: int) -> bool:
        """Take the meaning of a word into the number, if it fits."""
        value: Any = meaning.value
        if meaning.kind == "add":
            return self._add(value.value, value.room, end)
        if meaning.kind == "mul":
            return value <= self.largest and self._multiply(value)
        if meaning.kind in ("ord", "den"):
            number, multiplies = value
            return self._multiply(number) if multiplies else self._add(number, self._room(number))
        fresh = self.added is None and self.extra is None
        if meaning.kind == "one" and not self.started and self._is_multiplier(end):
            self.added, self.room = 1, 1
            return True
        if meaning.kind == "before" and fresh and self._adds(end):
            self.extra = value
            return True
        return False

    @staticmethod
    def _room(value: int) -> int:
        if value < 20:  # noqa: PLR2004 (first to nineteenth)
            return 10 if value == _TEN else 1
        return _TEN if value < _HUNDRED else _HUNDRED

    def _is_multiplier(self, at: int) -> bool:
        return any(meaning.kind == "mul" for meaning, _ in self.reader.meanings(at))

    def _adds(self, at: int) -> bool:
        return any(m.kind in ("add", "mul") for m, _ in self.reader.meanings(at)) or (
            at in self.reader.written
        )

    def _add(self, value: int, room: int, end: int = 0) -> bool:
        if self.added is None:
            if value >= self.bound or (value == 0 and self.started and not self._zero_hundred(end)):
                return False
            self.added, self.room = value, room
            return True
        if 0 < value < self.room:
            self.added, self.room = self.added + value, room
            return True
        if self._is_pair(value, end):
            self.added, self.room = self.added * _TEN + value, 1
            return True
        return False

    def _zero_hundred(self, end: int) -> bool:
        """Return whether a zero stands for no hundreds, as in Vietnamese."""
        return self.reader.pairs and self._is_multiplier(end)

    def _is_pair(self, value: int, end: int) -> bool:
        """Return whether two digits are tens and ones: "chín trăm sáu mốt" is 961."""
        if not self.reader.pairs or self.added is None:
            return False
        if not (0 < self.added < _TEN and value < _TEN) or self.filled:
            return False
        scaled = any(m.kind == "mul" and m.value >= _THOUSAND for m, _ in self.reader.meanings(end))
        return self.last >= _HUNDRED or scaled

    def _multiply(self, by: int) -> bool:
        if by < _THOUSAND:
            if by >= self.bound or (self.added is not None and self.added >= max(by, _HUNDRED)):
                return False
            self.group += self._factor() * by
            self.bound = self.last = by
        else:
            below = self.group + (self.added or 0) + (self.extra or 0)
            if self.scales and self.scales[-1][1] == by:
                return False
            while self.scales and self.scales[-1][1] < by:
                below += self.scales.pop()[0]
            if self.scales and self.scales[-1][1] <= by:
                return False
            if below == 0 and self.added is not None:
                return False
            self.scales.append(((below or 1) * by, by))
            self.group, self.bound, self.last = 0, by, by
        self.added, self.room, self.extra, self.filled = None, _NO_BOUND, None, False
        return True

    def _factor(self) -> Value:
        if self.added is None and self.extra is None:
            return 1
        return (self.added or (0 if self.extra is None else 1)) + (self.extra or 0)

    def _after_and(self, at: int, *, gap: bool) -> tuple[str, int] | None:
        """Read what follows an "and": the ones after tens, or in German the tens after ones."""
        if not self.reader.joined(at):
            return None
        inverted = self._inverted_tens(at)
        if inverted is not None:
            return inverted
        if self.added is not None and (self.room == 1 or gap):
            return None
        if not any(m.kind in _FOLLOWS and m.value != _ZERO for m, _ in self.reader.meanings(at)):
            return None
        kept, self.filled = self.filled, self.filled or gap
        step = self._step(at)
        if step is None:
            self.filled = kept
        return step

    def _inverted_tens(self, at: int) -> tuple[str, int] | None:
        """Read the tens of "vier und zwanzig"."""
        if not self.reader.inverted or self.added is None or not 0 < self.added < _TEN:
            return None
        for meaning, end in self.reader.meanings(at):
            if meaning.kind not in ("add", "ord", "den"):
                continue
            tens = meaning.value[0]
            if _TEN < tens < _HUNDRED and tens % _TEN == 0:
                self.added, self.room = self.added + tens, 1
                return "" if meaning.kind == "add" else meaning.kind, end
        return None
