"""From words to sounds: how far each substitution was, and the whole transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from mondegreen.align import align_symbols
from mondegreen.align.costs import ONE
from mondegreen.language.sounds.phonology import SILENT, arpabet
from mondegreen.language.sounds.pronunciations import Pronunciation, prepare, pronounced
from mondegreen.metrics.phonemes import PHONEMES, phonemes
from mondegreen.metrics.scores.score import Score
from mondegreen.text.items import Item, words_of


class HeardSubstitution(NamedTuple):
    """A substitution: how often, and how far apart the words sound.

    ``distance`` is what differs, in shares of the reference word's features: 0 for homophones.
    """

    ref: str
    hyp: str
    times: int
    distance: float | None


def substitutions(times: Counter[tuple[str, ...]]) -> list[HeardSubstitution]:
    """Return substitutions of words with how far apart they sound, the most frequent first."""
    found = times.most_common()
    prepare(word for pair, _ in found for word in pair)
    return [
        HeardSubstitution(ref, hyp, count, word_distance(ref, hyp)) for (ref, hyp), count in found
    ]


def word_distance(ref: str, hyp: str) -> float | None:
    """Return how far two words sound apart, by their nearest pronunciations.

    >>> near, far = word_distance("watch", "which"), word_distance("watch", "banana")
    >>> round(near, 2), round(far, 2)
    (0.06, 1.06)
    """
    said, heard = pronounced(ref).pronunciations, pronounced(hyp).pronunciations
    if not said or not heard:
        return None
    return min(_distance(one, other) for one in said for other in heard)


def _distance(ref: Pronunciation, hyp: Pronunciation) -> float:
    system = arpabet()
    found = align_symbols(
        [" ".join(ref)], [" ".join(hyp)], system.symbols, tuple(SILENT), *system.costs
    )
    if found is None:
        raise AssertionError("unreachable: pronunciations are of phonemes of the system")
    return float(found[1].costs[0]) / ONE / (len(system.features) * len(ref))


def transcripts(score: Score) -> Score:
    """Return the score of phonemes of the same transcripts, each word as it is said first."""
    sides = score.detail.refs, score.detail.hyps
    prepare(word for side in sides for item in side for word in words_of(item))
    said, heard = ([_sounds(item) for item in side] for side in sides)
    return phonemes(said, heard, ids=score.ids)


def phoneme_rates(sums: Mapping[str, int]) -> dict[str, float | None]:
    """Return the rates of a score of phonemes, given the sums of its columns."""
    ratios = {rate.name: rate.ratio(sums) for rate in PHONEMES.rates}
    return {name: over / under if under else None for name, (over, under) in ratios.items()}


def _sounds(item: Item) -> str:
    ways = (pronounced(word).pronunciations for word in words_of(item))
    return " ".join(" ".join(way[0]) for way in ways if way)
