"""Filled pauses: "play jazz" becomes "play uh jazz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.boundaries import may_end_word
from mondegreen.language.disfluency.fillers import filler_list
from mondegreen.language.languages import language as language_of
from mondegreen.operators.amounts import Amount, Rate
from mondegreen.operators.capitals import loses_capital
from mondegreen.operators.options import Choice, Plan, Swap
from mondegreen.operators.protocol import Operator
from mondegreen.text.segment import has_unspaced
from mondegreen.text.words import core_of, is_any_mark, is_mark
from mondegreen.types import Edit, Utterance

_SENTENCE_ENDS = (".", "!", "?", "…", '."', '!"', '?"', ".”", "!”", "?”")


def checked_words(name: str, words: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the user's fillers; empty if they were left out.

    Raises:
        OperatorError: if they are no list, an empty list, or have an empty filler.
    """
    if words is None:
        return ()
    if isinstance(words, str):
        raise OperatorError(f"{name}: words must be a list, such as [{words}]")
    if not words:
        raise OperatorError(f"{name}: words has no filler; leave it out for the built-in fillers")
    if not all(word.strip() for word in words):
        raise OperatorError(f"{name}: a filler is empty; give words=[um, uh]")
    return words


@dataclass(frozen=True)
class Fillers(Operator):
    """Insert a filled pause between words: "play jazz" becomes "play uh jazz".

    An utterance of one word gets the filler before or after it. In a script without spaces, fillers
    go where a word may end: beside punctuation and function words. Nobody pauses before the words
    that the language lists as clinging or unstressed: "erinnere mich", "दिल्ली से".

    Args:
        words: the fillers to draw from; by default those of the language.
        language: code of the language whose fillers are used (en, de, zh, …).
        ambiguous: also use fillers that are words of the language, such as German "um".
        punctuate: adjust punctuation and case: "Yes. The tower" becomes "Yes. Uh, the tower".
    """

    name: ClassVar[str] = "fillers"
    version: ClassVar[int] = 2
    default: ClassVar[Amount] = Rate(0.2)
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    words: tuple[str, ...] | None = None
    language: str = "en"
    ambiguous: bool = False
    punctuate: bool = False

    def __post_init__(self) -> None:
        known = filler_list(self.language)
        for word in checked_words(self.name, self.words):
            meaning = known.ambiguous.get(word.lower())
            if meaning is not None and not self.ambiguous:
                raise OperatorError(
                    f"fillers: {word!r} is also a word in {known.language} ({meaning}), so it may "
                    "not be heard as a pause; set ambiguous=True to use it anyway"
                )

    @cached_property
    def _fillers(self) -> tuple[Swap, ...]:
        known = filler_list(self.language)
        words = self.words or known.fillers + (tuple(known.ambiguous) if self.ambiguous else ())
        return tuple(Swap("filler", tuple(word.split())) for word in words)

    @property
    def languages(self) -> frozenset[str] | None:
        """The language of the fillers; any language if the user gives them."""
        return None if self.words else frozenset((self.language,))

    @cached_property
    def _spaced(self) -> bool:
        """Whether the language sets spaces between words, and the user's fillers do not deny it."""
        return filler_list(self.language).spaced and not has_unspaced(self.words or ())

    @cached_property
    def _unpaused(self) -> frozenset[str]:
        """The words of the language before which nobody pauses."""
        tongue = language_of(self.language)
        return tongue.unpaused if tongue.spaced else frozenset()

    def plan(self) -> Plan | None:
        """Insert any filler between any two words.

        ``None`` if punctuation must be adjusted, or if not every place between words will do.
        """
        if self.punctuate or not self._spaced or self._unpaused:
            return None
        return Plan(inserts=True, options=lambda _: Choice(self._fillers))

    def sites(self, utterance: Utterance) -> range:
        """Return the positions between words; a single site for one word, or for no words."""
        n = len(utterance.tokens)
        if n > 1 and not self._spaced and has_unspaced((utterance.text,)):
            return range(n)  # before the first word, too: there may be no other boundary
        if self._unpaused and all(core_of(one) in self._unpaused for one in utterance.tokens[1:]):
            return range(1)
        return range(1, n) if n > 1 else range(1)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler; between written characters only where a word may end."""
        tokens = utterance.tokens
        mark = is_mark if self._spaced else is_any_mark
        if 0 < site < len(tokens) and mark(tokens[site]):
            return ()
        inside = not self._spaced and 0 < site < len(tokens)
        if inside and not may_end_word(tokens[site - 1], tokens[site], self.language):
            return ()
        if 0 < site < len(tokens) and core_of(tokens[site]) in self._unpaused:
            return ()
        filler = draw.choice(self._fillers).tokens
        if len(utterance.tokens) == 1:
            site = draw.below(2)
        if self.punctuate:
            return self._punctuated(utterance.tokens, site, filler)
        return (Edit(site, site, filler, "fillers", "filler"),)

    def _punctuated(
        self, tokens: tuple[str, ...], site: int, filler: tuple[str, ...]
    ) -> Sequence[Edit]:
        """Return the edits for a filler with its comma, and for the case of the next word."""
        starts_sentence = site == 0 or tokens[site - 1].endswith(_SENTENCE_ENDS)
        following = tokens[site] if site < len(tokens) else ""
        capital = starts_sentence and (following or "".join(tokens))[:1].isupper()
        mark = "," if following else "." if starts_sentence and tokens else ""
        text = " ".join(filler) + mark
        if capital:
            text = text[0].upper() + text[1:]
        edits = [Edit(site, site, tuple(text.split()), "fillers", "filler")]
        if following and capital and self.language == "en" and loses_capital(tokens[site:][:2]):
            edits.append(Edit(site, site + 1, (following.lower(),), "fillers", "case"))
        return edits
