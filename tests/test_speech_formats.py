"""Transcripts of other speech tools: as the tools write them, and broken."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

import mondegreen as mg
from conftest import SHARED
from mondegreen.cli.main import main
from mondegreen.data.formats.chat import parse_chat
from mondegreen.data.pairs.texts import Side
from mondegreen.errors import DataError, OutputError
from mondegreen.metrics.fluency.metric import FLUENCY
from mondegreen.metrics.metric import Files, References
from mondegreen.metrics.words.metric import WORDS
from mondegreen.metrics.words.settings import WordSettings

SCTK = SHARED / "golden" / "peers" / "sctk"
CHA = """@UTF8
@Begin
@Languages:\teng
*CHI:\t<I want> [//] I &-um need (.) cookie [x 3] &+fr friend's &=laughs .
\tand more . \x15100_2000\x15
%mor:\tpro|I
*MOT:\tgonna [: going to] go ?
@End
"""


def test_nemo_manifests_pair_by_recording(tmp_path: Path) -> None:
    rows = [("b.wav", "stop", "stopp"), ("a.wav", "play jazz", "play jaws")]
    ref, hyp = tmp_path / "ref.json", tmp_path / "hyp.json"
    ref.write_text(
        "\n".join(json.dumps({"audio_filepath": a, "duration": 1, "text": t}) for a, t, _ in rows)
    )
    hyp.write_text(
        "\n".join(json.dumps({"audio_filepath": a, "text": p}) for a, _, p in reversed(rows))
    )
    part = WORDS.whole(Files(Side(ref), (Side(hyp),)), WordSettings())
    assert part.hyps == (["stopp", "play jaws"],)


@pytest.mark.filterwarnings("ignore:.*not read")
def test_both_sides_of_a_manifest(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"audio_filepath": "a", "text": "play jazz", "pred_text": "play jaws"}\n')
    refs, hyps = WORDS.whole(Files(Side(path), (Side(path),)), WordSettings())
    assert (refs.items, refs.file.ids) == (["play jazz"], ["a"])
    assert hyps == (["play jaws"],)


def test_textgrids_of_praatio(tmp_path: Path) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    grid = textgrid.Textgrid()
    spans = [(0, 1, 'play "jazz"'), (1.5, 2, "stop")]
    grid.addTier(textgrid.IntervalTier("ann", spans, 0, 3))
    for kind in ("short_textgrid", "long_textgrid"):
        path = tmp_path / f"{kind}.TextGrid"
        grid.save(str(path), kind, includeBlankSpaces=True)
        found = list(mg.read(path))
        assert [one.text for one in found] == ['play "jazz"', "stop"]
        assert dict(found[1].extra) == {"tier": "ann", "speaker": "ann", "start": 1.5, "end": 2.0}


def test_supervisions_of_lhotse(tmp_path: Path) -> None:
    lhotse = pytest.importorskip("lhotse")
    one = lhotse.SupervisionSegment(
        id="s1", recording_id="r1", start=0, duration=1, text="play jazz", speaker="ann"
    )
    for name in ("s.jsonl", "s.jsonl.gz"):
        lhotse.SupervisionSet.from_segments([one]).to_file(str(tmp_path / name))
        (found,) = mg.read(tmp_path / name)
        assert (found.id, found.text, dict(found.extra)["speaker"]) == ("s1", "play jazz", "ann")


def test_seglst_of_meeteval(tmp_path: Path) -> None:
    meeteval = pytest.importorskip("meeteval")
    pytest.importorskip("simplejson")  # what meeteval writes JSON with
    path = tmp_path / "seg.json"
    segment = {"session_id": "m1", "speaker": "A", "start_time": 0, "end_time": 1, "words": "hi"}
    meeteval.io.SegLST([segment, segment | {"words": "ho"}]).dump(str(path))
    assert [(one.id, one.text) for one in mg.read(path)] == [("m1-A-1", "hi"), ("m1-A-2", "ho")]


def test_chat_has_fluency_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.cha"
    path.write_text(CHA, encoding="utf-8")
    child, mother = mg.read(path)
    words = "I want I um need cookie cookie cookie fr friend's and more"
    assert (child.id, child.text) == ("CHI-1", words)
    assert dict(child.extra)["tags"] == "RM RM O F O RM RM O FR O O O"
    assert (dict(child.extra)["start"], dict(child.extra)["end"]) == (0.1, 2.0)
    assert mother.text == "gonna go"
    [refs] = map(References.of, FLUENCY.references(Side(path), FLUENCY.settings()))
    score = FLUENCY.score(refs, ["I need cookie friend's and more", "gonna go"], FLUENCY.settings())
    assert score["disfluent_error_rate"].value == 0
    assert score.by_type["RM"] == {"dropped": 4}


def test_chat_words_are_pylangacqs(tmp_path: Path) -> None:
    pylangacq = pytest.importorskip("pylangacq")
    path = tmp_path / "a.cha"
    text = "@UTF8\n@Begin\n@Participants:\tCHI Target_Child\n*CHI:\tI want a cookie .\n"
    path.write_text(f"{text}*CHI:\tmore juice please !\n@End\n", encoding="utf-8")
    reader = pylangacq.read_chat(str(path))
    theirs = [[word for word in one if word.isalpha()] for one in reader.words(by_utterance=True)]
    assert [list(one.tokens) for one in mg.read(path)] == theirs


@pytest.mark.parametrize(
    ("text", "words", "tags"),
    [
        ("&-uh play it .", "uh play it", "F O O"),
        ("the [/] the dog [= big] runs [+ gram] .", "the the dog runs", "RM O O O"),
        ("(be)cause 0is so:: ice+cream kitty@c xxx !", "because so ice cream kitty xxx", ""),
        ("well ‡ no (1.5) +//.", "well no", "O O"),
        ("", "", ""),
    ],
)
def test_lines_of_chat(text: str, words: str, tags: str) -> None:
    found = parse_chat(text)
    assert found.words == words.split()
    assert found.tags == (tags.split() or ["O"] * len(words.split()))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ctm", "f A 1.0 0.5 one\nf A 1.1 0.5 two\n", "line 2: .* overlap"),
        ("a.ctm", "f A 1.0\n", "line 1: file, channel"),
        ("a.ctm", "f A x 0.5 one\n", "line 1: a time in seconds"),
        ("a.stm", "f A spk 0 1\n", "line 1: no segment of this stm file has text"),
        ("a.stm", "f A spk 0\n", "line 1: file, channel, speaker"),
        ("a.stm", "f A spk 2 1 hello\n", "line 1: .* before it starts"),
        ("a.cha", "@Begin\n*CHI:\tgo [zzz] .\n@End\n", r"line 2: the CHAT code \[zzz\] is unknown"),
        ("a.cha", "@Begin\n*CHI:\t<go .\n@End\n", "line 2: an angle bracket"),
        ("a.TextGrid", "hello\n", "line 1: the TextGrid ends too early"),
        ("a.nlp", "token|speaker|tags\nhi|1\n", "line 2: 2 columns"),
        ("a.nlp", "word\nhi\n", "line 1: a header"),
        ("m.json", '{"audio_filepath": "a", "text": ""}\n{"audio_filepath": "b"}', "line 2.*text"),
        ("s.json", '[{"session_id": "", "speaker": "b", "words": ""}, {"words": ""}]', "segment 2"),
    ],
)
def test_broken_files_are_refused(name: str, content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message) as error:
        list(mg.read(path))
    assert str(path) in str(error.value)


def test_a_textgrid_in_utf_16_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.TextGrid"
    path.write_text('File type = "ooTextFile"\n', encoding="utf-16")
    with pytest.raises(DataError, match="UTF-16; save it as UTF-8"):
        list(mg.read(path))


def test_broken_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": "a", "recording_id": "r", "text": "x"}\n')[:-9])
    with pytest.raises(DataError, match="gzip"):
        list(mg.read(path, "lhotse"))


def test_formats_of_other_tools_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="read, not written"):
        mg.write([mg.Utterance.of("a", "play")], tmp_path / "a.stm")


def sclite_counts(ref: Path, hyp: Path, tmp_path: Path, *options: str) -> list[int]:
    """Return correct, substituted, deleted and inserted words by sclite itself."""
    files = ("-r", str(ref), "stm", "-h", str(hyp), "ctm")
    command = ["sctk", "sclite", *files, *options, "-o", "rsum", "-O", str(tmp_path), "-n", "out"]
    subprocess.run(command, check=True, capture_output=True)
    (line,) = [line for line in (tmp_path / "out.raw").read_text().splitlines() if "| Sum" in line]
    cells = [int(cell) for cell in line.replace("|", " ").split()[1:]]
    return cells[2:6]


@pytest.mark.parametrize(
    ("ref", "hyp"),
    [
        ("lvc_ref.stm", "lvc_hyp.ctm"),
        ("lvc_refe.stm", "lvc_hyp.ctm"),
        ("stm2ctm_missing.ref.stm", "stm2ctm_missing.hyp.ctm"),
        ("stm2ctm_missing.ref.stm", "stm2ctm_missing.hyp-missfile2chanA.ctm"),
    ],
)
def test_stm_and_ctm_score_as_sclite(ref: str, hyp: str, tmp_path: Path) -> None:
    if not SCTK.is_dir():
        pytest.skip(f"{SCTK} is not there")
    try:
        expected = sclite_counts(SCTK / ref, SCTK / hyp, tmp_path)
    except FileNotFoundError:
        pytest.skip("sctk is not installed")
    settings = WordSettings(costs="sclite", ignore_case=True)
    refs, (hyps,) = WORDS.whole(Files(Side(SCTK / ref), (Side(SCTK / hyp),)), settings)
    score = WORDS.score(refs, hyps, settings)
    sums = score.sums()
    counts = [sums[name] for name in ("hits", "substitutions", "deletions", "insertions")]
    for weights in ((1, 1, 1, 0), (1, 1, 0, 1), (0, 4, 3, 3)):  # words, words heard, cost
        ours, theirs = (
            sum(w * n for w, n in zip(weights, side, strict=True)) for side in (counts, expected)
        )
        assert ours == theirs
    assert counts[0] >= expected[0]  # of equally cheap alignments, the one with the most matches


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("choice", "words", "n"), [("skip", 3, 2), ("empty", 5, 3)])
def test_missing_hypotheses(
    choice: str, words: int, n: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref.trn").write_text("play jazz (a)\nstop (b)\nturn off (c)\n")
    (tmp_path / "hyp.trn").write_text("play jaws (a)\nstop (b)\nmore (d)\n")
    arguments = ["score", "words", "--ref", str(tmp_path / "ref.trn")]
    arguments += ["--hyp", str(tmp_path / "hyp.trn"), "--json"]
    assert main(arguments) == 1
    assert "--missing skip" in capsys.readouterr().err
    assert main([*arguments, "--missing", choice]) == 0
    out = capsys.readouterr()
    record = json.loads(out.out)
    assert record["n"] == n
    assert record["scores"]["wer"]["denominator"] == words
    assert "1 (such as 'd') without reference" in out.err
    assert ("(left out)" in out.err) is (choice == "skip")
