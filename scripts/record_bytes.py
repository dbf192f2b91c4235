"""Record the hashes of the output of every operator, of suites and of augmentation.

    python scripts/record_bytes.py            # writes tests/bytes.json

The same seeds must give the same bytes in every release. If the edits of an operator change on
purpose, the operator gets a new version (``Operator.version``) and a line in the changelog.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import mondegreen as mg
from mondegreen.data.formats.jsonl import json_line
from mondegreen.data.sample import sample
from mondegreen.operators import OPERATORS

FILE = Path(__file__).resolve().parents[1] / "tests" / "bytes.json"
SIGNATURES = (
    *OPERATORS.own,
    "fillers(punctuate=True)",
    "fillers(language='zh')",
    "keyboard(layout='qwertz')",
    "speako(spread=3)",
    "contextual(insert=True)",
    "synonyms.any(source='mlm')",
)
AMOUNTS = {
    "default": {},
    "once": {"once": True},
    "rate": {"rate": 0.5},
    "chance": {"chance": 0.3},
    "severity": {"severity": 0.5},
    "default+variants": {"variants": 3},
    "default+protect": {"protect_slots": True},
}


def sha_of(items: Iterable[mg.Variant]) -> str:
    """Return the hash of variants as JSON lines."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(json_line(item).encode() + b"\n")
    return digest.hexdigest()


def record(signatures: Iterable[str] = SIGNATURES) -> Iterator[tuple[str, str]]:
    """Yield the name and the hash of each output on the sample data."""
    data = list(sample())
    for name in signatures:
        for amount, settings in AMOUNTS.items():
            yield f"{name}|{amount}", sha_of(mg.perturb(data, name, seed=11, **settings))  # type: ignore[arg-type]  # settings by name
    mixed = mg.perturb(data, ["fillers", "typing", "speako"], seed=3, mix=True, variants=2)
    yield "mix", sha_of(mixed)
    yield "skip", sha_of(mg.perturb(data, "antonym", seed=3, skip_unchangeable=True))
    yield "augment", sha_of(mg.augment(data, "augment", seed=3, times=2))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "data.jsonl"
        mg.write(data, source)
        suite = mg.suite(source, Path(folder) / "suite", random=3, severities=[0.2, 0.5], seed=5)
        for entry in suite.manifest.sets:
            yield f"suite {entry.name}", entry.file.sha256


def main() -> None:
    """Write the hashes as JSON."""
    FILE.write_text(json.dumps(dict(record()), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
