"""Readings: the lattice of all that a text may say."""

from __future__ import annotations

from functools import lru_cache

from mondegreen.values.grammar import grammar
from mondegreen.values.heard import heard
from mondegreen.values.lattice import FORM, GUESS, Lattice
from mondegreen.values.numbers import NumberReader
from mondegreen.values.spelling import spelled, spelled_words
from mondegreen.values.sums import Number, shown
from mondegreen.values.tables import literal_labels
from mondegreen.values.text import UNSPACED, Text, read
from mondegreen.values.written import MOST_DIGITS, writing

_CACHED_TEXTS = 16_384
_JOINTS = ("-", "'")  # signs in a word that some write without them
_SHORTEST_JOINED = 4
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


class Readings:
    """A text and the lattice of its readings."""

    def __init__(self, source: str, language: str) -> None:
        self.grammar = grammar(language)
        self.text: Text = read(source, self.grammar)
        self.lattice = Lattice(len(self.text.tokens))
        self.has_spelling = False
        self._with_words: Lattice | None = None
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._fill()

    def with_words(self) -> Lattice:
        """Return the lattice with every word also letter by letter."""
        if self._with_words is None:
            self._with_words = self.lattice
            for one in spelled_words(self.text):
                self.lattice.add(one.start, one.end, one.chars, weak=GUESS)
        return self._with_words

    def before(self, node: int) -> str:
        """Return the text before a node."""
        tokens = self.text.tokens[:node]
        return self.text.text[: tokens[-1].end] if tokens else ""

    def after(self, node: int) -> str:
        """Return the text from a node on."""
        tokens = self.text.tokens[node:]
        return self.text.text[tokens[0].start :] if tokens else ""

    def _fill(self) -> None:
        text, lattice = self.text, self.lattice
        for at, token in enumerate(text.tokens):
            if not token.text.isdecimal():
                lattice.add(at, at + 1, (token.text,))
            if self.grammar.bare and token.key != token.text:
                lattice.add(at, at + 1, (token.key,))
            self._starts.setdefault(token.start, at)
            self._ends[token.end] = at + 1
            if " " in text.gaps[at]:
                lattice.stops.add(at)
        for start, end, word in text.words:
            lattice.add(start, end, (word,))
        for at in range(1, len(text.tokens)):
            joined = text.tokens[at - 1].text + text.tokens[at].text
            if text.gaps[at] in _JOINTS and len(joined) >= _SHORTEST_JOINED and is_word(joined):
                lattice.add(at - 1, at + 1, (joined,))
        ends: set[int] = set()
        written = self._written(ends)
        reader = NumberReader(self.grammar, text.tokens, text.gaps, written)
        self._numbers(reader, ends)
        self._phrases(reader, ends)
        self._ranges(ends)
        for other in heard(lattice, self.grammar):
            lattice.add(other.start, other.end, other.labels, weak=other.weak)
        for one in spelled(text, reader):
            lattice.add(one.start, one.end, one.chars, weak=int(one.guess))
            self.has_spelling = self.has_spelling or any(map(str.isalpha, one.chars))

    def _span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the nodes of a span of characters; signs at its end may have vanished."""
        first = self._starts.get(start)
        while end > start and end not in self._ends:
            end -= 1
        last = self._ends.get(end)
        return None if first is None or last is None or last <= first else (first, last)

    def _written(self, ends: set[int]) -> dict[int, Number]:
        """Add written values; return the numbers in digits by their first token."""
        found: dict[int, Number] = {}
        if not any(token.text.isdecimal() for token in self.text.tokens):
            return found
        style = writing(self.grammar.language)
        for one in style.values(self.text.text):
            span = self._span(one.start, one.end)
            if span is not None:
                self.lattice.add(*span, one.labels, weak=one.weak)
                ends.add(span[1])
        inside: set[int] = set()
        for digits in style.numbers(self.text.text):
            span = self._span(digits.start, digits.end)
            if span is not None:
                inside.update(range(span[0] + 1, span[1]))
                found.setdefault(span[0], Number(digits.value, "", span[1]))
                self.lattice.add(*span, (f"#{shown(digits.value)}",))
                self._negative(span, digits.value)
                ends.add(span[1])
        for at, token in enumerate(self.text.tokens):
            short = len(token.text) <= MOST_DIGITS
            if short and token.text.isdecimal() and at not in found and at not in inside:
                found[at] = Number(int(token.text), "", at + 1)
                self.lattice.add(at, at + 1, (f"#{int(token.text)}",))
                ends.add(at + 1)
        return found

    def _negative(self, span: tuple[int, int], value: object) -> None:
        start, end = span
        if start and self.text.tokens[start - 1].text in ("-", "+"):
            sign = "-" if self.text.tokens[start - 1].text == "-" else ""
            self.lattice.add(start - 1, end, (f"#{sign}{shown(value)}",))  # type: ignore[arg-type]

    def _numbers(self, reader: NumberReader, ends: set[int]) -> None:
        ordinals_too = self.grammar.tables.get("ordinals", {}).get("as_numbers")
        for at in reader.starts():
            if reader.scales(at):
                continue
            for number in reader.numbers(at):
                self._number(at, number, as_number=bool(ordinals_too))
                ends.add(number.end)

    def _number(self, at: int, number: Number, *, as_number: bool) -> None:
        sign = {"": "#", "ord": "°", "den": "/"}[number.kind]
        forms = self.grammar.ordinal_forms if number.kind == "ord" else ()
        label = f"{sign}{shown(number.value)}"
        self.lattice.add(at, number.end, (label,), weak=FORM if forms else 0)
        word = self.text.tokens[number.end - 1].key
        for form in forms if isinstance(number.value, int) else ():
            if word.endswith(form):
                self.lattice.add(at, number.end, (f"{label}~{form}",))
        if number.kind == "ord" and as_number:
            self.lattice.add(at, number.end, (f"#{shown(number.value)}",), weak=GUESS)
        if at and self.text.tokens[at - 1].text == "-" and number.value:
            self.lattice.add(at - 1, number.end, (f"#-{shown(number.value)}",))

    def _phrases(self, reader: NumberReader, ends: set[int]) -> None:
        for at, token in enumerate(self.text.tokens):
            for meaning, end in reader.meanings(at):
                if meaning.kind == "label":
                    self.lattice.add(at, end, meaning.value)
                elif meaning.kind == "decade":
                    self.lattice.add(at, end, (f"{meaning.value:02d}s",))
                elif meaning.kind == "of" and at in ends:
                    ends.add(end)
                elif meaning.kind in ("tail", "loose") and at in ends:
                    weak = FORM if meaning.kind == "loose" else 0
                    self.lattice.add(at, end, meaning.value, weak=weak)
                    ends.add(end)
            if token.text == "-":
                for word in self.grammar.numbers.get("minus", "").split("|"):
                    self.lattice.add(at, at + 1, literal_labels(word))
            match = self.grammar.roman.fullmatch(token.text)
            if match:
                self._roman(at, match[1])

    def _roman(self, at: int, numeral: str) -> None:
        token = self.text.tokens[at]
        upper = self.text.text[token.start : token.start + len(numeral)].isupper()
        named = at and self.text.tokens[at - 1].key in self.grammar.before_roman
        if named or (upper and len(numeral) > 1):
            value = roman(numeral)
            for sign in "#°":
                self.lattice.add(at, at + 1, (f"{sign}{value}",), weak=GUESS)

    def _ranges(self, ends: set[int]) -> None:
        """Let a hyphen between values be said: "to", or "minus"."""
        joins = self.grammar.tables.get("ranges", {}).get("joins", "")
        minus = self.grammar.numbers.get("minus", "")
        said = [one.replace("_", " ") for one in f"{joins}|{minus}".split("|") if one]
        for at in range(1, len(self.text.tokens)):
            values = at in ends or self.text.tokens[at].text.isdecimal()
            if self.text.gaps[at].strip() == "-" and values:
                for words in said:
                    self.lattice.add(at, at, tuple(words.split()))


def is_word(text: str) -> bool:
    """Return whether a text is a word of letters, in a language that has spaces.

    >>> is_word("nonstop"), is_word("b12")
    (True, False)
    """
    return text.isalpha() and text < UNSPACED


def roman(numeral: str) -> int:
    """Return the value of a roman numeral in lower case.

    >>> roman("mcmxcix")
    1999
    """
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    after = [*values[1:], 0]
    return sum(-one if one < two else one for one, two in zip(values, after, strict=True))


@lru_cache(maxsize=_CACHED_TEXTS)
def readings(text: str, language: str) -> Readings:
    """Return the readings of a text; they are kept for the next time."""
    return Readings(text, language)
