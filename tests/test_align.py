"""The aligner: kernel and twin agree; long pairs, ties, marks, characters, errors."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.align import Alignment, Marks, align, distances
from mondegreen.align.costs import FLUENCY, SCLITE, UNIT, Costs
from mondegreen.errors import DataError
from mondegreen.kernel import alignment as twin
from mondegreen.kernel import compiled

needs_kernel = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
SENTENCES = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "A", "B", "I", "é"]), max_size=12).map(" ".join),
    min_size=1,
    max_size=4,
)
GAPS = ["\t", "\u00a0", "\u3000", "\u2003", "\u1680", "\x85", "\x1c", "\u2028", "\r\n"]


def assert_same(found: Alignment, expected: Alignment) -> None:
    assert found.steps.tolist() == expected.steps.tolist()
    assert found.ends.tolist() == expected.ends.tolist()
    assert found.counts.tolist() == expected.counts.tolist()


def by_twin(refs: list[str], hyps: list[str], costs: Costs, **more: object) -> Alignment:
    settings = {"characters": False, "marks": None, "keep": [], "regions": False} | more
    return Alignment(*twin.align(list(refs), list(hyps), costs.flat(), threads=1, **settings))  # type: ignore[arg-type]  # settings by name


@needs_kernel
@given(SENTENCES, st.data(), st.sampled_from([UNIT, SCLITE]), st.booleans())
def test_kernel_and_twin_find_the_same_steps(
    refs: list[str],
    data: st.DataObject,
    costs: Costs,
    characters: bool,  # noqa: FBT001
) -> None:
    hyps = data.draw(
        st.lists(SENTENCES.map(lambda s: s[0]), min_size=len(refs), max_size=len(refs))
    )
    found = align(refs, hyps, costs, characters=characters)
    assert_same(found, by_twin(refs, hyps, costs, characters=characters))
    tokens = align(
        [r.split() for r in refs], [h.split() for h in hyps], costs, characters=characters
    )
    assert_same(found, tokens)


@needs_kernel
@given(SENTENCES, st.data(), st.booleans())
def test_kernel_and_twin_find_the_same_steps_of_marked_words(
    refs: list[str],
    data: st.DataObject,
    regions: bool,  # noqa: FBT001
) -> None:
    refs = [ref.replace("é", "e") for ref in refs]  # the kernel knows the case of ASCII only
    hyps = data.draw(
        st.lists(SENTENCES.map(lambda s: s[0]), min_size=len(refs), max_size=len(refs))
    )
    hyps = [hyp.lower() for hyp in hyps]
    found = align(refs, hyps, FLUENCY, marks=Marks(keep=("I",), regions=regions))
    assert_same(
        found, by_twin(refs, hyps, FLUENCY, marks=[None] * len(refs), keep=["I"], regions=regions)
    )
    flags = [bytes(w.isupper() and w != "I" for w in ref.split()) for ref in refs]
    lower = [ref.lower() for ref in refs]
    assert_same(found, align(lower, hyps, FLUENCY, marks=Marks(flags, regions=regions)))


@needs_kernel
@pytest.mark.parametrize(("n", "m"), [(65, 70), (200, 130), (3_000, 3_000), (20_000, 19_000)])
def test_both_algorithms_find_the_same_steps_of_long_pairs(n: int, m: int) -> None:
    """Bit-parallel and row by row; the longest pairs are aligned in parts of 64 MiB."""
    rng = random.Random(n)
    vocabulary = [f"w{i}" for i in range(50 if n < 1000 else 2000)]
    ref = [rng.choice(vocabulary) for _ in range(n)]
    hyp = [word for word in ref if rng.random() > 0.1][:m]
    hyp += [rng.choice(vocabulary) for _ in range(m - len(hyp))]
    by_bits = align([ref], [hyp], UNIT)
    by_rows = align([ref], [hyp], UNIT, marks=Marks([bytes(n)]))
    assert by_bits.steps.tolist() == by_rows.steps.tolist()
    if n < 1000:
        assert by_bits.steps.tolist() == twin.align_pair(ref, hyp, UNIT.flat(), [0] * n)


@needs_kernel
@pytest.mark.parametrize("costs", [UNIT, SCLITE])
def test_the_number_of_threads_does_not_matter(costs: Costs) -> None:
    rng = random.Random(1)
    refs = [" ".join(rng.choice("abcd") for _ in range(rng.randint(0, 9))) for _ in range(1000)]
    hyps = [" ".join(rng.choice("abcd") for _ in range(rng.randint(0, 9))) for _ in range(1000)]
    assert_same(align(refs, hyps, costs, threads=4), align(refs, hyps, costs))


TIES = [
    # ref      hyp      steps: most matches; then, from the end, diagonal, deletion, insertion
    ("a a", "a", [2, 0]),
    ("a", "a a", [3, 0]),
    ("a b", "b a", [3, 0, 2]),
    ("a b c", "x c y", [2, 1, 0, 3]),
    ("a b", "c", [2, 1]),
    ("a", "b c", [3, 1]),
    ("", "a b", [3, 3]),
    ("a b", "", [2, 2]),
    ("", "", []),
]


@pytest.mark.parametrize(("ref", "hyp", "steps"), TIES)
def test_ties_are_broken_as_defined(ref: str, hyp: str, steps: list[int]) -> None:
    assert align([ref], [hyp], UNIT).of(0).tolist() == steps
    assert twin.align_pair(ref.split(), hyp.split(), UNIT.flat(), [0] * len(ref.split())) == steps


@needs_kernel
@given(SENTENCES, st.data())
def test_kernel_and_twin_find_the_same_distances(refs: list[str], data: st.DataObject) -> None:
    hyps = data.draw(
        st.lists(SENTENCES.map(lambda s: s[0]), min_size=len(refs), max_size=len(refs))
    )
    long = [" ".join(refs) * 30, *refs], [" ".join(hyps) * 30, *hyps]
    for left, right in ((refs, hyps), long):
        found = twin.distances(list(left), list(right), 1)
        assert distances(left, right).tolist() == found.tolist()


@needs_kernel
def test_distances_of_texts_with_many_different_characters() -> None:
    rng = random.Random(3)
    ref = "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(2000))
    hyp = "".join(c for c in ref if rng.random() > 0.1)
    expected = align([list(ref)], [list(hyp)], UNIT).counts[0, 1:].sum()
    assert distances([ref], [hyp]).tolist() == [[2000, expected]]


@pytest.mark.parametrize("gap", GAPS)
def test_words_are_split_at_all_white_space(gap: str) -> None:
    assert align([f"a{gap}b"], ["a b"], UNIT).counts.tolist() == [[2, 0, 0, 0]]
    assert_same(
        align([f" a{gap}b{gap}"], ["a b"], UNIT), by_twin([f" a{gap}b{gap}"], ["a b"], UNIT)
    )


def test_arrow_arrays_and_steps_of_one_pair() -> None:
    found = align(pa.array(["a b", "c"]), pa.array(["a", "c"]), UNIT)
    assert found.of(0).tolist() == [0, 2]
    assert found.of(1).tolist() == [0]


def test_a_very_long_token() -> None:
    token = "x" * 1_000_000
    assert align([f"a {token}"], [token], UNIT).counts.tolist() == [[1, 0, 1, 0]]


def test_items_that_cannot_be_aligned_raise() -> None:
    with pytest.raises(DataError, match="2 references and 1 hypotheses do not pair up"):
        align(["a", "b"], ["a"], UNIT)
    with pytest.raises(DataError, match="give texts only, or lists of tokens only"):
        align(["a", ["b"]], ["a", "b"], UNIT)
    with pytest.raises(DataError, match="lone surrogate"):
        align(["\ud800"], ["a"], UNIT)
