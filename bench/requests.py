"""Disfluent requests: can a classifier tell ours from those of people?

    python bench/requests.py ../shared/data ../shared/tools/realism_pairs.py

For each language, five profiles are fitted to the pairs of four fifths of the fluent texts, and
make the requests of the fifth; the judge then compares them with what people said. 0.5 is perfect.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import mondegreen as mg
from mondegreen.language.disfluency.profile import profile_languages, profile_of_pairs

FOLDS = 5
SEED = 3


def fold_of(fluent: str) -> int:
    """Return the fold of a fluent text."""
    return int(hashlib.md5(fluent.lower().encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def made(rows: list[list[str]], language: str, folder: Path) -> Path:
    """Write requests made by profiles that have not seen their texts; return the file."""
    target = folder / f"{language}.tsv"
    with target.open("w", encoding="utf-8") as file:
        for fold in range(FOLDS):
            profile = folder / f"{language}.{fold}.json"
            seen = [(row[1], row[2]) for row in rows if fold_of(row[1]) != fold]
            profile_of_pairs(seen, language).save(profile)
            data = [mg.Utterance.of(row[0], row[1]) for row in rows if fold_of(row[1]) == fold]
            op = f"disfluencies(profile={str(profile)!r}, language={language})"
            for variant in mg.perturb(data, op, seed=SEED, language=language):
                texts = (variant.parent.text, variant.utterance.text)
                file.write("\t".join((variant.parent.id, *texts)) + "\n")
    return target


def main(data: Path, judge: Path) -> None:
    """Print a Markdown table."""
    print("| language | pairs | AUC |\n|---|---|---|")
    for language in sys.argv[3:] or sorted(profile_languages("assistant")):
        source = data / "disco" / f"{language}.tsv"
        lines = source.read_text(encoding="utf-8").splitlines()
        rows = [row for row in (line.split("\t") for line in lines) if row[1].strip()]
        with TemporaryDirectory() as folder:
            target = made(rows, language, Path(folder))
            command = [sys.executable, str(judge), str(source), str(target)]
            found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        print(f"| {language} | {found['n']:,} | {found['auc']:.3f} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
