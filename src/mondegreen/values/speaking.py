"""Speaking: written values as people say them, with the same value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache

from mondegreen.values.compare import says_same
from mondegreen.values.entries import unit_names
from mondegreen.values.grammar import Grammar, grammar
from mondegreen.values.patterns import money_signs
from mondegreen.values.spelling_out import Speller, plural, speller
from mondegreen.values.tables import Labels, alternatives, named
from mondegreen.values.tokens import plain
from mondegreen.values.written import Writing, writing

_CACHED = 65_536
_EDGES = "\"'“”‘’«»„()[]{}<>,;:!?…*"  # noqa: RUF001 (typographic quotation marks)
_DOMAINS = frozenset({"com", "net", "org", "gov", "biz"})  # said as words
_AMBIGUOUS = frozenset({"in", "a", "s", "d", "m", "t", "k", "'", '"'})  # also words and letters
_LONG = 7  # digits that are said one by one
_ENDING = 4  # letters of an ordinal that its forms replace
_WRITTEN = re.compile(r"[\d@./:_$€£¥%#+=&\\]")
_PIECES = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_")


@lru_cache(maxsize=_CACHED)
def spoken_word(word: str, language: str = "en") -> list[str]:
    """Return the words of a written value as people say them; none if it is no such value.

    >>> spoken_word("$5.20"), spoken_word("8:30", "de"), spoken_word("jazz")
    (['five', 'dollars', 'and', 'twenty', 'cents'], ['acht', 'uhr', 'dreißig'], [])
    """
    core = plain(word).strip(_EDGES).rstrip(".")
    if not any(sign.isdecimal() or not sign.isalpha() for sign in core) or not core:
        return []
    speaker = _speaker(language)
    for said in speaker.ways(core):
        if not _WRITTEN.search(said) and says_same(core, said, language):
            return said.split()
    return []


class Speaker:
    """How one language says what is written."""

    def __init__(self, language: Grammar, style: Writing, numbers: Speller) -> None:
        self.tables, self.style, self.numbers = language.tables, style, numbers
        self.units = unit_names(self.tables.get("units", {}), language.common["units"])
        self.signs = {sign: words[0] for sign, words in named(self.tables.get("signs", ""))}
        hours = str(self.tables.get("time_after", "")).split("|")
        signs = [sign for one in language.common["units"].values() for sign in one.split("|")]
        self.written_units = frozenset({*signs, *self.units, *hours} - {"", *_AMBIGUOUS})
        self._before = str(self.tables["speaking"].get("one_before", numbers.exact[1]))
        self.rule = str(self.tables["speaking"].get("plural", ""))

    def ways(self, text: str) -> Iterator[str]:
        """Yield ways to say a text, the most usual first; they are still to be checked."""
        whole = [one.labels for one in self.style.values(text)
                 if (one.start, one.end) == (0, len(text)) and not one.guess]  # fmt: skip
        for labels in sorted(whole, key=lambda one: not any(label[0] == "¢" for label in one)):
            yield from self._inflected(labels)
        yield from self._number(text)
        if text[:1] == "-":
            minus = alternatives(self.tables["numbers"]["minus"])[0]
            yield from (f"{minus}{self.numbers.space}{said}" for said in self.ways(text[1:]))
        yield self._inside(text)
        yield self._spelled(text)

    def _inflected(self, labels: Labels) -> Iterator[str]:
        """Yield labels in words; an ordinal of a certain form (``°17~te``) with such an ending."""
        last, _, form = labels[-1].partition("~")
        said = self.said((*labels[:-1], last))
        if form and not said.endswith(form):
            listed = re.findall(r"[^\W\d_]+", str(self.tables.get("ordinals", "")))
            formed = [word for word in dict.fromkeys(listed) if word.endswith(form)]
            yield from (word for word in formed if word[:2] == said[:2])
            for cut in range(1, _ENDING + 1):
                yield from (said[:-cut] + form[kept:] for kept in range(len(form) + 1))
            yield from formed
        yield said

    def said(self, labels: Labels) -> str:
        """Return labels in words."""
        words: list[str] = []
        many: int | Fraction = 2
        for at, label in enumerate(labels):
            if label[0] == "#" and len(label) > 1:
                many = Fraction(label[1:])
                many = int(many) if many.denominator == 1 else many
                counts = at + 1 < len(labels) and not labels[at + 1].startswith("#")
                words.append(self._before if many == 1 and counts else self._digits(label[1:]))
            else:
                words.append(self._label(label, many))
        return self.numbers.space.join(words)

    def _label(self, label: str, many: int | Fraction) -> str:
        kind, rest = label[0], label[1:]
        if kind == "°" and rest:
            return self.numbers.ordinal(int(rest.partition("~")[0]))
        if kind == "/" and rest:
            return self._denominator(int(rest), many)
        if kind == "$" and rest:
            return self._named(self.tables["money"]["currencies"][rest], many)
        if kind == "M" and rest:
            return str(self.tables["dates"]["months"]).split()[int(rest) - 1].split("|")[0]
        if kind == "¢":
            money = self.tables["money"]
            return self._named(money["cents"][rest] if rest else money["cent"], many)
        if label.startswith("u:"):
            return self._counted(self.units[label[2:]], many)
        if label == "per":
            return alternatives(self.tables["units"]["per"])[0]
        if label in ("am", "pm"):
            return f"{label[0]} m"
        return self.numbers.exact[int(label)] if label.isdecimal() else label

    def _denominator(self, n: int, many: int | Fraction) -> str:
        own = self.numbers.has(n, "denominators")
        found = self.numbers.ordinal(n, "denominators" if own else "ordinals")
        ending = str(self.tables["speaking"].get("denominators", ""))
        if many == 1 or not ending:
            return found
        return found.removesuffix(ending[0]) + ending[2:] if ending[1:2] == ">" else found + ending

    def _named(self, entry: str, many: int | Fraction) -> str:
        return self._counted(alternatives(entry), many)

    def _counted(self, names: list[str], many: int | Fraction) -> str:
        """Return the form of a name after a number; tables have the plural first."""
        whole = int(many) if isinstance(many, int) else 2
        if self.rule == "slavic":
            return plural(whole, names, self.rule)
        alike = len(names) > 1 and names[1][:2] == names[0][:2] and " " not in names[1]
        return names[1] if whole == 1 and alike else names[0]

    def _digits(self, digits: str) -> str:
        whole, _, rest = digits.partition(".")
        return self.numbers.number(int(whole), rest) if whole != "-0" else digits

    def _number(self, text: str) -> Iterator[str]:
        sign, digits = ("-", text[1:]) if text[:1] == "-" else ("", text)
        match = self.style.number.match(digits)
        if match is None:
            return
        unit = digits[match.end() :].strip()
        names = self._unit(unit) if unit else [""]
        minus = alternatives(self.tables["numbers"]["minus"])[0] + " " if sign else ""
        for value in self.style.meant(match[0]):
            one_by_one = match[0].isdecimal() and (match[0][0] == "0" or len(match[0]) >= _LONG)
            if one_by_one and len(match[0]) > 1 and not unit:
                yield self.numbers.space.join(self.numbers.exact[int(one)] for one in match[0])
            places = re.split(r"[.,]", match[0])[-1] if isinstance(value, Fraction) else ""
            words = self.numbers.number(int(value), places)
            if names:
                words = self._before if value == 1 and unit else words
                said = (minus.strip(), words, self._counted(names, value))
                yield self.numbers.space.join(filter(None, said))

    def _unit(self, sign: str) -> list[str]:
        for names in self.units.values():
            if sign in names or sign.casefold() in (name.casefold() for name in names):
                return names
        return []

    def _inside(self, text: str) -> str:
        """Return a text with the values in it said, such as those in a text without spaces."""
        spans = [(one.start, one.end, self.said(one.labels)) for one in self.style.values(text)
                 if not one.guess]  # fmt: skip
        spans += [
            (one.start, one.end, next(self._number(text[one.start : one.end]), ""))
            for one in self.style.numbers(text)
        ]
        said, at = "", 0
        for start, end, words in sorted(spans, key=lambda span: (span[0], -span[1])):
            if start >= at and words:
                said += f"{text[at:start]}{self.numbers.space}{words}{self.numbers.space}"
                at = end
        return " ".join((said + text[at:]).split())

    def _spelled(self, text: str) -> str:
        """Return a code or an address: letters, digits and signs by name."""
        words: list[str] = []
        address = "@" in text or "://" in text or re.search(r"[^\W\d]\.[^\W\d]", text)
        for piece in _PIECES.findall(text):
            if piece.isdecimal():
                words += [self.numbers.exact[int(digit)] for digit in piece]
            elif piece.isalpha():
                lower = piece.casefold()
                is_word = address and (len(lower) > len("www") or lower in _DOMAINS)
                words += [lower] if is_word else list(lower)
            else:
                words.append(self.signs.get(piece, "") if address or piece != "-" else "")
        return " ".join(filter(None, words))


def is_sign(token: str, language: str, *, after: bool) -> bool:
    """Return whether a token is written with a number: the sign of a currency or a unit.

    >>> is_sign("€", "de", after=True), is_sign("km", "en", after=False)
    (True, False)
    """
    sign = plain(token).casefold()
    if sign in money_signs(language):
        return True
    speaker = _speaker(language)
    return after and bool(sign) and sign in speaker.written_units


def is_scale(token: str, language: str) -> bool:
    """Return whether a token is a scale, such as "million"."""
    return token.casefold() in writing(language).scales


@cache
def _speaker(language: str) -> Speaker:
    return Speaker(grammar(language), writing(language), speller(language))
