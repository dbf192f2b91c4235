"""What is compared: words, characters or both; their case, and the marks within them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.data.pairs.parts import PART
from mondegreen.errors import DataError
from mondegreen.metrics.normalisation.normalise import basic

SCTK = shutil.which("sctk")


def test_26_6_words_are_words_unless_most_references_have_no_spaces() -> None:
    score = mg.score.words(["播放爵士乐"], ["播放摇滚乐"])
    assert score.counts[0, :4].tolist() == [3, 2, 0, 0]
    assert "|unit:mixed|" in score.signature
    refs, hyps = ["play 爵士乐", "stop it"], ["play 摇滚乐", "stop it"]
    plain = mg.score.words(refs, hyps)
    assert plain.counts[0, :4].tolist() == [1, 1, 0, 0]
    assert "unit:" not in plain.signature
    mixed = mg.score.words(refs, hyps, unit="mixed")
    assert mixed.counts[0, :4].tolist() == [2, 2, 0, 0]  # words, and characters one by one
    assert "|unit:mixed|" in mixed.signature
    with pytest.raises(DataError, match="different recipes"):
        plain + mixed
    with pytest.raises(DataError, match="No unit named 'letters'"):
        mg.score.words(refs, hyps, unit="letters")


def test_27_09_one_signature_for_one_number() -> None:
    refs, hyps = ["播放 miles 的歌"], ["播放 mile 的歌"]
    default, characters = mg.score.words(refs, hyps), mg.score.words(refs, hyps, characters=True)
    assert default["wer"].value != characters["wer"].value
    assert default.signature != characters.signature
    assert characters.signature == mg.score.words(refs, hyps, unit="characters").signature
    with pytest.raises(DataError, match="contradict"):
        mg.score.words(refs, hyps, unit="words", characters=True)


def test_27_09_the_references_decide_never_the_hypothesis() -> None:
    score = mg.score.words(["thank you"], ["谢谢观看请订阅"])
    assert (score["wer"].numerator, score["wer"].denominator) == (2, 2)
    assert "unit:" not in score.signature
    spaced = mg.score.words(["stop it"], ["stop"])
    assert spaced.compare(mg.score.words(["stop it"], ["stop 它"])).rates


@given(
    st.lists(
        st.tuples(*2 * [st.text(st.sampled_from("ab 爵士 ไป"), max_size=9)]),
        min_size=1, max_size=6,
    ).filter(lambda pairs: any(ref.split() for ref, _ in pairs))
)  # fmt: skip
def test_26_6_words_of_any_script_are_jiwers(pairs: list[tuple[str, str]]) -> None:
    refs, hyps = ([" ".join(text.split()) for text in side] for side in zip(*pairs, strict=True))
    ours = mg.score.words(refs, hyps, unit="words")
    whole = jiwer.process_words([*refs, "x"], [*hyps, "x"])  # which refuses empty references alone
    assert ours["wer"].numerator == whole.substitutions + whole.deletions + whole.insertions
    kept = [pair for pair in zip(refs, hyps, strict=True) if pair[0]]
    said, heard = [ref for ref, _ in kept], [hyp for _, hyp in kept]
    some = jiwer.process_characters(said, heard)
    cer = mg.score.words(said, heard)["cer"]
    assert cer.numerator == some.substitutions + some.deletions + some.insertions
    assert cer.value == some.cer


def test_27_08_optional_words_of_a_script_without_spaces() -> None:
    for unit in ("", "mixed"):
        score = mg.score.words(["a (个人) b"], ["a b"], unit=unit, alternatives=True)
        assert score["wer"].numerator == 0
    heard = mg.score.words(["a (个人) b"], ["a 个 b"], unit="mixed", alternatives=True)
    assert heard["wer"].numerator == 0


@pytest.mark.parametrize("unit", ["words", "mixed", "characters"])
@pytest.mark.parametrize(
    ("ref", "hyp", "errors", "characters"),
    [
        ("a (个) b", "a b", 0, 5),
        ("a (uh) b", "a uh b", 0, 6),
        ("a (uh) b", "a b", 0, 6),
        ("a { x / yy } b", "a yy b", 0, 6),
        ("a { x / @ } b", "a c", 1, 3),
    ],
)
def test_27_08_marks_of_alternatives_are_no_characters(
    ref: str, hyp: str, errors: int, characters: int, unit: str
) -> None:
    cer = mg.score.words([ref], [hyp], unit=unit, alternatives=True)["cer"]
    assert (cer.numerator, cer.denominator) == (errors, characters)


def test_27_10_words_are_not_split_at_marks_within_them() -> None:
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert len(basic(persian).split()) == 1
    assert basic("co\u00adoperate fi\u200dne") == "cooperate fine"
    assert basic("one\u200btwo") == "one two"


def test_27_10_turkish_is_lower_cased_as_turkish(tmp_path: Path) -> None:
    pairs = [
        ("KIRMIZI \u0130ZM\u0130R", "k\u0131rm\u0131z\u0131 izmir"),
        ("\u0130stanbul", "istanbul"),
        ("KIZ", "k\u0131z"),
        ("I AM", "i am"),
    ]
    refs, hyps = map(list, zip(*pairs, strict=True))
    assert mg.score.words(refs, hyps, ignore_case=True)["wer"].value == 0
    assert mg.score.words(["K\u0131z"], ["kiz"], ignore_case=True)["wer"].value == 1
    if SCTK is None:
        return
    for name, texts in (("ref", refs[:3]), ("hyp", hyps[:3])):
        lines = "".join(f"{text} (s-{i})\n" for i, text in enumerate(texts))
        (tmp_path / f"{name}.trn").write_text(lines, encoding="utf-8")
    files = ["-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id"]
    command = [SCTK, "sclite", *files, "-e", "utf-8", "babel_turkish", "-o", "rsum", "stdout"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    total = next(line for line in found.stdout.splitlines() if "Sum" in line)
    assert [int(n) for n in re.findall(r"\d+", total)][:7] == [3, 4, 4, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("ref", "hyp", "errors"),
    [("我能吞下玻璃而不伤身体", "我能吞虾玻璃而 不霜身体啦", 4), ("我能吞", "我 能 吞", 2)],
)
def test_27_10_spaces_count_in_the_character_error_rate(ref: str, hyp: str, errors: int) -> None:
    cer = mg.score.words([ref], [hyp])["cer"]
    assert (cer.numerator, cer.denominator) == (errors, len(ref))


def test_26_6_all_references_decide_not_the_first_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refs = ["播放爵士乐"] * (PART + 1) + ["play jazz"] * (PART + 2)
    hyps = ["播放摇滚乐"] * (PART + 1) + ["play jaws"] * (PART + 2)
    for name, texts in (("ref", refs), ("hyp", hyps)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    files = ["--ref", str(tmp_path / "ref.txt"), "--hyp", str(tmp_path / "hyp.txt")]
    for more in ([], ["--unit", "mixed"]):
        main(["score", "words", *files, "--json", "--no-intervals", *more])
        found = json.loads(capsys.readouterr().out)
        score = mg.score.words(refs, hyps, unit=more[-1] if more else "")
        assert found["signature"] == score.signature
        assert found["scores"]["wer"]["value"] == score["wer"].value


def test_26_6_a_note_says_when_another_unit_would_matter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.txt").write_text("play 爵士乐\nstop it\n")
    (tmp_path / "hyp.txt").write_text("play 爵士\nstop it\n")
    files = ["--ref", str(tmp_path / "ref.txt"), "--hyp", str(tmp_path / "hyp.txt")]
    main(["score", "words", *files])
    note = "1 of 2 references have words of a script without spaces, each one word"
    assert note in capsys.readouterr().err
    main(["score", "words", *files, "--unit", "words"])
    assert note in capsys.readouterr().err
    main(["score", "words", *files, "--unit", "mixed"])
    assert "a mixed error rate" in capsys.readouterr().err
