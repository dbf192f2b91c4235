"""The engine: turns utterances into variants, as a recipe says.

:func:`run_together` is the one driver. It reads the data once, lets operators that work best in
batches look ahead, and hands each utterance to every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mondegreen.data.files.hashing import hash_of
from mondegreen.draw import Draw, key_of, prefix_of, walk, weighted_walk
from mondegreen.edits import apply_edits
from mondegreen.errors import EditError, MondegreenError, OperatorError, UtteranceError
from mondegreen.kernel import compiled
from mondegreen.limits import look
from mondegreen.operators import Operator
from mondegreen.operators.amounts import least
from mondegreen.operators.options import Choice, LaterOptions, Letters, Others, Swap
from mondegreen.perturbation.composition import composed
from mondegreen.perturbation.numbering import numbered
from mondegreen.perturbation.protection import Protection, breaks, codes_of, touches
from mondegreen.perturbation.recipe import Recipe
from mondegreen.plugins import one_line
from mondegreen.text.verbatim import look_of, verbatim_spans
from mondegreen.types import Edit, Slot, Utterance, Variant

if TYPE_CHECKING:
    from mondegreen.kernel._kernel import LineRewriter, Rewriter, RowPlan, RowRewriter

_OWN = "mondegreen."
_SPARE = 4  # sites asked for beyond the number needed: some have no candidate
_ATTEMPTS = 256  # to find a variant that differs from those before it

Make = Callable[[Utterance], Iterable[Variant]]


class _Plan(NamedTuple):
    """What holds for one operator during a whole run."""

    operator: Operator
    rewriter: Rewriter | None
    threshold: int
    share: float
    floor: int
    prefix: bytes
    protection: Protection
    only_codes: bool


class Engine:
    """Makes variants by one recipe. What holds for the whole run is decided here, once.

    Args:
        recipe: how to make variants.
        kernel: whether to use the compiled kernel; without it, the same edits are made in Python.
    """

    def __init__(self, recipe: Recipe, *, kernel: bool = True) -> None:
        self.recipe = recipe
        self._kernel = kernel
        self.resources = {path: hash_of(path) for op in recipe.operators for path in op.resources()}
        """The hashes of the users' files that the variants depend on."""
        self._plans = {op.name: tuple(map(self._compiled, op.links)) for op in recipe.operators}
        self._batching = [(name, plans[0]) for name, plans in self._plans.items()]
        self._batching = [one for one in self._batching if one[1].operator.ahead > 1]
        self.ahead = max((plan.operator.ahead for _, plan in self._batching), default=1)
        """How many utterances the operators like to see before they edit the first of them."""
        self.make: Make = self._strategy()
        """Returns the variants of one utterance."""

    def _compiled(self, operator: Operator) -> _Plan:
        try:
            return self._compile(operator)
        except Exception as error:
            _blame_guest(operator, "before the first utterance", error)
            raise

    def _compile(self, operator: Operator) -> _Plan:
        hashes = tuple(self.resources[path] for path in operator.resources())
        if hashes:
            operator = operator.fresh()  # so that files that have changed are read again
        amount = self.recipe.amount or operator.default
        # The kernel makes at least one edit, so it does not serve amounts that may make none.
        rewriter = _rewriter(operator, hashes) if amount.floor and self._kernel else None
        prefix = prefix_of(self.recipe.seed, operator.name)
        protection = self.recipe.protection
        if operator.keeps_values:
            protection = replace(protection, codes=False)
        if protection.codes:
            operator = operator.keeping_codes()
        limits = amount.threshold, amount.share, amount.floor
        return _Plan(operator, rewriter, *limits, prefix, protection, protection.only_codes)

    @cached_property
    def line_plan(self) -> tuple[LineRewriter, bytes, int, float] | None:
        """How the kernel makes the variants of plain lines; ``None`` if it cannot."""
        plan = self._only_plan
        if plan is None or compiled is None:
            return None
        rewriter = _kernel_form(compiled.LineRewriter, plan.operator)
        return None if rewriter is None else (rewriter, plan.prefix, plan.threshold, plan.share)

    @cached_property
    def row_plan(self) -> tuple[RowRewriter, RowPlan] | None:
        """How the kernel makes the variants of labelled rows; ``None`` if it cannot."""
        plan = self._only_plan
        if plan is None or compiled is None:
            return None
        rewriter = _kernel_form(compiled.RowRewriter, plan.operator)
        kept = plan.protection
        checks = (look_of, verbatim_spans) if kept.codes else (None, None)
        limits = plan.prefix, plan.threshold, plan.share
        return rewriter and (
            rewriter,
            compiled.RowPlan(*limits, *checks, kept.every_slot, sorted(kept.labels)),
        )

    @property
    def _only_plan(self) -> _Plan | None:
        """The plan of the operator, if the kernel makes one variant of each utterance."""
        recipe = self.recipe
        one = len(recipe.operators) == 1 and recipe.variants == 1
        if not one or recipe.mix or recipe.skip or recipe.augment or recipe.protection.phrases:
            return None
        plan, *more = self._plans[recipe.operators[0].name]
        return None if more or plan.rewriter is None else plan

    def _strategy(self) -> Make:
        if self.recipe.mix:
            make: Make = self._mixture
        elif self.recipe.variants > 1:
            make = self._distinct_by_each
        elif len(self.recipe.operators) > 1:
            make = self._by_each
        else:
            make = self._by_one
        return _only_changed(make) if self.recipe.skip else make

    def run(self, data: Iterable[Utterance | str]) -> Iterator[Variant]:
        """Yield the variants of each utterance, in order.

        Raises:
            DataError: if the data is a single text, or not a collection.
        """
        return self.variants(numbered(data))  # now, not at the first variant

    def variants(self, utterances: Iterable[Utterance]) -> Iterator[Variant]:
        """Yield the variants of utterances, in order."""
        if self.ahead == 1:
            return chain.from_iterable(map(self.make, utterances))
        together = run_together([self], utterances)
        return (variant for _, rows in together for row in rows for variant in row)

    def prepare(self, chunk: Sequence[Utterance]) -> None:
        """Tell the operators that work in batches which sites they will be asked about first."""
        for name, plan in self._batching:
            found = (self._first_sites(utterance, name, plan) for utterance in chunk)
            plan.operator.prepare(list(chain.from_iterable(found)))

    def _first_sites(
        self, utterance: Utterance, name: str, plan: _Plan
    ) -> Iterator[tuple[Utterance, int]]:
        operator = plan.operator
        wanted = least(plan.share, len(utterance.tokens), plan.floor)
        for index in range(self.recipe.variants):
            try:
                if self.recipe.mix and self.drawn(utterance, index).name != name:
                    continue
                key = key_of(prefix_of(self.recipe.seed, operator.name, index), utterance)
            except UtteranceError:
                return  # raised when the utterance is edited
            sites = operator.sites(utterance)
            below, order = walk(key, sites.start, sites.stop, plan.threshold, wanted)
            yield from ((utterance, site) for site in order[: max(below, wanted)])

    def _by_one(self, utterance: Utterance) -> tuple[Variant]:
        plan, *more = self._plans[self.recipe.operators[0].name]
        if more:
            return (self.variant(utterance, self.recipe.operators[0]),)
        return (self._variant(utterance, plan, f"{utterance.id}/{plan.operator.name}/0", 0, 0),)

    def _by_each(self, utterance: Utterance) -> list[Variant]:
        return [self.variant(utterance, operator) for operator in self.recipe.operators]

    def _distinct_by_each(self, utterance: Utterance) -> Iterator[Variant]:
        for operator in self.recipe.operators:
            yield from self._distinct(utterance, operator)

    def _distinct(self, utterance: Utterance, operator: Operator) -> Iterator[Variant]:
        seen: set[tuple[Edit, ...]] = set()
        for index in range(self.recipe.variants):
            variant = self.variant(utterance, operator, index)
            for attempt in range(1, _ATTEMPTS):
                if variant.edits not in seen:
                    break
                variant = self.variant(utterance, operator, index, attempt)
            seen.add(variant.edits)
            yield variant

    def _mixture(self, utterance: Utterance) -> Iterator[Variant]:
        for index in range(self.recipe.variants):
            yield self.variant(utterance, self.drawn(utterance, index), index)

    def drawn(self, utterance: Utterance, index: int) -> Operator:
        """Return the operator that is drawn for a variant of an utterance."""
        key = key_of(prefix_of(self.recipe.seed, "mix", index), utterance)
        return Draw(key, 0).choice(self.recipe.operators)

    def variant(
        self, utterance: Utterance, operator: Operator, index: int = 0, attempt: int = 0
    ) -> Variant:
        """Return one variant of one utterance by one operator."""
        plan, *more = self._plans[operator.name]
        id = f"{utterance.id}/{operator.name}/{index}"
        variant = self._variant(utterance, plan, id, index, attempt)
        for plan in more:
            then = self._variant(variant.utterance, plan, id, index, attempt)
            variant = composed(variant, then, id)
        return variant

    def _variant(
        self, utterance: Utterance, plan: _Plan, id: str, index: int, attempt: int
    ) -> Variant:
        operator, rewriter, threshold, share, floor, prefix, protection, only_codes = plan
        if index or attempt:
            prefix = prefix_of(self.recipe.seed, operator.name, index, attempt)
        barred = codes_of(utterance.tokens) if only_codes else protection.spans(utterance)
        if rewriter is not None:
            try:
                made = rewriter.rewrite(utterance, id, prefix, threshold, share, barred)
            except UnicodeEncodeError:
                made = None  # half a character: choose raises an error that names it
            if made is not None:
                return made
        limits = threshold, least(share, len(utterance.tokens), floor) if share else floor
        try:
            edits = choose(utterance, operator, prefix, limits, barred)
            return apply_edits(utterance, edits, id=id)
        except Exception as error:
            _blame_guest(operator, f"at utterance {utterance.id!r:.60}", error)
            raise


def _blame_guest(operator: Operator, where: str, error: Exception) -> None:
    """Name the operator of another package that has failed; errors of our own stay as they are.

    Raises:
        OperatorError: if it is an operator of another package.
    """
    if isinstance(error, MondegreenError) or type(operator).__module__.startswith(_OWN):
        return
    raise OperatorError(
        f"{operator.name}: failed {where}: {one_line(error)}; an operator has a default amount, "
        "and proposes edits of words at whole positions"
    ) from error


def _only_changed(make: Make) -> Make:
    """Leave out variants without edits, and utterances that no operator can work on."""

    def changed(utterance: Utterance) -> Iterator[Variant]:
        try:
            for variant in make(utterance):
                if variant.edits:
                    yield variant
        except (UtteranceError, EditError):
            return  # one bad utterance does not stop the rest

    return changed


def run_together(
    engines: Sequence[Engine], data: Iterable[Utterance]
) -> Iterator[tuple[Utterance, list[Iterable[Variant]]]]:
    """Read the data once; yield each utterance with the variants that every engine makes of it.

    Operators that work in batches are shown as many utterances ahead as they like.
    """
    makes = [engine.make for engine in engines]
    ahead = max(engine.ahead for engine in engines)
    coming = iter(data)
    while chunk := list(islice(coming, ahead)):
        if ahead > 1:
            for engine in engines:
                engine.prepare(chunk)
        for utterance in chunk:
            rows: list[Iterable[Variant]] = []
            for make in makes:
                rows.append(make(utterance))  # noqa: PERF401 (a call less per utterance)
            yield utterance, rows


def choose(
    utterance: Utterance,
    operator: Operator,
    prefix: bytes,
    limits: tuple[int, int],
    barred: Sequence[tuple[int, int]] = (),
) -> list[Edit]:
    """Ask an operator about its sites in the order of their draw, as far as the amount goes."""
    look()
    key = key_of(prefix, utterance)
    sites = operator.sites(utterance)
    threshold, wanted = limits
    below, order = _order(utterance, operator, key, limits, sites)
    edits: list[Edit] = []
    changed: set[int] = set()  # tokens: what was changed is not changed again
    made = taken = 0
    while True:
        for site in order[taken:]:
            if made >= wanted and taken >= below:
                return edits
            taken += 1
            proposed = operator.propose(utterance, site, Draw(key, site))
            if not proposed or (barred and _bars(barred, utterance, proposed)):
                continue
            words: list[int] = []
            for edit in proposed:
                if edit.start < edit.end:
                    words += range(edit.start, edit.end)
            if changed.isdisjoint(words):
                edits += proposed
                changed.update(words)
                made += 1
        if taken == len(sites):
            return edits
        below, order = walk(key, sites.start, sites.stop, threshold, len(sites))


def _order(
    utterance: Utterance, operator: Operator, key: int, limits: tuple[int, int], sites: range
) -> tuple[int, list[int]]:
    """Return how many sites are below the threshold, and the sites in the order of their draw."""
    threshold, wanted = limits
    if wanted and len(sites) == 1:
        return 1, list(sites)  # it is asked about in any case
    weights = operator.site_weights(utterance)
    if weights is not None:
        return weighted_walk(key, sites.start, weights, threshold)
    return walk(key, sites.start, sites.stop, threshold, wanted + wanted // 8 + _SPARE)


def _bars(spans: Sequence[tuple[int, int]], utterance: Utterance, edits: Sequence[Edit]) -> bool:
    return touches(edits, spans) or breaks(utterance, edits, spans)


@lru_cache(maxsize=64)
def _rewriter(operator: Operator, hashes: tuple[str, ...]) -> Rewriter | None:  # noqa: ARG001
    """Return the kernel's form of an operator; another one if its files have other hashes."""
    return None if compiled is None else _kernel_form(compiled.Rewriter, operator)


R = TypeVar("R", bound="Rewriter")


def _kernel_form(kind: type[R], operator: Operator) -> R | None:
    plan = operator.plan()
    if plan is None:
        return None
    options = (Swap, Others, Letters, Choice, LaterOptions)
    return kind(Edit, Slot, Variant, options, operator.name, *plan)
