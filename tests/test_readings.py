"""Readings: alternatives, optional words, fragments, compounds; against NIST's tool."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen import kernel
from mondegreen.align.costs import SCLITE, UNIT
from mondegreen.data.pairs.joining import paired
from mondegreen.data.pairs.texts import Side, read_texts
from mondegreen.errors import DataError
from mondegreen.kernel import alignment
from mondegreen.kernel import networks as twin
from mondegreen.metrics.words.networks import parse_network, untagged
from mondegreen.metrics.words.readings import Reader

SCTK = shutil.which("sctk")
needs_sctk = pytest.mark.skipif(SCTK is None, reason="NIST's sctk is not installed")
Counts = tuple[int, ...]


def scores_in(alignment: Path) -> dict[str, Counts]:
    """Read the counts of each utterance from sclite's report of alignments."""
    text = alignment.read_text(encoding="utf-8", errors="replace")
    found = re.finditer(r"id: \((.*?)\)\nScores: \(#C #S #D #I\) (.*)", text)
    return {match[1].lower(): tuple(map(int, match[2].split())) for match in found}


def sclite(ref: Path, hyp: Path, folder: Path, *options: str) -> dict[str, Counts]:
    """Run sclite and return the counts of each utterance."""
    assert SCTK is not None
    files = ["-r", str(ref), "trn", "-h", str(hyp), "trn", "-i", "spu_id", "-o", "pralign"]
    command = [SCTK, "sclite", *files, "-O", str(folder), "-f", "0", "-n", "out", *options]
    subprocess.run(command, check=True, capture_output=True)
    return scores_in(folder / "out.pra")


def counted(ref: Path, hyp: Path, setting: str = "") -> dict[str, Counts]:
    """Score as ``score words --costs sclite --ignore-case`` does."""
    refs, hyps = (read_texts(Side(path, "trn")) for path in (ref, hyp))
    score = mg.score.words(
        refs.texts,
        paired(refs, hyps, ignore_case=True),
        ids=refs.ids,
        costs="sclite",
        ignore_case=True,
        alternatives=True,
        fragments=setting == "fragments",
        characters=setting == "characters",
    )
    rows = zip(score.ids, score.counts.tolist(), strict=True)
    return {id.lower(): tuple(row[:4]) for id, row in rows}


@pytest.mark.parametrize(
    ("ref", "hyp", "base", "setting"),
    [
        ("csrnab.ref", "csrnab.hyp", "test1", ""),
        ("tests.ref", "tests.hyp", "test7", "fragments"),
        ("tests.hyp", "tests.ref", "test7_r", "fragments"),
        ("tests.ref.utf8-3bytes", "tests.hyp.utf8-3bytes", "test7-utf8-3bytes", "fragments"),
        ("csrnab1.ref", "csrnab1.hyp", "test8", "characters"),
    ],
)
def test_sctk_s_own_tests(ref: str, hyp: str, base: str, setting: str, shared: Path) -> None:
    folder = shared / "golden/peers/sctk"
    found = counted(folder / ref, folder / hyp, setting)
    assert found == scores_in(folder / "base" / f"{base}.pra")


def text_of(rng: random.Random, depth: int = 0) -> str:
    """Return random words, alternatives and optional words over a tiny vocabulary."""
    parts = []
    for _ in range(rng.randint(0 if depth else 1, 3 if depth else 5)):
        kind = rng.random()
        if kind < 0.2 and depth < 2:
            ways = [text_of(rng, depth + 1) or "@" for _ in range(rng.randint(1, 3))]
            parts.append("{ " + " / ".join(ways) + " }")
        elif kind < 0.3:
            parts.append(f"({rng.choice('abc')})")
        elif kind < 0.35:
            parts.append(rng.choice(["a;x", "b;x;y"]))
        else:
            parts.append(rng.choice("abc"))
    return " ".join(parts)


@needs_sctk
def test_random_alternatives_cost_what_sclite_says(tmp_path: Path) -> None:
    rng = random.Random(5)
    ref, hyp = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    ref.write_text("".join(f"{text_of(rng)} (s-{i})\n" for i in range(400)))
    hyp.write_text("".join(f"{text_of(rng)} (s-{i})\n" for i in range(400)))
    ours, theirs = counted(ref, hyp), sclite(ref, hyp, tmp_path, "-D")
    assert ours.keys() == theirs.keys()
    same = 0
    for id, (hits, *errors) in ours.items():
        other_hits, *others = theirs[id]
        same += (hits, *errors) == theirs[id]
        if sum(errors) == sum(others):  # of equally many errors, ours has as many matches
            assert hits >= other_hits or errors[0] <= others[0]
    assert same >= 0.9 * len(ours)


@needs_sctk
def test_random_words_are_sclite_s(tmp_path: Path) -> None:
    rng = random.Random(6)
    lines = [
        [" ".join(rng.choices("abcdefgh", k=rng.randint(0, 9))) for _ in range(500)]
        for _ in range(2)
    ]
    ref, hyp = tmp_path / "ref.trn", tmp_path / "hyp.trn"
    for path, texts in zip((ref, hyp), lines, strict=True):
        path.write_text("".join(f"{text} (s-{i})\n" for i, text in enumerate(texts)))
    ours, theirs = counted(ref, hyp), sclite(ref, hyp, tmp_path)
    for id, (hits, s, d, i) in ours.items():
        other_hits, t, e, j = theirs[id]
        assert 4 * s + 3 * d + 3 * i == 4 * t + 3 * e + 3 * j
        assert hits >= other_hits
    # Three substitutions cost as much as a match with two deletions and two insertions.
    assert sum(ours[id] == theirs[id] for id in ours) >= 0.95 * len(ours)


ARCS = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.tuples(
            st.integers(0, n - 1), st.integers(1, n), st.integers(-1, 2), st.booleans()
        ).filter(lambda arc: arc[0] < arc[1]),
        max_size=6,
    ).map(
        lambda more: sorted(
            [*((i, i + 1, i % 3, False) for i in range(n)), *more], key=lambda arc: arc[1]
        )
    )
)
COSTS = st.sampled_from([[1, 1, 1, 1], [4, 3, 3, 2], [12, 9, 9, 6]])


@given(ARCS, ARCS, COSTS, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=2))
@settings(max_examples=300)
def test_networks_are_aligned_as_the_twin_does(
    ref: list[twin.Arc], hyp: list[twin.Arc], costs: list[int], alike: list[tuple[int, int]]
) -> None:
    assert kernel.align_networks(ref, hyp, costs, alike) == twin.align_networks(
        ref, hyp, costs, alike
    )


def test_long_networks_are_aligned_in_parts() -> None:
    rng = random.Random(2)
    words = [rng.randrange(50) for _ in range(9_000)]
    ref = [(i, i + 1, word, False) for i, word in enumerate(words)]
    ref += [(i, i + 2, 60, False) for i in range(0, 8_990, 7)]
    ref.sort(key=lambda arc: arc[1])
    heard = [word for word in words if rng.random() > 0.05]
    hyp = [(i, i + 1, word, False) for i, word in enumerate(heard)]
    steps = kernel.align_networks(ref, hyp, [1, 1, 1, 1], [])
    matched = sum(a >= 0 and b >= 0 and ref[a][2] == hyp[b][2] for a, b in steps)
    assert matched > 0.98 * len(heard)
    assert [b for _, b in steps if b >= 0] == list(range(len(heard)))


@pytest.mark.parametrize(
    ("ref", "hyp", "counts"),
    [
        # reference        hypothesis     C  S  D  I
        ("b (c) d", "b e", (2, 1, 0, 0)),
        ("b (c) d", "b c d", (3, 0, 0, 0)),
        ("a {fi/@} b", "a b", (2, 0, 0, 0)),
        ("a {fi/@} b", "a fi b", (3, 0, 0, 0)),
        ("a @ b", "a b", (2, 0, 0, 0)),
        ("a b", "a {x/@} b", (2, 0, 0, 0)),
        ("a;noun b", "a b;verb", (2, 0, 0, 0)),
        (r"a\;b c", r"a\;b;tag c", (2, 0, 0, 0)),
        ("{ a / { b / c } d }", "c d", (2, 0, 0, 0)),
        ("{ a / { b / c } d }", "a", (1, 0, 0, 0)),
        ("", "a", (0, 0, 0, 1)),
    ],
)
def test_marks_of_trn(ref: str, hyp: str, counts: Counts) -> None:
    for costs in ("unit", "sclite"):
        score = mg.score.words([ref], [hyp], alternatives=True, costs=costs)
        assert tuple(score.counts[0].tolist()[:4]) == counts


@pytest.mark.parametrize("text", ["{ a / b", "a } b", "{ a / { b }", "a { b / c } }"])
def test_braces_must_match(text: str) -> None:
    with pytest.raises(DataError, match="braces"):
        parse_network(text.split())


def test_tags_are_not_words() -> None:
    assert [untagged(word) for word in ("a", "a;b", "a;;b", r"a\;b;c", ";")] == [
        "a", "a", "a", "a;b", ";",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ref", "hyp", "words", "wrong"),
    [
        ("whitepaper", "white paper", 1, 0),
        ("white paper", "whitepaper", 2, 0),
        ("a t and t", "at andt", 4, 0),
        ("never the less so", "nevertheless so", 4, 0),
        ("nevertheless so", "never the less so", 2, 0),
        ("the white paper here", "the whitepaper there", 4, 1),
        ("to day", "today day", 2, 1),
        ("ice cream", "ice creams", 2, 1),
        ("play some ice cream now", "play sum icecream now", 5, 1),
    ],
)
@pytest.mark.parametrize("costs", ["unit", "sclite"])
def test_compounds_do_not_change_the_number_of_words(
    ref: str, hyp: str, words: int, wrong: int, costs: str
) -> None:
    score = mg.score.words([ref], [hyp], compounds=True, costs=costs)
    wer = score["wer"]
    assert (wer.numerator, wer.denominator) == (wrong, words)


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "abc", "c", "bc"]), max_size=7),
    st.lists(st.sampled_from(["a", "b", "ab", "abc", "c", "bc"]), max_size=7),
)
@settings(max_examples=200)
def test_compounds_never_add_errors(ref: list[str], hyp: list[str]) -> None:
    for costs in (UNIT, SCLITE):
        left, right, _ = Reader(costs, compounds=True).resolve(ref, hyp)
        assert left == ref
        assert "".join(right) == "".join(hyp)
        plain, joined = (
            mg.score.words([side[0]], [side[1]], costs=costs.name)
            for side in ((ref, hyp), (left, right))
        )
        cost = {"unit": (1, 1, 1), "sclite": (4, 3, 3)}[costs.name]
        totals = [
            sum(n * c for n, c in zip(score.counts[0].tolist()[1:4], cost, strict=True))
            for score in (plain, joined)
        ]
        assert totals[1] <= totals[0]


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "abc", "c", "bc"]), max_size=5),
    st.lists(st.sampled_from(["a", "b", "ab", "abc", "c", "bc"]), max_size=5),
)
@settings(max_examples=300)
def test_27_08_compounds_leave_the_fewest_errors(ref: list[str], hyp: list[str]) -> None:
    def ways(words: list[str]) -> list[list[str]]:
        """Return all ways to write the same letters, of pieces of the reference."""
        if not words:
            return [[]]
        found = [[words[0], *rest] for rest in ways(words[1:])]
        for b in range(1, len(words) + 1):
            for i in range(len(ref)):
                for a in range(1, len(ref) - i + 1):
                    if a + b > 2 and "".join(ref[i : i + a]) == "".join(words[:b]):
                        found += [[*ref[i : i + a], *rest] for rest in ways(words[b:])]
        return found

    def errors(heard: list[str]) -> int:
        return sum(
            step != 0 for step in alignment.align_pair(ref, heard, UNIT.flat(), [0] * len(ref))
        )

    chosen = Reader(UNIT, compounds=True).resolve(ref, hyp).hyp
    assert errors(chosen) == min(map(errors, ways(hyp)))


def test_27_08_a_compound_beside_its_parts() -> None:
    score = mg.score.words(["icecream"], ["ice cream icecream"], compounds=True)
    assert score["wer"].numerator == 1


def test_comments_and_blank_lines_of_trn_are_no_utterances(tmp_path: Path) -> None:
    path = tmp_path / "a.trn"
    path.write_text(";; a comment\nplay { a / { b / c } } (u1)\n\n;; another\n(u2)\n")
    utterances = list(mg.read(path))
    assert [(one.id, one.tokens) for one in utterances] == [
        ("u1", ("play", "{ a / { b / c } }")),
        ("u2", ()),
    ]
    for variant in mg.perturb(utterances, "typo", severity=1.0):
        assert variant.utterance.tokens[1:] == variant.parent.tokens[1:]
