"""Alignment by times: kernel and twin agree, and so does NIST's tool with its option -T."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from commands import fails
from mondegreen import kernel
from mondegreen.align import align, align_and_count, whole_times
from mondegreen.align.costs import ONE, TIMES
from mondegreen.cli.main import main
from mondegreen.data.pairs.texts import Side
from mondegreen.errors import DataError
from mondegreen.kernel import alignment, compiled, counting, networks
from mondegreen.metrics.metric import Files
from mondegreen.metrics.words.metric import WORDS
from mondegreen.metrics.words.networks import parse_network
from mondegreen.metrics.words.settings import WordSettings

GOLDEN = Path(__file__).parents[2] / "shared" / "golden" / "peers" / "sctk"
needs_sctk = pytest.mark.skipif(shutil.which("sctk") is None, reason="sctk is not installed")
needs_kernel = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
Span = tuple[float, float]


class Item(NamedTuple):
    """Words with their times."""

    words: list[str]
    times: list[Span]


ITEMS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 40), st.integers(0, 30)), max_size=8
).map(lambda rows: Item([w for w, _, _ in rows], [(s / 10, (s + d) / 10) for _, s, d in rows]))
PAIRS = st.lists(st.tuples(ITEMS, ITEMS), min_size=1, max_size=3)


def sides(pairs: Sequence[tuple[Item, ...]]) -> tuple[Any, ...]:
    refs, hyps = zip(*pairs, strict=True)
    words = [one.words for one in refs], [one.words for one in hyps]
    return *words, ([one.times for one in refs], [one.times for one in hyps])


def whole(items: list[list[Span]]) -> list[list[tuple[int, int]]]:
    return [[(round(a * ONE), round(b * ONE)) for a, b in item] for item in items]


def cost_of(steps: list[int], ref: list[tuple[int, int]], hyp: list[tuple[int, int]]) -> int:
    """Add up what NIST's formulas say that steps cost."""
    total = i = j = 0
    for step in steps:
        if step in (alignment.MATCH, alignment.SUBSTITUTION):
            total += abs(ref[i][0] - hyp[j][0]) + abs(ref[i][1] - hyp[j][1])
            total += ONE // 1000 * (step == alignment.SUBSTITUTION)
        else:
            start, end = ref[i] if step == alignment.DELETION else hyp[j]
            total += end - start
        i += step != alignment.INSERTION
        j += step != alignment.DELETION
    assert (i, j) == (len(ref), len(hyp))
    return total


def all_alignments(ref: list[str], hyp: list[str]) -> Iterator[list[int]]:
    """Yield every way to align two short lists."""
    if not ref and not hyp:
        yield []
    if ref and hyp:
        step = alignment.MATCH if ref[0] == hyp[0] else alignment.SUBSTITUTION
        yield from ([step, *rest] for rest in all_alignments(ref[1:], hyp[1:]))
    if ref:
        yield from ([alignment.DELETION, *rest] for rest in all_alignments(ref[1:], hyp))
    if hyp:
        yield from ([alignment.INSERTION, *rest] for rest in all_alignments(ref, hyp[1:]))


@given(PAIRS)
def test_steps_are_the_cheapest_with_the_most_matches(pairs: list[tuple[Item, Item]]) -> None:
    short = [tuple(Item(one.words[:4], one.times[:4]) for one in pair) for pair in pairs]
    refs, hyps, times = sides(short)
    found = align(refs, hyps, TIMES, times=times)
    spans = [whole(side) for side in times]
    for item, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        own = found.of(item).tolist()
        ways = [
            (cost_of(way, spans[0][item], spans[1][item]), -way.count(alignment.MATCH))
            for way in all_alignments(ref, hyp)
        ]
        cost = cost_of(own, spans[0][item], spans[1][item])
        assert (cost, -own.count(alignment.MATCH)) == min(ways)


@needs_kernel
@given(PAIRS)
def test_kernel_and_twin_find_the_same_steps(pairs: list[tuple[Item, Item]]) -> None:
    refs, hyps, times = sides(pairs)
    found = align(refs, hyps, TIMES, times=times)
    spans = [whole(side) for side in times]
    for item, (ref, hyp) in enumerate(zip(refs, hyps, strict=True)):
        own = alignment.align_pair(
            ref, hyp, TIMES.flat(), [0] * len(ref), (spans[0][item], spans[1][item])
        )
        assert found.of(item).tolist() == own


@needs_kernel
@given(PAIRS)
def test_kernel_and_twin_count_the_same(pairs: list[tuple[Item, Item]]) -> None:
    refs, hyps, times = sides(pairs)
    assert compiled is not None
    rest = [None, True, (refs, hyps), counting.take_apart, whole_times(times)]
    both = refs, hyps, TIMES.flat()[:4], 1, [(("a", "b"), ("x",))]
    ours, theirs = (one.align_and_count(*both, *rest) for one in (counting, compiled))
    for left, right in zip(ours[:3], theirs[:3], strict=True):
        assert left.tolist() == right.tolist()
    assert ours[3] == [one for one in theirs[3] if any(one[1])]


NETWORKS = st.lists(
    st.sampled_from(["a", "b", "(a)", "{ a / b c }", "{ b / @ }", "{ a / { b / c } }"]), max_size=6
).map(lambda tokens: parse_network(" ".join(tokens).split()))


@needs_kernel
@given(NETWORKS, NETWORKS, st.data())
def test_kernel_and_twin_align_networks_alike(ref: Any, hyp: Any, data: st.DataObject) -> None:
    span = st.tuples(st.integers(0, 50), st.integers(0, 9)).map(lambda one: (one[0], sum(one)))
    arcs: list[Any] = []
    times = []
    for network in (ref, hyp):
        arcs.append([(a, b, -1 if w is None else ord(w), opt) for a, b, w, opt, _ in network.arcs])
        n = len(network.arcs)
        times.append(data.draw(st.lists(span, min_size=n, max_size=n)))
    costs = data.draw(st.sampled_from([[1, 0, 0, 0], [4, 3, 3, 2]]))
    args: list[Any] = [*arcs, costs, [], tuple(times)]
    assert kernel.align_networks(*args) == networks.align_networks(*args)


def write_ctm(path: Path, items: dict[str, Item]) -> Path:
    """Write words with times; marks of alternatives have none."""
    lines = []
    for name, (words, times) in items.items():
        coming = iter(times)
        for word in words:
            mark = {"{": "<ALT_BEGIN>", "/": "<ALT>", "}": "<ALT_END>"}.get(word)
            if mark:
                lines.append(f"{name} A * * {mark}")
            elif word != "@":
                start, end = next(coming)
                lines.append(f"{name} A {start:.3f} {end - start:.3f} {word}")
    path.write_text("\n".join([*lines, ""]))
    return path


def sclite(ref: Path, hyp: Path, *options: str) -> dict[str, tuple[Counter[str], float]]:
    """Run sclite -T; return the counts of each channel, and the cost of its alignment."""
    files = ["-r", str(ref), "ctm", "-h", str(hyp), "ctm"]
    command = ["sctk", "sclite", *files, "-T", *options, "-o", "sgml", "-O", str(ref.parent)]
    subprocess.run([*command, "-f", "0", "-n", "out"], check=True, capture_output=True)
    text = (ref.parent / "out.sgml").read_text()
    found: dict[str, tuple[Counter[str], float]] = {}
    for path in re.finditer(r'<PATH id="\((.*)-\d+\)".*\n(.*)\n</PATH>', text):
        counts, cost = found.setdefault(path[1], (Counter(), 0.0))
        for step in filter(None, path[2].split(":")):
            kind, _, _, *times = step.split(",")
            left, right = ([*map(float, one.split("+"))] if one else None for one in times)
            counts[kind] += 1
            if left and right:
                cost += abs(left[0] - right[0]) + abs(left[1] - right[1]) + 0.001 * (kind == "S")
            else:
                start, end = left or right or [0, 0]
                cost += end - start
        found[path[1]] = counts, cost
    return found


def ours(ref: Path, hyp: Path) -> dict[str, tuple[Counter[str], float]]:
    """Score as ``--costs times --ignore-case`` does; return counts and costs."""
    settings = WordSettings(costs="times", ignore_case=True)
    refs, (hyps,) = WORDS.whole(Files(Side(ref), (Side(hyp),)), settings)
    score = WORDS.score(refs, hyps, settings)
    found = {}
    for item, id in enumerate(score.ids):
        counts = dict(zip("CSDI", score.counts[item, :4].tolist(), strict=True))
        steps = score.detail.of(item).tolist()
        spans = (whole([list(side[item].times)])[0] for side in (refs.items, hyps))
        plain = not {*"{}/@("} & {*refs.items[item].text}
        cost = cost_of(steps, *spans) / ONE if plain else float("nan")
        found[id] = Counter(counts), cost
    return found


def random_items(n: int, longest: int, seed: int) -> tuple[dict[str, Item], dict[str, Item]]:
    """Return words with times, and the same with words lost, added, changed and moved in time."""
    rng = random.Random(seed)
    refs, hyps = {}, {}
    for item in range(n):
        said, heard, now = Item([], []), Item([], []), 0
        for _ in range(rng.randint(1, longest)):
            now += rng.choice([0, 0, rng.randint(1, 400)])
            length = rng.randint(20, 600)
            word = rng.choice(["one", "two", "three", "four", "five", "six"])
            said.words.append(word)
            said.times.append((now / 1000, (now + length) / 1000))
            earliest = round(1000 * heard.times[-1][1]) if heard.times else 0
            for other in rng.choice([[word]] * 6 + [["six"], [], [word, "uh"]]):
                start = max(earliest, now + rng.randint(-60, 90), 0)
                earliest = start + max(10, length + rng.randint(-80, 80))
                heard.words.append(other)
                heard.times.append((start / 1000, earliest / 1000))
            now += length
        if not heard.words:
            heard = said
        refs[f"f{item:03}"], hyps[f"f{item:03}"] = said, heard
    return refs, hyps


@needs_sctk
def test_random_words_are_aligned_as_sclite_aligns_them(tmp_path: Path) -> None:
    refs, hyps = random_items(300, 40, seed=1)
    ref, hyp = write_ctm(tmp_path / "r.ctm", refs), write_ctm(tmp_path / "h.ctm", hyps)
    found, expected = ours(ref, hyp), sclite(ref, hyp)
    assert len(found) == len(expected) == 300
    costs = {id: (found[id][1], expected[id.lower()][1]) for id in found}
    assert all(abs(mine - theirs) < 1e-4 for mine, theirs in costs.values())
    same = sum(+found[id][0] == +expected[id][0] for id in found)
    assert same >= 297  # of equally cheap alignments, sclite's rounding takes any


@needs_sctk
def test_long_channels_are_aligned_as_sclite_aligns_them(tmp_path: Path) -> None:
    refs, hyps = random_items(4, 1500, seed=2)  # sclite cuts them into parts
    ref, hyp = write_ctm(tmp_path / "r.ctm", refs), write_ctm(tmp_path / "h.ctm", hyps)
    found, expected = ours(ref, hyp), sclite(ref, hyp)
    for id, (counts, cost) in found.items():
        assert cost <= expected[id][1] + 1e-4
        assert cost > 0.999 * expected[id][1]
        assert abs(counts["C"] - expected[id][0]["C"]) <= 0.01 * counts["C"]


@needs_sctk
def test_random_alternatives_are_read_as_sclite_reads_them(tmp_path: Path) -> None:
    rng = random.Random(3)
    refs, hyps = random_items(200, 15, seed=3)
    for id, (words, times) in refs.items():
        marked, spans = [], []
        for word, span in zip(words, times, strict=True):
            kind = rng.random()
            if kind < 0.15:
                marked += ["{", word, "/", rng.choice(["seven", "two", "@"]), "}"]
                spans += [span] if marked[-2] == "@" else [span, span]
            else:
                marked.append(f"({word})" if kind < 0.25 else word)
                spans.append(span)
        refs[id] = Item(marked, spans)
    ref, hyp = write_ctm(tmp_path / "r.ctm", refs), write_ctm(tmp_path / "h.ctm", hyps)
    found, expected = ours(ref, hyp), sclite(ref, hyp, "-D")
    same = sum(+found[id][0] == +expected[id][0] for id in found)
    assert same >= 196


@needs_sctk
def test_real_words_are_aligned_as_sclite_aligns_them(tmp_path: Path) -> None:
    source = GOLDEN / "stm2ctm_missing.hyp.ctm"
    if not source.is_file():
        pytest.skip(f"{source} is not there")
    rng = random.Random(4)
    text = re.sub(r"(?s)[^\n]*<ALT_BEGIN>.*?<ALT_END>[^\n]*\n", "", source.read_text())
    lines = [line.split() for line in text.splitlines() if not line.startswith(";;")]
    ref, hyp = tmp_path / "r.ctm", tmp_path / "h.ctm"
    ref.write_text("".join(" ".join(cells) + "\n" for cells in lines))
    kept = [cells for at, cells in enumerate(lines) if rng.random() < 0.9 or at % 40 == 0]
    for cells in kept:
        if rng.random() < 0.15:
            cells[4] = rng.choice(kept)[4]
        cells[2] = f"{float(cells[2]) + rng.randint(0, 2) / 100:.2f}"
    hyp.write_text("".join(" ".join(cells) + "\n" for cells in kept))
    found, expected = ours(ref, hyp), sclite(ref, hyp)
    assert {id.lower() for id in found} == {*expected}
    for id, (counts, cost) in found.items():
        assert cost == pytest.approx(expected[id][1], abs=1e-3)
        assert abs(counts["C"] - expected[id][0]["C"]) <= 2


TIMED = (
    "f A 0.00 0.30 play\nf A 0.30 0.30 some\nf A 0.60 0.50 jazz\n",
    "f A 0.02 0.30 play\nf A 1.00 0.40 jazz\n",
)


def test_times_decide_which_words_are_paired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = tmp_path / "r.ctm", tmp_path / "h.ctm"
    ref.write_text("f A 0.0 0.4 no\nf A 2.0 0.4 no\nf A 4.0 0.4 yes\n")
    hyp.write_text("f A 2.1 0.4 no\nf A 4.0 0.4 yes\n")
    command = ["score", "words", "--ref", str(ref), "--hyp", str(hyp), "--align"]
    assert main([*command, "--costs", "times"]) == 0
    printed = capsys.readouterr().out
    assert "REF:  no no yes\nHYP:  ** no yes\n" in printed
    assert "costs:times" in printed
    assert main(command) == 0  # by words, channel by channel
    assert "hits 2  substitutions 0  deletions 1" in capsys.readouterr().out


def test_records_may_have_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, hyp = tmp_path / "r.jsonl", tmp_path / "h.jsonl"
    ref.write_text('{"id": "u", "text": "a b", "times": [[0, 1], [1, 2]]}\n')
    hyp.write_text('{"id": "u", "text": "b", "times": [[0, 1]]}\n')
    files = ["score", "words", "--costs", "times", "--ref", str(ref), "--hyp", str(hyp)]
    assert main(files) == 0
    assert "hits 0  substitutions 1  deletions 1" in capsys.readouterr().out
    hyp.write_text('{"id": "u", "text": "b", "times": [[0, 1], [1, 2]]}\n')
    fails(files, "the hypothesis 'u' has 1 words and 2 times", capsys)
    hyp.write_text('{"id": "u", "text": "b", "times": [[1, 0]]}\n')
    fails(files, "the times of word 1 are [1, 0]", capsys)


def test_files_without_times_of_words_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ctm, stm, txt = (tmp_path / f"a.{ending}" for ending in ("ctm", "stm", "txt"))
    ctm.write_text(TIMED[0])
    stm.write_text("f A speaker 0.0 2.0 play some jazz\n")
    txt.write_text("play some jazz\n")
    for ref, hyp in ((stm, ctm), (ctm, txt), (txt, ctm)):
        command = ["score", "words", "--costs", "times", "--ref", str(ref), "--hyp", str(hyp)]
        fails(command, "--costs times needs the times of words: a .ctm file", capsys)
    ctm.write_text("f A 0.5 -0.1 play\n")
    fails(
        ["score", "words", "--ref", str(ctm), "--hyp", str(ctm)],
        "line 1: a duration cannot be below 0",
        capsys,
    )


def test_words_out_of_order_and_lists_without_times_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ctm = tmp_path / "a.ctm"
    command = ["score", "words", "--costs", "times", "--ref", str(ctm), "--hyp", str(ctm)]
    ctm.write_text(TIMED[0])
    fails([*command, "--oracle"], "n-best lists have no times", capsys)
    ctm.write_text("f A 1.0 0.2 play\nf A 0.5 0.2 jazz\n")
    fails(command, "line 2: the word 'jazz' starts at 0.50, before the word of line 1", capsys)


def test_a_channel_without_hypotheses(tmp_path: Path) -> None:
    ref, hyp = tmp_path / "r.ctm", tmp_path / "h.ctm"
    ref.write_text(TIMED[0] + "g A 0.0 0.3 stop\n")
    hyp.write_text(TIMED[1])
    settings = WordSettings(costs="times")
    with pytest.raises(DataError, match=r"1 \(such as 'g-a'\) without hypothesis"):
        WORDS.whole(Files(Side(ref), (Side(hyp),)), settings)


SECONDS = [(0.0, 0.5), (0.5, 1.0)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": "times", "times": None}, "need the times of words"),
        ({"costs": "unit"}, "do not use times"),
        ({"compounds": True}, "cannot be combined with compounds"),
        ({"characters": True}, "cannot be combined with characters"),
        ({"format_equal": "en"}, "cannot be combined with format-equal"),
        ({"entities": [[("x", 0, 1)]], "normalise": "basic"}, "entities and a normaliser"),
        ({"times": ([SECONDS], [])}, "hypothesis: 0 lists of times"),
        ({"times": ([SECONDS], [[(0, float("nan")), (1, 2)]])}, "the times of word 1"),
        ({"times": ([SECONDS], [[(0, 1, 2), (1, 2)]])}, "the times of word 1"),
    ],
)
def test_what_times_cannot_be_combined_with(options: dict[str, Any], message: str) -> None:
    given_options = {"costs": "times", "times": ([SECONDS], [SECONDS])} | options
    with pytest.raises(DataError, match=message):
        mg.score.words(["play jazz"], ["play jazz"], **given_options)


def test_words_are_normalised_with_their_times() -> None:
    score = mg.score.words(
        ["Well, play-some jazz"],
        ["play some jazz"],
        costs="times",
        times=([[(0, 0.2), (0.2, 1.0), (1.0, 1.5)]], [[(0.2, 0.6), (0.6, 1.0), (1.0, 1.5)]]),
        normalise="basic",
    )
    assert [step.kind for step in score.alignments[0]] == ["deletion", *["match"] * 3]


@pytest.mark.parametrize("marked", [True, False])
def test_rules_about_several_words_are_reported(marked: bool) -> None:  # noqa: FBT001
    with pytest.warns(UserWarning, match="1 of 1 would become something else"):
        mg.score.words(
            ["of the"],
            ["of the"],
            costs="times",
            times=([SECONDS], [SECONDS]),
            normalise=lambda text: text.replace("of the", "ofthe"),
            alternatives=marked,
        )


def test_scripts_without_spaces_share_out_the_time_of_a_word() -> None:
    score = mg.score.words(
        ["播放"], ["播 收"], costs="times", times=([[(0, 1)]], [[(0, 0.5), (0.5, 1)]])
    )
    assert score.counts[0, :4].tolist() == [1, 1, 0, 0]
    assert "unit:" in score.signature


def test_keywords_and_fragments_with_times() -> None:
    score = mg.score.words(
        ["play interest- jazz"],
        ["play interesting jazz"],
        costs="times",
        times=([[*SECONDS, (1, 1.5)]], [[*SECONDS, (1, 1.5)]]),
        fragments=True,
        keywords=["jazz"],
        hallucinations=True,
        punctuation=True,
    )
    assert (score["wer"].value, score["entity_recall"].value) == (0, 1)


def test_a_report_aligns_the_texts_again() -> None:
    assert WORDS.rescore is not None
    assert WORDS.rescore(["a b"], ["a c"], {"costs": "times"})["wer"].value == 0.5


def test_times_of_days_do_not_overflow() -> None:
    n = 400
    times = [(1_000_000.0 + at, 1_000_000.5 + at) for at in range(n)]
    words = [str(at % 7) for at in range(n)]
    found = align([words], [words[1:]], TIMES, times=([times], [times[1:]]))
    assert found.counts.tolist() == [[n - 1, 0, 1, 0]]
    counted = align_and_count([words], [words], TIMES, times=([times], [times]), keywords=[])
    assert counted.table[0, :4].tolist() == [n, 0, 0, 0]
