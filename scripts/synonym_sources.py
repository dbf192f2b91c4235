"""End-to-end accuracy of ``crf`` on synonyms from both sources, on ATIS and SNIPS.

    python scripts/synonym_sources.py ../shared/data/slu

The results for ``source=mlm`` are in docs/results/nature.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from mondegreen.data import read
from mondegreen.metrics.slu.metric import slu
from mondegreen.models.protocol import Model
from mondegreen.models.reference import train
from mondegreen.types import Utterance
from mondegreen.variants import perturb

KINDS = ("verb", "adjective", "adverb", "any", "stopword")
SOURCES = ("thesaurus", "mlm")


def accuracy(model: Model, data: list[Utterance]) -> str:
    """Return the end-to-end accuracy in per cent."""
    return f"{100 * (slu(data, model.predict(data))['e2e_accuracy'].value or 0):.1f}"


def main(data: Path) -> None:
    """Print a Markdown table."""
    print(f"| data | operator | {' | '.join(SOURCES)} |\n|---|---|---|---|")
    for name in ("atis", "snips"):
        test = list(read(data / name / "test"))
        with TemporaryDirectory() as folder:
            model = train("crf", list(read(data / name / "train")), Path(folder) / "crf")
            print(f"| {name} | none | {accuracy(model, test)} | {accuracy(model, test)} |")
            for kind in KINDS:
                cells = []
                for source in SOURCES:
                    variants = perturb(test, f"synonyms.{kind}(source={source})", seed=0)
                    cells.append(accuracy(model, [variant.utterance for variant in variants]))
                print(f"| {name} | synonyms.{kind} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
