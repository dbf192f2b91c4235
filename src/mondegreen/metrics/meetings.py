"""Meetings: word error rates over several speakers, counted by meeteval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from mondegreen import __version__
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError, MissingExtraError, renamed, unknown
from mondegreen.metrics.metric import Files, Metric, Part, Rate, References, setting
from mondegreen.metrics.scores.score import Score, with_totals

COLUMNS = ("words", "substitutions", "deletions", "insertions", "wrong", "utterances")
WAYS = {
    "cp": "cpwer",
    "orc": "orcwer",
    "tcp": "tcpwer",
    "tcorc": "tcorcwer",
}
"""The error rates that meeteval counts: permutations of speakers (cp) or optimal assignment of
utterances (orc), without or with times (tc)."""


@renamed(ref="refs", hyp="hyps")
def meetings(refs: Any, hyps: Any, *, way: str = "cp", collar: float = 5.0) -> Score:
    """Score transcripts of meetings, one row per session.

    Args:
        refs: the segments of the references: a path (SegLST, STM), or a list of segments with
            ``session_id``, ``speaker``, ``words`` and, for rates with times, ``start_time`` and
            ``end_time``.
        hyps: the segments of the hypotheses, in the same form.
        way: ``cp`` (concatenated minimum-permutation), ``orc`` (optimal reference combination),
            ``tcp`` and ``tcorc`` (the same with times).
        collar: how many seconds times may differ, for rates with times.

    Raises:
        MissingExtraError: if meeteval is not installed.
        DataError: if meeteval refuses the input.
    """
    if way not in WAYS:
        raise DataError(unknown("way to score meetings", way, WAYS))
    found = _counted(refs, hyps, way, collar)
    rows = [
        (one.length, one.substitutions, one.deletions, one.insertions) for one in found.values()
    ]
    timed = f"|collar:{collar:g}" if way.startswith("tc") else ""
    return Score(
        MEETINGS,
        f"mondegreen|meetings|way:{way}{timed}|meeteval:{_version()}|v:{__version__}",
        with_totals(np.array(rows, np.int64).reshape(-1, 4), [0, 1, 1, 1]),
        tuple(found),
    )


def _counted(ref: Any, hyp: Any, way: str, collar: float) -> Mapping[str, Any]:
    try:
        import meeteval
    except ImportError:
        raise MissingExtraError.of("meetings", "Scores of meetings") from None
    from_file = isinstance(ref, Path)  # meeteval reads times as decimals
    seconds = Decimal(str(collar)) if from_file else collar
    options = {"collar": seconds} if way.startswith("tc") else {}
    sides = [
        str(side) if isinstance(side, Path) else meeteval.io.asseglst(side) for side in (ref, hyp)
    ]
    try:
        return dict(getattr(meeteval.wer, WAYS[way])(*sides, **options))
    except Exception as error:  # noqa: BLE001 (its errors have no common type)
        raise DataError(f"meeteval refuses the segments: {error}") from None


def _version() -> str:
    from importlib.metadata import version

    return version("meeteval")


@dataclass(frozen=True)
class Settings:
    """What changes the numbers."""

    way: str = setting(
        default="cp",
        help="Which word error rate: cp (speakers permuted), orc (utterances assigned), tcp and "
        "tcorc (the same, with times).",
        metavar="cp|orc|tcp|tcorc",
    )
    collar: float = setting(
        default=5.0, help="Seconds by which times may differ, with tcp and tcorc."
    )


def _errors(sums: Mapping[str, Any]) -> Any:
    return sums["substitutions"] + sums["deletions"] + sums["insertions"]


class Meetings(Metric):
    """Word error rates over several speakers."""

    name = "meetings"
    summary = "Word error rate of meetings with several speakers, by meeteval (cpWER, ORC, tcpWER)."
    help = """Score transcripts of meetings, whose speakers have other names on both sides, with
    meeteval: SegLST (.json) or STM files with segments of sessions and speakers.

    Needs the extra meetings."""
    examples = ("meetings --ref ref.json --hyp hyp.json --way tcp --collar 5",)
    columns = COLUMNS
    rates = (Rate("wer", lambda s: (_errors(s), s["words"]), lower_is_better=True),)
    main = ("wer",)
    settings = Settings
    both = ""

    def pairs(self, files: Files, settings: Settings) -> Iterator[Part]:  # noqa: ARG002
        """Yield the files, which meeteval reads."""
        file = Transcripts(files.ref.path, has_ids=True, ids=[], texts=[])
        hyps = tuple([one.path] for one in files.hyps)
        yield Part(References(file, [files.ref.path]), hyps)

    def score(self, refs: References, hyps: Sequence[Any], settings: Settings) -> Score:
        """Score the segments of sessions."""
        return meetings(refs.items[0], hyps[0], way=settings.way, collar=settings.collar)


MEETINGS = Meetings()
