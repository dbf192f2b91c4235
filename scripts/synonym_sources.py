"""How hard synonyms of the two sources are for ``crf``: end-to-end accuracy on ATIS and SNIPS.

    python scripts/synonym_sources.py ../shared/data/slu

What docs/results/nature.md says of ``source=mlm``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from mondegreen.data import read
from mondegreen.metrics.slu import slu
from mondegreen.models.protocol import Model
from mondegreen.models.reference import train
from mondegreen.perturbation.engine import perturb
from mondegreen.types import Utterance

KINDS = ("verb", "adjective", "adverb", "any", "stopword")
SOURCES = ("thesaurus", "mlm")


def accuracy(model: Model, said: list[Utterance]) -> str:
    """Return the share of frames that are right, in per cent."""
    return f"{100 * (slu(said, model.predict(said))['e2e_accuracy'].value or 0):.1f}"


def main(data: Path) -> None:
    """Print a table."""
    print(f"| data | operator | {' | '.join(SOURCES)} |\n|---|---|---|---|")
    for name in ("atis", "snips"):
        said = list(read(data / name / "test"))
        with TemporaryDirectory() as folder:
            model = train("crf", list(read(data / name / "train")), Path(folder) / "crf")
            print(f"| {name} | none | {accuracy(model, said)} | {accuracy(model, said)} |")
            for kind in KINDS:
                cells = []
                for source in SOURCES:
                    heard = perturb(said, f"synonyms.{kind}(source={source})", seed=0)
                    cells.append(accuracy(model, [variant.utterance for variant in heard]))
                print(f"| {name} | synonyms.{kind} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
