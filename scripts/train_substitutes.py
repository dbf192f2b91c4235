"""Teach the package's small model of context, by which synonyms are judged.

    python scripts/train_substitutes.py src/mondegreen/resources/languages/en/context.npz TEXT...

Each TEXT is a file with one sentence per line, in lower case and without punctuation. The file in
the package was made from the training sets of Schema-Guided Dialogue, NLU-ED, SNIPS, ATIS and
Disfl-QA, and from earnings22, Pang and Lee's reviews and NLTK's part of Switchboard.

1. Positions: at most ``CAP`` for each form of each word that
   languages/en/substitutes.txt can replace.
2. The teacher, the package's masked language model, judges every listed word at every position:
   45,000 positions and 3,800 words are 170 million judgements, in five minutes on one core.
3. The pupil (mondegreen.language.vocabulary.context) learns them by least squares; the word itself
   and its substitutes count more than the others.

What a score is worth was found by reading: 990 (sentence, word, substitute) were marked by hand as
right or wrong, and a logistic regression on them gave the weights in ``substitutes.py``.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from mondegreen.language.vocabulary.context import END, GROUPS, REACH, START, UNKNOWN
from mondegreen.language.vocabulary.lexicon import listed
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.language.vocabulary.thesaurus import PARTS

MODEL = Path(__file__).resolve().parents[1] / "src/mondegreen/resources/small-mlm"
CAP = 22  # positions of one form of a word
MOST = 45_000  # positions
LONGEST = 24  # words of a sentence
SIZE = 32  # of a vector
EPOCHS = 7
RARE = 4  # times that a word must be seen
BATCH = 256
FOUR = (*range(-REACH, 0), *range(1, REACH + 1))


class Position(NamedTuple):
    """A word in a sentence, and its part of speech."""

    tokens: tuple[str, ...]
    at: int
    part: str

    @property
    def choices(self) -> set[str]:
        """The word and its substitutes."""
        word = self.tokens[self.at]
        return {word, *(other for frame in listed(word, self.part) or () for other in frame.words)}


def positions(texts: list[Path], draw: random.Random) -> list[Position]:
    """Return positions of words that can be replaced, of each form about as many."""
    found: defaultdict[tuple[str, str], list[Position]] = defaultdict(list)
    for text in texts:
        for line in text.read_text(encoding="utf-8").splitlines():
            tokens = tuple(line.split())
            if len(tokens) > LONGEST:
                continue
            for at, (word, part) in enumerate(zip(tokens, tag(tokens), strict=True)):
                if part in PARTS and word.isalpha() and listed(word, part):
                    found[word, part].append(Position(tokens, at, part))
    chosen = [
        one for key in sorted(found) for one in draw.sample(found[key], min(CAP, len(found[key])))
    ]
    draw.shuffle(chosen)
    return chosen[:MOST]


def judged(places: list[Position], wanted: set[str]) -> tuple[list[str], NDArray[np.float16]]:
    """Return the words that the teacher knows, and their logarithmic chances at each position."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    teacher = onnxruntime.InferenceSession(MODEL / "model.int8.onnx", options)
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_padding()
    ids = tokenizer.get_vocab()
    mask = ids["[MASK]"]
    words = sorted(wanted & ids.keys())
    columns = [ids[word] for word in words]
    texts = [" ".join((*p.tokens[: p.at], "[MASK]", *p.tokens[p.at + 1 :])) for p in places]
    rows = [tokenizer.encode(text).ids for text in texts]
    by_length = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    scores = np.zeros((len(rows), len(words)), np.float16)
    for start in range(0, len(rows), 32):
        some = by_length[start : start + 32]
        longest = max(len(rows[i]) for i in some)
        inputs = np.zeros((len(some), longest), np.int64)
        for row, i in zip(inputs, some, strict=True):
            row[: len(rows[i])] = rows[i]
        at = np.array([rows[i].index(mask) for i in some])
        given = {"input_ids": inputs, "attention_mask": (inputs > 0).astype(np.int64)}
        (logits,) = teacher.run(None, {**given, "mask_pos": at})
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        scores[some] = logits[:, columns]
    return words, scores


def taught(
    places: list[Position], words: list[str], scores: NDArray[np.float16], rows: list[str]
) -> dict[str, torch.Tensor]:
    """Return the parameters of the pupil."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    index = {row: i for i, row in enumerate(rows)}
    column = {word: i for i, word in enumerate(words)}
    near = torch.tensor([[_row(p, p.at + far, index) for far in FOUR] for p in places])
    choices = [[column[one] for one in sorted(p.choices) if one in column] for p in places]
    width = max(map(len, choices))
    picked = torch.tensor([one + [0] * (width - len(one)) for one in choices])
    counts = torch.tensor([[1.0] * len(one) + [0.0] * (width - len(one)) for one in choices])
    wanted = torch.tensor(scores, dtype=torch.float32)
    size = (len(rows), SIZE), (max(GROUPS) + 1, SIZE), (len(words), SIZE)
    vectors = (torch.randn(size[0]) * 0.05).requires_grad_()
    weights = torch.ones(size[1], requires_grad=True)
    out = (torch.randn(size[2]) * 0.05).requires_grad_()
    bias = wanted.mean(dim=0).requires_grad_()
    adam = torch.optim.Adam((vectors, weights, out, bias), lr=0.01)
    groups = torch.tensor(GROUPS)
    loss = torch.zeros(())
    for epoch in range(EPOCHS):
        adam.param_groups[0]["lr"] = 0.01 * (1 - epoch / EPOCHS) + 0.0005
        order = torch.randperm(len(places))
        for start in range(0, len(places), BATCH):
            some = order[start : start + BATCH]
            around = (vectors[near[some]] * weights[groups]).sum(dim=1)
            own = out[picked[some]]
            found = (own * around[:, None]).sum(dim=2) + bias[picked[some]]
            miss = (found - wanted[some].gather(1, picked[some])) ** 2 * counts[some]
            loss = miss.sum() / counts[some].sum()
            if start // BATCH % 2 == 0:  # all the words, every other time
                loss = loss + 0.5 * ((around @ out.T + bias - wanted[some]) ** 2).mean()
            size_of_all = (vectors[near[some]] ** 2).sum() + (own**2).sum()
            loss = loss + 1e-4 * size_of_all / len(some)
            adam.zero_grad()
            loss.backward()
            adam.step()
        print(f"epoch {epoch + 1}: {loss.item():.2f}", flush=True)
    return {"near": vectors, "weights": weights, "vectors": out, "bias": bias}


def _row(place: Position, at: int, index: dict[str, int]) -> int:
    if at < 0:
        return START
    return END if at >= len(place.tokens) else index.get(place.tokens[at], UNKNOWN)


def _bytes(values: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return the rows of a matrix in steps of 1/127 of their greatest value, and the steps."""
    steps = np.abs(values).max(axis=1, keepdims=True) / 127 + 1e-9
    return np.rint(values / steps).astype(np.int8), steps.astype(np.float32)


def main() -> None:
    """Judge, teach and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("texts", type=Path, nargs="+")
    arguments = parser.parse_args()
    places = positions(arguments.texts, random.Random(5))  # noqa: S311 (not for secrets)
    words, scores = judged(places, {one for place in places for one in place.choices})
    print(f"{len(places):,} positions, {len(words):,} words judged", flush=True)
    seen = Counter(
        word
        for place in places
        for word in place.tokens[max(0, place.at - REACH) : place.at + REACH + 1]
    )
    rows = ["", "", "", *(word for word, n in seen.most_common(8000) if n >= RARE)]
    model = {k: v.detach().numpy() for k, v in taught(places, words, scores, rows).items()}
    near, near_scale = _bytes(model["near"])
    vectors, vector_scale = _bytes(model["vectors"])
    np.savez_compressed(
        arguments.output,
        rows="\n".join(rows),
        words="\n".join(words),
        near=near,
        near_scale=near_scale,
        weights=model["weights"],
        vectors=vectors,
        vector_scale=vector_scale,
        bias=model["bias"].astype(np.float16),
    )
    print(f"{arguments.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
