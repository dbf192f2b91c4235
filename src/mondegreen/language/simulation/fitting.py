"""Fitting a profile of a recogniser to pairs of reference and hypothesis."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from mondegreen.errors import DataError
from mondegreen.language.languages import ENGLISH
from mondegreen.language.simulation.additions import Added, fit_additions, place_of
from mondegreen.language.simulation.calibration import HeldOut, calibrated
from mondegreen.language.simulation.choices import NEARNESS, STEPS, mistaken
from mondegreen.language.simulation.copula import Dependence, dependence
from mondegreen.language.simulation.drawn import Usage
from mondegreen.language.simulation.ears import Ear, ear_of
from mondegreen.language.simulation.kinds import KINDS, kinds_before
from mondegreen.language.simulation.marks import UNHEARD, named, unmarked
from mondegreen.language.simulation.odds import bigrams
from mondegreen.language.simulation.placement import fit_odds
from mondegreen.language.simulation.profile import (
    PLACES,
    VERSION,
    AddedWeights,
    Habits,
    Rates,
    RecogniserProfile,
    SeveralWeights,
)
from mondegreen.language.simulation.regression import (
    ChoiceProblems,
    NewPairs,
    choice_problems,
    fit_choices,
    fit_kinds,
    kind_problems,
)
from mondegreen.language.simulation.several import (
    fit_several,
    written_otherwise,
    written_together,
)
from mondegreen.language.simulation.simulator import level_of, odds_of
from mondegreen.language.simulation.starts import NEAREST, NONE, Start, beginnings, nearest_start
from mondegreen.language.simulation.units import Pair, units
from mondegreen.language.simulation.vocabulary import Vocabulary
from mondegreen.language.sounds.pronunciations import LONGEST

_FEWEST = 9  # distinct references from which on some are held out
_FOLDS = 3
FEW = 500
"""As many pairs need no start."""
_PHRASES = 3000  # added phrases to store per place
_OUTCOMES = 40_000  # outcomes of words to store, the most frequent ones
_VOCABULARY = 30_000
_BIGRAMS = 50_000

_Fold = tuple[Sequence[Pair], Sequence[Pair]]
OnProgress = Callable[[str, int, int], None]


def _silent(description: str, done: int, total: int) -> None:
    """Show nothing."""


def fit_recogniser(
    refs: Sequence[str],
    hyps: Sequence[str],
    *,
    source: str = "",
    language: str = ENGLISH,
    keep_marks: bool = False,
    begin_with: str = NEAREST,
    on_progress: OnProgress = _silent,
) -> RecogniserProfile:
    """Fit a profile to what a recogniser made of references.

    Fewer than 500 pairs begin with another profile: the fewer there are, the more the weights stay
    like those of that one. The profile stores its name.

    Args:
        refs: what was said.
        hyps: what the recogniser wrote.
        source: the name of the pairs, which the profile stores.
        language: the code of their language (de, en, es, fr, it, nl or zh).
        keep_marks: take marks such as ``<unk>`` and ``[noise]`` for words; else they are left out,
            and a warning names them.
        begin_with: the built-in profile to begin with, or a file; of several names with commas
            between them, the one by which the errors of the pairs are likeliest; ``nearest`` takes
            all built-in ones of the language for fewer than 500 pairs, ``none`` none.
        on_progress: called with a description, the stages done and all of them.

    Raises:
        DataError: if there are no pairs, or no errors in them, or no such profile.
        OperatorError: if recognisers of the language cannot be simulated.
    """
    starts = beginnings(begin_with, language)
    if begin_with == NEAREST and len(refs) >= FEW:
        starts = beginnings(NONE, language)
    if not keep_marks:
        refs, hyps = _without_marks(refs, hyps)
    pairs = _pairs(zip(refs, hyps, strict=True), ear_of(language))
    rates = _rates_of(pairs)
    if not rates.wer:
        raise DataError(
            "the hypotheses have no errors, so there is nothing to learn; give pairs with errors"
        )
    on_progress("fitting", 1, 4)
    folds = list(_folds(pairs))
    learnt = _learnt(folds, language)
    start = nearest_start(starts, kind_problems(pairs), learnt.problems)
    weights = learnt.weights(start)
    named = partial(_profile, weights=weights, source=source, language=language, start=start)
    on_progress("fitting", 2, 4)
    parts = [HeldOut(named(known), new) for known, new in folds]
    together = _dependence(parts)._asdict()
    on_progress("fitting", 3, 4)
    return calibrated(
        replace(named(pairs), **together),
        [HeldOut(replace(profile, **together), new) for profile, new in parts],
    )


class _Weights(NamedTuple):
    """The weights of replacements and additions, and the habits of writing."""

    choices: tuple[tuple[float, ...], ...]
    several: SeveralWeights
    additions: AddedWeights
    habits: Habits


class _Learnt(NamedTuple):
    """What the weights of replacements and additions are learnt from."""

    parts: Sequence[NewPairs]
    problems: ChoiceProblems
    added: Sequence[tuple[Sequence[Pair], Added]]
    habits: Habits

    def weights(self, start: Start) -> _Weights:
        """Return the weights, near those of a start."""
        return _Weights(
            fit_choices(self.problems, start.choices),
            fit_several(self.parts, start.several),
            fit_additions([(new, start.with_added(added)) for new, added in self.added]),
            self.habits,
        )


def _learnt(folds: Sequence[_Fold], language: str) -> _Learnt:
    """Return what can be learnt of new pairs by what is known of others.

    The first fold is enough, unless there are few pairs.
    """
    parts, added = list[NewPairs](), list[tuple[Sequence[Pair], Added]]()
    few = sum(len(new) for _, new in folds) < FEW
    for known, new in folds if few else folds[:1]:
        heard, joined, additions = _outcomes(known)
        vocabulary = Vocabulary(_written(known), mistaken(heard), language)
        parts.append(NewPairs(new, heard, joined, vocabulary, Usage(_bigrams(known))))
        added.append((new, additions))
    known, new = folds[0]
    return _Learnt(
        parts,
        choice_problems(parts),
        added,
        _habits([*known, *new], parts[0].vocabulary),
    )


def _profile(
    pairs: Sequence[Pair], *, weights: _Weights, source: str, language: str, start: Start
) -> RecogniserProfile:
    """Return a profile by the counts of pairs, without calibration and dependence of errors."""
    odds = fit_odds(pairs)
    heard, joined, added = _outcomes(pairs)
    added = start.with_added(added)
    return RecogniserProfile(
        version=VERSION,
        source=source,
        begun_with=start.name,
        language=language,
        pairs=len(pairs),
        total=sum(len(pair.ref) for pair in pairs),
        rates=_rates_of(pairs),
        kinds=fit_kinds(kind_problems(pairs), start.kinds),
        kinds_before=_kinds_before(pairs),
        shifts=(0.0,) * len(KINDS),
        nearness=((0.0,) * STEPS,) * NEARNESS,
        heard=heard,
        joined=joined,
        added=added.places,
        added_after=added.after,
        ref_words=Counter(word for pair in pairs for word in pair.ref),
        hyp_words=_written(pairs),
        hyp_bigrams=_bigrams(pairs),
        levels=((0.0, 0.0), (1.0, 1.0)),
        **Dependence()._asdict(),
        **odds._asdict(),
        **weights._asdict(),
    )


def _dependence(parts: Sequence[HeldOut]) -> Dependence:
    """Return how errors go together in new references."""
    found: list[NDArray[np.float64]] = []
    happened: list[NDArray[np.float64]] = []
    for profile, pairs in parts:
        of = odds_of(profile).of
        new = [np.array(of(pair.ref)) for pair in pairs]
        wrong = [_happened(pair) for pair in pairs]
        sites = [1.0] * sum(map(len, new))
        level = level_of(np.concatenate(new).tolist(), sites, float(sum(map(np.sum, wrong))))
        found += [one + level for one in new]
        happened += wrong
    return dependence([pair.ref for part in parts for pair in part.new], found, happened)


def _folds(pairs: Sequence[Pair]) -> Iterator[_Fold]:
    """Yield most of the pairs and the others, so that each reference is once among the others.

    In alphabetical order, each three references are divided at random, so that similar ones are in
    different folds, whatever the pattern by which they were made.
    """
    distinct = sorted({pair.ref for pair in pairs})
    if len(distinct) < _FEWEST:
        yield pairs, pairs
        return
    rng = np.random.default_rng(0)
    triples = -(-len(distinct) // _FOLDS)
    fold_of = np.concatenate([rng.permutation(_FOLDS) for _ in range(triples)])[: len(distinct)]
    for fold in range(_FOLDS):
        held = {ref for ref, one in zip(distinct, fold_of.tolist(), strict=True) if one == fold}
        yield [p for p in pairs if p.ref not in held], [p for p in pairs if p.ref in held]


def _happened(pair: Pair) -> NDArray[np.float64]:
    """Return 1 for each site of an utterance in which an error begins."""
    found = np.zeros(2 * len(pair.ref) + 1)
    for start, end, _ in pair.units:
        found[2 * start + (start < end)] = 1.0
    return found


def _habits(pairs: Sequence[Pair], vocabulary: Vocabulary) -> Habits:
    """Return how often words are written otherwise, where that is possible."""
    did, could = Counter[str](), Counter[str]()
    for ref, _, found in pairs:
        for start, end, heard in found:
            if end - start > 1:
                name, own = "together", written_together(ref[start], ref[start + 1], vocabulary)
            elif end > start and len(heard) > 1:
                name = "read" if vocabulary.ear.reading(ref[start]) else "apart"
                own = written_otherwise(ref[start], min(len(heard), 3), vocabulary)
            else:
                continue
            could[name] += bool(own)
            did[name] += own == " ".join(heard)
    shares = {name: (did[name] + 0.1) / (could[name] + 1) for name in Habits.__struct_fields__}
    return Habits(**shares)


def _written(pairs: Sequence[Pair]) -> dict[str, int]:
    words = Counter(word for pair in pairs for word in pair.hyp if word != UNHEARD)
    return _most(words, _VOCABULARY)


def _kinds_before(pairs: Sequence[Pair]) -> dict[str, tuple[int, ...]]:
    found = kinds_before(pairs)
    often = sorted(found, key=lambda pair: (-sum(found[pair]), pair))[:_BIGRAMS]
    return {pair: tuple(found[pair]) for pair in often}


def _bigrams(pairs: Sequence[Pair]) -> dict[str, int]:
    found = Counter(two for pair in pairs for two in bigrams(pair.hyp))
    return _most(Counter({two: n for two, n in found.items() if UNHEARD not in two}), _BIGRAMS)


def _pairs(texts: Iterable[tuple[str, str]], ear: Ear) -> list[Pair]:
    both = [(ear.words(ref), ear.words(hyp)) for ref, hyp in texts]
    odd = [pair for pair in both if any(len(word) > LONGEST for side in pair for word in side)]
    if odd:
        raise DataError(
            f"{len(odd):,} pairs have words of over {LONGEST} letters, which nobody says (such "
            f"as {max((*odd[0][0], *odd[0][1]), key=len)!r:.60}); leave them out"
        )
    kept = [(ref, hyp) for ref, hyp in both if ref]
    if not kept:
        raise DataError("no reference has a word; give pairs of reference and hypothesis")
    if len(kept) < len(both):
        warnings.warn(
            f"{len(both) - len(kept):,} of {len(both):,} pairs have an empty reference and are "
            "left out",
            stacklevel=3,
        )
    ear.prepare({word for ref, hyp in kept for word in (*ref, *hyp)})
    return [Pair(ref, hyp, units(ref, hyp, ear.unlikeness)) for ref, hyp in kept]


def _without_marks(refs: Sequence[str], hyps: Sequence[str]) -> tuple[list[str], list[str]]:
    found = unmarked(refs, hyps)
    if found.marks:
        warnings.warn(
            f"marks that are no words are left out: {named(found.marks)}; to have them written, "
            "say --keep-marks (keep_marks=True)",
            stacklevel=3,
        )
    return found.refs, found.hyps


def _rates_of(pairs: Sequence[Pair]) -> Rates:
    steps: Counter[str] = Counter()
    for ref, hyp, _ in pairs:
        steps.update(step.tag for step in Levenshtein.editops(ref, hyp))
    total = sum(len(pair.ref) for pair in pairs)
    return Rates(
        wer=sum(steps.values()) / total,
        substitutions=steps["replace"] / total,
        deletions=steps["delete"] / total,
        insertions=steps["insert"] / total,
        empty=sum(not pair.hyp for pair in pairs) / len(pairs),
    )


def _outcomes(
    pairs: Sequence[Pair],
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]], Added]:
    """Count what became of words, of two words together, and which words were added."""
    of_words, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    joined: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, Counter[str]] = {place: Counter() for place in PLACES}
    for pair in pairs:
        for start, end, words in pair.units:
            text = " ".join(words)
            if UNHEARD in words:
                continue
            if start == end:
                places[place_of(start, len(pair.ref))][text] += 1
                if start:
                    after[pair.ref[start - 1], text] += 1
            elif end - start == 1:
                of_words[pair.ref[start], text] += 1
            else:
                joined[" ".join(pair.ref[start:end])][text] += 1
    return (
        _by_word(of_words),
        {words: dict(counts) for words, counts in joined.items()},
        Added(
            {place: _most(counts, _PHRASES) for place, counts in places.items()}, _by_word(after)
        ),
    )


def _by_word(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (word, text), count in counts.most_common(_OUTCOMES):
        found.setdefault(word, {})[text] = count
    return found


def _most(counts: Counter[str], n: int) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n])
