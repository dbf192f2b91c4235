"""Further counts of a score of words: entities, punctuation and case, hallucinations."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from mondegreen.align import Alignment, Times, align, align_and_count
from mondegreen.align.costs import Costs
from mondegreen.metrics.normalisation.normalise import Normaliser
from mondegreen.metrics.scores.score import Counts, with_totals
from mondegreen.metrics.words.entities import COLUMNS as ENTITY_COLUMNS
from mondegreen.metrics.words.entities import EntityClass, SpokenEntity
from mondegreen.metrics.words.hallucinations import COLUMNS as HALLUCINATION_COLUMNS
from mondegreen.metrics.words.networks import top_tokens
from mondegreen.metrics.words.surface import COLUMNS as SURFACE_COLUMNS
from mondegreen.text.items import Item, words_of

Given = Sequence[Sequence[tuple[str, int, int]]]
"""The entities of each reference: class, first token, and the token after the last."""
Keywords = Mapping[tuple[str, ...], tuple[str, ...]]
"""The classes of each phrase."""


class Extra(NamedTuple):
    """An alignment, the table of all counts with the names of its columns, and entity classes."""

    alignment: Alignment
    columns: tuple[str, ...]
    table: Counts
    classes: Mapping[str, EntityClass] | None


def counted(
    sides: tuple[list[Item], list[Item]],
    costs: Costs,
    *,
    spans: Given | None,
    keywords: Keywords | None,
    hallucinations: bool,
    written: tuple[list[Item], list[Item]] | None,
    times: tuple[Times, Times] | None,
    threads: int,
) -> Extra:
    """Align words, and count what else is asked for.

    Args:
        sides: references and hypotheses as they are compared.
        costs: the costs of the alignment.
        spans: the entities of each reference.
        keywords: phrases to count as entities.
        hallucinations: count hallucinations.
        written: both sides as they were written, to count errors of punctuation and case.
        times: when the words of both sides begin and end.
        threads: how many threads to use.
    """
    entities = spans is not None or keywords is not None
    if not entities and not hallucinations and written is None:
        alignment = align(*sides, costs, times=times, threads=threads)
        return Extra(alignment, (), with_totals(alignment.counts, [0, 1, 1, 1]), None)
    found = align_and_count(
        *sides,
        costs,
        keywords=None if keywords is None else [*keywords.items()],
        spans=spans,
        hallucinations=hallucinations,
        written=written,
        times=times,
        threads=threads,
    )
    columns = (
        *(ENTITY_COLUMNS if entities else ()),
        *(HALLUCINATION_COLUMNS if hallucinations else ()),
        *(SURFACE_COLUMNS if written is not None else ()),
    )
    classes = {name: EntityClass(*counts) for name, counts in sorted(found.classes.items())}
    return Extra(found.alignment, columns, found.table, classes if entities else None)


def normalised_tokens(
    refs: Sequence[Item], entities: Given, prepare: Normaliser
) -> tuple[list[Item], list[list[int]]]:
    """Normalise references piece by piece, cut where entities begin and end.

    Returns the words, and for each of them the number of its piece.
    """
    found: list[Item] = []
    places = []
    for ref, row in zip(refs, entities, strict=True):
        tokens = top_tokens(words_of(ref))
        words: list[str] = []
        pieces: list[int] = []
        numbered = zip(_pieces(len(tokens), row), tokens, strict=True)
        for piece, stretch in groupby(numbered, key=lambda pair: pair[0]):
            new = top_tokens(prepare(" ".join(token for _, token in stretch)).split())
            words += new
            pieces += [piece] * len(new)
        found.append(" ".join(words))
        places.append(pieces)
    return found, places


def _pieces(length: int, row: Sequence[tuple[str, int, int]]) -> list[int]:
    """Return the number of the piece of each token: how many edges of entities are up to it."""
    edges = sorted({edge for _, start, end in row for edge in (start, end)})
    return [bisect_right(edges, at) for at in range(length)]


def spans_of(
    refs: Sequence[Item],
    tokens: Sequence[Sequence[int]] | None,
    places: Sequence[Sequence[int]] | None,
    entities: Given,
) -> list[list[SpokenEntity]]:
    """Return the entities of references as spans of the words that were aligned.

    Args:
        refs: the words that were aligned.
        tokens: for each of them its token, where a reading was chosen among several.
        places: for each token its piece, where references were normalised.
        entities: the entities, as spans of the tokens of the references.
    """
    found = []
    for item, row in enumerate(entities):
        edges = sorted({edge for _, start, end in row for edge in (start, end)})
        words = list(tokens[item]) if tokens is not None else [*range(len(words_of(refs[item])))]
        for at, token in enumerate(words):
            if token < 0:
                words[at] = words[at - 1] if at else 0
        if places is not None:
            words = [places[item][token] for token in words]
            numbers = {edge: number for number, edge in enumerate(edges, start=1)}
        else:
            numbers = {edge: edge for edge in edges}
        found.append(
            [
                SpokenEntity(one, bisect_left(words, numbers[a]), bisect_left(words, numbers[b]))
                for one, a, b in row
            ]
        )
    return found
