"""The tables of docs/same.md: pairs of written and spoken form that are found equal."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from mondegreen.metrics.normalisation.normalise import normaliser
from mondegreen.values import LANGUAGES, same

Pair = tuple[str, str, str, str]
_OURS = "same"


def same_tables(shared: Path) -> str:
    """Return both tables, from the pairs beside the project."""
    pairs = list(_pairs(shared / "written_spoken" / "pairs.tsv"))
    return f"{_by_class(pairs)}\n\n{_by_normaliser(pairs)}"


def _pairs(path: Path) -> Iterator[Pair]:
    """Yield language, class and two texts; the cased classes count with the others."""
    for line in path.read_text(encoding="utf-8").splitlines():
        language, kind, _, one, other = line.split("\t")
        if language in LANGUAGES:
            yield language, kind.removesuffix("_cased"), one, other


def _by_class(pairs: list[Pair]) -> str:
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for language in LANGUAGES:
        mine = [pair for pair in pairs if pair[0] == language]
        verdicts = same([pair[2] for pair in mine], [pair[3] for pair in mine], language)
        for (_, kind, *_), equal in zip(mine, verdicts, strict=True):
            for key in (kind, "all"):
                counts[language, key][0] += equal
                counts[language, key][1] += 1
    kinds = sorted({kind for _, kind in counts} - {"all"})
    lines = [f"| class | {' | '.join(LANGUAGES)} |", "|---" * (len(LANGUAGES) + 1) + "|"]
    for kind in (*kinds, "all"):
        cells = []
        for language in LANGUAGES:
            right, n = counts.get((language, kind), (0, 0))
            share = f"**{100 * right / n:.1f} %**" if kind == "all" and n else f"{right}/{n}"
            cells.append(share if n else "")
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _by_normaliser(pairs: list[Pair]) -> str:
    """Return how many pairs are equal after each normaliser, and by readings."""
    lines = ["| pairs that are equal | " + " | ".join(LANGUAGES) + " |"]
    lines.append("|---" * (len(LANGUAGES) + 1) + "|")
    for title, name in (("as written", "none"), ("`--normalise basic`", "basic"),
                        ("`--normalise whisper`", "whisper"), ("`same`", _OURS)):  # fmt: skip
        cells = []
        for language in LANGUAGES:
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
