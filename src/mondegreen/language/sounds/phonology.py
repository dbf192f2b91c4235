"""Phonological features of phonemes, and the costs of changing them.

The value of a feature is present (+), absent (-), irrelevant (0), or it changes within a diphthong:
from present to absent (+-) or from absent to present (-+). Changing a value costs half the distance
of the two values on a scale from -1 to 1. Inserting or deleting a phoneme costs 0.5 per irrelevant
feature and 1 per other feature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from mondegreen.align.costs import ONE
from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.lines import read_lines
from mondegreen.errors import DataError, MissingExtraError, unknown
from mondegreen.resources import read_resource
from mondegreen.text.patterns import lazy_pattern

QUARTERS = {"+": 4, "+-": 2, "0": 0, "-+": -2, "-": -4}
"""The values times four, so that all costs are integers, in quarters of a feature."""
_TIE = "\u0361"
_MARKS = lazy_pattern("[ˈˌːˑ]")
SILENT = frozenset(("<sil>", "<spn>", "<unk>"))
SHIPPED = ("hayes-arpabet", "hayes-ipa")
ARPABET_TO_IPA = {
    "AA": "ɑ", "AE": "æ", "AH": "ʌ", "AO": "ɔ", "AW": "a͡ʊ", "AY": "a͡ɪ", "B": "b", "CH": "t͡ʃ",
    "D": "d", "DH": "ð", "DX": "ɾ", "EH": "ɛ", "ER": "ɝ", "EY": "e͡ɪ", "F": "f", "G": "ɡ",
    "HH": "h", "IH": "ɪ", "IY": "i", "JH": "d͡ʒ", "K": "k", "L": "l", "M": "m", "N": "n",
    "NG": "ŋ", "OW": "o͡ʊ", "OY": "ɔ͡ɪ", "P": "p", "R": "ɹ", "S": "s", "SH": "ʃ", "T": "t",
    "TH": "θ", "UH": "ʊ", "UW": "u", "V": "v", "W": "w", "Y": "j", "Z": "z", "ZH": "ʒ",
}  # fmt: skip
_IPA_TO_ARPABET = {ipa: arpabet for arpabet, ipa in ARPABET_TO_IPA.items()} | {
    "ə": "AH", "ɚ": "ER", "g": "G", "r": "R",
}  # fmt: skip


class FeatureChange(NamedTuple):
    """One feature that changes, and its cost in quarters of a feature.

    ``before`` is empty for an inserted phoneme, ``after`` for a deleted one.
    """

    name: str
    before: str
    after: str
    quarters: int


@dataclass(frozen=True)
class FeatureSystem:
    """The features of a set of phonemes."""

    name: str
    features: tuple[str, ...]
    phonemes: Mapping[str, tuple[str, ...]]

    @cached_property
    def symbols(self) -> list[str]:
        """The phonemes, in the order of the table."""
        return list(self.phonemes)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.phonemes)

    def substitution(self, ref: str, hyp: str) -> int:
        """Return the cost of replacing one phoneme by another, in quarters of a feature.

        >>> feature_system("hayes-arpabet").substitution("K", "G") / 4
        1.0
        """
        pairs = zip(self.phonemes[ref], self.phonemes[hyp], strict=True)
        return sum(abs(QUARTERS[a] - QUARTERS[b]) for a, b in pairs) // 2

    def indel(self, phoneme: str) -> int:
        """Return the cost of inserting or deleting a phoneme, in quarters of a feature."""
        return sum(2 if value == "0" else 4 for value in self.phonemes[phoneme])

    def changes(self, ref: str | None, hyp: str | None) -> list[FeatureChange]:
        """Return the features that change between two phonemes.

        ``ref`` is ``None`` for an inserted phoneme, ``hyp`` for a deleted one.
        """
        before = self.phonemes[ref] if ref else ("",) * len(self.features)
        after = self.phonemes[hyp] if hyp else ("",) * len(self.features)
        found = []
        for name, a, b in zip(self.features, before, after, strict=True):
            indel = 2 if (a or b) == "0" else 4
            cost = abs(QUARTERS[a] - QUARTERS[b]) // 2 if a and b else indel
            if cost:
                found.append(FeatureChange(name, a, b, cost))
        return found

    @cached_property
    def costs(self) -> tuple[list[list[int]], list[int]]:
        """The integer costs for the aligner: of substitutions, and of insertions or deletions."""
        return self.costs_of(self.symbols)

    def costs_of(self, symbols: Sequence[str]) -> tuple[list[list[int]], list[int]]:
        """Return the costs for some of the phonemes only; panphon has thousands of them."""
        import numpy as np

        quarter = ONE // 4
        values = np.array([[QUARTERS[v] for v in self.phonemes[s]] for s in symbols], np.int64)
        values = values.reshape(len(symbols), len(self.features))
        table = [(np.abs(values - row).sum(axis=1) // 2 * quarter).tolist() for row in values]
        return table, [quarter * self.indel(symbol) for symbol in symbols]

    def read(self, text: str, *, lenient: bool = False) -> list[str]:
        """Return the phonemes of a transcript, without the silent symbols.

        Args:
            text: phonemes, separated by white space; IPA may also be written without spaces and tie
                bars, and is then split into the longest phonemes of the table.
            lenient: drop stress digits, and marks of stress and length; accept ARPAbet in lower
                case.

        >>> feature_system("hayes-arpabet").read("hh aw1 s <sil>", lenient=True)
        ['HH', 'AW', 'S']
        >>> feature_system("hayes-ipa").read("haʊs")
        ['h', 'a͡ʊ', 's']

        Raises:
            DataError: if a symbol is unknown.
        """
        symbols = text.split()
        if self._known.issuperset(symbols):
            return symbols
        phonemes = []
        for place, symbol in enumerate(symbols, start=1):
            if symbol in SILENT:
                continue
            found = symbol
            if lenient and found not in self.phonemes:
                plain = found.upper().rstrip("0123456789")
                found = plain if plain in self.phonemes else _MARKS.sub("", found)
            parts = [found] if found in self.phonemes else self._split(found)
            if parts is None:
                raise DataError(self._unknown(symbol, place))
            phonemes += parts
        return phonemes

    def _split(self, text: str) -> list[str] | None:
        """Return the phonemes of IPA without spaces, the longest first; ``None`` for other text."""
        rest = text.replace(_TIE, "")
        if rest.isascii() and rest.upper() == rest:
            return None  # ARPAbet has spaces
        found = []
        while rest:
            match = next((one for one in self._untied if rest.startswith(one)), None)
            if match is None:
                return None
            found.append(self._untied[match])
            rest = rest[len(match) :]
        return found

    @cached_property
    def _untied(self) -> dict[str, str]:
        """The phonemes by their form without tie bars, the longest first."""
        forms = {phoneme.replace(_TIE, ""): phoneme for phoneme in reversed(self.symbols)}
        return dict(sorted(forms.items(), key=lambda pair: -len(pair[0])))

    def _unknown(self, symbol: str, place: int) -> str:
        plain = symbol.upper().rstrip("0123456789")
        hint = ""
        if plain in self.phonemes:
            hint = "; stress digits and lower case are accepted with --lenient"
        elif symbol in _IPA_TO_ARPABET or symbol in ARPABET_TO_IPA:
            hint = "; it belongs to another alphabet: choose --system hayes-ipa or hayes-arpabet"
        elif _MARKS.search(symbol):
            hint = "; marks of stress and length are dropped with --lenient"
        elif not symbol.isascii():
            hint = f"; write phonemes of the table, with spaces: {' '.join(self.symbols[:20])} …"
        return f"symbol {place} ({symbol!r}) is not a phoneme of {self.name}{hint}"


@cache
def arpabet() -> FeatureSystem:
    """Return the feature system of the ARPAbet."""
    return feature_system("hayes-arpabet")


@by_content
def feature_system(name: str) -> FeatureSystem:
    """Return a feature system: one of the package, ``panphon`` (an extra), or a file.

    A file is a CSV or TSV table with one row per phoneme and one column per feature. Its values are
    + - 0 +- and -+.

    Raises:
        DataError: if there is no such system or file, or the table is wrong.
    """
    if name in SHIPPED:
        rows = [line.split("\t") for line in read_resource(f"{name}.tsv").decode().splitlines()]
        return _system(name, enumerate(rows, start=1))
    if name == "panphon":
        return _panphon()
    path = Path(name)
    if not path.suffix:
        raise DataError(f"{unknown('feature system', name, (*SHIPPED, 'panphon'))} Or give a file.")
    separator = "," if path.suffix == ".csv" else "\t"
    lines = read_lines(path)
    return _system(name, ((n, line.split(separator)) for n, line in lines if line.strip()))


def _system(name: str, rows: Iterable[tuple[int, Sequence[str]]]) -> FeatureSystem:
    table = iter(rows)
    _, (_, *features) = next(table)
    phonemes: dict[str, tuple[str, ...]] = {}
    for number, (phoneme, *values) in table:
        cells = tuple(value.strip().replace("−", "-") for value in values)
        if len(cells) != len(features):
            raise DataError.at(name, number, f"{len(cells)} values for {len(features)} features")
        wrong = next((value for value in cells if value not in QUARTERS), None)
        if wrong is not None:
            raise DataError.at(name, number, f"{wrong!r} is not a value; write + - 0 +- or -+")
        if phoneme in phonemes:
            raise DataError.at(name, number, f"the phoneme {phoneme!r} appears twice")
        phonemes[phoneme] = cells
    return FeatureSystem(name, tuple(features), phonemes)


def _panphon() -> FeatureSystem:
    try:
        from panphon import FeatureTable
    except ImportError:
        raise MissingExtraError.of("panphon", "Segments of panphon") from None
    table = FeatureTable()
    signs = {1: "+", 0: "0", -1: "-"}
    phonemes = {
        segment: tuple(signs[vector[name]] for name in table.names)
        for segment, vector in table.segments
    }
    return FeatureSystem("panphon", tuple(table.names), phonemes)


def to_ipa(phonemes: Iterable[str]) -> list[str]:
    """Return ARPAbet symbols as IPA, with tie bars.

    >>> to_ipa(["HH", "AW", "S"])
    ['h', 'a͡ʊ', 's']

    Raises:
        DataError: if a symbol is unknown.
    """
    return [_translated(symbol, ARPABET_TO_IPA) for symbol in phonemes]


def to_arpabet(phonemes: Iterable[str]) -> list[str]:
    """Return IPA symbols as ARPAbet; ə becomes AH, ɚ becomes ER.

    >>> to_arpabet(["h", "a͡ʊ", "s"])
    ['HH', 'AW', 'S']

    Raises:
        DataError: if a symbol is unknown.
    """
    return [_translated(symbol, _IPA_TO_ARPABET) for symbol in phonemes]


def _translated(symbol: str, table: Mapping[str, str]) -> str:
    if symbol in SILENT:
        return symbol
    if symbol not in table:
        raise DataError(f"{symbol!r} has no counterpart; known symbols: {' '.join(table)}")
    return table[symbol]
