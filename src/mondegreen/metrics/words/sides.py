"""Both sides of a score of words as they are aligned: normalised, split, in their best reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mondegreen.align import Times
from mondegreen.metrics.normalisation.normalise import Normaliser, prepared
from mondegreen.metrics.normalisation.spoken import in_spoken_forms
from mondegreen.metrics.words.extras import Given, normalised_tokens, spans_of
from mondegreen.metrics.words.readings import Reader, around_marks
from mondegreen.metrics.words.times import Timed
from mondegreen.text.items import Item, words_of
from mondegreen.text.segment import close_up, has_unspaced, mostly_unspaced, split

Pair = tuple[list[Item], list[Item]]


@dataclass(frozen=True)
class Sides:
    """Both sides as they are aligned.

    Args:
        words: references and hypotheses to align.
        texts: references and hypotheses whose characters are compared.
        mixed: whether some words are of a script without spaces.
        unspaced: whether most are.
        spans: the entities of each reference, as spans of the words to align.
        times: when the words of both sides begin and end.
    """

    words: Pair
    texts: Pair
    mixed: bool
    unspaced: bool
    spans: Given | None = None
    times: tuple[Times, Times] | None = None


def plain_sides(
    written: Pair,
    reader: Reader,
    prepare: Normaliser | None,
    *,
    entities: Given | None,
    format_equal: str,
    marked: bool,
    lower: bool,
    unspaced: bool | None,
) -> Sides:
    """Return both sides of words without times.

    Args:
        written: references and hypotheses as they were written.
        reader: chooses the best reading.
        prepare: the normaliser.
        entities: the entities of each reference.
        format_equal: the language in which numbers may be written or spelt out.
        marked: the texts have marks of alternatives.
        lower: compare in lower case.
        unspaced: whether most words are of a script without spaces; by default, the texts decide.
    """
    sides, places = _prepared_sides(
        written, prepare, entities, format_equal, lower=lower, marked=marked
    )
    mixed = any(has_unspaced(side) for side in sides)
    if unspaced is None:
        unspaced = mixed and mostly_unspaced(sides[0])
    texts = (_closed_up(sides[0]), _closed_up(sides[1])) if mixed else sides
    left, right = map(_split, sides) if mixed else sides
    tokens = None
    if reader.reads:
        pairs = zip(map(words_of, left), map(words_of, right), strict=True)
        resolved = [reader.resolve(*pair) for pair in pairs]
        left, right = [pair.ref for pair in resolved], [pair.hyp for pair in resolved]
        tokens = [pair.tokens for pair in resolved]
        texts = (left, right) if reader.alternatives and not reader.characters else texts
    spans = entities
    if entities is not None and (tokens is not None or places is not None):
        spans = spans_of(left, tokens, places, entities)
    return Sides((left, right), texts, mixed, unspaced, spans)


def timed_sides(
    timed: tuple[Sequence[Timed], Sequence[Timed]],
    reader: Reader,
    *,
    entities: Given | None,
    unspaced: bool | None,
) -> Sides:
    """Return both sides of words with times, which follow the words."""
    found = [
        reader.resolve_timed(ref.words, hyp.words, (ref.times, hyp.times))
        for ref, hyp in zip(*timed, strict=True)
    ]
    words: Pair = [one.ref for one, _ in found], [one.hyp for one, _ in found]
    joined = [[" ".join(words_of(item)) for item in side] for side in words]
    mixed = any(map(has_unspaced, joined))
    if unspaced is None:
        unspaced = mixed and mostly_unspaced(joined[0])
    tagged = entities
    if entities is not None:
        tagged = spans_of(words[0], [one.tokens for one, _ in found], None, entities)
    times = [spans[0] for _, spans in found], [spans[1] for _, spans in found]
    texts = (_closed_up(words[0]), _closed_up(words[1])) if mixed else words
    return Sides(words, texts, mixed, unspaced, tagged, times)


def _prepared_sides(
    written: Pair,
    prepare: Normaliser | None,
    entities: Given | None,
    format_equal: str,
    *,
    lower: bool,
    marked: bool,
) -> tuple[Pair, list[list[int]] | None]:
    """Return both sides as they are compared, and where the tokens of references have gone."""
    step = around_marks(prepare) if prepare and (marked or format_equal) else prepare
    if format_equal:
        step = in_spoken_forms(step, format_equal)
    refs, hyps = written
    places = None
    if entities is not None and step is not None:
        refs, places = normalised_tokens(refs, entities, step)
        step_refs = None
    else:
        step_refs = step
    sides = prepared(refs, step_refs, lower=lower), prepared(hyps, step, lower=lower)
    return sides, places


def _closed_up(items: list[Item]) -> list[Item]:
    return [close_up(" ".join(words_of(item))) for item in items]


def _split(items: list[Item]) -> list[Item]:
    return [split(" ".join(words_of(item))) for item in items]
