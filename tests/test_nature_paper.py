"""The group nature.paper: NATURE's operators as the paper has them; fail-overs are counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data import read
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OperatorError
from mondegreen.language.sounds.alike import sound_alikes
from mondegreen.language.vocabulary.masked import masked_words
from mondegreen.language.vocabulary.substitutes import WordPlace
from mondegreen.language.vocabulary.tagger import part_in_place, tag
from mondegreen.operators import group_of, parse, parse_all
from mondegreen.operators.place_fillers import BosFillers, EosFillers, PlaceFillers
from mondegreen.operators.synonym_search import kinds_of
from mondegreen.operators.synonyms import Synonyms
from mondegreen.operators.verb_fillers import PostverbFillers, PreverbFillers
from mondegreen.types import Slot, Utterance
from mondegreen.variants.face import perturb

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

PAPER = {  # section 3.1, in its order
    "fillers.bos": "so, like, actually, okay so, so okay, so basically, now, well",
    "fillers.eos": "if you please, please, pretty please, please and thank you, now please, "
    "if you can, now, right now, right away, right this minute, will you ?, would you ?, "
    "can you ?, would you mind ?",
    "fillers.preverb": "like, basically, actually",
    "fillers.postverb": "basically, actually, like, you know",
}
FIGURE_2 = Utterance(
    "1",
    ("add", "tune", "to", "sxsw", "fresh", "playlist"),
    (Slot("music_item", 1, 2), Slot("playlist", 3, 5)),
    "AddToPlaylist",
)


def texts(data: list[str], operator: str, seeds: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in range(seeds):
        for variant in perturb(data, operator, seed=seed):
            found[" ".join(variant.edits[0].tokens)] += 1
    return found


def test_the_group_has_the_ten_operators_of_nature() -> None:
    paper = parse_all("nature.paper")
    assert [one.name for one in paper] == [one.name for one in parse_all("nature")]
    assert group_of(paper) == "nature.paper"


@pytest.mark.parametrize("kind", [BosFillers, EosFillers, PreverbFillers, PostverbFillers])
def test_fillers_are_drawn_uniformly_from_the_whole_list(kind: type[PlaceFillers]) -> None:
    listed = tuple(PAPER[kind.name].split(", "))
    assert kind.known == listed
    found = texts(["play some jazz"], f"{kind.name}(choice=uniform)", 200 * len(listed))
    assert set(found) == set(listed)
    assert max(found.values()) < 1.35 * 200
    assert min(found.values()) > 0.65 * 200


def test_our_own_choice_of_fillers_is_another() -> None:
    question = ["what is the weather"]
    assert set(texts(question, "fillers.eos", 50)) == {"please"}
    assert len(texts(question, "fillers.eos(choice=uniform)", 200)) == 14


def test_without_a_verb_the_filler_is_like_before_the_first_entity() -> None:
    (variant,) = perturb(["avengers"], "fillers.preverb(choice=uniform)")
    assert variant.utterance.text == "like avengers"


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(OperatorError, match="No choice named 'random'"):
        parse("fillers.bos(choice=random)")


def test_the_most_probable_word_of_the_same_part_of_speech_is_taken() -> None:
    for utterance in list(sample())[:40]:
        (variant,) = perturb([utterance], "synonyms.verb(source=mlm, names=change)", seed=1)
        if not variant.edits or variant.edits[0].kind != "verb":
            continue
        at = variant.edits[0].start
        part = tag(utterance.tokens)[at]
        ranked = masked_words().ranked(WordPlace(utterance.tokens, at, part))
        expected = next(
            word
            for word in ranked
            if word != utterance.tokens[at] and part_in_place(utterance.tokens, at, word) == part
        )
        assert variant.utterance.tokens[at] == expected


def test_words_of_names_change_as_in_figure_2() -> None:
    (variant,) = perturb([FIGURE_2], "synonyms.adjective(source=mlm, names=change)")
    (edit,) = variant.edits
    assert (edit.start, edit.kind) == (4, "adjective")  # "fresh", in the name of a playlist
    assert variant.utterance.tags == FIGURE_2.tags
    (kept,) = perturb([FIGURE_2], "synonyms.adjective")
    assert kept.utterance.tokens[4] == "fresh"


def test_without_a_word_of_the_class_a_noun_is_replaced() -> None:
    (variant,) = perturb([FIGURE_2], "synonyms.adverb(source=mlm, names=change)")
    assert variant.edits[0].kind == "noun"


def test_any_draws_the_class_first() -> None:
    data = ["play jazz music songs albums records tracks"]  # one verb, many nouns
    found = Counter(
        variant.edits[0].kind
        for seed in range(300)
        for variant in perturb(data, "synonyms.any(source=mlm, names=change)", seed=seed)
    )
    assert 100 < found["verb"] < 200


def test_speako_takes_the_nearest_word_by_phonemes_from_the_list(tmp_path: Path) -> None:
    words = tmp_path / "wiki.txt"
    words.write_text("which 5000\nwitch 999\ncatch 3000\n", encoding="utf-8")
    operator = f"speako(distance=phonemes, among='{words}')"
    (variant,) = perturb(["watch"], operator)
    assert variant.utterance.text == "which"  # the example of section 3.3; "witch" is too rare
    assert [path.name for path in parse(operator).resources()] == ["wiki.txt"]
    words.write_text("catch 3000\n", encoding="utf-8")
    assert next(perturb(["watch"], operator)).utterance.text == "catch"


def test_words_that_the_dictionary_does_not_know_are_pronounced(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("tua\nplaylist\n", encoding="utf-8")
    near = sound_alikes("tune", 1, distance="phonemes", among=str(words))
    assert [alike.word for alike in near] == ["tua"]


@pytest.mark.parametrize("content", ["a b c\n", "1000 x\n", "rare 3\n"])
def test_a_faulty_list_of_words_is_refused(tmp_path: Path, content: str) -> None:
    words = tmp_path / "words.txt"
    words.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"words.txt"):
        sound_alikes("tune", among=str(words))
    with pytest.raises(OperatorError, match="It is no file either"):
        parse("speako(among='nowhere.txt')")


def test_the_parameters_of_a_group_go_to_its_operators() -> None:
    ops = parse_all("nature.paper(names=keep, among=dictionary)")
    assert {op.names for op in ops if isinstance(op, Synonyms)} == {"keep"}
    assert "among='dictionary'" in repr(ops[-1])
    with pytest.raises(OperatorError, match=r"nature\.paper: No parameter named 'modl'"):
        parse_all("nature.paper(modl=x)")


@pytest.mark.parametrize("dataset", ["atis", "snips"])
def test_every_utterance_changes_and_most_edits_are_of_the_class(
    shared: Path, dataset: str
) -> None:
    data = list(read(shared / "data" / "slu" / dataset / "test"))[::4]
    for operator in parse_all("nature.paper"):
        variants = list(perturb(data, operator, seed=2))
        assert all(len(variant.edits) == 1 for variant in variants)
        if not isinstance(operator, Synonyms):
            continue
        possible = [
            variant
            for variant in variants
            if any(
                kinds_of(token, part) & operator.kinds
                for token, part in zip(
                    variant.parent.tokens, tag(variant.parent.tokens), strict=True
                )
            )
        ]
        of_class = [one for one in possible if one.edits[0].kind in operator.kinds]
        assert len(of_class) >= 0.6 * len(possible)


@pytest.mark.parametrize(
    ("name", "dataset", "least"),
    [
        ("adjective", "atis", 40),  # of 200; most others are "next", "available", "first" and dates
        ("adjective", "snips", 80),  # of 305, many of them in names
        ("adverb", "atis", 5),  # of 61, 27 of them "how"
        ("adverb", "snips", 4),  # of 99, most of them in names, or "where", "when", "how"
    ],
)
def test_adjectives_and_adverbs_are_replaced_where_a_word_suits(
    shared: Path, name: str, dataset: str, least: int
) -> None:
    data = read(shared / "data" / "slu" / dataset / "test")
    kinds = [v.edits[0].kind for v in perturb(data, f"synonyms.{name}", seed=1) if v.edits]
    assert kinds.count(name) >= least


REPLACED = [
    ("find the nearest pharmacy", "synonyms.adjective", "find the closest pharmacy"),
    ("find the cheapest fare", "synonyms.adjective", "find the lowest fare"),
    ("the next flight to boston", "synonyms.adjective", "the upcoming flight to boston"),
    ("play it now", "synonyms.adverb", "play it immediately"),
]


@pytest.mark.parametrize(("text", "operator", "expected"), REPLACED)
def test_words_of_our_lists_are_used(text: str, operator: str, expected: str) -> None:
    (variant,) = perturb([text], operator, language="en")
    assert variant.utterance.text == expected
    assert not parse(operator).failed_over(variant.edits[0])


def test_fail_overs_are_counted_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "in.jsonl"
    data.write_text(
        '{"text": "find the nearest bank", "label": "find"}\n'
        '{"text": "show me films", "label": "show"}\n',
        encoding="utf-8",
    )
    out, ledger = tmp_path / "out.jsonl", tmp_path / "ledger.jsonl"
    arguments = ["perturb", data, "-o", out, "--op", "synonyms.adjective", "--ledger", ledger]
    assert main(list(map(str, arguments))) == 0
    said = capsys.readouterr().err
    assert "1 of the edits failed over: they change a word of another class than adjective" in said
    assert '"kind":"noun"' in ledger.read_text(encoding="utf-8")
    suite = mg.suite(data, tmp_path / "suite", ["synonyms.adjective", "fillers"], random=0)
    assert {entry.name: entry.failed_over for entry in suite.manifest.sets} == {
        "original": 0,
        "synonyms.adjective": 1,
        "fillers": 0,
    }
    again = ["suite", data, "-o", tmp_path / "again", "--op", "synonyms.adjective", "--random", "0"]
    assert main(list(map(str, again))) == 0
    assert "1 failed over to a word of another class" in capsys.readouterr().err
