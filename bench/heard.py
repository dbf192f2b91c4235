"""Does the drop of a model on simulated recognition predict the drop on real recognition?

    python bench/heard.py [SHARED]
    python bench/heard.py --texts texts.json                    # makes the texts, and keeps them
    python bench/heard.py --texts texts.json --model bi-rnn     # also on another machine

Each model is trained on text as written, without the sentences it is tested on. The tests are what
a recogniser made of SLURP's recordings and, by Moonshine, of synthetic voices reading ATIS, SNIPS
and NLU-ED. The simulator's profile is fitted to the pairs of other sentences (five folds), and
all simulated texts have the word error rate of the real ones.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import msgspec

import mondegreen as mg
from mondegreen.language.simulation.fitting import fit_recogniser
from mondegreen.language.simulation.units import words_of
from mondegreen.models.reference import train
from mondegreen.operators import Operator
from mondegreen.operators.recogniser import Recogniser
from mondegreen.types import Utterance

SHARED = Path(__file__).resolve().parents[2] / "shared"
SETS = ("atis", "snips", "nlued")
MODELS: dict[str, dict[str, Any]] = {
    "crf": {},
    "bi-rnn": {"batch": 64, "epochs": 20, "rate": 2e-3, "device": "auto"},
}
FOLDS = 5
DRAWS = 5  # of the simulator
STEPS = 7  # to find the amount of an operator that gives a word error rate

Texts = list[str]
Draws = tuple[str, ...]
Made = TypeVar("Made")


class Case(NamedTuple):
    """A sentence, what was heard, and its intent."""

    ref: str
    hyp: str
    label: str


def plain(text: str) -> str:
    """Return a text as the models are trained on it: lower case, no punctuation."""
    return " ".join(words_of(text))


def slurp(shared: Path) -> list[Case]:
    """Return the recordings of SLURP's test set."""
    lines = (shared / "data/slurp/test.jsonl").read_text("utf-8").splitlines()
    labels = {f"slurp-{row['slurp_id']}": row["intent"] for row in map(json.loads, lines)}
    return [
        Case(plain(row["ref"]), plain(row["hyp"]), labels[row["spoken"]])
        for row in table(shared / "data/heard/slurp.tsv")
        if row["spoken"] in labels
    ]


def moonshine(shared: Path, name: str) -> list[Case]:
    """Return what Moonshine heard of one data set."""
    labels = {
        plain(one.text): one.label or "" for one in mg.read(shared / "data/slu" / name / "train")
    }
    return [
        Case(plain(row["ref"]), plain(row["hyp"]), labels[plain(row["ref"])])
        for row in table(shared / "data/heard/moonshine.tsv")
        if row["id"].startswith(f"{name}-train-")
    ]


def table(path: Path) -> list[dict[str, str]]:
    """Read a table with a header."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def training(shared: Path, name: str, cases: Sequence[Case]) -> list[Utterance]:
    """Return the training set with its labels, without the sentences of the test."""
    tested = {case.ref for case in cases}
    return [
        Utterance.of(one.id, text, (), one.label)
        for one in mg.read(shared / "data/slu" / name / "train")
        if (text := plain(one.text)) not in tested
    ]


def by_folds(
    refs: Sequence[Hashable], make: Callable[[list[int], list[int]], Sequence[Made]]
) -> list[Made]:
    """Make something of each fifth of the references, knowing the pairs of the others."""
    distinct = sorted(set(refs))  # type: ignore[type-var]
    random.Random(0).shuffle(distinct)
    fold = {ref: i % FOLDS for i, ref in enumerate(distinct)}
    made: dict[int, Made] = {}
    for one in range(FOLDS):
        some = [i for i, ref in enumerate(refs) if fold[ref] == one]
        others = [i for i, ref in enumerate(refs) if fold[ref] != one]
        made |= dict(zip(some, make(some, others), strict=True))
    return [made[i] for i in range(len(refs))]


def simulated(cases: Sequence[Case], new: list[int], known: list[int]) -> list[Draws]:
    """Return what the simulator makes of new cases, fitted to those that are known."""
    some, others = [cases[i] for i in new], [cases[i] for i in known]
    profile = fit_recogniser([c.ref for c in others], [c.hyp for c in others], begin_with="none")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "profile.json.gz"
        profile.save(path)
        operator = Recogniser(str(path), round(wer(some), 4)).for_texts([c.ref for c in some])
        level = operator.level or 0.0

        def drawn(draw: int) -> Texts:
            return matched(
                some,
                lambda level: perturbed(some, replace(operator, level=level), draw=draw),
                (level - 1, level + 1),
            )

        return list(zip(*map(drawn, range(DRAWS)), strict=True))


def perturbed(
    some: Sequence[Case], operator: str | Operator, *, chance: float | None = None, draw: int = 0
) -> Texts:
    """Return the texts of variants; a sentence that was said twice gets two of them."""
    refs = [case.ref for case in some]
    keyed = [mg.Utterance.of(str(i), text) for i, text in enumerate(refs)]
    times: dict[str, int] = {}
    by_seed: dict[int, list[int]] = {}
    for i, ref in enumerate(refs):
        times[ref] = times.get(ref, -1) + 1
        by_seed.setdefault(times[ref], []).append(i)
    texts = [""] * len(refs)
    for seed, places in by_seed.items():
        made = mg.perturb([keyed[i] for i in places], operator, seed=1000 * draw + seed,
                          language="en", protect_codes=False, chance=chance)  # fmt: skip
        for i, variant in zip(places, made, strict=True):
            texts[i] = plain(variant.utterance.text)
    return texts


def by_operator(cases: Sequence[Case], name: str) -> Texts:
    """Return the texts of an operator whose chance gives the word error rate of the real ones."""
    return matched(cases, lambda chance: perturbed(cases, name, chance=chance), (0.0, 1.0))


def matched(
    some: Sequence[Case], make: Callable[[float], Texts], between: tuple[float, float]
) -> Texts:
    """Return the texts of the amount that gives the word error rate of the real ones."""
    wanted, (low, high), made = wer(some), between, [case.ref for case in some]
    for _ in range(STEPS):
        amount = (low + high) / 2
        made = make(amount)
        rate = wer([c._replace(hyp=text) for c, text in zip(some, made, strict=True)])
        low, high = (amount, high) if rate < wanted else (low, amount)
    return made


def wer(cases: Sequence[Case]) -> float:
    """Return the word error rate of cases."""
    return mg.score.words([c.ref for c in cases], [c.hyp for c in cases])["wer"].value or 0.0


class Test(msgspec.Struct):
    """A test: the intents, the texts of each kind, and the training data (texts and intents)."""

    labels: list[str]
    texts: dict[str, Texts]
    train: list[tuple[str, str]]


def make_tests(shared: Path) -> dict[str, Test]:
    """Make the texts of all tests."""
    tests = {"slurp": (slurp(shared), "nlued")}
    tests |= {name: (moonshine(shared, name), name) for name in SETS}
    found = {}
    for test, (cases, trained_on) in tests.items():
        texts = {
            "as written": [c.ref for c in cases],
            "really heard": [c.hyp for c in cases],
        }
        draws = zip(*by_folds([c.ref for c in cases], partial(simulated, cases)), strict=True)
        texts |= {f"recogniser {i}": list(lines) for i, lines in enumerate(draws)}
        texts |= {name: by_operator(cases, name) for name in ("speako", "mondegreen")}
        data = [(one.text, one.label or "") for one in training(shared, trained_on, cases)]
        found[test] = Test([c.label for c in cases], texts, data)
    return found


def evaluate(name: str, test: Test, kind: str) -> None:
    """Train a model, and print a row for each kind of text."""
    data = [Utterance.of(str(i), one[0], (), one[1]) for i, one in enumerate(test.train)]
    with TemporaryDirectory() as folder:
        model = train(kind, data, Path(folder) / kind, **MODELS[kind])
        for what, lines in test.texts.items():
            batch = [Utterance.of(str(i), text or "a") for i, text in enumerate(lines)]
            answers = model.predict(batch)
            right = sum(a.label == label for a, label in zip(answers, test.labels, strict=True))
            rate = mg.score.words(test.texts["as written"], lines)["wer"].value
            print(
                f"{name:8} {kind:10} {what:13} n={len(lines):5,} wer {rate:6.2%} "
                f"accuracy {right / len(lines):6.2%}",
                flush=True,
            )


def main() -> None:
    """Print a row per test, model and kind of text."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", nargs="?", type=Path, default=SHARED)
    parser.add_argument(
        "--texts", type=Path, help="keep the texts in this file, or take them from it"
    )
    parser.add_argument("--model", choices=list(MODELS), default="crf")
    arguments = parser.parse_args()
    path = arguments.texts
    if path is not None and path.exists():
        tests = msgspec.json.decode(path.read_bytes(), type=dict[str, Test])
    else:
        tests = make_tests(arguments.shared)
        if path is not None:
            path.write_bytes(msgspec.json.encode(tests))
    for name, test in tests.items():
        evaluate(name, test, arguments.model)


if __name__ == "__main__":
    main()
