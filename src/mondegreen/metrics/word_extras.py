"""Further counts of a score of words: entities, punctuation and case, hallucinations."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from mondegreen.align import Alignment
from mondegreen.metrics import hallucinations as invented
from mondegreen.metrics import surface
from mondegreen.metrics.entities import COLUMNS as ENTITY_COLUMNS
from mondegreen.metrics.entities import (
    Entity,
    Phrases,
    count_entities,
    first_words,
    occurrences,
    phrases_of,
)
from mondegreen.metrics.networks import top_tokens
from mondegreen.metrics.normalise import Normaliser
from mondegreen.metrics.score import Counts
from mondegreen.text.items import Item, words_of

Given = Sequence[Sequence[tuple[str, int, int]]]
"""The entities of each reference: class, first token, and the token after the last."""


class Extra(NamedTuple):
    """Further columns of a score, and the counts of each class of entities."""

    columns: tuple[str, ...] = ()
    table: Counts | None = None
    classes: Mapping[str, Any] | None = None

    def plus(self, columns: tuple[str, ...], table: Counts) -> Extra:
        """Return these columns and others."""
        both = table if self.table is None else np.concatenate([self.table, table], axis=1)
        return self._replace(columns=(*self.columns, *columns), table=both)


class Pair(NamedTuple):
    """Both sides as they were aligned and as they were written."""

    refs: Sequence[Item]
    hyps: Sequence[Item]
    alignment: Alignment
    written: tuple[Sequence[Item], Sequence[Item]]

    def extra(
        self,
        *,
        spans: Sequence[Sequence[Entity]] | None,
        keywords: Phrases | None,
        punctuation: bool,
        hallucinations: bool,
        threads: int,
    ) -> Extra:
        """Return the further columns that are asked for."""
        found = Extra()
        if spans is not None or keywords is not None or hallucinations:
            refs, hyps = ([*map(words_of, side)] for side in (self.refs, self.hyps))
            if spans is not None or keywords is not None:
                found = self._entities(refs, hyps, spans, keywords)
            if hallucinations:
                table = invented.count_hallucinations(refs, hyps, self.alignment)
                found = found.plus(invented.COLUMNS, table)
        if punctuation:
            table = surface.count_surface(*self.written, threads=threads)
            found = found.plus(surface.COLUMNS, table)
        return found

    def _entities(
        self,
        refs: list[list[str]],
        hyps: list[list[str]],
        spans: Sequence[Sequence[Entity]] | None,
        keywords: Phrases | None,
    ) -> Extra:
        phrases = dict(keywords or {})
        rows: list[list[Entity]] = [[] for _ in refs]
        if keywords is not None:
            starts = first_words(phrases)
            rows = [list(occurrences(words, phrases, starts)) for words in refs]
        if spans is not None:
            phrases |= phrases_of(refs, spans)
            rows = [[*row, *more] for row, more in zip(rows, spans, strict=True)]
        found = count_entities(refs, hyps, self.alignment, rows, phrases)
        return Extra(ENTITY_COLUMNS, found.table, found.classes)


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
) -> list[list[Entity]]:
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
                Entity(one, bisect_left(words, numbers[a]), bisect_left(words, numbers[b]))
                for one, a, b in row
            ]
        )
    return found
