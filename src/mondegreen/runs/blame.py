"""Blame: at which stage of a chain were requests lost? See docs/design/0038-blame.md."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mondegreen.errors import DataError, renamed
from mondegreen.metrics.statistics.intervals import paired_shares
from mondegreen.metrics.statistics.resampling import Interval
from mondegreen.runs.chain import (
    ChainGold,
    StageAnswer,
    is_run,
    read_gold,
    read_stage,
    right_in_run,
)

RIGHT, WRONG = "right", "wrong"
INTENT, FRAME = "intent", "frame"
_FEWEST = 2


@dataclass(frozen=True)
class Stage:
    """One stage: how many utterances are right after it, and how many it lost and regained.

    ``loss`` is the accuracy that the stage cost; the first stage is where the chain begins.
    """

    name: str
    n: int
    right: int
    lost: int
    regained: int
    interval: Interval | None

    @property
    def accuracy(self) -> float:
        """The share of utterances that are right after the stage."""
        return self.right / self.n

    @property
    def loss(self) -> float:
        """The accuracy that the stage cost: what it lost, less what it regained."""
        return (self.lost - self.regained) / self.n


@dataclass(frozen=True)
class Blame:
    """The loss of a chain, by stages.

    ``fates`` counts utterances by whether they are right after each stage, so that what one stage
    loses and a later one regains is visible. ``lost`` maps each stage to the ids that it lost,
    ``texts`` has their words, where stages are predictions.
    """

    measure: str
    stages: tuple[Stage, ...]
    fates: tuple[tuple[tuple[bool, ...], int], ...]
    lost: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The accuracy at the first stage, less that at the last; the sum of all losses."""
        return (self.stages[0].right - self.stages[-1].right) / self.stages[0].n

    def record(self) -> dict[str, object]:
        """Return everything as plain values."""
        return {
            "measure": self.measure,
            "n": self.stages[0].n,
            "total": self.total,
            "stages": [
                {
                    "name": stage.name,
                    "accuracy": stage.accuracy,
                    "loss": stage.loss,
                    "low": stage.interval.low if stage.interval else None,
                    "high": stage.interval.high if stage.interval else None,
                    "lost": stage.lost,
                    "regained": stage.regained,
                    "lost_ids": list(self.lost[stage.name]),
                }
                for stage in self.stages
            ],
            "fates": [
                {"after": [RIGHT if one else WRONG for one in fate], "n": count}
                for fate, count in self.fates
            ],
        }


@renamed(ref="refs")
def blame(
    stages: Mapping[str, Path | str],
    refs: Path | str | None = None,
    *,
    format: str | None = None,
    map: str = "",
    measure: str | None = None,
) -> Blame:
    """Say at which stage requests were lost.

    Args:
        stages: the stages in order, each with its predictions (any labelled format, or SLURP's),
            or with a run; ``RUN#SET`` names another set than the original.
        refs: the gold labels; runs do not need them.
        format: the format of the gold labels.
        map: the columns of the gold labels that have other names, such as ``label=Intent``.
        measure: ``intent``, or ``frame`` for intent and slots; by default frames where all stages
            have slots. Runs have their own measure.

    Raises:
        DataError: if there are fewer than two stages, or if they are not of the same utterances.
    """
    if len(stages) < _FEWEST:
        raise DataError("give two stages or more, in order: --stage written=A --stage heard=B")
    paths = {name: Path(path) for name, path in stages.items()}
    if any(is_run(path) for path in paths.values()):
        return _of_runs(paths)
    if refs is None:
        raise DataError("predictions need the gold labels to be compared with: --ref GOLD")
    gold = read_gold(Path(refs), format, map)
    answers = {name: read_stage(path, gold) for name, path in paths.items()}
    for name, found in answers.items():
        missing = len(gold.answers) - len({one.of or id for id, one in found.items()})
        if missing:
            warnings.warn(
                f"stage {name!r}: {missing:,} of {len(gold.answers):,} utterances have no "
                "prediction and are left out",
                stacklevel=2,
            )
    return _of_answers(answers, gold, measure)


def _of_runs(stages: Mapping[str, Path]) -> Blame:
    tables = {name: right_in_run(path) for name, path in stages.items()}
    return of_tables(tables, "end-to-end")


def _of_answers(
    stages: Mapping[str, Mapping[str, StageAnswer]], gold: ChainGold, measure: str | None
) -> Blame:
    """Compare frames where all sides have slots, otherwise intents."""
    rows = [next(iter(answers.values()), None) for answers in stages.values()]
    both = all(row is not None and row.slots is not None for row in rows)
    has_slots = any(answer.slots for answer in gold.answers.values())
    measure = measure or (FRAME if both and has_slots else INTENT)

    def is_right(id: str, answer: StageAnswer) -> bool:
        wanted = gold.answers[id]
        return answer.label == wanted.label and (measure == INTENT or answer.slots == wanted.slots)

    finest = max(stages.values(), key=len)  # recordings, where a stage has several per utterance
    tables = {
        name: {
            id: is_right(one.of or id, answers[id] if id in answers else answers[one.of])
            for id, one in finest.items()
            if id in answers or one.of in answers
        }
        for name, answers in stages.items()
    }
    found = of_tables(tables, measure)
    lost = {id for ids in found.lost.values() for id in ids}
    return replace(found, texts={id: gold.texts[finest[id].of or id] for id in lost})


def of_tables(tables: Mapping[str, Mapping[str, bool]], measure: str = FRAME) -> Blame:
    """Decompose the loss, given which utterances are right after each stage.

    >>> found = of_tables({"written": {"a": True, "b": True}, "heard": {"a": True, "b": False}})
    >>> found.total, [stage.loss for stage in found.stages]
    (0.5, [0.0, 0.5])

    Raises:
        DataError: if the stages are not of the same utterances, or have none.
    """
    first = next(iter(tables.values()))
    for name, table in tables.items():
        if table.keys() != first.keys():
            odd = sorted(table.keys() ^ first.keys())
            raise DataError(
                f"stage {name!r} and the first stage are not of the same utterances: {len(odd):,} "
                f"are in only one of them (such as {odd[0]!r})"
            )
    if not first:
        raise DataError("the stages have no utterances")
    ids = list(first)
    rights = np.array([[table[id] for id in ids] for table in tables.values()])
    before = np.vstack([rights[:1], rights[:-1]])
    stages, lost = [], {}
    for name, was, now in zip(tables, before, rights, strict=True):
        stages.append(
            Stage(
                name,
                len(ids),
                int(now.sum()),
                int((was & ~now).sum()),
                int((~was & now).sum()),
                _interval(was, now),
            )
        )
        lost[name] = tuple(ids[i] for i in np.flatnonzero(was & ~now))
    fates = Counter(map(tuple, rights.T.tolist()))
    return Blame(measure, tuple(stages), _ranked(fates), lost)


def _interval(was: NDArray[np.bool_], now: NDArray[np.bool_]) -> Interval:
    """Return the interval of the share that a stage loses."""
    return paired_shares(int((~was & now).sum()), int((was & ~now).sum()), len(was))


def _ranked(
    fates: Counter[tuple[bool, ...]],
) -> tuple[tuple[tuple[bool, ...], int], ...]:
    return tuple(sorted(fates.items(), key=lambda item: (-item[1], item[0])))


def parse_stages(texts: Sequence[str]) -> dict[str, Path]:
    """Read stages written as ``name=path``.

    Raises:
        DataError: if a stage has no name, or if two have the same.
    """
    stages: dict[str, Path] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise DataError(f"{text!r} is not a stage; write NAME=FILE, such as heard=asr.jsonl")
        if name in stages:
            raise DataError(f"two stages are named {name!r}; give each its own name")
        stages[name] = Path(path)
    return stages
