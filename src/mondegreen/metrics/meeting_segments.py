"""The segments of meetings: who said what, and when; of SegLST, STM and RTTM files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from mondegreen.data.formats.documents import read_json
from mondegreen.errors import DataError, MissingExtraError
from mondegreen.metrics.diarization import SpeakerTurn, read_rttm

Segment = dict[str, Any]
_NEEDED = frozenset(("session_id", "speaker"))


def meeteval() -> Any:
    """Return the package.

    Raises:
        MissingExtraError: if it is not installed.
    """
    try:
        import meeteval
    except ImportError:
        raise MissingExtraError.of("meetings", "Scores of meetings") from None
    return meeteval


def segments_of(side: Any) -> list[Segment]:
    """Return the segments of a side: a list of them, or a file in SegLST, STM or RTTM.

    Raises:
        DataError: if the file is of another form.
    """
    if isinstance(side, str):
        side = Path(side)
    if not isinstance(side, Path):
        return [dict(one) for one in side]
    if side.suffix == ".rttm":
        return [_segment(turn) for turn in read_rttm(side)]
    if side.suffix == ".json":  # meeteval needs one more package for it
        found = read_json(side)
        if not isinstance(found, list) or not all(
            isinstance(one, dict) and one.keys() >= _NEEDED for one in found
        ):
            raise DataError(f"{side}: a list of segments with session_id and speaker is expected")
        return found
    package = meeteval()
    try:
        return [dict(one) for one in package.io.asseglst(package.io.load(str(side)))]
    except Exception as error:  # noqa: BLE001 (its errors have no common type)
        raise DataError(f"{side}: meeteval cannot read it: {error}") from None


def _segment(turn: SpeakerTurn) -> Segment:
    times = {"start_time": turn.start, "end_time": turn.end}
    return {"session_id": turn.session, "speaker": turn.speaker, **times}


def _silence(session: str) -> Segment:
    return {"session_id": session, "speaker": "-", "words": "", "start_time": 0, "end_time": 0}


def turns_of(segments: list[Segment]) -> dict[str, list[SpeakerTurn]]:
    """Return the turns of each session.

    Raises:
        DataError: if a segment has no times.
    """
    found: dict[str, list[SpeakerTurn]] = {}
    for one in segments:
        session, speaker = str(one["session_id"]), str(one["speaker"])
        start, end = one.get("start_time"), one.get("end_time")
        if start is None or end is None:
            raise DataError(f"session {session!r}: a segment has no times, which --der needs")
        found.setdefault(session, []).append(
            SpeakerTurn(session, speaker, float(start), float(end))
        )
    return found


def paired_sessions(
    refs: list[Segment], hyps: list[Segment], missing: str
) -> tuple[list[Segment], list[Segment]]:
    """Return both sides, after looking for sessions that only one of them has.

    Raises:
        DataError: if there is one, and it may not be missing.
    """
    there = [{str(one["session_id"]) for one in side} for side in (refs, hyps)]
    alone = sorted(there[0] ^ there[1])
    if not alone:
        return refs, hyps
    if missing == "empty":
        silent = [[_silence(id) for id in alone if id not in known] for known in there]
        return [*refs, *silent[0]], [*hyps, *silent[1]]
    if missing == "skip":
        warnings.warn(
            f"{len(alone):,} sessions that only one side has are left out, such as {alone[0]!r}",
            stacklevel=3,
        )
        both = there[0] & there[1]
        kept = [[one for one in side if str(one["session_id"]) in both] for side in (refs, hyps)]
        return kept[0], kept[1]
    lacking = "hypotheses" if alone[0] in there[0] else "references"
    raise DataError(
        f"session {alone[0]!r} has no {lacking} ({len(alone):,} sessions are on one side only); "
        "leave such sessions out with --missing skip, or take them as silence with --missing empty"
    )
