"""Fillers that have their place: at either end of an utterance, and on either side of its verb."""

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

_ANYWHERE = "like"  # the filler that fits before a name where there is no verb


@dataclass(frozen=True)
class PlaceFillers(Operator):
    """What the four have in common: one place, and a list to draw from.

    A filler that repeats a word beside it ("please please") is passed over while there are others.
    """

    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "add this tune to my running playlist"
    known: ClassVar[tuple[str, ...]]
    """The fillers of the paper."""

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
        """Return before which token the filler goes."""
        raise NotImplementedError

    def sites(self, utterance: Utterance) -> range:
        """The one place."""
        place = self.place(utterance)
        return range(place, place + 1)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Put one filler in."""
        beside = {token.lower() for token in utterance.tokens[max(0, site - 1) : site + 1]}
        fresh = [filler for filler in self._fillers if beside.isdisjoint(filler)]
        filler = draw.choice(fresh or self._fillers)
        return (Edit(site, site, filler, self.name, "filler"),)


@dataclass(frozen=True)
class BosFillers(PlaceFillers):
    """Open an utterance with a filler: "okay so add this tune".

    Args:
        words: the fillers to draw from; empty for the paper's.
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

    def place(self, utterance: Utterance) -> int:  # noqa: ARG002 (the same for all)
        """Before the first token."""
        return 0


@dataclass(frozen=True)
class EosFillers(PlaceFillers):
    """Close an utterance with a filler: "add this tune if you can".

    Before a final mark that is a token of its own, and then without a second question mark.

    Args:
        words: the fillers to draw from; empty for the paper's.
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
        """Before the marks at the end, but within no slot."""
        tokens = utterance.tokens
        place = len(tokens)
        while place > 1 and not form_of(tokens[place - 1]):
            place -= 1
        return next((slot.end for slot in utterance.slots if slot.start < place < slot.end), place)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Put one filler in; its question mark gives way to the mark that is there."""
        (edit,) = super().propose(utterance, site, draw)
        if site < len(utterance.tokens) and edit.tokens[-1] == "?" and len(edit.tokens) > 1:
            return (Edit(site, site, edit.tokens[:-1], self.name, "filler"),)
        return (edit,)


@dataclass(frozen=True)
class VerbFillers(PlaceFillers):
    """Where there is a verb, beside the first one; elsewhere "like" before the first name."""

    tagger: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        tagger(self.tagger)

    def beside(self, start: int, end: int) -> int:
        """Return which end of the verb phrase the filler goes to."""
        raise NotImplementedError

    def place(self, utterance: Utterance) -> int:
        """Before or after the first verb phrase outside slots, else before the first name."""
        verb = verb_phrase(utterance.tokens, utterance.slots, self.tagger)
        if verb is not None:
            return self.beside(*verb)
        return first_entity(utterance, tagger(self.tagger)) or 0

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Put one filler in: "like" where there is no verb."""
        if verb_phrase(utterance.tokens, utterance.slots, self.tagger) is None:
            return (Edit(site, site, (_ANYWHERE,), self.name, "filler"),)
        return super().propose(utterance, site, draw)


@dataclass(frozen=True)
class PreverbFillers(VerbFillers):
    """Put a filler before the first verb: "can you basically add this tune".

    Args:
        words: the fillers to draw from; empty for the paper's.
        tagger: who tells verbs; empty for our own, or ``spacy:MODEL``.
    """

    name: ClassVar[str] = "fillers.preverb"
    known: ClassVar[tuple[str, ...]] = ("like", "basically", "actually")

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (its other end)
        """Before it."""
        return start


@dataclass(frozen=True)
class PostverbFillers(VerbFillers):
    """Put a filler after the first verb: "add you know this tune".

    Args:
        words: the fillers to draw from; empty for the paper's.
        tagger: who tells verbs; empty for our own, or ``spacy:MODEL``.
    """

    name: ClassVar[str] = "fillers.postverb"
    known: ClassVar[tuple[str, ...]] = ("basically", "actually", "like", "you know")

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (its other end)
        """After it."""
        return end
