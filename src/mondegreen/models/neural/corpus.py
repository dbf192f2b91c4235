"""Utterances as tensors, on the device once and for all; batches are rows of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from mondegreen.models.neural.names import PADDING, UNKNOWN, Names
from mondegreen.models.neural.pieces import Pieces
from mondegreen.types import Utterance

IGNORED = -100
"""In place of a tag or a label that is not there, or that the network has no number for."""
LONGEST = 512
"""So many tokens are read; what comes after them is answered with no slots."""
_SPREAD = 3
"""How far a length is blurred, in tokens, before training batches of like length are made."""

Tensor = Any
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Some utterances, padded on the right: B of them, up to T tokens and P pieces long."""

    words: Tensor
    """B x T: the number of each word."""
    pieces: Tensor
    """B x P: the number of each piece; no columns where the network reads words."""
    owner: Tensor
    """B x P: the token of each piece; -1 for marks and -2 for padding."""
    first: Tensor
    """B x T: where the first piece of each token is."""
    mask: Tensor
    """B x T: which tokens there are."""
    lengths: Tensor
    """B, not on the device: how many tokens there are, 1 where there is none."""
    tags: Tensor
    """B x T: the gold tags, or IGNORED."""
    labels: Tensor
    """B: the gold labels, or IGNORED."""


class Corpus:
    """Utterances made ready for a network."""

    def __init__(
        self,
        data: Sequence[Utterance],
        names: Names,
        pieces: Pieces | None,
        device: Any,
        *,
        gold: bool,
    ) -> None:
        cut = [_cut(said.tokens, pieces) for said in data]
        self.kept = [len(of_tokens) for of_tokens in cut]
        """How many tokens of each utterance are read."""
        longest = max(self.kept, default=0) or 1
        self._lengths = np.maximum(np.array(self.kept, np.int64), 1)
        numbers = names.word_numbers()
        words = _padded(
            ([numbers.get(t.lower(), UNKNOWN) for t in s.tokens[:LONGEST]] for s in data),
            (len(data), longest),
            PADDING,
        )
        rows = [_layout(of_tokens, pieces) for of_tokens in cut]
        self._widths = np.array([len(owner) for _, owner, _ in rows], np.int64)
        width = int(self._widths.max(initial=0))
        shape = (len(data), width)
        padding = pieces.padding if pieces else PADDING
        self._tensors = [
            torch.from_numpy(table).to(device)
            for table in (
                words,
                _padded((ids for ids, _, _ in rows), shape, padding),
                _padded((owner for _, owner, _ in rows), shape, -2),
                _padded((first for _, _, first in rows), words.shape, 0),
                _padded((range(kept) for kept in self.kept), words.shape, -1),
                *_gold(data if gold else (), self.kept, names, words.shape),
            )
        ]
        self._device = device

    def __len__(self) -> int:
        return len(self.kept)

    def batch(self, rows: Numbers) -> Batch:
        """Return some rows as a batch, no wider than they need."""
        where = torch.from_numpy(rows).to(self._device)
        words, pieces, owner, first, mask, tags, labels = self._tensors
        tokens = int(self._lengths[rows].max(initial=1))
        width = int(self._widths[rows].max(initial=0))
        return Batch(
            words=words[where, :tokens],
            pieces=pieces[where, :width],
            owner=owner[where, :width],
            first=first[where, :tokens],
            mask=mask[where, :tokens] >= 0,
            lengths=torch.from_numpy(self._lengths[rows]),
            tags=tags[where, :tokens],
            labels=labels[where],
        )

    def by_length(self, size: int) -> Iterator[Numbers]:
        """Yield the rows of batches, the shortest utterances first."""
        order = np.lexsort((self._widths, self._lengths))
        for start in range(0, len(order), size):
            yield order[start : start + size]

    def shuffled(self, size: int, random: np.random.Generator) -> Iterator[Numbers]:
        """Yield the rows of training batches: of like length, but otherwise in random order."""
        order = np.argsort(self._lengths + random.uniform(0, _SPREAD, len(self)), kind="stable")
        starts = list(range(0, len(order), size))
        for i in random.permutation(len(starts)):
            yield order[starts[i] : starts[i] + size]


def _cut(tokens: Sequence[str], pieces: Pieces | None) -> list[tuple[int, ...]]:
    if pieces is None:
        return [()] * min(len(tokens), LONGEST)
    kept, room = [], pieces.limit - 2
    for ids in pieces.of(tokens[:LONGEST]):
        if len(ids) > room:
            break
        room -= len(ids)
        kept.append(ids)
    return kept


def _layout(
    cut: Sequence[tuple[int, ...]], pieces: Pieces | None
) -> tuple[list[int], list[int], list[int]]:
    """Return the pieces of an utterance, the token of each piece, the first piece of each token."""
    if pieces is None:
        return [], [], []
    ids, owner, first = [pieces.start], [-1], []
    for token, of_token in enumerate(cut):
        first.append(len(ids))
        ids.extend(of_token)
        owner.extend([token] * len(of_token))
    return [*ids, pieces.end], [*owner, -1], first


def _padded(rows: Any, shape: tuple[int, ...], padding: int) -> Numbers:
    table = np.full(shape, padding, np.int64)
    for i, row in enumerate(rows):
        seen = row[: shape[1]]
        table[i, : len(seen)] = seen
    return table


def _gold(
    data: Sequence[Utterance], kept: Sequence[int], names: Names, shape: tuple[int, ...]
) -> tuple[Numbers, Numbers]:
    tags = np.full(shape, IGNORED, np.int64)
    labels = np.full(shape[0], IGNORED, np.int64)
    tag_numbers = {tag: i for i, tag in enumerate(names.tags)}
    label_numbers: dict[str | None, int] = {label: i for i, label in enumerate(names.labels)}
    for i, said in enumerate(data):
        tags[i, : kept[i]] = [tag_numbers.get(tag, IGNORED) for tag in said.tags[: kept[i]]]
        labels[i] = label_numbers.get(said.label, IGNORED)
    return tags, labels
