"""What a reader of the numbers should know: another unit, case or punctuation would matter."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

from mondegreen.align.costs import TIMES, UNIT
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.networks import unbracketed
from mondegreen.metrics.words.scoring import words
from mondegreen.metrics.words.units import MIXED
from mondegreen.metrics.words.units import WORDS as WORD
from mondegreen.text.items import words_of
from mondegreen.text.segment import has_unspaced

_WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "case": ("--ignore-case", {"ignore_case": True}),
    "case and punctuation": ("--normalise basic", {"normalise": "basic"}),
}
"""What might not count, and the options that make it so."""


def notes(scores: Mapping[str, Score]) -> list[str]:
    """Say where another unit would matter, and where case or punctuation make the difference."""
    unit = next((found for score in scores.values() if (found := _unit_notes(score))), [])
    return [*unit, *_surface_notes(scores)]


def _unit_notes(score: Score) -> list[str]:
    """Say so where another unit would give another rate."""
    if f"unit:{MIXED}" in score.signature:
        mixed = "words of scripts without spaces are compared by character, all others as words"
        return [f"{mixed}: a mixed error rate (unit:mixed in the signature; see --unit)"]
    texts = [ref for ref in score.detail.written[0] if isinstance(ref, str)]
    if "unit:" in score.signature or len(texts) < len(score) or not has_unspaced(texts):
        return []
    refs, hyps = _compared(score)
    some = [at for at, text in enumerate(refs) if has_unspaced([text])]
    pairs = [refs[at] for at in some], [hyps[at] for at in some]
    strict, loose = (words(*pairs, costs=_costs(score), unit=unit)["wer"] for unit in (WORD, MIXED))
    if strict.value == loose.value:
        return []
    share = f"{len(some):,} of {len(refs):,} references have words of a script without spaces"
    rates = f"{100 * (strict.value or 0):.2f} %, by character {100 * (loose.value or 0):.2f} %"
    return [f"{share}, each one word: their word error rate is {rates} (see --unit mixed)"]


def _compared(score: Score) -> tuple[list[str], list[str]]:
    """Return the texts of both sides as they were compared: normalised, in their best reading."""
    sides = (score.detail.refs, score.detail.hyps)
    if "|alternatives|" in score.signature:
        return unbracketed(sides[0]), unbracketed(sides[1])
    refs, hyps = ([" ".join(words_of(item)) for item in side] for side in sides)
    return refs, hyps


def _costs(score: Score) -> str:
    """Return the costs of a score; those of times as units, since its texts have no times."""
    costs = next(part[6:] for part in score.signature.split("|") if part.startswith("costs:"))
    return UNIT.name if costs == TIMES.name else costs


class _Rates(NamedTuple):
    """The word error rate of a system as it is written, and without case or more."""

    strict: float
    loose: float


def _surface_notes(scores: Mapping[str, Score]) -> list[str]:
    """Say so where case or punctuation make most errors, or decide which system is better."""
    found = []
    for what, (option, way) in _WAYS.items():
        rates = {name: _rates(score, way) for name, score in scores.items()}
        known = {name: rate for name, rate in rates.items() if rate is not None}
        made = [name for name, rate in known.items() if rate.loose < rate.strict / 2]
        turned = _turned(known)
        if made or turned:
            found += [_told(name, what, known[name]) for name in made]
            found += [f"without {what}, {turned}"] if turned else []
            return [*found[:-1], f"{found[-1]}; see {option}"]
    return [note for name, score in scores.items() for note in _mark_notes(name, score)]


def _rates(score: Score, way: Mapping[str, Any]) -> _Rates | None:
    if "norm:none" not in score.signature or not score["wer"].value:
        return None
    loose = words(*_compared(score), costs=_costs(score), unit=WORD, **way)
    return _Rates(float(score["wer"]), float(loose["wer"]))


def _told(name: str, what: str, rate: _Rates) -> str:
    system = f"{name}: " if name else ""
    return (
        f"{system}{what} make most of the errors: the word error rate is {100 * rate.loose:.2f} % "
        f"without them, {100 * rate.strict:.2f} % with them"
    )


def _turned(rates: Mapping[str, _Rates]) -> str:
    """Return which system is better once case or more do not count, if it is another one."""
    for (a, one), (b, other) in combinations(rates.items(), 2):
        before, after = other.strict - one.strict, other.loose - one.loose
        if before * after < 0:
            is_now = "better" if after < 0 else "worse"
            points = f"{100 * abs(after):.2f} points {is_now} than {a}"
            return f"{b} is {points}, with them {100 * abs(before):.2f} points the other way"
    return ""


def _mark_notes(name: str, score: Score) -> list[str]:
    """Say so where UPPERCASE marks words of the references, such as disfluent ones."""
    refs, hyps = (
        [word for item in side for word in words_of(item)]
        for side in (score.detail.refs, score.detail.hyps)
    )
    marked = sum(map(_is_marked, refs))
    rate = _rates(score, _WAYS["case"][1]) if marked and not any(map(_is_marked, hyps)) else None
    if rate is None or rate.strict == rate.loose:
        return []
    rates = f"{100 * rate.loose:.2f} % without case, {100 * rate.strict:.2f} % with it"
    marks = f"{marked:,} words of the references are in UPPERCASE and none of the hypotheses"
    advice = "see --ignore-case, or score fluency if these words are disfluent"
    system = f"{name}: " if name else ""
    return [f"{system}{marks}: the word error rate is {rates}; {advice}"]


def _is_marked(word: str) -> bool:
    return len(word) > 1 and word.isupper()
