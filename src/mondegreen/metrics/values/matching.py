"""Pairing the values that were meant with those that were found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from mondegreen.data.states import states_of
from mondegreen.errors import DataError
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Prediction, Utterance
from mondegreen.values.compare import as_expected
from mondegreen.values.counting import in_digits

Values = dict[str, list[str]]
Plain = Callable[[str], str]
_ARTICLES = frozenset(("a", "an", "the"))
_SIGNS = lazy_pattern(r"[^\w.%$£€'-]+|(?<!\d)[.']|[.'](?!\w)")


def plain(value: str) -> str:
    """Return a value in lower case, without punctuation and articles, with numbers in digits.

    >>> plain("The Beatles!"), plain("twenty-five"), plain("two"), plain("7.50")
    ('beatles', '25', '2', '7.5')
    """
    words = _SIGNS.sub(" ", value.lower().replace("-", " ")).split()
    kept = [word for word in words if word not in _ARTICLES] or words
    return " ".join(in_digits(kept))


NORMALISERS: Mapping[str, Plain] = {"none": str, "plain": plain}
"""What makes values equal, by name."""


class GoldValue(NamedTuple):
    """A slot: what was meant, what stands there, what the speaker took back, and its state."""

    label: str
    value: str
    words: str
    taken_back: str | None
    state: str


class Gold(NamedTuple):
    """The slots of an utterance by value."""

    slots: tuple[GoldValue, ...]


def gold_values(utterance: Utterance, plain: Plain) -> Gold:
    """Return the values that were meant."""
    found = []
    for slot, (state, taken_back) in zip(utterance.slots, states_of(utterance), strict=True):
        words = utterance.words_of(slot)
        value = words if slot.value is None else slot.value
        wrong = None if taken_back is None else plain(taken_back)
        found.append(GoldValue(slot.label, plain(value), plain(words), wrong, state))
    return Gold(tuple(found))


def predicted_values(utterance: Utterance, prediction: Prediction, plain: Plain) -> Values:
    """Return the values of a prediction: those it gives, or the words of its slots.

    Raises:
        DataError: if it has neither.
    """
    found: Values = {}
    if prediction.values is not None:
        for label, given in prediction.values.items():
            found[label] = [plain(value) for value in given]
    elif prediction.slots is not None:
        for slot in prediction.slots:
            found.setdefault(slot.label, []).append(plain(utterance.words_of(slot)))
    elif utterance.slots:
        raise DataError(
            f"the prediction of utterance {prediction.id!r} has neither values nor slots; give "
            '"values", "tags" or "slots"'
        )
    return found


def in_gold_writing(gold: Gold, found: Values, language: str) -> Values:
    """Return values as the reference writes them, where they say the same."""
    meant: Values = {}
    for one in gold.slots:
        meant.setdefault(one.label, []).append(one.value)
    return {
        label: [str(as_expected(value, meant.get(label, ()), language)) for value in values]
        for label, values in found.items()
    }


class ValueVerdict(NamedTuple):
    """What became of the values of an utterance."""

    right: list[bool]
    found: int
    labels_right: int
    word_distance: float
    char_distance: float
    stale: int
    misheard: int
    invented: int
    missing: int

    @property
    def wrong(self) -> bool:
        """Whether a value is wrong, missing or invented."""
        return not (sum(self.right) == len(self.right) == self.found)

    def counts(self, unit: int) -> tuple[int, ...]:
        """Return the counts of the metric, with distances in parts of a ``unit``."""
        far = (round(unit * one) for one in (self.word_distance, self.char_distance))
        return (
            sum(self.right), len(self.right), self.found, self.labels_right, *far, self.stale,
            self.misheard, self.invented, self.missing,
        )  # fmt: skip


def judge(gold: Gold, found: Values) -> ValueVerdict:
    """Compare the values of an utterance with those that were meant."""
    left = {label: list(values) for label, values in found.items()}
    right = []
    for one in gold.slots:
        same = one.value in left.get(one.label, ())
        right.append(same)
        if same:
            left[one.label].remove(one.value)
    wrong = [one for one, same in zip(gold.slots, right, strict=True) if not same]
    kinds = [_kind(one, left.get(one.label, [])) for one in wrong]
    extra = sum(map(len, left.values()))
    meant: Values = {}
    for one in gold.slots:
        meant.setdefault(one.label, []).append(one.value)
    return ValueVerdict(
        right,
        sum(map(len, found.values())),
        sum(min(len(meant.get(label, ())), len(values)) for label, values in found.items()),
        _distances(meant, found, _word_distance),
        _distances(meant, found, _char_distance),
        kinds.count("stale"),
        kinds.count("misheard"),
        kinds.count("invented") + extra,
        kinds.count("missing"),
    )


def exact_values(utterance: Utterance, prediction: Prediction) -> tuple[int, int, int]:
    """Return how many values are right, were meant and were found, compared as they are written.

    Raises:
        DataError: if the prediction has neither values nor slots.
    """
    left = predicted_values(utterance, prediction, str)
    found = sum(map(len, left.values()))
    right = 0
    for slot in utterance.slots if left else ():
        value = utterance.words_of(slot) if slot.value is None else slot.value
        others = left.get(slot.label)
        if others and value in others:
            others.remove(value)
            right += 1
    return right, len(utterance.slots), found


def _kind(one: GoldValue, others: list[str]) -> str:
    """Return what was found instead of a value, and take it from the others."""
    if not others:
        return "missing"
    for kind, value in (("stale", one.taken_back), ("misheard", one.words)):
        if value in others and value is not None:
            others.remove(value)
            return kind
    others.pop(0)
    return "invented"


def _distances(meant: Values, found: Values, far: Callable[[str, str], float]) -> float:
    """Return SLURP's distance: each value found is paired with the nearest one that is left."""
    total = 0.0
    for label, values in found.items():
        left = list(meant.get(label, ()))
        for value in values[: len(left)]:
            all_far = [far(one, value) for one in left]
            nearest = min(range(len(left)), key=all_far.__getitem__)
            total += all_far[nearest]
            del left[nearest]
    return total


def _word_distance(truth: str, value: str) -> float:
    words = truth.split()
    return Levenshtein.distance(words, value.split()) / max(1, len(words))


def _char_distance(truth: str, value: str) -> float:
    return Levenshtein.normalized_distance(truth, value)
