"""Calls of the compiled kernel with arguments of wrong types and sizes, for scripts/fuzz.py."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mondegreen as mg
from fuzz_targets import Target
from mondegreen.errors import MondegreenError
from mondegreen.kernel import compiled
from mondegreen.operators.options import Choice, LaterOptions, Letters, Others, Swap
from mondegreen.text.words import word_of

EXPECTED = (
    ValueError, TypeError, OverflowError, IndexError, RuntimeError, MemoryError, AttributeError,
    KeyError, MondegreenError,
)  # fmt: skip
"""What the kernel may raise; a crash ends the process, and a sanitiser does with a report."""


def kernel_target() -> Target:
    """Return the target of all functions of the kernel."""
    return Target("kernel", [bytes(range(64))], _call)


def _call(content: bytes, _work: Path) -> None:
    if compiled is None:
        return
    rng = random.Random(content)
    name = rng.choice(sorted(CALLS))
    try:
        CALLS[name](compiled, rng)
    except EXPECTED:
        return


def _text(rng: random.Random) -> str:
    words = (
        "play",
        "jazz",
        "JAZZ,",
        "",
        "é",
        "日本",
        "\ud800",
        " ",
        "a b",
        "x" * 70,
        "don't",
        "\0",
    )
    return rng.choice(("", " ", "\n")).join(rng.choices(words, k=rng.randrange(6)))


def _odd(rng: random.Random) -> Any:
    odd: tuple[Any, ...] = (
        None,
        1.5,
        -1,
        2**70,
        b"x",
        "x",
        [],
        (),
        {},
        object(),
        float("nan"),
        True,
        [1],
        ("a",),
    )
    return rng.choice(odd)


def _tokens(rng: random.Random) -> Any:
    tokens = [_text(rng) for _ in range(rng.randrange(80 if rng.random() < 0.1 else 6))]
    kind = rng.randrange(6)
    if kind == 0:
        return tuple(tokens)
    if kind == 1:
        return (("".join(list(token))) for token in tokens)
    if kind == 2 and all("\0" not in token and "\ud800" not in token for token in tokens):
        return np.array(tokens, str)
    return _odd(rng) if kind == 3 and rng.random() < 0.2 else tokens


def _side(rng: random.Random) -> Any:
    n, kind = rng.choice((0, 1, 2, 2, 70)), rng.randrange(20)
    if kind == 0:
        return _odd(rng)
    if kind < 8:
        return [_text(rng) for _ in range(n)]
    if kind < 18:
        return [_tokens(rng) for _ in range(n)]
    return [rng.choice((_text, _tokens))(rng) for _ in range(n)]


def _number(rng: random.Random, high: int = 6) -> int:
    return rng.choice((0, 1, 2, high, -1, 2**31, 2**40, 2**63 - 1, rng.randrange(high + 1)))


def _small(rng: random.Random, n: int, high: int = 5) -> list[int]:
    values = [rng.randrange(high) for _ in range(n)]
    if values and rng.random() < 0.1:
        values[0] = _number(rng)
    return values


def _align(k: Any, rng: random.Random) -> None:
    refs, hyps = _side(rng), _side(rng)
    if isinstance(refs, list) and isinstance(hyps, list) and rng.random() < 0.8:
        hyps = (hyps * (len(refs) + 1))[: len(refs)] if hyps else refs
    marks: Any = None
    if isinstance(refs, list) and rng.random() < 0.5:
        marks = [
            rng.choice((None, b"", bytes(rng.randrange(3) for _ in range(rng.randrange(5)))))
            for _ in refs
        ]
    costs = _small(rng, rng.choice((8, 8, 8, 3)))
    k.align(refs, hyps, costs, rng.random() < 0.3, _number(rng), marks, ["I"], rng.random() < 0.5)


def _symbols(k: Any, rng: random.Random) -> None:
    size = rng.randrange(4)
    table = np.array(_small(rng, size * size), np.int64).reshape(size, size)
    alone = np.array(_small(rng, rng.choice((size, size, 2))), np.int64)
    symbols = [chr(97 + i) for i in range(rng.choice((size, size, 3)))]
    texts = [" ".join(rng.choices("abcd ", k=4)) for _ in range(3)]
    k.align_symbols(texts, texts[: rng.choice((3, 3, 2))], symbols, [" ", "d"], table, alone)


def _networks(k: Any, rng: random.Random) -> None:
    def arcs() -> list[tuple[int, int, int, bool]]:
        n = rng.randrange(6)
        found = [(rng.randrange(i + 1), i + 1, rng.randrange(-1, 4), bool(i % 2)) for i in range(n)]
        if found and rng.random() < 0.2:
            found[rng.randrange(n)] = (*_small(rng, 3, 9), True)  # type: ignore[assignment]
        return found

    pairs = [(rng.randrange(4), rng.randrange(4))]
    k.align_networks(arcs(), arcs(), _small(rng, rng.choice((4, 4, 4, 2))), pairs)


def _alike(k: Any, rng: random.Random) -> None:
    size = rng.randrange(4)
    entries = [_small(rng, rng.randrange(5), max(1, size)) for _ in range(rng.randrange(5))]
    table = _small(rng, rng.choice((size * size, size * size, 3)))
    k.Alike(entries, table, _small(rng, size)).find(_small(rng, 3, max(1, size)), _number(rng))


def _resample(k: Any, rng: random.Random) -> None:
    rows = np.array(_small(rng, 12), np.int64).reshape(rng.choice(((4, 3), (12, 1), (3, 4))))
    k.resample(rows, 7, rng.choice((0, 1, 50, 2**62)), _number(rng))


def _draws(k: Any, rng: random.Random) -> None:
    draw = k.Draw(rng.randrange(2**64), rng.randrange(2**64))
    rng.choice((
        lambda: draw.weighted(_small(rng, rng.randrange(4))),
        lambda: draw.choice(_odd(rng)),
        lambda: draw.below(abs(_number(rng))),
        lambda: k.walk(rng.randrange(2**64), *_small(rng, 2, 50), rng.randrange(2**53), 3),
        lambda: k.key(b"x", _text(rng)),
    ))()  # fmt: skip


def _nearest(k: Any, rng: random.Random) -> None:
    words = [_text(rng) if rng.random() < 0.9 else _odd(rng) for _ in range(5)]
    k.Nearest(words).find(_text(rng), abs(_number(rng)))
    ids = k.Ids()
    for word in words:
        ids.add(word)


def _utterance(rng: random.Random) -> mg.Utterance:
    tokens: Any = [token or "x" for token in (_text(rng) for _ in range(rng.randrange(6)))]
    slots: Any = (mg.Slot("a", 0, 1),) if tokens and rng.random() < 0.4 else ()
    if rng.random() < 0.2:
        slots = list(slots)
    if rng.random() < 0.8:
        tokens = tuple(tokens)
    raw: Any = rng.choice((None, None, " ".join(tokens), _odd(rng)))
    return mg.Utterance("u", tokens, slots, None, raw)


def _rewrite(k: Any, rng: random.Random) -> None:
    def edit() -> mg.Edit:
        start = rng.choice((0, 0, 1, 2, -1, 1.5, 2**70))
        tokens: Any = rng.choice((("uh",), (), ["uh"], "uh", (7,), None, ("日本",)))
        return mg.Edit(start, rng.choice((start, 1, 2)), tokens, "x", "y")  # type: ignore[arg-type]

    edits = tuple(edit() for _ in range(rng.randrange(3)))
    k.rewrite(_utterance(rng), edits, mg.Slot)
    mg.apply_edits(_utterance(rng), edits, id="v")


def _rewriter(k: Any, rng: random.Random) -> None:
    def option(depth: int = 0) -> Any:
        kind = rng.randrange(7)
        if kind == 0 and depth < 3:
            options = tuple(option(depth + 1) for _ in range(rng.randrange(3)))
            return Choice(options, tuple(_small(rng, rng.choice((0, len(options), 2)))))
        if kind == 1 and depth < 3:
            return LaterOptions(lambda _: option(depth + 1), "play")
        if kind == 2:
            places: Any = rng.choice((((0, "xy"),), (), ((9, "x"),), ((0, ""),), [(0, "x")]))
            return Letters("letters", "play", places)
        if kind == 3:
            word: Any = word_of("Play,", 1)
            return Others("others", word, tuple(rng.choices(("stop", "go on", ""), k=2)))
        if kind == 4:
            return _odd(rng)
        tokens: Any = rng.choice((("go",), (), ["go"], "go", (1,), ("é",)))
        return Swap("swap", tokens)

    types = (Swap, Others, Letters, Choice, LaterOptions)
    rewriter = k.Rewriter(
        mg.Edit, mg.Slot, mg.Variant, types, "x", rng.random() < 0.3, lambda _: option()
    )
    for _ in range(3):
        share = rng.choice((0.0, 0.3, 1.0, -1.0, float("nan"), 1e300))
        rewriter.rewrite(_utterance(rng), "v", b"p", rng.randrange(2**53), share, ())


def _tagger(k: Any, rng: random.Random) -> None:
    kinds = {
        "keys": np.uint32, "ends": np.uint32, "targets": np.uint8, "weights": np.int16,
        "lexicon": np.uint32, "kinds": np.uint8, "cues": np.uint32, "leanings": np.int8,
    }  # fmt: skip
    model: Any = {
        name: np.array(_small(rng, rng.choice((0, 2, 2)), 3), kind) for name, kind in kinds.items()
    }
    size = rng.randrange(1, 3)
    model["transitions"] = np.zeros((size, rng.choice((size, 2))), np.int16)
    model["tags"] = np.array("A B"[: rng.choice((1, 3))])
    tagger = k.Tagger(model, lambda token: rng.choice((token.encode(), b"", "x")))
    tagger.tag(tuple(_text(rng) for _ in range(3)))


def _hearing(k: Any, rng: random.Random) -> None:
    from mondegreen.language.vocabulary.ngram import trigram

    size = rng.randrange(1, 4)
    ways = [_small(rng, rng.randrange(1, 4), size) for _ in range(3)]
    words = ["play", "jazz", "unknownword"][: rng.choice((3, 3, 2))]
    hearing = k.Hearing(ways, words, _small(rng, size * size), _small(rng, size), trigram())
    limits = [16, 8, 1000, 300, rng.choice((1, 24, 0))][: rng.choice((5, 5, 4))]
    if rng.random() < 0.2:
        limits[0] = _number(rng)
    barred = [("play", (0, 1))]
    hearing.hear(_small(rng, rng.randrange(6), size), ["a"], ["b"], barred, limits, _number(rng))


CALLS: dict[str, Callable[[Any, random.Random], None]] = {
    "align": _align,
    "alike": _alike,
    "distances": lambda k, rng: k.distances(_side(rng), _side(rng), _number(rng)),
    "draws": _draws,
    "hearing": _hearing,
    "nearest": _nearest,
    "networks": _networks,
    "nist": lambda k, rng: k.align_nist(_side(rng), _side(rng), 2),
    "resample": _resample,
    "rewrite": _rewrite,
    "rewriter": _rewriter,
    "symbols": _symbols,
    "tagger": _tagger,
}
