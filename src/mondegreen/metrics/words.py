"""Words: WER, MER, WIL, CER and sentence error rate, from one alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mondegreen import __version__
from mondegreen.align import Alignment, align, distances
from mondegreen.align.costs import NAMED
from mondegreen.data.parts import in_step, transcript_parts
from mondegreen.data.transcripts import (
    HYPOTHESIS_WORDS,
    REFERENCE_WORDS,
    numbers,
    paired,
    read_transcripts,
    warn_same,
)
from mondegreen.errors import DataError, unknown
from mondegreen.kernel import align_nist, cores
from mondegreen.metrics.alignments import alignment_block, confusion_tables, shown_alignments
from mondegreen.metrics.metric import (
    Files,
    Metric,
    Part,
    Rate,
    References,
    Section,
    Sums,
    setting,
)
from mondegreen.metrics.normalise import label, normaliser, prepared
from mondegreen.metrics.readings import Reader, around_marks
from mondegreen.metrics.score import Later, Score, both_sides, with_totals
from mondegreen.text.items import Item, words_of
from mondegreen.text.segment import close_up, mostly_unspaced, split

ERRORS = ("substitutions", "deletions", "insertions")
COLUMNS = ("hits", "substitutions", "deletions", "insertions", "wrong", "utterances")
_LATER = ("characters", "character_errors")
_SHOWN = 20  # substitutions that are printed; JSON has all


def _errors(sums: Sums) -> int:
    found: int = sums["substitutions"] + sums["deletions"] + sums["insertions"]
    return found


def _words(sums: Sums) -> int:
    found: int = sums["hits"] + sums["substitutions"] + sums["deletions"]
    return found


def _heard(sums: Sums) -> int:
    found: int = sums["hits"] + sums["substitutions"] + sums["insertions"]
    return found


def _information_lost(sums: Sums) -> tuple[int, int]:
    """Return 1 - hits² / (words · heard); all is lost where nothing was heard of what was said."""
    said, heard = _words(sums), _heard(sums)
    nothing = (heard == 0) & (said > 0)
    return said * heard - sums["hits"] * sums["hits"] + nothing, said * heard + nothing


RATES = (
    Rate("wer", lambda sums: (_errors(sums), _words(sums)), lower_is_better=True),
    Rate(
        "mer", lambda sums: (_errors(sums), _words(sums) + sums["insertions"]), lower_is_better=True
    ),
    Rate("wil", _information_lost, lower_is_better=True),
    Rate("cer", lambda sums: (sums["character_errors"], sums["characters"]), lower_is_better=True),
    Rate("ser", lambda sums: (sums["wrong"], sums["utterances"]), lower_is_better=True),
)


def words(
    refs: Sequence[Item],
    hyps: Sequence[Item],
    *,
    ids: Sequence[str] | None = None,
    costs: str = "unit",
    ignore_case: bool = False,
    normalise: str = "none",
    alternatives: bool = False,
    compounds: bool = False,
    fragments: bool = False,
    characters: bool = False,
    unspaced: bool | None = None,
    threads: int = 1,
) -> Score:
    """Score recognised words against reference words: lists of texts, or of token lists.

    Args:
        refs: the references.
        hyps: the hypotheses, in the same order.
        ids: the ids of the utterances; by default their numbers.
        costs: ``unit``, or ``sclite`` (substitution 4, deletion and insertion 3).
        ignore_case: compare in lower case.
        normalise: ``none``, ``basic`` or ``whisper``.
        alternatives: texts hold alternatives ``{ one / other / @ }``, optional words ``(uh)`` and
            tags ``word;tag``, as NIST's trn files do.
        compounds: count "ice cream" and "icecream" as the same.
        fragments: count a word that begins or ends with a hyphen as right where it is a part of
            the other word.
        characters: align characters instead of words; spaces do not count.
        unspaced: whether the texts are in a script without spaces; by default, most of them decide.
        threads: how many threads to use.

    >>> score = words(["play some jazz"], ["play jaws"])
    >>> score["wer"].value, score.sums()["deletions"]
    (0.6666666666666666, 1)

    Raises:
        DataError: if the numbers of references and hypotheses differ.
    """
    if costs not in NAMED:
        raise DataError(unknown("cost table", costs, NAMED))
    written = both_sides(refs, hyps, ids)
    prepare = normaliser(normalise)
    prepare = around_marks(prepare) if prepare and alternatives else prepare
    left, right = (prepared(side, prepare, lower=ignore_case) for side in written)
    unspaced = mostly_unspaced(left) if unspaced is None else unspaced
    texts = left, right
    if unspaced:
        texts = _closed_up(left), _closed_up(right)
        left, right = (_split(side) for side in (left, right))
    reader = Reader(NAMED[costs], alternatives, fragments, compounds, characters)
    if reader.reads:
        pairs = zip(map(words_of, left), map(words_of, right), strict=True)
        resolved = [reader.resolve(*pair) for pair in pairs]
        left, right = [pair[0] for pair in resolved], [pair[1] for pair in resolved]
    alignment = align(left, right, NAMED[costs], threads=threads)
    recipe = [
        f"norm:{label(normalise)}",
        *(["case:ignored"] if ignore_case else []),
        *(["unit:characters"] if unspaced or characters else []),
        *(["alternatives"] if alternatives else []),
        *(["compounds"] if compounds else []),
        *(["fragments"] if fragments else []),
        f"costs:{costs}",
    ]
    return Score(
        WORDS,
        f"mondegreen|words|{'|'.join(recipe)}|v:{__version__}",
        with_totals(alignment.counts, [0, 1, 1, 1]),
        tuple(ids) if ids is not None else numbers(len(left)),
        Later(_LATER, cache(lambda: distances(*texts, threads=threads))),
        WordDetail(left, right, alignment, written),
    )


class WordDetail:
    """The pairs as they were compared, their alignment, and the texts as they were written."""

    def __init__(
        self,
        refs: Sequence[Item],
        hyps: Sequence[Item],
        alignment: Alignment,
        written: tuple[Sequence[Item], Sequence[Item]],
    ) -> None:
        self.refs = refs
        self.hyps = hyps
        self.alignment = alignment
        self.written = written

    def of(self, item: int) -> object:
        """Return the steps of one pair."""
        return self.alignment.of(item)

    def nist_steps(self) -> Iterator[list[int]]:
        """Yield the steps of each pair by sclite's costs and ties, which MAPSSWE is defined on."""
        steps, ends = align_nist(list(self.refs), list(self.hyps), cores())
        start = 0
        for end in ends.tolist():
            yield steps[start:end].tolist()
            start = end

    def sides(self, item: int) -> tuple[str, str]:
        """Return reference and hypothesis as text."""
        return " ".join(words_of(self.refs[item])), " ".join(words_of(self.hyps[item]))


def _closed_up(items: list[Item]) -> list[Item]:
    return [close_up(" ".join(words_of(item))) for item in items]


def _split(items: list[Item]) -> list[Item]:
    return [split(" ".join(words_of(item))) for item in items]


@dataclass(frozen=True)
class Settings:
    """What changes the numbers."""

    costs: str = setting(
        default="unit",
        help="Costs of the alignment: unit counts every error as 1; sclite counts a substitution "
        "as 4, others as 3.",
        metavar="unit|sclite",
    )
    ignore_case: bool = setting(default=False, help="Compare in lower case.")
    normalise: str = setting(
        default="none",
        help="Normaliser to apply to both sides before words are compared.",
        metavar="none|basic|whisper",
    )
    compounds: bool = setting(default=False, help='Count "ice cream" and "icecream" as the same.')
    fragments: bool = setting(
        default=False,
        help="Count a word that begins or ends with a hyphen as right where it is a part of the "
        "other word, as sclite -F does.",
    )
    characters: bool = setting(
        default=False,
        help="Align characters instead of words, without spaces, as sclite -c does.",
    )


@dataclass(frozen=True)
class Display:
    """What only shows more."""

    align: bool = setting(default=False, help="Print the alignment of every utterance.")
    errors: bool = setting(default=False, help="Print the alignment of the utterances with errors.")
    phonetic: bool = setting(
        default=False,
        help="Print how far apart the words of each substitution sound (0 is a homophone), and the "
        "phoneme error rate of the whole transcript.",
    )
    confusions: int = setting(
        default=0,
        help="Print the N most frequent substitutions, deletions and insertions.",
        metavar="N",
    )


def _read_refs(path: Path, format: str | None, settings: Settings) -> References:  # noqa: ARG001
    file = read_transcripts(path, format, REFERENCE_WORDS)
    return References(file, file.texts)


def _read_hyps(
    refs: References, path: Path, format: str | None, settings: Settings
) -> Sequence[str]:
    hyps = read_transcripts(path, format, HYPOTHESIS_WORDS)
    warn_same(refs.file, hyps)
    return paired(refs.file, hyps, ignore_case=settings.ignore_case)


def _parts(files: Files, settings: Settings) -> Iterator[Part]:
    """Yield the corpus in parts; the first one decides whether its script has spaces."""
    refs = transcript_parts(files.ref, files.format, files.meter, REFERENCE_WORDS)
    sides = (
        transcript_parts(path, files.hyp_format, None, HYPOTHESIS_WORDS) for path in files.hyps
    )
    traits: dict[str, bool] = {}
    for ref, *hyps in in_step(refs, *sides, key=str.lower if settings.ignore_case else None):
        if not traits:
            warn_same(ref, hyps[0])
            traits = {"unspaced": mostly_unspaced(ref.texts)}
        yield Part(References(ref, ref.texts, None, traits), tuple(hyp.texts for hyp in hyps))


def _score(refs: References, hyps: Sequence[str], settings: Settings) -> Score:
    return words(
        refs.items,
        hyps,
        ids=refs.file.ids,
        alternatives=refs.file.alternatives,
        threads=cores(),
        **refs.traits,
        **asdict(settings),
    )


def _tally(score: Score, refs: References, display: Display) -> dict[str, Counter[Any]]:  # noqa: ARG001
    found: dict[str, Counter[Any]] = {}
    if display.confusions or display.phonetic:
        found.update(score.confusions)
    if display.phonetic:
        from mondegreen.metrics.phonetic import transcripts

        found["sounds"] = Counter(dict(transcripts(score).sums()))
    return found


def _sections(score: Score, refs: References, display: Display) -> list[Section]:  # noqa: ARG001
    sections = []
    if display.confusions:
        sections.append(_confusions(score, display.confusions))
    if display.phonetic:
        sections.append(_phonetic(score))
    return sections


def _confusions(score: Score, n: int) -> Section:
    found = {name: score.tallies[name].most_common(n) for name in ERRORS}
    lines = []
    for name, counts in found.items():
        lines.append(f"\n{name}")
        lines += [f"{count:8,}  {' → '.join(pair)}" for pair, count in counts]
    return Section("confusions", found, lines)


def _phonetic(score: Score) -> Section:
    from mondegreen.metrics.phonetic import phoneme_rates, substitutions

    found = substitutions(score.tallies["substitutions"])
    rates = phoneme_rates(score.tallies["sounds"])
    lines = ["\nby sound"]
    for name, value in rates.items():
        lines.append(f"{name}  {'' if value is None else f'{100 * value:.2f} %'}")
    for ref, hyp, times, distance in found[:_SHOWN]:
        far = "   ?" if distance is None else f"{distance:4.2f}"
        lines.append(f"{times:8,}  {far}  {ref} → {hyp}")
    return Section("phonetic", {**rates, "substitutions": [one._asdict() for one in found]}, lines)


def _notes(score: Score, _: References) -> list[str]:
    """Say so where case or punctuation makes most of the errors."""
    if "norm:none" not in score.signature or not score["wer"].value:
        return []
    refs, hyps = (
        [" ".join(words_of(item)) for item in side]
        for side in (score.detail.refs, score.detail.hyps)
    )
    strict = words(refs, hyps)["wer"].value
    ways = {
        "case": ("--ignore-case", words(refs, hyps, ignore_case=True)),
        "case and punctuation": ("--normalise basic", words(refs, hyps, normalise="basic")),
    }
    for what, (option, loose) in ways.items():
        rate = loose["wer"].value
        if strict and rate is not None and rate < strict / 2:
            note = f"{what} make most of the errors: the word error rate is {100 * rate:.2f} %"
            return [f"{note} without them, {100 * strict:.2f} % with them; see {option}"]
    return []


def _rescore(refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
    return words(refs, hyps, costs=recipe["costs"])


WORDS = Metric(
    name="words",
    summary="Word error rate, match error rate, word information lost, character error rate.",
    help="""Score the words of HYP against those of REF: word error rate, match error rate, word
    information lost, character error rate and sentence error rate.

    In .trn references, alternatives { a / b / @ } and optional words (uh) are read.""",
    examples=(
        "words --ref ref.txt --hyp hyp.txt",
        "words --ref ref.trn --hyp hyp.trn --costs sclite --ignore-case --align",
        "words --ref ref.jsonl --hyp a.jsonl --against b.jsonl --by speaker",
    ),
    columns=COLUMNS,
    rates=RATES,
    main=("wer",),
    settings=Settings,
    display=Display,
    read_refs=_read_refs,
    read_hyps=_read_hyps,
    score=_score,
    parts=_parts,
    tally=_tally,
    lines=shown_alignments,
    sections=_sections,
    notes=_notes,
    rescore=_rescore,
    tables=confusion_tables,
    blocks=alignment_block,
)
