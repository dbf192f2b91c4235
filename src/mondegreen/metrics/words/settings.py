"""The settings of the score of words: what changes the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mondegreen.metrics.metric import setting


@dataclass(frozen=True)
class WordSettings:
    """What changes the numbers."""

    costs: str = setting(
        default="unit",
        help="Costs of the alignment: unit counts every error as 1; sclite counts a substitution "
        "as 4, others as 3; fstalign counts a substitution as 3, others as 2; times aligns words "
        "by when they are said, as sclite -T does (both sides .ctm, or records with times).",
        metavar="unit|sclite|fstalign|times",
    )
    ignore_case: bool = setting(default=False, help="Compare in lower case.")
    normalise: str = setting(
        default="none",
        help="Normaliser to apply to both sides before words are compared: a name, or a file of "
        "rules (.toml, or sclite's .glm).",
        metavar="none|basic|whisper|FILE",
    )
    compounds: bool = setting(default=False, help='Count "ice cream" and "icecream" as the same.')
    fragments: bool = setting(
        default=False,
        help="Count a word that begins or ends with a hyphen as right where it is a part of the "
        "other word, as sclite -F does.",
    )
    unit: str = setting(
        default="",
        help="What is compared: words; characters, without spaces, as sclite -c does; or mixed, "
        "characters of scripts without spaces and words of all others. By default words, or mixed "
        "where most of the references are in a script without spaces.",
        metavar="words|characters|mixed",
    )
    characters: bool = setting(default=False, help="The same as --unit characters.")
    format_equal: str = setting(
        default="",
        help='Count "$5" and "five dollars" as the same: numbers, times, dates, amounts, units, '
        "codes, addresses, abbreviations and hyphens may be written or said on either side; what "
        "was forgiven is listed. The language of the texts: en, de, es, fr, pt, it, nl, sv, ru, "
        "zh, ja, ko, hi or vi.",
        metavar="LANGUAGE",
    )
    oracle: bool = setting(
        default=False,
        help="HYP has n-best lists, in a column nbest of JSON lines: score the best of each list.",
    )
    keywords: Path | None = setting(
        default=None,
        help="Words and phrases that matter, one per line, a class after a tab: their recall, "
        "precision and error rate.",
        metavar="FILE",
    )
    entities: bool = setting(
        default=False,
        help="Also score the entities that the slots of REF tag (those of .nlp files always).",
    )
    punctuation: bool = setting(
        default=False, help="Also score punctuation and case, as they are written."
    )
    hallucinations: bool = setting(
        default=False,
        help="Also score hallucinations: loops, text for silence, long runs that nobody said.",
    )
