"""Fillers by place in languages other than English: at the start, at the end, after the verb."""

from __future__ import annotations

from mondegreen.language.languages import Language
from mondegreen.text.words import ALL_MARKS, core_of, is_any_mark
from mondegreen.types import Utterance

_VERB_WITHIN = 6  # tokens, in which the verb of a request is found


def asks(utterance: Utterance, tongue: Language) -> bool:
    """Return whether an utterance is a question: by its mark, or by a word of a question.

    >>> from mondegreen.language.languages import language
    >>> asks(Utterance.of("1", "wie wird das wetter"), language("de"))
    True
    """
    tokens = utterance.tokens
    if any(token[-1] in "?？؟" for token in tokens):
        return True
    if tongue.spaced:
        first = core_of(tokens[0]) if tokens else ""
        anywhere = tongue.code == "hi"  # where the verb comes last, so does the question
        words = map(core_of, tokens) if anywhere else (first,)
        return any(word in tongue.question_words for word in words)
    return any(word in utterance.text for word in tongue.question_words)


def is_polite(utterance: Utterance, tongue: Language) -> bool:
    """Return whether an utterance says please or thanks already."""
    words = tongue.places.polite.split()
    if tongue.spaced:
        return not set(words).isdisjoint(map(core_of, utterance.tokens))
    return any(word in utterance.text for word in words)


def end_of(utterance: Utterance) -> int:
    """Return the position before the final punctuation, or after the slot that contains it.

    >>> end_of(Utterance.of("1", "regnet es heute ?"))
    3
    """
    tokens = utterance.tokens
    place = len(tokens)
    while place > 1 and is_any_mark(tokens[place - 1]):
        place -= 1
    if place == len(tokens):
        return place
    return next((slot.end for slot in utterance.slots if slot.start < place < slot.end), place)


def closing(utterance: Utterance, site: int, tongue: Language) -> tuple[str, ...]:
    """Return the fillers that may end an utterance."""
    places = tongue.places
    question = asks(utterance, tongue)
    if site and utterance.tokens[site - 1][-1] in ALL_MARKS:
        return places.close_after[:1] if question else places.close_after
    text = "".join(utterance.tokens[:site])
    endings = places.question_endings if question else places.endings
    for size in range(min(4, len(text)), 0, -1):
        found = endings.get(text[-size:])
        if found:
            return found
    if is_polite(utterance, tongue):
        return places.close_polite
    return places.close_question if question else places.close_command


def verb_end(utterance: Utterance, tongue: Language) -> int | None:
    """Return the position after the first verb and its pronouns; ``None`` if no verb is known.

    >>> from mondegreen.language.languages import language
    >>> verb_end(Utterance.of("1", "erinnere mich an die milch"), language("de"))
    2
    """
    tokens = utterance.tokens
    inside = {at for slot in utterance.slots for at in range(slot.start, slot.end)}
    pronouns = tongue.places.pronouns.split()
    for at, token in enumerate(tokens[:_VERB_WITHIN]):
        if at not in inside and core_of(token) in tongue.verbs and token[-1] not in ALL_MARKS:
            end = at + 1
            while end < len(tokens) and tokens[end].lower() in pronouns:
                end += 1
            return end
    return None


def without_verb(utterance: Utterance) -> int:
    """Return where to pause if no verb is known: before the first slot, or after the first word."""
    starts = [slot.start for slot in utterance.slots if slot.start > 0]
    return starts[0] if starts else min(1, len(utterance.tokens))


def after_verb(utterance: Utterance, site: int, tongue: Language) -> tuple[str, ...]:
    """Return the fillers that may follow the verb."""
    places = tongue.places
    verb = verb_end(utterance, tongue)
    following = utterance.tokens[site] if site < len(utterance.tokens) else "."
    stated = core_of(utterance.tokens[0]) in places.pronouns.split() if site else True
    unsure = following.lower() in places.unsure.split() or not following[0].isalnum()
    if verb != site or stated or unsure:
        return places.otherwise
    wanted = places.question if asks(utterance, tongue) else places.command
    if is_polite(utterance, tongue):
        words = set(places.polite.split())
        wanted = tuple(one for one in wanted if words.isdisjoint(one.split()))
    return wanted or places.otherwise
