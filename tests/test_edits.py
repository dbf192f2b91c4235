"""Properties of apply_edits, for the compiled kernel and for its Python twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mondegreen import edits as edits_module
from mondegreen.edits import apply_edits
from mondegreen.errors import DataError, EditError
from mondegreen.kernel import compiled
from mondegreen.kernel.rewriting import rewrite, splices
from mondegreen.provenance.ledger import entries, rebuild_text
from mondegreen.testing.strategies import edits_for, utterances
from mondegreen.types import Edit, Slot, Utterance, Variant, token_offsets

Apply = Callable[..., Variant]


@pytest.fixture(params=["kernel", "twin"])
def apply(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Apply:
    if request.param == "kernel" and compiled is None:
        pytest.skip("the kernel is not compiled")
    if request.param == "twin":
        monkeypatch.setattr(edits_module, "compiled", None)
    return apply_edits


def insertion(at: int, *tokens: str) -> Edit:
    return Edit(at, at, tokens, "test", "filler")


@given(st.data())
def test_slots_keep_label_words_and_edges(apply: Apply, data: st.DataObject) -> None:
    utterance = data.draw(utterances())
    variant = apply(utterance, data.draw(edits_for(utterance)), id="v")
    origin = variant.origin
    for before, after in zip(utterance.slots, variant.utterance.slots, strict=True):
        assert before.label == after.label
        positions = [i for i in origin[after.start : after.end] if i is not None]
        assert all(before.start <= i < before.end for i in positions)
        assert origin[after.start] == before.start
        assert origin[after.end - 1] is not None
    outside = set(range(len(utterance.tokens))) - {
        i for slot in utterance.slots for i in range(slot.start, slot.end)
    }
    free = set(range(len(origin))) - {
        i for slot in variant.utterance.slots for i in range(slot.start, slot.end)
    }
    assert {origin[i] for i in free} - {None} <= outside


@given(st.data())
def test_insertions_keep_every_word_in_its_slot(apply: Apply, data: st.DataObject) -> None:
    utterance = data.draw(utterances())
    inserted = [e for e in data.draw(edits_for(utterance, delete=False)) if e.start == e.end]
    variant = apply(utterance, inserted, id="v")
    for before, after in zip(utterance.slots, variant.utterance.slots, strict=True):
        origin = variant.origin[after.start : after.end]
        assert [i for i in origin if i is not None] == list(range(before.start, before.end))
        assert origin[0] == before.start
        assert origin[-1] == before.end - 1


@given(st.data())
def test_characters_outside_the_edits_are_unchanged(apply: Apply, data: st.DataObject) -> None:
    utterance = data.draw(utterances())
    variant = apply(utterance, data.draw(edits_for(utterance)), id="v")
    text, source = variant.utterance.text, utterance.text
    at = moved = 0
    for splice in splices(utterance, variant.edits):
        assert source[at : splice.start] == text[at + moved : splice.start + moved]
        moved += len(splice.text) - (splice.end - splice.start)
        assert (
            text[splice.start + moved - len(splice.text) + (splice.end - splice.start) :][
                : len(splice.text)
            ]
            == splice.text
        )
        at = splice.end
    assert source[at:] == text[at + moved :]
    kept = {i for i in variant.origin if i is not None}
    replaced = {i for e in variant.edits for i in range(e.start, e.end)}
    assert kept | replaced == set(range(len(utterance.tokens)))


@given(st.data())
def test_the_text_contains_the_tokens(apply: Apply, data: st.DataObject) -> None:
    utterance = data.draw(utterances())
    edited = apply(utterance, data.draw(edits_for(utterance)), id="v").utterance
    assert len(token_offsets(edited)) == len(edited.tokens)
    assert (edited.raw is None) == (edited.text == " ".join(edited.tokens))


@given(st.data())
def test_tokens_outside_the_edits_are_unchanged(apply: Apply, data: st.DataObject) -> None:
    utterance = data.draw(utterances())
    edits = data.draw(edits_for(utterance))
    variant = apply(utterance, edits, id="v")
    replaced = {i for e in edits for i in range(e.start, e.end)}
    for token, origin in zip(variant.utterance.tokens, variant.origin, strict=True):
        if origin is not None and origin not in replaced:
            assert token == utterance.tokens[origin]
    assert variant.parent is utterance
    assert variant.utterance.label == utterance.label
    assert variant.utterance.id == "v"


@given(st.data())
def test_what_was_meant_is_kept(apply: Apply, data: st.DataObject) -> None:
    utterance = data.draw(utterances())
    variant = apply(utterance, data.draw(edits_for(utterance)), id="v")
    assert variant.utterance.values == utterance.values
    again = apply(variant.utterance, data.draw(edits_for(variant.utterance)), id="w")
    assert again.utterance.values == utterance.values
    for before, after in zip(utterance.slots, variant.utterance.slots, strict=True):
        words = utterance.tokens[before.start : before.end]
        same = variant.utterance.tokens[after.start : after.end] == words
        assert (after.value is None) == same


@pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
@given(st.data())
def test_kernel_and_twin_agree(data: st.DataObject) -> None:
    assert compiled is not None
    utterance = data.draw(utterances())
    ordered = tuple(sorted(data.draw(edits_for(utterance)), key=lambda e: (e.start, e.end)))
    made = compiled.rewrite(utterance, ordered, Slot, "v")
    if made is not None:
        parts = rewrite(utterance, ordered)
        assert made == Utterance("v", *parts[:2], utterance.label, parts[2], utterance.extra)
    if (
        utterance.text.isascii()
        and all(t.isascii() for e in ordered for t in e.tokens)
        and utterance.tokens
    ):
        assert made is not None


CASES = [
    # text           edit                               result
    ("play jazz", insertion(1, "uh"), "play uh jazz"),
    ("play  jazz", insertion(1, "uh"), "play  uh jazz"),
    ("play\tjazz\n", insertion(1, "uh"), "play\tuh jazz\n"),
    ("  play jazz", insertion(0, "uh"), "  uh play jazz"),
    ("play jazz \r\n", insertion(2, "uh"), "play jazz uh \r\n"),
    ("play jazz", insertion(2, "you", "know"), "play jazz you know"),
    ("", insertion(0, "uh"), "uh"),
    ("  ", insertion(0, "uh"), "  uh"),
    ("你好", insertion(1, "嗯"), "你嗯好"),
    ("你好", insertion(0, "嗯"), "嗯你好"),
    ("你好", insertion(2, "嗯"), "你好嗯"),
    ("你 好", insertion(1, "嗯"), "你 嗯 好"),
    ("你 好", insertion(2, "嗯"), "你 好 嗯"),
    ("好", insertion(1, "嗯"), "好嗯"),
    ("你 好", insertion(0, "嗯"), "嗯 你 好"),
    ("你 好吗", insertion(0, "嗯"), "嗯 你 好吗"),
    ("你 好吗", insertion(3, "嗯"), "你 好吗嗯"),
    ("你好 吗", insertion(0, "嗯"), "嗯你好 吗"),
    ("你好 吗", insertion(1, "嗯"), "你嗯好 吗"),
    ("你 好 吗", insertion(3, "嗯"), "你 好 吗 嗯"),
    ("uh你好", insertion(2, "嗯"), "uh你嗯好"),
    ("play\tthe  jazz", Edit(1, 3, ("a", "b"), "t", "x"), "play\ta  b"),
    ("好", insertion(1, "uh"), "好 uh"),
    ("你好", insertion(1, "uh"), "你 uh 好"),
    ("play  the jazz", Edit(1, 2, (), "t", "cut"), "play  jazz"),
    ("play the  jazz\n", Edit(2, 3, (), "t", "cut"), "play the\n"),
    ("play the", Edit(0, 2, (), "t", "cut"), ""),
    ("play\tthe  jazz", Edit(0, 3, ("a", "b", "c"), "t", "x"), "a\tb  c"),
    ("play\tthe  jazz", Edit(0, 2, ("a", "b", "c"), "t", "x"), "a b c  jazz"),
    ("play the  jazz", Edit(1, 3, ("rock",), "t", "x"), "play rock"),
    ("你好吗", Edit(1, 2, ("很", "好"), "t", "x"), "你很好吗"),
]


@pytest.mark.parametrize(("text", "edit", "result"), CASES)
def test_spacing(apply: Apply, text: str, edit: Edit, result: str) -> None:
    assert apply(Utterance.of("u", text), [edit], id="v").utterance.text == result


def test_an_insertion_between_joined_tokens_adds_spaces(apply: Apply) -> None:
    utterance = Utterance.of("u", "don't", tokens=("don", "'t"))
    assert apply(utterance, [insertion(1, "uh")], id="v").utterance.text == "don uh 't"


def test_tokens_inserted_at_the_edges_of_slots_stay_outside(apply: Apply) -> None:
    utterance = Utterance.of("u", "miles davis so what", [Slot("artist", 0, 2), Slot("song", 2, 4)])
    edits = [insertion(at, "uh") for at in (0, 1, 2, 4)]
    assert apply(utterance, edits, id="v").utterance.tags == (
        "O",
        "B-artist",
        "I-artist",
        "I-artist",
        "O",
        "B-song",
        "I-song",
        "O",
    )


BAD: list[tuple[Sequence[Edit], str]] = [
    ([Edit(0, 2, ("x",), "t", ""), Edit(1, 3, ("y",), "t", "")], "overlaps"),
    ([Edit(3, 5, ("x",), "t", "")], "outside the 4 tokens"),
    ([Edit(-1, 0, ("x",), "t", "")], "outside"),
    ([Edit(2, 1, ("x",), "t", "")], "outside"),
    ([insertion(1, "x"), insertion(1, "y")], "make them one edit"),
    ([insertion(1)], "changes nothing"),
    ([insertion(3, "x"), Edit(3, 4, (), "t", "")], "make them one edit"),
    ([Edit(0, 1, (), "t", ""), insertion(1, "x")], "make them one edit"),
    ([Edit(0, 2, ("x",), "t", "")], "crosses the edge of slot 'artist'"),
    ([Edit(2, 4, ("x",), "t", "")], "crosses the edge of slot 'artist'"),
    ([Edit(1, 3, (), "t", "")], "erase slot 'artist'"),
]


@pytest.mark.parametrize(("edits", "message"), BAD)
def test_edits_that_cannot_be_applied_raise(
    apply: Apply, edits: Sequence[Edit], message: str
) -> None:
    utterance = Utterance.of("u1", "play miles davis now", [Slot("artist", 1, 3)])
    with pytest.raises(EditError, match=message) as error:
        apply(utterance, edits, id="v")
    assert "'u1'" in str(error.value)


def test_a_replacement_beside_an_insertion(apply: Apply) -> None:
    utterance = Utterance.of("u", "Yes. The tower", [Slot("place", 1, 3)])
    variant = apply(utterance, [insertion(1, "Uh,"), Edit(1, 2, ("the",), "t", "case")], id="v")
    assert variant.utterance.text == "Yes. Uh, the tower"
    assert variant.utterance.slots == (Slot("place", 2, 4, "The tower"),)
    assert variant.origin == (0, None, 1, 2)


def test_insertions_of_two_scripts(apply: Apply) -> None:
    edits = [insertion(0, "uh"), insertion(1, "嗯")]
    assert apply(Utterance.of("u", "好"), edits, id="v").utterance.text == "uh 好嗯"


def test_edits_are_applied_in_order_of_position(apply: Apply) -> None:
    utterance = Utterance.of("u", "play some jazz")
    edits = [Edit(2, 3, ("rock",), "t", "x"), insertion(2, "uh"), insertion(0, "um")]
    variant = apply(utterance, edits, id="v")
    assert variant.utterance.text == "um play some uh rock"
    assert variant.edits == tuple(edits[::-1])


def test_an_empty_token_is_refused(apply: Apply) -> None:
    with pytest.raises(DataError, match="token 1 is empty"):
        apply(Utterance.of("u", "play jazz"), [insertion(1, "")], id="v")


def test_a_raw_text_without_its_tokens_raises(apply: Apply) -> None:
    utterance = Utterance("u", ("play", "jazz"), (), None, "something else")
    with pytest.raises(DataError, match="not in the text"):
        apply(utterance, [insertion(1, "uh")], id="v")


@pytest.mark.parametrize(
    ("gone", "text"),
    [((1, 2), " play  now"), ((2, 3), " play  miles"), ((0, 1), " davis now"), ((0, 1, 2, 3), " ")],
)
def test_deletions_may_touch(gone: tuple[int, ...], text: str) -> None:
    utterance = Utterance.of("u1", " play  miles davis now")
    variant = apply_edits(utterance, [Edit(i, i + 1, (), "t", "") for i in gone], id="v")
    assert variant.utterance.text == text
    assert rebuild_text(text, entries(variant)) == utterance.text
