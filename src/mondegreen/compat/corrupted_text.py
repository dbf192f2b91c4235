"""corrupted-text's ``TextCorruptor``: fitted to a list of texts, corrupts another list.

>>> texts = ["remind me to call the restaurant about the reservation"]
>>> corruptor = TextCorruptor(base_dataset=texts, cache_dir=None)
>>> corruptor.corrupt(["remind me to call the restaurant"], severity=0.5, seed=1)
['prompt me fo call the restauaant']
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from mondegreen.errors import OperatorError
from mondegreen.language.vocabulary.common import SIZE, CommonWords
from mondegreen.operators.amounts import Amount, Once, Severity
from mondegreen.operators.autocomplete import Autocomplete
from mondegreen.operators.autocorrect import Autocorrect
from mondegreen.operators.options import Option, Others
from mondegreen.operators.synonym import NaiveSynonym
from mondegreen.operators.typing_errors import Typing
from mondegreen.operators.typo import Typo
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.text.words import word_of
from mondegreen.types import Utterance

DEFAULT_CACHE_DIR = "./.text_corruption_cache/"


@dataclass(frozen=True)
class CorruptionWeights:
    """How often each kind of corruption is applied, in proportion to the others."""

    typo_weight: float = 0.05
    autocomplete_weight: float = 0.30
    autocorrect_weight: float = 0.30
    synonym_weight: float = 0.35


class TextCorruptor:
    """Corrupts texts by typos, bad autocorrection, bad autocompletion and bad synonyms.

    Args:
        base_dataset: texts from which the most common words are taken.
        cache_dir: a folder that keeps the common words, so that the same texts are not counted
            again; ``None`` for no folder.
        dictionary_size: how many common words.
        clear_cache: count the words again, even if they are in the folder.
        thesaurus: synonyms by word, instead of those of WordNet; ours, not in corrupted-text.
    """

    def __init__(
        self,
        base_dataset: Iterable[str],
        cache_dir: str | Path | None = DEFAULT_CACHE_DIR,
        dictionary_size: int = SIZE,
        clear_cache: bool = False,  # noqa: FBT001, FBT002 (as in corrupted-text)
        thesaurus: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        texts = list(base_dataset)
        self.cache_dir = None if cache_dir is None else Path(cache_dir)
        self._common = self._fitted(texts, dictionary_size, clear=clear_cache)
        self.common_words: list[str] = sorted(self._common.words)
        self.thesaurus = self.load_bad_translations() if thesaurus is None else thesaurus

    def _fitted(self, texts: Sequence[str], size: int, *, clear: bool) -> CommonWords:
        if self.cache_dir is None:
            return CommonWords.fit(texts, size)
        digest = hashlib.sha256(repr((texts, size)).encode()).hexdigest()[:16]
        path = self.cache_dir / f"common-words-{digest}.txt"
        if path.exists() and not clear:
            return CommonWords.load(path)
        found = CommonWords.fit(texts, size)
        self.cache_dir.mkdir(parents=True, exist_ok=True)
        found.save(path, force=True)
        return found

    def load_bad_translations(self) -> Mapping[str, Sequence[str]] | None:
        """Return synonyms by word, ``None`` for WordNet's; override it for other languages."""
        return None

    def corrupt(
        self,
        texts: Iterable[str],
        severity: float,
        seed: int,
        weights: CorruptionWeights | None = None,
        force_recalculate: bool = False,  # noqa: ARG002, FBT001, FBT002 (nothing was kept)
    ) -> list[str]:
        """Return the texts with about ``severity`` of their words corrupted.

        The same text and seed give the same corruptions in any list, and a higher severity makes
        all corruptions of a lower one.

        Raises:
            OperatorError: if the severity is not between 0 and 1.
        """
        if not 0 <= severity <= 1:
            raise OperatorError(f"Severity must be between 0 and 1, got {severity}")
        listed = list(texts)
        if severity == 0:
            return listed
        engine = self._engine(weights or CorruptionWeights(), severity, seed)
        data = (Utterance.of(str(n), text) for n, text in enumerate(listed, start=1))
        return [variant.utterance.text for variant in engine.variants(data)]

    def _engine(self, weights: CorruptionWeights, severity: float, seed: int) -> Engine:
        listed = None
        if self.thesaurus is not None:
            listed = tuple((word, tuple(own)) for word, own in sorted(self.thesaurus.items()))
        operator = _Corruptions(
            typo=weights.typo_weight,
            autocorrect=weights.autocorrect_weight,
            autocomplete=weights.autocomplete_weight,
            synonym=weights.synonym_weight,
            words=self._common.words,
            thesaurus=listed,
        )
        amount = Severity(severity)
        everything = Protection(codes=False)
        return Engine(Recipe((operator,), seed=seed, amount=amount, protection=everything))


@dataclass(frozen=True)
class _Corruptions(Typing):
    """The typing errors, with common words and synonyms that are in memory."""

    words: tuple[str, ...] = ()
    thesaurus: tuple[tuple[str, tuple[str, ...]], ...] | None = None

    @cached_property
    def _parts(self) -> list[Callable[[str], Option | None]]:
        common = CommonWords(self.words)
        correct, complete = Autocorrect(), Autocomplete()
        correct.__dict__["_common"] = complete.__dict__["_common"] = common
        complete.__dict__["_fallback"] = correct
        synonym = NaiveSynonym() if self.thesaurus is None else _OwnSynonym(self.thesaurus)
        return [part.options for part in (Typo(), correct, complete, synonym)]


@dataclass(frozen=True)
class _OwnSynonym(NaiveSynonym):
    """Naive synonyms from the user's thesaurus."""

    default: ClassVar[Amount] = Once()

    thesaurus: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @cached_property
    def _by_word(self) -> dict[str, tuple[str, ...]]:
        return dict(self.thesaurus)

    def options(self, token: str) -> Option | None:
        """Return the user's synonyms of the token, or a typo if it has none."""
        word = word_of(token)
        found = () if word is None else self._by_word.get(word.core.lower(), ())
        others = tuple(other for other in found if word is None or other != word.core.lower())
        if word is None or not others:
            return self._fallback.options(token)
        return Others("synonym", word, others)
