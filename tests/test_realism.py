"""Realism: a classifier that separates simulated from real errors, and the command."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import DataError
from mondegreen.metrics.realism import realism

TEXTS = [utterance.text for utterance in sample()]


def misheard(seed: int, word: str = "") -> list[str]:
    """Return the texts, each with one word lost or, with ``word``, replaced by it."""
    rng = random.Random(seed)
    heard = []
    for text in TEXTS:
        words = text.split()
        at = rng.randrange(len(words))
        heard.append(" ".join((*words[:at], *word.split(), *words[at + 1 :])))
    return heard


def test_errors_of_one_kind_cannot_be_told_apart() -> None:
    assert 0.35 < realism(TEXTS, misheard(1), misheard(2)).auc < 0.65


def test_other_errors_can_be_told_apart_and_are_named() -> None:
    found = realism(TEXTS, misheard(1), misheard(2, "zebra"))
    assert found.auc > 0.95
    assert any(tell.feature == "new 'zebra'" and tell.weight < 0 for tell in found.tells)
    assert found.real["deletions"] == pytest.approx(1)
    assert found.made["substitutions"] == pytest.approx(1)


def test_too_few_errors_are_refused() -> None:
    with pytest.raises(DataError, match="0 utterances have errors"):
        realism(TEXTS, TEXTS, misheard(1))


def test_the_command_reads_tables_and_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real, made, lines = (tmp_path / name for name in ("real.tsv", "made.tsv", "made.txt"))
    for path, seed in ((real, 1), (made, 2)):
        rows = zip(TEXTS, misheard(seed), strict=True)
        table = "".join(f"u{i}\t{ref}\t{hyp}\n" for i, (ref, hyp) in enumerate(rows))
        path.write_text("id\tref\thyp\n" + table, encoding="utf-8")
    lines.write_text("".join(f"{text}\n" for text in misheard(2)), encoding="utf-8")
    answers = []
    for path in (made, lines):
        assert main(["realism", str(real), str(path), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
    assert set(answers[0]) >= {"auc", "n", "tells"}
    assert main(["realism", str(real), str(made)]) == 0
    assert "hard to tell apart" in capsys.readouterr().out
    made.write_text("id\tref\thyp\nother\ta\tb\n", encoding="utf-8")
    fails(["realism", str(real), str(made)], "have no simulated text", capsys)


def test_characters_are_the_words_of_texts_without_spaces() -> None:
    rng = random.Random(2)
    signs = "你我他们今天明早晚上听歌看书去学校回家"
    refs = ["".join(rng.sample(signs, 8)) for _ in range(300)]
    sides = [
        ["".join(rng.choice("的是在有") if i == rng.randrange(8) else c for i, c in enumerate(ref))
         for ref in refs] for _ in range(2)
    ]  # fmt: skip
    alike = realism(refs, *sides)
    assert alike.auc < 0.6
    assert alike.real["substitutions per word"] < 0.3
    other = realism(refs, sides[0], [side.replace("的", "地") for side in sides[1]])
    assert "new '地'" in {tell.feature for tell in other.tells}


def test_columns_are_named_as_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, made = tmp_path / "pairs.tsv", tmp_path / "made.jsonl"
    real, simulated = misheard(1), misheard(2)
    rows = zip(range(len(TEXTS)), TEXTS, real, strict=True)
    table.write_text("uid\tsaid\theard\n" + "".join(f"{n}\t{a}\t{b}\n" for n, a, b in rows))
    perturbed = ["perturb", str(table), "-o", str(made), "--op", "typo", "-q"]
    assert main([*perturbed, "--map", "text=said,id=uid"]) == 0
    found = None
    for text in (made, tmp_path / "made.txt"):
        if text.suffix == ".txt":
            text.write_text("".join(f"{one}\n" for one in simulated))
        arguments = ["realism", str(table), str(text), "--map", "ref=said,hyp=heard,id=uid"]
        assert main([*arguments, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
    expected = mg.realism((TEXTS, real), simulated)
    assert found == json.loads(json.dumps(expected.record()))
    fails(["realism", str(table), str(table)], "name it: --map ref=COLUMN", capsys)
