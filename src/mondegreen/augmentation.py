"""Augmentation: a training set with noisy copies of its own utterances, labels kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mondegreen.amounts import Amount, Severity, amount_of
from mondegreen.draw import Draw, key_of, prefix_of
from mondegreen.engine import Engine, numbered
from mondegreen.errors import EditError, UtteranceError
from mondegreen.operators import Operator, parse_all
from mondegreen.protect import Protection
from mondegreen.types import Utterance, Variant

GROUP = "augment"
AMOUNT: Amount = Severity(0.3)
"""How much of any operator where the user does not say: three words of ten, as in nlpaug."""
_ATTEMPTS = 16  # by each operator, to find a copy unlike the ones before it


def augment(
    data: Iterable[Utterance | str],
    operators: str | Operator | Sequence[str | Operator] = GROUP,
    *,
    seed: int = 0,
    once: bool = False,
    rate: float | None = None,
    severity: float | None = None,
    times: int = 1,
    protect: Iterable[str] = (),
    protect_slots: bool | Iterable[str] = False,
    skip_unchangeable: bool = False,
) -> Iterator[Variant]:
    """Yield each utterance as it is, then its copies, each by one operator drawn at random.

    An operator that cannot change the utterance gives way to another one; no copy is like the
    utterance or like another copy of it. Where no operator has one to give, the utterance stands
    alone, or is left out.

    Args:
        data: utterances, or texts.
        operators: names, signatures, groups or operators to draw from.
        seed: another seed gives other copies.
        once: one edit a copy.
        rate: the chance of each site, at least one.
        severity: the share of the words, at least one; 0.3 where no amount is named.
        times: how many copies of each utterance.
        protect: words or phrases that stay as they are.
        protect_slots: leave slots as they are: all, or those with the labels given.
        skip_unchangeable: leave out utterances without a copy.

    >>> for variant in augment(["play some jazz"], ["keyboard", "spelling"], seed=7):
    ...     print(variant.utterance.id, variant.utterance.text)
    1 play some jazz
    1/keyboard/0 play some nazz

    Raises:
        DataError: if the data is one text, or no collection.
        OperatorError: if an operator or an amount is not what it should be.
    """
    engine = Engine(
        parse_all(operators),
        seed=seed,
        amount=amount_of(once=once, rate=rate, severity=severity) or AMOUNT,
        variants=times,
        mix=True,
        protection=Protection.of(protect, slots=protect_slots),
        skip=skip_unchangeable,
    )
    return Augmenter(engine).run(data)


class Augmenter:
    """Makes copies by the operators of an engine: as many of each utterance as it has variants."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def run(self, data: Iterable[Utterance | str]) -> Iterator[Variant]:
        """Yield each utterance as it is, then its copies."""
        utterances = numbered(data)  # at once: what is wrong with the data is told here
        return (variant for said in self.engine.prepared(utterances) for variant in self.make(said))

    def make(self, said: Utterance) -> Iterator[Variant]:
        """Yield one utterance as it is, then its copies."""
        try:
            copies = self.copies(said)
        except (UtteranceError, EditError):
            if not self.engine.skip:
                raise
            return  # what is wrong with one utterance does not stop the rest
        if copies or not self.engine.skip:
            yield Variant(said, said, ())
            yield from copies

    def copies(self, said: Utterance) -> list[Variant]:
        """Return the copies of one utterance, each unlike it and unlike the others."""
        found: list[Variant] = []
        texts = {said.text}
        for index in range(self.engine.variants):
            copy = self._copy(said, index, texts)
            if copy is not None:
                found.append(copy)
                texts.add(copy.utterance.text)
        return found

    def _copy(self, said: Utterance, index: int, texts: set[str]) -> Variant | None:
        """A copy by the operator that a mixture would take, or by the next one drawn."""
        draw = Draw(key_of(prefix_of(self.engine.seed, "mix", index), said), 0)
        left = list(self.engine.operators)
        while left:
            operator = left.pop(draw.below(len(left)))
            for attempt in range(_ATTEMPTS):
                variant = self.engine.variant(said, operator, index, attempt)
                if variant.utterance.text not in texts:
                    return variant
                if not variant.edits:
                    break  # nothing to offer, whatever is drawn
        return None
