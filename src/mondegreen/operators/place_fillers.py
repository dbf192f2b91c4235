"""Fillers at a fixed position: at the start or end of an utterance, before or after its verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.language.tagger import first_entity, form_of, tagger
from mondegreen.language.verbs import verb_phrase
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.protocol import Operator
from mondegreen.types import Edit, Utterance

_WITHOUT_VERB = "like"  # the filler to use before a name if there is no verb


@dataclass(frozen=True)
class PlaceFillers(Operator):
    """Base class: inserts one filler from a list at one position.

    A filler that repeats a neighbouring word ("please please") is avoided if there are others.
    """

    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "add this tune to my running playlist"
    known: ClassVar[tuple[str, ...]]
    """The fillers of the NATURE paper, used by default."""

    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.words, str):
            raise OperatorError(f"{self.name}: words must be a list, such as [{self.words}]")
        if not all(word.strip() for word in self.words):
            raise OperatorError(f"{self.name}: a filler is empty; give words=[so, well]")

    @cached_property
    def _fillers(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(filler.split()) for filler in self.words or self.known)

    def place(self, utterance: Utterance) -> int:
        """Return the position of the filler: before the token with this index."""
        raise NotImplementedError

    def sites(self, utterance: Utterance) -> range:
        """Return the one position of the filler."""
        place = self.place(utterance)
        return range(place, place + 1)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler."""
        neighbours = {token.lower() for token in utterance.tokens[max(0, site - 1) : site + 1]}
        others = [filler for filler in self._fillers if neighbours.isdisjoint(filler)]
        filler = draw.choice(others or self._fillers)
        return (Edit(site, site, filler, self.name, "filler"),)


@dataclass(frozen=True)
class BosFillers(PlaceFillers):
    """Begin an utterance with a filler: "add this tune" becomes "okay so add this tune".

    Args:
        words: the fillers to draw from; empty for those of the NATURE paper.
    """

    name: ClassVar[str] = "fillers.bos"
    known: ClassVar[tuple[str, ...]] = (
        "so",
        "like",
        "actually",
        "okay so",
        "so okay",
        "so basically",
        "now",
        "well",
    )

    def place(self, utterance: Utterance) -> int:  # noqa: ARG002 (the same for all utterances)
        """Return the position before the first token."""
        return 0


@dataclass(frozen=True)
class EosFillers(PlaceFillers):
    """End an utterance with a filler: "add this tune" becomes "add this tune if you can".

    If the last token is a punctuation mark, the filler goes before it and drops its own "?".

    Args:
        words: the fillers to draw from; empty for those of the NATURE paper.
    """

    name: ClassVar[str] = "fillers.eos"
    known: ClassVar[tuple[str, ...]] = (
        "if you please",
        "please",
        "pretty please",
        "please and thank you",
        "now please",
        "if you can",
        "now",
        "right now",
        "right away",
        "right this minute",
        "will you ?",
        "would you ?",
        "can you ?",
        "would you mind ?",
    )

    def place(self, utterance: Utterance) -> int:
        """Return the position before the final punctuation, or after the slot that contains it."""
        tokens = utterance.tokens
        place = len(tokens)
        while place > 1 and not form_of(tokens[place - 1]):
            place -= 1
        return next((slot.end for slot in utterance.slots if slot.start < place < slot.end), place)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler, without its question mark if the utterance ends in punctuation."""
        (edit,) = super().propose(utterance, site, draw)
        if site < len(utterance.tokens) and edit.tokens[-1] == "?" and len(edit.tokens) > 1:
            return (Edit(site, site, edit.tokens[:-1], self.name, "filler"),)
        return (edit,)


@dataclass(frozen=True)
class VerbFillers(PlaceFillers):
    """Base class: inserts a filler beside the first verb; without a verb, "like" before a name."""

    tagger: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        tagger(self.tagger)

    def beside(self, start: int, end: int) -> int:
        """Return the start or the end of the verb phrase, whichever the filler goes to."""
        raise NotImplementedError

    def place(self, utterance: Utterance) -> int:
        """Return the position beside the first verb phrase outside slots.

        Without such a verb phrase, it is the position before the first slot, name, number or noun.
        """
        verb = verb_phrase(utterance.tokens, utterance.slots, self.tagger)
        if verb is not None:
            return self.beside(*verb)
        return first_entity(utterance, tagger(self.tagger)) or 0

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler; it is "like" if there is no verb."""
        if verb_phrase(utterance.tokens, utterance.slots, self.tagger) is None:
            return (Edit(site, site, (_WITHOUT_VERB,), self.name, "filler"),)
        return super().propose(utterance, site, draw)


@dataclass(frozen=True)
class PreverbFillers(VerbFillers):
    """Insert a filler before the first verb: "add this tune" becomes "basically add this tune".

    Args:
        words: the fillers to draw from; empty for those of the NATURE paper.
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
    """

    name: ClassVar[str] = "fillers.preverb"
    known: ClassVar[tuple[str, ...]] = ("like", "basically", "actually")

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (not needed here)
        """Return the start of the verb phrase."""
        return start


@dataclass(frozen=True)
class PostverbFillers(VerbFillers):
    """Insert a filler after the first verb: "add this tune" becomes "add you know this tune".

    Args:
        words: the fillers to draw from; empty for those of the NATURE paper.
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
    """

    name: ClassVar[str] = "fillers.postverb"
    known: ClassVar[tuple[str, ...]] = ("basically", "actually", "like", "you know")

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (not needed here)
        """Return the end of the verb phrase."""
        return end
