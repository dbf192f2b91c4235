"""Words: WER, MER, WIL, CER and sentence error rate, from one alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from mondegreen import __version__
from mondegreen.align import Times, distances
from mondegreen.align.costs import NAMED, TIMES, UNIT
from mondegreen.data.formats.detection import is_read_whole
from mondegreen.data.pairs.hypotheses import read_hypotheses, read_nbest
from mondegreen.data.pairs.parts import in_step, transcript_parts
from mondegreen.data.pairs.transcripts import (
    HYPOTHESIS_WORDS,
    REFERENCE_WORDS,
    numbers,
    paired,
    read_transcripts,
    warn_same,
)
from mondegreen.errors import DataError, unknown
from mondegreen.kernel import cores
from mondegreen.metrics.metric import Files, Metric, Part, Rate, References, Sums
from mondegreen.metrics.normalisation.normalise import (
    Normaliser,
    label,
    name_of,
    normaliser,
    prepared,
    writes_alternatives,
)
from mondegreen.metrics.scores.score import Later, Score, both_sides
from mondegreen.metrics.scores.signatures import MIXED
from mondegreen.metrics.words.alignments import alignment_block, confusion_tables, shown_alignments
from mondegreen.metrics.words.detail import WordDetail
from mondegreen.metrics.words.entities import KEYWORD, read_keywords, tally_of
from mondegreen.metrics.words.entities import RATES as ENTITY_RATES
from mondegreen.metrics.words.extras import counted
from mondegreen.metrics.words.hallucinations import RATES as HALLUCINATION_RATES
from mondegreen.metrics.words.networks import OPTIONAL
from mondegreen.metrics.words.oracle import best_of
from mondegreen.metrics.words.readings import Reader
from mondegreen.metrics.words.sections import Display, sections, tally_rarity
from mondegreen.metrics.words.settings import Settings
from mondegreen.metrics.words.sides import plain_sides, timed_sides
from mondegreen.metrics.words.surface import RATES as SURFACE_RATES
from mondegreen.metrics.words.times import Preparation, check_times, paired_texts, timed_texts
from mondegreen.text.items import Item, words_of
from mondegreen.text.segment import mostly_unspaced

COLUMNS = ("hits", "substitutions", "deletions", "insertions", "wrong", "utterances")
_LATER = ("characters", "character_errors")


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
    norm: Normaliser | None = None,
    format_equal: str = "",
    keywords: Mapping[str, str] | Sequence[str] | None = None,
    entities: Sequence[Sequence[tuple[str, int, int]]] | None = None,
    punctuation: bool = False,
    hallucinations: bool = False,
    unspaced: bool | None = None,
    times: tuple[Times, Times] | None = None,
    threads: int = 1,
) -> Score:
    """Score recognised words against reference words: lists of texts, or of token lists.

    Args:
        refs: the references.
        hyps: the hypotheses, in the same order.
        ids: the ids of the utterances; by default their numbers.
        costs: ``unit``, ``sclite`` (substitution 4, deletion and insertion 3), ``fstalign``
            (substitution 3, deletion and insertion 2) or ``times`` (how far words are apart in
            time, as sclite -T).
        ignore_case: compare in lower case.
        normalise: ``none``, ``basic``, ``whisper``, or the path of a file of rules.
        alternatives: texts hold alternatives ``{ one / other / @ }``, optional words ``(uh)`` and
            tags ``word;tag``, as NIST's trn files do.
        compounds: count "ice cream" and "icecream" as the same.
        fragments: count a word that begins or ends with a hyphen as right where it is a part of
            the other word.
        characters: align characters instead of words; spaces do not count.
        norm: a function from text to text, instead of ``normalise``.
        format_equal: a language, such as ``en``: "$5" and "five dollars" are then the same.
        keywords: words and phrases to count as entities; with classes, or without.
        entities: the entities of each reference: class, first token, and the token after the last.
        punctuation: also count errors of punctuation and case.
        hallucinations: also count loops, text for silence, and long runs that nobody said.
        unspaced: whether the texts are in a script without spaces; by default, most of them decide.
        times: for the costs ``times``, when each word of the references, and of the hypotheses,
            begins and ends, in seconds.
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
    if entities is not None and len(entities) != len(written[0]):
        raise DataError(f"entities of {len(entities)} references are given, not {len(written[0])}")
    check_times(costs, times, compounds=compounds, characters=characters, format_equal=format_equal)
    prepare = norm or normaliser(normalise)
    marked = alternatives
    alternatives = alternatives or bool(format_equal) or writes_alternatives(prepare)
    reader = Reader(NAMED[costs], alternatives, fragments, compounds, characters)
    if times is None:
        sides = plain_sides(
            written,
            reader,
            prepare,
            entities=entities,
            format_equal=format_equal,
            marked=marked,
            lower=ignore_case,
            unspaced=unspaced,
        )
    else:
        names = ids if ids is not None else numbers(len(written[0]))
        preparation = Preparation(prepare, ignore_case, marked)
        timed = preparation.both(written, times, names, entities)
        sides = timed_sides(timed, reader, entities=entities, unspaced=unspaced)
    found = counted(
        sides.words,
        NAMED[costs],
        spans=sides.spans,
        keywords=_keywords(keywords, prepare, lower=ignore_case),
        hallucinations=hallucinations,
        written=_as_read(written, reader, marked=marked) if punctuation else None,
        times=sides.times,
        threads=threads,
    )
    unit = ["unit:characters"] if sides.unspaced or characters else [MIXED] if sides.mixed else []
    recipe = [
        f"norm:{label(normalise) if norm is None else name_of(norm)}",
        *(["case:ignored"] if ignore_case else []),
        *unit,
        *(["alternatives"] if alternatives else []),
        *([f"format-equal:{format_equal}"] if format_equal else []),
        *(["compounds"] if compounds else []),
        *(["fragments"] if fragments else []),
        f"costs:{costs}",
    ]
    return Score(
        WORDS,
        f"mondegreen|words|{'|'.join(recipe)}|v:{__version__}",
        found.table,
        tuple(ids) if ids is not None else numbers(len(written[0])),
        Later(_LATER, cache(lambda: distances(*sides.texts, threads=threads))),
        WordDetail(*sides.words, found.alignment, written, found.classes),
        columns=(*COLUMNS[:-2], *found.columns, *COLUMNS[-2:]),
    )


def _as_read(
    written: tuple[list[Item], list[Item]], reader: Reader, *, marked: bool
) -> tuple[list[Item], list[Item]]:
    """Return both sides as they were written; of alternatives, those that were chosen."""
    if not marked:
        return written
    chosen = plain_sides(
        written,
        reader,
        None,
        entities=None,
        format_equal="",
        marked=True,
        lower=False,
        unspaced=False,
    ).words
    refs, hyps = ([OPTIONAL.sub(r"\1", " ".join(words_of(one))) for one in side] for side in chosen)
    return [*refs], [*hyps]


def _keywords(
    given: Mapping[str, str] | Sequence[str] | None, prepare: Normaliser | None, *, lower: bool
) -> dict[tuple[str, ...], tuple[str, ...]] | None:
    """Return keywords as they are compared, with their classes."""
    if given is None:
        return None
    classes = given if isinstance(given, Mapping) else dict.fromkeys(given, KEYWORD)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for phrase, label_ in classes.items():
        (text,) = prepared([phrase], prepare, lower=lower)
        if words := tuple(words_of(text)):
            found[words] = tuple(dict.fromkeys((*found.get(words, ()), label_)))
    return found


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
    traits: dict[str, bool] = {}
    for ref, *hyps in in_step(refs, *sides, key=str.lower if settings.ignore_case else None):
        if not traits:
            warn_same(ref, hyps[0])
            traits = {"unspaced": mostly_unspaced(ref.texts)}
        yield Part(References(ref, ref.texts, None, traits), tuple(hyp.texts for hyp in hyps))


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
        **refs.traits,
        **{**options, "ignore_case": settings.ignore_case or refs.file.caseless},
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


def _notes(score: Score, _: References) -> list[str]:
    """Say so where words are of two kinds, and where case or punctuation makes most errors."""
    mixed = (
        "words of scripts without spaces are compared by character, all others as words: the word "
        "error rate is a mixed error rate (unit:mixed in the signature)"
    )
    return [*([mixed] if MIXED in score.signature else []), *_surface_notes(score)]


def _surface_notes(score: Score) -> list[str]:
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
    notes=_notes,
    rescore=_rescore,
    tables=confusion_tables,
    blocks=alignment_block,
)
