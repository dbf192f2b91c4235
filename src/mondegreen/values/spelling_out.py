"""Numbers in words: cardinals, ordinals and denominators of each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from mondegreen.values.grammar import Grammar, grammar
from mondegreen.values.tables import alternatives, listed, named

_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000
_FEW = (2, 3, 4)
_TEENS = range(11, 15)


class Speller:
    """How one language says numbers."""

    def __init__(self, language: Grammar) -> None:
        self.tables = language.tables
        numbers = language.numbers
        said: dict[str, Any] = self.tables["speaking"]
        self.said = said
        self.exact = dict(_firsts(numbers, more=said.get("more", True)))
        self.exceptions = _words(said.get("except", ""))
        self.ones = _words(said.get("one", ""))
        self.open, self.round = _words(said.get("open", "")), _words(said.get("round", ""))
        self.after_ten = _words(said.get("after_ten", ""))
        self.after_one_ten = _words(said.get("after_one_ten", ""))
        self.space = " " if said.get("spaced", True) else ""
        skipped = str(said.get("skip", "")).split()
        self.scales = sorted(
            (
                (int(v), alternatives(w))
                for v, w in numbers["multipliers"].items()
                if v not in skipped
            ),
            reverse=True,
        )

    def cardinal(self, n: int) -> str:
        """Return a whole number in words.

        >>> speller("en").cardinal(1250), speller("de").cardinal(254)
        ('one thousand two hundred fifty', 'zweihundertvierundfünfzig')
        """
        if n in self.exceptions:
            return self.exceptions[n]
        if n in self.round:
            return self.round[n]
        if n in self.exact:
            return self.exact[n]
        if n < _HUNDRED and "tens" in self.said:
            ones = n % _TEN
            unit = self.said.get("one_word", self.exact[1]) if ones == 1 else self.exact[ones]
            return str(self.said["tens"]).format(t=self.exact[n - ones], u=unit)
        if _HUNDRED <= n < _THOUSAND and n - n % _HUNDRED in self.exact:
            head = n - n % _HUNDRED
            return self._joined(self.open.get(head, self.exact[head]), n % _HUNDRED, _HUNDRED)
        scale, names = next(one for one in self.scales if one[0] <= n)
        many, rest = divmod(n, scale)
        return self._joined(self._scaled(many, scale, names), rest, scale)

    def _scaled(self, many: int, scale: int, names: list[str]) -> str:
        if many == 1 and scale in self.ones:
            return self.ones[scale]
        if many == 1 and not self.ones and not (self.said.get("explicit") and scale > _TEN):
            return str(self.said.get("ten", names[0])) if scale == _TEN else names[0]
        words = self._feminine(many) if scale == _THOUSAND else self.cardinal(many)
        if self.said.get("one_word") and words.endswith("eins"):
            words = words[:-1]
        joint = "" if scale < self.said.get("closed", 0) else self.space
        name = names[0] if scale < _THOUSAND else self._form(many, scale, names)
        return f"{words}{joint}{name}"

    def _feminine(self, many: int) -> str:
        forms = _words(str(self.said.get("feminine", "")))
        last = many % _TEN
        if last not in forms or many % _HUNDRED in (11, 12):
            return self.cardinal(many)
        return self.space.join(
            filter(None, [(many > last and self.cardinal(many - last)) or "", forms[last]])
        )

    def _form(self, many: int, scale: int, names: list[str]) -> str:
        rule = str(self.said.get("plural", ""))
        return names[0] if rule == "second" and scale == _THOUSAND else plural(many, names, rule)

    def _joined(self, head: str, rest: int, scale: int) -> str:
        """Return a number with what follows its largest part."""
        if not rest:
            return head
        words = self.cardinal(rest)
        if scale == _TEN:
            words = (self.after_ten if head != self.said.get("ten") else self.after_one_ten).get(
                rest, words
            )
        zero = self.said.get("zero", "")
        if zero and scale > _TEN and rest < self.said.get("zero_below", scale // _TEN):
            words = f"{zero}{self.space}{words}"
        elif zero == "零" and _TEN <= rest < 2 * _TEN:
            words = f"一{words}"
        closed = self.said.get("closed_after", self.said.get("closed", 0))
        joint = "" if scale < closed else self.space
        if scale == _HUNDRED:
            joint = str(self.said.get("hundred_join", joint))
        return f"{head}{joint}{words}"

    def number(self, value: int, digits: str = "") -> str:
        """Return a number in words, with the digits after its point one by one."""
        minus = alternatives(self.tables["numbers"]["minus"])[0] + " " if value < 0 else ""
        words = self.cardinal(abs(value))
        if digits:
            point = alternatives(self.tables["numbers"]["point"])[0]
            words = self.space.join([words, point, *(self.exact[int(one)] for one in digits)])
        return minus + words

    def ordinal(self, n: int, kind: str = "ordinals") -> str:
        """Return the ordinal of a number, or its denominator; empty where the language has none.

        >>> speller("de").ordinal(21), speller("es").ordinal(134)
        ('einundzwanzigster', 'centésimo trigésimo cuarto')
        """
        table = self.tables.get(kind, {})
        if "mark" in table and "tens" not in table:
            special = _words(table.get("spoken", ""))
            return special.get(n) or self.cardinal(n) + alternatives(table["mark"])[0]
        forms = _ordinal_forms(table)
        alone = forms | _words(table.get("alone", ""))
        if not forms or n in forms:
            return alone.get(n, "")
        if table.get("several"):
            parts = [n - n % _HUNDRED, *_tail(n % _HUNDRED, forms)]
            return " ".join(forms.get(part, "?") for part in parts if part)
        if self.said.get("ordinal") == "esimo":
            words = self.cardinal(n)
            return (words if words.endswith(("tre", "sei")) else words[:-1]) + "esimo"
        last = next((one for one in (n % _HUNDRED, n % _TEN) if one in forms), 0)
        if not last:
            scale = next((one for one in (_HUNDRED, _THOUSAND) if n % one == 0), 0)
            many = self.cardinal(n // scale) if scale else ""
            return f"{many}{self._ordinal_joint()}{forms.get(scale, '?')}"
        joint = self._ordinal_joint()
        if self.said.get("one_word") and last < _TEN < n % _HUNDRED:
            tens = n % _HUNDRED - last
            return self.cardinal(n).removesuffix(self.exact[tens]) + forms[tens]
        return f"{self.cardinal(n - last)}{joint}{forms[last]}"

    def has(self, n: int, kind: str) -> bool:
        """Return whether a table has its own form for a number."""
        table = self.tables.get(kind, {})
        return "tens" in table or n in _ordinal_forms(table)

    def _ordinal_joint(self) -> str:
        return str(self.said.get("ordinal", " "))


def plural(many: int, names: list[str], rule: str) -> str:
    """Return the form of a name after a number.

    >>> (
    ...     plural(1, ["million", "millionen"], "second"),
    ...     plural(3, ["тысяч", "тысяча", "тысячи"], "slavic"),
    ... )
    ('million', 'тысячи')
    """
    if rule == "slavic" and len(names) > 2:  # noqa: PLR2004 (three forms)
        if many % _TEN == 1 and many % _HUNDRED != _TEENS[0]:
            return names[1]
        return names[2] if many % _TEN in _FEW and many % _HUNDRED not in _TEENS else names[0]
    return names[1] if rule == "second" and many > 1 and len(names) > 1 else names[0]


def _tail(n: int, forms: dict[int, str]) -> list[int]:
    return [n] if n in forms else [n - n % _TEN, n % _TEN]


def _ordinal_forms(table: Mapping[str, Any]) -> dict[int, str]:
    ending = table.get("endings", "").split(" ")[0]
    forms = {n: _ended(stem, ending) for n, stem in _ranks(table).items()}
    for value, words in named(table.get("multipliers", "")):
        forms.setdefault(int(value), _ended(words[0], ending))
    for value, words in named(table.get("words", "")):
        forms.setdefault(int(value), words[0])
    return forms | _words(table.get("spoken", ""))


def _ended(stem: str, ending: str) -> str:
    return stem[:-1] if stem.endswith(".") else stem + ending


def _words(entry: str) -> dict[int, str]:
    return {int(value): words[0] for value, words in named(entry)}


def _firsts(numbers: Mapping[str, Any], *, more: bool) -> Iterator[tuple[int, str]]:
    yield from _ranks(numbers).items()
    for value, words in numbers.get("more", {}).items():
        if more and value.isdecimal():
            yield int(value), alternatives(words)[0]


def _ranks(table: Mapping[str, Any]) -> dict[int, str]:
    ranks = (("units", 0, 1), ("teens", 10, 1), ("tens", 20, 10), ("hundreds", 100, 100))
    return {
        first + step * at: words[0]
        for name, first, step in ranks
        for at, words in enumerate(listed(table.get(name, "")))
    }


@cache
def speller(language: str) -> Speller:
    """Return how a language says numbers."""
    return Speller(grammar(language))
