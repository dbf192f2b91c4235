"""The kernel checks what it is given: wrong sizes and types are errors, never crashes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

import mondegreen as mg
from mondegreen import kernel
from mondegreen.edits import apply_edits
from mondegreen.errors import EditError
from mondegreen.kernel import compiled
from mondegreen.kernel import draws as twin

pytestmark = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
REFS = ["play some jazz now", "wake me at seven"]
HYPS = ["play sum jazz", "wake me up at ten"]
NO = False
_PLAIN: tuple[Any, ...] = (NO, 1, None, [], NO)


class Lazy(Sequence[str]):
    """Tokens that are made when they are asked for, and freed at once."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __len__(self) -> int:
        return len(self.text.split())

    def __getitem__(self, index: Any) -> Any:
        return "".join(list(self.text.split()[index]))


@pytest.mark.parametrize(
    "tokens",
    [
        lambda text: np.array(text.split()),
        Lazy,
        lambda text: ("".join(list(w)) for w in text.split()),
    ],
    ids=["numpy", "lazy", "generator"],
)
def test_tokens_that_are_made_on_the_fly_are_kept(tokens: Callable[[str], Any]) -> None:
    many = 200  # so that freed memory is used again
    align: Any = kernel.align
    right = align(REFS * many, HYPS * many, [0, 1, 1, 1] * 2, *_PLAIN)
    made = [[tokens(text) for text in side * many] for side in (REFS, HYPS)]
    found = align(*made, [0, 1, 1, 1] * 2, *_PLAIN)
    assert all(map(np.array_equal, found, right))


def test_a_list_that_shrinks_while_it_is_read_does_no_harm() -> None:
    items: list[Any] = []

    def tokens() -> Iterator[str]:
        items.clear()
        yield "plays"

    items += [tokens(), ["some"], ["jazz"]]
    align: Any = kernel.align
    _, ends, _ = align(items, [["plays"]], [0, 1, 1, 1] * 2, *_PLAIN)
    assert ends.tolist() == [1]


def test_words_of_numpy_arrays_are_scored() -> None:
    sides: list[Any] = [[np.array(text.split()) for text in side] for side in (REFS, HYPS)]
    refs, hyps = sides
    assert mg.score.words(refs, hyps)["wer"].value == 0.5


UTTERANCE = mg.Utterance.of("u1", "play some jazz")
ODD = {
    "slots in a list": mg.Utterance("u1", ("play", "jazz"), [mg.Slot("a", 0, 1)]),  # type: ignore[arg-type]
    "tokens in a list": mg.Utterance("u1", ["play", "jazz"]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", ODD)
def test_lists_in_an_utterance_do_no_harm(name: str) -> None:
    edit = mg.Edit(1, 1, ("uh",), "fillers", "filler")
    assert tuple(apply_edits(ODD[name], [edit], id="v").utterance.tokens) == ("play", "uh", "jazz")
    for variant in mg.perturb([ODD[name]] * 3, ["typing", "fillers"]):
        assert len(variant.utterance.tokens) >= 2


@pytest.mark.parametrize(
    "edit",
    [
        mg.Edit(1, 1, "uh", "fillers", "filler"),  # type: ignore[arg-type]
        mg.Edit(1, 1, (7,), "fillers", "filler"),  # type: ignore[arg-type]
        mg.Edit(1, 1, None, "fillers", "filler"),  # type: ignore[arg-type]
        mg.Edit(0.0, 1.0, ("uh",), "fillers", "filler"),  # type: ignore[arg-type]
        mg.Edit(10**30, 10**30, ("uh",), "fillers", "filler"),
        mg.Edit(-(10**30), 1, ("uh",), "fillers", "filler"),
    ],
)
def test_odd_edits_are_refused(edit: mg.Edit) -> None:
    with pytest.raises(EditError):
        apply_edits(UTTERANCE, [edit], id="v")


def _table(size: int) -> list[int]:
    return [0 if i == j else 1 for i in range(size) for j in range(size)]


def wrong_times() -> Iterator[tuple[str, object]]:
    """Yield times that do not fit the references and hypotheses."""
    words = [len(one.split()) for one in (*REFS, *HYPS)]
    ends = np.cumsum(words[:2]), np.cumsum(words[2:])
    right = [(np.zeros((one[-1], 2), np.int64), one) for one in ends]
    spans, last = right[0]
    yield "times of one side", (right[0],)
    yield "few times", ((spans[:-1], last), right[1])
    yield "few ends of times", ((spans, last[:1]), right[1])
    yield "ends of times out of order", ((spans, last[::-1].copy()), right[1])
    yield "ends of times below 0", ((spans, -last), right[1])
    yield "times of the wrong items", ((spans, last + np.array([-1, 0])), right[1])
    yield "flat times", ((spans.ravel(), last), right[1])
    yield "words back in time", ((spans - np.array([0, 1]), last), right[1])
    yield "times too late", ((spans + (1 << 60), last), right[1])
    yield "times of text", (("0 1", last), right[1])


def _align_timed(k: Any, times: object) -> object:
    return k.align(REFS, HYPS, [0, 1, 1, 1] * 2, *_PLAIN, times)


def _count_timed(k: Any, times: object) -> object:
    return k.align_and_count(REFS, HYPS, [0, 1, 1, 1], 1, None, None, not NO, None, None, times)


def wrong() -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield calls that the kernel must refuse."""
    unit = [0, 1, 1, 1] * 2
    both = [REFS, HYPS]
    yield "few costs", lambda k: k.align(*both, [1], *_PLAIN)
    yield "negative cost", lambda k: k.align(*both, [-1] * 8, *_PLAIN)
    yield "few marks", lambda k: k.align(*both, unit, NO, 1, [b"\0"], [], NO)
    yield "short marks", lambda k: k.align(*both, unit, NO, 1, [b"\0", b"\1"], [], NO)
    yield "marks of no bytes", lambda k: k.align(*both, unit, NO, 1, [1, 2], [], NO)
    for what, times in wrong_times():
        yield what, partial(_align_timed, times=times)
        yield f"{what}, counted", partial(_count_timed, times=times)
    arcs = [(0, 1, 5, False)]
    yield "few times of arcs", lambda k: k.align_networks(arcs, arcs, [1] * 4, [], ([], [(0, 1)]))
    back = [(1, 0)], [(0, 1)]
    yield "an arc back in time", lambda k: k.align_networks(arcs, arcs, [1] * 4, [], back)
    yield "fewer hypotheses", lambda k: k.distances(REFS, HYPS[:1], 1)
    yield "fewer by sclite", lambda k: k.align_nist(REFS, HYPS[:1], 1)
    yield "tokens of numbers", lambda k: k.distances([[1]], [["a"]], 1)
    square, alone = np.ones((2, 2), np.int64), np.ones(2, np.int64)
    yield "few symbols", lambda k: k.align_symbols(["a"], ["b"], ["a", "b", "c"], [], square, alone)
    yield "no square", lambda k: k.align_symbols(["a"], ["b"], ["a", "b"], [], square[:1], alone)
    yield "fewer texts", lambda k: k.align_symbols(["a", "b"], ["b"], ["a", "b"], [], square, alone)
    yield "costs below 0", lambda k: k.align_symbols(["a"], ["b"], ["a", "b"], [], -square, alone)
    yield "no weights", lambda k: k.Draw(1, 1).weighted([])
    yield "weights of 0", lambda k: k.Draw(1, 1).weighted([0, 0])
    yield "huge weights", lambda k: k.Draw(1, 1).weighted([2**63, 2**63, 5])
    yield "nothing to choose", lambda k: k.Draw(1, 1).choice([])
    yield "many sites", lambda k: k.walk(1, 0, 2**60, 0, 0)
    yield "sites below 0", lambda k: k.walk(1, -5, 5, 0, 0)
    yield "an unknown symbol", lambda k: k.Alike([[7]], _table(2), [1, 1])
    yield "an unknown query", lambda k: k.Alike([[0]], _table(2), [1, 1]).find([9], 1)
    yield "a small table", lambda k: k.Alike([[0]], [0], [1, 1])
    yield "a word of bytes", lambda k: k.Nearest([b"a"])
    yield "a number as word", lambda k: k.Nearest([5])
    yield "many replicates", lambda k: k.resample(np.ones((2, 2), np.int64), 1, 2**62, 1)
    yield "huge counts", lambda k: k.resample(np.full((3, 1), -(2**63), np.int64), 1, 5, 1)
    yield "a node apart", lambda k: k.align_networks([(0, 2, 1, False)], [], [1] * 4, [])
    yield "far nodes", lambda k: k.align_networks([(0, 2**31, 1, False)], [], [1] * 4, [])
    yield "no model", lambda k: k.Trigram("/")
    yield "types missing", lambda k: k.Rewriter(mg.Edit, mg.Slot, mg.Variant, (), "x", NO, str)
    empty = {name: np.array([], kind) for name, kind in _TAGGER.items()}
    model = empty | {"transitions": np.zeros((2, 2), np.int16), "tags": np.array("A B")}
    yield "ends without keys", lambda k: k.Tagger(model | {"ends": np.ones(3, np.uint32)}, bytes)
    yield "tags without a name", lambda k: k.Tagger(model | {"tags": np.array("A")}, bytes)
    cut = {"keys": np.ones(1, np.uint32), "ends": np.ones(1, np.uint32)}
    yield "weights missing", lambda k: k.Tagger(model | cut, bytes)


_TAGGER = {
    "keys": np.uint32, "ends": np.uint32, "targets": np.uint8, "weights": np.int16,
    "lexicon": np.uint32, "kinds": np.uint8, "cues": np.uint32, "leanings": np.int8,
}  # fmt: skip


@pytest.mark.parametrize("call", [pytest.param(call, id=name) for name, call in wrong()])
def test_the_kernel_refuses(call: Callable[[Any], object]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError, IndexError, RuntimeError)):
        call(compiled)


def test_an_empty_table_of_sounds_finds_nothing() -> None:
    assert compiled is not None
    assert compiled.Alike([], [], []).find([], 3) == []


@pytest.mark.parametrize("threads", [0, 40_000, 2**40])
def test_any_number_of_threads_gives_the_same(threads: int) -> None:
    rows = np.arange(3000, dtype=np.int64).reshape(1000, 3)
    assert np.array_equal(
        kernel.resample(rows, 5, 2000, threads), kernel.resample(rows, 5, 2000, 1)
    )
    refs: list[Any] = REFS * 300
    hyps: list[Any] = HYPS * 300
    assert np.array_equal(kernel.distances(refs, hyps, threads), kernel.distances(refs, hyps, 1))


def test_the_twin_refuses_to_draw_from_nothing() -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        twin.Draw(1, 1).weighted([])


THREADS = """
import sys, threading
import mondegreen as mg
sys.setswitchinterval(1e-6)
texts = [f"please book a flight from boston to denver number {i} tomorrow" for i in range(150)]
operators = ["typing", "fillers", "synonyms.any", "speako", "disfluencies", "typo"]

def work():
    made = [v.utterance.text for v in mg.perturb(texts, operators, seed=3)]
    score = mg.score.words(texts * len(operators), made)
    return made, score["wer"].value, score.counts.tolist()

found = [None] * 8
def run(i):
    found[i] = work()
threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
alone = work()
assert all(one == alone for one in found), [one == alone for one in found]
print("same")
"""


def test_eight_threads_that_perturb_and_score_give_the_results_of_one() -> None:
    done = subprocess.run(
        [sys.executable, "-c", THREADS], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stdout.strip() == "same", done.stderr[-2000:]
