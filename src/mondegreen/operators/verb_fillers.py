"""Fillers beside the first verb of an utterance, at the boundaries of phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.disfluency.utterance_kinds import (
    CHAT,
    QUESTION,
    kind_of_utterance,
    word_list,
)
from mondegreen.language.english import english_words
from mondegreen.language.languages import ENGLISH
from mondegreen.language.vocabulary.tagger import first_entity, tagger
from mondegreen.language.vocabulary.verbs import VerbPhrase, verb_phrase
from mondegreen.operators.capitals import with_capital
from mondegreen.operators.other_places import after_verb, verb_end, without_verb
from mondegreen.operators.place_fillers import UNIFORM, PlaceFillers
from mondegreen.operators.recent import recent
from mondegreen.text.words import MARKS, core_of
from mondegreen.types import Edit, Utterance


def _core(token: str) -> str:
    return core_of(token).replace("\u2019", "'")


def _place_words(name: str) -> frozenset[str]:
    return frozenset(english_words("places", name))


_NEVER_BEFORE_VERBS = frozenset(("ADP", "DET", "ADJ", "NUM"))
_BEFORE_NAMES = frozenset(("ADP", "DET"))
_BEFORE_NOUNS = frozenset(("ADP", "DET", "ADJ", "NUM", "ADV"))
_OBJECTS = frozenset(("DET", "NOUN", "PROPN", "NUM", "ADJ", "PRON"))
_APOSTROPHES = frozenset(("'", "\u2019"))
_NO_PLACE_AFTER = _place_words("no_place_after")
_SLIDES = _place_words("slides")
_CLAUSES = _place_words("clauses")
_HELPED = _place_words("helped")
_GOING = _place_words("going")
_THANKS = _place_words("thanks")
_TO = _place_words("infinitive")
_THERE = _place_words("there")
_PLEASE = _place_words("please")
_LIKE = _place_words("like")
_NEGATIONS = _place_words("negations")
_NEGATED = _place_words("negated")
_FEELINGS = word_list("feelings")
_QUESTION_WORDS = word_list("question_words")
_AMOUNTS = word_list("amounts")
_TAKE_LIKE = word_list("take_like")
_BE = word_list("be")
_SHORT_BE = word_list("short_be")
_HEARD_WITH_YOU = word_list("heard_with_you")
_ADVERBS = word_list("adverbs_after")
_BEGINNINGS = _QUESTION_WORDS | word_list("owners")
_FINITE = _BE | word_list("finite")
_WITHOUT_VERB = english_words("fillers", "without_verb")


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
            if tags[at - 1] not in within and _core(tokens[at - 1]) not in _BEGINNINGS:
                break
            at -= 1
        return at

    def _short_be(self, utterance: Utterance) -> int | None:
        """Return the position of a verb that is part of another word, such as "that's"."""
        inside = {at for slot in utterance.slots for at in range(slot.start, slot.end)}
        shorts = (at for at, token in enumerate(utterance.tokens) if _core(token) in _SHORT_BE)
        return next((at for at in shorts if at not in inside), None)

    @recent
    def _phrase(self, utterance: Utterance) -> VerbPhrase | None:
        return verb_phrase(utterance.tokens, utterance.slots, self.tagger)

    def _verb(self, utterance: Utterance) -> VerbPhrase | None:
        """Return the verb phrase, unless the word before it shows an error of the tagger."""
        verb = self._phrase(utterance)
        if verb is None or self.choice == UNIFORM:
            return verb
        if _core(utterance.tokens[verb.start]) in _THANKS:
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
            felt = site == 0 and self.choice != UNIFORM and _feels(utterance.tokens)
            words = english_words("fillers", "preverb_question") if felt else _WITHOUT_VERB
            edit = Edit(site, site, words, self.name, "filler")
        else:
            (edit,) = super().propose(utterance, site, draw)
        return with_capital(utterance, edit) if site == 0 else (edit,)


def _feels(tokens: Sequence[str]) -> bool:
    """Return whether an utterance begins like "thanks": nobody says "like thanks"."""
    return bool(tokens) and _core(tokens[0]) in _FEELINGS


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
    known: ClassVar[tuple[str, ...]] = english_words("fillers", "preverb")

    def beside(self, start: int, end: int) -> int:  # noqa: ARG002 (not needed here)
        """Return the start of the verb phrase."""
        return start

    def place(self, utterance: Utterance) -> int:
        """Return the position before the verb and an adverb such as "already"."""
        place, tokens = super().place(utterance), utterance.tokens
        if self.choice == UNIFORM:
            return place
        if 0 < place < len(tokens) and not _APOSTROPHES.isdisjoint(tokens[place - 1 : place + 1]):
            return max(0, place - 1 - (tokens[place - 1] in _APOSTROPHES))
        return place - (place > 1 and _core(tokens[place - 1]) in _SLIDES)

    def fitting(self, utterance: Utterance, site: int) -> tuple[str, ...]:
        """Return the fillers that fit the word before the verb.

        "I like need" would be heard as a verb, and "what basically is" is hardly said.
        """
        tokens = utterance.tokens
        if not site:
            polite = bool(tokens) and tokens[0].lower() in _PLEASE
            return english_words("fillers", "preverb_please") if polite else self.known
        before = _core(tokens[site - 1])
        asked = tokens[-1].endswith("?") or kind_of_utterance(tokens) in (QUESTION, CHAT)
        refused = before in _NEGATIONS or _is_negated(tokens, site - 1)
        if asked or refused or before in _QUESTION_WORDS:
            return english_words("fillers", "preverb_question")
        return english_words("fillers", "preverb_inside")


def _is_negated(tokens: Sequence[str], at: int) -> bool:
    """Return whether a token is the end of "don ' t"."""
    return at > 0 and tokens[at].lower() in _NEGATED and tokens[at - 1] in _APOSTROPHES


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
    known: ClassVar[tuple[str, ...]] = english_words("fillers", "postverb")

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
        if tokens[place] in _APOSTROPHES:  # "won ' t"
            return min(place + 2, last + 1)
        before, word = _core(tokens[place - 1]), _core(tokens[place])
        tags = tagger(self.tagger)(tokens)
        if place == last and before in _BE and tags[place] == "PRON":
            return 0  # "isn't it?"
        if place == 1 and tags[0] == "AUX" and before not in _BE and tags[1] == "PRON":
            return 0  # "would you": no verb was found
        there = word in _THERE and before in _BE and place < last
        adverb = tags[place] != "ADP" or before in _GOING or place == last
        particle = word in _ADVERBS and adverb and tags[place - 1] in ("VERB", "AUX")
        stranded = place == last and tags[place] == "ADP" and tokens[place][-1] not in MARKS
        infinitive = word in _TO and place < last and tags[place + 1] in ("VERB", "AUX")
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
            return english_words("fillers", "postverb_first")
        if site == len(tokens):
            return english_words("fillers", "postverb_last")
        before, after = _core(tokens[site - 1]), _core(tokens[site])
        tags = tagger(self.tagger)(tokens)
        if _is_negated(tokens, site - 1):
            return english_words("fillers", "postverb_name")
        if before in _TO:
            return english_words("fillers", "postverb_to")
        if after in _FINITE or (tags[site] == "VERB" and before not in _HELPED):
            return english_words("fillers", "postverb_before_verb")
        if before in _THERE or before in _BE | _SHORT_BE:
            return _after_be(before, after, tags[site], first=site == 1)
        return _beside_object(before, after, is_object=tags[site] in _OBJECTS)


def _after_be(before: str, after: str, tag: str, *, first: bool) -> tuple[str, ...]:
    """Return the fillers that fit after "is": nobody is basically Angela."""
    if after in _AMOUNTS:
        return english_words("fillers", "postverb_amounts")
    if first and before in _BE:
        return english_words("fillers", "postverb_inverted")
    named = tag in ("PROPN", "NUM") or after in _LIKE
    return english_words("fillers", "postverb_name" if named else "postverb_before_verb")


@lru_cache(maxsize=16_384)
def _beside_object(before: str, after: str, *, is_object: bool) -> tuple[str, ...]:
    """Return the fillers that fit between a verb and what follows it.

    "I need you know a card" would be heard as "need you".
    """
    if after in _CLAUSES:
        return english_words("fillers", "postverb_amounts")
    fitting: tuple[str, ...] = ()
    if before not in _HEARD_WITH_YOU and not is_object:
        fitting += english_words("fillers", "postverb_open")
    if after in _AMOUNTS:
        fitting += english_words("fillers", "postverb_amounts")
    if before not in _TAKE_LIKE and before not in _LIKE:
        fitting += english_words("fillers", "postverb_otherwise")
    return fitting or english_words("fillers", "postverb_amounts")
