"""Utterances as tensors, moved to the device once; batches are rows of these tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from mondegreen.models.neural.names import PADDING, UNKNOWN, Names
from mondegreen.models.neural.pieces import PieceSplitter
from mondegreen.types import Utterance

IGNORED = -100
"""The number of a tag or label that is missing or unknown to the network."""
LONGEST = 512
"""Maximum number of tokens that are read; no slots are predicted after them."""
_SPREAD = 3
"""Maximum random number that is added to lengths when training batches are made."""

Tensor = Any
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """B utterances, padded on the right to T tokens and P pieces."""

    words: Tensor
    """B x T: the number of each word."""
    pieces: Tensor
    """B x P: the number of each piece; P is 0 if the network reads words."""
    owner: Tensor
    """B x P: the token of each piece; -1 for special pieces, -2 for padding."""
    first: Tensor
    """B x T: the index of the first piece of each token."""
    mask: Tensor
    """B x T: true for tokens, false for padding."""
    lengths: Tensor
    """B, on the CPU: the number of tokens, at least 1."""
    tags: Tensor
    """B x T: the gold tags, or IGNORED."""
    labels: Tensor
    """B: the gold labels, or IGNORED."""


class Corpus:
    """Utterances as tensors for a network."""

    def __init__(
        self,
        data: Sequence[Utterance],
        names: Names,
        pieces: PieceSplitter | None,
        device: Any,
        *,
        gold: bool,
    ) -> None:
        cut = [_pieces_of(utterance.tokens, pieces) for utterance in data]
        self.lengths = [len(of_tokens) for of_tokens in cut]
        """How many tokens of each utterance are read."""
        longest = max(self.lengths, default=0) or 1
        self._row_lengths = np.maximum(np.array(self.lengths, np.int64), 1)
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
                _padded((range(length) for length in self.lengths), words.shape, -1),
                *_gold(data if gold else (), self.lengths, names, words.shape),
            )
        ]
        self._device = device

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, rows: Numbers) -> Batch:
        """Return rows as a batch, only as wide as its longest utterance."""
        index = torch.from_numpy(rows).to(self._device)
        words, pieces, owner, first, mask, tags, labels = self._tensors
        tokens = int(self._row_lengths[rows].max(initial=1))
        width = int(self._widths[rows].max(initial=0))
        return Batch(
            words=words[index, :tokens],
            pieces=pieces[index, :width],
            owner=owner[index, :width],
            first=first[index, :tokens],
            mask=mask[index, :tokens] >= 0,
            lengths=torch.from_numpy(self._row_lengths[rows]),
            tags=tags[index, :tokens],
            labels=labels[index],
        )

    def by_length(self, size: int) -> Iterator[Numbers]:
        """Yield the rows of batches, the shortest utterances first."""
        order = np.lexsort((self._widths, self._row_lengths))
        for start in range(0, len(order), size):
            yield order[start : start + size]

    def shuffled(self, size: int, random: np.random.Generator) -> Iterator[Numbers]:
        """Yield the rows of training batches of similar length, in random order."""
        order = np.argsort(self._row_lengths + random.uniform(0, _SPREAD, len(self)), kind="stable")
        starts = list(range(0, len(order), size))
        for i in random.permutation(len(starts)):
            yield order[starts[i] : starts[i] + size]


def _pieces_of(tokens: Sequence[str], pieces: PieceSplitter | None) -> list[tuple[int, ...]]:
    """Return the pieces of each token that is read."""
    if pieces is None:
        return [()] * min(len(tokens), LONGEST)
    found, room = [], pieces.limit - 2
    for ids in pieces.of(tokens[:LONGEST]):
        if len(ids) > room:
            break
        room -= len(ids)
        found.append(ids)
    return found


def _layout(
    cut: Sequence[tuple[int, ...]], pieces: PieceSplitter | None
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
        values = row[: shape[1]]
        table[i, : len(values)] = values
    return table


def _gold(
    data: Sequence[Utterance], lengths: Sequence[int], names: Names, shape: tuple[int, ...]
) -> tuple[Numbers, Numbers]:
    tags = np.full(shape, IGNORED, np.int64)
    labels = np.full(shape[0], IGNORED, np.int64)
    tag_numbers = {tag: i for i, tag in enumerate(names.tags)}
    label_numbers: dict[str | None, int] = {label: i for i, label in enumerate(names.labels)}
    for i, utterance in enumerate(data):
        tags[i, : lengths[i]] = [
            tag_numbers.get(tag, IGNORED) for tag in utterance.tags[: lengths[i]]
        ]
        labels[i] = label_numbers.get(utterance.label, IGNORED)
    return tags, labels
