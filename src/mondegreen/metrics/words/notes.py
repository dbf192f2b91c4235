"""What a reader of the numbers should know: another unit, case or punctuation would matter."""

from __future__ import annotations

from mondegreen.metrics.metric import References
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.scoring import words
from mondegreen.metrics.words.units import MIXED
from mondegreen.metrics.words.units import WORDS as WORD
from mondegreen.text.items import words_of
from mondegreen.text.segment import has_unspaced


def notes(score: Score, _: References) -> list[str]:
    """Say so where words are of two kinds, and where case or punctuation makes most errors."""
    return [*_unit_notes(score), *_surface_notes(score)]


def _unit_notes(score: Score) -> list[str]:
    """Say so where another unit would give another rate."""
    if f"unit:{MIXED}" in score.signature:
        mixed = "words of scripts without spaces are compared by character, all others as words"
        return [f"{mixed}: a mixed error rate (unit:mixed in the signature; see --unit)"]
    refs, hyps = score.detail.written
    texts = [ref for ref in refs if isinstance(ref, str)]
    if "unit:" in score.signature or len(texts) < len(refs) or not has_unspaced(texts):
        return []
    some = [at for at, text in enumerate(texts) if has_unspaced([text])]
    strict, loose = (
        words([refs[at] for at in some], [hyps[at] for at in some], unit=unit)["wer"]
        for unit in (WORD, MIXED)
    )
    if strict.value == loose.value:
        return []
    share = f"{len(some):,} of {len(refs):,} references have words of a script without spaces"
    rates = f"{100 * (strict.value or 0):.2f} %, by character {100 * (loose.value or 0):.2f} %"
    return [f"{share}, each one word: their word error rate is {rates} (see --unit mixed)"]


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
