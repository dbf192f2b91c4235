"""Phonemes: phoneme error rate, and feature error rate by how far sounds are from each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mondegreen import __version__
from mondegreen.align import DELETION, INSERTION, Alignment, TableAlignment, align_symbols
from mondegreen.align.costs import ONE
from mondegreen.data.pairs.transcripts import numbers
from mondegreen.errors import DataError
from mondegreen.language.sounds.phonology import SILENT, FeatureSystem, feature_system
from mondegreen.metrics.metric import Metric, Ratio, References, Section, Table, setting
from mondegreen.metrics.scores.score import Score, both_sides, with_totals
from mondegreen.metrics.words.alignments import alignment_block
from mondegreen.metrics.words.steps import Aligned

COLUMNS = (
    "hits", "substitutions", "deletions", "insertions", "features", "feature_error_quarters",
    "wrong", "utterances",
)  # fmt: skip
RATES = (
    Ratio.of(
        "phoneme_error_rate",
        "substitutions deletions insertions",
        "hits substitutions deletions",
        lower_is_better=True,
    ),
    Ratio(
        "feature_error_rate",
        lambda s: (s["feature_error_quarters"] / 4, s["features"]),
        lower_is_better=True,
    ),
)
_MANY = 200  # phonemes: of a larger table only the costs of those that occur are computed
_MATRIX = 60  # pairs of phonemes in a report
_CONFUSED = 20  # rows of a table in a report
_ACTIONS = ("EQ", "SUB", "DEL", "INS")


@dataclass(frozen=True)
class PhonemeDetail(Aligned):
    """The transcripts as they were compared, and both alignments."""

    system: FeatureSystem
    refs: list[str]
    hyps: list[str]
    alignment: Alignment
    features: TableAlignment

    @property
    def ends(self) -> Any:
        """The place where the steps of each utterance end."""
        return self.alignment.ends

    def nist_steps(self) -> Iterator[list[int]]:
        """Yield the steps of each utterance, aligned with unit costs."""
        return (self.of(item).tolist() for item in range(len(self.refs)))

    def sides(self, item: int) -> tuple[str, str]:
        """Return both transcripts."""
        return self.refs[item], self.hyps[item]


def phonemes(
    refs: Sequence[str],
    hyps: Sequence[str],
    *,
    ids: Sequence[str] | None = None,
    system: str = "hayes-arpabet",
    lenient: bool = False,
) -> Score:
    """Score phonemes: transcripts in ARPAbet or IPA, separated by spaces.

    IPA may be written without spaces and tie bars; it is split into the longest phonemes.

    ``<sil> <spn> <unk>`` are not counted.

    Args:
        refs: the references.
        hyps: the hypotheses, in the same order.
        ids: the ids of the utterances; by default their numbers.
        system: ``hayes-arpabet``, ``hayes-ipa``, ``panphon``, or a file of features.
        lenient: drop stress digits and marks of stress and length; accept ARPAbet in lower case.

    >>> score = phonemes(["K AE T"], ["G AE T"])
    >>> score["phoneme_error_rate"].value, score["feature_error_rate"].numerator
    (0.3333333333333333, 1)

    Raises:
        DataError: naming the utterance and the symbol that is unknown.
    """
    refs, hyps = both_sides(refs, hyps, ids)
    names = tuple(ids) if ids is not None else numbers(len(refs))
    table = feature_system(system)
    left, right = refs, hyps
    if lenient:
        left, right = (_checked(side, names, table, lenient=True) for side in (refs, hyps))
    found = _aligned(table, left, right)
    if found is None:  # some symbols are unknown, or IPA without spaces
        left, right = (_checked(side, names, table, lenient=False) for side in (left, right))
        found = _aligned(table, left, right)
    if found is None:
        raise AssertionError("unreachable: all symbols are known")
    plain, features = found
    counts = np.column_stack(
        [
            plain.counts,
            plain.counts[:, :3].sum(axis=1) * len(table.features),
            features.costs * 4 // ONE,
        ]
    )
    return Score(
        PHONEMES,
        f"mondegreen|phonemes|system:{system}{'|lenient' if lenient else ''}|v:{__version__}",
        with_totals(counts, [0, 1, 1, 1, 0, 0]),
        names,
        None,
        PhonemeDetail(table, left, right, plain, features),
    )


def _aligned(
    table: FeatureSystem, left: list[str], right: list[str]
) -> tuple[Alignment, TableAlignment] | None:
    """Align by phonemes and by features; ``None`` if a symbol is unknown."""
    symbols, costs = table.symbols, None
    if len(symbols) > _MANY:
        used = {symbol for side in (left, right) for text in side for symbol in text.split()}
        symbols = [symbol for symbol in symbols if symbol in used]
        costs = table.costs_of(symbols)
    return align_symbols(left, right, symbols, tuple(SILENT), *(costs or table.costs))


def _checked(
    texts: Sequence[str], ids: Sequence[str], system: FeatureSystem, *, lenient: bool
) -> list[str]:
    """Return the transcripts in the symbols of the table; an unknown symbol is an error."""
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
    """Return which phoneme was confused with which, and how often; ``-`` stands for none."""
    found: Counter[tuple[str, str]] = Counter()
    for row in trace(score):
        for step in row["steps"]:
            if step["action"] != "EQ":
                found[step["from"] or "-", step["to"] or "-"] += 1
    return found


def costly_features(score: Score) -> Counter[str]:
    """Return the total cost of each feature's errors."""
    found: Counter[str] = Counter()
    for row in trace(score):
        for step in row["steps"]:
            for change in step["features"]:
                found[change["name"]] += change["cost"]
    return found


@dataclass(frozen=True)
class PhonemeSettings:
    """What changes the numbers."""

    system: str = setting(
        default="hayes-arpabet",
        help="Feature system: hayes-arpabet, hayes-ipa, panphon, or a CSV or TSV file of features.",
        metavar="NAME",
    )
    lenient: bool = setting(
        default=False,
        help="Drop stress digits and marks of stress and length; accept ARPAbet in lower case.",
    )


@dataclass(frozen=True)
class PhonemeDisplay:
    """What only shows or writes more."""

    trace: Path | None = setting(
        default=None,
        help="Write every step and every feature that changes as JSON lines.",
        metavar="FILE",
    )
    confusions: int = setting(
        default=0,
        help="Print the N most confused phonemes and the N most costly features.",
        metavar="N",
    )


class Phonemes(Metric):
    """Phoneme and feature error rate."""

    name = "phonemes"
    summary = "Phoneme error rate, and feature error rate by how far sounds are apart."
    help = """Score the phonemes of HYP against those of REF: phoneme error rate, and feature error
    rate, which counts how far a sound is from the one it stands for.

    REF has the columns utterance_id and transcript, HYP has utterance_id and asr_transcript; plain
    transcripts (.txt, .trn, Kaldi's text) are read as well. <sil> <spn> <unk> are not counted."""
    examples = (
        "phonemes --ref valid.tsv --hyp valid-asr.tsv --trace trace.jsonl",
        "phonemes --ref ref.txt --hyp hyp.txt --lenient",
        "phonemes --pairs pairs.tsv --system hayes-ipa",
    )
    columns = COLUMNS
    rates = RATES
    main = ("feature_error_rate",)
    settings = PhonemeSettings
    display = PhonemeDisplay
    phonemes = True
    rescores = True

    def score(self, refs: References, hyps: Sequence[str], settings: PhonemeSettings) -> Score:
        """Score phonemes."""
        return phonemes(refs.items, hyps, ids=refs.file.ids, **asdict(settings))

    def tally(
        self,
        score: Score,
        refs: References,  # noqa: ARG002
        display: PhonemeDisplay,
    ) -> dict[str, Counter[Any]]:
        """Count confused phonemes and costly features."""
        if not display.confusions:
            return {}
        return {"phonemes": confused(score), "features": costly_features(score)}

    def sections(self, score: Score, refs: References, display: PhonemeDisplay) -> list[Section]:  # noqa: ARG002
        """Return the most confused phonemes."""
        n = display.confusions
        if not n:
            return []
        found = {name: counts.most_common(n) for name, counts in score.tallies.items()}
        lines = ["\nmost confused"]
        lines += [f"{count:8,}  {ref} → {hyp}" for (ref, hyp), count in found["phonemes"]]
        lines.append("\nmost costly features")
        lines += [f"{cost:8,.2f}  {name}" for name, cost in found["features"]]
        return [Section("confusions", found, lines)]

    def files(self, score: Score, display: PhonemeDisplay) -> Iterable[tuple[Path, Iterable[str]]]:
        """Write every step."""
        if display.trace is not None:
            yield display.trace, (msgspec.json.encode(row).decode() for row in trace(score))

    def rescore(self, refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
        """Align transcripts again."""
        return phonemes(refs, hyps, system=recipe["system"])

    def tables(self, score: Score) -> Iterator[Table]:
        """Yield confused phonemes and costly features."""
        pairs = tuple((a, b, n) for (a, b), n in confused(score).most_common(_MATRIX))
        yield Table("Confused phonemes", ("reference", "hypothesis", "times"), pairs, "matrix")
        costly = tuple(costly_features(score).most_common(_CONFUSED))
        yield Table("Features that cost most", ("feature", "cost"), costly, "bars")

    def blocks(self, score: Score) -> dict[str, Any]:
        """Return the alignment, step by step."""
        return alignment_block(score) | {"trace": next(trace(score))["steps"]}


PHONEMES = Phonemes()
