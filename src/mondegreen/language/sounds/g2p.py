"""English spelling to phonemes with a small neural network, in numpy only.

The network reads the letters of a word through a stack of bidirectional LSTM
layers and gives every letter two output slots.  Each slot names one phoneme of
the ARPAbet (39 of them, without stress) or a blank; reading the slots from left
to right, merging repeats and dropping blanks (greedy CTC decoding) spells the
pronunciation.  ``scripts/train_g2p.py`` trains the network and writes its weights.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

SLOTS = 2  # output slots per letter
BLANK = 0  # class of the empty slot; class k > 0 is phoneme k - 1


class _Direction:
    """One direction of one LSTM layer, with its weights prepared for speed.

    Gates are stored in the order input, forget, output, candidate.  Since
    sigmoid(x) = (1 + tanh(x / 2)) / 2, halving the weights of the three sigmoid
    gates lets one call of tanh serve all four.
    """

    def __init__(self, w: Array, u: Array, b: Array) -> None:
        self.hidden = u.shape[0]
        scale = np.ones(4 * self.hidden, np.float32)
        scale[: 3 * self.hidden] = 0.5
        self.w: Array = w * scale
        self.u: Array = u * scale
        self.b: Array = b * scale

    def run(self, gates: Array, out: Array, *, reverse: bool) -> None:
        """Fill ``out`` (time, batch, hidden) from the input part of the gates."""
        steps, batch, _ = gates.shape
        n = self.hidden
        cell = np.zeros((batch, n), np.float32)
        recurrent = np.empty((batch, 4 * n), np.float32)
        h: Array | None = None
        for t in range(steps - 1, -1, -1) if reverse else range(steps):
            g = gates[t]
            if h is not None:  # the first step starts from a zero state
                np.matmul(h, self.u, out=recurrent)
                g += recurrent
            np.tanh(g, out=g)
            sigmoids = g[:, : 3 * n]
            sigmoids *= 0.5
            sigmoids += 0.5
            cell *= g[:, n : 2 * n]
            cell += g[:, :n] * g[:, 3 * n :]
            h = np.tanh(cell)
            h *= g[:, 2 * n : 3 * n]
            out[t] = h


class G2p:
    """Pronounces words by their spelling.

    >>> from mondegreen.resources import read_resource
    >>> G2p.load(read_resource("g2p.npz")).phonemes(["tokenizer"])
    [['T', 'OW', 'K', 'AH', 'N', 'AY', 'Z', 'ER']]
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Convert the arrays that ``train_g2p.py`` writes to float32."""

        def get(name: str) -> Array:
            return np.asarray(weights[name], dtype=np.float32)

        letters = str(weights["letters"])
        self._phonemes: list[str] = str(weights["phonemes"]).split()
        self._codes: dict[str, int] = {c: i for i, c in enumerate(letters)}
        self._layers: list[tuple[_Direction, _Direction]] = []
        while f"w{len(self._layers)}f" in weights:
            k = len(self._layers)
            fwd, bwd = (_Direction(*(get(f"{a}{k}{d}") for a in "wub")) for d in "fb")
            self._layers.append((fwd, bwd))
        # The input part of the first layer's gates depends only on the letter: tabulate it.
        embedding = get("embedding")
        self._tables = [embedding @ d.w + d.b for d in self._layers[0]]
        self._head_w = get("head_w")
        self._head_b = get("head_b")

    @classmethod
    def load(cls, source: str | PathLike[str] | bytes) -> G2p:
        """Read the weights from the path of an ``.npz`` file, or from its bytes."""
        file = io.BytesIO(source) if isinstance(source, bytes) else source
        with np.load(file, allow_pickle=False) as weights:
            return cls({name: weights[name] for name in weights.files})

    def phonemes(self, words: Sequence[str], batch_size: int = 256) -> list[list[str]]:
        """Return the phonemes of each word, in the order of ``words``.

        Case is ignored and characters other than a-z and the apostrophe are
        dropped; a word with nothing left has no phonemes.  Words of equal length
        are computed together, at most ``batch_size`` at a time.
        """
        result: list[list[str]] = [[] for _ in words]
        by_length: dict[int, list[tuple[int, list[int]]]] = {}
        for i, word in enumerate(words):
            codes = [self._codes[c] for c in word.lower() if c in self._codes]
            if codes:
                by_length.setdefault(len(codes), []).append((i, codes))
        for group in by_length.values():
            for start in range(0, len(group), batch_size):
                part = group[start : start + batch_size]
                best = self._classes(np.array([codes for _, codes in part]))
                for (i, _), row in zip(part, best.tolist(), strict=True):
                    result[i] = self._collapse(row)
        return result

    def _classes(self, codes: NDArray[np.int_]) -> NDArray[np.int_]:
        """Map letter codes (batch, time) to each slot's best class (batch, slots)."""
        batch, steps = codes.shape
        x: Array = np.empty(0, np.float32)
        for k, pair in enumerate(self._layers):
            n = pair[0].hidden
            out = np.empty((steps, batch, 2 * n), np.float32)
            for side, layer in enumerate(pair):
                if k == 0:
                    gates = self._tables[side][codes.T]
                else:
                    flat = x.reshape(steps * batch, -1) @ layer.w
                    flat += layer.b
                    gates = flat.reshape(steps, batch, -1)
                layer.run(gates, out[:, :, side * n : (side + 1) * n], reverse=side == 1)
            x = out
        logits = x.reshape(steps * batch, -1) @ self._head_w + self._head_b
        best: NDArray[np.int_] = logits.reshape(steps, batch, SLOTS, -1).argmax(axis=-1)
        return best.transpose(1, 0, 2).reshape(batch, steps * SLOTS)

    def _collapse(self, row: list[int]) -> list[str]:
        """Merge repeated classes, drop blanks and return the phonemes of the rest."""
        previous = [BLANK, *row[:-1]]
        kept = (c for p, c in zip(previous, row, strict=True) if c not in (p, BLANK))
        return [self._phonemes[c - 1] for c in kept]
