"""Keyed randomness: kernel and twin agree, draws are uniform and depend only on their key."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen.draw import UNIT, Draw, gap_weights, key_of, prefix_of, walk, weighted_walk
from mondegreen.errors import DataError
from mondegreen.kernel import compiled, key
from mondegreen.kernel import draws as twin
from mondegreen.testing.strategies import utterances
from mondegreen.types import Utterance

U64 = st.integers(0, 2**64 - 1)
needs_kernel = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")


def test_values_never_change() -> None:
    """A change here would change every perturbed set that anybody has made."""
    assert twin.key(b"7\x1ffillers\x1f0\x1f0\x1f", "play some jazz") == 0x2A49B869797E17B4
    assert twin.value(1, 2, 3) == 0x4ABA1F15787FAA11
    assert twin.walk(7, 0, 6, 0, 6) == (0, [5, 2, 1, 0, 3, 4])


def test_values_are_splitmix64() -> None:
    """The first values of the published generator with seed 1234567."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [twin.value(1234567, 0, lane) for lane in range(3)] == published


@needs_kernel
@given(st.binary(max_size=300), st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_kernel_and_twin_make_the_same_keys(prefix: bytes, text: str) -> None:
    assert key(prefix, text) == twin.key(prefix, text)


@needs_kernel
@given(U64, st.integers(0, 5), st.integers(0, 40), st.integers(0, UNIT), st.integers(0, 50))
def test_kernel_and_twin_make_the_same_walks(
    k: int, start: int, n: int, threshold: int, least: int
) -> None:
    assert walk(k, start, start + n, threshold, least) == twin.walk(
        k, start, start + n, threshold, least
    )


@needs_kernel
@given(
    U64,
    st.integers(0, 1000),
    st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.7, 1e-9]) | st.floats(0, 50), max_size=40),
    st.integers(0, UNIT),
)
def test_kernel_and_twin_make_the_same_weighted_walks(
    k: int, start: int, weights: list[float], threshold: int
) -> None:
    found = weighted_walk(k, start, weights, threshold)
    assert found == twin.weighted_walk(k, start, weights, threshold)


@needs_kernel
@given(
    U64,
    st.integers(0, 2**40),
    st.integers(1, 2**64 - 1),
    st.lists(st.integers(0, 10**9), min_size=1).filter(any),
)
def test_kernel_and_twin_make_the_same_draws(k: int, site: int, n: int, weights: list[int]) -> None:
    ours, theirs = Draw(k, site), twin.Draw(k, site)
    for _ in range(3):
        assert ours.below(n) == theirs.below(n)
        assert ours.choice("abcde") == theirs.choice("abcde")
        assert ours.weighted(weights) == theirs.weighted(weights)


@given(U64, st.integers(1, 30), st.integers(0, UNIT), st.integers(0, UNIT))
def test_a_higher_threshold_selects_the_same_sites_and_more(k: int, n: int, a: int, b: int) -> None:
    low, high = sorted((a, b))
    few, many = walk(k, 0, n, low, 0)[1], walk(k, 0, n, high, 0)[1]
    assert many[: len(few)] == few


@given(U64, st.integers(1, 30), st.integers(0, 30))
def test_a_walk_selects_at_least_the_given_number_of_sites(k: int, n: int, least: int) -> None:
    _, order = walk(k, 0, n, 0, least)
    assert len(order) == min(n, least)
    assert len(set(order)) == len(order)


@pytest.mark.parametrize("draw", [Draw, twin.Draw])
def test_draws_are_uniform(draw: type[twin.Draw]) -> None:
    n = 20_000
    counts = Counter(draw(k, 3).below(7) for k in range(n))
    assert max(abs(count - n / 7) for count in counts.values()) < 5 * (n / 7) ** 0.5
    weighted = Counter(draw(k, 3).weighted([1, 0, 3]) for k in range(n))
    assert weighted[1] == 0
    assert abs(weighted[0] - n / 4) < 5 * (n / 4) ** 0.5


def test_sites_and_lanes_are_independent() -> None:
    n = 20_000
    agree = sum((twin.value(k, 0, 0) ^ twin.value(k, 1, 0)) >> 63 for k in range(n))
    assert abs(agree - n / 2) < 5 * (n / 4) ** 0.5
    agree = sum((twin.value(k, 0, 1) ^ twin.value(k, 0, 2)) >> 63 for k in range(n))
    assert abs(agree - n / 2) < 5 * (n / 4) ** 0.5


@pytest.mark.parametrize("draw", [Draw, twin.Draw])
def test_too_many_draws_at_a_site_raise(draw: type[twin.Draw]) -> None:
    drawn = draw(1, 1)
    for _ in range(255):
        drawn.below(2)
    with pytest.raises(OverflowError, match="255"):
        drawn.below(2)


@given(utterances())
def test_a_key_depends_on_the_text_only(utterance: Utterance) -> None:
    prefix = prefix_of(3, "fillers")
    other = Utterance.of("another id", utterance.text, label="x", tokens=utterance.tokens)
    assert key_of(prefix, utterance) == key_of(prefix, other)
    assert key_of(prefix, utterance) != key_of(prefix_of(4, "fillers"), utterance)
    assert key_of(prefix, utterance) != key_of(prefix_of(3, "typo"), utterance)
    assert key_of(prefix, utterance) != key_of(prefix_of(3, "fillers", 1), utterance)
    assert key_of(prefix, utterance) != key_of(prefix_of(3, "fillers", 0, 1), utterance)


def test_a_lone_surrogate_raises() -> None:
    with pytest.raises(DataError, match="'u1': character 5 is a lone surrogate"):
        key_of(prefix_of(1, "x"), Utterance.of("u1", "play \ud800"))


@given(
    st.lists(
        st.tuples(st.tuples(*[st.floats(0, 0.5)] * 3), st.integers(0, 7)), min_size=1, max_size=20
    ),
    st.tuples(*[st.floats(0.01, 3)] * 3),
)
def test_kernel_and_twin_give_gaps_the_same_weights(
    places: list[tuple[tuple[float, ...], int]], expected: tuple[float, ...]
) -> None:
    chances, allowed = [chance for chance, _ in places], [bits for _, bits in places]
    found = gap_weights(chances, allowed, expected, -0.1)
    assert found == twin.gap_weights(chances, allowed, expected, -0.1)
