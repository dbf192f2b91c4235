"""Recogniser: the errors of a speech recogniser, by a profile that was fitted to its output."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import ClassVar, NamedTuple

from rapidfuzz.distance import Levenshtein

from mondegreen.draw import Draw, key_of, prefix_of
from mondegreen.errors import OperatorError
from mondegreen.language.languages import ENGLISH, language
from mondegreen.language.simulation.draft import DraftLimits, Error
from mondegreen.language.simulation.profile import BUILT_IN, read_recogniser
from mondegreen.language.simulation.simulator import Simulator, simulator_of
from mondegreen.language.simulation.units import words_of
from mondegreen.language.sounds.pronunciations import LONGEST
from mondegreen.operators.amounts import Amount, Chance
from mondegreen.operators.pieces import Pieces
from mondegreen.operators.protocol import Operator
from mondegreen.text.verbatim import verbatim_spans
from mondegreen.text.words import word_of
from mondegreen.types import Edit, Utterance

_MOST = 0.95  # the highest rate of the words that are left, if most are numbers and codes
_READ = 20_000  # utterances of the data that are read to learn a level
_LEARNT = 4_000  # of these, how many are used
_SECANTS = 6
_NEAR_ENOUGH = 0.005  # of the errors that are wanted
_FLATTEST = 0.2  # the least change of the errors' logarithm with the level


class _Hearable(NamedTuple):
    """The words of an utterance, empty where no error may be, and the number of all words."""

    words: tuple[str, ...]
    size: int


@dataclass(frozen=True)
class Recogniser(Operator):
    """Mishear an utterance as a speech recogniser does, at a given word error rate.

    Words are lost, added, exchanged, joined and split, as often and where the recogniser of the
    profile does so, in the language of the profile; Mandarin is heard by characters. A slot keeps
    its edges, and no error crosses them.

    Args:
        profile: a built-in profile (``slurp``, people's commands to a home assistant;
            ``moonshine``, synthetic voices; ``google`` and ``amazon``, earnings calls), or a file
            written by ``mondegreen fit recogniser``; empty for ``slurp``.
        wer: the expected word error rate. A higher one contains all errors of a lower one.
        level: what to add to the log odds of all errors. It is learnt from the data and the seed,
            so that the data as a whole has the rate, and difficult utterances have more errors
            than easy ones; without it, each utterance has the expected rate.
    """

    name: ClassVar[str] = "recogniser"
    version: ClassVar[int] = 7
    learnt: ClassVar[str] = "level"
    english: ClassVar[bool] = True
    default: ClassVar[Amount] = Chance(1.0)
    example: ClassVar[str] = "what is the weather forecast for the week"

    profile: str = ""
    wer: float = 0.15
    level: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.wer < 1:
            raise OperatorError(f"recogniser: wer must be above 0 and below 1, got {self.wer}")
        if self.profile:
            read_recogniser(self.profile)

    @property
    def languages(self) -> frozenset[str]:
        """The code of the language of the profile."""
        return frozenset((read_recogniser(self.profile).language if self.profile else ENGLISH,))

    @cached_property
    def _by_pieces(self) -> bool:
        """Whether tokens are heard character by character."""
        return not all(language(code).spaced for code in self.languages)

    def resources(self) -> Sequence[Path]:
        """Return the path of the profile."""
        return (Path(self.profile),) if self.profile and self.profile not in BUILT_IN else ()

    def learning_from(self, data: Iterable[Utterance], seed: int) -> Recogniser:
        """Return the operator with the level at which the data has the error rate."""
        return self._for_data(list(islice(data, _READ)), seed)

    def for_texts(self, texts: Iterable[str], seed: int | None = None) -> Recogniser:
        """Return the operator with the level at which texts as a whole have the error rate.

        Args:
            texts: the texts; the level of many is learnt from a part of them.
            seed: the seed with which they will be perturbed. By chance, a few hundred texts have
                more or fewer errors than expected; with the seed, they have the rate itself.
        """
        return self._for_data([Utterance.of("", text) for text in texts], seed)

    def _for_data(self, utterances: Sequence[Utterance], seed: int | None) -> Recogniser:
        if self.level is not None:
            return self
        heard = [self._heard(one.tokens) for one in utterances]
        refs = [words for one in heard if (words := tuple(" ".join(one.words).split()))]
        if not refs:
            return self
        self._simulator.ear.prepare({word for ref in refs for word in ref})
        more = sum(one.size for one in heard) / sum(map(len, refs))
        level = self._simulator.level(refs[:: 1 + len(refs) // _LEARNT], self.wer * more)
        if seed is not None and len(utterances) <= _LEARNT:
            level = self._exact_level(level, utterances, heard, seed)
        return replace(self, level=round(level, 3))

    def _exact_level(
        self, level: float, utterances: Sequence[Utterance], heard: Sequence[_Hearable], seed: int
    ) -> float:
        """Return the level at which the draws of a seed have the error rate, by secants."""
        prefix = prefix_of(seed, self.name)
        drawn = [
            (one.words, key_of(prefix, utterance), self._limits(utterance))
            for utterance, one in zip(utterances, heard, strict=True)
        ]
        goal = self.wer * sum(one.size for one in heard)
        found: list[tuple[float, float]] = []
        slope = 1 - self.wer  # how the logarithm of the errors changes with the level
        for _ in range(_SECANTS):
            wrong = sum(self._wrong(*one, level) for one in drawn)
            miss = math.log(goal / max(1, wrong)) or math.log(2)  # one error is wanted, none made
            found = [*found, (level, miss)]
            if abs(goal - wrong) < max(1, _NEAR_ENOUGH * goal):
                break
            if len(found) > 1:
                (first, before), (second, after) = found[-2:]
                slope = min(1.0, max(_FLATTEST, (before - after) / (second - first)))
            level += miss / slope
        return min(found, key=lambda one: abs(one[1]))[0]

    def _wrong(self, words: tuple[str, ...], key: int, limits: DraftLimits, level: float) -> int:
        """Return how many words are in error, as the word error rate counts them."""
        made = self._simulator.hypothesis(words, key, self.wer, level, limits)
        return Levenshtein.distance(" ".join(words).split(), " ".join(made).split())

    @cached_property
    def _keeps_codes(self) -> bool:
        return False

    def keeping_codes(self) -> Recogniser:
        """Return the operator that makes the errors of numbers and codes in other words."""
        found = replace(self)
        found.__dict__["_keeps_codes"] = True
        return found

    def _heard(self, tokens: tuple[str, ...]) -> _Hearable:
        """Return the words in which errors may be, and how many there are in all."""
        spans = verbatim_spans(tokens) if self._keeps_codes else ()
        if self._by_pieces:
            tokens, starts = Pieces.of(tokens)
            spans = [(starts[start], starts[end]) for start, end in spans]
        words = [_core(token) if len(token) <= LONGEST else "" for token in tokens]
        size = sum(len(word.split()) for word in words)
        for start, end in spans:
            words[start:end] = [""] * (end - start)
        return _Hearable(tuple(words), size)

    @cached_property
    def _simulator(self) -> Simulator:
        return simulator_of(self.profile)

    @cached_property
    def _last(self) -> list[tuple[int, Utterance, dict[int, tuple[Edit, ...]]]]:
        """The errors of the utterance that was asked about last, in a list of one."""
        return []

    def sites(self, utterance: Utterance) -> range:
        """Return a site for each gap and each token: gap, token, gap, …, gap."""
        return range(2 * len(utterance.tokens) + 1)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Return the error at a gap or a token, if there is one at this error rate."""
        return self._edits(utterance, draw.key).get(site, ())

    def _edits(self, utterance: Utterance, key: int) -> dict[int, tuple[Edit, ...]]:
        for known, other, edits in self._last:
            if known == key and other is utterance:
                return edits
        words, size = self._heard(utterance.tokens)
        wer = self.wer * size / max(1, sum(len(word.split()) for word in words))
        limits = self._limits(utterance)
        errors = self._simulator.errors(words, key, min(wer, _MOST), limits, self.level)
        if self._by_pieces:
            made = list(Pieces.of(utterance.tokens).edits(errors, self.name))
        else:
            made = [_edit(utterance.tokens, error) for error in errors]
        edits = {_site(edit): (edit,) for edit in made}
        self._last[:] = [(key, utterance, edits)]
        return edits

    def _limits(self, utterance: Utterance) -> DraftLimits:
        if self._by_pieces:
            return Pieces.of(utterance.tokens).limits(utterance.slots)
        return DraftLimits(tuple((slot.start, slot.end) for slot in utterance.slots))


@lru_cache(maxsize=1 << 16)
def _core(token: str) -> str:
    return " ".join(words_of(token))


def _site(edit: Edit) -> int:
    """Return the site of an error among the gaps and tokens, including those without words."""
    return 2 * edit.start + (edit.start < edit.end)


def _edit(tokens: tuple[str, ...], error: Error) -> Edit:
    heard = error.heard
    if error.kept is not None:
        heard = (tokens[error.kept],)
    elif heard and error.start < error.end:
        word = word_of(tokens[error.start], 0)
        dressed = word.dressed(heard) if word is not None else heard
        if dressed != tokens[error.start : error.end]:  # "kids'" is heard as "kids"
            heard = dressed
    return Edit(error.start, error.end, heard, Recogniser.name, error.kind)
