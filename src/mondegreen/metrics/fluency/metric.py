"""Fluency: errors on the words to keep, and on the disfluent words to remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mondegreen import __version__
from mondegreen.align import Marks, align
from mondegreen.align.costs import FLUENCY as COSTS
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts, numbers
from mondegreen.errors import DataError
from mondegreen.metrics.fluency.clean_up import COLUMNS as CLEAN_UP_COLUMNS
from mondegreen.metrics.fluency.clean_up import DISFLUENT, FLUENT, count_stale
from mondegreen.metrics.fluency.clean_up import RATES as CLEAN_UP_RATES
from mondegreen.metrics.fluency.detail import FluencyDetail
from mondegreen.metrics.fluency.disfluent_words import (
    MarkedReferences,
    case_flags,
    marked_by_case,
    marked_by_tags,
)
from mondegreen.metrics.fluency.marked_files import Upper, marked_parts
from mondegreen.metrics.metric import (
    Files,
    Metric,
    Part,
    Ratio,
    References,
    Section,
    Table,
    setting,
)
from mondegreen.metrics.normalisation.normalise import label, lowered, normaliser, prepared
from mondegreen.metrics.scores.score import Score, both_sides, with_totals
from mondegreen.metrics.words.alignments import (
    alignment_block,
    alignment_lines,
    most_frequent,
    shown_alignments,
)
from mondegreen.text.items import Item, words_of
from mondegreen.text.segment import mostly_unspaced, split

COLUMNS = (
    "fluent_copies",
    "fluent_substitutions",
    "fluent_deletions",
    "fluent_insertions",
    "disfluent_copies",
    "disfluent_substitutions",
    "disfluent_deletions",
    "disfluent_insertions",
    "wrong",
    "utterances",
)
RATES = (
    Ratio.of(
        "fluent_error_rate",
        "fluent_substitutions fluent_deletions fluent_insertions",
        FLUENT,
        lower_is_better=True,
    ),
    Ratio.of(
        "disfluent_error_rate",
        "disfluent_copies disfluent_substitutions disfluent_insertions",
        DISFLUENT,
        lower_is_better=True,
    ),
    *Ratio.agreement(
        "edited", "disfluent_deletions", "disfluent_deletions fluent_deletions", DISFLUENT
    ),
)
INSERTIONS = ("fluent", "region")
FLUENT_TAGS = frozenset(("O", "C", ""))


def fluency(
    refs: Sequence[Item],
    hyps: Sequence[Item],
    *,
    tags: Sequence[Sequence[str]] | None = None,
    fluent_tags: Collection[str] = FLUENT_TAGS,
    ids: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    insertions: str = "fluent",
    ignore_case: bool = False,
    normalise: str = "none",
    clean_up: bool = False,
    unspaced: bool | None = None,
    threads: int = 1,
) -> Score:
    """Score recognition and disfluency removal together.

    Where case marks the disfluent words, it is not compared.

    Args:
        refs: the references; disfluent words are in UPPERCASE, unless ``tags`` mark them.
        hyps: the hypotheses, in the same order.
        tags: one tag per word of each reference; any but ``fluent_tags`` marks a disfluent word.
        fluent_tags: the tags of fluent words.
        ids: the ids of the utterances; by default their numbers.
        keep: words in upper case that are fluent, such as "I".
        insertions: ``fluent``, or ``region`` to count an insertion beside a disfluent word as
            disfluent.
        ignore_case: compare in lower case, where tags mark the disfluent words.
        normalise: ``none``, ``basic``, ``whisper`` or a file of rules, for both sides.
        clean_up: also count what was kept, dropped, lost, invented and left stale; without another
            normaliser, punctuation and case do not count.
        unspaced: whether to compare scripts without spaces by character; by default, if most
            references are in one.
        threads: how many threads to use.

    >>> score = fluency(["UH play THE the jazz"], ["play the jaws"])
    >>> score["fluent_error_rate"].value, score["disfluent_error_rate"].value
    (0.3333333333333333, 0.0)

    Raises:
        DataError: if the numbers of tags and words, or of references and hypotheses, differ.
    """
    if insertions not in INSERTIONS:
        raise DataError(f"insertions must be {' or '.join(INSERTIONS)}, got {insertions!r}")
    written = refs, hyps = both_sides(refs, hyps, ids)
    if unspaced is None:
        unspaced = mostly_unspaced(" ".join(words_of(ref)) for ref in refs)
    if unspaced:
        refs, hyps = _split_all(refs), _split_all(hyps)
    normalise = "basic" if clean_up and normalise == "none" else normalise
    prepare = normaliser(normalise)
    if tags is None:
        marked = marked_by_case(refs, keep, prepare)
    else:
        marked = marked_by_tags(refs, tags, fluent_tags, prepare)
    lower = tags is None or ignore_case
    left, hyps = marked.refs, prepared(hyps, prepare)
    if lower:
        small = lowered(left, hyps)
        left, hyps = left if tags is None else small[0], small[1]
    marks = Marks(marked.flags, (), regions=insertions == "region")
    alignment = align(left, hyps, COSTS, marks=marks, threads=threads)
    stale = count_stale(left, _flags(left, marked), marked.tags, alignment) if clean_up else None
    marking = "tags" if tags is not None else "upper" + (f"-{'+'.join(keep)}" if keep else "")
    recipe = [
        f"marks:{marking}",
        *([f"norm:{label(normalise)}"] if prepare is not None else []),
        *(["case:ignored"] if ignore_case else []),
        *(["unit:mixed"] if unspaced else []),
        f"insertions:{insertions}",
        "costs:fluency",
    ]
    return Score(
        FLUENCY,
        f"mondegreen|fluency|{'|'.join(recipe)}|v:{__version__}",
        with_totals(alignment.counts, [0, 1, 1, 1, 1, 1, 0, 1], stale),
        tuple(ids) if ids is not None else numbers(len(left)),
        None,
        FluencyDetail(left, hyps, alignment, marked, written),
        columns=(*COLUMNS[:-2], *(CLEAN_UP_COLUMNS if clean_up else ()), *COLUMNS[-2:]),
    )


def _flags(refs: Sequence[Item], marked: MarkedReferences) -> list[bytes]:
    """Return which words of each reference are disfluent."""
    given = marked.flags or [None] * len(refs)
    return [
        bytes(case_flags(words_of(ref), ())) if row is None else row
        for ref, row in zip(marked.refs, given, strict=True)
    ]


def _split_all(items: list[Item]) -> list[Item]:
    """Split texts into written characters."""
    return [split(item) if isinstance(item, str) else item for item in items]


@dataclass(frozen=True)
class FluencySettings:
    """What changes the numbers."""

    keep: tuple[str, ...] = setting(
        default=(),
        help="A word that is fluent even in upper case, such as I. Repeatable.",
        metavar="WORD",
    )
    insertions: str = setting(
        default="fluent",
        help="Where an insertion counts: always as fluent, or as disfluent if it is beside a "
        "disfluent word (region).",
        metavar="fluent|region",
    )
    ignore_case: bool = setting(
        default=False, help="Compare in lower case, where tags mark the disfluent words."
    )
    normalise: str = setting(
        default="none",
        help="Normaliser to apply to both sides before words are compared; marks are kept.",
        metavar="none|basic|whisper|FILE",
    )
    clean_up: bool = setting(
        default=False,
        help="Judge a clean-up, such as that of a dictation app: what was kept, dropped, lost, "
        "invented, and what was taken back but kept instead of its repair (stale). Punctuation "
        "and case do not count, unless --normalise says so.",
    )
    ledger: Path | None = setting(
        default=None,
        help="The ledger of a perturbed REF: the words that it inserted are the disfluent ones.",
        metavar="FILE",
    )


@dataclass(frozen=True)
class FluencyDisplay:
    """What only shows or writes more."""

    types: bool = setting(default=False, help="Print what became of the words of each tag.")
    align: bool = setting(default=False, help="Print the alignment of every utterance.")
    errors: bool = setting(default=False, help="Print the alignment of the utterances with errors.")
    align_file: Path | None = setting(
        default=None, help="Write the alignment of every utterance to a file.", metavar="FILE"
    )


def _count_lines(counts: Sequence[int]) -> list[str]:
    return [
        f"Fluent:    (#C #S #D #I) {' '.join(map(str, counts[:4]))}",
        f"Disfluent: (#C #S #D #I) {' '.join(map(str, counts[4:8]))}",
    ]


def _types(found: Mapping[str, Counter[str]]) -> Section:
    lines = ["\ntag            words  dropped     kept  changed"]
    for tag, counts in sorted(found.items()):
        note = "  (fluent: what is dropped here is lost)" if tag in FLUENT_TAGS else ""
        figures = " ".join(f"{counts[name]:8,}" for name in ("dropped", "kept", "changed"))
        lines.append(f"{tag:12} {sum(counts.values()):7,} {figures}{note}")
    return Section("types", dict(sorted(found.items())), lines)


class Fluency(Metric):
    """Errors on the words to keep, and on the disfluent words to remove."""

    name = "fluency"
    summary = "Fluent and disfluent error rate: recognition and disfluency removal together."
    help = """Score HYP against a REF whose disfluent words are marked: error rate on the fluent
    words, which should stay, and on the disfluent words, which should go.

    Disfluent words of REF are in UPPERCASE, or marked by a column tags (any tag but O and C), by
    the edits of a perturbed set, or by its ledger."""
    examples = (
        "fluency --ref marked.txt --hyp system.txt --keep I",
        "fluency --ref turns.tsv --hyp system.jsonl --types",
        "fluency --ref noisy.jsonl --hyp system.jsonl --insertions region --align",
    )
    columns = COLUMNS
    rates = (*RATES, *CLEAN_UP_RATES)
    main = ("fluent_error_rate",)
    settings = FluencySettings
    display = FluencyDisplay
    rescores = True

    def references(self, side: Side, settings: FluencySettings) -> Iterator[Transcripts]:
        """Yield references; those that case does not mark have tags."""
        return marked_parts(side, settings.ledger)

    def pairs(self, files: Files, settings: FluencySettings) -> Iterator[Part]:
        """Yield the corpus; refuse hypotheses in upper case, which marks disfluent words."""
        upper = [Upper(one.path) for one in files.hyps]
        for part in super().pairs(files, settings):
            if part.refs.tags is None:
                for side, texts in zip(upper, part.hyps, strict=True):
                    side.add(texts)
            yield part
        for side in upper:
            side.refuse()

    def traits(self, refs: References, settings: FluencySettings) -> Mapping[str, Any]:  # noqa: ARG002
        """Return whether the script of the references has no spaces."""
        return {"unspaced": mostly_unspaced(refs.file.texts)}

    def score(self, refs: References, hyps: Sequence[str], settings: FluencySettings) -> Score:
        """Score words, and the removal of disfluent ones."""
        return fluency(
            refs.items,
            hyps,
            tags=refs.tags,
            ids=refs.file.ids,
            keep=settings.keep,
            insertions=settings.insertions,
            ignore_case=settings.ignore_case,
            normalise=settings.normalise,
            clean_up=settings.clean_up,
            **refs.traits,
        )

    def tally(
        self, score: Score, refs: References, display: FluencyDisplay
    ) -> dict[str, Counter[Any]]:
        """Count what became of the words of each tag."""
        if not display.types:
            return {}
        if refs.tags is None:
            raise DataError("--types needs tags, edits or a ledger; UPPERCASE has no types")
        return score.by_type

    def lines(self, score: Score, display: FluencyDisplay) -> Iterator[str]:
        """Return alignments."""
        return shown_alignments(score, display, _count_lines)

    def sections(self, score: Score, refs: References, display: FluencyDisplay) -> list[Section]:  # noqa: ARG002
        """Return what became of the words of each tag."""
        return [_types(score.tallies)] if display.types else []

    def files(self, score: Score, display: FluencyDisplay) -> Iterable[tuple[Path, Iterable[str]]]:
        """Write alignments."""
        if display.align_file is not None:
            yield display.align_file, alignment_lines(score, colour=False, count_lines=_count_lines)

    def notes(self, scores: Mapping[str, Score], refs: References) -> list[str]:
        """Say so where nothing is marked."""
        if any(score["disfluent_error_rate"].denominator for score in scores.values()):
            return []
        return [f"no word of {refs.file.path} is marked as disfluent"]

    def rescore(self, refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
        """Align texts again."""
        return fluency(refs, hyps, insertions=recipe["insertions"])

    def tables(self, score: Score) -> Iterator[Table]:
        """Yield the disfluent words that stay, and the fluent ones that are lost or changed."""
        stay: Counter[tuple[str, ...]] = Counter()
        fluent: dict[str, Counter[tuple[str, ...]]] = {}
        for steps in score.alignments:
            for kind, ref, hyp, _, _ in steps:
                if ref is not None and ref.isupper():
                    stay[ref.lower(),] += kind != "deletion"
                elif kind != "match":
                    pair = tuple(word for word in (ref, hyp) if word is not None)
                    fluent.setdefault(kind, Counter())[pair] += 1
        yield most_frequent("Disfluent words that stay", +stay)
        yield most_frequent("Fluent words that are lost", fluent.get("deletion", Counter()))
        yield most_frequent("Most frequent substitutions", fluent.get("substitution", Counter()))
        yield most_frequent("Most frequent insertions", fluent.get("insertion", Counter()))

    def blocks(self, score: Score) -> dict[str, Any]:
        """Return the alignment, with disfluent words in lower case and marked."""
        cells = alignment_block(score)["alignment"]
        for cell in cells:
            if cell["ref"] is not None and cell["ref"].isupper():
                cell |= {"ref": cell["ref"].lower(), "disfluent": True}
        return {"alignment": cells}

    def unwanted(self, word: str) -> bool:
        """Return whether a word is marked as disfluent."""
        return word.isupper()


FLUENCY = Fluency()
