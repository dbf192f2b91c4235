"""Numbers in words, or in digits and words ("2.5 million"): cardinals, ordinals, denominators."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from mondegreen.values.grammar import Grammar, Meaning
from mondegreen.values.tokens import Token

Value = int | Fraction
_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000
_NO_BOUND = 10**60
_FOLLOWS = frozenset({"add", "mul", "ord", "den"})
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


class NumberReader:
    """Reads numbers in the tokens of one text."""

    def __init__(
        self, grammar: Grammar, tokens: Sequence[Token], gaps: Sequence[str],
        written: dict[int, Number],
    ) -> None:  # fmt: skip
        self.grammar, self.tokens, self.gaps, self.written = grammar, tokens, gaps, written
        self.inverted = bool(grammar.numbers.get("inverted"))
        self.trailing = bool(grammar.numbers.get("trailing"))
        self.prefixes = bool(grammar.numbers.get("prefixes"))
        self.pairs = bool(grammar.numbers.get("pairs"))

    def meanings(self, at: int) -> list[tuple[Meaning, int]]:
        """Return the meanings of the phrases at a position, each with its end."""
        if at >= len(self.tokens):
            return []
        found = []
        for meaning in self.grammar.meanings(self.tokens[at].key):
            end = at + 1 + len(meaning.rest)
            if not meaning.rest or self._follows(meaning.rest, at + 1):
                found.append((meaning, end))
        return found

    def _follows(self, rest: tuple[str, ...], at: int) -> bool:
        if at + len(rest) > len(self.tokens):
            return False
        return all(self.tokens[at + i].key == word for i, word in enumerate(rest))

    def joined(self, at: int) -> bool:
        """Return whether nothing but a space or a hyphen is before a token."""
        return at < len(self.tokens) and self.gaps[at].strip() in ("", "-")

    def numbers(self, at: int) -> list[Number]:
        """Return the numbers that begin at a position: "ten fifths" is also ten, and fifths."""
        for meaning, end in self.meanings(at):
            if meaning.kind == "minus" and self.joined(end):
                return [one._replace(value=-one.value) for one in self._unsigned(end)]
        return self._unsigned(at)

    def _unsigned(self, at: int) -> list[Number]:
        found = _Sum(self).read(at)
        if not found:
            decimals = self._decimals(Number(0, "", at))
            return [decimals] if decimals else []
        whole = found[0]
        if not whole.kind:
            longer = self._decimals(whole) or self._fraction_of_ten(whole) or self._more(whole)
            if longer != whole:
                found.append(longer)
        return found

    def whole(self, at: int) -> Number | None:
        """Return the longest whole number that begins at a position."""
        found = _Sum(self).read(at)
        return found[0] if found and not found[0].kind else None

    def _more(self, found: Number) -> Number:
        """Return a number with "and a half" or a scale after it."""
        for meaning, end in self.meanings(found.end) if self.joined(found.end) else ():
            if meaning.kind == "plus" and isinstance(found.value, int):
                last = self._scale_before(found.end)
                found = Number(found.value + meaning.value * last, "", end)
                break
        return self._scaled(found)

    def _scale_before(self, end: int) -> int:
        """Return the scale that ends a number ("mười triệu rưỡi" is ten and a half million)."""
        if not self.trailing:
            return 1
        for meaning in self.grammar.meanings(self.tokens[end - 1].key):
            if meaning.kind == "mul" and not meaning.rest and meaning.value >= _HUNDRED:
                return int(meaning.value)
        return 1

    def _scaled(self, found: Number) -> Number:
        if not self.joined(found.end):
            return found
        tight = self.gaps[found.end] == "" and self.tokens[found.end - 1].text.isdecimal()
        for meaning, end in self.meanings(found.end):
            scale = meaning.kind == "mul" and meaning.value >= _THOUSAND
            if scale or (tight and meaning.kind == "short"):
                return self._scaled(Number(found.value * meaning.value, "", end))
        return found

    def _decimals(self, whole: Number) -> Number | None:
        """Return a number with the digits after its point; "point five" has none before."""
        at = next((e for m, e in self.meanings(whole.end) if m.kind == "point"), None)
        if at is None or not self.joined(at) or (whole.end and not self.joined(whole.end)):
            return None
        digits = ""
        while self.joined(at):
            zero = next((e for m, e in self.meanings(at) if m.kind == "zero"), None)
            if zero is not None:
                digits, at = digits + "0", zero
                continue
            found = next(iter(_Sum(self, largest=_HUNDRED).read(at)), None)
            if found is None or found.kind or not isinstance(found.value, int):
                break
            digits, at = digits + self._as_digits(at, found), found.end
        if not digits:
            return None
        value = whole.value + Fraction(int(digits), 10 ** len(digits))
        return self._scaled(Number(value, "", at))

    def _as_digits(self, at: int, found: Number) -> str:
        token = self.tokens[at].text
        return token if token.isdecimal() and found.end == at + 1 else str(found.value)

    def _fraction_of_ten(self, whole: Number) -> Number | None:
        """Return "две целых три десятых": two wholes, three tenths."""
        at = next((e for m, e in self.meanings(whole.end) if m.kind == "whole"), None)
        if at is None:
            return None
        at = next((e for m, e in self.meanings(at) if m.kind == "and"), at)
        top = self.whole(at)
        if top is None or top.kind:
            return None
        part = self._part(top.end)
        if part is None:
            return None
        return self._scaled(Number(whole.value + Fraction(int(top.value), part[0]), "", part[1]))

    def _part(self, at: int) -> tuple[int, int] | None:
        return next(((m.value, e) for m, e in self.meanings(at) if m.kind == "part"), None)


class _Sum:
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
            before = Number(self.total(), "", end) if self.started else None
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
        return 0 < last < _TEN and isinstance(last, int) and self.last >= _HUNDRED and not self.filled

    def _step(self, at: int) -> tuple[str, int] | None:
        written = self.reader.written.get(at)
        if written is not None and self.added is None and not self.started:
            self.added, self.room = written.value, 1
            return "", written.end
        for meaning, end in self.reader.meanings(at):
            if meaning.kind == "add" and self._add(*meaning.value, end=end):
                return "", end
            if meaning.kind == "mul" and meaning.value <= self.largest and self._multiply(meaning.value):
                return "", end
            if meaning.kind in ("ord", "den"):
                value, multiplies = meaning.value
                done = self._multiply(value) if multiplies else self._add(value, self._room(value))
                if done:
                    return meaning.kind, end
            if meaning.kind == "one" and not self.started and self._is_multiplier(end):
                self.added, self.room = 1, 1
                return "", end
            if meaning.kind == "before" and self.extra is None and self.added is None and self._adds(end):
                self.extra = meaning.value
                return "", end
            if meaning.kind in ("and", "gap") and self.started:
                step = self._after_and(end, gap=meaning.kind == "gap")
                if step is not None:
                    return step
        return None

    @staticmethod
    def _room(value: int) -> int:
        if value < 20:  # noqa: PLR2004 (first to nineteenth)
            return 10 if value == _TEN else 1
        return _TEN if value < _HUNDRED else _HUNDRED

    def _is_multiplier(self, at: int) -> bool:
        return any(m.kind in ("mul", "ord") for m, _ in self.reader.meanings(at) if m.kind == "mul")

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
