"""Scoring words: WER, MER, WIL, CER and sentence error rate, from one alignment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from mondegreen import __version__
from mondegreen.align import Times, distances
from mondegreen.align.costs import NAMED
from mondegreen.data.pairs.transcripts import (
    numbers,
)
from mondegreen.errors import DataError, renamed, unknown
from mondegreen.metrics.metric import Ratio, Sums
from mondegreen.metrics.normalisation.normalise import (
    Normaliser,
    label,
    lower_case,
    name_of,
    normaliser,
    offers_alternatives,
    writes_alternatives,
)
from mondegreen.metrics.scores.score import LaterColumns, Score, both_sides
from mondegreen.metrics.words.detail import WordDetail
from mondegreen.metrics.words.entities import KEYWORD
from mondegreen.metrics.words.extras import counted
from mondegreen.metrics.words.networks import unbracketed
from mondegreen.metrics.words.readings import Reader
from mondegreen.metrics.words.sides import plain_sides, timed_sides
from mondegreen.metrics.words.times import Preparation, check_times
from mondegreen.metrics.words.units import CHARACTERS, MIXED, unit_of
from mondegreen.metrics.words.units import WORDS as WORD
from mondegreen.text.items import Item

COLUMNS = ("hits", "substitutions", "deletions", "insertions", "wrong", "utterances")
_LATER = ("characters", "character_errors")
_ERRORS = "substitutions deletions insertions"
_WORDS = "hits substitutions deletions"


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
    Ratio.of("wer", _ERRORS, _WORDS, lower_is_better=True),
    Ratio.of("mer", _ERRORS, f"{_WORDS} insertions", lower_is_better=True),
    Ratio("wil", _information_lost, lower_is_better=True),
    Ratio.of("cer", "character_errors", "characters", lower_is_better=True),
    Ratio.of("ser", "wrong", "utterances", lower_is_better=True),
)


@renamed(norm="normalise")
def words(
    refs: Sequence[Item],
    hyps: Sequence[Item],
    *,
    ids: Sequence[str] | None = None,
    costs: str = "unit",
    ignore_case: bool = False,
    normalise: str | Normaliser = "none",
    alternatives: bool = False,
    compounds: bool = False,
    fragments: bool = False,
    characters: bool = False,
    format_equal: str = "",
    keywords: Mapping[str, str] | Sequence[str] | None = None,
    entities: Sequence[Sequence[tuple[str, int, int]]] | None = None,
    punctuation: bool = False,
    hallucinations: bool = False,
    unit: str = "",
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
        normalise: ``none``, ``basic``, ``whisper``, the path of a file of rules, or a function from
            text to text.
        alternatives: texts hold alternatives ``{ one / other / @ }``, optional words ``(uh)`` and
            tags ``word;tag``, as NIST's trn files do.
        compounds: count "ice cream" and "icecream" as the same.
        fragments: count a word that begins or ends with a hyphen as right where it is a part of
            the other word.
        characters: the older name of ``unit="characters"``.
        format_equal: a language, such as ``en``: "$5" and "five dollars" are then the same.
        keywords: words and phrases to count as entities; with classes, or without.
        entities: the entities of each reference: class, first token, and the token after the last.
        punctuation: also count errors of punctuation and case.
        hallucinations: also count loops, text for silence, and long runs that nobody said.
        unit: ``words``, ``characters`` (spaces do not count) or ``mixed`` (characters of scripts
            without spaces, words of all others); by default words, or mixed where most references
            are in a script without spaces.
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
    if characters and unit not in ("", CHARACTERS):
        raise DataError(f"characters and the unit {unit} contradict each other; give unit alone")
    unit = unit_of(CHARACTERS if characters else unit, written[0])
    characters, mixed = unit == CHARACTERS, unit == MIXED
    check_times(costs, times, compounds=compounds, characters=characters, format_equal=format_equal)
    prepare = normaliser(normalise) if isinstance(normalise, str) else normalise
    marked = alternatives
    offers = times is None and offers_alternatives(prepare)
    alternatives = alternatives or writes_alternatives(prepare) or offers
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
            mixed=mixed,
        )
    else:
        names = ids if ids is not None else numbers(len(written[0]))
        preparation = Preparation(prepare, ignore_case, marked, mixed)
        timed = preparation.both(written, times, names, entities)
        sides = timed_sides(timed, reader, entities=entities, mixed=mixed)
    found = counted(
        sides.words,
        NAMED[costs],
        spans=sides.spans,
        keywords=_keywords(keywords, prepare, format_equal, lower=ignore_case),
        hallucinations=hallucinations,
        written=_as_read(written, reader, marked=marked) if punctuation else None,
        times=sides.times,
        threads=threads,
    )
    recipe = [
        f"norm:{label(normalise) if isinstance(normalise, str) else name_of(normalise)}",
        *(["case:ignored"] if ignore_case else []),
        *([f"unit:{unit}"] if unit != WORD else []),
        *(["alternatives"] if alternatives else []),
        *([f"format-equal:{format_equal}"] if format_equal else []),
        *(["compounds"] if compounds else []),
        *(["fragments"] if fragments else []),
        f"costs:{costs}",
    ]
    from mondegreen.metrics.words.metric import WORDS  # which is made of this

    return Score(
        WORDS,
        f"mondegreen|words|{'|'.join(recipe)}|v:{__version__}",
        found.table,
        tuple(ids) if ids is not None else numbers(len(written[0])),
        LaterColumns(_LATER, cache(lambda: distances(*sides.texts, threads=threads))),
        WordDetail(*sides.words, found.alignment, written, found.classes, sides.forgiven),
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
        mixed=False,
    ).words
    return [*unbracketed(chosen[0])], [*unbracketed(chosen[1])]


def _keywords(
    given: Mapping[str, str] | Sequence[str] | None,
    prepare: Normaliser | None,
    format_equal: str,
    *,
    lower: bool,
) -> dict[tuple[str, ...], tuple[str, ...]] | None:
    """Return keywords as they are compared, with their classes."""
    if given is None:
        return None
    from mondegreen.metrics.words.forgiving import in_all_writings

    classes = given if isinstance(given, Mapping) else dict.fromkeys(given, KEYWORD)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for phrase, label_ in in_all_writings(classes, format_equal):
        text = prepare(phrase) if prepare is not None else phrase
        if words := tuple((lower_case(text) if lower else text).split()):
            found[words] = tuple(dict.fromkeys((*found.get(words, ()), label_)))
    return found
