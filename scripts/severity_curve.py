"""The severity curve of docs/results/severity.md: a linear classifier on mistyped movie reviews.

    python scripts/severity_curve.py movie_reviews.jsonl [WORK_FOLDER]

Trains on four fifths of the reviews, makes suites of the rest with `typing` at six severities and
several seeds, and evaluates. All files are in the work folder; those that exist are not made again.
"""

from __future__ import annotations

import statistics
import sys
from contextlib import ExitStack
from pathlib import Path

import mondegreen as mg
from mondegreen.draw import key_of
from mondegreen.models.reference import train
from mondegreen.report.plot import curve_svg
from mondegreen.runs import Run
from mondegreen.runs.results import curves

PAGES = Path(__file__).resolve().parents[1] / "docs" / "results"
SEVERITIES = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
SEEDS = range(5)
_PARTS = 5
_RATE = "intent_accuracy"


def split(source: Path, work: Path) -> None:
    """Write training and test data; the text of a review decides which it belongs to."""
    reviews = list(mg.read(source))
    held_out = [key_of(b"severity", review) % _PARTS == 0 for review in reviews]
    for name, wanted in (("train", False), ("test", True)):
        part = [review for review, out in zip(reviews, held_out, strict=True) if out == wanted]
        mg.write(part, work / f"{name}.jsonl", force=True)


def evaluated(source: Path, work: Path) -> list[Run]:
    """Split the data, train, make a suite per seed, and return the runs."""
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "test.jsonl").exists():
        split(source, work)
    if not (work / "linear").exists():
        train("linear", list(mg.read(work / "train.jsonl")), work / "linear")
    runs = []
    for seed in SEEDS:
        folder = work / f"suite-{seed}"
        if not folder.exists():
            data = work / "test.jsonl"
            mg.suite(data, folder, "typing", random=0, severities=SEVERITIES, seed=seed)
        runs.append(mg.evaluate(folder, work / "linear", work / f"linear-{seed}.run"))
    return runs


def table(runs: list[Run], work: Path) -> str:
    """Return the curves as a Markdown table: the mean over seeds, and the range."""
    rows = ["| severity | words changed | accuracy | range over seeds |", "|---|---|---|---|"]
    for points in zip(*(next(iter(curves(run, _RATE).values())) for run in runs), strict=True):
        values = [point.estimate.value or 0.0 for point in points]
        severity = points[0].severity
        span = f"{min(values):.3f} to {max(values):.3f}"
        share = changed(work, severity)
        rows.append(f"| {severity:g} | {share} | {statistics.fmean(values):.3f} | {span} |")
    return "\n".join(rows)


def changed(work: Path, severity: float) -> str:
    """Return the share of the words that are changed at a severity, with the first seed."""
    if not severity:
        return "0 %"
    suite = mg.open_suite(work / f"suite-{SEEDS[0]}")
    edits = sum(len(case.edits) for case in suite.cases(suite[f"severity-{severity:g}/typing"]))
    words = sum(len(case.utterance.tokens) for case in suite.cases(suite["original"]))
    return f"{100 * edits / words:.1f} %"


def main() -> None:
    """Print the table, and write the plot of the first seed to the folder of the page."""
    work = Path(sys.argv[2] if len(sys.argv) > 2 else "build/severity")  # noqa: PLR2004 (optional)
    with ExitStack() as stack:
        runs = [stack.enter_context(run) for run in evaluated(Path(sys.argv[1]), work)]
        print(f"{runs[0].set('original').n} reviews; {runs[0].signature}\n\n{table(runs, work)}")
        (PAGES / "severity.svg").write_text(curve_svg(runs[0], _RATE), encoding="utf-8")


if __name__ == "__main__":
    main()
