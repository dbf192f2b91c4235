"""Recognisers of Mandarin: by character and syllable, in text without spaces."""

from __future__ import annotations

import random
from hashlib import blake2b
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from rapidfuzz.distance import Levenshtein

from mondegreen.cli.main import cli
from mondegreen.edits import apply_edits
from mondegreen.errors import DataError, MissingExtraError, OperatorError
from mondegreen.language.simulation.draft import Error
from mondegreen.language.simulation.ears import ear_of
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.profile import read_recogniser
from mondegreen.language.simulation.units import Unit, units
from mondegreen.language.sounds import tongues
from mondegreen.language.sounds.syllables import syllable_parts
from mondegreen.metrics.realism import realism
from mondegreen.operators import parse
from mondegreen.operators.pieces import Pieces
from mondegreen.types import Slot, Utterance
from mondegreen.variants import perturb

pytest.importorskip("pypinyin", reason="needs mondegreen[zh]")

ODSQA = Path(__file__).resolve().parents[2] / "shared" / "data" / "mandarin" / "odsqa.tsv"
WORDS = ("他", "老师", "妈妈", "我们"), ("在", "今天在"), ("公园", "学校", "家", "北京")
WHAT = ("做什么", "看书", "唱歌", "坐着", "等你", "工作", "买花")
SAID = ["".join(parts) for parts in product(*WORDS, WHAT)]
ALIKE = {"在": "再", "做": "坐", "公": "工", "师": "是", "花": "话", "书": "树", "京": "经"}


def heard(text: str, rng: random.Random) -> str:
    """Return a text with some characters exchanged for others with the same syllable."""
    return "".join(
        ALIKE[char] if char in ALIKE and rng.random() < 0.3 else char
        for char in text
        if char != "着" or rng.random() < 0.8
    )


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Fit a profile by the command line, as a user does."""
    folder = tmp_path_factory.mktemp("zh")
    rng = random.Random(0)
    rows = ["ref\thyp", *(f"{text}\t{heard(text, rng)}" for text in SAID)]
    (folder / "pairs.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    path = folder / "zh.json.gz"
    command = ["fit", "recogniser", "--language", "zh", str(folder / "pairs.tsv"), "-o", str(path)]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    return str(path)


def toneless(char: str) -> list[str]:
    """Return the syllable of a character without its tone."""
    return [syllable.rstrip("12345") for syllable in tongues.pinyin(char)]


def same_syllables(refs: list[str], hyps: list[str]) -> float:
    """Return the share of the exchanged characters that keep their syllable."""
    kept = [
        toneless(ref[step.src_pos]) == toneless(hyp[step.dest_pos])
        for ref, hyp in zip(refs, hyps, strict=True)
        for step in Levenshtein.editops(ref, hyp)
        if step.tag == "replace"
    ]
    return sum(kept) / len(kept)


def rate(refs: list[str], hyps: list[str]) -> float:
    """Return the character error rate."""
    words = ear_of("zh").words
    both = [(words(ref), words(hyp)) for ref, hyp in zip(refs, hyps, strict=True)]
    return sum(Levenshtein.distance(*one) for one in both) / sum(len(ref) for ref, _ in both)


@pytest.mark.parametrize(
    ("syllable", "parts"),
    [
        ("shi4", ("sh", "", "i", "", "4")),
        ("wo3", ("", "u", "o", "", "3")),
        ("yuan2", ("", "y", "a", "n", "2")),
        ("ying1", ("", "", "i", "ŋ", "1")),
        ("xiong2", ("x", "i", "o", "ŋ", "2")),
        ("a5", ("", "", "a", "", "5")),
        ("xx1", ()),
    ],
)
def test_parts_of_syllables(syllable: str, parts: tuple[str, ...]) -> None:
    assert syllable_parts(syllable) == parts


def test_only_tones_are_nearer_than_other_syllables() -> None:
    def unlike(one: str, other: str) -> float:
        return ear_of("zh").unlikeness((one,), (other,))

    assert unlike("在", "再") == 0
    assert 0 < unlike("书", "树") < 0.15
    assert 0.15 < unlike("星", "新") < unlike("星", "花")
    assert 0.15 < unlike("知", "资") < unlike("知", "西")


def test_characters_that_sound_alike_are_aligned() -> None:
    ear = ear_of("zh")
    found = units(ear.words("我在公园，等你"), ear.words("我再园等"), ear.unlikeness)
    assert found == [Unit(1, 2, ("再",)), Unit(2, 3, ()), Unit(5, 6, ())]


def test_a_fitted_profile_has_the_rate_and_the_syllables_of_the_pairs(profile: str) -> None:
    operator = parse(f"recogniser(profile={profile!r}, wer=0.1)")
    data = [Utterance.of(str(i), f"{text}。") for i, text in enumerate(SAID)]
    made = [one.utterance.text for one in perturb(data, [operator], seed=3)]
    texts = [one.text for one in data]
    assert " " not in "".join(made)
    assert sum(text.endswith("。") for text in made) > 0.9 * len(made)  # not if 着 is lost
    assert rate(texts, made) == pytest.approx(0.1, abs=0.01)
    exchanged = [(ref, hyp) for ref, hyp in zip(texts, made, strict=True) if len(ref) == len(hyp)]
    assert same_syllables(*map(list, zip(*exchanged, strict=True))) > 0.9


def test_the_command_perturbs_text_without_spaces(profile: str, tmp_path: Path) -> None:
    source, target = tmp_path / "test.txt", tmp_path / "heard.txt"
    source.write_text("\n".join(SAID) + "\n", encoding="utf-8")
    operator = f"recogniser(profile={profile!r}, wer=0.1)"
    command = ["perturb", str(source), "-o", str(target), "--op", operator, "--language", "zh"]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    made = target.read_text(encoding="utf-8").splitlines()
    assert rate(SAID, made) == pytest.approx(0.1, abs=0.01)


def test_tokens_of_several_characters_keep_their_slots(profile: str) -> None:
    operator = parse(f"recogniser(profile={profile!r}, wer=0.6)")
    tokens = ("老师", "在", "北京", "公园", "做", "什么？")
    slots = (Slot("who", 0, 1), Slot("where", 2, 4))
    data = [Utterance.of(str(i), "".join(tokens), slots, tokens=tokens) for i in range(200)]
    changed = 0
    for one in perturb(data, [operator], seed=3):
        assert [slot.label for slot in one.utterance.slots] == ["who", "where"]
        assert " " not in one.utterance.text
        assert one.utterance.tokens[-1].endswith("？")
        changed += one.utterance.tokens[one.utterance.slots[1].start] != "北京"
    assert changed > 20


def test_errors_of_pieces_become_edits_of_tokens() -> None:
    pieces = Pieces.of(("今天", "会", "下雨", "吗？"))
    utterance = Utterance.of("1", "今天会下雨吗？", tokens=("今天", "会", "下雨", "吗？"))
    errors = [
        Error(1, 2, ("田",), "exchanged"),
        Error(1, 1, ("的",), "added"),
        Error(2, 3, (), "lost"),
        Error(4, 6, ("与",), "joined"),
        Error(6, 6, ("呢",), "added"),
    ]
    edits = sorted(pieces.edits(errors, "recogniser"), key=lambda one: (one.start, one.end))
    assert apply_edits(utterance, edits, id="2").utterance.tokens == ("今的田", "下与", "呢")


def test_the_language_of_a_profile_is_kept_and_checked(profile: str, tmp_path: Path) -> None:
    assert read_recogniser(profile).language == "zh"
    assert parse(f"recogniser(profile={profile!r})").languages == frozenset({"zh"})
    assert parse("recogniser").languages == frozenset({"en"})
    with pytest.raises(
        OperatorError, match=r"recognisers of Finnish cannot be simulated; .*: de, en, es, fr"
    ):
        fit_recogniser(["joo hyvä"], ["joo"], language="fi")
    with pytest.raises(OperatorError, match="there is no built-in profile of Mandarin"):
        perturb([Utterance.of("1", SAID[0])], [parse("recogniser")], language="zh")
    other = tmp_path / "other.json"
    read_recogniser(profile).save(other)
    text = other.read_text(encoding="utf-8").replace('"language":"zh"', '"language":"xx"')
    other.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="a profile of the language 'xx'"):
        read_recogniser(str(other))


def test_without_the_extra_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tongues, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"mondegreen\[zh\]"):
        fit_recogniser(["鑫鑫"], ["龘鑫"], language="zh")


@pytest.mark.skipif(not ODSQA.exists(), reason="needs ../shared/data/mandarin")
def test_errors_on_new_questions_look_real(tmp_path: Path) -> None:
    rows = [line.split("\t")[1:] for line in ODSQA.read_text(encoding="utf-8").splitlines()]
    held = [blake2b(ref.encode(), digest_size=1).digest()[0] % 3 == 0 for ref, _ in rows]
    known = [row for row, new in zip(rows, held, strict=True) if not new]
    refs, real = map(
        list, zip(*(row for row, new in zip(rows, held, strict=True) if new), strict=True)
    )
    path = tmp_path / "zh.json.gz"
    fit_recogniser(*map(list, zip(*known, strict=True)), language="zh").save(path)
    wer = round(rate(refs, real), 3)
    operator = parse(f"recogniser(profile={str(path)!r}, wer={wer})")
    data = [Utterance.of(str(i), text) for i, text in enumerate(refs)]
    made = [one.utterance.text for one in perturb(data, [operator], seed=7, language="zh")]
    assert rate(refs, made) == pytest.approx(wer, abs=0.01)
    assert realism(refs, real, made).auc < 0.65
