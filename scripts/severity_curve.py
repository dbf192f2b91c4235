"""The severity curve of docs/results/severity.md: a linear classifier on mistyped movie reviews.

    python scripts/severity_curve.py movie_reviews.jsonl [WORK_FOLDER]

Trains on four fifths of the reviews, makes a suite of the rest with `typing` at six severities, and
evaluates. All files are in the work folder; those that exist are not made again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mondegreen as mg
from mondegreen.draw import key_of
from mondegreen.models.reference import train
from mondegreen.report.plot import curve_svg
from mondegreen.runs import Run
from mondegreen.runs.results import curves

PAGES = Path(__file__).resolve().parents[1] / "docs" / "results"
SEVERITIES = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
_PARTS = 5
_RATE = "intent_accuracy"


def split(source: Path, work: Path) -> None:
    """Write training and test data; the text of a review decides which it belongs to."""
    reviews = list(mg.read(source))
    held_out = [key_of(b"severity", review) % _PARTS == 0 for review in reviews]
    for name, wanted in (("train", False), ("test", True)):
        part = [review for review, out in zip(reviews, held_out, strict=True) if out == wanted]
        mg.write(part, work / f"{name}.jsonl", force=True)


def evaluated(source: Path, work: Path) -> Run:
    """Split the data, train, make the suite, and return the run."""
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "test.jsonl").exists():
        split(source, work)
    if not (work / "linear").exists():
        train("linear", list(mg.read(work / "train.jsonl")), work / "linear")
    if not (work / "suite").exists():
        mg.suite(work / "test.jsonl", work / "suite", "typing", random=0, severities=SEVERITIES)
    return mg.evaluate(work / "suite", work / "linear", work / "linear.run")


def table(run: Run) -> str:
    """Return the curve as a Markdown table."""
    (points,) = curves(run, _RATE).values()
    rows = ["| severity | accuracy | 95 % interval |", "|---|---|---|"]
    for severity, rate in points:
        value, low, high = rate.value, rate.low, rate.high
        rows.append(f"| {severity:g} | {value or 0:.3f} | {low or 0:.3f} to {high or 0:.3f} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table, and write the plot to the folder of the page."""
    work = Path(sys.argv[2] if len(sys.argv) > 2 else "build/severity")  # noqa: PLR2004 (optional)
    with evaluated(Path(sys.argv[1]), work) as run:
        print(f"{run.set('original').n} reviews; {run.signature}\n\n{table(run)}")
        (PAGES / "severity.svg").write_text(curve_svg(run, _RATE), encoding="utf-8")


if __name__ == "__main__":
    main()
