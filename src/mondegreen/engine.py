"""The engine: from utterances and operators to variants, an utterance at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from mondegreen.amounts import Amount, amount_of, least
from mondegreen.draw import Draw, key_of, prefix_of, walk
from mondegreen.edits import apply_edits
from mondegreen.errors import DataError, EditError, OperatorError, UtteranceError
from mondegreen.kernel import compiled
from mondegreen.operators import Operator, parse_all
from mondegreen.operators.options import Choice, Later, Letters, Others, Swap
from mondegreen.protect import Protection
from mondegreen.types import Edit, Slot, Utterance, Variant

if TYPE_CHECKING:
    from mondegreen._kernel import Rewriter

_SPARE = 4  # sites asked for beyond the number needed: some have nothing to offer
_ATTEMPTS = 256  # to find a variant unlike the ones before it


def perturb(
    data: Iterable[Utterance | str],
    operators: str | Operator | Sequence[str | Operator],
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
    skip_unchangeable: bool = False,
) -> Iterator[Variant]:
    """Yield the variants of each utterance, in order: for each operator, as many as asked for.

    The same text gets the same edits alone, in a file of millions, and on any number of workers;
    a higher amount contains every edit of a lower one. An utterance that cannot be changed comes
    back as a variant without edits, or is left out.

    Args:
        data: utterances, or texts.
        operators: names, signatures such as ``fillers(language='de')``, groups such as ``nature``,
            or operators.
        seed: another seed gives other edits.
        once: one edit an utterance.
        rate: the chance of each site, at least one.
        chance: the chance of each site, and none where no site is drawn.
        severity: the share of the words, at least one.
        variants: how many of each utterance and operator; distinct while the text allows.
        mix: one operator an utterance, drawn at random, instead of each.
        protect: words or phrases that stay as they are.
        protect_slots: leave slots as they are: all, or those with the labels given.
        skip_unchangeable: leave out what comes back without edits, or cannot be worked on at all.

    >>> [heard.utterance.text for heard in perturb(["play some jazz"], "fillers", seed=7)]
    ['play um some jazz']

    Raises:
        DataError: if the data is one text, or no collection.
        OperatorError: if an operator or an amount is not what it should be.
    """
    engine = Engine(
        parse_all(operators),
        seed=seed,
        amount=amount_of(once=once, rate=rate, chance=chance, severity=severity),
        variants=variants,
        mix=mix,
        protection=Protection.of(protect, slots=protect_slots),
        skip=skip_unchangeable,
    )
    return engine.run(data)


class Engine:
    """Operators, amounts and seed put together, ready to be run."""

    def __init__(
        self,
        operators: Sequence[Operator],
        *,
        seed: int = 0,
        amount: Amount | None = None,
        variants: int = 1,
        mix: bool = False,
        protection: Protection | None = None,
        skip: bool = False,
    ) -> None:
        if not operators:
            raise OperatorError("no operator is named; see: mondegreen operators")
        if len({operator.name for operator in operators}) < len(operators):
            raise OperatorError("two operators have the same name; run them one after the other")
        if variants < 1:
            raise OperatorError(f"variants must be 1 or more, got {variants}")
        self.operators = tuple(operators)
        self.seed = seed
        self.amount = amount
        self.variants = variants
        self.mix = mix
        self.protection = protection
        self.skip = skip
        self._crew = {op.name: self._equip(op) for op in self.operators}

    def _equip(self, operator: Operator) -> tuple[Rewriter | None, int, float, int]:
        amount = self.amount or operator.default
        rewriter = _rewriter(operator) if amount.floor else None  # the kernel makes at least one
        return rewriter, amount.threshold, amount.share, amount.floor

    def apart(self) -> list[Engine]:
        """Return one engine for each operator, otherwise the same."""
        return [
            Engine(
                [operator],
                seed=self.seed,
                amount=self.amount,
                variants=self.variants,
                protection=self.protection,
                skip=self.skip,
            )
            for operator in self.operators
        ]

    def run(self, data: Iterable[Utterance | str]) -> Iterator[Variant]:
        """Yield the variants of each utterance, in order."""
        utterances = numbered(data)  # at once: what is wrong with the data is told here
        return (variant for said in self.prepared(utterances) for variant in self.make(said))

    def prepared(self, data: Iterable[Utterance]) -> Iterator[Utterance]:
        """Yield utterances as they come, having told operators that look ahead what is to come."""
        looking = [operator for operator in self.operators if operator.ahead > 1]
        if not looking:
            yield from data
            return
        ahead = max(operator.ahead for operator in looking)
        coming = iter(data)
        while chunk := list(islice(coming, ahead)):
            for operator in looking:
                operator.prepare([pair for said in chunk for pair in self._asked(said, operator)])
            yield from chunk

    def _asked(self, said: Utterance, operator: Operator) -> Iterator[tuple[Utterance, int]]:
        """Yield the sites that an operator will be asked about first, unless one is barred."""
        _, threshold, share, floor = self._crew[operator.name]
        wanted = least(share, len(said.tokens), floor)
        for index in range(self.variants):
            try:
                if self.mix and self._drawn(said, index) is not operator:
                    continue
                key = key_of(prefix_of(self.seed, operator.name, index), said)
            except UtteranceError:
                return  # told of when its turn comes
            sites = operator.sites(said)
            below, order = walk(key, sites.start, sites.stop, threshold, wanted)
            yield from ((said, site) for site in order[: max(below, wanted)])

    def make(self, said: Utterance) -> Iterator[Variant]:
        """Yield the variants of one utterance; with ``skip``, those that differ from it."""
        if not self.skip:
            yield from self.all_of(said)
            return
        try:
            for variant in self.all_of(said):
                if variant.edits:
                    yield variant
        except (UtteranceError, EditError):
            return  # what is wrong with one utterance does not stop the rest

    def all_of(self, said: Utterance) -> Iterator[Variant]:
        """Yield the variants of one utterance, changed or not."""
        if self.mix:
            yield from self.mixture(said)
            return
        for operator in self.operators:
            if self.variants == 1:
                yield self.variant(said, operator)
            else:
                yield from self.distinct(said, operator)

    def mixture(self, said: Utterance) -> Iterator[Variant]:
        """Yield variants of one utterance, each by an operator drawn at random."""
        for index in range(self.variants):
            yield self.mixed(said, index)

    def mixed(self, said: Utterance, index: int = 0) -> Variant:
        """Return one variant of one utterance by an operator drawn at random."""
        return self.variant(said, self._drawn(said, index), index)

    def _drawn(self, said: Utterance, index: int) -> Operator:
        draw = Draw(key_of(prefix_of(self.seed, "mix", index), said), 0)
        return draw.choice(self.operators)

    def distinct(self, said: Utterance, operator: Operator) -> Iterator[Variant]:
        """Yield variants of one utterance by one operator; distinct while the text allows."""
        seen: set[tuple[Edit, ...]] = set()
        for index in range(self.variants):
            variant = self.variant(said, operator, index)
            for attempt in range(1, _ATTEMPTS):
                if variant.edits not in seen:
                    break
                variant = self.variant(said, operator, index, attempt)
            seen.add(variant.edits)
            yield variant

    def variant(
        self, said: Utterance, operator: Operator, index: int = 0, attempt: int = 0
    ) -> Variant:
        """Return one variant of one utterance by one operator."""
        rewriter, threshold, share, floor = self._crew[operator.name]
        prefix = prefix_of(self.seed, operator.name, index, attempt)
        barred = self.protection.spans(said) if self.protection is not None else ()
        id = f"{said.id}/{operator.name}/{index}"
        if rewriter is not None:
            try:
                made = rewriter.rewrite(said, id, prefix, threshold, share, barred)
            except UnicodeEncodeError:
                made = None  # half a character, which is told of below
            if made is not None:
                return made
        limits = threshold, least(share, len(said.tokens), floor)
        return apply_edits(said, choose(said, operator, prefix, limits, barred), id=id)


def numbered(data: Iterable[Utterance | str]) -> Iterator[Utterance]:
    """Return utterances as they are, and texts as utterances called by their numbers.

    >>> [said.id for said in numbered(["play jazz", Utterance.of("u2", "stop")])]
    ['1', 'u2']

    Raises:
        DataError: if the data is one text, or no collection.
    """
    if isinstance(data, str):
        raise DataError("one text is not a list of texts; put it into a list")
    if not isinstance(data, Iterable):
        raise DataError(f"a list of utterances or texts is expected, got {data!r:.60}")
    return (
        Utterance.of(str(number), item) if isinstance(item, str) else item
        for number, item in enumerate(data, start=1)
    )


def choose(
    said: Utterance,
    operator: Operator,
    prefix: bytes,
    limits: tuple[int, int],
    barred: Sequence[tuple[int, int]] = (),
) -> list[Edit]:
    """Walk over the operator's sites in the order of their draw, as far as the amount says."""
    key = key_of(prefix, said)
    sites = operator.sites(said)
    threshold, wanted = limits
    below, order = walk(key, sites.start, sites.stop, threshold, wanted + wanted // 8 + _SPARE)
    edits: list[Edit] = []
    changed: set[int] = set()  # words: a stretch that was changed is not changed again
    made = taken = 0
    while True:
        for site in order[taken:]:
            if made >= wanted and taken >= below:
                return edits
            taken += 1
            proposed = operator.propose(said, site, Draw(key, site))
            words = {at for edit in proposed for at in range(edit.start, edit.end)}
            if proposed and not touches(proposed, barred) and changed.isdisjoint(words):
                edits += proposed
                changed |= words
                made += 1
        if taken == len(sites):
            return edits
        below, order = walk(key, sites.start, sites.stop, threshold, len(sites))


def touches(edits: Sequence[Edit], spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether an edit changes a stretch of tokens, or puts something into it."""
    return any(edit.start < end and edit.end > start for edit in edits for start, end in spans)


@lru_cache(maxsize=64)
def _rewriter(operator: Operator) -> Rewriter | None:
    plan = operator.plan()
    if compiled is None or plan is None:
        return None
    options = (Swap, Others, Letters, Choice, Later)
    rewriter: Rewriter = compiled.Rewriter(Edit, Slot, Variant, options, operator.name, *plan)
    return rewriter
