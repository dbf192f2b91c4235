"""Fillers at a fixed position: at the start or end of an utterance, before or after its verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError, unknown
from mondegreen.language.disfluency.utterance_kinds import (
    CHAT,
    COMMAND,
    FRAGMENT,
    QUESTION,
    REQUEST,
    STATEMENT,
    WISH,
    kind_of_utterance,
    mentions_time,
    word_list,
    words_of,
)
from mondegreen.language.languages import ENGLISH, Language
from mondegreen.language.offers import require_offer
from mondegreen.language.vocabulary.inflection import lemma
from mondegreen.language.vocabulary.tagger import first_entity, form_of, tagger
from mondegreen.language.vocabulary.verbs import VerbPhrase, verb_phrase
from mondegreen.operators.amounts import Amount, Once
from mondegreen.operators.capitals import with_capital
from mondegreen.operators.fillers import checked_words
from mondegreen.operators.other_places import after_verb, closing, end_of, verb_end, without_verb
from mondegreen.operators.protocol import Operator
from mondegreen.operators.recent import recent
from mondegreen.text.words import MARKS, core_of
from mondegreen.types import Edit, Utterance

_PLEASE = ("please", "please and thank you", "if you please")
_TAGS = ("will you ?", "would you ?", "can you ?", "would you mind ?")
_URGENT = ("now", "now please", "right now", "right away", "right this minute")
_EOS_BY_KIND: dict[str, tuple[str, ...]] = {
    COMMAND: (*_PLEASE, "pretty please", "if you can", *_TAGS),
    REQUEST: ("please", "pretty please", "please and thank you"),
    WISH: ("please", "please and thank you", "if you please"),
    QUESTION: ("please",),
    FRAGMENT: _PLEASE,
    STATEMENT: (),
    CHAT: (),
}
_EOS_OTHERWISE = {
    COMMAND: ("okay",),
    REQUEST: ("okay",),
    WISH: ("okay",),
    FRAGMENT: ("okay",),
    QUESTION: ("then",),
    CHAT: ("then",),
}
"""By the kind of utterance, where it is polite already or nothing in the paper's list fits."""
_NEVER_BEFORE_VERBS = frozenset(("ADP", "DET", "ADJ", "NUM"))
_BEFORE_NAMES = frozenset(("ADP", "DET"))
_BEFORE_NOUNS = frozenset(("ADP", "DET", "ADJ", "NUM", "ADV"))
_NO_PLACE_AFTER = frozenset(("please", "to", "not", "don't", "dont", "kindly", "never"))
_SLIDES = frozenset(("already", "also", "still", "just", "only", "always"))
_QUESTION_WORDS = word_list("question_words")
_AMOUNTS = word_list("amounts")
_TAKE_LIKE = word_list("take_like")
_POLITE = frozenset(("please", "thanks", "thank", "kindly", "pls"))
_NEGATIONS = frozenset(("don't", "dont", "not", "never"))
_AT_ONCE = word_list("at_once")
"""What can be done at once; a time with other verbs, such as "book", would be a slot."""
_BE = word_list("be")
_SHORT_BE = word_list("short_be")
_HEARD_WITH_YOU = word_list("heard_with_you")
_CLAUSES = frozenset(("that", "if", "whether", "i", "we", "it", "someone"))
_ADVERBS = word_list("adverbs_after")
_BEGINNINGS = _QUESTION_WORDS | word_list("owners")
_OBJECTS = frozenset(("DET", "NOUN", "PROPN", "NUM", "ADJ", "PRON"))
_HELPED = frozenset(("me", "us", "him", "her", "them"))
_GOING = frozenset(("go", "going", "look", "looking"))
_FINITE = _BE | word_list("finite")
_VERB_WITHIN = 5  # words, in which the verb of a request is found
FITTING, UNIFORM = CHOICES = ("fitting", "uniform")
_WITHOUT_VERB = "like"  # the filler to use before a name if there is no verb


@lru_cache(maxsize=1024)
def _split(fillers: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Return the tokens of each filler, and all of them."""
    split = tuple(tuple(filler.split()) for filler in fillers)
    return split, frozenset(token for filler in split for token in filler)


@dataclass(frozen=True)
class PlaceFillers(Operator):
    """Base class: inserts one filler from a list at one position.

    A filler that repeats a neighbouring word ("please please") is avoided if there are others,
    unless the choice is ``uniform``.
    """

    default: ClassVar[Amount] = Once()
    example: ClassVar[str] = "add this tune to my running playlist"
    known: ClassVar[tuple[str, ...]]
    """The fillers of the NATURE paper: all that it lists."""

    words: tuple[str, ...] | None = None
    choice: str = FITTING

    def __post_init__(self) -> None:
        checked_words(self.name, self.words)
        if self.choice not in CHOICES:
            raise OperatorError(f"{self.name}: {unknown('choice', self.choice, CHOICES)}")
        _ = self.tongue  # so that a language without such a place is an error at once

    def place(self, utterance: Utterance) -> int:
        """Return the position of the filler: before the token with this index."""
        raise NotImplementedError

    def sites(self, utterance: Utterance) -> range:
        """Return the one position of the filler."""
        place = self.place(utterance)
        return range(place, place + 1)

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:  # noqa: ARG002 (not here)
        """Return the fillers of the built-in list that fit the utterance; empty if none does."""
        return self.known

    def fallback(self, utterance: Utterance) -> tuple[str, ...]:  # noqa: ARG002 (not needed here)
        """Return what to insert if no filler of the list fits."""
        return self.known

    @cached_property
    def tongue(self) -> Language | None:
        """The language, if it is another than English."""
        code = str(getattr(self, "language", ENGLISH))
        return None if code == ENGLISH else require_offer(self.name, code)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler that fits; a list of the user is used as it is."""
        if self.choice == UNIFORM and self.tongue is None:
            drawn = draw.choice(_split(self.words or self.known)[0])
            return (Edit(site, site, drawn, self.name, "filler"),)
        listed = self.words or self.fitting(utterance, site) or self.fallback(utterance)
        fillers, tokens = _split(listed)
        neighbours = [token.lower() for token in utterance.tokens[max(0, site - 1) : site + 1]]
        if not tokens.isdisjoint(neighbours):
            others = tuple(filler for filler in fillers if set(neighbours).isdisjoint(filler))
            fillers = others or fillers
        return (Edit(site, site, draw.choice(fillers), self.name, "filler"),)


@dataclass(frozen=True)
class BosFillers(PlaceFillers):
    """Begin an utterance with a filler: "add this tune" becomes "okay so add this tune".

    Args:
        words: the fillers to draw from; by default those of the NATURE paper.
        choice: ``fitting`` for fillers that suit the utterance, ``uniform`` to draw from the whole
            list, whatever the utterance is, as NATURE does.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "fillers.bos"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 2
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

    language: str = ENGLISH

    def place(self, utterance: Utterance) -> int:  # noqa: ARG002 (the same for all utterances)
        """Return the position before the first token."""
        return 0

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers of the language."""
        if self.tongue is not None:
            return self.tongue.places.opening
        return super().fitting(utterance, site)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler; it takes over the capital of the first word of a sentence."""
        (edit,) = super().propose(utterance, site, draw)
        return with_capital(utterance, edit, self.language)


@dataclass(frozen=True)
class EosFillers(PlaceFillers):
    """End an utterance with a filler: "add this tune" becomes "add this tune if you can".

    Which fillers fit depends on the kind of utterance. A question gets no tag such as "would
    you?", and nothing is urgent if the utterance speaks of a time. If the last token is a
    punctuation mark, the filler goes before it and drops its own "?".

    Args:
        words: the fillers to draw from; by default those of the NATURE paper.
        choice: ``fitting`` for fillers that suit the utterance, ``uniform`` to draw from the whole
            list, whatever the utterance is, as NATURE does.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "fillers.eos"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 2
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

    language: str = ENGLISH

    def place(self, utterance: Utterance) -> int:
        """Return the position before the final punctuation, or after the slot that contains it."""
        if self.tongue is not None:
            return end_of(utterance)
        tokens = utterance.tokens
        place = len(tokens)
        while place > 1 and not form_of(tokens[place - 1]):
            place -= 1
        if place == len(tokens):
            return place
        return next((slot.end for slot in utterance.slots if slot.start < place < slot.end), place)

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers that fit the kind of utterance and what it says already."""
        if self.tongue is not None:
            return closing(utterance, site, self.tongue)
        kind = kind_of_utterance(utterance.tokens)
        words = words_of(utterance.tokens)
        urgent = (
            kind in (COMMAND, REQUEST)
            and any(map(_is_at_once, words[:_VERB_WITHIN]))
            and not mentions_time(utterance, words)
        )
        if kind == COMMAND and not _NEGATIONS.isdisjoint(words):
            kind = FRAGMENT
        return _eos_fillers(kind, urgent=urgent, polite=not _POLITE.isdisjoint(words))

    def fallback(self, utterance: Utterance) -> tuple[str, ...]:
        """Return what fits where no filler of the paper does, by the kind of utterance."""
        return _EOS_OTHERWISE.get(kind_of_utterance(utterance.tokens), ("you know",))

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler, punctuated as the utterance is."""
        (edit,) = super().propose(utterance, site, draw)
        tokens = utterance.tokens
        if site < len(tokens) and edit.tokens[-1] == "?" and len(edit.tokens) > 1:
            return (Edit(site, site, edit.tokens[:-1], self.name, "filler"),)
        if self.tongue is not None and not self.tongue.spaced:
            return (edit,)
        if site == len(tokens) > 0 and tokens[-1].endswith((".", "!", "?")) and len(tokens[-1]) > 1:
            return (Edit(site, site, _own_sentence(tokens, edit.tokens), self.name, "filler"),)
        return (edit,)


@lru_cache(maxsize=64)
def _eos_fillers(kind: str, *, urgent: bool, polite: bool) -> tuple[str, ...]:
    """Return the fillers for a kind of utterance; one that is polite already gets no "please"."""
    fitting = _EOS_BY_KIND[kind] + (_URGENT if urgent else ())
    return tuple(filler for filler in fitting if not polite or _POLITE.isdisjoint(filler.split()))


@lru_cache(maxsize=65_536)
def _is_at_once(word: str) -> bool:
    return lemma(word, "VERB") in _AT_ONCE


def _own_sentence(tokens: Sequence[str], filler: tuple[str, ...]) -> tuple[str, ...]:
    """Return a filler that follows a full stop: "play jazz." becomes "play jazz. please."."""
    text = " ".join(filler)
    text = text[:-2] + "?" if text.endswith(" ?") else text + "."
    return tuple((text[0].upper() + text[1:] if tokens[0][0].isupper() else text).split())


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
        A verb that cannot be one, after "of" or "the", gives the beginning of the utterance.
        """
        verb = self._verb(utterance)
        if verb is not None:
            place = self.beside(*verb)
            sentence_ended = place > 0 and utterance.tokens[place - 1].endswith((".", "!", "?"))
            return verb.start if sentence_ended else place
        if self._phrase(utterance) is not None:
            return 0
        short = self._short_be(utterance)
        if short is not None:
            return self.beside(short, short + 1)
        entity = first_entity(utterance, tagger(self.tagger)) or 0
        return entity if self.choice == UNIFORM else self._phrase_begin(utterance, entity)

    def _phrase_begin(self, utterance: Utterance, at: int) -> int:
        """Return where the phrase of a name or a noun begins: "to" of "to the airport"."""
        tokens, tags = utterance.tokens, tagger(self.tagger)(utterance.tokens)
        within = _BEFORE_NAMES if utterance.slots else _BEFORE_NOUNS
        while at and tokens[at - 1][-1] not in MARKS:
            if tags[at - 1] not in within and core_of(tokens[at - 1]) not in _BEGINNINGS:
                break
            at -= 1
        return at

    def _short_be(self, utterance: Utterance) -> int | None:
        """Return the position of a verb that is part of another word, such as "that's"."""
        inside = {at for slot in utterance.slots for at in range(slot.start, slot.end)}
        shorts = (at for at, token in enumerate(utterance.tokens) if core_of(token) in _SHORT_BE)
        return next((at for at in shorts if at not in inside), None)

    @recent
    def _phrase(self, utterance: Utterance) -> VerbPhrase | None:
        return verb_phrase(utterance.tokens, utterance.slots, self.tagger)

    def _verb(self, utterance: Utterance) -> VerbPhrase | None:
        """Return the verb phrase, unless the word before it shows an error of the tagger."""
        verb = self._phrase(utterance)
        if verb is None or self.choice == UNIFORM:
            return verb
        if core_of(utterance.tokens[verb.start]) == "thank":
            return None
        if verb.start == 0:
            return verb
        before = tagger(self.tagger)(utterance.tokens)[verb.start - 1]
        word = utterance.tokens[verb.start - 1].lower()
        if before in _NEVER_BEFORE_VERBS or word in _NO_PLACE_AFTER:
            return None
        return verb

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler; it is "like" if there is no verb."""
        alone = self.choice == UNIFORM or self._short_be(utterance) is None
        if alone and self._phrase(utterance) is None:
            edit = Edit(site, site, (_WITHOUT_VERB,), self.name, "filler")
        else:
            (edit,) = super().propose(utterance, site, draw)
        return with_capital(utterance, edit) if site == 0 else (edit,)


@dataclass(frozen=True)
class PreverbFillers(VerbFillers):
    """Insert a filler before the first verb: "add this tune" becomes "basically add this tune".

    Args:
        words: the fillers to draw from; by default those of the NATURE paper.
        choice: ``fitting`` for fillers that suit the utterance, ``uniform`` to draw from the whole
            list, whatever the utterance is, as NATURE does.
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
    """

    name: ClassVar[str] = "fillers.preverb"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 3
    known: ClassVar[tuple[str, ...]] = ("like", "basically", "actually")

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (not needed here)
        """Return the start of the verb phrase."""
        return start

    def place(self, utterance: Utterance) -> int:
        """Return the position before the verb and an adverb such as "already"."""
        place = super().place(utterance)
        slides = place > 1 and self.choice != UNIFORM
        return place - (slides and core_of(utterance.tokens[place - 1]) in _SLIDES)

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers that fit the word before the verb.

        "I like need" would be heard as a verb, and "what basically is" is hardly said.
        """
        if not site:
            please = utterance.tokens[:1] and utterance.tokens[0].lower() == "please"
            return ("like", "actually") if please else self.known
        if core_of(utterance.tokens[site - 1]) in _QUESTION_WORDS:
            return ("actually",)
        return ("basically", "actually")


@dataclass(frozen=True)
class PostverbFillers(VerbFillers):
    """Insert a filler after the first verb: "add this tune" becomes "add you know this tune".

    Args:
        words: the fillers to draw from; by default those of the NATURE paper.
        choice: ``fitting`` for fillers that suit the utterance, ``uniform`` to draw from the whole
            list, whatever the utterance is, as NATURE does.
        tagger: part-of-speech tagger: empty for the built-in one, or ``spacy:MODEL``.
        language: code of the language; see: mondegreen languages.
    """

    name: ClassVar[str] = "fillers.postverb"
    english: ClassVar[bool] = True
    version: ClassVar[int] = 3
    known: ClassVar[tuple[str, ...]] = ("basically", "actually", "like", "you know")

    language: str = ENGLISH

    def place(self, utterance: Utterance) -> int:
        """Return the position after the verb; in other languages, also after its pronouns."""
        if self.tongue is None:
            place = super().place(utterance)
            return place if self.choice == UNIFORM else self._at_boundary(utterance, place)
        verb = verb_end(utterance, self.tongue)
        return without_verb(utterance) if verb is None else verb

    def _at_boundary(self, utterance: Utterance, place: int) -> int:
        """Return a place after "there" of "is there", "ahead" of "go ahead", "to" of "want to"."""
        tokens, last = utterance.tokens, len(utterance.tokens) - 1
        if not 0 < place <= last:
            return place
        before, word = core_of(tokens[place - 1]), core_of(tokens[place])
        tags = tagger(self.tagger)(tokens)
        if place == 1 and tags[0] == "AUX" and before not in _BE and tags[1] == "PRON":
            return 0  # "would you": no verb was found
        there = word == "there" and before in _BE and place < last
        adverb = tags[place] != "ADP" or before in _GOING or place == last
        particle = word in _ADVERBS and adverb and tags[place - 1] in ("VERB", "AUX")
        stranded = place == last and tags[place] == "ADP" and tokens[place][-1] not in MARKS
        infinitive = word == "to" and place < last and tags[place + 1] in ("VERB", "AUX")
        moves = there or particle or stranded or infinitive
        inside = any(slot.start < place + moves < slot.end for slot in utterance.slots)
        return place + (moves and not inside)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler."""
        if self.tongue is None:
            return super().propose(utterance, site, draw)
        return PlaceFillers.propose(self, utterance, site, draw)

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (not needed here)
        """Return the end of the verb phrase."""
        return end

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers that fit the words around the place.

        "Basically" needs something like "all" after it, "like" a verb that does not take it.
        """
        if self.tongue is not None:
            return after_verb(utterance, site, self.tongue)
        tokens = utterance.tokens
        if site == 0:
            return ("like", "actually")
        if site == len(tokens):
            return ("actually", "you know")
        before, after = core_of(tokens[site - 1]), core_of(tokens[site])
        verb = tagger(self.tagger)(tokens)[site] == "VERB" and before not in _HELPED
        if before == "to" or after in _FINITE or verb:
            return ("basically", "actually") + ("like",) * (before == "to")
        if before == "there" or before in _BE | _SHORT_BE:
            inverted = site == 1 and before in _BE and after not in _AMOUNTS
            if inverted:
                return ("like",)
            return ("basically",) if after in _AMOUNTS else ("basically", "actually")
        is_object = tagger(self.tagger)(tokens)[site] in _OBJECTS
        return _beside_object(before, after, is_object=is_object)


@lru_cache(maxsize=16_384)
def _beside_object(before: str, after: str, *, is_object: bool) -> tuple[str, ...]:
    """Return the fillers that fit between a verb and what follows it.

    "I need you know a card" would be heard as "need you".
    """
    if after in _CLAUSES:
        return ("basically",)
    you_know = before not in _HEARD_WITH_YOU and not is_object
    fitting: tuple[str, ...] = ("you know",) if you_know else ()
    if after in _AMOUNTS:
        fitting += ("basically",)
    if before not in _TAKE_LIKE and before != _WITHOUT_VERB:
        fitting += ("like",)
    return fitting or ("basically",)
