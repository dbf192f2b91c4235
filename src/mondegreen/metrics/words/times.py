"""Words with times: when each begins and ends, through normalisation and splitting.

The alignment by times is NIST's time-mediated one, as ``sclite -T`` has it (docs/metrics/words.md).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mondegreen.align import Times
from mondegreen.align.costs import TIMES
from mondegreen.data.formats.timed import TimedText
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError
from mondegreen.metrics.normalisation.normalise import Normaliser, lower_case, writes_alternatives
from mondegreen.metrics.words.networks import OPTIONAL, pieces, untagged, with_marks
from mondegreen.metrics.words.readings import Spans, around_marks
from mondegreen.text.items import Item, words_of
from mondegreen.text.segment import split


class Timed(NamedTuple):
    """The words of an utterance, among them the marks of alternatives, and the words' times."""

    words: list[str]
    times: Spans


def check_times(costs: str, times: object, **others: object) -> None:
    """Refuse costs without their times, times without their costs, and options that lose times.

    Raises:
        DataError: saying what to do.
    """
    if costs != TIMES.name:
        if times is not None:
            raise DataError(f"costs {costs!r} do not use times; choose costs='{TIMES.name}'")
        return
    if times is None:
        raise DataError(
            f"costs '{TIMES.name}' need the times of words: give "
            "times=(times of the references, times of the hypotheses)"
        )
    for name, value in others.items():
        if value:
            raise DataError(
                f"costs '{TIMES.name}' cannot be combined with {name.replace('_', '-')}: the times "
                "of the words would be lost"
            )


class Preparation(NamedTuple):
    """How words with times are prepared: word by word, so that the times are known.

    Args:
        prepare: the normaliser. A word that becomes several shares out its time.
        lower: put words into lower case.
        marked: the texts have marks of alternatives.
        mixed: split scripts without spaces into characters.
    """

    prepare: Normaliser | None
    lower: bool
    marked: bool
    mixed: bool

    def both(
        self,
        written: tuple[list[Item], list[Item]],
        times: tuple[Times, Times],
        ids: Sequence[str],
        entities: object,
    ) -> tuple[list[Timed], list[Timed]]:
        """Return the words and times of references and hypotheses.

        Raises:
            DataError: naming an utterance whose times do not fit its words.
        """
        if entities is not None and self.prepare is not None:
            raise DataError(
                f"costs '{TIMES.name}' cannot be combined with entities and a normaliser: the "
                "places of the entities would be lost"
            )
        if writes_alternatives(self.prepare):
            raise DataError(
                f"costs '{TIMES.name}' cannot be combined with rules that write alternatives: "
                "their words would have no times"
            )
        refs, hyps = written
        left = self._side(refs, times[0], "reference", ids)
        return left, self._side(hyps, times[1], "hypothesis", ids)

    def _side(
        self, items: Sequence[Item], times: Times, what: str, ids: Sequence[str]
    ) -> list[Timed]:
        if len(times) != len(items):
            raise DataError(f"{what}: {len(times)} lists of times are given for {len(items)} texts")
        rows = zip(items, times, ids, strict=True)
        found = [self._one(item, spans, f"the {what} {id!r}") for item, spans, id in rows]
        self._warn_of_phrases(items, found)
        return found

    def _one(self, item: Item, spans: Sequence[tuple[float, float]], name: str) -> Timed:
        tokens = words_of(item)
        parts = list(pieces(" ".join(tokens))) if self.marked else tokens
        marks = [self.marked and mark for _, mark in with_marks(parts)]
        _check_spans(spans, len(parts) - sum(marks), name)
        words: list[str] = []
        new_times: Spans = []
        coming = iter(spans)
        for part, mark in zip(parts, marks, strict=True):
            if mark:
                words.append(part)
                continue
            new = self._words(part)
            words += new
            new_times += shared_out(next(coming), len(new))
        return Timed(words, new_times)

    def _words(self, part: str) -> list[str]:
        """Return what becomes of a word; optional words stay optional."""
        optional = OPTIONAL.fullmatch(part) if self.marked else None
        plain = optional[1] if optional else part
        if self.prepare is not None:
            plain = self.prepare(untagged(plain) if self.marked else plain)
        if self.lower:
            plain = lower_case(plain)
        found = list(split(plain)) if self.mixed else plain.split() if self.prepare else [plain]
        return [f"({word})" for word in found] if optional else found

    def _warn_of_phrases(self, items: Sequence[Item], found: Sequence[Timed]) -> None:
        """Warn where rules about several words do not apply to words one by one."""
        if self.prepare is None:
            return
        whole = around_marks(self.prepare) if self.marked else self.prepare
        texts = (whole(" ".join(words_of(item))).lower() for item in items)
        differ = sum(
            text.split() != " ".join(one.words).lower().split()
            for text, one in zip(texts, found, strict=True)
        )
        if differ:
            warnings.warn(
                f"words with times are normalised one by one; as whole texts, {differ:,} of "
                f"{len(found):,} would become something else (rules about several words)",
                stacklevel=5,
            )


def shared_out(span: tuple[float, float], n: int) -> Iterator[tuple[float, float]]:
    """Yield the times of n words that share the time of one.

    >>> list(shared_out((1.0, 2.0), 2))
    [(1.0, 1.5), (1.5, 2.0)]
    """
    start, end = span
    for at in range(n):
        yield start + (end - start) * at / n, start + (end - start) * (at + 1) / n


def _check_spans(spans: Sequence[tuple[float, float]], n: int, name: str) -> None:
    if len(spans) != n:
        raise DataError(
            f"{name} has {n} words and {len(spans)} times; give a start and an end each"
        )
    for at, span in enumerate(spans, start=1):
        try:
            start, end = span
            right = math.isfinite(start) and math.isfinite(end) and start <= end
        except (TypeError, ValueError):
            right = False
        if not right:
            raise DataError(
                f"{name}: the times of word {at} are {span!r}; give its start and its end in "
                "seconds, the start first"
            )


def timed_texts(file: Transcripts) -> list[TimedText]:
    """Return the texts of a file with the times of their words.

    Raises:
        DataError: if the file has none.
    """
    if file.times is None:
        raise DataError(
            f"{file.path}: --costs {TIMES.name} needs the times of words: a .ctm file, or records "
            "with a list times of [start, end] in seconds. An .stm file has those of segments only."
        )
    return [TimedText(*one) for one in zip(file.texts, file.times, strict=True)]
