"""What holds for every operator: one list of laws, run on all of them."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen.data.sample import sample
from mondegreen.kernel import compiled
from mondegreen.operators import OPERATORS, Operator, parse, signature
from mondegreen.operators.amounts import Amount, Chance, Once, Rate, Severity, least
from mondegreen.operators.word import WordOperator
from mondegreen.perturbation import engine as engine_module
from mondegreen.perturbation.engine import Engine, choose, perturb
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Edit, Utterance, Variant
from strategies import utterances

ALL = [
    *OPERATORS,
    "fillers(punctuate=True)",
    "fillers(language='zh')",
    "fillers(words=['you know', 'äh'], language='fr')",
    "keyboard(layout='йцукен')",
    "typing(typo=1.0, synonym=0.0)",
]
AMOUNTS = st.one_of(
    st.just(Once()),
    st.floats(0.001, 1).map(Rate),
    st.floats(0.001, 1).map(Chance),
    st.floats(0.001, 1).map(Severity),
)
every_operator = pytest.mark.parametrize("name", ALL)


def variant_of(name: str, said: Utterance, amount: Amount | None = None, seed: int = 1) -> Variant:
    operator = parse(name)
    return Engine(Recipe((operator,), seed=seed, amount=amount)).variant(said, operator)


def shrinks(edits: Sequence[Edit], last: int | None, end: int) -> bool:
    """Whether the words up to there became fewer, so that the last one stands for an earlier."""
    return any(
        edit.end == end
        and last == edit.start + len(edit.tokens) - 1
        and len(edit.tokens) < edit.end - edit.start
        for edit in edits
    )


@every_operator
@given(said=utterances(), amount=AMOUNTS, seed=st.integers(0, 3))
@settings(max_examples=60)
def test_slots_label_and_edges_are_kept(
    name: str, said: Utterance, amount: Amount, seed: int
) -> None:
    variant = variant_of(name, said, amount, seed)
    heard = variant.utterance
    assert [slot.label for slot in heard.slots] == [slot.label for slot in said.slots]
    for before, after in zip(said.slots, heard.slots, strict=True):
        assert variant.origin[after.start] == before.start
        last = variant.origin[after.end - 1]
        assert last == before.end - 1 or shrinks(variant.edits, last, before.end)
    assert heard.label == said.label


@every_operator
@given(said=utterances(), seed=st.integers(0, 3), low=st.floats(0.01, 1), high=st.floats(0.01, 1))
@settings(max_examples=60)
def test_a_higher_amount_contains_every_edit_of_a_lower_one(
    name: str, said: Utterance, seed: int, low: float, high: float
) -> None:
    low, high = sorted((low, high))
    for amount in (Rate, Chance, Severity):
        few = set(variant_of(name, said, amount(low), seed).edits)
        many = set(variant_of(name, said, amount(high), seed).edits)
        assert few <= many
    assert set(variant_of(name, said, Chance(low), seed).edits) <= set(
        variant_of(name, said, Rate(low), seed).edits
    )
    assert set(variant_of(name, said, Once(), seed).edits) <= set(
        variant_of(name, said, Rate(low), seed).edits
    )


@every_operator
@given(said=utterances(), seed=st.integers(0, 9))
@settings(max_examples=60)
def test_once_is_one_site(name: str, said: Utterance, seed: int) -> None:
    edits = variant_of(name, said, Once(), seed).edits
    assert len({edit.start for edit in edits}) <= 1


@every_operator
@given(said=utterances(), amount=AMOUNTS, seed=st.integers(0, 3))
@settings(max_examples=60)
def test_the_kernel_chooses_as_python_does(
    name: str, said: Utterance, amount: Amount, seed: int
) -> None:
    operator = parse(name)
    engine = Engine(Recipe((operator,), seed=seed, amount=amount))
    made = engine.variant(said, operator)
    plan = engine._plans[operator.name]  # noqa: SLF001 (the same without the kernel)
    engine._plans = {operator.name: plan._replace(rewriter=None)}  # noqa: SLF001
    assert engine.variant(said, operator) == made


@every_operator
def test_order_and_shards_do_not_matter(name: str) -> None:
    data = list(sample())
    whole = [v.utterance for v in perturb(data, name, seed=5)]
    backwards = [v.utterance for v in perturb(reversed(data), name, seed=5)]
    assert whole == backwards[::-1]
    alone = [v.utterance for said in data[::17] for v in perturb([said], name, seed=5)]
    assert whole[::17] == alone


@every_operator
def test_operators_are_pure_picklable_and_read_back(name: str) -> None:
    operator = parse(name)
    before = [v.utterance for v in perturb(sample(), operator, seed=2)]
    again = pickle.loads(pickle.dumps(operator))  # noqa: S301 (our own)
    assert again == operator
    assert hash(again) == hash(operator)
    assert vars(again).keys() == {f for f in vars(again) if not f.startswith("_")}
    assert parse(signature(operator)) == operator
    assert [v.utterance for v in perturb(sample(), again, seed=2)] == before
    assert [v.utterance for v in perturb(sample(), operator, seed=2)] == before


@every_operator
def test_another_seed_makes_other_edits(name: str) -> None:
    first, second = ([v.edits for v in perturb(sample(), name, seed=seed)] for seed in (1, 2))
    if any(first):
        assert first != second


def few(name: str) -> list[Utterance]:
    """Enough of the sample: what searches by sound takes its time without the kernel."""
    return list(sample())[:: 20 if name in ("speako", "mondegreen") else 1]


PROGRAM = """
import hashlib, sys
from mondegreen.perturbation.engine import perturb
from mondegreen.data.sample import sample
for name in sys.argv[1:]:
    step = 20 if name in ("speako", "mondegreen") else 1
    variants = perturb(list(sample())[::step], name, seed=3)
    lines = (repr(variant.utterance) + repr(variant.edits) for variant in variants)
    print(hashlib.sha256("".join(lines).encode()).hexdigest())
"""


def hashes(**environment: str) -> Sequence[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *ALL],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return done.stdout.split()


def test_another_process_hash_seed_or_no_kernel_makes_the_same() -> None:
    here = [
        hashlib.sha256(
            "".join(
                repr(v.utterance) + repr(v.edits) for v in perturb(few(name), name, seed=3)
            ).encode()
        ).hexdigest()
        for name in ALL
    ]
    assert hashes(PYTHONHASHSEED="1") == here
    assert hashes(PYTHONHASHSEED="77") == here
    assert hashes(MONDEGREEN_KERNEL="python") == here


class Nothing(Operator):
    """Has sites, but nothing to offer at the first few of them."""

    name = "nothing"
    default = Once()
    example = "a b c"

    def __init__(self, offers: int) -> None:
        self.offers = offers

    def sites(self, utterance: Utterance) -> range:
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: object) -> Sequence[Edit]:  # noqa: ARG002
        return [Edit(site, site + 1, ("x",), "nothing", "")] if site < self.offers else ()


@pytest.mark.parametrize("offers", [0, 1, 5, 60])
@pytest.mark.parametrize("amount", [Once(), Rate(0.01), Severity(0.2), Severity(1.0)])
def test_a_site_without_a_candidate_gives_way_to_the_next(offers: int, amount: Amount) -> None:
    said = Utterance.of("1", "w " * 60)
    wanted = least(amount.share, 60)
    edits = choose(said, Nothing(offers), b"k", (amount.threshold, wanted))
    if isinstance(amount, Rate):
        assert len(edits) >= min(1, offers)
    else:
        assert len(edits) == min(wanted, offers)


def test_variants_are_distinct_while_the_text_allows() -> None:
    five = [v.utterance.text for v in perturb(["of course"], "fillers", seed=1, variants=5)]
    assert sorted(five) == [f"of {f} course" for f in ("ah", "er", "erm", "uh", "um")]
    seven = [v.utterance.text for v in perturb(["of course"], "fillers", seed=1, variants=7)]
    assert seven[:5] == five
    assert len(seven) == 7
    ids = [v.utterance.id for v in perturb(["of course"], "fillers", variants=3)]
    assert ids == ["1/fillers/0", "1/fillers/1", "1/fillers/2"]


def test_a_mixture_takes_one_operator_an_utterance() -> None:
    data = list(sample())
    mixed = list(perturb(data, ["fillers", "typo", "keyboard"], seed=4, mix=True))
    assert len(mixed) == len(data)
    names = [variant.utterance.id.split("/")[1] for variant in mixed]
    assert set(names) == {"fillers", "typo", "keyboard"}
    for said, name, variant in zip(data, names, mixed, strict=True):
        alone = next(iter(perturb([said], name, seed=4)))
        assert alone == variant


def test_several_operators_come_in_their_order() -> None:
    ids = [v.utterance.id for v in perturb(["play jazz", "stop it"], ["typo", "fillers"])]
    assert ids == ["1/typo/0", "1/fillers/0", "2/typo/0", "2/fillers/0"]


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
def test_operators_on_words_run_in_the_kernel() -> None:
    run = {
        name
        for name in OPERATORS
        if engine_module._rewriter(parse(name)) is not None  # noqa: SLF001 (is it used at all)
    }
    on_words = {name for name, kind in OPERATORS.items() if issubclass(kind, WordOperator)}
    assert on_words | {"fillers"} <= run


def test_a_mixture_is_fixed_for_ever() -> None:
    names = ["keyboard"] * 3 + ["fillers", "keyboard", "fillers", "keyboard", "typo"]
    mixed = perturb(["play some jazz"], ["fillers", "typo", "keyboard"], variants=8, mix=True)
    assert [v.utterance.id for v in mixed] == [f"1/{n}/{i}" for i, n in enumerate(names)]


def test_retries_are_fixed_for_ever() -> None:
    five = perturb(["of course"], "fillers", seed=3, variants=5)
    assert [v.edits[0].tokens[0] for v in five] == ["ah", "er", "uh", "erm", "um"]


def test_amounts_are_two_numbers_and_a_name() -> None:
    assert [(a.threshold, a.share) for a in (Once(), Rate(0.5), Severity(0.5))] == [
        (0, 0.0),
        (2**52, 0.0),
        (0, 0.5),
    ]
    assert [str(a) for a in (Once(), Rate(0.5), Severity(0.5))] == [
        "once",
        "rate:0.5",
        "severity:0.5",
    ]
