"""The tables of docs/same.md: pairs of written and spoken form that are found equal."""

from __future__ import annotations

import random
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from mondegreen.metrics.normalisation.normalise import normaliser
from mondegreen.values import LANGUAGES, same

Pair = tuple[str, str, str, str]
Forms = tuple[str, str]
"""How a value is written, and how it is said."""
_OURS = "same"
_LANGUAGES = tuple(language for language in LANGUAGES if language != "nl")  # no pairs of Dutch
_DRAWN = 5_000
_SEEDS = range(5)
_KINDS = (
    "only spaces, signs or case differ",
    "written the same, said in another way",
    "written otherwise, each is said as both",
    "only one is said as both",
)


def same_tables(shared: Path) -> str:
    """Return both tables, from the pairs beside the project."""
    pairs = list(_pairs(shared / "written_spoken" / "pairs.tsv"))
    return f"{_by_class(pairs)}\n\n{_by_normaliser(pairs)}\n\n{_by_chance(pairs)}"


def _pairs(path: Path) -> Iterator[Pair]:
    """Yield language, class and two texts; the cased classes count with the others."""
    for line in path.read_text(encoding="utf-8").splitlines():
        language, kind, _, one, other = line.split("\t")
        if language in _LANGUAGES:
            yield language, kind.removesuffix("_cased"), one, other


def _by_class(pairs: list[Pair]) -> str:
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for language in _LANGUAGES:
        mine = [pair for pair in pairs if pair[0] == language]
        verdicts = same([pair[2] for pair in mine], [pair[3] for pair in mine], language)
        for (_, kind, *_), equal in zip(mine, verdicts, strict=True):
            for key in (kind, "all"):
                counts[language, key][0] += equal
                counts[language, key][1] += 1
    kinds = sorted({kind for _, kind in counts} - {"all"})
    lines = [f"| class | {' | '.join(_LANGUAGES)} |", "|---" * (len(_LANGUAGES) + 1) + "|"]
    for kind in (*kinds, "all"):
        cells = []
        for language in _LANGUAGES:
            right, n = counts.get((language, kind), (0, 0))
            share = f"**{100 * right / n:.1f} %**" if kind == "all" and n else f"{right}/{n}"
            cells.append(share if n else "")
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _by_normaliser(pairs: list[Pair]) -> str:
    """Return how many pairs are equal after each normaliser, and by readings."""
    lines = ["| pairs that are equal | " + " | ".join(_LANGUAGES) + " |"]
    lines.append("|---" * (len(_LANGUAGES) + 1) + "|")
    for title, name in (("as written", "none"), ("`--normalise basic`", "basic"),
                        ("`--normalise whisper`", "whisper"), ("`same`", _OURS)):  # fmt: skip
        cells = []
        for language in _LANGUAGES:
            mine = [(one, two) for name_, _, one, two in pairs if name_ == language]
            cells.append(f"{100 * sum(_equal(mine, name, language)) / len(mine):.0f} %")
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _equal(pairs: list[tuple[str, str]], name: str, language: str) -> list[bool]:
    if name == _OURS:
        return same([pair[0] for pair in pairs], [pair[1] for pair in pairs], language)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Whisper's is for English: that is shown here
        clean = normaliser(name) or str
    return [clean(one) == clean(other) for one, other in pairs]


def _by_chance(pairs: list[Pair]) -> str:
    """Return how many random pairs of one class with other spoken forms are called the same."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for language in _LANGUAGES:
        drawn = [pair for seed in _SEEDS for pair in _drawn(pairs, language, seed)]
        found = same([one[0] for one, _ in drawn], [other[1] for _, other in drawn], language)
        for (one, other), equal in zip(drawn, found, strict=True):
            if equal:
                counts[language, "all"] += 1
                counts[language, _kind(one, other, language)] += 1
    lines = ["| random pairs called the same | " + " | ".join(_LANGUAGES) + " |"]
    lines.append("|---" * (len(_LANGUAGES) + 1) + "|")
    for kind in ("all", *_KINDS):
        n = len(_SEEDS) * _DRAWN
        cells = [f"{100 * counts[language, kind] / n:.2f} %" for language in _LANGUAGES]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _kind(one: Forms, other: Forms, language: str) -> str:
    """Return how two pairs are alike of which one is written as the other is said."""
    if _letters(one[1]) == _letters(other[1]):
        return _KINDS[0]
    if one[0].casefold() == other[0].casefold():
        return _KINDS[1]
    back = same([one[1]], [other[0]], language)[0]
    return _KINDS[2] if back else _KINDS[3]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _drawn(pairs: list[Pair], language: str, seed: int) -> list[tuple[Forms, Forms]]:
    by_kind: dict[str, list[Forms]] = defaultdict(list)
    for name, kind, *texts in pairs:
        if name == language:
            texts.sort(key=_has_digit, reverse=True)
            by_kind[kind].append((texts[0], texts[1]))
    rng = random.Random(seed)  # noqa: S311 (a draw that can be repeated)
    mine = [(kind, pair) for kind, found in by_kind.items() for pair in found]
    chosen: list[tuple[Forms, Forms]] = []
    while len(chosen) < _DRAWN:
        kind, one = rng.choice(mine)
        other = rng.choice(by_kind[kind])
        if one[1].casefold() != other[1].casefold():
            chosen.append((one, other))
    return chosen


def _has_digit(text: str) -> bool:
    return any(map(str.isdecimal, text))
