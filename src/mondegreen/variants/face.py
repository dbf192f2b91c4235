"""``mg.perturb`` and ``mg.augment``: the variants of data, by a recipe."""

from __future__ import annotations

from collections.abc import Iterable

from mondegreen.engines import LOCAL, Workers, open_workers
from mondegreen.perturbation.augmentation import AMOUNT, GROUP
from mondegreen.perturbation.preparation import LearnFrom
from mondegreen.perturbation.recipe import Operators, Recipe
from mondegreen.variants.result import Variants
from mondegreen.variants.sources import Data


def perturb(
    data: Data,
    operators: Operators | Recipe,
    *,
    seed: int = 0,
    once: bool = False,
    rate: float | None = None,
    chance: float | None = None,
    severity: float | None = None,
    variants: int = 1,
    mix: bool = False,
    protect: Iterable[str] = (),
    protect_slots: bool | Iterable[str] = False,
    protect_codes: bool = True,
    skip_unchangeable: bool = False,
    language: str | None = None,
    learn_from: LearnFrom | None = None,
    engine: str = LOCAL,
    workers: int | None = None,
) -> Variants:
    """Return the variants of each utterance, in order: ``variants`` of them per operator.

    The result is an iterator; ``.write(path)`` writes what the command ``perturb`` does instead.

    The same recipe gives the same text the same edits: alone, in a file of millions, and on any
    number of workers. What operators learn from the data is a part of the recipe. A higher amount
    makes every edit of a lower one. An utterance that cannot be changed is returned as a variant
    without edits, or left out.

    Args:
        data: a file, utterances, texts, or a data frame (pandas, polars, Arrow, Hugging Face); see
            :func:`mondegreen.read` for columns of other names.
        operators: names, signatures such as ``fillers(language='de')``, groups such as ``nature``,
            operators, or a recipe, whose operators learn nothing more.
        seed: another seed gives other edits.
        once: make one edit per utterance.
        rate: probability of editing each site; at least one edit per utterance.
        chance: probability of editing each site; an utterance may stay unchanged.
        severity: share of the words to change; at least one edit per utterance.
        variants: variants per utterance and operator; distinct while the text allows.
        mix: one operator per variant, drawn at random, instead of each operator.
        protect: words or phrases to leave unchanged.
        protect_slots: leave slots unchanged: all of them, or those with the labels given.
        protect_codes: leave numbers, codes, e-mail addresses, URLs, file names and quotations
            unchanged.
        skip_unchangeable: leave out variants without edits.
        language: the code of the data's language, such as ``de``; by default it is found out, and
            operators that do not know it refuse.
        learn_from: what operators learn from, such as the level of errors of ``recogniser``: a
            file, utterances or texts; by default, all of the data.
        engine: where the work runs: ``local``, ``processes`` or ``ray``; the variants are the same.
        workers: how many processes or Ray workers; by default, as many as there are cores.

    >>> [variant.utterance.text for variant in perturb(["play some jazz"], "fillers", seed=7)]
    ['play um some jazz']

    Raises:
        DataError: if the data is a single text, or not a collection; or naming the row that is no
            utterance.
        OperatorError: if an operator or an amount is wrong, or an operator does not know the
            language of the data.
    """
    recipe = Recipe.build(
        operators,
        seed=seed,
        once=once,
        rate=rate,
        chance=chance,
        severity=severity,
        variants=variants,
        mix=mix,
        protect=protect,
        protect_slots=protect_slots,
        protect_codes=protect_codes,
        skip_unchangeable=skip_unchangeable,
        language=language,
    )
    learns = not isinstance(operators, Recipe)
    pool = _workers(engine, workers)
    return Variants(recipe, data, learn_from=learn_from, learns=learns, workers=pool)


def augment(
    data: Data,
    operators: Operators = GROUP,
    *,
    seed: int = 0,
    once: bool = False,
    rate: float | None = None,
    severity: float | None = None,
    times: int = 1,
    protect: Iterable[str] = (),
    protect_slots: bool | Iterable[str] = False,
    protect_codes: bool = True,
    skip_unchangeable: bool = False,
    language: str | None = None,
    learn_from: LearnFrom | None = None,
    engine: str = LOCAL,
    workers: int | None = None,
) -> Variants:
    """Return each utterance as it is, then its copies, each by one operator drawn at random.

    Where an operator cannot change the utterance, another one is drawn. Every copy differs from
    the utterance and from its other copies. An utterance that no operator can change is returned
    alone, or left out.

    Args:
        data: a file, utterances, texts, or a data frame.
        operators: names, signatures, groups or operators to draw from.
        seed: another seed gives other copies.
        once: make one edit per copy.
        rate: probability of editing each site; at least one edit per copy.
        severity: share of the words to change, at least one edit per copy; 0.3 by default.
        times: copies per utterance.
        protect: words or phrases to leave unchanged.
        protect_slots: leave slots unchanged: all of them, or those with the labels given.
        protect_codes: leave numbers, codes, e-mail addresses, URLs, file names and quotations
            unchanged.
        skip_unchangeable: leave out utterances without a copy.
        language: the code of the data's language, such as ``de``; by default it is found out, and
            operators that do not know it refuse.
        learn_from: what operators learn from: a file, utterances or texts; by default, the data.
        engine: where the work runs: ``local``, ``processes`` or ``ray``; the copies are the same.
        workers: how many processes or Ray workers; by default, as many as there are cores.

    >>> for variant in augment(["play some jazz"], ["keyboard", "spelling"], seed=7):
    ...     print(variant.utterance.id, variant.utterance.text)
    1 play some jazz
    1/keyboard/0 play some nazz

    Raises:
        DataError: if the data is a single text, or not a collection.
        OperatorError: if an operator or an amount is wrong, or an operator does not know the
            language of the data.
    """
    recipe = Recipe.build(
        operators,
        seed=seed,
        amount=AMOUNT,
        once=once,
        rate=rate,
        severity=severity,
        variants=times,
        mix=True,
        augment=True,
        protect=protect,
        protect_slots=protect_slots,
        protect_codes=protect_codes,
        skip_unchangeable=skip_unchangeable,
        language=language,
    )
    pool = _workers(engine, workers)
    return Variants(recipe, data, learn_from=learn_from, workers=pool)


def _workers(engine: str, workers: int | None) -> Workers | None:
    return None if engine == LOCAL else open_workers(engine, workers)
