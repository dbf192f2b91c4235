"""The shims of the five sources: their constructors, calls, printed reports and files."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from mondegreen.compat.corrupted_text import CorruptionWeights, TextCorruptor
from mondegreen.compat.fluency import MinDistance, Test, evaluate
from mondegreen.compat.fluency.__main__ import main as fluency_main
from mondegreen.compat.nlaugmenter import SpeechDisfluencyPerturbation
from mondegreen.compat.pssteval import ErrorSummary, evaluate_asr, evaluate_correctness
from mondegreen.compat.pssteval.asr import main as asr_main
from mondegreen.compat.pssteval.correctness import main as correctness_main
from mondegreen.errors import DataError, OperatorError, OutputError
from mondegreen.metrics.fluency.metric import fluency

FILLERS = {"um", "uh", "erm", "ah", "er"}
TEXTS = [
    "the music was wonderful and the picture was terrible",
    "a terrible picture with wonderful music",
    "the pictures were wonderful",
]

# NL-Augmenter


@pytest.mark.parametrize("text", ["Yes.", "play jazz", "Andrew finally returned the French book"])
def test_at_least_one_filler_is_inserted_between_words(text: str) -> None:
    for seed in range(20):
        (made,) = SpeechDisfluencyPerturbation(seed=seed).generate(text)
        words = made.split()
        assert [word for word in words if word not in FILLERS] == text.split()
        assert len(words) > len(text.split())
        if len(text.split()) > 1:
            assert not {words[0], words[-1]} & FILLERS


def test_a_single_token_gets_the_filler_on_either_side() -> None:
    made = {
        SpeechDisfluencyPerturbation(seed=n, filler_words=["uh"]).generate("Yes.")[0]
        for n in range(30)
    }
    assert made == {"uh Yes.", "Yes. uh", "uh Yes. uh"}


def test_the_parameters_of_the_perturbation() -> None:
    every = SpeechDisfluencyPerturbation(insert_prob=1.0, filler_words=["hm"])
    assert every.generate("play some jazz") == ["play hm some hm jazz"]
    assert every.generate("Yes.") == ["hm Yes. hm"]
    assert every.generate("") == ["hm"]
    never = SpeechDisfluencyPerturbation(insert_prob=0.0, filler_words=["hm"])
    assert never.generate("play jazz") == ["play hm jazz"]
    many = SpeechDisfluencyPerturbation(max_outputs=4, filler_words=["hm"])
    outputs = many.generate("play some jazz by miles davis")
    assert len(outputs) == len(set(outputs)) == 4
    with pytest.raises(OperatorError, match="insert_prob must be 0 or more"):
        SpeechDisfluencyPerturbation(insert_prob=-1.0)
    with pytest.raises(OperatorError, match="words has no filler"):
        SpeechDisfluencyPerturbation(filler_words=[])


def test_the_rate_of_fillers_is_that_of_the_document() -> None:
    text = " ".join(["word"] * 21)
    made = [SpeechDisfluencyPerturbation(seed=n).generate(text)[0] for n in range(300)]
    inserted = sum(len(one.split()) - 21 for one in made)
    assert abs(inserted / (300 * 20) - 0.2) < 0.02


# corrupted-text


def test_the_corruptor_is_fitted_to_a_list_of_texts(tmp_path: Path) -> None:
    corruptor = TextCorruptor(base_dataset=TEXTS, cache_dir=tmp_path / "cache")
    assert {"wonderful", "picture", "pictures", "music"} <= set(corruptor.common_words)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_text("replaced\n", encoding="utf-8")
    assert TextCorruptor(TEXTS, cache_dir=tmp_path / "cache").common_words == ["replaced"]
    again = TextCorruptor(TEXTS, cache_dir=tmp_path / "cache", clear_cache=True)
    assert again.common_words == corruptor.common_words
    assert len(TextCorruptor(TEXTS, cache_dir=None, dictionary_size=2).common_words) == 2


def test_the_same_text_is_corrupted_in_the_same_way_in_any_list() -> None:
    corruptor = TextCorruptor(TEXTS, cache_dir=None)
    one = corruptor.corrupt(TEXTS, severity=0.5, seed=1)
    assert corruptor.corrupt(TEXTS[::-1], severity=0.5, seed=1) == one[::-1]
    assert one != corruptor.corrupt(TEXTS, severity=0.5, seed=2)
    assert corruptor.corrupt(TEXTS, severity=0.0, seed=1) == TEXTS


def test_a_higher_severity_keeps_the_corruptions_of_a_lower_one() -> None:
    corruptor = TextCorruptor(TEXTS, cache_dir=None)
    text = [" ".join(TEXTS)]
    weights = CorruptionWeights(
        typo_weight=1, autocomplete_weight=0, autocorrect_weight=0, synonym_weight=0
    )
    before = text[0].split()
    changed: set[int] = set()
    for severity in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        (made,) = corruptor.corrupt(text, severity=severity, seed=1, weights=weights)
        now = {i for i, word in enumerate(made.split()) if word != before[i]}
        assert changed <= now
        changed = now
    assert len(changed) == len([word for word in before if len(word) > 1])


def test_weights_and_own_thesaurus_decide_what_is_made() -> None:
    only = CorruptionWeights(
        typo_weight=0, autocomplete_weight=0, autocorrect_weight=0, synonym_weight=1
    )
    corruptor = TextCorruptor(TEXTS, cache_dir=None, thesaurus={"music": ["musik"]})
    assert corruptor.corrupt(["music"], severity=1, seed=0, weights=only) == ["musik"]

    class German(TextCorruptor):
        def load_bad_translations(self) -> dict[str, list[str]]:
            return {"musik": ["klang"]}

    assert German(TEXTS, cache_dir=None).corrupt(["musik"], 1, 0, only) == ["klang"]
    with pytest.raises(OperatorError, match="between 0 and 1"):
        corruptor.corrupt(TEXTS, severity=1.5, seed=0)


def test_words_become_common_words_of_the_base_dataset() -> None:
    base = ["wonderfully wonderland wonders picture"]
    only = CorruptionWeights(
        typo_weight=0, autocomplete_weight=1, autocorrect_weight=0, synonym_weight=0
    )
    (made,) = TextCorruptor(base, cache_dir=None).corrupt(["wonderful"], 1, 0, only)
    assert made in {"wonderfully", "wonderland", "wonders"}


# the evaluator of fluent and disfluent error rates


def _blocks(text: str) -> list[list[str]]:
    return [block.strip().splitlines() for block in text.split("Sent #")[1:]]


def test_the_mode_test_prints_the_published_alignments(shared: Path) -> None:
    ours = _blocks(str(Test()))
    theirs = _blocks((shared / "golden/fluency/test_mode.txt").read_text(encoding="utf-8"))
    assert [block[-3:] for block in ours] == [block[-3:] for block in theirs]  # counts
    different = [
        n for n, pair in enumerate(zip(ours, theirs, strict=True), 1) if pair[0] != pair[1]
    ]
    assert different == [9]  # a tie: which of two equal words is the inserted one


def test_the_modes_of_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref, hyp = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    ref.write_text("THE the cat\nIT'S it's great\n", encoding="utf-8")
    hyp.write_text("the cat\nit's grate\n", encoding="utf-8")
    arguments = ["--ref", str(ref), "--hyp", str(hyp), "--result-path", str(tmp_path)]
    assert fluency_main([*arguments, "--mode", "mod_align"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Loading ref.txt and hyp.txt files ...\n" + "-" * 50 + " \nSent #1 \n")
    assert said.endswith(
        "=" * 50 + "\nFluent Error Rate (FER): 1/4 = 0.250\n"
        "Disfluent Error Rate (DER): 0/2 = 0.000\n\n"
        "Precision: 2/2 = 1.000 \nRecall: 2/2 = 1.000\nEdited F-score: 4/4 = 1.000\n"
    )
    written = (tmp_path / "results.txt").read_text(encoding="utf-8")
    assert "HYP: \t*** the cat\nEval: \tD           \n" in written
    assert fluency_main([*arguments, "--mode", "align"]) == 0
    said = capsys.readouterr().out
    assert "Scores: (#C #S #D #I) 2 0 1 0\n" in said
    assert said.endswith("Fluent Error Rate (FER): 3/6 = 0.500\n")


def test_the_modes_of_two_files_agree_with_ours(shared: Path) -> None:
    folder = shared / "golden/fluency"
    *_, fer, der, _, score = evaluate(folder / "ref.txt", folder / "hyp.txt", "mod_align")
    refs, hyps = ((folder / name).read_text().splitlines() for name in ("ref.txt", "hyp.txt"))
    ours = fluency(refs, hyps)
    for text, name in (
        (fer, "fluent_error_rate"),
        (der, "disfluent_error_rate"),
        (score, "edited_f1"),
    ):
        assert text.endswith(f"= {ours[name].value:.3f}")


def test_faults_of_the_evaluator_are_errors_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, hyp = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    ref.write_text("a\n\nb\n", encoding="utf-8")
    hyp.write_text("a\n\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"has 3 lines and .* has 2"):
        list(evaluate(ref, hyp, "align"))
    hyp.write_text("a\n\n\n", encoding="utf-8")
    assert list(evaluate(ref, hyp, "mod_align"))[-1] == "Edited F-score: 0/1 = 0.000"
    with pytest.raises(OutputError, match="no such folder"):
        list(evaluate(ref, hyp, "align", tmp_path / "nowhere"))
    with pytest.raises(DataError, match="must be align or mod_align"):
        list(evaluate(ref, hyp, "test"))
    with pytest.raises(DataError, match="as published"):
        MinDistance(Ref="a", Hyp="a", ins_weight=1)
    assert fluency_main(["--mode", "align", "--ref", str(tmp_path / "no"), "--hyp", str(hyp)]) == 1
    assert "there is no such file" in capsys.readouterr().err
    assert fluency_main(["--mode", "test"]) == 0


# pssteval

REFERENCE = """utterance_id\ttranscript\tcorrectness
u1\tHH AW S\tTrue
u2\tK AO L\tFalse
"""


@pytest.fixture
def psst(tmp_path: Path) -> Path:
    (tmp_path / "valid.tsv").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "valid-asr.tsv").write_text(
        "utterance_id\tasr_transcript\nu1\tHH AW S\nu2\tK OW L Z\n", encoding="utf-8"
    )
    (tmp_path / "valid-correctness.tsv").write_text(
        "utterance_id\tprediction\nu1\tTrue\nu2\tTrue\n", encoding="utf-8"
    )
    return tmp_path


OLD = {  # a step of the file that pssteval writes with phonologic 0.0.1
    "action": "SUB",
    "expected": "AO",
    "actual": "OW",
    "cost": 1.0,
    "deltas": [
        {"left": "-high", "right": "-+high", "cost": 0.25},
        {"left": "-tense", "right": "+-tense", "cost": 0.75},
    ],
}


def test_the_analysis_file_is_that_of_pssteval(
    psst: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "pssteval")
    out = psst / "out" / "analysis"
    assert (
        asr_main(
            [str(psst / "valid-asr.tsv"), "--ref", str(psst / "valid.tsv"), "--out-dir", str(out)]
        )
        == 0
    )
    analysis = json.loads((out / "valid-asr-analysis.json").read_text(encoding="utf-8"))
    assert (analysis["per"], analysis["fer"]) == (2 / 6, 22.5 / 144)
    features, phonemes = analysis["items"]["u2"]["features"], analysis["items"]["u2"]["phonemes"]
    assert [features[key] for key in ("distance", "error_rate", "expected_length")] == [
        22.5,
        0.3125,
        72,
    ]
    assert [phonemes[key] for key in ("distance", "error_rate", "expected_length")] == [2, 2 / 3, 3]
    assert features["steps"][1] == OLD
    assert [step["action"] for step in phonemes["steps"]] == ["EQ", "SUB", "EQ", "INS"]
    last = features["steps"][-1]
    assert (last["expected"], last["actual"], last["cost"]) == (None, "Z", 21.5)
    assert {"left": "", "right": "0high", "cost": 0.5} in last["deltas"]
    assert "FER: 15.6%    PER: 33.3%" in caplog.text


def test_several_files_are_analysed_in_one_call(psst: Path) -> None:
    (psst / "other.tsv").write_text((psst / "valid-asr.tsv").read_text(), encoding="utf-8")
    files = [str(psst / "valid-asr.tsv"), str(psst / "other.tsv")]
    assert asr_main([*files, "--ref", str(psst / "valid.tsv")]) == 0
    first, second = (psst / f"{name}-analysis.json" for name in ("valid-asr", "other"))
    assert first.read_text(encoding="utf-8") == second.read_text(encoding="utf-8")


def test_utterances_without_reference_are_an_error(
    psst: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (psst / "few.tsv").write_text("utterance_id\tasr_transcript\nu1\tHH AW S\n", encoding="utf-8")
    assert evaluate_asr(psst / "few.tsv", psst / "valid.tsv").per == 0
    assert "has 1 of the 2 utterances" in caplog.text
    (psst / "odd.tsv").write_text("utterance_id\tasr_transcript\nu9\tHH\n", encoding="utf-8")
    assert asr_main([str(psst / "odd.tsv"), "--ref", str(psst / "valid.tsv")]) == 1
    assert "has no utterance 'u9'" in capsys.readouterr().err


def test_the_confusion_matrix_is_printed_as_by_pssteval(
    psst: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = psst / "valid-correctness.tsv", psst / "valid.tsv"
    assert correctness_main([str(files[0]), "--ref", str(files[1])]) == 0
    said = capsys.readouterr().out
    assert said == (
        "              True   False   Total\n"
        "Pred True        1       1       2\n"
        "Pred False       0       0       0\n"
        "Totals           1       1       2\n"
        "\n"
        "F1 score:    0.667\nPrecision:   0.500\nRecall:      1.000\nAccuracy:    0.500\n\n"
    )
    assert evaluate_correctness(*files).specificity() == 0
    assert ErrorSummary(0, 0, 0, 0).f1() is None
