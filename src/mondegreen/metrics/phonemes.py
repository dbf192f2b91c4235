"""Phonemes: phoneme error rate, and feature error rate by how far sounds are from each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mondegreen import __version__
from mondegreen.align import DELETION, INSERTION, Alignment, TableAlignment, align_symbols
from mondegreen.align.costs import ONE
from mondegreen.errors import DataError
from mondegreen.language.phonology import SILENT, FeatureSystem, feature_system
from mondegreen.metrics.score import Ratio, Score, check_sides, numbers, with_totals

COLUMNS = (
    "hits", "substitutions", "deletions", "insertions", "features", "feature_error_quarters",
    "wrong", "utterances",
)  # fmt: skip
RATES: dict[str, Ratio] = {
    "phoneme_error_rate": lambda s: (
        s["substitutions"] + s["deletions"] + s["insertions"],
        s["hits"] + s["substitutions"] + s["deletions"],
    ),
    "feature_error_rate": lambda s: (s["feature_error_quarters"] / 4, s["features"]),
}
_MANY = 200  # phonemes: of a larger table only those that occur are worked out
_ACTIONS = ("EQ", "SUB", "DEL", "INS")


@dataclass(frozen=True)
class PhonemeDetail:
    """The transcripts as they were compared, and both alignments."""

    system: FeatureSystem
    refs: list[str]
    hyps: list[str]
    alignment: Alignment
    features: TableAlignment

    @property
    def ends(self) -> Any:
        """Where the steps of each utterance end."""
        return self.alignment.ends

    def of(self, item: int) -> Any:
        """The steps of one utterance, all errors alike."""
        return self.alignment.of(item)

    def sides(self, item: int) -> tuple[str, str]:
        """Both transcripts."""
        return self.refs[item], self.hyps[item]


def phonemes(
    refs: Sequence[str],
    hyps: Sequence[str],
    *,
    ids: Sequence[str] | None = None,
    system: str = "hayes-arpabet",
    lenient: bool = False,
) -> Score:
    """Score phonemes: transcripts in ARPAbet or IPA, set apart by spaces.

    ``<sil> <spn> <unk>`` cost and count nothing.

    Args:
        refs: what should have been said.
        hyps: what was heard.
        ids: the utterances' names; their numbers otherwise.
        system: ``hayes-arpabet``, ``hayes-ipa``, ``panphon``, or a file of features.
        lenient: drop stress digits, and accept ARPAbet in lower case.

    >>> score = phonemes(["K AE T"], ["G AE T"])
    >>> score["phoneme_error_rate"].value, score["feature_error_rate"].numerator
    (0.3333333333333333, 1)

    Raises:
        DataError: naming the utterance and the symbol that is unknown.
    """
    check_sides(refs, hyps, ids)
    names = tuple(ids) if ids is not None else numbers(len(refs))
    table = feature_system(system)
    said, heard = list(refs), list(hyps)
    if lenient:
        said, heard = (_checked(side, names, table, lenient=True) for side in (refs, hyps))
    symbols, costs = table.symbols, None
    if len(symbols) > _MANY:
        used = {symbol for side in (said, heard) for text in side for symbol in text.split()}
        symbols = [symbol for symbol in symbols if symbol in used]
        costs = table.costs_of(symbols)
    found = align_symbols(said, heard, symbols, tuple(SILENT), *(costs or table.costs))
    if found is None:
        for side in (said, heard):
            _checked(side, names, table, lenient=False)
        raise AssertionError("unreachable: one of the transcripts has an unknown symbol")
    plain, features = found
    counts = np.column_stack(
        [
            plain.counts,
            plain.counts[:, :3].sum(axis=1) * len(table.features),
            features.costs * 4 // ONE,
        ]
    )
    return Score(
        "phonemes",
        f"mondegreen|phonemes|system:{system}{'|lenient' if lenient else ''}|v:{__version__}",
        COLUMNS,
        with_totals(counts, [0, 1, 1, 1, 0, 0]),
        RATES,
        names,
        None,
        PhonemeDetail(table, said, heard, plain, features),
    )


def _checked(
    texts: Sequence[str], ids: Sequence[str], system: FeatureSystem, *, lenient: bool
) -> list[str]:
    """Transcripts in the table's own symbols; the first that is not is an error."""
    found = []
    for id, text in zip(ids, texts, strict=True):
        try:
            found.append(" ".join(system.read(text, lenient=lenient)))
        except DataError as error:
            raise DataError(f"utterance {id!r}: {error}") from None
    return found


def trace(score: Score) -> Iterator[dict[str, Any]]:
    """Yield how each utterance's features were compared, step by step."""
    detail: PhonemeDetail = score.detail
    rows = score.counts[:, [1, 2, 3, 5]].tolist()
    for item, (id, (s, d, i, quarters)) in enumerate(zip(score.ids, rows, strict=True)):
        yield {
            "id": id,
            "reference": detail.refs[item],
            "hypothesis": detail.hyps[item],
            "phoneme_errors": s + d + i,
            "feature_errors": quarters / 4,
            "steps": list(_steps(detail, item)),
        }


def _steps(detail: PhonemeDetail, item: int) -> Iterator[dict[str, Any]]:
    ref, hyp = (iter(detail.system.read(side[item])) for side in (detail.refs, detail.hyps))
    size = len(detail.system.features)
    for step in detail.features.of(item).tolist():
        before = None if step == INSERTION else next(ref)
        after = None if step == DELETION else next(hyp)
        changes = detail.system.changes(before, after)
        yield {
            "action": _ACTIONS[step],
            "from": before,
            "to": after,
            "cost": f"{sum(change.quarters for change in changes) / 4:g}/{size}",
            "features": [
                {"name": c.name, "from": c.before, "to": c.after, "cost": c.quarters / 4}
                for c in changes
            ],
        }


def confused(score: Score) -> Counter[tuple[str, str]]:
    """Return which phoneme was taken for which, and how often; ``-`` for none."""
    found: Counter[tuple[str, str]] = Counter()
    for row in trace(score):
        for step in row["steps"]:
            if step["action"] != "EQ":
                found[step["from"] or "-", step["to"] or "-"] += 1
    return found


def costly_features(score: Score) -> Counter[str]:
    """Return what each feature's errors cost, in features."""
    found: Counter[str] = Counter()
    for row in trace(score):
        for step in row["steps"]:
            for change in step["features"]:
                found[change["name"]] += change["cost"]
    return found
