"""Fluency: errors on the words to keep, and on the disfluent words to remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mondegreen import __version__
from mondegreen.align import DELETION, INSERTION, Alignment, Marks, align
from mondegreen.align.costs import FLUENCY as COSTS
from mondegreen.data.tagged import has_tags, read_tagged
from mondegreen.data.transcripts import Transcripts, numbers, paired, read_transcripts
from mondegreen.errors import DataError
from mondegreen.metrics.alignments import (
    alignment_block,
    alignment_lines,
    alignment_section,
    confusion_tables,
)
from mondegreen.metrics.metric import Metric, Rate, References, Section, setting
from mondegreen.metrics.score import Score, check_sides, with_totals
from mondegreen.metrics.words import WordDetail
from mondegreen.provenance.ledger import fluency_tags, read_ledger
from mondegreen.text.items import Item, listed, words_of
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
    Rate(
        "fluent_error_rate",
        lambda s: (
            s["fluent_substitutions"] + s["fluent_deletions"] + s["fluent_insertions"],
            s["fluent_copies"] + s["fluent_substitutions"] + s["fluent_deletions"],
        ),
        lower_is_better=True,
    ),
    Rate(
        "disfluent_error_rate",
        lambda s: (
            s["disfluent_copies"] + s["disfluent_substitutions"] + s["disfluent_insertions"],
            s["disfluent_copies"] + s["disfluent_substitutions"] + s["disfluent_deletions"],
        ),
        lower_is_better=True,
    ),
    Rate(
        "edited_precision",
        lambda s: (
            s["disfluent_deletions"],
            s["disfluent_deletions"] + s["fluent_deletions"],
        ),
    ),
    Rate(
        "edited_recall",
        lambda s: (
            s["disfluent_deletions"],
            s["disfluent_copies"] + s["disfluent_substitutions"] + s["disfluent_deletions"],
        ),
    ),
    Rate(
        "edited_f1",
        lambda s: (
            2 * s["disfluent_deletions"],
            2 * s["disfluent_deletions"]
            + s["fluent_deletions"]
            + s["disfluent_copies"]
            + s["disfluent_substitutions"],
        ),
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
    threads: int = 1,
) -> Score:
    """Score recognition and disfluency removal together.

    Args:
        refs: the references; disfluent words are in UPPERCASE, unless ``tags`` mark them.
        hyps: the hypotheses, in the same order.
        tags: one tag per word of each reference; any but ``fluent_tags`` marks a disfluent word.
        fluent_tags: the tags of fluent words.
        ids: the ids of the utterances; by default their numbers.
        keep: words in upper case that are fluent, such as "I".
        insertions: ``fluent``, or ``region`` to count an insertion beside a disfluent word as
            disfluent.
        threads: how many threads to use.

    >>> score = fluency(["UH play THE the jazz"], ["play the jaws"])
    >>> score["fluent_error_rate"].value, score["disfluent_error_rate"].value
    (0.3333333333333333, 0.0)

    Raises:
        DataError: if the numbers of tags and words, or of references and hypotheses, differ.
    """
    if insertions not in INSERTIONS:
        raise DataError(f"insertions must be {' or '.join(INSERTIONS)}, got {insertions!r}")
    check_sides(refs, hyps, ids)
    refs, hyps = listed(refs), listed(hyps)
    if tags is not None and len(tags) != len(refs):
        raise DataError(f"{len(tags)} rows of tags for {len(refs)} references; give one each")
    if mostly_unspaced(hyps):
        refs, hyps = _split_all(refs), _split_all(hyps)
    left, flags = _marked(refs, tags, fluent_tags, tuple(keep))
    marks = Marks(flags, tuple(keep), regions=insertions == "region")
    alignment = align(left, hyps, COSTS, marks=marks, threads=threads)
    marking = "tags" if tags is not None else "upper" + (f"-{'+'.join(keep)}" if keep else "")
    return Score(
        FLUENCY,
        f"mondegreen|fluency|marks:{marking}|insertions:{insertions}|costs:fluency|v:{__version__}",
        with_totals(alignment.counts, [0, 1, 1, 1, 1, 1, 0, 1]),
        tuple(ids) if ids is not None else numbers(len(left)),
        None,
        FluencyDetail(refs, hyps, alignment, flags, tuple(keep)),
    )


class FluencyDetail(WordDetail):
    """The pairs with their alignment, and which words are disfluent."""

    def __init__(
        self,
        refs: Sequence[Item],
        hyps: Sequence[Item],
        alignment: Alignment,
        flags: list[bytes | None] | None,
        keep: tuple[str, ...],
    ) -> None:
        super().__init__(refs, hyps, alignment)
        self.alignment = alignment
        self._flags = flags
        self._keep = keep

    def nist_steps(self) -> Iterator[list[int]]:
        """Yield the steps of each pair, by the costs of fluency."""
        return (self.alignment.of(item).tolist() for item in range(len(self.refs)))

    def sides(self, item: int) -> tuple[str, str]:
        """Return the reference, with only its disfluent words in UPPERCASE, and the hypothesis."""
        words = words_of(self.refs[item])
        flags = self._flags[item] if self._flags is not None else None
        if flags is None:
            flags = bytes(word.isupper() and word not in self._keep for word in words)
        marked = (w.upper() if flag else w.lower() for w, flag in zip(words, flags, strict=True))
        return " ".join(marked), " ".join(words_of(self.hyps[item]))


def _marked(
    refs: list[Item],
    tags: Sequence[Sequence[str]] | None,
    fluent: Collection[str],
    keep: tuple[str, ...],
) -> tuple[list[Item], list[bytes | None] | None]:
    """Return the references to compare and their marks; ``None`` where case marks plain ASCII."""
    if tags is not None:
        words = [words_of(ref) for ref in refs]
        for number, (ref, row) in enumerate(zip(words, tags, strict=True), start=1):
            if len(ref) != len(row):
                raise DataError(f"utterance {number}: {len(row)} tags for {len(ref)} words")
        return list(words), [bytes(tag not in fluent for tag in row) for row in tags]
    by_hand = [
        i
        for i, ref in enumerate(refs)
        if not (isinstance(ref, str) and ref.isascii()) and not _is_plain(ref)
    ]
    if not by_hand:
        return refs, None
    lowered, flags = list(refs), [None] * len(refs)  # type: list[Item], list[bytes | None]
    for i in by_hand:
        ref = words_of(refs[i])
        flags[i] = bytes(word.isupper() and word not in keep for word in ref)
        lower = [word.lower() for word in ref]
        lowered[i] = " ".join(lower) if isinstance(refs[i], str) else lower
    return lowered, flags


def _split_all(items: list[Item]) -> list[Item]:
    """Split texts into written characters."""
    return [split(item) if isinstance(item, str) else item for item in items]


def _is_plain(item: Item) -> bool:
    """Return whether all letters beyond ASCII are without case, which the kernel cannot judge."""
    if isinstance(item, str):
        return item.isascii() or _is_caseless(item)
    return all(word.isascii() or _is_caseless(word) for word in item)


def _is_caseless(text: str) -> bool:
    """Return whether the letters beyond ASCII have no case."""
    beyond = "".join(char for char in text if not char.isascii())
    return beyond.lower() == beyond.upper() == beyond


def by_type(score: Score, tags: Sequence[Sequence[str]]) -> dict[str, Counter[str]]:
    """Return for each tag how many of its words the system dropped, kept or changed.

    The row of the fluent tag shows what the system lost with the disfluencies (over-deletion).
    """
    found: dict[str, Counter[str]] = {}
    for item, row in enumerate(tags):
        steps = [step for step in score.detail.of(item).tolist() if step != INSERTION]
        for tag, step in zip(row, steps, strict=True):
            outcome = "dropped" if step == DELETION else "changed" if step else "kept"
            found.setdefault(tag, Counter())[outcome] += 1
    return found


@dataclass(frozen=True)
class Settings:
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
    ledger: Path | None = setting(
        default=None,
        help="The ledger of a perturbed REF: the words that it inserted are the disfluent ones.",
        metavar="FILE",
    )


@dataclass(frozen=True)
class Display:
    """What only shows or writes more."""

    types: bool = setting(default=False, help="Print what became of the words of each tag.")
    align: bool = setting(default=False, help="Print the alignment of every utterance.")
    errors: bool = setting(default=False, help="Print the alignment of the utterances with errors.")
    align_file: Path | None = setting(
        default=None, help="Write the alignment of every utterance to a file.", metavar="FILE"
    )


def _read_refs(path: Path, format: str | None, settings: Settings) -> References:
    """Read references and, where something other than case marks disfluent words, their tags."""
    if settings.ledger is not None:
        return _marked_by_ledger(read_transcripts(path, format), settings.ledger)
    if not has_tags(path, format):
        file = read_transcripts(path, format)
        return References(file, file.texts)
    found = list(read_tagged(path, format))
    file = Transcripts(
        path,
        has_ids=True,
        ids=[one.id for one in found],
        texts=[" ".join(one.words) for one in found],
        extra=[one.columns for one in found],
    )
    return References(file, [one.words for one in found], [one.tags for one in found])


def _marked_by_ledger(file: Transcripts, path: Path) -> References:
    ledger = read_ledger(path)
    if ledger and not ledger.keys() & set(file.ids):
        raise DataError(
            f"{path}: none of its ids (such as {next(iter(ledger))!r}) is in {file.path}; write "
            "the perturbed set as .jsonl, which keeps them"
        )
    words = [split(text) for text in file.texts]
    entries = [ledger.get(id, []) for id in file.ids]
    return References(file, words, list(map(fluency_tags, words, entries)))


def _read_hyps(
    refs: References,
    path: Path,
    format: str | None,
    settings: Settings,  # noqa: ARG001
) -> Sequence[str]:
    hyps = paired(refs.file, read_transcripts(path, format))
    if refs.tags is None:
        _refuse_upper(path, hyps)
    return hyps


def _refuse_upper(path: Path, hyps: Sequence[str]) -> None:
    upper = sum(text.isupper() for text in hyps)
    if upper and 2 * upper > sum(bool(text) for text in hyps):
        raise DataError(
            f"{path}: the hypotheses are in upper case, which marks disfluent words in the "
            "reference; give them in lower case"
        )


def _score(refs: References, hyps: Sequence[str], settings: Settings) -> Score:
    return fluency(
        refs.items,
        hyps,
        tags=refs.tags,
        ids=refs.file.ids,
        keep=settings.keep,
        insertions=settings.insertions,
    )


def _count_lines(counts: Sequence[int]) -> list[str]:
    return [
        f"Fluent:    (#C #S #D #I) {' '.join(map(str, counts[:4]))}",
        f"Disfluent: (#C #S #D #I) {' '.join(map(str, counts[4:8]))}",
    ]


def _sections(score: Score, refs: References, display: Display) -> list[Section]:
    sections = alignment_section(score, display, _count_lines)
    if display.types:
        if refs.tags is None:
            raise DataError("--types needs tags, edits or a ledger; UPPERCASE has no types")
        sections.append(_types(by_type(score, refs.tags)))
    return sections


def _types(found: dict[str, Counter[str]]) -> Section:
    lines = ["\ntag            words  dropped     kept  changed"]
    for tag, counts in sorted(found.items()):
        note = "  (fluent: what is dropped here is lost)" if tag in FLUENT_TAGS else ""
        figures = " ".join(f"{counts[name]:8,}" for name in ("dropped", "kept", "changed"))
        lines.append(f"{tag:12} {sum(counts.values()):7,} {figures}{note}")
    return Section("types", dict(sorted(found.items())), lines)


def _files(score: Score, display: Display) -> Iterable[tuple[Path, Iterable[str]]]:
    if display.align_file is not None:
        yield display.align_file, alignment_lines(score, colour=False, count_lines=_count_lines)


def _notes(score: Score, refs: References) -> list[str]:
    if score["disfluent_error_rate"].denominator:
        return []
    return [f"no word of {refs.file.path} is marked as disfluent"]


def _rescore(refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
    return fluency(refs, hyps, insertions=recipe["insertions"])


def _blocks(score: Score) -> dict[str, Any]:
    """Return the alignment, with disfluent words in lower case and marked."""
    cells = alignment_block(score)["alignment"]
    for cell in cells:
        if cell["ref"] is not None and cell["ref"].isupper():
            cell |= {"ref": cell["ref"].lower(), "disfluent": True}
    return {"alignment": cells}


FLUENCY = Metric(
    name="fluency",
    summary="Fluent and disfluent error rate: recognition and disfluency removal together.",
    help="""Score HYP against a REF whose disfluent words are marked: error rate on the fluent
    words, which should stay, and on the disfluent words, which should go.

    Disfluent words of REF are in UPPERCASE, or marked by a column tags (any tag but O and C), by
    the edits of a perturbed set, or by its ledger.""",
    examples=(
        "fluency --ref marked.txt --hyp system.txt --keep I",
        "fluency --ref turns.tsv --hyp system.jsonl --types",
        "fluency --ref noisy.jsonl --hyp system.jsonl --insertions region --align",
    ),
    columns=COLUMNS,
    rates=RATES,
    main=("fluent_error_rate",),
    settings=Settings,
    display=Display,
    read_refs=_read_refs,
    read_hyps=_read_hyps,
    score=_score,
    sections=_sections,
    files=_files,
    notes=_notes,
    rescore=_rescore,
    tables=confusion_tables,
    blocks=_blocks,
)
