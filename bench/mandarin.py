"""Simulated errors of Mandarin recognisers beside real ones, on references kept apart.

    python bench/mandarin.py ../shared/data/mandarin/odsqa.tsv ../shared/data/mandarin/aishell3.tsv

Each table (id, said, recognised) is divided into folds by reference; each fold is simulated by a
profile of the others, at the real character error rate of the fold.
"""

from __future__ import annotations

import sys
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

import mondegreen as mg
from mondegreen.language.simulation.ears import ear_of
from mondegreen.language.sounds.tongues import pinyin
from mondegreen.metrics.realism import realism
from mondegreen.operators import parse_all

FOLDS = 5
SEED = 7


class Said(NamedTuple):
    """What was said, what a recogniser made of it, and what was simulated."""

    ref: str
    real: str
    made: str = ""


class Measured(NamedTuple):
    """Realism and the error rates of simulated texts, and the shares of kept syllables."""

    auc: float
    judged: int
    real_rate: float
    made_rate: float
    real_same: float
    made_same: float


def pairs_of(path: Path) -> list[Said]:
    """Read a table of pairs."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [Said(ref, real) for _, ref, real in rows]


def fold_of(ref: str) -> int:
    """Return the fold of a reference."""
    return blake2b(ref.encode(), digest_size=2).digest()[1] % FOLDS


def simulated(pairs: list[Said], fold: int) -> list[Said]:
    """Simulate one fold of pairs by a profile of the others."""
    known = [one for one in pairs if fold_of(one.ref) != fold]
    new = [one for one in pairs if fold_of(one.ref) == fold]
    rate = _rate([(one.ref, one.real) for one in new])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "zh.json.gz"
        refs, hyps = [one.ref for one in known], [one.real for one in known]
        mg.fit_recogniser(refs, hyps, language="zh").save(path)
        operators = parse_all(f"recogniser(profile={str(path)!r}, wer={rate:.4f})")
        data = [mg.Utterance.of(str(i), one.ref) for i, one in enumerate(new)]
        made = mg.perturb(data, operators, seed=SEED, language="zh")
        texts = [variant.utterance.text for variant in made]
    return [one._replace(made=text) for one, text in zip(new, texts, strict=True)]


def measured(found: list[Said]) -> Measured:
    """Compare simulated with real errors."""
    judged = realism(*map(list, zip(*found, strict=True)))
    real, made = ([(one.ref, getattr(one, side)) for one in found] for side in ("real", "made"))
    return Measured(judged.auc, judged.n, _rate(real), _rate(made), _same(real), _same(made))


def _rate(pairs: list[tuple[str, str]]) -> float:
    words = ear_of("zh").words
    both = [(words(ref), words(hyp)) for ref, hyp in pairs]
    return sum(Levenshtein.distance(*one) for one in both) / sum(len(ref) for ref, _ in both)


def _same(pairs: list[tuple[str, str]]) -> float:
    """Return the share of exchanged characters that keep the syllable, whatever its tone."""
    words = ear_of("zh").words
    kept = []
    for ref, hyp in pairs:
        said, heard = words(ref), words(hyp)
        for step in Levenshtein.editops(said, heard):
            if step.tag == "replace":
                one, other = _toneless(said[step.src_pos]), _toneless(heard[step.dest_pos])
                kept.append(bool(one) and one == other)
    return sum(kept) / max(1, len(kept))


def _toneless(word: str) -> list[str]:
    return [syllable.rstrip("12345") for syllable in pinyin(word)]


def main(paths: list[str]) -> None:
    """Print a row of a Markdown table for each file of pairs."""
    print(
        "| pairs | AUC | utterances judged | rate, real | simulated | same syllable | simulated |"
    )
    print("|---|---|---|---|---|---|---|")
    for path in map(Path, paths):
        pairs = pairs_of(path)
        found = measured([one for fold in range(FOLDS) for one in simulated(pairs, fold)])
        shares = " | ".join(f"{100 * share:.1f}" for share in found[2:])
        print(f"| {path.name} | {found.auc:.3f} | {found.judged:,} | {shares} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
