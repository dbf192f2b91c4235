"""Numbers that a stranger can build on: intervals, groups, gates, kinds of answers, and pages."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.metrics.scores.tally import Tally
from mondegreen.metrics.statistics.intervals import paired_interval, rate_interval
from mondegreen.metrics.statistics.quantiles import normal_quantile, student_quantile

Draw = Callable[[np.random.Generator], "np.ndarray"]


def ratio(sums: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return errors over units."""
    return sums["errors"], sums["units"]


def shares(rate: float, n: int) -> Draw:
    """Draw right and wrong utterances."""
    return lambda rng: np.column_stack([rng.random(n) < rate, np.ones(n, np.int64)])


def words(rate: float, n: int) -> Draw:
    """Draw utterances of 3 to 15 words, some of them misheard more than others."""

    def draw(rng: np.random.Generator) -> np.ndarray:
        lengths = rng.integers(3, 16, n)
        chances = rng.beta(rate * 5.7, (1 - rate) * 5.7, n)
        return np.column_stack([rng.binomial(lengths, chances), lengths])

    return draw


def speakers(rate: float, n: int) -> Draw:
    """Draw the sums of speakers of 20 utterances each, who differ."""

    def draw(rng: np.random.Generator) -> np.ndarray:
        errors = rng.binomial(20, rng.beta(rate * 19, (1 - rate) * 19, n))
        return np.column_stack([errors, np.full(n, 20)])

    return draw


CELLS = [
    (0.02, shares(0.02, 30), 0.93, 1.0),  # was 47 %: samples without an error had width 0
    (0.02, shares(0.02, 100), 0.93, 0.97),
    (0.2, shares(0.2, 100), 0.93, 0.97),
    (0.05, words(0.05, 20), 0.93, 0.98),  # was 78 %
    (0.2, words(0.2, 20), 0.93, 0.97),
    (0.2, speakers(0.2, 5), 0.93, 0.98),  # was 80 %
    (0.1, speakers(0.1, 20), 0.93, 0.97),
]


@pytest.mark.parametrize(("rate", "draw", "low", "high"), CELLS)
def test_27_11_intervals_hold(rate: float, draw: Draw, low: float, high: float) -> None:
    rng = np.random.default_rng(11)
    inside = 0
    for _ in range(1500):
        units = Tally(draw(rng).astype(np.int64))
        interval, _few = rate_interval(ratio, ("errors", "units"), units)
        assert interval is not None
        inside += interval.low <= rate <= interval.high
    assert low - 0.015 <= inside / 1500 <= high + 0.015


@pytest.mark.parametrize("longest", [1, 3])
def test_27_11_an_interval_contains_its_rate(longest: int) -> None:
    rng = random.Random(longest)
    for _ in range(40):
        sides = [
            [" ".join(rng.choices("abc", k=rng.randint(1, longest))) for _ in range(30)]
            for _ in range(3)
        ]
        one, two = (mg.score.words(sides[0], hyps) for hyps in sides[1:])
        for found in one.estimates():
            assert (found.low or 0) <= float(found.value or 0) <= (found.high or 0), found
        for name, gap in one.compare(two).rates.items():
            assert gap.interval is not None
            assert gap.interval.low <= (gap.difference or 0) <= gap.interval.high, name


def test_27_11_a_share_of_utterances_has_one_test_by_every_name() -> None:
    refs = ["play some jazz", "stop it"] * 10
    one = mg.score.words(refs, ["play jazz", "stop it"] * 4 + refs[8:])
    found = one.compare(mg.score.words(refs, refs))
    ser = found.rates["ser"]
    assert (ser.test, ser.p) == ("mcnemar", found.mcnemar)
    assert found.rates["wer"].test == "permutation"
    right = [True, True, False, False] * 5
    first, second = (mg.score.correctness(right, answers) for answers in ([True] * 20, right))
    compared = first.compare(second)
    assert compared.rates["accuracy"].p == compared.mcnemar


def test_27_11_a_set_without_an_error_has_an_interval() -> None:
    said = [f"play song {number}" for number in range(30)]
    score = mg.score.words(said, said)
    for name in ("wer", "ser"):
        interval = score[name].interval()
        assert interval is not None
        assert interval.low == 0
        assert 0.05 < interval.high < 0.2  # the rule of three says 0.1 for 30


def test_27_11_the_output_says_that_a_sample_is_too_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refs, hyps = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    refs.write_text("play jazz\n" * 40)
    hyps.write_text("play jazz\n" * 31 + "play jaws\n" * 9)
    arguments = ["score", "words", "--ref", str(refs), "--hyp", str(hyps)]
    assert main(arguments) == 0
    assert "The sample is too small to rely on the intervals of" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    assert "wer" in json.loads(capsys.readouterr().out)["small_sample"]
    hyps.write_text("play jazz\n" * 28 + "play jaws\n" * 12)
    assert main(arguments) == 0
    assert "too small" not in capsys.readouterr().out


def test_27_11_differences_of_systems_have_intervals_that_hold() -> None:
    """Both wrong in 10 %, one of them in 3 % more; also where no utterance differs."""
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(1500):
        one = rng.random(100) < 0.1
        two = one ^ (rng.random(100) < 0.03)
        table = np.column_stack([one, np.ones(100), two, np.ones(100)]).astype(np.int64)
        interval, _few = paired_interval(ratio, ("errors", "units"), Tally(table))
        assert interval is not None
        assert interval.high > interval.low
        inside += interval.low <= 0.9 * 0.03 - 0.1 * 0.03 <= interval.high
    assert inside / 1500 >= 0.93


def test_27_11_quantiles_are_scipy_s() -> None:
    stats = pytest.importorskip("scipy.stats")
    for level in (0.5, 0.9, 0.95, 0.99):
        assert normal_quantile(level) == pytest.approx(stats.norm.ppf((1 + level) / 2), abs=1e-9)
        for freedom in (1, 2, 3, 4, 9, 60, 61, 1000):
            found = student_quantile(level, freedom)
            assert found == pytest.approx(stats.t.ppf((1 + level) / 2, freedom), rel=1e-5)


def test_27_12_a_group_of_one_is_not_the_boldest_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    accents = ["york"] * 30 + ["wales"] + [""] * 12
    rows = [
        {"id": str(i), "text": "play some jazz now", "accent": accent}
        for i, accent in enumerate(accents)
    ]
    ref, hyp = tmp_path / "ref.jsonl", tmp_path / "hyp.txt"
    ref.write_text("".join(json.dumps(row) + "\n" for row in rows))
    heard = ["play some jazz now"] * 28 + ["play some jaws now"] * 2 + ["play four by now please"]
    hyp.write_text("\n".join([*heard, *["play some jazz now"] * 12]) + "\n")
    items = tmp_path / "items.jsonl"
    arguments = ["--ref", str(ref), "--hyp", str(hyp), "--by", "accent"]
    assert main(["score", "words", *arguments, "--items", str(items)]) == 0
    out = capsys.readouterr().out
    assert "Too few utterances to judge (fewer than 10): accent wales" in out
    assert "accent (no accent)" in out
    wales = next(line for line in out.splitlines() if line.startswith("accent wales"))
    low, high = (float(edge) for edge in wales.split("[")[1].split("]")[0].split(","))
    assert high - low > 50
    page = tmp_path / "report.html"
    assert main(["report", str(items), "-o", str(page)]) == 0
    html = page.read_text()
    row = html[html.index('<tr class="unjudged"') :]
    row = row[: row.index("</tr>")]
    assert "wales" in row
    assert "bad3" not in row
    assert "<td>1</td>" in row
    assert "(no accent)" in html


def test_27_13_a_list_given_twice_keeps_both(tmp_path: Path) -> None:
    data, made = tmp_path / "d.jsonl", tmp_path / "s"
    data.write_text('{"said": "play some jazz now", "aim": "play"}\n' * 3)
    arguments = ["--op", "typo", "--random", "0", "--map", "text=said", "--map", "label=aim"]
    levels = ["--severity", "0.1", "--severity", "0.2,0.5"]
    assert main(["suite", str(data), "-o", str(made), *arguments, *levels]) == 0
    names = {path.name for path in made.rglob("*.jsonl")}
    assert {"typo.jsonl"} <= names
    sets = json.loads((made / "manifest.json").read_text())["sets"]
    amounts = [one["amount"] for one in sets if one["kind"] == "severity"]
    assert amounts == ["severity:0.1", "severity:0.2", "severity:0.5"]


@pytest.mark.parametrize(
    ("limit", "code"),
    [("wer=12%", 3), ("wer=0.12", 3), ("wer=60%", 0), ("wer=1", 0), ("wer=150%", 0), ("wer=12", 2)],
)
def test_27_13_a_limit_above_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: str, code: int
) -> None:
    ref, hyp = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    ref.write_text("play jazz\n")
    hyp.write_text("play jaws\n")
    arguments = ["--ref", str(ref), "--hyp", str(hyp), "--fail-over", limit]
    assert main(["score", "words", *arguments]) == code
    if code == 2:
        assert "write wer=0.12 or wer=12% for 12 %" in capsys.readouterr().err


def test_27_15_a_recogniser_without_errors_to_make_divides_by_nothing(tmp_path: Path) -> None:
    said = tmp_path / "a.txt"
    said.write_text("play songs by sarah harding\n")
    out = str(tmp_path / "b.txt")
    arguments = ["--op", "recogniser(wer=0.2)", "--seed", "7"]
    assert main(["perturb", str(said), "-o", out, *arguments]) == 0


def test_27_random_comparisons_with_the_peers_run() -> None:
    """One comparison with each peer that is installed; ``make fuzz`` makes thousands."""
    import peers

    for name, check in peers.PEERS.items():
        if peers.installed(name):
            assert peers.compare(name, check(), seed=27, seconds=0), name


@pytest.mark.parametrize(("errors", "status"), [(1, "equal"), (2, "differs")])
def test_27_suites_of_peers_are_compared(
    errors: int, status: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A suite with the layout of fstalign's: synonyms, hyphens, and distances."""
    import peer_suites

    for name, text in (("a.ref.txt", "okay so or- we'll go"), ("a.hyp.txt", "okay or we will no")):
        (tmp_path / "test/data").mkdir(parents=True, exist_ok=True)
        (tmp_path / "test/data" / name).write_text(text + "\n")
    (tmp_path / "sample_data").mkdir()
    (tmp_path / "sample_data/synonyms.rules.txt").write_text("# a rule\nwe'll | we will\n")
    section = (
        'TEST_CASE_METHOD(\n  SECTION("one") {\n    exec(command("wer", approach, "a.ref.txt", '
        '"a.hyp.txt", out, "", TEST_SYNONYMS));\n    "WER: %d/6 = "\n  }\n'
    )
    (tmp_path / "test/fstalign_Test.cc").write_text((section % 2) * 2)
    (tmp_path / "test/fast-d-tests.cc").write_text(
        f'TEST_CASE("d") {{\n vint a = {{1, 2}};\n vint b = {{1}};\n'
        f" REQUIRE(GetEditDistance(a, b) == {errors});\n}}\n"
    )
    assert peer_suites.main([str(tmp_path)]) == (status == "differs")
    assert f"{status:<11} fstalign  distances: d" in capsys.readouterr().out


def test_27_a_tuple_of_python_is_a_list_of_json_as_bfcl_has_it() -> None:
    from mondegreen.metrics.calls.rules import argument_right

    schema = {"type": "tuple", "items": {"type": "float"}}
    assert argument_right(schema, (40.7, -74.0), [[40.7, -74.0]], {})


def test_27_23_wide_characters_stand_under_each_other() -> None:
    from mondegreen.metrics.words.alignments import alignment_lines, columns_of

    score = mg.score.words(["音楽 を かけて ab"], ["音 を かけて abcd"], unit="words")
    ref, hyp, kinds = list(alignment_lines(score, colour=False))[1:4]
    for word in ("を", "かけて"):
        assert columns_of(ref[: ref.index(word)]) == columns_of(hyp[: hyp.index(word)])
    assert columns_of(hyp[: hyp.index("abcd")]) == kinds.rindex("S")


def test_27_16_pages_say_what_the_program_does() -> None:
    docs = Path(__file__).resolve().parents[1] / "docs"
    tutorial = (docs / "tutorials" / "augment-training-data.md").read_text()
    more, fewer = re.findall(r"([\d.]+) points (?:more|fewer)", tutorial)
    assert f"+{more} [" in tutorial
    assert f"-{fewer} [" in tutorial
    assert "several seeds" not in tutorial
    assert "ties as jiwer does" not in (docs / "differences.md").read_text()
    for page in ("metrics/statistics.md", "runs.md"):
        assert "paired bootstrap" not in (docs / page).read_text()
    assert "utterance?id=" in (docs / "viewer.md").read_text()


def test_27_23_nature_says_where_to_get_its_data(tmp_path: Path, shared: Path) -> None:
    import nature_tables

    with pytest.raises(SystemExit, match=r"files are missing, such as atis/train/seq.in"):
        nature_tables.check_data(tmp_path)
    assert "github.com" in str(nature_tables.__doc__)
    if (shared / "data" / "slu" / "nlued").is_dir():
        nature_tables.check_data(shared / "data" / "slu")


def test_27_21_several_systems_have_intervals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"ref": "play jazz\nstop it\n", "one": "play jaws\nstop it\n", "two": "play\nstop it\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    files = [str(tmp_path / f"{name}.txt") for name in texts]
    assert main(["score", "words", "--ref", files[0], "--hyp", files[1], "--also", files[2]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert next(line for line in lines if line.startswith("system")).endswith("wer 95 %")
    for name in ("one", "two"):
        assert next(line for line in lines if line.startswith(name)).endswith("]")


ACCENTS = ("wales", "kent", "")


def test_27_21_a_comparison_by_group_is_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["id,ref,one,two,accent"]
    for number in range(90):
        accent = ACCENTS[number % 3]
        heard = "play some jaws" if accent == "wales" else "play some jazz"
        one = "play sum jazz" if number == 1 else "play some jazz"
        rows.append(f"u{number},play some jazz,{one},{heard},{accent}")
    (tmp_path / "d.csv").write_text("\n".join(rows) + "\n")
    sides = ["--ref", "d.csv:ref", "--hyp", "d.csv:one", "--against", "d.csv:two"]
    assert main(["score", "words", *sides, "--by", "accent"]) == 0
    out = capsys.readouterr().out
    assert "wer by accent: d.csv:two against d.csv:one" in out
    table = {line.split("  ")[0]: line for line in out.splitlines()}
    assert table["wales"].split()[1:6] == ["30", "0.00", "%", "33.33", "%"]
    assert table["wales"].endswith("worse")
    assert table["kent"].split()[1] == table["(no accent)"].split()[2] == "30"
    assert out.count("d.csv:two against d.csv:one") == 2  # the table, and all utterances
    for name in ("one", "two"):
        files = ["--ref", "d.csv:ref", "--hyp", f"d.csv:{name}", "--items", f"{name}.run"]
        assert main(["score", "words", *files]) == 0
    capsys.readouterr()
    assert main(["compare", "one.run", "two.run", "--by", "accent", "--fail-if-worse"]) == 3
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert table["wales"].split() in lines
    found = mg.compare("one.run", "two.run", by="accent")
    assert [one.name for one in found.sets] == ["all utterances", "(no accent)", "kent", "wales"]
    assert found.losses() == ["all utterances", "wales"]
    with pytest.raises(mg.MondegreenError, match="No column named 'dialect'"):
        mg.compare("one.run", "two.run", by="dialect")
    assert main(["report", "one.run", "two.run", "-o", "r.html"]) == 0
    page = (tmp_path / "r.html").read_text()
    section = page.split("Wer by accent</h2>")[1].split("</section>")[0]
    for part in ("wales", "33.33 %", "+33.33", "worse", "(no accent)"):
        assert part in section
