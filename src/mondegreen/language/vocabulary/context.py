"""How well words fit between others: a small log-bilinear model, taught by a masked language model.

The vectors of the four words on either side, weighted by their distance, are added up; the product
of the sum with the vector of a word approximates the logarithm of its chance there. The model knows
the words of languages/en/substitutes.txt. It was made by scripts/train_substitutes.py.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mondegreen.resources import read_resource

REACH = 4
"""How many words on either side count."""
GROUPS = (0, 0, 1, 2, 3, 4, 5, 5)
"""Which weights belong to the words 4, 3, 2, 1 places before and 1, 2, 3, 4 after."""
UNKNOWN, START, END = 0, 1, 2
"""The rows of words that the model does not know, and of the places beyond either end."""
_GROUPS = np.array(GROUPS)


class _Model(NamedTuple):
    rows: dict[str, int]
    words: dict[str, int]
    around: NDArray[np.float32]
    vectors: NDArray[np.float32]
    bias: NDArray[np.float32]


@cache
def _model() -> _Model:
    with np.load(io.BytesIO(read_resource("languages/en/context.npz"))) as found:
        near = found["near"].astype(np.float32) * found["near_scale"]
        around = near[None] * found["weights"][:, None]
        rows, words = (str(found[name]).split("\n") for name in ("rows", "words"))
        vectors = found["vectors"].astype(np.float32) * found["vector_scale"]
        bias = found["bias"].astype(np.float32)
    return _Model(_index(rows), _index(words), around, vectors, bias)


def _index(words: Sequence[str]) -> dict[str, int]:
    return {word: at for at, word in enumerate(words)}


def fits(words: Sequence[str], tokens: Sequence[str], at: int) -> list[float | None]:
    """Return how well lower-case words fit a position, in nats; ``None`` for an unknown word.

    ``tokens`` are the lower-case words of the utterance.

    >>> place = "find a cheap hotel".split()
    >>> affordable, angry = fits(["affordable", "angry"], place, 2)
    >>> affordable > angry
    True
    """
    model = _model()
    known = [model.words.get(word) for word in words]
    ids = [one for one in known if one is not None]
    if not ids:
        return [None] * len(words)
    rows, n = model.rows, len(tokens)
    near = [START if k < 0 else rows.get(tokens[k], UNKNOWN) for k in range(at - REACH, at)]
    near += [rows.get(tokens[k], UNKNOWN) if k < n else END for k in range(at + 1, at + REACH + 1)]
    total = model.around[_GROUPS, near].sum(axis=0)
    scores = iter((model.vectors[ids] @ total + model.bias[ids]).tolist())
    return [None if one is None else next(scores) for one in known]
