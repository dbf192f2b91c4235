"""The laws of operators: what holds for every operator, whatever it does."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mondegreen.data.sample import sample
from mondegreen.operators import Operator, parse, signature
from mondegreen.operators.amounts import Amount, Chance, Once, Rate, Severity
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.recipe import Recipe
from mondegreen.testing.strategies import utterances
from mondegreen.types import Edit, Utterance, Variant
from mondegreen.variants import perturb

AMOUNTS = st.one_of(
    st.just(Once()),
    st.floats(0.001, 1).map(Rate),
    st.floats(0.001, 1).map(Chance),
    st.floats(0.001, 1).map(Severity),
)
_SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


class OperatorLaws:
    """One test per law; see :func:`operator_laws`."""

    operator: Operator

    def variant(self, utterance: Utterance, amount: Amount | None = None, seed: int = 1) -> Variant:
        """Return one variant of an utterance."""
        recipe = Recipe((self.operator,), seed=seed, amount=amount)
        return Engine(recipe).variant(utterance, self.operator)

    @given(utterance=utterances(), amount=AMOUNTS, seed=st.integers(0, 3))
    @_SETTINGS
    def test_slots_and_label_are_kept(
        self, utterance: Utterance, amount: Amount, seed: int
    ) -> None:
        """Every slot keeps its label and its edges; the utterance keeps its intent."""
        variant = self.variant(utterance, amount, seed)
        heard = variant.utterance
        labels = [slot.label for slot in utterance.slots]
        assert [slot.label for slot in heard.slots] == labels
        for before, after in zip(utterance.slots, heard.slots, strict=True):
            assert variant.origin[after.start] == before.start
            last = variant.origin[after.end - 1]
            assert last == before.end - 1 or _shrinks(variant.edits, last, before.end)
        assert heard.label == utterance.label

    @given(
        utterance=utterances(),
        seed=st.integers(0, 3),
        low=st.floats(0.01, 1),
        high=st.floats(0.01, 1),
    )
    @_SETTINGS
    def test_a_higher_amount_makes_every_edit_of_a_lower_one(
        self, utterance: Utterance, seed: int, low: float, high: float
    ) -> None:
        """Amounts nest."""
        low, high = sorted((low, high))
        for amount in (Rate, Chance, Severity):
            few = set(self.variant(utterance, amount(low), seed).edits)
            many = set(self.variant(utterance, amount(high), seed).edits)
            assert few <= many
        rated = set(self.variant(utterance, Rate(low), seed).edits)
        assert set(self.variant(utterance, Chance(low), seed).edits) <= rated
        assert set(self.variant(utterance, Once(), seed).edits) <= rated

    @given(utterance=utterances(), seed=st.integers(0, 9))
    @_SETTINGS
    def test_once_edits_one_site(self, utterance: Utterance, seed: int) -> None:
        """The amount ``once`` edits one place."""
        edits = self.variant(utterance, Once(), seed).edits
        assert len({edit.start for edit in edits}) <= 1

    @given(utterance=utterances(), amount=AMOUNTS, seed=st.integers(0, 3))
    @_SETTINGS
    def test_the_kernel_does_as_python_does(
        self, utterance: Utterance, amount: Amount, seed: int
    ) -> None:
        """An operator with a plan makes the same edits in the kernel and in Python."""
        recipe = Recipe((self.operator,), seed=seed, amount=amount)
        first, second = (Engine(recipe, kernel=kernel) for kernel in (True, False))
        made = first.variant(utterance, self.operator)
        assert second.variant(utterance, self.operator) == made

    def test_order_and_shards_do_not_matter(self) -> None:
        """The same text gets the same edits, alone and among others."""
        data = list(sample())
        recipe = perturb(data, self.operator, seed=5).recipe  # with what was learnt
        whole = [v.utterance for v in perturb(data, recipe)]
        backwards = [v.utterance for v in perturb(reversed(data), recipe)]
        assert whole == backwards[::-1]
        alone = [v.utterance for one in data[::17] for v in perturb([one], recipe)]
        assert whole[::17] == alone

    def test_it_is_pure_and_picklable_and_its_signature_parses_back(self) -> None:
        """An operator is a value: equal parameters make equal operators and equal edits."""
        operator = self.operator
        before = [v.utterance for v in perturb(sample(), operator, seed=2)]
        again = pickle.loads(pickle.dumps(operator))  # noqa: S301 (our own)
        assert again == operator
        assert hash(again) == hash(operator)
        assert not any(name.startswith("_") for name in vars(again))
        assert parse(signature(operator)) == operator
        assert [v.utterance for v in perturb(sample(), again, seed=2)] == before
        assert [v.utterance for v in perturb(sample(), operator, seed=2)] == before

    def test_another_seed_makes_other_edits(self) -> None:
        """The seed matters, unless the operator never changes the sample."""
        first, second = (
            [v.edits for v in perturb(sample(), self.operator, seed=seed)] for seed in (1, 2)
        )
        assert first != second or not any(first) or self.operator.deterministic


def _shrinks(edits: Sequence[Edit], last: int | None, end: int) -> bool:
    """Return whether the words before ``end`` became fewer, so that the last stands for another."""
    return any(
        edit.end == end
        and last == edit.start + len(edit.tokens) - 1
        and len(edit.tokens) < edit.end - edit.start
        for edit in edits
    )


def operator_laws(operator: Operator | str) -> type[OperatorLaws]:
    """Return a class of tests that runs all laws on an operator.

    Assign it to a name that pytest collects: ``TestShout = operator_laws(Shout())``.

    Args:
        operator: an operator, or its signature.
    """
    found = parse(operator, trust=True) if isinstance(operator, str) else operator
    return type("OperatorLaws", (OperatorLaws,), {"operator": found})
