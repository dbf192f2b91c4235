"""Words: WER, MER, WIL, CER and sentence error rate, as a metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from mondegreen.align.costs import TIMES, UNIT
from mondegreen.data.formats.timed import TimedText
from mondegreen.data.pairs.parts import read_once
from mondegreen.data.pairs.texts import Side, in_segments, nbest_parts, words_of_segments
from mondegreen.data.pairs.transcripts import Transcripts, warn_same
from mondegreen.errors import DataError
from mondegreen.kernel import cores
from mondegreen.metrics.metric import (
    Files,
    Metric,
    Part,
    ReadWhole,
    References,
    Section,
    Table,
)
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.alignments import alignment_block, confusion_tables, shown_alignments
from mondegreen.metrics.words.entities import RATES as ENTITY_RATES
from mondegreen.metrics.words.entities import read_keywords, tally_of
from mondegreen.metrics.words.hallucinations import RATES as HALLUCINATION_RATES
from mondegreen.metrics.words.notes import notes
from mondegreen.metrics.words.oracle import best_of
from mondegreen.metrics.words.scoring import COLUMNS, RATES, words
from mondegreen.metrics.words.sections import WordDisplay, sections, tally_rarity
from mondegreen.metrics.words.settings import WordSettings
from mondegreen.metrics.words.surface import RATES as SURFACE_RATES
from mondegreen.metrics.words.times import timed_texts
from mondegreen.metrics.words.units import MIXED, unit_of
from mondegreen.text.segment import unspaced_texts


class Words(Metric):
    """Words: WER and its relatives, from one alignment."""

    name = "words"
    summary = "Word error rate, match error rate, word information lost, character error rate."
    help = """Score the words of HYP against those of REF: word error rate, match error rate, word
    information lost, character error rate and sentence error rate.

    In .trn references, alternatives { a / b / @ } and optional words (uh) are read."""
    examples = (
        "words --ref ref.txt --hyp hyp.txt",
        "words --ref ref.trn --hyp hyp.trn --costs sclite --ignore-case --align",
        "words --ref ref.jsonl --hyp a.jsonl --against b.jsonl --by speaker",
        "words --ref table.csv:said --hyp table.csv:first --against table.csv:second",
        "words --ref ref.jsonl --hyp hyp.jsonl --keywords drugs.txt --hallucinations --punctuation",
        "words --ref ref.stm --hyp hyp.ctm --normalise rules.toml --format-equal en",
        "words --ref ref.ctm --hyp hyp.ctm --costs times --ignore-case",
    )
    columns = COLUMNS
    rates = (*RATES, *ENTITY_RATES, *SURFACE_RATES, *HALLUCINATION_RATES)
    main = ("wer",)
    settings = WordSettings
    display = WordDisplay
    rescores = True

    def references(self, side: Side, settings: WordSettings) -> Iterator[Transcripts]:
        """Yield the references; with times, their words have times."""
        if settings.costs == TIMES.name and settings.oracle:
            raise DataError(
                "--costs times cannot be combined with --oracle: n-best lists have no times"
            )
        tagged = False
        for part in super().references(side, settings):
            tagged = tagged or part.entities is not None
            yield _timed(part, settings)
        if settings.entities and not tagged:
            raise DataError(
                f"{side.path}: no utterance has tags or slots, so that there are no entities"
            )

    def hypotheses(self, side: Side, refs: Side, settings: WordSettings) -> Iterator[Transcripts]:
        """Yield the hypotheses: texts, words with times, or n-best lists."""
        if settings.oracle:
            return nbest_parts(side)
        if in_segments(side, refs):
            return words_of_segments(side, refs)
        return (_timed(part, settings) for part in super().hypotheses(side, refs, settings))

    def answers(self, refs: References, hyps: Transcripts, settings: WordSettings) -> Sequence[Any]:
        """Return the hypotheses; of n-best lists, the best of each."""
        if settings.oracle:
            lists = [one or [] for one in hyps.items]
            return [*map(str, best_of(refs.items, lists))]
        return _filled(hyps) if settings.costs == TIMES.name else hyps.texts

    def traits(self, refs: References, settings: WordSettings) -> Mapping[str, Any]:
        """Return the unit, which the references decide."""
        if settings.unit or settings.characters:
            return {}
        return {"unit": unit_of("", refs.file.texts)}

    def parts(self, files: Files, settings: WordSettings) -> Iterator[Part]:
        """Yield the corpus in parts; read it whole if the first is not of the unit of most."""
        unspaced = filled = 0
        part = None
        for part in super().parts(files, settings):
            if not filled:
                for side, texts in zip(files.hyps, part.hyps, strict=True):
                    warn_same(part.refs.file, side.path, texts)
            more = unspaced_texts(part.refs.file.texts)
            unspaced, filled = unspaced + more[0], filled + more[1]
            yield part
        decided = part.refs.traits.get("unit") if part is not None else None
        again = not read_once(files.ref.path, *(one.path for one in files.hyps))
        if decided and again and (2 * unspaced > filled) != (decided == MIXED):
            raise ReadWhole

    def score(self, refs: References, hyps: Sequence[Any], settings: WordSettings) -> Score:
        """Score words."""
        options = asdict(settings)
        said, heard, times = refs.items, hyps, None
        if settings.costs == TIMES.name:
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
            entities=_entities(refs.file) if tagged else None,
            threads=cores(),
            **options
            | {"ignore_case": settings.ignore_case or refs.file.caseless}
            | {**refs.traits},
        )
        return replace(score, signature=f"{score.signature}|oracle") if best else score

    def tally(
        self,
        score: Score,
        refs: References,  # noqa: ARG002
        display: WordDisplay,
    ) -> dict[str, Counter[Any]]:
        """Count confusions, sounds, rare words and classes of entities."""
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
        if "format-equal:" in score.signature:
            found["forgiven"] = Counter((one.ref, one.hyp) for one in score.detail.forgiven)
        return found

    def lines(self, score: Score, display: WordDisplay) -> Iterable[str]:
        """Return alignments."""
        return shown_alignments(score, display)

    def sections(self, score: Score, refs: References, display: WordDisplay) -> list[Section]:  # noqa: ARG002
        """Return what the display options ask for, and the classes of entities."""
        return sections(score, display)

    def notes(self, scores: Mapping[str, Score], refs: References) -> list[str]:  # noqa: ARG002
        """Say where another unit, case or punctuation would matter."""
        return notes(scores)

    def rescore(self, refs: Sequence[str], hyps: Sequence[str], recipe: Mapping[str, str]) -> Score:
        """Align texts again; those that were aligned by times have lost them, and are by words."""
        costs = recipe["costs"]
        return words(refs, hyps, costs=UNIT.name if costs == TIMES.name else costs)

    def tables(self, score: Score) -> Iterable[Table]:
        """Return what is confused."""
        return confusion_tables(score)

    def blocks(self, score: Score) -> dict[str, Any]:
        """Return the alignment."""
        return alignment_block(score)


def _timed(part: Transcripts, settings: WordSettings) -> Transcripts:
    return replace(part, items=timed_texts(part)) if settings.costs == TIMES.name else part


def _filled(hyps: Transcripts) -> list[Any]:
    """Return words with times; those that are missing are none."""
    return [TimedText("", ()) if one is None else one for one in hyps.items]


def _entities(file: Transcripts) -> Sequence[Sequence[tuple[str, int, int]]]:
    return file.entities if file.entities is not None else [() for _ in file.ids]


WORDS = Words()
