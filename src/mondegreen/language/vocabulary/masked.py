"""Words for a masked position, by the package's small language model or one from Hugging Face.

A model predicts many positions in one batch, the shortest utterances first, and its predictions
are cached. The predictions of the package's own model do not depend on the batch.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mondegreen import resources
from mondegreen.data.files.by_content import by_content
from mondegreen.errors import MissingExtraError
from mondegreen.language.vocabulary.substitutes import CANDIDATES, WordPlace
from mondegreen.resources import read_resource
from mondegreen.text.words import word_of

_CACHED = 16_384  # predictions
_WINDOW = 60  # words of context on either side
_LONGEST = 512  # pieces that a model can read
_BLOCK = 16


class MaskedModel(Protocol):
    """A masked language model and its vocabulary."""

    batch: int
    mask: str
    mask_id: int
    vocabulary: list[str]
    """The pieces in the order of their ids; an id without a piece has an empty string."""

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of the pieces of each text."""

    def best(
        self, rows: Sequence[Sequence[int]], pieces: NDArray[np.int64], most: int
    ) -> list[list[int]]:
        """Return, per row, the positions in ``pieces`` of those that fit the mask best."""


class MaskedWords:
    """Candidates by a masked language model: the most probable whole words."""

    def __init__(self, model: MaskedModel) -> None:
        self._model = model
        self._cache: OrderedDict[tuple[tuple[str, ...], int], tuple[str, ...]] = OrderedDict()

    def ranked(self, place: WordPlace) -> Sequence[str]:
        """Return the most probable words for a position; the model runs if they are not cached."""
        key = place.tokens, place.at
        if key not in self._cache:
            self.prepare((place,))
        return self._cache[key]

    def prepare(self, places: Sequence[WordPlace]) -> None:
        """Run the model on many positions at once."""
        keys = dict.fromkeys((place.tokens, place.at) for place in places)
        new = [key for key in keys if key not in self._cache]
        rows = [self._crop(row) for row in self._model.encode([self._masked(*k) for k in new])]
        ids, words = self._words
        by_length = sorted(range(len(new)), key=lambda i: len(rows[i]))
        for start in range(0, len(new), self._model.batch):
            some = by_length[start : start + self._model.batch]
            best = self._model.best([rows[i] for i in some], ids, CANDIDATES)
            for i, found in zip(some, best, strict=True):
                self._cache[new[i]] = tuple(words[at] for at in found)
        while len(self._cache) > _CACHED:
            self._cache.popitem(last=False)

    def _masked(self, tokens: tuple[str, ...], at: int) -> str:
        word = word_of(tokens[at], 1)
        before, _, after = ("", "", "") if word is None else word
        around = tokens[max(0, at - _WINDOW) : at], tokens[at + 1 : at + 1 + _WINDOW]
        left, right = (" ".join(part).replace(self._model.mask, " ") for part in around)
        return f"{left} {before}{self._model.mask}{after} {right}".strip()

    def _crop(self, row: list[int]) -> list[int]:
        """Return the pieces around the mask, as many as a model can read."""
        start = max(0, row.index(self._model.mask_id) - _LONGEST // 2)
        return row[start : start + _LONGEST]

    @cached_property
    def _words(self) -> tuple[NDArray[np.int64], list[str]]:
        """The ids of the pieces that are whole common words, and the words."""
        return whole_words(self._model.vocabulary)


def greatest(values: NDArray[np.float32], most: int) -> NDArray[np.intp]:
    """Return the positions of the ``most`` greatest values in descending order; stable.

    Values below the ``most``-th greatest maximum of a block cannot be among them, so that few
    values need to be sorted.

    >>> greatest(np.array([0.1, 0.9, 0.9, 0.5], np.float32), 3).tolist()
    [1, 2, 3]
    """
    maxima = np.maximum.reduceat(values, np.arange(0, len(values), _BLOCK))
    least = np.partition(maxima, -most)[-most] if len(maxima) > most else -np.inf
    places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")[:most]]


def whole_words(vocabulary: Sequence[str]) -> tuple[NDArray[np.int64], list[str]]:
    """Return the ids of the pieces that are whole common words, and the words.

    A vocabulary marks either the pieces that continue a word (``##ing``) or those that begin one
    (``Ġplay``).

    >>> whole_words(["[PAD]", "play", "##play", "Play", "sxsw"])[1]
    ['play']
    >>> whole_words(["<s>", "Ġplay", "play", "Ġmusic"])[1]
    ['play', 'music']
    """
    common = {"a", "i", *read_resource("languages/en/common.txt.gz").decode().split()}
    marks = any(piece[:1] in {"Ġ", "▁"} for piece in vocabulary)
    found: dict[str, int] = {}
    for id, piece in enumerate(vocabulary):
        word = piece[1:] if marks and piece[:1] in {"Ġ", "▁"} else "" if marks else piece
        if word.isalpha() and word in common:
            found.setdefault(word, id)
    return np.array(list(found.values()), np.int64), list(found)


class SmallModel:
    """The package's own model, run by onnxruntime on one core."""

    batch = 32
    mask = "[MASK]"

    def __init__(self, folder: Path) -> None:
        try:
            from onnxruntime import InferenceSession, SessionOptions
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtraError.of("mlm", "Synonyms by a masked language model") from None
        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = InferenceSession(
            folder / "model.int8.onnx", options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_truncation()
        pieces = self._tokenizer.get_vocab()
        self.mask_id = pieces[self.mask]
        self.vocabulary = sorted(pieces, key=pieces.__getitem__)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of the pieces of each text."""
        return [list(row.ids) for row in self._tokenizer.encode_batch(list(texts))]

    def best(
        self, rows: Sequence[Sequence[int]], pieces: NDArray[np.int64], most: int
    ) -> list[list[int]]:
        """Return, per row, the positions in ``pieces`` of those that fit the mask best."""
        scores = np.take(self._scores(rows), pieces, axis=1)
        return [greatest(row, most).tolist() for row in scores]

    def _scores(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        width = max(map(len, rows))
        ids = np.zeros((len(rows), width), np.int64)
        attention = np.zeros_like(ids)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            attention[i, : len(row)] = 1
        masks = np.array([list(row).index(self.mask_id) for row in rows], np.int64)
        feed = {"input_ids": ids, "attention_mask": attention, "mask_pos": masks}
        scores: NDArray[np.float32] = self._session.run(["logits"], feed)[0]
        return scores


def masked_words(model: str = "") -> MaskedWords:
    """Return the candidates of a model, which is loaded once.

    Args:
        model: a folder, or ``hub:NAME`` for a model of the hub; empty for the package's own.


    Raises:
        MissingExtraError: if the packages that run the model are not installed.
        OperatorError: if there is no such model, or it is not a masked language model.
    """
    return _loaded(model)


@by_content
def _loaded(model: str) -> MaskedWords:
    if model:
        from mondegreen.language.vocabulary.masked_hub import HubModel

        return MaskedWords(HubModel(model))
    with as_file(files(resources) / "small-mlm") as folder:
        return MaskedWords(SmallModel(folder))
