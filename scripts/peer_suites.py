"""Run the test suites of SCTK, fstalign and Hugging Face's evaluate against Mondegreen.

    python scripts/peer_suites.py FOLDER...

Each FOLDER is a checkout of one of these projects. Their cases and the expected figures are read
from there, and scored with the settings that correspond. A case is equal, documented (it differs
for a reason in ``docs/differences.md``) or differs; the exit status is 1 if any differs.
"""

from __future__ import annotations

import ast
import doctest
import io
import itertools
import json
import re
import subprocess
import sys
import types
import unittest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import mondegreen as mg
from peer_fstalign import fstalign

Counts = tuple[int, int, int, int]
"""Hits, substitutions, deletions and insertions."""

TIES = "of equally cheap alignments, another one"
SCTK_REASONS = {
    "test[24]": "-d, alignment by diff, is not the cheapest one",
    "test5": "a text without times needs a line for each reference",
    "test7_noD|test15_a": "optional words that are left out always count as right",
    "test7_[1-4]a?": "-S, segmentation by a lexicon: --compounds",
    r"test7_5|test(9|10)_1": "-c DH: hyphens are not deleted",
    "test7-utf8-2bytes": "--ignore-case is Unicode's",
    "test13.*": "whole channels are aligned, after wrong times are mended",
    "test14_.": "-m: nothing is cut to the times that both sides have",
    "test15_b": "optional words become optional characters",
    "test16_2": "an empty file is an error",
}


class Case(NamedTuple):
    """One case: its name, the expected figures and ours, and a reason why these may differ."""

    name: str
    theirs: object
    ours: object
    reason: str = ""

    @property
    def status(self) -> str:
        """Say equal, documented or differs."""
        if self.theirs == self.ours:
            return "equal"
        return "documented" if self.reason else "differs"


def _reason(name: str, reasons: dict[str, str]) -> str:
    return next((why for pattern, why in reasons.items() if re.fullmatch(pattern, name)), "")


def _unrolled(script: str) -> str:
    """Write out the loops of a shell script."""

    def each(found: re.Match[str]) -> str:
        name, values, body = found.groups()
        rounds = enumerate(values.split(), 1)
        return "\n".join(body.replace(f"${name}", v).replace("$n", str(n)) for n, v in rounds)

    loop = r"^for (\w+) in ([^$;]*);\s*do\n(.*?)^done"
    return re.sub(loop, each, script, flags=re.DOTALL | re.MULTILINE)


def sctk(folder: Path) -> Iterator[Case]:
    """Score the cases of sclite whose counts are stored."""
    data = folder / "src/sclite/testdata"
    script = _unrolled((data / "tsclite.sh").read_text(encoding="utf-8").replace("\\\n", " "))
    name, seen = "", set()
    for line in script.splitlines():
        if found := re.match(r"(TN|TEST)=(\S+)", line.strip()):
            name = name if "$TN" in found[2] else "test" * (found[1] == "TN") + found[2]
        base = data / f"base/{name}.raw"
        if " -r " not in line or name in seen or not base.is_file():
            continue
        seen.add(name)
        row = re.search(r"\| Sum +\|[^|]*\|([^|]*)\|", base.read_text("latin-1"))
        theirs = tuple(map(int, row[1].split()[:4])) if row else ()
        call = next(part for part in line.split('"') if " -r " in part)
        ours = _sclite(data, " ".join(["", *call.replace("$DATA/", "").split()]))
        reason = _reason(name, SCTK_REASONS)
        if isinstance(ours, tuple) and _price(ours) == _price(theirs):
            reason = TIES
        yield Case(name, theirs, ours, reason)


def _price(counts: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the words of the reference, those heard, and the cost by sclite's weights."""
    hits, wrong, lost, added = counts
    return hits + wrong + lost, hits + wrong + added, 4 * wrong + 3 * (lost + added)


def _sclite(data: Path, line: str) -> Counts | str:
    """Score the files of a call of sclite, with the options that correspond."""
    found = {side: re.findall(rf" -{side} (\S+)(?: (stm|ctm|txt|trn))?", line) for side in "rh"}
    options = ["--costs", "times" if " -T" in line else "sclite", "--ignore-case"]
    options += ["--fragments"] * (" -F" in line) + ["--compounds"] * (" -S" in line)
    unit = "words" if " -c" not in line else "mixed" if "NOASCII" in line else "characters"
    options += ["--unit", unit, "--missing", "skip" if " -m ref" in line else "empty"]
    encoding = "gb18030" if "-e gb" in line else "utf-8"
    with TemporaryDirectory() as place:
        for side, option in (("r", "ref"), ("h", "hyp")):
            name, kind = found[side][0]
            path = Path(place, f"{option}.{kind or 'trn'}")
            text = (data / name).read_text(encoding)
            path.write_text(_in_order(text) if kind == "ctm" else text, encoding="utf-8")
            options += [f"--{option}", str(path)]
        return _score(options)


def _in_order(ctm: str) -> str:
    """Mend what is refused: words before the one above them, overlaps, durations below 0."""
    rows = [line.split() for line in ctm.splitlines() if line and not line.startswith(";;")]
    for one, two in itertools.pairwise(rows):
        if one[:2] != two[:2] or "*" in (one[2], two[2]):
            continue
        start, length = float(one[2]), max(0.0, float(one[3]))
        if float(two[2]) < start + length / 2 or float(one[3]) < 0:
            two[2] = max(one[2], two[2], key=float)
            one[3] = f"{min(length, float(two[2]) - start):.3f}"
    return "".join(" ".join(row) + "\n" for row in rows)


def _score(options: list[str]) -> Counts | str:
    command = [sys.executable, "-m", "mondegreen", "score", "words", *options]
    done = subprocess.run(
        [*command, "--json", "--no-intervals"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    counts = json.loads(done.stdout)["counts"]
    return counts["hits"], counts["substitutions"], counts["deletions"], counts["insertions"]


class _Rate:
    """The interface of a metric of evaluate, over our scores."""

    def __init__(self, name: str) -> None:
        self.name = name

    def compute(
        self, predictions: list[str], references: list[str], *, concatenate_texts: bool = False
    ) -> float:
        if concatenate_texts:
            predictions = ["".join(one.strip() for one in predictions)]
            references = ["".join(one.strip() for one in references)]
        value = mg.score.words(references, predictions)[self.name].value
        if value is None:
            raise ValueError("there are no words in the references")
        return value


def evaluate(folder: Path) -> Iterator[Case]:
    """Run the tests of the character error rate, and the examples of both rates."""
    stub = types.ModuleType("cer")
    stub.__dict__["CER"] = lambda: _Rate("cer")
    sys.modules["cer"] = stub
    tests = types.ModuleType("test_cer")
    source = folder / "metrics/cer/test_cer.py"
    exec(compile(source.read_text(encoding="utf-8"), str(source), "exec"), tests.__dict__)  # noqa: S102
    for test in unittest.defaultTestLoader.loadTestsFromModule(tests):
        for one in test if isinstance(test, unittest.TestSuite) else ():
            if not isinstance(one, unittest.TestCase):
                continue
            result = unittest.TestResult()
            one.run(result)
            problems = [text for _, text in result.failures + result.errors]
            yield Case(one.id().rpartition(".")[2], "", "".join(problems)[-300:])
    for name in ("wer", "cer"):
        yield Case(f"example of {name}", "", _example(folder / f"metrics/{name}/{name}.py"))


def _example(path: Path) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    text = next(one for one in texts if isinstance(one, str) and ">>>" in one)
    names = {"evaluate": types.SimpleNamespace(load=_Rate)}
    out = io.StringIO()
    test = doctest.DocTestParser().get_doctest(text, names, path.stem, str(path), 0)
    doctest.DocTestRunner(verbose=False).run(test, out=out.write)
    return out.getvalue()


SUITES = {
    "src/sclite/testdata/tsclite.sh": sctk,
    "test/fstalign_Test.cc": fstalign,
    "metrics/cer/test_cer.py": evaluate,
}


def main(folders: list[str]) -> int:
    """Print a table of all cases of these folders."""
    total: Counter[str] = Counter()
    for folder in map(Path, folders):
        suite = next((run for file, run in SUITES.items() if (folder / file).is_file()), None)
        if suite is None:
            print(f"{folder}: no checkout of SCTK, fstalign or evaluate", file=sys.stderr)
            return 2
        count: Counter[str] = Counter()
        for case in itertools.starmap(Case, suite(folder)):
            count[case.status] += 1
            print(f"{case.status:<11} {suite.__name__:<9} {case.name}", end="")
            print("" if case.status == "equal" else f": {case.theirs} {case.ours} {case.reason}")
        print(f"{suite.__name__}: {dict(count)}")
        total += count
    return 1 if total["differs"] or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
