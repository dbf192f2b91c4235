"""Words: WER, MER, WIL, CER and sentence error rate, from one alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from mondegreen.align.costs import TIMES, UNIT
from mondegreen.data.formats.detection import is_read_whole
from mondegreen.data.pairs.hypotheses import read_hypotheses, read_nbest
from mondegreen.data.pairs.parts import OutOfStep, in_step, transcript_parts
from mondegreen.data.pairs.transcripts import (
    HYPOTHESIS_WORDS,
    REFERENCE_WORDS,
    paired,
    read_transcripts,
    warn_same,
)
from mondegreen.errors import DataError
from mondegreen.kernel import cores
from mondegreen.metrics.metric import Files, Metric, Part, References
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.alignments import alignment_block, confusion_tables, shown_alignments
from mondegreen.metrics.words.entities import RATES as ENTITY_RATES
from mondegreen.metrics.words.entities import read_keywords, tally_of
from mondegreen.metrics.words.hallucinations import RATES as HALLUCINATION_RATES
from mondegreen.metrics.words.notes import notes
from mondegreen.metrics.words.oracle import best_of
from mondegreen.metrics.words.scoring import COLUMNS, RATES, words
from mondegreen.metrics.words.sections import Display, sections, tally_rarity
from mondegreen.metrics.words.settings import Settings
from mondegreen.metrics.words.surface import RATES as SURFACE_RATES
from mondegreen.metrics.words.times import paired_texts, timed_texts
from mondegreen.metrics.words.units import MIXED, unit_of
from mondegreen.text.segment import unspaced_texts


def _read_refs(path: Path, format: str | None, settings: Settings) -> References:
    file = read_transcripts(path, format, REFERENCE_WORDS)
    if settings.entities and file.entities is None:
        raise DataError(f"{path}: no utterance has tags or slots, so that there are no entities")
    if _is_timed(settings) and settings.oracle:
        raise DataError(
            "--costs times cannot be combined with --oracle: n-best lists have no times"
        )
    return References(file, timed_texts(file) if _is_timed(settings) else file.texts)


def _is_timed(settings: Settings) -> bool:
    return settings.costs == TIMES.name


def _read_hyps(
    refs: References, path: Path, format: str | None, settings: Settings
) -> Sequence[Any]:
    if settings.oracle:
        return [*map(str, best_of(refs.items, read_nbest(refs.file, path, format)))]
    hyps = read_hypotheses(refs.file, path, format, HYPOTHESIS_WORDS)
    warn_same(refs.file, hyps)
    if _is_timed(settings):
        return paired_texts(refs.file, hyps, ignore_case=settings.ignore_case)
    return paired(refs.file, hyps, ignore_case=settings.ignore_case)


def _parts(files: Files, settings: Settings) -> Iterator[Part]:
    """Yield the corpus in parts; the first one decides whether its script has spaces."""
    reads_whole = settings.entities or settings.oracle or _is_timed(settings)
    if reads_whole or is_read_whole(files.ref, files.format):
        whole = _read_refs(files.ref, files.format, settings)
        hypotheses = (_read_hyps(whole, path, files.hyp_format, settings) for path in files.hyps)
        yield Part(whole, tuple(hypotheses))
        return
    refs = transcript_parts(files.ref, files.format, files.meter, REFERENCE_WORDS)
    sides = (
        transcript_parts(path, files.hyp_format, None, HYPOTHESIS_WORDS) for path in files.hyps
    )
    traits: dict[str, Any] = {}
    unspaced = filled = 0
    for ref, *hyps in in_step(refs, *sides, key=str.lower if settings.ignore_case else None):
        more = unspaced_texts(ref.texts)
        unspaced, filled = unspaced + more[0], filled + more[1]
        if not traits:
            warn_same(ref, hyps[0])
            traits = {"unit": settings.unit or unit_of("", ref.texts)}
        yield Part(References(ref, ref.texts, None, traits), tuple(hyp.texts for hyp in hyps))
    if not settings.unit and (2 * unspaced > filled) != (traits["unit"] == MIXED):
        raise OutOfStep  # the first part is not like most: read whole, all references decide


def _score(refs: References, hyps: Sequence[Any], settings: Settings) -> Score:
    options = asdict(settings)
    said, heard, times = refs.items, hyps, None
    if _is_timed(settings):
        said, heard = [one.text for one in said], [one.text for one in heard]
        times = [one.times for one in refs.items], [one.times for one in hyps]
    tagged = options.pop("entities") or refs.file.caseless
    path = options.pop("keywords")
    best = options.pop("oracle")
    score = words(
        said,
        heard,
        times=times,
        ids=refs.file.ids,
        alternatives=refs.file.alternatives,
        keywords=None if path is None else read_keywords(path),
        entities=refs.file.entities if tagged else None,
        threads=cores(),
        **options | {"ignore_case": settings.ignore_case or refs.file.caseless} | {**refs.traits},
    )
    return replace(score, signature=f"{score.signature}|oracle") if best else score


def _tally(score: Score, refs: References, display: Display) -> dict[str, Counter[Any]]:  # noqa: ARG001
    found: dict[str, Counter[Any]] = {}
    if display.confusions or display.phonetic:
        found.update(score.confusions)
    if display.phonetic:
        from mondegreen.metrics.words.phonetic import transcripts

        found["sounds"] = Counter(dict(transcripts(score).sums()))
    if display.rarity:
        found["rarity"] = tally_rarity(score)
    if score.detail.classes is not None:
        found["entities"] = tally_of(score.detail.classes)
    return found


def _rescore(refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
    """Align texts again; those that were aligned by times have lost them, and are by words."""
    costs = recipe["costs"]
    return words(refs, hyps, costs=UNIT.name if costs == TIMES.name else costs)


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
        "words --ref ref.jsonl --hyp hyp.jsonl --keywords drugs.txt --hallucinations --punctuation",
        "words --ref ref.stm --hyp hyp.ctm --normalise rules.toml --format-equal en",
        "words --ref ref.ctm --hyp hyp.ctm --costs times --ignore-case",
    ),
    columns=COLUMNS,
    rates=(*RATES, *ENTITY_RATES, *SURFACE_RATES, *HALLUCINATION_RATES),
    main=("wer",),
    settings=Settings,
    display=Display,
    read_refs=_read_refs,
    read_hyps=_read_hyps,
    score=_score,
    parts=_parts,
    tally=_tally,
    lines=shown_alignments,
    sections=sections,
    notes=notes,
    rescore=_rescore,
    tables=confusion_tables,
    blocks=alignment_block,
)
