"""Numbers in words, or in digits and words ("2.5 million"): cardinals, ordinals, denominators."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mondegreen.values.grammar import Grammar, Meaning
from mondegreen.values.sums import Number, Sum
from mondegreen.values.tokens import ValueToken

_HUNDRED, _THOUSAND, _MILLION = 100, 1000, 1_000_000
_LARGEST = 10**60  # is not multiplied further, or a text of scales alone would never end
_MOST_DECIMALS = 290
_JOINTS = frozenset(["", " ", "-", " -", "- ", " - ", "  "])


class NumberReader:
    """Reads numbers in the tokens of one text."""

    def __init__(
        self, grammar: Grammar, tokens: Sequence[ValueToken], gaps: Sequence[str],
        written: dict[int, Number],
    ) -> None:  # fmt: skip
        self.grammar, self.tokens, self.gaps, self.written = grammar, tokens, gaps, written
        self._meanings = [self._look(at) for at in range(len(tokens))]
        self.kinds = {meaning.kind for found in self._meanings for meaning, _ in found}
        self._sums: dict[int, list[Number]] = {}
        self.inverted = bool(grammar.numbers.get("inverted"))
        self.trailing = bool(grammar.numbers.get("trailing"))
        self.prefixes = bool(grammar.numbers.get("prefixes"))
        self.pairs = bool(grammar.numbers.get("pairs"))

    def meanings(self, at: int) -> list[tuple[Meaning, int]]:
        """Return the meanings of the phrases at a position with their ends, longest first."""
        return self._meanings[at] if at < len(self._meanings) else []

    def _look(self, at: int) -> list[tuple[Meaning, int]]:
        alone, longer = self.grammar.meanings(self.tokens[at].key)
        found = []
        following = self.tokens[at + 1].key if longer and at + 1 < len(self.tokens) else ""
        for meaning in longer.get(following, ()):
            end = at + 1 + len(meaning.rest)
            keys = tuple(token.key for token in self.tokens[at + 1 : end])
            if keys == meaning.rest:
                found.append((meaning, end))
        found += [(meaning, at + 1) for meaning in alone]
        return found

    def starts(self) -> list[int]:
        """Return where numbers may begin: not inside one that began before."""
        found, ends, covered = [], {0}, 0
        for at in range(len(self.tokens)):
            if at < covered and at not in ends and not self.pairs:
                continue
            found.append(at)
            sums = self._sum(at)
            ends.update(one.end for one in sums)
            if sums and not sums[0].kind:
                covered = max(covered, sums[0].end)
                ends.update(self.rounds(at, sums[0].end))
        return found

    def scales(self, at: int) -> bool:
        """Return whether a sign only multiplies the digits before it: 90万 is not 90 and 10000."""
        if not at or self.gaps[at] or not self.tokens[at - 1].text.isdecimal():
            return False
        kinds = {meaning.kind for meaning, _ in self.meanings(at)}
        return "mul" in kinds and "add" not in kinds

    def rounds(self, at: int, end: int) -> list[int]:
        """Return where "eight hundred" ends before digits: eight hundred, five five five."""
        if end != at + 3 or None in [self.digit(i) for i in (at, at + 2, at + 3)]:
            return []
        by = [meaning.value for meaning, _ in self.meanings(at + 1) if meaning.kind == "mul"]
        return [at + 2] if _HUNDRED in by else []

    def digit(self, at: int) -> int | None:
        """Return the digit that a word says."""
        for meaning, _ in self.meanings(at):
            if meaning.kind == "add" and meaning.value.value < len("0123456789"):
                return int(meaning.value.value)
            if meaning.kind == "zero":
                return 0
        return None

    def joined(self, at: int) -> bool:
        """Return whether nothing but a space or a hyphen is before a token."""
        return at < len(self.tokens) and self.gaps[at] in _JOINTS

    def numbers(self, at: int) -> list[Number]:
        """Return the numbers that begin at a position: "ten fifths" is also ten, and fifths."""
        meanings = self.meanings(at)
        if not meanings and at not in self.written:
            return []
        for meaning, end in meanings:
            if meaning.kind == "minus" and self.joined(end):
                return [one._replace(value=-one.value) for one in self._unsigned(end)]
        return self._unsigned(at)

    def _unsigned(self, at: int) -> list[Number]:
        found = list(self._sum(at))
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
        found = self._sum(at)
        return found[0] if found and not found[0].kind else None

    def _sum(self, at: int) -> list[Number]:
        if at not in self._sums:
            self._sums[at] = Sum(self).read(at) if self.meanings(at) or at in self.written else []
        return self._sums[at]

    def _more(self, found: Number) -> Number:
        """Return a number with "and a half" or a scale after it."""
        for meaning, end in self.meanings(found.end) if self.joined(found.end) else ():
            if meaning.kind == "plus" and isinstance(found.value, int):
                last = self._scale_before(found.end)
                found = Number(found.value + meaning.value * last, "", end)
                break
        return self._scaled(found)

    def _scale_before(self, end: int) -> int:
        """Return the scale that ends a number ("dos millones y medio" is 2.5 million)."""
        least = _HUNDRED if self.trailing else _MILLION
        for meaning in self.grammar.meanings(self.tokens[end - 1].key).alone:
            if meaning.kind == "mul" and meaning.value >= least:
                return int(meaning.value)
        return 1

    def _scaled(self, found: Number) -> Number:
        if not self.joined(found.end) or not -_LARGEST < found.value < _LARGEST:
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
        while self.joined(at) and len(digits) < _MOST_DECIMALS:
            zero = next((e for m, e in self.meanings(at) if m.kind == "zero"), None)
            if zero is not None:
                digits, at = digits + "0", zero
                continue
            found = next(iter(Sum(self, largest=_HUNDRED).read(at)), None)
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
