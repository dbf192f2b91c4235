"""How the caller's words come about: said with disfluencies, then misheard, values followed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from mondegreen.conversations.cues import words_of
from mondegreen.conversations.kinds import kinds_of_words
from mondegreen.data.dialogues.cases import Values, simple, utterance_of_turn
from mondegreen.data.dialogues.transcripts import HeardValue
from mondegreen.data.states import KEPT, LOST, SlotState, state_columns, states_of
from mondegreen.draw import Draw
from mondegreen.kernel import key
from mondegreen.language.vocabulary.thesaurus import synonyms
from mondegreen.operators import parse_all
from mondegreen.types import Edit, Slot, Utterance
from mondegreen.variants import perturb

HEARING = frozenset(("recogniser", "speako", "mondegreen", "spoken"))
"""The operators that stand for hearing; the others change what is said."""
_HESITATIONS = ("um", "uh", "er")
_LINKS = words_of("""
a an the for at to in on from with by my your is as under until till about named called into
than per via
""")
_PREPOSITIONS = words_of("to from at on in for by with via into until till since under within")
_DETERMINERS = words_of("a an the my our your his her their this next last every")
_SMALL = (
    _PREPOSITIONS
    | _DETERMINERS
    | words_of("""
and or is are was be it it's i i'm i'd you he she we they me him please that this has have had do
does did would like want need can could will should be been of about so but because which there
""")
)
_UNITS = words_of("people percent pounds kilo kilos")
_SHORT = 3  # letters of words like "has" and "was"
_FEWEST = 2  # words before a turn is broken off


class Manner(NamedTuple):
    """How a caller speaks, and how long it is patient.

    ``split`` and ``correct`` are the chances that a turn is broken off and continued, and that one
    of its values is wrong and corrected a turn later.
    """

    operators: tuple[str, ...] = ()
    seed: int = 0
    split: float = 0.0
    correct: float = 0.0
    patience: int = 3
    language: str | None = None

    @property
    def clean(self) -> bool:
        """Whether the caller says every turn as it is written."""
        return not (self.operators or self.split or self.correct)

    def draw(self, id: str, what: str, place: int) -> Draw:
        """Return the draws for one decision in one case."""
        return Draw(key(f"{self.seed}\x1fconverse\x1f{what}\x1f".encode(), id), place)

    def chance(self, id: str, what: str, place: int, share: float) -> bool:
        """Return whether something happens that happens in a share of all cases."""
        return self.draw(id, what, place).below(10**6) < share * 10**6


class SpokenTurn(NamedTuple):
    """What was said and heard, and what became of the values."""

    said: str
    heard: str
    values: tuple[HeardValue, ...]


def speak(utterance: Utterance, values: Values, manner: Manner, again: str = "") -> SpokenTurn:
    """Say an utterance in a manner; the same words that are said again are changed anew.

    Args:
        utterance: what is meant, with the values as slots.
        values: what the caller can say for each argument.
        manner: how the caller speaks.
        again: tells words that are said again from the first time.
    """
    seed = manner.seed if not again else key(f"{manner.seed}\x1fagain\x1f".encode(), again) >> 33
    said, current = utterance.text, utterance
    for name in in_order(manner.operators):
        current = _perturbed(current, name, seed, manner.language)
        if _base(name) not in HEARING:
            said = current.text
    return SpokenTurn(said, current.text, tuple(_heard(utterance, current, values)))


@lru_cache(maxsize=64)
def in_order(operators: tuple[str, ...]) -> tuple[str, ...]:
    """Return the operators in their order; those that stand for hearing come last."""
    return tuple(sorted(operators, key=lambda name: _base(name) in HEARING))


@lru_cache(maxsize=64)
def _base(signature: str) -> str:
    return parse_all(signature)[0].name.partition(".")[0]


def _perturbed(utterance: Utterance, name: str, seed: int, language: str | None) -> Utterance:
    """Return an utterance after one operator, with the states of its slots as columns."""
    if not utterance.tokens:
        return utterance
    variant = next(perturb([utterance], name, seed=seed, language=language))
    edits = tuple(map(_with_taken_back, variant.edits))
    variant = msgspec.structs.replace(variant, edits=edits)
    return msgspec.structs.replace(variant.utterance, extra=tuple(state_columns(variant)))


def _with_taken_back(edit: Edit) -> Edit:
    """Return a repair that says which of its words are taken back: all, if it does not say."""
    if edit.taken_back or not edit.kind.startswith("repair"):
        return edit
    return msgspec.structs.replace(edit, taken_back=len(edit.tokens))


def _heard(before: Utterance, after: Utterance, values: Values) -> list[HeardValue]:
    """Return what became of each slot."""
    states = states_of(after)
    left = list(zip(after.slots, states, strict=True))
    found = []
    for slot in before.slots:
        at = next((i for i, (one, _) in enumerate(left) if one.label == slot.label), None)
        if at is None:
            found.append(HeardValue(slot.label, LOST))
            continue
        kept, (state, taken_back) = left.pop(at)
        found.append(_of_slot(after, kept, SlotState(state, taken_back), values))
    return found


def _of_slot(heard: Utterance, slot: Slot, state: SlotState, values: Values) -> HeardValue:
    words = heard.words_of(slot)
    forms = {simple(form) for form in values.get(slot.label, ())}
    same = state.state == LOST and simple(words) in forms
    return HeardValue(slot.label, KEPT if same else state.state, words, state.taken_back)


class Halves(NamedTuple):
    """A turn that is broken off before a value, and its rest."""

    first: Utterance
    rest: Utterance


def halves(utterance: Utterance, draw: Draw) -> Halves | None:
    """Break an utterance off before one of its values: "book a table for um", "four at eight".

    ``None`` if nobody would break it off: no value follows a word that leads to it.

    >>> parts = halves(utterance_of_turn("1", "a table for four", {"n": ("four",)}), Draw(0, 0))
    >>> parts.first.text, parts.rest.text
    ('a table for um', 'four')
    """
    tokens = utterance.tokens
    places = [
        slot.start
        for slot in utterance.slots
        if slot.start >= _FEWEST and _leads(tokens[slot.start - 1])
    ]
    if not places:
        return None
    at = draw.choice(places)
    hesitation = draw.choice(_HESITATIONS)
    return Halves(
        _part(utterance, 0, at, hesitation),
        _part(utterance, at, len(tokens)),
    )


def _leads(word: str) -> bool:
    return word.lower().strip("'\"(") in _LINKS


def _part(utterance: Utterance, start: int, end: int, then: str = "") -> Utterance:
    """Return some tokens of an utterance with their slots, and a word after them."""
    slots = [
        Slot(slot.label, slot.start - start, slot.end - start, slot.value)
        for slot in utterance.slots
        if start <= slot.start and slot.end <= end
    ]
    return Utterance(
        utterance.id, (*utterance.tokens[start:end], *([then] if then else ())), tuple(slots)
    )


class WrongTurn(NamedTuple):
    """A turn with a wrong value, which the caller will take back."""

    utterance: Utterance
    name: str
    words: str


def with_wrong_value(
    utterance: Utterance, values: Values, others: dict[str, tuple[str, ...]], draw: Draw
) -> WrongTurn | None:
    """Say a turn with another value in one place; ``None`` if no other value is known.

    Args:
        utterance: the turn.
        values: the right values.
        others: values of the same arguments in other cases.
        draw: the draws.
    """
    tokens = utterance.tokens

    def before(slot: Slot) -> str:
        return tokens[slot.start - 1].lower() if slot.start else ""

    able = [
        (slot, wrong)
        for slot in utterance.slots
        if (wrong := _others(values.get(slot.label, ()), others.get(slot.label, ()), before(slot)))
    ]
    if not able:
        return None
    slot, wrong = draw.choice(able)
    words = draw.choice(wrong)
    text = " ".join((*tokens[: slot.start], words, *tokens[slot.end :]))
    swapped = {**values, slot.label: (words,)}
    return WrongTurn(utterance_of_turn(utterance.id, text, swapped), slot.label, words)


def _others(forms: Sequence[str], known: Sequence[str], before: str) -> list[str]:
    """Return other values that a caller may say in the place of one, after a word.

    They are built like it, and mean something else: nobody takes "films" back for "movies".
    """
    right = [simple(form) for form in forms]
    meant = {one for form in right for one in (form, *synonyms(form))}
    builds = {_build(form) for form in forms[:1]}
    return [
        one
        for one in known
        if (said := simple(one))
        and said not in meant
        and not any(form in said or said in form for form in right)
        and _build(one) in builds
        and (before not in ("a", "an") or (before == "an") == (said[0] in "aeiou"))
    ]


def _build(words: str) -> tuple[str, str, frozenset[str]]:
    """Return how a value is built: its first word, if that is a small one or a number; its kind.

    A number is said with its unit: nobody says "three months" instead of "ten kilos".
    """
    said = simple(words).split() or [""]
    first = said[0] if said[0] in _PREPOSITIONS else "the" * (said[0] in _DETERMINERS)
    unit = ""
    if said[0].isdigit() and len(said) > 1:
        unit = said[-1].rstrip("s") if said[-1] not in ("am", "pm") else "o'clock"
    return first or "1" * said[0].isdigit(), unit, kinds_of_words((words,))


class Around(NamedTuple):
    """What stands around a value in a turn: "for", "weeks", "hut" in "a hut for two weeks"."""

    lead: str = ""
    unit: str = ""
    near: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def around_values(utterance: Utterance) -> dict[str, Around]:
    """Return the preposition before each value in a turn, what a number counts, and words nearby.

    >>> around_values(utterance_of_turn("1", "a hut for two weeks", {"n": ("two",)}))
    {'n': Around(lead='for', unit='weeks', near=('hut',), after=('weeks',))}
    """
    return {slot.label: _around(utterance, slot) for slot in utterance.slots}


def _around(utterance: Utterance, slot: Slot) -> Around:
    tokens = [word.lower() for word in utterance.tokens]
    others = {at for one in utterance.slots if one != slot for at in range(one.start, one.end)}
    before = tokens[max(0, slot.start - 2) : slot.start]
    lead = ""
    if before and before[-1] in _PREPOSITIONS:
        lead = before[-1]
    elif len(before) > 1 and before[-1] in _DETERMINERS and before[0] in _PREPOSITIONS:
        lead = " ".join(before)
    after = _near(tokens, range(slot.end, slot.end + 2), others, stops=True)
    near = _near(tokens, range(slot.start - 1, slot.start - 5, -1), others, stops=False)
    is_number = simple(utterance.words_of(slot)).isdigit()
    unit = after[0] if is_number and after and _is_unit(after[0]) else ""
    return Around(lead, unit, tuple(near[:2]), tuple(after))


def _near(tokens: Sequence[str], places: range, others: set[int], *, stops: bool) -> list[str]:
    """Return the words with a meaning at some places, up to another value or the end."""
    found = []
    for at in places:
        if not 0 <= at < len(tokens) or at in others:
            break
        if tokens[at].isalpha() and tokens[at] not in _SMALL:
            found.append(tokens[at])
        elif stops:
            break
    return found


def _is_unit(word: str) -> bool:
    """Return whether a word after a number may be what is counted: a plural that is no verb."""
    return word.isalpha() and (
        word in _UNITS or (len(word) > _SHORT and word.endswith("s") and word[-2] not in "sui")
    )
