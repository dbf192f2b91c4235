"""Meetings: word error rates over several speakers, counted by meeteval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from mondegreen import __version__
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError, renamed, unknown
from mondegreen.metrics.diarization import session_times
from mondegreen.metrics.meeting_segments import (
    Segment,
    meeteval,
    paired_sessions,
    segments_of,
    turns_of,
)
from mondegreen.metrics.metric import Files, Metric, Part, Ratio, References, setting
from mondegreen.metrics.scores.score import Score, with_totals

COLUMNS = ("words", "substitutions", "deletions", "insertions", "wrong", "utterances")
SPLIT_COLUMNS = ("recognition_errors", "attribution_errors")
"""Errors that stay if every utterance may be given to any speaker (ORC), and the others."""
DER_COLUMNS = ("speech", "missed", "false_alarm", "confused", "wrong", "utterances")
"""Times of a session, in millionths of a second."""
_SPLIT = {"cp": "orc", "tcp": "tcorc"}
WAYS = {
    "cp": "cpwer",
    "orc": "orcwer",
    "tcp": "tcpwer",
    "tcorc": "tcorcwer",
}
"""The error rates that meeteval counts: permutations of speakers (cp) or optimal assignment of
utterances (orc), without or with times (tc)."""


@renamed(ref="refs", hyp="hyps")
def meetings(
    refs: Any,
    hyps: Any,
    *,
    way: str = "cp",
    collar: float = 5.0,
    der: bool = False,
    split: bool = False,
    missing: str = "error",
) -> Score:
    """Score transcripts of meetings, one row per session.

    Args:
        refs: the segments of the references: a path (SegLST, STM, RTTM), or a list of segments with
            ``session_id``, ``speaker``, ``words`` and, for rates with times, ``start_time`` and
            ``end_time``.
        hyps: the segments of the hypotheses, in the same form.
        way: ``cp`` (concatenated minimum-permutation), ``orc`` (optimal reference combination),
            ``tcp`` and ``tcorc`` (the same with times).
        collar: how many seconds times may differ, for rates with times.
        der: score who spoke when instead of words: the diarization error rate, from segments with
            times. Needs no other package.
        split: also divide the errors of cp or tcp into those of recognition, which stay if every
            utterance may be given to any speaker (orc, tcorc), and those of attribution.
        missing: what to do about sessions that one side lacks: ``error``, ``skip``, or ``empty``,
            which takes them as silence.

    Raises:
        MissingExtraError: if meeteval is not installed.
        DataError: if meeteval refuses the input, or if a session is missing.
    """
    if way not in WAYS:
        raise DataError(unknown("way to score meetings", way, WAYS))
    if split and (way not in _SPLIT or der):
        raise DataError(f"only the errors of {' and '.join(_SPLIT)} can be split")
    sides = paired_sessions(segments_of(refs), segments_of(hyps), missing)
    if der:
        return _der(*sides)
    found = _counted(*sides, way, collar)
    rows = [
        (one.length, one.substitutions, one.deletions, one.insertions) for one in found.values()
    ]
    more = None
    if split:
        least = _counted(*sides, _SPLIT[way], collar)
        parts = [(least[id].errors, one.errors - least[id].errors) for id, one in found.items()]
        more = np.array(parts, np.int64).reshape(-1, 2)
    timed = f"|collar:{collar:g}" if way.startswith("tc") else ""
    return Score(
        MEETINGS,
        f"mondegreen|meetings|way:{way}{timed}|meeteval:{_version()}|v:{__version__}",
        with_totals(np.array(rows, np.int64).reshape(-1, 4), [0, 1, 1, 1], more),
        tuple(found),
        columns=(*COLUMNS[:4], *(SPLIT_COLUMNS if split else ()), *COLUMNS[4:]),
    )


def _der(refs: list[Segment], hyps: list[Segment]) -> Score:
    """Score who spoke when, one row per session."""
    ids = list(dict.fromkeys(str(one["session_id"]) for one in (*refs, *hyps)))
    said, heard = turns_of(refs), turns_of(hyps)
    rows = [session_times(said.get(id, []), heard.get(id, [])) for id in ids]
    return Score(
        MEETINGS,
        f"mondegreen|meetings|der|collar:0|overlap:scored|v:{__version__}",
        with_totals(np.array(rows, np.int64).reshape(-1, 4), [0, 1, 1, 1]),
        tuple(ids),
        columns=DER_COLUMNS,
    )


def _counted(
    refs: list[Segment], hyps: list[Segment], way: str, collar: float
) -> Mapping[str, Any]:
    package = meeteval()
    lacking = next((one for one in (*refs, *hyps) if "words" not in one), None)
    if lacking is not None:
        raise DataError(
            f"a segment of session {lacking['session_id']!r} has no words; RTTM is for --der"
        )
    decimal = any(isinstance(one.get("start_time"), Decimal) for one in refs)  # of an STM file
    options = {"collar": Decimal(str(collar)) if decimal else collar}
    try:
        sides = [package.io.asseglst(side) for side in (refs, hyps)]
        timed = options if way.startswith("tc") else {}
        return dict(getattr(package.wer, WAYS[way])(*sides, **timed))
    except Exception as error:  # noqa: BLE001 (its errors have no common type)
        raise DataError(f"meeteval refuses the segments: {error}") from None


def _version() -> str:
    from importlib.metadata import version

    return version("meeteval")


@dataclass(frozen=True)
class MeetingSettings:
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
    der: bool = setting(
        default=False,
        help="Score who spoke when: the diarization error rate, of RTTM files or segments with "
        "times. Needs no extra.",
    )
    split: bool = setting(
        default=False,
        help="Also divide the errors of cp or tcp into those of recognition (ORC) and of "
        "attribution to speakers.",
    )


def _share(name: str, errors: str, of: str, needs: str = "") -> Ratio:
    return Ratio.of(name, errors, of, lower_is_better=True, columns=(needs or errors,))


class Meetings(Metric):
    """Word error rates over several speakers."""

    name = "meetings"
    summary = "Word error rate of meetings with several speakers, by meeteval (cpWER, ORC, tcpWER)."
    help = """Score transcripts of meetings, whose speakers have other names on both sides, with
    meeteval: SegLST (.json) or STM files with segments of sessions and speakers. With --der, score
    who spoke when, of SegLST, STM or RTTM files.

    Needs the extra meetings, but for --der."""
    examples = (
        "meetings --ref ref.json --hyp hyp.json --way tcp --collar 5",
        "meetings --ref ref.rttm --hyp hyp.rttm --der",
    )
    columns = COLUMNS
    rates = (
        _share("wer", "substitutions deletions insertions", "words", needs="words"),
        _share("recognition_wer", "recognition_errors", "words"),
        _share("attribution_wer", "attribution_errors", "words"),
        _share("der", "missed false_alarm confused", "speech", needs="speech"),
        _share("missed_rate", "missed", "speech"),
        _share("false_alarm_rate", "false_alarm", "speech"),
        _share("confused_rate", "confused", "speech"),
    )
    main = ("wer", "der")
    one_column = False
    settings = MeetingSettings
    both = ""

    def pairs(self, files: Files, settings: MeetingSettings) -> Iterator[Part]:  # noqa: ARG002
        """Yield the segments of all sides, after looking for sessions that are missing."""
        file = Transcripts(files.ref.path, has_ids=True, ids=[], texts=[])
        refs = segments_of(files.ref.path)
        hyps = [segments_of(one.path) for one in files.hyps]
        for number, hyp in enumerate(hyps):
            refs, hyps[number] = paired_sessions(refs, hyp, files.missing)
        yield Part(References(file, [refs]), tuple([hyp] for hyp in hyps))

    def score(self, refs: References, hyps: Sequence[Any], settings: MeetingSettings) -> Score:
        """Score the segments of sessions."""
        options: dict[str, Any] = {"way": settings.way, "collar": settings.collar}
        options |= {"der": settings.der, "split": settings.split, "missing": "empty"}
        return meetings(refs.items[0], hyps[0], **options)


MEETINGS = Meetings()
