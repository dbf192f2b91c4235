"""Words for a masked place, by a masked language model: our own small one, or any of Hugging Face.

A model is asked about many places at once, the shortest utterances first, and its answers are
kept until they are asked for. The package's own answers the same alone and in any batch.
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
from mondegreen.data.by_content import by_content
from mondegreen.errors import MissingExtraError
from mondegreen.language.substitutes import CANDIDATES, Place
from mondegreen.resources import read_resource
from mondegreen.text.words import word_of

_KEPT = 16_384  # answers
_WINDOW = 60  # words on either side that are read
_LONGEST = 512  # pieces
_STRETCH = 16


class Model(Protocol):
    """A masked language model and its vocabulary."""

    batch: int
    mask: str
    mask_id: int
    vocabulary: list[str]
    """The pieces in the order of their numbers; empty where there is none."""

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces of each text."""

    def best(
        self, rows: Sequence[Sequence[int]], pieces: NDArray[np.int64], most: int
    ) -> list[list[int]]:
        """Return for each row which of some pieces fit its masked place best, the best first."""


class MaskedWords:
    """Candidates by a masked language model: the whole words that it finds most probable."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._answers: OrderedDict[tuple[tuple[str, ...], int], tuple[str, ...]] = OrderedDict()

    def could(self, word: str, part: str) -> bool:  # noqa: ARG002 (a model has words for any part)
        """Every word of letters may have candidates."""
        return word.isalpha()

    def ranked(self, place: Place) -> Sequence[str]:
        """Return the words that the model finds most probable, asking it where it was not yet."""
        asked = place.tokens, place.at
        if asked not in self._answers:
            self.prepare((place,))
        return self._answers[asked]

    def prepare(self, places: Sequence[Place]) -> None:
        """Ask the model about many places at once."""
        asked = dict.fromkeys((place.tokens, place.at) for place in places)
        new = [key for key in asked if key not in self._answers]
        rows = [self._within(row) for row in self._model.encode([self._masked(*k) for k in new])]
        numbers, words = self._words
        by_length = sorted(range(len(new)), key=lambda i: len(rows[i]))
        for start in range(0, len(new), self._model.batch):
            some = by_length[start : start + self._model.batch]
            best = self._model.best([rows[i] for i in some], numbers, CANDIDATES)
            for i, found in zip(some, best, strict=True):
                self._answers[new[i]] = tuple(words[at] for at in found)
        while len(self._answers) > _KEPT:
            self._answers.popitem(last=False)

    def _masked(self, tokens: tuple[str, ...], at: int) -> str:
        word = word_of(tokens[at], 1)
        before, _, after = ("", "", "") if word is None else word
        around = tokens[max(0, at - _WINDOW) : at], tokens[at + 1 : at + 1 + _WINDOW]
        left, right = (" ".join(part).replace(self._model.mask, " ") for part in around)
        return f"{left} {before}{self._model.mask}{after} {right}".strip()

    def _within(self, row: list[int]) -> list[int]:
        """The pieces around the mask, where there are more than a model can read."""
        start = max(0, row.index(self._model.mask_id) - _LONGEST // 2)
        return row[start : start + _LONGEST]

    @cached_property
    def _words(self) -> tuple[NDArray[np.int64], list[str]]:
        """The pieces that are common words, whole."""
        return whole_words(self._model.vocabulary)


def greatest(values: NDArray[np.float32], most: int) -> NDArray[np.intp]:
    """Return where the greatest values are, the greatest first, of equal ones the first.

    The maxima of stretches tell what a value must reach, so that few of them need to be sorted.

    >>> greatest(np.array([0.1, 0.9, 0.9, 0.5], np.float32), 3).tolist()
    [1, 2, 3]
    """
    stretches = np.maximum.reduceat(values, np.arange(0, len(values), _STRETCH))
    enough = len(stretches) > most
    least = np.partition(stretches, -most)[-most] if enough else -np.inf
    places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")[:most]]


def whole_words(vocabulary: Sequence[str]) -> tuple[NDArray[np.int64], list[str]]:
    """Return the numbers of the pieces that are whole common words, and the words.

    A vocabulary marks either what continues a word (``##ing``) or what begins one.

    >>> whole_words(["[PAD]", "play", "##play", "Play", "sxsw"])[1]
    ['play']
    >>> whole_words(["<s>", "Ġplay", "play", "Ġmusic"])[1]
    ['play', 'music']
    """
    common = {"a", "i", *read_resource("common.en.txt.gz").decode().split()}
    marks = any(piece[:1] in {"Ġ", "▁"} for piece in vocabulary)
    found: dict[str, int] = {}
    for number, piece in enumerate(vocabulary):
        word = piece[1:] if marks and piece[:1] in {"Ġ", "▁"} else "" if marks else piece
        if word.isalpha() and word in common:
            found.setdefault(word, number)
    return np.array(list(found.values()), np.int64), list(found)


class SmallModel:
    """The package's own model, by onnxruntime, on one core."""

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
        """Return the numbers of the pieces of each text."""
        return [list(row.ids) for row in self._tokenizer.encode_batch(list(texts))]

    def best(
        self, rows: Sequence[Sequence[int]], pieces: NDArray[np.int64], most: int
    ) -> list[list[int]]:
        """Return for each row which of some pieces fit its masked place best, the best first."""
        scores = np.take(self._scores(rows), pieces, axis=1)
        return [greatest(row, most).tolist() for row in scores]

    def _scores(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        width = max(map(len, rows))
        numbers = np.zeros((len(rows), width), np.int64)
        attention = np.zeros_like(numbers)
        for i, row in enumerate(rows):
            numbers[i, : len(row)] = row
            attention[i, : len(row)] = 1
        masks = np.array([list(row).index(self.mask_id) for row in rows], np.int64)
        feed = {"input_ids": numbers, "attention_mask": attention, "mask_pos": masks}
        scores: NDArray[np.float32] = self._session.run(["logits"], feed)[0]
        return scores


def masked_words(model: str = "") -> MaskedWords:
    """Return the candidates of a model, loaded once: the package's own, a folder, ``hub:NAME``.

    Raises:
        MissingExtraError: if the packages that run it are not installed.
        OperatorError: if there is no such model, or if it cannot fill a masked word.
    """
    return _loaded(model)


@by_content
def _loaded(model: str) -> MaskedWords:
    if model:
        from mondegreen.language.masked_hub import HubModel

        return MaskedWords(HubModel(model))
    with as_file(files(resources) / "small-mlm") as folder:
        return MaskedWords(SmallModel(folder))
