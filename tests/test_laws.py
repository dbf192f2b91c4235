"""The laws of operators, run on all operators, and how the engine uses them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from mondegreen.data.sample import sample
from mondegreen.kernel import compiled
from mondegreen.operators import OPERATORS, Operator, parse
from mondegreen.operators.amounts import Amount, Once, Rate, Severity, least
from mondegreen.operators.word import WordOperator
from mondegreen.perturbation import engine as engine_module
from mondegreen.perturbation.engine import choose
from mondegreen.testing import operator_laws
from mondegreen.types import Edit, Utterance
from mondegreen.variants import perturb

ALL = [
    *OPERATORS,
    "fillers(punctuate=True)",
    "fillers(language='zh')",
    "fillers(words=['you know', 'äh'], language='fr')",
    "keyboard(layout='йцукен')",
    "typing(typo=1.0, synonym=0.0)",
]
globals().update({f"TestLaws[{name}]": operator_laws(name) for name in ALL})


def few(name: str) -> list[Utterance]:
    """Return the sample; less of it for operators that search by sound, slow without the kernel."""
    slow = ("speako", "mondegreen", "recogniser")
    return list(sample())[:: 20 if name in slow else 1]


PROGRAM = """
import hashlib, sys
from mondegreen.variants import perturb
from mondegreen.data.sample import sample
for name in sys.argv[1:]:
    step = 20 if name in ("speako", "mondegreen", "recogniser") else 1
    variants = perturb(list(sample())[::step], name, seed=3)
    lines = (repr(variant.utterance) + repr(variant.edits) for variant in variants)
    print(hashlib.sha256("".join(lines).encode()).hexdigest())
"""


def hashes(**environment: str) -> Sequence[str]:
    """Return the hash of each operator's variants, made in another process."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *ALL],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return done.stdout.split()


@pytest.mark.timeout(400)  # without the kernel, searching by sound is slow
@pytest.mark.parametrize(
    "setting", ["PYTHONHASHSEED=1", "PYTHONHASHSEED=77", "MONDEGREEN_KERNEL=python"]
)
def test_variants_are_the_same_in_other_processes_with_any_hash_seed_and_without_kernel(
    setting: str,
) -> None:
    here = [
        hashlib.sha256(
            "".join(
                repr(v.utterance) + repr(v.edits) for v in perturb(few(name), name, seed=3)
            ).encode()
        ).hexdigest()
        for name in ALL
    ]
    name, _, value = setting.partition("=")
    assert hashes(**{name: value}) == here


class FirstSites(Operator):
    """Has a candidate at the first few sites only."""

    name = "first-sites"
    default = Once()
    example = "a b c"

    def __init__(self, candidates: int) -> None:
        self.candidates = candidates

    def sites(self, utterance: Utterance) -> range:
        return range(len(utterance.tokens))

    def propose(self, utterance: Utterance, site: int, draw: object) -> Sequence[Edit]:  # noqa: ARG002
        edit = Edit(site, site + 1, ("x",), "first-sites", "")
        return [edit] if site < self.candidates else ()


@pytest.mark.parametrize("candidates", [0, 1, 5, 60])
@pytest.mark.parametrize("amount", [Once(), Rate(0.01), Severity(0.2), Severity(1.0)])
def test_sites_without_a_candidate_are_skipped(candidates: int, amount: Amount) -> None:
    utterance = Utterance.of("1", "w " * 60)
    wanted = least(amount.share, 60)
    edits = choose(utterance, FirstSites(candidates), b"k", (amount.threshold, wanted))
    if isinstance(amount, Rate):
        assert len(edits) >= min(1, candidates)
    else:
        assert len(edits) == min(wanted, candidates)


def test_variants_are_distinct_while_the_text_allows() -> None:
    five = [v.utterance.text for v in perturb(["of course"], "fillers", seed=1, variants=5)]
    assert sorted(five) == [f"of {f} course" for f in ("ah", "er", "erm", "uh", "um")]
    seven = [v.utterance.text for v in perturb(["of course"], "fillers", seed=1, variants=7)]
    assert seven[:5] == five
    assert len(seven) == 7
    ids = [v.utterance.id for v in perturb(["of course"], "fillers", variants=3)]
    assert ids == ["1/fillers/0", "1/fillers/1", "1/fillers/2"]


def test_a_mixture_uses_one_operator_per_utterance() -> None:
    data = list(sample())
    mixed = list(perturb(data, ["fillers", "typo", "keyboard"], seed=4, mix=True))
    assert len(mixed) == len(data)
    names = [variant.utterance.id.split("/")[1] for variant in mixed]
    assert set(names) == {"fillers", "typo", "keyboard"}
    for utterance, name, variant in zip(data, names, mixed, strict=True):
        alone = next(iter(perturb([utterance], name, seed=4)))
        assert alone == variant


def test_variants_follow_the_order_of_the_operators() -> None:
    ids = [v.utterance.id for v in perturb(["play jazz", "stop it"], ["typo", "fillers"])]
    assert ids == ["1/typo/0", "1/fillers/0", "2/typo/0", "2/fillers/0"]


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
def test_operators_on_words_run_in_the_kernel() -> None:
    in_kernel = {
        name
        for name in OPERATORS
        if engine_module._rewriter(parse(name), ()) is not None  # noqa: SLF001 (nothing public shows it)
    }
    on_words = {name for name, kind in OPERATORS.items() if issubclass(kind, WordOperator)}
    assert on_words | {"fillers"} <= in_kernel


def test_mixtures_never_change_between_releases() -> None:
    names = ["keyboard"] * 3 + ["fillers", "keyboard", "fillers", "keyboard", "typo"]
    mixed = perturb(["play some jazz"], ["fillers", "typo", "keyboard"], variants=8, mix=True)
    assert [v.utterance.id for v in mixed] == [f"1/{n}/{i}" for i, n in enumerate(names)]


def test_retries_never_change_between_releases() -> None:
    five = perturb(["of course"], "fillers", seed=3, variants=5)
    assert [v.edits[0].tokens[0] for v in five] == ["ah", "er", "uh", "erm", "um"]


def test_amounts_have_a_threshold_a_share_and_a_name() -> None:
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
