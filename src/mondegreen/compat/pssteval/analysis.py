"""The analysis of pssteval: error rates, and every step of every utterance, as its JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mondegreen.align import DELETION, INSERTION
from mondegreen.data.files.output import whole_file
from mondegreen.metrics.phonemes import PhonemeDetail, trace
from mondegreen.metrics.scores.score import Score

_ACTIONS = ("EQ", "SUB", "DEL", "INS")


@dataclass(frozen=True)
class ErrorAnalysisDict:
    """What pssteval returns and saves.

    ``items`` has, per utterance, its ``features`` and ``phonemes``: each with ``distance``,
    ``error_rate``, ``expected_length`` and ``steps``.
    """

    per: float | None
    fer: float | None
    items: dict[str, dict[str, Any]]

    def save(self, filename: Path | str) -> None:
        """Write the analysis file; its folder is made."""
        path = Path(filename)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, force=True) as file:
            file.write(json.dumps(asdict(self), indent=4).encode())


def analysis_of(score: Score) -> ErrorAnalysisDict:
    """Return a score of phonemes as pssteval's analysis; utterances are sorted by their ids."""
    items = {}
    detail: PhonemeDetail = score.detail
    for item, row in enumerate(trace(score)):
        phonemes = len(detail.system.read(detail.refs[item]))
        features = phonemes * len(detail.system.features)
        items[row["id"]] = {
            "features": _errors(row["feature_errors"], features, map(_feature_step, row["steps"])),
            "phonemes": _errors(row["phoneme_errors"], phonemes, _phoneme_steps(detail, item)),
        }
    return ErrorAnalysisDict(
        score["phoneme_error_rate"].value,
        score["feature_error_rate"].value,
        dict(sorted(items.items())),
    )


def _errors(distance: float, length: int, steps: Iterator[dict[str, Any]]) -> dict[str, Any]:
    rate = distance / length if length else None
    return {
        "distance": distance,
        "error_rate": rate,
        "expected_length": length,
        "steps": list(steps),
    }


def _feature_step(step: dict[str, Any]) -> dict[str, Any]:
    changes = step["features"]
    return {
        "action": step["action"],
        "expected": step["from"],
        "actual": step["to"],
        "cost": float(sum(change["cost"] for change in changes)),
        "deltas": [
            {
                "left": _value(change["from"], change["name"]),
                "right": _value(change["to"], change["name"]),
                "cost": change["cost"],
            }
            for change in changes
        ],
    }


def _value(value: str, name: str) -> str:
    return f"{value}{name}" if value else ""


def _phoneme_steps(detail: PhonemeDetail, item: int) -> Iterator[dict[str, Any]]:
    ref, hyp = (iter(detail.system.read(side[item])) for side in (detail.refs, detail.hyps))
    for step in detail.of(item).tolist():
        yield {
            "action": _ACTIONS[step],
            "expected": None if step == INSERTION else next(ref),
            "actual": None if step == DELETION else next(hyp),
            "cost": float(step != 0),
        }
