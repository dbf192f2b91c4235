"""Both sides of a score of words as they are aligned: normalised, split, in their best reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mondegreen.align import Times
from mondegreen.metrics.normalisation.normalise import (
    Normaliser,
    lowered,
    offers_alternatives,
    prepared,
)
from mondegreen.metrics.words.extras import Given, normalised_tokens, spans_of
from mondegreen.metrics.words.networks import unbracketed
from mondegreen.metrics.words.readings import Reader, Resolved, around_marks
from mondegreen.metrics.words.times import Timed
from mondegreen.metrics.words.units import split_scripts
from mondegreen.text.items import Item, words_of
from mondegreen.text.segment import close_up

if TYPE_CHECKING:
    from mondegreen.metrics.words.forgiving import Forgiven

Pair = tuple[list[Item], list[Item]]


@dataclass(frozen=True)
class Sides:
    """Both sides as they are aligned.

    Args:
        words: references and hypotheses to align.
        texts: references and hypotheses whose characters are compared.
        spans: the entities of each reference, as spans of the words to align.
        times: when the words of both sides begin and end.
        forgiven: what was written in another way.
    """

    words: Pair
    texts: Pair
    spans: Given | None = None
    times: tuple[Times, Times] | None = None
    forgiven: tuple[Forgiven, ...] = ()


def plain_sides(
    written: Pair,
    reader: Reader,
    prepare: Normaliser | None,
    *,
    entities: Given | None,
    format_equal: str,
    marked: bool,
    lower: bool,
    mixed: bool,
) -> Sides:
    """Return both sides of words without times.

    Args:
        written: references and hypotheses as they were written.
        reader: chooses the best reading.
        prepare: the normaliser.
        entities: the entities of each reference.
        format_equal: the language in which values may be written or said.
        marked: the texts have marks of alternatives.
        lower: compare in lower case.
        mixed: split scripts without spaces into characters.
    """
    forgiven: tuple[Forgiven, ...] = ()
    if format_equal:
        from mondegreen.metrics.words.forgiving import in_one_writing

        equal = in_one_writing(*written, format_equal, keep=entities is not None)
        written, forgiven = (equal.refs, equal.hyps), equal.forgiven
    sides, places = _prepared_sides(written, prepare, entities, lower=lower, marked=marked)
    texts = left, right = sides
    if mixed:
        left, right = (split_scripts(side, marked=reader.alternatives) for side in sides)
    tokens = None
    if reader.reads:
        resolved = _resolved(reader, left, right)
        if reader.alternatives:
            words = resolved
            if reader.characters:
                words = _resolved(replace(reader, characters=False), left, right)
            texts = _texts([one.ref for one in words], [one.hyp for one in words], mixed=mixed)
        left, right = [pair.ref for pair in resolved], [pair.hyp for pair in resolved]
        tokens = [pair.tokens for pair in resolved]
    spans = entities
    if entities is not None and (tokens is not None or places is not None):
        spans = spans_of(left, tokens, places, entities)
    return Sides((left, right), texts, spans, forgiven=forgiven)


def timed_sides(
    timed: tuple[Sequence[Timed], Sequence[Timed]],
    reader: Reader,
    *,
    entities: Given | None,
    mixed: bool,
) -> Sides:
    """Return both sides of words with times, which follow the words."""
    found = [
        reader.resolve_timed(ref.words, hyp.words, (ref.times, hyp.times))
        for ref, hyp in zip(*timed, strict=True)
    ]
    words: Pair = [one.ref for one, _ in found], [one.hyp for one, _ in found]
    tagged = entities
    if entities is not None:
        tagged = spans_of(words[0], [one.tokens for one, _ in found], None, entities)
    times = [spans[0] for _, spans in found], [spans[1] for _, spans in found]
    return Sides(words, _texts(*words, mixed=mixed), tagged, times)


def _resolved(reader: Reader, refs: list[Item], hyps: list[Item]) -> list[Resolved]:
    pairs = zip(map(words_of, refs), map(words_of, hyps), strict=True)
    return [reader.resolve(*pair) for pair in pairs]


def _prepared_sides(
    written: Pair,
    prepare: Normaliser | None,
    entities: Given | None,
    *,
    lower: bool,
    marked: bool,
) -> tuple[Pair, list[list[int]] | None]:
    """Return both sides as they are compared, and where the tokens of references have gone."""
    steps: list[Normaliser | None] = [prepare, prepare]
    if offers_alternatives(prepare):
        steps = [prepare.offering, prepare.apart]
    if marked:
        steps = [step and around_marks(step) for step in steps]
    refs, hyps = written
    places = None
    if entities is not None and steps[0] is not None:
        refs, places = normalised_tokens(refs, entities, steps[0])
        steps[0] = None
    sides = prepared(refs, steps[0]), prepared(hyps, steps[1])
    return lowered(*sides) if lower else sides, places


def _texts(refs: Sequence[Item], hyps: Sequence[Item], *, mixed: bool) -> Pair:
    """Return readings as texts whose characters are compared."""
    sides = unbracketed(refs), unbracketed(hyps)
    if mixed:
        sides = [close_up(text) for text in sides[0]], [close_up(text) for text in sides[1]]
    return [*sides[0]], [*sides[1]]
